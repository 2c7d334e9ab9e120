// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher and the overlap of a job, and why.

#include "moe/Planning/StepChoice.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include <tuple>
#include <utility>

using namespace llvm;
using namespace moe;
using namespace moe::planning;

std::string StepAlternative::describe() const {
  return overlap == estimate::Overlap::None
             ? dispatcher + " without overlap"
             : dispatcher + " with " + estimate::getName(overlap).str();
}

static std::string formatMs(double us) {
  return formatFixed(us / 1e3, us < 1e5 ? 2 : 0) + " ms";
}

std::string moe::planning::refuseOverlap(const estimate::Job &job,
                                         estimate::Overlap overlap) {
  if (overlap == estimate::Overlap::None)
    return "";
  // torchtitan/distributed/dual_pipe_v.py.
  if (job.framework == "torchtitan") {
    if (overlap != estimate::Overlap::DualPipeV)
      return "--overlap: torchtitan overlaps exchanges with experts only in "
             "DualPipeV; use --overlap=none or dualpipev";
    if (job.recompute != schedule::Recompute::Nothing)
      return "--overlap: torchtitan does not recompute with DualPipeV and "
             "expert parallelism; use --recompute=none";
    return job.options.pp > 1 ? ""
                              : "--overlap: torchtitan runs DualPipeV only "
                                "with --pp of at least 2";
  }
  if (job.framework == "deepspeed")
    return "--overlap: " + job.framework +
           " does not overlap exchanges with experts with another "
           "micro-batch; use --overlap=none";
  // Megatron core, megatron/core/transformer/transformer_config.py: the first
  // three since 0.14, `moe` since 0.17.
  if (job.framework != "megatron")
    return "";
  if (runsPairs(getStageOrder(overlap)))
    return "--overlap: Megatron-LM has no " + getName(overlap).str() +
           "; use --overlap=1f1b";
  if (job.options.ep == 1)
    return "--overlap: Megatron-LM overlaps exchanges with experts only with "
           "--ep of at least 2";
  if (job.recompute == schedule::Recompute::Layers)
    return "--overlap: Megatron-LM does not overlap exchanges with experts "
           "with --recompute=full; recompute modules (--recompute=selective)";
  if (job.modules.has(schedule::RecomputeModule::MoELayer))
    return "--overlap: Megatron-LM does not overlap exchanges with experts "
           "that it recomputes (--recompute-modules=moe)";
  int64_t further = 0;
  for (const estimate::Piece &piece : job.pieces)
    further += piece.furtherTokens;
  if (further > 1)
    return "--overlap: Megatron-LM overlaps exchanges with experts only with "
           "at most one layer of further tokens (--mtp-layers)";
  if (job.options.pp > 1 && int64_t(job.pieces.size()) == job.options.pp)
    return "--overlap: Megatron-LM overlaps exchanges with experts over "
           "pipeline stages only with --virtual-stages of at least 2";
  return "";
}

std::vector<StepAlternative> moe::planning::listAlternatives(
    const estimate::Job &job, const platform::Platform &platform,
    ArrayRef<std::string> dispatchers, ArrayRef<estimate::Overlap> overlaps,
    bool obeysFramework) {
  std::vector<StepAlternative> all;
  for (const std::string &dispatcher : dispatchers)
    for (estimate::Overlap overlap : overlaps) {
      estimate::Job other = job;
      other.dispatcher = dispatcher;
      other.overlap = overlap;
      StepAlternative alternative{dispatcher, overlap, std::nullopt, ""};
      std::string refusal = obeysFramework ? refuseOverlap(job, overlap) : "";
      Result<estimate::StepEstimate> step =
          refusal.empty() ? estimate::estimateStep(other, platform)
                          : makeFailure(refusal);
      if (step)
        alternative.step = std::move(*step);
      else
        alternative.whyNot = step.getError();
      all.push_back(std::move(alternative));
    }
  llvm::sort(all, [](const StepAlternative &a, const StepAlternative &b) {
    auto rank = [](const StepAlternative &one) {
      return std::tuple(!one.step, one.step ? one.step->stepUs : 0,
                        one.dispatcher, one.overlap);
    };
    return rank(a) < rank(b);
  });
  return all;
}

/// Returns the factor on a slower alternative's exchanges at which its step
/// takes `wantedUs`; nullopt if it takes longer even without exchanges.
static std::optional<double> findFactor(const estimate::Job &job,
                                        const platform::Platform &platform,
                                        const StepAlternative &slower,
                                        double wantedUs) {
  estimate::Job other = job;
  other.dispatcher = slower.dispatcher;
  other.overlap = slower.overlap;
  auto price = [&](double factor) {
    other.exchangeFactor = factor;
    Result<estimate::StepEstimate> step =
        estimate::estimateStep(other, platform);
    return step ? step->stepUs : slower.step->stepUs;
  };
  double low = 0, high = 1;
  double lowUs = price(low), highUs = slower.step->stepUs;
  if (lowUs > wantedUs)
    return std::nullopt;
  // The time of a step is piecewise linear in the factor, with few bends.
  for (int i = 0; i < 8 && highUs - lowUs > 1e-9 * highUs; ++i) {
    double middle = low + (high - low) * (wantedUs - lowUs) / (highUs - lowUs);
    double us = price(middle);
    if (us <= wantedUs) {
      low = middle;
      lowUs = us;
      if (wantedUs - us < 1e-6 * wantedUs)
        break;
    } else {
      high = middle;
      highUs = us;
    }
  }
  return low;
}

