// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was chosen, and why.
//
// Every choice by predicted time is a `Decision`. A remark carries it twice: as
// text, and as JSON in the argument `Decision`, which reports read. No program of
// ours reads the text.

#ifndef MOE_COMPILER_DECISION_H
#define MOE_COMPILER_DECISION_H

#include "moe/Cost/Result.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace moe {

/// What can be chosen, and its predicted cost.
struct Candidate {
  std::string name;
  /// What the name stands for, for readers who do not know it.
  std::string meaning;
  double us = 0;
  /// The most bytes per rank that values take up at once, if they were counted.
  std::optional<int64_t> peakBytes;
  /// A part of the time is outside of the sizes that the platform was measured
  /// at.
  bool isExtrapolated = false;
  /// The program as it is.
  bool isBaseline = false;
  /// Given for comparison; it was not allowed.
  bool isExcluded = false;
  /// More about the candidate, for example what a formula predicts.
  std::string note;
};

/// What could not be chosen, and why.
struct RefusedCandidate {
  std::string name, reason;
};

struct Decision {
  /// The layers it is about, "0 fwd" if it is about one direction; empty for
  /// the whole program.
  std::vector<std::string> layers;
  /// The chosen one first, then the others by time.
  std::vector<Candidate> candidates;
  std::vector<RefusedCandidate> refused;
  /// Why a slower candidate was chosen; empty if the chosen one is the fastest.
  std::string why;
  /// Which other inputs would change the choice.
  std::vector<std::string> changes;
  /// What was done for other inputs: "compiled anew", "circuits planned anew" or
  /// "as planned".
  std::string changesBy;
  std::vector<std::string> notes;

  /// The best of those that were allowed and not chosen; null for none.
  const Candidate *getRunnerUp() const;

  /// Makes a candidate the chosen one, and sorts the others by time; equally
  /// fast ones stay in their order.
  void choose(size_t chosen);
};

template <typename IO> void visitFields(IO &io, Candidate &candidate) {
  io.optional("name", candidate.name);
  io.optional("meaning", candidate.meaning);
  io.required("time_us", candidate.us);
  io.optional("peak_bytes", candidate.peakBytes);
  io.optional("extrapolated", candidate.isExtrapolated);
  io.optional("baseline", candidate.isBaseline);
  io.optional("excluded", candidate.isExcluded);
  io.optional("note", candidate.note);
}

template <typename IO> void visitFields(IO &io, RefusedCandidate &refused) {
  io.optional("name", refused.name);
  io.optional("reason", refused.reason);
}

template <typename IO> void visitFields(IO &io, Decision &decision) {
  io.optional("layers", decision.layers);
  io.optional("candidates", decision.candidates);
  io.optional("refused", decision.refused);
  io.optional("why", decision.why);
  io.optional("changes", decision.changes);
  io.optional("changes_by", decision.changesBy);
  io.optional("notes", decision.notes);
}

/// Layers in a row as a range: "0-2 fwd, 7".
std::string formatLayers(llvm::ArrayRef<std::string> layers);

/// "layers 0-2 fwd: "; empty for the whole program.
std::string formatOwner(const Decision &decision);

/// The decision as one line.
std::string formatDecision(const Decision &decision);

/// The decision for a terminal: a line for the chosen candidate, the runner-up
/// and the baseline, each change and note; the other candidates are counted.
std::vector<std::string> summarizeDecision(const Decision &decision);

/// The key of the remark argument that holds a decision as JSON.
inline constexpr llvm::StringLiteral kDecisionKey = "Decision";

/// Starts a remark with a decision. Metrics may be added to it.
mlir::remark::detail::InFlightRemark
reportDecision(mlir::Location loc, mlir::remark::RemarkOpts options,
               const Decision &decision);

/// Emits a missed remark: nothing was chosen for the layers of the decision.
void reportObstacle(mlir::Location loc, mlir::remark::RemarkOpts options,
                    const Decision &decision, llvm::StringRef reason);

/// Reads the JSON that a remark carries. The failure names the place in `name`.
cost::Result<Decision> parseDecision(llvm::StringRef json,
                                     const std::string &name);

} // namespace moe

#endif // MOE_COMPILER_DECISION_H
