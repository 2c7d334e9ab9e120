// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other links would change.

#ifndef MOE_COMPILER_LINKSENSITIVITY_H
#define MOE_COMPILER_LINKSENSITIVITY_H

#include "mlir/Support/LLVM.h"
#include "moe/Compiler/Decision.h"
#include "moe/Cost/Machine.h"
#include <optional>
#include <string>

namespace moe {

/// What is chosen on a machine.
struct LinkChoice {
  /// Choices of one kind are one choice, whatever their chunks.
  std::string kind;
  std::string name;
  /// Whether the best of the kind that is chosen with the machine's own links
  /// is as fast there.
  bool isTie = false;
};

/// The choice on a machine whose links are so many times as fast. Fails with
/// errors that were emitted.
using FindChoice = llvm::function_ref<mlir::FailureOr<LinkChoice>(
    const cost::Machine &, double)>;

/// What is made faster and slower: links beyond the innermost level, or inside
/// of it.
enum class VariedLinks { Beyond, Inside };

/// A number of a machine that is multiplied in place of the speed of links, by
/// its key in the platform's file. A machine may have none.
struct VariedNumber {
  llvm::StringLiteral key;
  std::optional<double> (*get)(const cost::Machine &);
  void (*multiply)(cost::Machine &, double factor);
};

/// What is done again for them.
enum class DoneAnew {
  /// All that led to the choice.
  All,
  /// What `LinkRange::planned` says, for tasks as they are.
  Planned,
  /// It is only timed.
  Nothing
};

/// How far links are made faster and slower, and how exactly it is said.
struct LinkRange {
  /// Up to 2^maxPower times as fast, and as slow.
  int maxPower = 4;
  /// To 1 part in so many.
  double precision = 150;
  /// How many changes are looked for each way.
  int maxChanges = 2;
  VariedLinks varied = VariedLinks::Beyond;
  /// In place of links.
  const VariedNumber *number = nullptr;
  DoneAnew doneAnew = DoneAnew::All;
  /// What is planned again, as in "circuits planned anew".
  llvm::StringRef planned = "";
};

/// Finds the speeds of the links, below and above the machine's, from which on
/// something of another kind than `chosen` is the choice, and adds them to the
/// changes of a decision: "OTHER would be chosen with LINKS (compiled anew)".
/// If it is only timed, it "would be faster". All links are scaled alike, by
/// powers of two, and between two of them that differ as exactly as the range
/// says.
llvm::LogicalResult addLinkChanges(const cost::Machine &machine,
                                   llvm::StringRef chosen,
                                   FindChoice findChoice, Decision &decision,
                                   LinkRange range = {});

} // namespace moe

#endif // MOE_COMPILER_LINKSENSITIVITY_H
