// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fitted values, printed for people.

#include "Report.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Report.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using moe::cost::formatFixed;
using moe::support::Column;

void moe::profile::printFigures(
    ArrayRef<std::pair<StringRef, std::string>> figures, size_t width,
    raw_ostream &os) {
  moe::support::Report report({Column("", "").atLeast(width), Column("", "")});
  for (auto &[name, value] : figures)
    report.addRow({("  " + name).str(), value});
  report.printTable(os, /*withHeading=*/false);
}

static Column makeBytes() { return Column("", "bytes").fixed(0).atLeast(14); }

static Column makeTime(std::string title) {
  return Column("", std::move(title)).fixed(2).atLeast(12);
}

/// Formats an error, for example "+1.2 %".
static std::string formatError(double ratio) {
  std::string text;
  raw_string_ostream(text) << format("%+.1f %%", 100 * ratio);
  return text;
}

/// Returns, for example, "16" or "16, 1 a host".
static std::string describeRanks(const FitReport &report) {
  std::string text = std::to_string(report.numRanks);
  if (report.ranksTogether)
    text += ", " + std::to_string(*report.ranksTogether) + " a host";
  return text;
}

/// Prints the figures of a fit.
static void printLine(const LineFit &line, raw_ostream &os) {
  moe::profile::printFigures(
      {{"alpha_us", moe::cost::toText(line.alpha.value())},
       {"beta_us_per_byte",
        moe::cost::toText(line.beta.value()) + "  (" +
            moe::cost::toText(toBandwidth(line.beta).value()) +
            " GB/s of buffer)"},
       {"r_squared", formatFixed(line.rSquared, 6)},
       {"worst error", formatFixed(100 * line.worstError, 1) + " %"},
       {"measured", formatFixed(line.minSize.value(), 0) + " to " +
                        formatFixed(line.maxSize.value(), 0) + " bytes"}},
      /*width=*/19, os);
}

void moe::profile::printReport(const FitReport &report, raw_ostream &os) {
  os << StringRef(getName(report.kind)) << " at level '" << report.level
     << "', " << report.numRanks << " ranks"
     << (report.ranksTogether
             ? ", " + std::to_string(*report.ranksTogether) + " a host"
             : "")
     << ", from ";
  llvm::interleaveComma(report.files, os);
  os << "\n";
  if (!report.line) {
    moe::support::Report measured({makeBytes(), makeTime("measured_us"),
                                   Column("", "efficiency").fixed(4)});
    for (const Sample &sample : report.samples)
      measured.addRow({sample.size.value(), sample.time.value(),
                       report.efficiency.at(sample.size)});
    os << "\n";
    measured.printTable(os);
    return;
  }
  const LineFit &line = *report.line;
  printLine(line, os);

  auto predict = [&](Bytes size) { return line.alpha + size * line.beta; };
  moe::support::Report measured({makeBytes(), makeTime("measured_us"),
                                 makeTime("predicted_us"),
                                 Column("", "error").right().atLeast(7),
                                 Column("", "efficiency").fixed(4)});
  for (const Sample &sample : report.samples) {
    Microseconds predicted = predict(sample.size);
    measured.addRow({sample.size.value(), sample.time.value(),
                     predicted.value(),
                     formatError(predicted / sample.time - 1),
                     report.efficiency.at(sample.size)});
  }
  os << "\n";
  measured.printTable(os);
  moe::support::Report predicted(
      {makeBytes(), makeTime("predicted_us"), Column("", "")});
  for (double size = 1e3; size < 2e10; size *= 10) {
    bool isOutside = Bytes(size) < line.minSize || Bytes(size) > line.maxSize;
    predicted.addRow({size, predict(Bytes(size)).value(),
                      std::string(isOutside ? "extrapolated" : "")});
  }
  os << "\n";
  predicted.printTable(os);
}

void moe::profile::printSummary(ArrayRef<FitReport> reports, raw_ostream &os) {
  moe::support::Report summary({Column("", "collective"), Column("", "level"),
                                Column("", "ranks").right(),
                                Column("", "alpha_us").fixed(1).atLeast(10),
                                Column("", "GB/s of buffer").fixed(2),
                                Column("", "worst error").right()});
  for (const FitReport &report : reports)
    if (report.line)
      summary.addRow({std::string(getName(report.kind)), report.level,
                      describeRanks(report), report.line->alpha.value(),
                      toBandwidth(report.line->beta).value(),
                      formatFixed(100 * report.line->worstError, 1) + " %"});
    else
      summary.addRow({std::string(getName(report.kind)), report.level,
                      describeRanks(report), std::string("no line"),
                      std::string(), std::string()});
  summary.printTable(os);
}

void moe::profile::printSamples(StringRef what, ArrayRef<Sample> samples,
                                raw_ostream &os) {
  moe::support::Report report({makeBytes(), makeTime("measured_us"),
                               Column("", "GB/s").fixed(3).atLeast(8)});
  for (const Sample &sample : samples)
    report.addRow({sample.size.value(), sample.time.value(),
                   (sample.size / sample.time).value()});
  os << what << "\n";
  report.printTable(os);
}

void moe::profile::printContention(ArrayRef<ContentionFactor> factors,
                                   raw_ostream &os) {
  moe::support::Report report({Column("", "slowed").right().atLeast(12),
                               Column("", "by").right().atLeast(8),
                               Column("", "factor").fixed(3).atLeast(8)});
  for (const ContentionFactor &factor : factors)
    report.addRow({std::string(getName(factor.slowed)),
                   std::string(getName(factor.by)), factor.factor});
  os << "contention: times as long while another runs\n";
  report.printTable(os);
}
