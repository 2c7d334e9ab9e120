// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a predicted step with a user's measurement.

#include "moe/Planning/Measured.h"
#include "moe/Planning/Answers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::planning;

namespace {

struct KnownAccuracy {
  StepAccuracy accuracy;
  bool isQuantized;
  ArrayRef<StringLiteral> platforms;
};

} // namespace

static constexpr StringLiteral kHopper[] = {
    "dgx-h100-measured", "dgx-h200-measured", "dgx-h800-measured",
    "p5-h100-measured"};
static constexpr StringLiteral kBlackwell[] = {
    "dgx-b200-measured", "dgx-b300-measured", "gb200-nvl72-measured",
    "gb300-nvl72-measured"};
static constexpr StringLiteral kSheet[] = {"dgx-h100"};

/// The rows of docs/concepts/accuracy.md;
/// test/tools/moe-plan/step-measured.test compares them with that page.
static const KnownAccuracy kAccuracy[] = {
    {{"step on Hopper", 22, 1.00, 1.15}, false, kHopper},
    {{"step in 8 bits on Hopper", 23, 1.06, 1.14}, true, kHopper},
    {{"step on Blackwell", 18, 0.90, 1.13}, false, kBlackwell},
    {{"step in 8 bits on Blackwell", 47, 0.96, 1.07}, true, kBlackwell},
    {{"step on Hopper, by the data sheet", 11, 0.60, 1.66}, false, kSheet},
};

const StepAccuracy *moe::planning::findStepAccuracy(StringRef platform,
                                                    bool isQuantized) {
  for (const KnownAccuracy &known : kAccuracy)
    if (known.isQuantized == isQuantized &&
        is_contained(known.platforms, platform))
      return &known.accuracy;
  return nullptr;
}

bool MeasuredStep::isWithinSpread() const {
  return accuracy &&
         std::abs(std::log(getRatio())) <= std::log(accuracy->spread);
}

MeasuredStep moe::planning::compareMeasured(double measuredUs,
                                            const estimate::StepEstimate &step,
                                            const StepAccuracy *accuracy,
                                            bool isQuantized) {
  MeasuredStep measured{measuredUs, step.stepUs, accuracy, {}};
  if (step.utilisation)
    measured.utilisation = *step.utilisation * measured.getRatio();
  measured.isAbovePeak = !isQuantized && measured.utilisation.value_or(0) > 1;
  double moreUs = measuredUs - step.stepUs;
  for (const auto &[what, us] : step.spentUs)
    if (us >= 0.01 * step.stepUs && us + moreUs > 0)
      measured.explainedBy.push_back({what, 1 + moreUs / us});
  return measured;
}

void moe::planning::printMeasured(json::OStream &out,
                                  const MeasuredStep &measured) {
  out.attributeObject("measured", [&] {
    out.attribute("step_us", measured.measuredUs);
    out.attribute("predicted_over_measured", measured.getRatio());
    if (measured.utilisation)
      out.attribute("mfu", *measured.utilisation);
    if (const StepAccuracy *accuracy = measured.accuracy)
      out.attributeObject("published", [&] {
        out.attribute("kind", accuracy->kind);
        out.attribute("steps", accuracy->steps);
        out.attribute("median", accuracy->median);
        out.attribute("spread", accuracy->spread);
        out.attribute("is_within_spread", measured.isWithinSpread());
      });
    out.attributeObject("explained_by", [&] {
      for (const auto &[what, factor] : measured.explainedBy)
        out.attribute(what, factor);
    });
  });
}
