// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `all-to-all` as text.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::schedule;

static std::string describe(const StrategyPlan &plan) {
  const StrategyTime &time = plan.get(plan.chosen);
  std::string text = getName(plan.chosen);
  if (plan.chosen >= Strategy::O2)
    text += " with " + std::to_string(time.chunks) +
            (time.chunks == 1 ? " chunk" : " chunks");
  return text + ", " + formatFixed(time.timeUs, 1) + " us";
}

void moe::plan::printAllToAllText(raw_ostream &os, const AllToAllInput &in,
                                  const AllToAllAnswer &answer) {
  const StrategyPlan &plan = answer.choice.plan;
  const StrategyTime &chosen = plan.get(plan.chosen);
  os << "all-to-all of " << answer.bytes << " bytes a rank over ep "
     << answer.ep << " x tp " << answer.tp << " on "
     << answer.parameters.machine << ": " << describe(plan) << "\n";
  if (!answer.getReason().empty())
    os << answer.getReason() << "\n";
  os << "\n";
  makeStrategyReport(answer.choice).printTable(os);
  if (chosen.timeUs > plan.leastUs)
    os << "\nthe fastest is " << schedule::getName(plan.fastest) << " with "
       << plan.fastestChunks
       << (plan.fastestChunks == 1 ? " chunk, " : " chunks, ")
       << formatFixed(plan.leastUs, 1) << " us; "
       << schedule::getName(plan.chosen) << " is as good within "
       << answer.uncertainty << "\n";
  if (plan.runnerUp) {
    os << "\n"
       << schedule::getName(plan.chosen) << " is the best for buffers from "
       << answer.from.bytes
       << (answer.from.changes ? " bytes to " : " bytes or fewer to ")
       << answer.to.bytes
       << (answer.to.changes ? " bytes\n" : " bytes or more\n");
  }
  if (answer.withoutFitted) {
    os << "without the fitted parameters: "
       << describe(answer.withoutFitted->plan) << "\n";
    for (const std::string &parameter : answer.fitted)
      os << "  " << parameter << "\n";
  }

  os << "\nsettings\n";
  Report settings = makeList({false, true, false});
  if (in.bytes.isSet())
    addSetting(settings, in.bytes, answer.bytes);
  else
    settings.addRow(
        {"  bytes", answer.bytes,
         answer.isOfJob ? "bytes (--config)" : "bytes (of the shape)"});
  addSetting(settings, in.job.job.ep, answer.ep);
  addSetting(settings, in.job.job.tp, answer.tp);
  if (answer.limits.chunks)
    addSetting(settings, in.chunks, *answer.limits.chunks, "chunks, no others");
  else
    addSetting(settings, in.maxChunks, answer.limits.maxChunks);
  settings.printTable(os, /*withHeading=*/false);

  printParameters(os, answer.parameters);
}
