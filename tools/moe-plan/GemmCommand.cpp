// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan gemm.

#include "Commands.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

namespace {

class GemmCommand : public Command {
public:
  GemmCommand()
      : Command("gemm", "Predict the time of a matrix product, or of one "
                        "product for each of several experts") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  MachineOptions platform = makeMachineOptions();
  IntegerOption m{"m", "Rows; with --experts, of each (required)", subCommand};
  IntegerOption n{"n", "Columns (required)", subCommand};
  IntegerOption k{"k", "Length of the sums (required)", subCommand};
  IntegerOption experts{"experts",
                        "Products of as many experts in one kernel (default: "
                        "one product in a kernel of its own)",
                        subCommand};
  AnswerOptions answers{subCommand};
};

} // namespace

std::optional<Failure> GemmCommand::run(raw_ostream &os) {
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  double sizes[3];
  for (auto [option, size] :
       {std::pair(&m, &sizes[0]), {&n, &sizes[1]}, {&k, &sizes[2]}}) {
    Result<int64_t> read = option->read();
    if (!read)
      return read.getFailure();
    *size = double(*read);
  }
  Result<int64_t> count = experts.read(1);
  if (!count)
    return count.getFailure();
  double macs = double(*count) * sizes[0] * sizes[1] * sizes[2];
  const auto &kernels = loaded->rates.kernels;
  double us = 0;
  std::string by;
  if (kernels) {
    us = kernels->getGroupedTime(double(*count), sizes[0], sizes[1], sizes[2])
             .value();
    by = *count > 1 ? kernels->groupedProducts.origin
                    : kernels->products.origin;
  } else if (loaded->machine.gemm) {
    us = cost::getGemmTime(*loaded->machine.gemm, cost::Macs(macs)).value();
    by = loaded->machine.gemm->origin;
  } else {
    return makeFailure("--platform: expected a platform with 'kernels' or a "
                       "GEMM line (gemm_alpha_us), got " +
                       loaded->machine.name);
  }
  double tflops = 2e-6 * macs / us;
  auto peak = loaded->getPeakTflops();
  Result<bool> isAnswered =
      answers.answer(os, "moe-plan gemm", [&](json::OStream &out) {
        out.attribute("platform", loaded->machine.name);
        out.attribute("time_us", us);
        out.attribute("tflops", tflops);
        if (peak)
          out.attribute("share_of_peak", tflops / peak->value);
        out.attribute("rates", kernels ? "kernels" : "gemm line");
        out.attribute("origin", by);
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << formatFixed(us, 1) << " us, " << formatFixed(tflops, 0) << " TFLOP/s";
  if (peak)
    os << ", " << formatFixed(100 * tflops / peak->value, 0) << " % of peak";
  os << "\nfrom " << (kernels ? "kernels" : "the GEMM line, one for all sizes")
     << (by.empty() ? "" : ": " + by) << "\n";
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createGemmCommand() {
  return std::make_unique<GemmCommand>();
}
