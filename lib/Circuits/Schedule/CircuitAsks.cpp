// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions about circuits at run time.

#include "CircuitAsks.h"

using namespace moe::schedule;
using Way = CircuitDecision::Way;

/// Returns true if circuits change before an exchange with the same counts as
/// `first`, from `first` on.
static bool changesForCounts(const CircuitStep &step,
                             const CircuitDecisions &decisions, size_t first) {
  for (size_t e = first;
       e < decisions.size() &&
       step.exchanges[e].counts == step.exchanges[first].counts;
       ++e)
    if (decisions[e].way == Way::Change)
      return true;
  return false;
}

void moe::schedule::addAsks(const CircuitStep &step,
                            CircuitDecisions &decisions) {
  std::optional<ConfigId> up;
  std::optional<uint32_t> counts;
  bool asksAny = false;
  for (size_t e = 0; e < decisions.size(); ++e) {
    const CircuitExchange &exchange = step.exchanges[e];
    CircuitDecision &decision = decisions[e];
    bool asks = exchange.counts && exchange.counts != counts &&
                !exchange.choices.empty() && (up || step.dark) &&
                !changesForCounts(step, decisions, e);
    // After a question, the current circuits may differ from the expected ones.
    asks |= asksAny && decision.way == Way::Change && up == decision.config;
    if (decision.way == Way::Change && !asks) {
      up = decision.config;
      counts = exchange.counts;
    } else if (asks) {
      up = up ? up : step.dark;
      decision = {Way::Ask, *up};
      counts = exchange.counts;
      asksAny = true;
    } else if (asksAny) {
      decision = {Way::Keep, 0};
    }
  }
}
