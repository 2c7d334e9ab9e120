// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient buckets with all-reduces that overlap the backward pass (SPEC FS-7,
// FS-8).

#ifndef MOE_PLANNING_GRADIENTS_H
#define MOE_PLANNING_GRADIENTS_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"
#include "moe/Schedule/GradientAllReduce.h"
#include "moe/Schedule/GradientPartition.h"
#include "llvm/ADT/STLExtras.h"

namespace moe::planning {

struct GradientsInput : Input {
  MachineOptions platform{table};
  TextOption input{
      table, "input",
      "JSON file of the network's layers in forward order (required "
      "unless --config is given)",
      "FILE"};
  /// Without --config, reads --tp for consecutive ranks (default: the
  /// platform's innermost level), and --dtype (default: f32).
  ConfigJob job{table};
  IntegerOption maxDegree{table,
                          "max-chunks",
                          "Largest number of chunks to try (default: 16)",
                          {1, 64, "chunks"}};
};

struct GradientsAnswer {
  static constexpr unsigned kJsonIndent = 2;

  std::vector<schedule::GeneralizedLayer> layers;
  int64_t tp = 1;
  std::string dtype;
  schedule::GradientAllReduce allReduce;
  schedule::GradientPartition plan;
  /// For each layer, the degrees with chunk sizes that were not measured on the
  /// platform.
  std::vector<std::vector<int64_t>> extrapolatedDegrees;
  /// Largest number of chunks tried.
  int64_t maxDegree = 16;
  /// Name of the platform.
  std::string machine;
  /// Microseconds without gradients, with all gradients sent after the backward
  /// pass, and after step 1 of SPEC FS-7 alone.
  double withoutUs, notOverlappedUs, step1Us;

  /// Returns true if the time of the layer's MoE part is extrapolated.
  bool isExtrapolated(size_t layer) const {
    return !layers[layer].moe.empty() &&
           llvm::is_contained(extrapolatedDegrees[layer],
                              plan.time.degrees[layer]);
  }
  std::vector<size_t> listExtrapolated() const {
    std::vector<size_t> found;
    for (size_t i = 0; i < layers.size(); ++i)
      if (isExtrapolated(i))
        found.push_back(i);
    return found;
  }

  int64_t countElements() const {
    int64_t sum = 0;
    for (const schedule::GeneralizedLayer &layer : layers)
      sum += layer.gradientElements;
    return sum;
  }
  double getTimeUs() const { return plan.time.getUs(); }
  /// Returns a lower bound of the step. In addition to the search gap, the
  /// optimal buckets may differ by one element per slot.
  double getLowerBoundUs() const {
    double roundingUs = double(2 * layers.size() + 1) * allReduce.time.slopeUs;
    return std::max(withoutUs, getTimeUs() - plan.gapUs - roundingUs);
  }
};

Result<GradientsAnswer> planGradients(GradientsInput &in);

std::string getTitle(const GradientsAnswer &answer);
void printJSON(llvm::json::OStream &out, const GradientsAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_GRADIENTS_H
