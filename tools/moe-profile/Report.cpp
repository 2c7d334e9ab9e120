//===- Report.cpp - What was fitted, for people ---------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace moe;
using namespace moe::cost;
using namespace moe::platform;

void moe::profile::printReport(const FitReport &report, raw_ostream &os) {
  const LineFit &line = report.line;
  os << StringRef(getName(report.kind)) << " at level '" << report.level
     << "', " << report.numRanks << " ranks, from ";
  for (size_t i = 0; i < report.files.size(); ++i)
    os << (i == 0 ? "" : ", ") << report.files[i];
  os << "\n";
  os << format("  alpha_us           %.6g\n", line.alpha.value());
  os << format("  beta_us_per_byte   %.6g", line.beta.value());
  os << format("  (%.6g GB/s of buffer)\n", toBandwidth(line.beta).value());
  os << format("  r_squared          %.6f\n", line.rSquared);
  os << format("  worst error        %.1f %%\n", 100 * line.worstError);
  os << format("  measured           %.0f to %.0f bytes\n",
               line.minSize.value(), line.maxSize.value());

  auto predict = [&](Bytes size) { return line.alpha + size * line.beta; };
  os << "\n         bytes   measured_us  predicted_us   error  efficiency\n";
  for (const Sample &sample : report.samples) {
    Microseconds predicted = predict(sample.size);
    os << format("  %12.0f  %12.2f  %12.2f  %+5.1f %%      %.4f\n",
                 sample.size.value(), sample.time.value(), predicted.value(),
                 100 * (predicted / sample.time - 1),
                 report.efficiency.at(sample.size));
  }
  os << "\n         bytes  predicted_us\n";
  for (double size = 1e3; size < 2e10; size *= 10) {
    bool isOutside = Bytes(size) < line.minSize || Bytes(size) > line.maxSize;
    os << format("  %12.0f  %12.2f%s\n", size, predict(Bytes(size)).value(),
                 isOutside ? "  extrapolated" : "");
  }
}

void moe::profile::printSamples(StringRef what, ArrayRef<Sample> samples,
                                raw_ostream &os) {
  os << what << "\n         bytes   measured_us      GB/s\n";
  for (const Sample &sample : samples)
    os << format("  %12.0f  %12.2f  %8.3f\n", sample.size.value(),
                 sample.time.value(), (sample.size / sample.time).value());
}
