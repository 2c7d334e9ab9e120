// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the subcommands of moe-plan share.

#include "Command.h"
#include "moe/Support/Json.h"
#include "moe/Support/OutputFile.h"
#include "moe/Support/ReportPage.h"
#include "moe/Traffic/Excerpt.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

std::string moe::plan::markExtrapolated(const std::string &note,
                                        bool isExtrapolated) {
  if (!isExtrapolated)
    return note;
  return note + (note.empty() ? "extrapolated" : ", extrapolated");
}

std::string moe::plan::describeGap(double us) {
  return us < 0 ? formatFixed(-us, 1) + " us shorter, within the uncertainty"
                : formatFixed(us, 1) + " us longer";
}

std::optional<Failure>
moe::plan::writeFile(const OutputOption &option,
                     function_ref<void(raw_ostream &)> print) {
  auto failure = moe::support::writeOutputFile(option.getValue(), print);
  if (failure)
    return makeFailure("--" + option.ArgStr + ": " + failure->message);
  return std::nullopt;
}

Result<bool> AnswerOptions::answer(raw_ostream &os, StringRef title,
                                   function_ref<void(json::OStream &)> write,
                                   unsigned indent) const {
  bool hasPage = report.isSet();
  if (!json && !hasPage)
    return false;
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream, indent);
  out.object([&] { write(out); });
  stream << "\n";
  text = moe::support::escapeForPage(text);
  if (hasPage)
    if (auto failure = writeFile(report, [&](raw_ostream &file) {
          moe::support::printReportPage(file, title, text);
        }))
      return *failure;
  if (json)
    os << text;
  return bool(json);
}

void moe::plan::addSetting(Report &settings, const IntegerOption &option,
                           int64_t value, StringRef unit) {
  settings.addRow({"  " + option.getName().str(), std::to_string(value),
                   (unit + " (" + option.getOrigin() + ")").str()});
}

void moe::plan::printParameters(json::OStream &out,
                                const Parameters &parameters) {
  using moe::support::Column;
  Report report(
      {Column("name", ""), Column("value", ""), Column("origin", "")});
  for (const auto &row : parameters)
    report.addRow({row[0], row[1], row[2]});
  out.attributeArray("parameters", [&] { report.printItems(out); });
}

void moe::plan::printParameters(raw_ostream &os,
                                const platform::Platform &platform,
                                const Parameters &parameters) {
  os << "\nplatform " << platform.machine.name << " of " << platform.file
     << "\n";
  Report report = makeList({false, false, false});
  for (const auto &row : parameters)
    report.addRow({"  " + row[0], row[1], "(" + row[2] + ")"});
  report.printTable(os, /*withHeading=*/false);
}

void moe::plan::printCounts(json::OStream &out, const traffic::Trace &trace) {
  traffic::Excerpt excerpt = traffic::takeExcerpt(trace, std::nullopt);
  if (!excerpt.whyNone.empty())
    out.attribute("why_no_counts", excerpt.whyNone);
  out.attribute("columns", trace.isRankToRank ? "ranks" : "experts");
  auto printRow = [&](const traffic::LayerTraffic &layer, int64_t rank) {
    out.rawValue([&](raw_ostream &os) {
      os << "[";
      for (int64_t expert = 0; expert < trace.numExperts; ++expert)
        os << (expert ? "," : "")
           << moe::support::formatNumber(layer.counts.at(rank, expert));
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
