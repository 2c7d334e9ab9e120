// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions and their reasons.
//
// Every choice by predicted time is a `Decision`. A remark carries it twice: as
// text, and as JSON in the argument `Decision`, which reports read. Our
// programs never parse the text.

#ifndef MOE_COMPILER_DECISION_H
#define MOE_COMPILER_DECISION_H

#include "moe/Cost/Result.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace moe {

/// A candidate and its predicted cost.
struct Candidate {
  std::string name;
  /// Explanation of the name for readers who do not know it.
  std::string meaning;
  double us = 0;
  /// Peak bytes per rank of live values, if they were counted.
  std::optional<int64_t> peakBytes;
  /// True if a part of the time is outside of the sizes that the platform was
  /// measured at.
  bool isExtrapolated = false;
  /// True for the unchanged program.
  bool isBaseline = false;
  /// True if the candidate is listed for comparison only, because the options
  /// exclude it.
  bool isExcluded = false;
  /// More about the candidate, for example what a formula predicts.
  std::string note;
};

struct RefusedCandidate {
  std::string name, reason;
};

/// A layer that a decision applies to.
struct DecidedLayer {
  std::string name;
  /// "fwd" or "bwd" for one direction, empty for both.
  std::string phase = {};

  /// Returns, for example, "0 fwd".
  std::string str() const;
};

/// A word in the names of candidates, and its meaning.
struct VariantTerm {
  std::string name, meaning;
};

struct Decision {
  /// Empty for the whole program.
  std::vector<DecidedLayer> layers;
  /// The chosen one first, then the others by time.
  std::vector<Candidate> candidates;
  std::vector<RefusedCandidate> refused;
  /// Reason why a slower candidate was chosen; empty if the chosen one is the
  /// fastest.
  std::string why;
  /// Other inputs that would change the choice.
  std::vector<std::string> changes;
  /// The evaluation for other inputs, for example "compiled anew" or "as
  /// planned".
  std::string changesBy;
  std::vector<std::string> notes;
  /// Each word once, in the order of the candidates.
  std::vector<VariantTerm> terms;

  /// Returns the best candidate that was allowed and not chosen; null if there
  /// is none.
  const Candidate *getRunnerUp() const;

  /// Moves a candidate to the front as the chosen one, and sorts the others by
  /// time with a stable sort.
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

template <typename IO> void visitFields(IO &io, DecidedLayer &layer) {
  io.required("layer", layer.name);
  io.optional("phase", layer.phase);
}

template <typename IO> void visitFields(IO &io, VariantTerm &term) {
  io.required("name", term.name);
  io.required("meaning", term.meaning);
}

template <typename IO> void visitFields(IO &io, Decision &decision) {
  io.optional("layers", decision.layers);
  io.optional("candidates", decision.candidates);
  io.optional("refused", decision.refused);
  io.optional("why", decision.why);
  io.optional("changes", decision.changes);
  io.optional("changes_by", decision.changesBy);
  io.optional("notes", decision.notes);
  io.optional("terms", decision.terms);
}

/// Returns consecutive layers as ranges: "0-2 fwd, 7".
std::string formatLayers(llvm::ArrayRef<DecidedLayer> layers);

/// Returns "layers 0-2 fwd: ", or an empty string for the whole program.
std::string formatOwner(const Decision &decision);

/// Returns the decision as one line.
std::string formatDecision(const Decision &decision);

/// Returns the decision for a terminal: a line for the chosen candidate, the
/// runner-up and the baseline, each change and note, and the number of other
/// candidates.
std::vector<std::string> summarizeDecision(const Decision &decision);

/// The key of the remark argument that holds a decision as JSON.
inline constexpr llvm::StringLiteral kDecisionKey = "Decision";

/// Starts a remark with a decision. The caller may add metrics to it.
mlir::remark::detail::InFlightRemark
reportDecision(mlir::Location loc, mlir::remark::RemarkOpts options,
               const Decision &decision);

/// Emits a missed remark, because nothing was chosen for the layers of the
/// decision.
void reportObstacle(mlir::Location loc, mlir::remark::RemarkOpts options,
                    const Decision &decision, llvm::StringRef reason);

/// Parses the JSON of a remark. A failure contains `name` as the location.
cost::Result<Decision> parseDecision(llvm::StringRef json,
                                     const std::string &name);

} // namespace moe

#endif // MOE_COMPILER_DECISION_H
