// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the limits of predictions.

#include "moe/Planning/Limits.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

Result<LimitsAnswer> moe::planning::planLimits(LimitsInput &in) {
  LimitsAnswer answer;
  for (const Limit &limit : listLimits())
    if (!in.of.isSet() || limit.of == in.of)
      answer.limits.push_back(limit);
  return answer;
}

std::string moe::planning::getTitle(const LimitsAnswer &) {
  return "What predictions leave out";
}

void moe::planning::printJSON(json::OStream &out, const LimitsAnswer &answer) {
  out.attributeArray("limits", [&] {
    for (const Limit &limit : answer.limits)
      out.object([&] {
        out.attribute("of", getEnumName(limit.of));
        out.attribute("jobs", limit.jobs);
        out.attribute("what", limit.what);
      });
  });
}
