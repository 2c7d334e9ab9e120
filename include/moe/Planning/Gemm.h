// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a matrix product, or of one product per expert.

#ifndef MOE_PLANNING_GEMM_H
#define MOE_PLANNING_GEMM_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

struct GemmInput : Input {
  MachineOptions platform{table};
  IntegerOption m{
      table, "m", "Rows; with --experts, of each (required)", {.unit = "rows"}};
  IntegerOption n{table, "n", "Columns (required)", {.unit = "columns"}};
  IntegerOption k{
      table, "k", "Length of the sums (required)", {.unit = "elements"}};
  IntegerOption experts{table,
                        "experts",
                        "Products of as many experts in one kernel (default: "
                        "one product in a kernel of its own)",
                        {.unit = "experts"}};
};

struct GemmAnswer {
  static constexpr unsigned kJsonIndent = 2;

  /// Name of the platform.
  std::string machine;
  double timeUs = 0, tflops = 0;
  /// Not set if the platform has neither a peak nor a GEMM line.
  std::optional<double> shareOfPeak;
  /// True if computed from the platform's kernels and not from its GEMM line.
  /// `origin` is the origin of the rate.
  bool isByKernels = false;
  std::string origin;
};

/// Fails if the platform has neither kernels nor a GEMM line.
Result<GemmAnswer> planGemm(GemmInput &in);

std::string getTitle(const GemmAnswer &answer);
void printJSON(llvm::json::OStream &out, const GemmAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_GEMM_H
