// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decision of a variant search, and the inputs that would change it.

#include "NodeBoundary.h"
#include "VariantSearch.h"
#include "moe/Compiler/LinkSensitivity.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Platform/MachineParameters.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Inputs that would change the choice
//===----------------------------------------------------------------------===//

static bool isTie(const EvaluatedVariant &a, const EvaluatedVariant &b) {
  return !cost::isFaster(a.us, b.us) && !cost::isFaster(b.us, a.us);
}

LogicalResult moe::addChanges(VariantSearch &search, const SearchResult &result,
                              Decision &decision) {
  if (result.rows.size() < 2)
    return success();
  LinkRange range;
  if (staysInNodes(search.getLayer(), search.getMachine()))
    range.varied = VariedLinks::Inside;
  std::string chosen = result.rows.front().form.describeRow();
  auto findChoice = [&](const cost::Machine &machine, double speed,
                        ArrayRef<StringRef>) -> FailureOr<LinkChoice> {
    FailureOr<SearchResult> found = search.runOn(machine, speed);
    if (failed(found))
      return failure();
    // At other times, a variant may exceed the memory that it fits here.
    if (found->rows.empty())
      return LinkChoice{chosen, chosen};
    const EvaluatedVariant &best = found->rows.front();
    auto *same = llvm::find_if(found->rows, [&](const EvaluatedVariant &row) {
      return row.form.describeRow() == chosen;
    });
    return LinkChoice{best.form.describeRow(), best.form.describe(),
                      same != found->rows.end() && isTie(best, *same)};
  };
  return addLinkChanges(search.getMachine(), chosen, findChoice, decision,
                        range);
}

static Candidate makeCandidate(const EvaluatedVariant &row) {
  Candidate candidate;
  candidate.name = row.form.describe();
  candidate.us = row.us;
  candidate.peakBytes = row.peakBytes;
  candidate.isExtrapolated = row.numExtrapolated != 0;
  candidate.isBaseline = row.form.isBaseline();
  return candidate;
}

Decision moe::makeDecision(const SearchResult &result,
                           const cost::Machine &machine) {
  Decision decision;
  const EvaluatedVariant &best = result.rows.front();
  for (const EvaluatedVariant &row : result.rows)
    decision.candidates.push_back(makeCandidate(row));
  bool hasBaseline = llvm::any_of(
      decision.candidates, [](const Candidate &one) { return one.isBaseline; });
  if (result.baseline && !hasBaseline) {
    decision.candidates.push_back(makeCandidate(*result.baseline));
    decision.candidates.back().isExcluded = true;
  }
  if (cost::isFaster(result.leastUs, best.us))
    decision.why =
        llvm::formatv("as good as the fastest with {0} within {1}, and simpler",
                      describeUs(result.leastUs, /*isExtrapolated=*/false),
                      platform::describeUncertainty(machine));
  else if (result.rows.size() > 1 && isTie(best, result.rows[1]))
    decision.why = "as fast as the runner-up, and simpler";
  auto addTerms = [&](const LayerVariant &form) {
    for (const VariantTerm &term : form.getTerms())
      if (llvm::none_of(decision.terms, [&](const VariantTerm &one) {
            return one.name == term.name;
          }))
        decision.terms.push_back(term);
  };
  for (const EvaluatedVariant &row : result.rows)
    addTerms(row.form);
  if (result.baseline)
    addTerms(result.baseline->form);
  for (const auto &[what, why] : result.impossible)
    decision.refused.push_back({what, why});
  decision.notes.push_back(std::to_string(result.numSimulated) +
                           (result.numSimulated == 1
                                ? " candidate simulated"
                                : " candidates simulated"));
  return decision;
}
