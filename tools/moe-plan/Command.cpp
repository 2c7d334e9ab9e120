//===- Command.cpp - What the subcommands of moe-plan share ---------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

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
