// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of a job with other dispatchers, overlaps and layouts.

#include "StepLayouts.h"
#include "RecomputeOptions.h"
#include "moe/Support/Progress.h"
#include "llvm/Support/JSON.h"
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::plan;

StringRef moe::plan::getOverlapName(estimate::Overlap overlap) {
  switch (overlap) {
  case estimate::Overlap::None:
    return "none";
  case estimate::Overlap::Merged:
    return "1f1b";
  case estimate::Overlap::MergedDelayed:
    return "1f1b-delayed";
  }
  return "";
}

std::vector<StepAlternative>
moe::plan::listAlternatives(const estimate::Job &job,
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

void moe::plan::printAlternatives(json::OStream &out,
                                  ArrayRef<StepAlternative> alternatives) {
  out.attributeArray("alternatives", [&] {
    for (const StepAlternative &one : alternatives)
      out.object([&] {
        out.attribute("dispatcher", one.dispatcher);
        out.attribute("overlap", getOverlapName(one.overlap));
        if (one.stepUs) {
          out.attribute("step_us", *one.stepUs);
          out.attribute("expert_exchanges_us", one.exchangeUs);
        } else {
          out.attribute("why_not", one.whyNot);
        }
      });
  });
}

void moe::plan::printAlternatives(raw_ostream &os,
                                  ArrayRef<StepAlternative> alternatives) {
  os << "\ndispatchers and overlaps, fastest first\n";
  Report table = makeList({false, false, true, true, false});
  table.addRow(
      {"  dispatcher", "overlap", "step ms", "expert exchanges ms", ""});
  for (const StepAlternative &one : alternatives)
    table.addRow({"  " + one.dispatcher, getOverlapName(one.overlap).str(),
                  one.stepUs ? formatFixed(*one.stepUs / 1e3, 1) : "-",
                  one.stepUs ? formatFixed(one.exchangeUs / 1e3, 1) : "-",
                  one.whyNot});
  table.printTable(os, /*withHeading=*/false);
}

Result<std::vector<StepLayout>>
moe::plan::rankStepLayouts(const estimate::Job &job,
                           const SweepQuestion &question,
                           const platform::Platform &platform) {
  SweepLayouts found = findLayouts(question);
  moe::support::Activity activity("layout", int64_t(found.fitting.size()));
  std::vector<StepLayout> ranked;
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
  return ranked;
}

void moe::plan::printStepLayouts(json::OStream &out,
                                 ArrayRef<StepLayout> layouts, size_t rows) {
  out.attribute("fitting", int64_t(layouts.size()));
  out.attributeArray("layouts", [&] {
    for (const StepLayout &one : layouts.take_front(rows))
      out.object([&] {
        const ImportOptions &options = one.layout.options;
        for (auto [key, degree] : {std::pair("dp", options.dp),
                                   {"pp", options.pp},
                                   {"cp", options.cp},
                                   {"ep", options.ep},
                                   {"tp", options.tp}})
          out.attribute(key, degree);
        out.attribute("fold_ep", options.foldEp);
        out.attribute("micro_batches", one.layout.microBatches);
        out.attribute("recomputes",
                      one.layout.recompute != schedule::Recompute::Nothing);
        out.attribute("memory_bytes", one.layout.bytes);
        out.attribute("dispatcher", one.best.dispatcher);
        out.attribute("overlap", getOverlapName(one.best.overlap));
        out.attribute("step_us", *one.best.stepUs);
        out.attribute("expert_exchanges_us", one.best.exchangeUs);
        out.attribute("tokens_per_s", one.best.tokensPerSecond);
        if (one.best.utilisation)
          out.attribute("mfu", *one.best.utilisation);
      });
  });
}

void moe::plan::printStepLayouts(raw_ostream &os, ArrayRef<StepLayout> layouts,
                                 size_t rows) {
  if (layouts.empty()) {
    os << "no layout fits: try more --ranks, or moe-plan sweep for other "
          "changes that would help\n";
    return;
  }
  os << layouts.size()
     << (layouts.size() == 1 ? " layout fits" : " layouts fit")
     << ", each with its fastest dispatcher and overlap\n\n";
  Report table = makeList({false, false, false, false, true, true, true, true});
  table.addRow({"  layout", "dispatcher", "overlap", "recompute", "GB",
                "step ms", "exchanges %", "MFU %"});
  for (const StepLayout &one : layouts.take_front(rows)) {
    StringRef recompute =
        one.layout.recompute == schedule::Recompute::Nothing  ? "none"
        : one.layout.recompute == schedule::Recompute::Layers ? "full"
                                                              : "selective";
    table.addRow({"  " + describeLayout(one.layout.options),
                  one.best.dispatcher, getOverlapName(one.best.overlap).str(),
                  recompute.str(), formatFixed(one.layout.bytes / 1e9, 1),
                  formatFixed(*one.best.stepUs / 1e3, 1),
                  formatFixed(100 * one.best.exchangeUs / *one.best.stepUs, 0),
                  one.best.utilisation
                      ? formatFixed(100 * *one.best.utilisation, 1)
                      : "-"});
  }
  table.printTable(os, /*withHeading=*/false);
}