/// Returns true if an alternative is the fastest of its dispatcher.
static bool isFirstOf(ArrayRef<StepAlternative> all, size_t index) {
  return llvm::none_of(all.take_front(index), [&](const auto &before) {
    return before.dispatcher == all[index].dispatcher;
  });
}

StepChoice
moe::planning::explainChoice(const estimate::Job &job,
                             const platform::Platform &platform,
                             std::vector<StepAlternative> alternatives) {
  StepChoice choice;
  choice.alternatives = std::move(alternatives);
  ArrayRef<StepAlternative> all = choice.alternatives;
  const StepAlternative &best = all.front();
  double bestUs = best.step->stepUs;
  double exchangeUs = getExchangeUs(*best.step);
  choice.why = best.describe() + ": exchanges with experts take " +
               formatFixed(100 * exchangeUs / bestUs, 0) + " % of the step";
  bool hasRefusal = false;
  for (size_t i = 1; i < all.size(); ++i) {
    const StepAlternative &other = all[i];
    if (!other.step) {
      // If its dispatcher is possible, only the overlap is refused.
      if (!isFirstOf(all, i) && !std::exchange(hasRefusal, true))
        choice.wouldChange.push_back(other.describe() +
                                     " cannot be had: " + other.whyNot);
      if (isFirstOf(all, i))
        choice.wouldChange.push_back(other.dispatcher +
                                     " cannot be had: " + other.whyNot);
      continue;
    }
    double moreUs = other.step->stepUs - bestUs;
    double moreExchangeUs = getExchangeUs(*other.step) - exchangeUs;
    if (i == 1)
      choice.why += "; " + other.describe() + " takes " + formatMs(moreUs) +
                    " longer, " +
                    (moreExchangeUs < 0
                         ? "although its exchanges take " +
                               formatMs(-moreExchangeUs) + " less"
                         : formatMs(moreExchangeUs) + " of it in exchanges");
    if (other.dispatcher == best.dispatcher) {
      if (best.overlap != estimate::Overlap::None &&
          other.overlap == estimate::Overlap::None)
        choice.wouldChange.push_back(
            "without overlap the step takes " + formatMs(moreUs) + " longer: " +
            (runsPairs(getStageOrder(best.overlap))
                 ? "products of pairs of passes hide exchanges as long as "
                   "they last"
                 : "the platform's overlap hides " +
                       formatFixed(100 * platform.rates.hiddenExchanges->value,
                                   0) +
                       " % of the exchanges"));
      continue;
    }
    if (!isFirstOf(all, i))
      continue;
    std::optional<double> factor = findFactor(job, platform, other, bestUs);
    choice.wouldChange.push_back(
        factor ? other.describe() + " is as fast if its exchanges take " +
                     formatFixed(*factor, 3) + " times as long as predicted"
               : other.describe() +
                     " is slower even if its exchanges take no time, "
                     "because of its other kernels");
  }
  return choice;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

void moe::planning::printStepFields(json::OStream &out,
                                    const StepAlternative &alternative) {
  out.attribute("dispatcher", alternative.dispatcher);
  out.attribute("overlap", estimate::getName(alternative.overlap));
  if (!alternative.step) {
    out.attribute("why_not", alternative.whyNot);
    return;
  }
  const estimate::StepEstimate &step = *alternative.step;
  out.attribute("step_us", step.stepUs);
  out.attribute("expert_exchanges_us", getExchangeUs(step));
  out.attribute("tokens_per_s", step.tokensPerSecond);
  if (step.utilisation)
    out.attribute("mfu", *step.utilisation);
}

void moe::planning::printStepParts(json::OStream &out,
                                   const estimate::StepEstimate &step,
                                   ArrayRef<std::string> notModelled) {
  out.attributeObject("spent_us", [&] {
    for (const auto &[what, us] : step.spentUs)
      out.attribute(what, us);
  });
  printTexts(out, "not_modelled", notModelled);
}

void moe::planning::printAlternatives(json::OStream &out,
                                      const StepChoice &choice) {
  printTexts(out, "would_change", choice.wouldChange);
  out.attributeArray("alternatives", [&] {
    for (const StepAlternative &one : choice.alternatives)
      out.object([&] { printStepFields(out, one); });
  });
}
