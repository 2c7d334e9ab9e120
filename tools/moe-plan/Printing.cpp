// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing of each planner's answers.

#include "Printing.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

static const Printing kPrintings[] = {
    {"all-to-all", printAs<printAllToAllText>},
    {"collective", printAs<printCollectiveText>},
    {"conflicts", printAs<printConflictsText>},
    {"degree", printAs<printDegreeText>},
    {"dispatch",
     printAs<printDispatchText>,
     {{"save-traffic",
       "Also write the dispatch in whole tokens as a routing trace", "FILE",
       printAs<printDispatchTraffic>},
      {"svg", "Also write the dispatch as a picture, devices by devices",
       "FILE", printAs<printDispatchPicture>}}},
    {"dispatch-kernel", printAs<printDispatchKernelText>},
    {"expand", printAs<printExpandText>},
    {"flags", printAs<printFlagsText>},
    {"gemm", printAs<printGemmText>},
    {"gradients", printAs<printGradientsText>},
    {"limits", printAs<printLimitsText>},
    {"memory", printAs<printMemoryText>},
    {"step", printAs<printStepText>},
    {"sweep", printAs<printSweepText>, {}, {}, nullptr, fitsNothing},
    {"traffic", printAs<printTrafficText>, {}, {}, checkTraffic},
};

/// The core's entries and the entries of optional components.
static std::vector<Printing> &getPrintings() {
  static std::vector<Printing> printings(std::begin(kPrintings),
                                         std::end(kPrintings));
  return printings;
}

void moe::plan::registerPrintings(ArrayRef<Printing> printings) {
  llvm::append_range(getPrintings(), printings);
}

const Printing &moe::plan::getPrinting(StringRef planner) {
  const std::vector<Printing> &printings = getPrintings();
  auto it = llvm::find_if(printings, [&](const Printing &printing) {
    return planner == printing.planner;
  });
  assert(it != printings.end() && "expected an entry for each planner");
  return *it;
}
