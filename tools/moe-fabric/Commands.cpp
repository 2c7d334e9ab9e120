// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the printers of the fabric planners' answers.

#include "Commands.h"
#include "FabricPrinting.h"

using namespace moe::plan;

static const Printing kPrintings[] = {
    {"circuits",
     printAs<printCircuitsText>,
     {},
     {{"dot", "Print the answer as a DOT graph", printAs<printCircuitsDot>}},
     checkCircuits},
    {"cost", printAs<printCostText>},
    {"fabric",
     printAs<printFabricText>,
     {{"csv", "Also write one line per exchange", "file.csv",
       printAs<printFabricCSV>},
      {"svg", "Also write the link utilization as a picture", "file.svg",
       printAs<printFabricPicture>}}},
    {"job",
     printAs<printJobText>,
     {{"csv", "Also write one line per table row", "file.csv",
       printAs<printJobCSV>}}},
    {"predict", printAs<printPredictText>},
};

void moe::plan::registerFabricPrintings() { registerPrintings(kPrintings); }
