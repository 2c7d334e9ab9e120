// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a matrix product.

#include "moe/Planning/Gemm.h"
#include "moe/Planning/Answers.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

std::string moe::planning::getTitle(const GemmAnswer &answer) {
  return "Matrix product on " + answer.machine;
}

void moe::planning::printJSON(json::OStream &out, const GemmAnswer &answer) {
  out.attribute("platform", answer.machine);
  out.attribute("time_us", answer.timeUs);
  out.attribute("tflops", answer.tflops);
  if (answer.shareOfPeak)
    out.attribute("share_of_peak", *answer.shareOfPeak);
  out.attribute("rates", answer.isByKernels ? "kernels" : "gemm line");
  out.attribute("origin", answer.origin);
}

Result<GemmAnswer> moe::planning::planGemm(GemmInput &in) {
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  double sizes[3];
  for (auto [option, size] :
       {std::pair(&in.m, &sizes[0]), {&in.n, &sizes[1]}, {&in.k, &sizes[2]}}) {
    Result<int64_t> read = option->read();
    if (!read)
      return read.getFailure();
    *size = double(*read);
  }
  Result<int64_t> count = in.experts.read(1);
  if (!count)
    return count.getFailure();
  double macs = double(*count) * sizes[0] * sizes[1] * sizes[2];
  GemmAnswer answer;
  answer.machine = loaded->machine.name;
  if (const auto &kernels = loaded->rates.kernels) {
    answer.isByKernels = true;
    answer.timeUs =
        kernels->getGroupedTime(double(*count), sizes[0], sizes[1], sizes[2])
            .value();
    answer.origin =
        *count > 1 ? kernels->groupedProducts.origin : kernels->products.origin;
  } else if (const auto &line = loaded->machine.gemm) {
    answer.timeUs = cost::getGemmTime(*line, cost::Macs(macs)).value();
    answer.origin = line->origin;
  } else {
    return makeFailure("--platform: expected a platform with 'kernels' or a "
                       "GEMM line (gemm_alpha_us), got " +
                       answer.machine);
  }
  answer.tflops = 2e-6 * macs / answer.timeUs;
  if (auto peak = loaded->getPeakTflops())
    answer.shareOfPeak = answer.tflops / peak->value;
  return answer;
}
