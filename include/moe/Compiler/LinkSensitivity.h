// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sensitivity of decisions to link speeds.

#ifndef MOE_COMPILER_LINKSENSITIVITY_H
#define MOE_COMPILER_LINKSENSITIVITY_H

#include "mlir/Support/LLVM.h"
#include "moe/Compiler/Decision.h"
#include "moe/Cost/Machine.h"
#include <optional>
#include <string>

namespace moe {

/// The choice for one machine.
struct LinkChoice {
  /// Choices of the same kind count as equal, whatever their number of chunks.
  std::string kind;
  std::string name;
  /// True if the best choice of the originally chosen kind is equally fast on
  /// this machine.
  bool isTie = false;
};

/// Returns the choice for a machine with scaled links; the number is the
/// factor. Compares only the given kinds, or all kinds if none are given. Fails
/// after emitting errors.
using FindChoice = llvm::function_ref<mlir::FailureOr<LinkChoice>(
    const cost::Machine &, double, llvm::ArrayRef<llvm::StringRef>)>;

/// The links to scale: beyond the innermost level, or inside of it.
enum class VariedLinks { Beyond, Inside };

/// A number of a machine to scale instead of link speeds, with its key in the
/// platform file. A machine may lack it.
struct VariedNumber {
  llvm::StringLiteral key;
  std::optional<double> (*get)(const cost::Machine &);
  void (*multiply)(cost::Machine &, double factor);
};

/// The work that is repeated for each scaled machine.
enum class DoneAnew {
  /// Everything that led to the choice.
  All,
  /// The planning that `LinkRange::planned` names, for fixed tasks.
  Planned,
  /// Only the timing.
  Nothing
};

/// The range and precision of the search over link speeds.
struct LinkRange {
  /// Links are at most 2^maxPower times as fast or as slow.
  int maxPower = 4;
  /// The relative precision is 1/precision.
  double precision = 150;
  /// Maximum number of changes in each direction.
  int maxChanges = 2;
  VariedLinks varied = VariedLinks::Beyond;
  /// Number to scale instead of links; may be null.
  const VariedNumber *number = nullptr;
  DoneAnew doneAnew = DoneAnew::All;
  /// Name of the repeated planning, see `Decision::changesBy`.
  llvm::StringRef planned = "";
};

/// Finds the link speeds, below and above the machine's, that change the choice
/// to another kind than `chosen`. Adds them to the changes of a decision:
/// "OTHER would be chosen with LINKS (compiled anew)". If programs are only
/// timed, OTHER "would be faster". All links are scaled alike, by powers of
/// two, and then by bisection between two of them that differ, with the
/// precision of the range.
llvm::LogicalResult addLinkChanges(const cost::Machine &machine,
                                   llvm::StringRef chosen,
                                   FindChoice findChoice, Decision &decision,
                                   LinkRange range = {});

} // namespace moe

#endif // MOE_COMPILER_LINKSENSITIVITY_H
