// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions and their reasons.

#include "moe/Compiler/Decision.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Support/Fields.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace moe;

const Candidate *Decision::getRunnerUp() const {
  for (const Candidate &candidate : llvm::drop_begin(candidates))
    if (!candidate.isExcluded)
      return &candidate;
  return nullptr;
}

void Decision::choose(size_t chosen) {
  std::multimap<double, Candidate> others;
  for (auto [i, candidate] : llvm::enumerate(candidates))
    if (i != chosen)
      others.emplace(candidate.us, candidate);
  candidates = {candidates[chosen]};
  for (auto &[us, candidate] : others)
    candidates.push_back(std::move(candidate));
}

std::string DecidedLayer::str() const {
  return phase.empty() ? name : name + " " + phase;
}

std::string moe::formatLayers(ArrayRef<DecidedLayer> layers) {
  struct Range {
    StringRef first, last, phase;
    /// 1 for ascending, -1 for descending as in backward passes, 0 for a single
    /// layer.
    int step = 0;
  };
  SmallVector<Range> ranges;
  for (const DecidedLayer &layer : layers) {
    StringRef number = layer.name;
    uint64_t before = 0, here = 0;
    if (!ranges.empty() && ranges.back().phase == layer.phase &&
        !ranges.back().last.getAsInteger(10, before) &&
        !number.getAsInteger(10, here) &&
        ((ranges.back().step >= 0 && here > 0 && here - 1 == before) ||
         (ranges.back().step <= 0 && before > 0 && before - 1 == here))) {
      ranges.back().last = number;
      ranges.back().step = here > before ? 1 : -1;
    } else {
      ranges.push_back({number, number, layer.phase});
    }
  }
  std::string text;
  for (const Range &range : ranges) {
    text += (text.empty() ? "" : ", ") + range.first.str();
    if (range.first != range.last)
      text += "-" + range.last.str();
    if (!range.phase.empty())
      text += " " + range.phase.str();
  }
  return text;
}

std::string moe::formatOwner(const Decision &decision) {
  if (decision.layers.empty())
    return "";
  return (decision.layers.size() == 1 ? "layer " : "layers ") +
         formatLayers(decision.layers) + ": ";
}

/// Returns, for example, "o1 in 2 chunks, 12.3 us, 4.0 MB".
static std::string formatCandidate(const Candidate &candidate) {
  std::string text =
      candidate.name + ", " + describeUs(candidate.us, candidate.isExtrapolated);
  if (candidate.peakBytes)
    text += llvm::formatv(", {0:F1} MB", double(*candidate.peakBytes) / 1e6);
  if (!candidate.note.empty())
    text += " (" + candidate.note + ")";
  return text;
}

namespace {

/// The parts of a decision in print order.
struct DecisionParts {
  /// The chosen candidate, the runner-up and the baseline.
  std::vector<std::string> main;
  /// Other candidates, and rejected ones.
  std::vector<std::string> others, refused;

  explicit DecisionParts(const Decision &decision) {
    if (decision.candidates.empty())
      return;
    const Candidate &chosen = decision.candidates.front();
    const Candidate *runnerUp = decision.getRunnerUp();
    main.push_back(formatCandidate(chosen));
    if (!decision.why.empty())
      main.back() += ", " + decision.why;
    if (runnerUp)
      main.push_back("runner-up: " + formatCandidate(*runnerUp));
    for (const Candidate &candidate : llvm::drop_begin(decision.candidates)) {
      if (&candidate == runnerUp)
        continue;
      if (candidate.isBaseline)
        // Avoids a repeated name, because the candidate's name is "baseline".
        main.push_back(candidate.name + ": " +
                       StringRef(formatCandidate(candidate))
                           .drop_front(candidate.name.size() + 2)
                           .str());
      else
        others.push_back(formatCandidate(candidate));
    }
    for (const RefusedCandidate &one : decision.refused)
      refused.push_back("no " + one.name + ": " + one.reason);
  }
};

} // namespace

std::string moe::formatDecision(const Decision &decision) {
  DecisionParts parts(decision);
  std::vector<std::string> all;
  for (const auto &some : {parts.main, parts.others, parts.refused,
                           decision.changes, decision.notes})
    llvm::append_range(all, some);
  return formatOwner(decision) + llvm::join(all, "; ");
}

std::vector<std::string> moe::summarizeDecision(const Decision &decision) {
  DecisionParts parts(decision);
  std::vector<std::string> lines = parts.main;
  if (!lines.empty())
    lines.front() = formatOwner(decision) + lines.front();
  llvm::append_range(lines, decision.changes);
  llvm::append_range(lines, decision.notes);
  auto count = [&](size_t number, StringRef what) {
    if (number)
      lines.push_back(std::to_string(number) + what.str() +
                      ": --remarks-full prints them");
  };
  count(parts.others.size(), " more compared");
  count(parts.refused.size(), " could not be tried");
  return lines;
}

remark::detail::InFlightRemark
moe::reportDecision(Location loc, remark::RemarkOpts options,
                    const Decision &decision) {
  remark::detail::InFlightRemark remark = moe::passed(loc, options);
  if (remark)
    remark << remark::add("{0}", formatDecision(decision))
           << remark::metric(kDecisionKey, support::formatFields(decision));
  return remark;
}

void moe::reportObstacle(Location loc, remark::RemarkOpts options,
                         const Decision &decision, StringRef reason) {
  remark::detail::InFlightRemark remark = moe::missed(loc, options);
  if (remark)
    remark << remark::reason("{0}", formatOwner(decision) + reason.str())
           << remark::metric(kDecisionKey, support::formatFields(decision));
}

cost::Result<Decision> moe::parseDecision(StringRef json,
                                          const std::string &name) {
  return support::parseFields<Decision>(json, name);
}
