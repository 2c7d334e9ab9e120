// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of a job with other dispatchers, overlaps and layouts.

#include "Answers.h"
#include "moe/Planning/Step.h"
#include "moe/Support/Progress.h"
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::planning;

std::vector<StepAlternative>
moe::planning::listAlternatives(const estimate::Job &job,
                                const platform::Platform &platform) {
  std::vector<std::string> names = {"all-to-all"};
  for (const cost::Dispatcher &dispatcher : platform.rates.dispatchers)
    names.push_back(dispatcher.name);
  std::vector<StepAlternative> all;
  for (const std::string &name : names)
    for (auto overlap : {estimate::Overlap::None, estimate::Overlap::Merged}) {
      estimate::Job other = job;
      other.dispatcher = name;
      other.overlap = overlap;
      StepAlternative alternative;
      alternative.dispatcher = name;
      alternative.overlap = overlap;
      Result<estimate::StepEstimate> step =
          estimate::estimateStep(other, platform);
      if (step) {
        alternative.stepUs = step->stepUs;
        alternative.tokensPerSecond = step->tokensPerSecond;
        alternative.utilisation = step->utilisation;
        for (const auto &[what, us] : step->spentUs)
          if (what == estimate::getName(estimate::PartKind::ExpertExchange))
            alternative.exchangeUs = us;
      } else {
        alternative.whyNot = step.getError();
      }
      all.push_back(std::move(alternative));
    }
  llvm::sort(all, [](const StepAlternative &a, const StepAlternative &b) {
    auto rank = [](const StepAlternative &one) {
      return std::tuple(!one.stepUs, one.stepUs.value_or(0), one.dispatcher,
                        one.overlap);
    };
    return rank(a) < rank(b);
  });
  return all;
}

Result<StepLayouts>
moe::planning::rankStepLayouts(const estimate::Job &job,
                               const SweepQuestion &question,
                               const platform::Platform &platform) {
  SweepLayouts found = findLayouts(question);
  moe::support::Activity activity("layout", int64_t(found.fitting.size()));
  StepLayouts layouts;
  layouts.ranks = question.ranks;
  std::vector<StepLayout> &ranked = layouts.ranked;
  std::string whyNot;
  for (const SweepLayout &layout : found.fitting) {
    estimate::Job other = job;
    other.options = layout.options;
    other.microBatches = layout.microBatches;
    other.recompute = layout.recompute;
    other.modules = question.modules.value_or(schedule::RecomputeModules());
    other.pieces.clear();
    for (const LayerCount &piece : layout.pieces)
      other.pieces.push_back({piece.moe, piece.dense, 0, false});
    other.pieces.back().hasOutput = true;
    StepAlternative best = listAlternatives(other, platform).front();
    if (best.stepUs)
      ranked.push_back({layout, std::move(best)});
    else if (whyNot.empty())
      whyNot = describeLayout(layout.options) + ": " + best.whyNot;
    activity.next();
  }
  if (ranked.empty() && !whyNot.empty())
    return makeFailure(whyNot);
  llvm::sort(ranked, [](const StepLayout &a, const StepLayout &b) {
    auto rank = [](const StepLayout &one) {
      const ImportOptions &options = one.layout.options;
      return std::tuple(*one.best.stepUs, one.layout.bytes, options.tp,
                        options.pp, options.cp, options.ep, options.foldEp);
    };
    return rank(a) < rank(b);
  });
  if (ranked.empty()) {
    layouts.none = describeNone(question, found, platform.machine.name);
    layouts.needsMemory = !found.tooLarge.empty();
  }
  return layouts;
}
