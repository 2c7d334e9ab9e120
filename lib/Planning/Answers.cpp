// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that several answers share.

#include "moe/Planning/Answers.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"
#include "moe/Traffic/Excerpt.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;
using namespace moe;
using namespace moe::planning;

int64_t moe::planning::multiplyCapped(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    if (MulOverflow(product, size, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

std::string moe::planning::markExtrapolated(const std::string &note,
                                            bool isExtrapolated) {
  if (!isExtrapolated)
    return note;
  return note + (note.empty() ? "extrapolated" : ", extrapolated");
}

std::string moe::planning::describeGap(double us) {
  return us < 0 ? formatFixed(-us, 1) + " us shorter, within the uncertainty"
                : formatFixed(us, 1) + " us longer";
}

void moe::planning::printParameters(json::OStream &out,
                                    const PlatformParameters &parameters) {
  using moe::support::Column;
  Report report(
      {Column("name", ""), Column("value", ""), Column("origin", "")});
  for (const auto &row : parameters.rows)
    report.addRow({row[0], row[1], row[2]});
  out.attributeArray("parameters", [&] { report.printItems(out); });
}

void moe::planning::printTexts(json::OStream &out, StringRef key,
                               ArrayRef<std::string> texts) {
  out.attributeArray(key, [&] {
    for (const std::string &text : texts)
      out.value(text);
  });
}

void moe::planning::printCounts(json::OStream &out,
                                const traffic::Trace &trace) {
  traffic::Excerpt excerpt = traffic::takeExcerpt(trace, std::nullopt);
  if (!excerpt.whyNone.empty())
    out.attribute("why_no_counts", excerpt.whyNone);
  out.attribute("columns", trace.isRankToRank ? "ranks" : "experts");
  auto printRow = [&](const traffic::LayerTraffic &layer, int64_t rank) {
    out.rawValue([&](raw_ostream &os) {
      os << "[";
      for (int64_t expert = 0; expert < trace.numExperts; ++expert)
        os << (expert ? "," : "")
           << moe::cost::formatNumber(layer.counts.at(rank, expert));
      os << "]";
    });
  };
  out.attributeArray("counts", [&] {
    for (size_t step : excerpt.steps)
      for (const traffic::LayerTraffic &layer : trace.steps[step].layers)
        out.object([&] {
          out.attribute("step", trace.steps[step].step);
          out.attribute("layer", layer.layer);
          out.attributeArray("rows", [&] {
            for (int64_t rank = 0; rank < trace.numRanks; ++rank)
              printRow(layer, rank);
          });
        });
  });
}
