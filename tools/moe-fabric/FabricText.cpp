// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `fabric` as text, CSV and pictures.

#include "FabricPrinting.h"
#include "moe/Circuits/FabricReport.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/HeatMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::fabric;

void moe::plan::printFabricText(raw_ostream &os, const FabricInput &,
                                const FabricAnswer &answer) {
  os << formatv("{0}, {1} group{2}\n", describeFabric(answer.options),
                answer.groups, answer.groups == 1 ? "" : "s");
  os << formatv("{0:F1} us in {1} exchange{2}\n\n", answer.getTotalUs(),
                answer.rows.size(), answer.rows.size() == 1 ? "" : "s");
  if (answer.rows.size() <= 20) {
    makeExchangeReport(answer).printTable(os);
    os << "\n";
  }
  makeClassReport(answer.loads).printTable(os);
  os << "\n";
  makeBusiestReport(answer.loads, answer.busiest).printTable(os);
  if (const auto &failures = answer.failures) {
    auto times = [&](double us, double before) {
      return formatFixed(us, 1) + " us, " + formatFixed(us / before, 3) +
             " times";
    };
    Report table = makeList({false, false});
    table.addRow({std::string("  none failed"),
                  formatFixed(failures->beforeUs, 1) + " us"});
    table.addRow({std::string("  at once"),
                  times(failures->atOnceUs, failures->beforeUs)});
    table.addRow({std::string("  planned anew"),
                  times(failures->replannedUs, failures->beforeUs)});
    table.addRow({std::string("  a fat tree without these NICs"),
                  times(failures->treeUs, failures->treeBeforeUs)});
    os << "\nNICs that have failed\n";
    table.printTable(os, /*withHeading=*/false);
  }
}

void moe::plan::printFabricCSV(raw_ostream &os, const FabricInput &,
                               const FabricAnswer &answer) {
  makeExchangeReport(answer).printCSV(os);
}

void moe::plan::printFabricPicture(raw_ostream &os, const FabricInput &,
                                   const FabricAnswer &answer) {
  // Squares per row. If there are more links, each square shows the busiest of
  // its links.
  constexpr int64_t kMostSquares = 48;
  int64_t most = 1;
  for (const ClassLoad &own : answer.loads.classes)
    most = std::max(most, own.links);
  int64_t columns = std::min(most, kMostSquares);
  std::vector<const LinkLoad *> squares(answer.loads.classes.size() *
                                        size_t(columns));
  for (size_t c = 0; c < answer.loads.classes.size(); ++c)
    for (const LinkLoad &load : answer.loads.links) {
      if (load.className != answer.loads.classes[c].name)
        continue;
      int64_t links = answer.loads.classes[c].links;
      int64_t column =
          links <= columns ? load.place : load.place * columns / links;
      const LinkLoad *&own =
          squares[c * size_t(columns) + size_t(std::min(column, columns - 1))];
      if (!own || load.getUtilisation() > own->getUtilisation())
        own = &load;
    }
  auto get = [&](int64_t row, int64_t column) {
    return squares[size_t(row * columns + column)];
  };
  support::HeatMap map;
  map.title = formatv("use of links in percent, {0} of {1} servers",
                      getName(answer.options.network.kind),
                      answer.options.network.servers)
                  .str();
  map.rowTitle = "sorts of links";
  map.columnTitle = "links";
  map.rows = int64_t(answer.loads.classes.size());
  map.columns = columns;
  map.value = [&](int64_t row, int64_t column) {
    const LinkLoad *own = get(row, column);
    return own ? std::round(1000 * own->getUtilisation()) / 10 : 0.0;
  };
  map.describe = [&](int64_t row, int64_t column) -> std::string {
    const LinkLoad *own = get(row, column);
    if (!own)
      return answer.loads.classes[size_t(row)].name + ": nothing";
    return own->name + ": " + formatFixed(100 * own->getUtilisation(), 1) +
           " %, " + formatFixed(own->bytes, 0) + " bytes";
  };
  map.print(os);
}
