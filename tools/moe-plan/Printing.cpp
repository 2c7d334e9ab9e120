// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the answer of each planner is printed.

#include "Printing.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

static const Printing kPrintings[] = {
    {"all-to-all", printAs<printAllToAllText>},
    {"circuits",
     printAs<printCircuitsText>,
     {},
     {{"dot", "Print the answer as a DOT graph", printAs<printCircuitsDot>}},
     checkCircuits},
    {"collective", printAs<printCollectiveText>},
    {"conflicts", printAs<printConflictsText>},
    {"cost", printAs<printCostText>},
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
    {"fabric",
     printAs<printFabricText>,
     {{"csv", "Also write one line per exchange", "file.csv",
       printAs<printFabricCSV>},
      {"svg", "Also write the link utilization as a picture", "file.svg",
       printAs<printFabricPicture>}}},
    {"flags", printAs<printFlagsText>},
    {"gemm", printAs<printGemmText>},
    {"gradients", printAs<printGradientsText>},
    {"job",
     printAs<printJobText>,
     {{"csv", "Also write one line per table row", "file.csv",
       printAs<printJobCSV>}}},
    {"memory", printAs<printMemoryText>},
    {"predict", printAs<printPredictText>},
    {"step", printAs<printStepText>},
    {"sweep", printAs<printSweepText>, {}, {}, nullptr, fitsNothing},
    {"traffic", printAs<printTrafficText>, {}, {}, checkTraffic},
};

const Printing &moe::plan::getPrinting(StringRef planner) {
  const auto *it = llvm::find_if(kPrintings, [&](const Printing &printing) {
    return planner == printing.planner;
  });
  assert(it != std::end(kPrintings) && "expected an entry for each planner");
  return *it;
}
