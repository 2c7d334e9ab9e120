// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that a job can have.

#include "moe/Planning/SweepLayouts.h"
#include "moe/Options/FrameworkFlags.h"
#include "moe/Planning/Answers.h"
#include "moe/Support/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

std::string moe::planning::describeLayout(const ImportOptions &options) {
  std::string text;
  for (auto [name, degree] : {std::pair("dp", options.dp),
                              {"pp", options.pp},
                              {"cp", options.cp},
                              {"ep", options.ep},
                              {"tp", options.tp}})
    if (degree > 1 || StringRef(name) == "ep" || StringRef(name) == "tp")
      text += (text.empty() ? "" : " ") + std::string(name) + " " +
              std::to_string(degree);
  if (options.esp)
    text += " esp " + std::to_string(*options.esp);
  return text + (options.foldEp ? " folded" : "");
}

StagedStep SweepLayout::getStep() const {
  StagedStep step;
  step.stages = options.pp;
  step.virtualStages = int64_t(pieces.size()) / options.pp;
  step.microBatches = microBatches;
  step.pieces.resize(1);
  return step;
}

double moe::planning::getExpertLoad(const SweepQuestion &question,
                                    const ImportOptions &options) {
  if (options.routing == Routing::Padded)
    return double(options.capacityFactor.numerator) /
           double(options.capacityFactor.denominator);
  return question.load ? question.load->getBusiest(options.ep) : 1;
}

void moe::planning::setQuantized(TrainingJob &job,
                                 const Quantization &quantization,
                                 const cost::QuantizedProducts *products) {
  if (!quantization.isQuantized())
    return;
  double bytes = cost::getValueBytes(quantization.precision);
  job.step.inputBytes = bytes;
  job.quantizedWeight = bytes * (products ? double(products->copies) : 2);
  job.keepsSixteenBits = !quantization.keepsWeights;
}

TrainingJob moe::planning::getTrainingJob(const SweepQuestion &question,
                                          const SweepLayout &layout) {
  const ImportOptions &options = layout.options;
  TrainingJob job{getDegrees(options),
                  question.zero,
                  TrainingStep{options.microBatch, options.seqLen,
                               options.sequenceParallel, layout.recompute,
                               layout.getStep().virtualStages,
                               /*parts=*/1, getExpertLoad(question, options),
                               layout.modules},
                  question.stateBytes,
                  question.preset == ParallelismPreset::Megatron,
                  layout.pieces};
  const auto &products = question.quantization.products;
  setQuantized(job, question.quantization, products ? &*products : nullptr);
  return job;
}

estimate::Job moe::planning::getEstimateJob(const SweepQuestion &question,
                                            const SweepLayout &layout) {
  estimate::Job job;
  job.model = question.model;
  job.options = layout.options;
  job.pieces = layout.stated;
  if (job.pieces.empty()) {
    for (const LayerCount &piece : layout.pieces)
      job.pieces.push_back({piece.moe, piece.dense, 0, false});
    job.pieces.back().hasOutput = true;
  }
  job.microBatches = layout.microBatches;
  if (layout.options.routing == Routing::Dropless)
    job.expertLoad = getExpertLoad(question, layout.options);
  job.dispatcher = question.ways.dispatchers.front();
  job.overlap = question.ways.overlaps.front();
  job.dispatcherSms = question.ways.dispatcherSms;
  job.dispatchBytes = question.ways.dispatchBytes;
  job.recompute = layout.recompute;
  job.modules = layout.modules;
  job.zero = question.zero;
  job.stateBytes = question.stateBytes;
  job.precision = question.quantization.precision;
  job.keepsQuantizedWeights = question.quantization.keepsWeights;
  job.framework = question.ways.framework;
  job.cudaGraphs = question.ways.cudaGraphs;
  job.fullGraph = question.ways.fullGraph;
  return job;
}

bool moe::planning::fitLayout(const SweepQuestion &question,
                              SweepLayout &layout) {
  for (const Recomputation &one : question.recompute.listAllowed()) {
    layout.recompute = one.recompute;
    layout.modules = one.modules;
    layout.bytes =
        getRankBytes(question.model, getTrainingJob(question, layout));
    if (!question.memory || layout.bytes <= *question.memory)
      return true;
  }
  return false;
}

std::string moe::planning::cutLayout(const SweepQuestion &question,
                                     SweepLayout &layout) {
  const ImportOptions &options = layout.options;
  const ModelConfig &config = question.model.config;
  if (layout.pieces.empty()) {
    int64_t pieces = options.pp > 1
                         ? multiplyCapped({options.pp, question.virtualStages})
                         : 1;
    if (pieces > config.numLayers)
      return "--pp: expected at most as many pieces of the model as layers, "
             "got " +
             std::to_string(pieces) + " pieces of " +
             std::to_string(config.numLayers) + " layers";
    layout.pieces = splitLayers(config, pieces);
  }
  layout.microBatches = question.microBatches;
  if (question.globalBatch) {
    int64_t once = multiplyCapped(
        {options.microBatch, options.dp, getDegrees(options).getAxisEp()});
    if (*question.globalBatch % once != 0)
      return "--global-batch: expected a multiple of micro-batch x dp x ep, "
             "got " +
             std::to_string(*question.globalBatch) + ", no multiple of " +
             std::to_string(once);
    layout.microBatches = *question.globalBatch / once;
  }
  std::string problem = checkStagedStep(layout.getStep());
  return problem.empty()
             ? problem
             : "--num-micro-batches, --pp, --virtual-stages: " + problem;
}

/// What stands in the way of a layout without its numbers, so that layouts
/// with the same reason are one line.
static std::string getReason(StringRef message) {
  auto [reason, rest] = message.split(", got ");
  return reason.str();
}

namespace {

/// Looks at one layout after the other.
class Finder {
public:
  Finder(const SweepQuestion &question, SweepLayouts &found)
      : question(question), found(found) {}

  void run() {
    int64_t ranks = question.ranks;
    forEachDegree(ranks, question.tp, [&](int64_t tp) {
      if (tp > question.nodeRanks && !question.tp)
        return;
      forEachDegree(ranks / tp, question.cp, [&](int64_t cp) {
        if (cp > 1 && question.sizes.seqLen / cp < kLeastContext &&
            !question.cp)
          return;
        int64_t left = ranks / tp / cp;
        forEachDegree(left, question.pp, [&](int64_t pp) {
          forEachDegree(left / pp, std::nullopt, [&](int64_t axis) {
            int64_t dp = left / pp / axis;
            if (question.dp && dp != *question.dp)
              return;
            addBoth(tp, cp, pp, axis, dp);
          });
        });
      });
    });
    auto isSmaller = [](const SweepLayout &a, const SweepLayout &b) {
      const ImportOptions &x = a.options, &y = b.options;
      return std::tie(a.bytes, x.tp, x.pp, x.cp, x.ep, x.foldEp) <
             std::tie(b.bytes, y.tp, y.pp, y.cp, y.ep, y.foldEp);
    };
    llvm::sort(found.tooLarge, isSmaller);
    llvm::sort(found.fitting, isSmaller);
  }

private:
  /// Visits the divisors of `all`, or the one that is wanted.
  template <typename Visitor>
  void forEachDegree(int64_t all, std::optional<int64_t> wanted,
                     Visitor visit) {
    for (int64_t degree = 1; degree <= all; ++degree)
      if (all % degree == 0 && (!wanted || degree == *wanted))
        visit(degree);
  }

  /// Whether experts may be folded, or not, over so many ranks.
  bool mayBe(bool folds, int64_t tp, int64_t cp) const {
    ParallelismPreset preset = question.preset;
    if (folds && (tp * cp == 1 || question.esp.value_or(1) > 1 ||
                  preset == ParallelismPreset::DeepSpeed))
      return false;
    // Where these split no expert, they fold them.
    bool splits = preset == ParallelismPreset::Megatron
                      ? question.esp != 1
                      : preset != ParallelismPreset::TorchTitan ||
                            question.esp.value_or(1) > 1;
    if (!folds && tp > 1 && !splits)
      return false;
    return !question.foldEp || folds == *question.foldEp || tp * cp == 1;
  }

  /// Experts split over the tensor-parallel ranks, and folded over them.
  void addBoth(int64_t tp, int64_t cp, int64_t pp, int64_t axis, int64_t dp) {
    ImportOptions options = question.sizes;
    options.tp = tp;
    options.cp = cp;
    options.pp = pp;
    options.dp = dp;
    options.train = true;
    for (bool folds : {false, true}) {
      if (!mayBe(folds, tp, cp))
        continue;
      options.foldEp = folds;
      options.esp = folds ? std::nullopt : question.esp;
      if (!folds)
        applyPreset(question.preset, options);
      options.sequenceParallel =
          tp > 1 && question.sequenceParallel.value_or(
                        question.preset != ParallelismPreset::DeepSpeed);
      if (options.esp == tp)
        options.esp.reset();
      options.ep = folds ? axis * tp * cp : axis;
      if (!question.ep || options.ep == *question.ep)
        add(options);
    }
  }

  /// Why a layout cannot be; empty where it can.
  std::string check(SweepLayout &layout) {
    const ImportOptions &options = layout.options;
    if (question.model.config.numExperts % options.ep == 0 &&
        options.receiveFactor &&
        getExpertLoad(question, options) *
                double(options.receiveFactor->denominator) >
            double(options.receiveFactor->numerator))
      return "--receive-factor: expected at least the rows of the busiest rank "
             "over an even share";
    if (std::string problem = checkFrameworkLayout(
            question.preset, question.model.config, options);
        !problem.empty())
      return problem;
    if (std::string problem = cutLayout(question, layout); !problem.empty())
      return problem;
    // Stages may differ; the program of one is of some that do not.
    ModelConfig config = question.model.config;
    ImportOptions all = options;
    all.numLayers.reset();
    if (options.pp > 1)
      setStageLayers(config, options.pp, 1,
                     int64_t(config.moeLayers.size()) < config.numLayers);
    Expected<Layout> checked = computeLayout(config, all);
    return checked ? "" : toString(checked.takeError());
  }

  void add(const ImportOptions &options) {
    SweepLayout added;
    added.options = options;
    if (std::string problem = check(added); !problem.empty()) {
      ++found.impossible[getReason(problem)];
      return;
    }
    (fitLayout(question, added) ? found.fitting : found.tooLarge)
        .push_back(added);
  }

  const SweepQuestion &question;
  SweepLayouts &found;
};

} // namespace

SweepLayouts moe::planning::findLayouts(const SweepQuestion &question) {
  SweepLayouts found;
  Finder(question, found).run();
  return found;
}

std::vector<std::string>
moe::planning::findSweepChanges(const SweepQuestion &question) {
  std::vector<std::string> changes;
  auto check = [&](const Twine &option, const SweepQuestion &changed) {
    SweepLayouts found = findLayouts(changed);
    if (found.fitting.empty())
      return false;
    const SweepLayout &least = found.fitting.front();
    changes.push_back((option + ": " + describeLayout(least.options) + ", " +
                       support::formatFixed(least.bytes / 1e9, 1) + " GB")
                          .str());
    return true;
  };
  SweepQuestion changed = question;
  bool fitsAlone = false;
  for (const auto &[options, bytes] : listSmallerStates(question.stateBytes)) {
    if (fitsAlone && options.contains(' '))
      continue;
    changed.stateBytes = bytes;
    fitsAlone |= check(options, changed);
  }
  for (int64_t batch = question.sizes.microBatch / 2; batch >= 1; batch /= 2) {
    changed = question;
    changed.sizes.microBatch = batch;
    if (check("--micro-batch=" + Twine(batch), changed))
      break;
  }
  for (int64_t factor : {2, 4, 8}) {
    changed = question;
    changed.ranks *= factor;
    if (check("--ranks=" + Twine(changed.ranks), changed))
      break;
  }
  return changes;
}

std::string moe::planning::describeNone(const SweepQuestion &question,
                                        const SweepLayouts &found) {
  std::string job = question.model.config.modelType + " on " +
                    std::to_string(question.ranks) + " ranks of " +
                    question.machine;
  // Some may fit, but not be had with the dispatchers and overlaps.
  if (!found.tooLarge.empty() && found.fitting.empty())
    return "no layout fits " + formatFixed(*question.memory / 1e9, 1) +
           " GB per rank: " + job;
  if (!found.tooLarge.empty())
    for (const auto &[reason, count] : found.impossible)
      if (StringRef(reason).starts_with("--overlap:") ||
          StringRef(reason).starts_with("--dispatcher:"))
        return "no layout that fits is possible: " + reason + " (" + job + ")";
  if (!found.impossible.empty()) {
    auto most =
        llvm::max_element(found.impossible, [](const auto &a, const auto &b) {
          return a.second < b.second;
        });
    return "no layout is possible, whatever the memory: " + most->first + " (" +
           job + ")";
  }
  std::string given;
  for (auto [name, degree] : {std::pair("dp", question.dp),
                              {"pp", question.pp},
                              {"cp", question.cp},
                              {"ep", question.ep},
                              {"tp", question.tp},
                              {"esp", question.esp}})
    if (degree)
      given += " --" + std::string(name) + "=" + std::to_string(*degree);
  if (question.foldEp && *question.foldEp)
    given += " --fold-ep";
  if (question.preset != ParallelismPreset::None)
    given += " --parallelism";
  return "no layout is possible, whatever the memory: no degrees with" + given +
         " make " + std::to_string(question.ranks) + " ranks (" + job + ")";
}

void moe::planning::printLayoutFields(json::OStream &out,
                                      const SweepQuestion &question,
                                      const SweepLayout &layout) {
  const ImportOptions &options = layout.options;
  out.attribute("dp", options.dp);
  out.attribute("pp", options.pp);
  out.attribute("cp", options.cp);
  out.attribute("ep", options.ep);
  out.attribute("tp", options.tp);
  if (options.esp)
    out.attribute("esp", *options.esp);
  out.attribute("fold_ep", options.foldEp);
  out.attribute("sequence_parallel", options.sequenceParallel);
  out.attribute("precision", question.quantization.getName());
  if (question.quantization.keepsWeights)
    out.attribute("fp8_param_gather", true);
  out.attribute("recompute", getRecomputeName(layout.recompute));
  if (layout.recompute == Recompute::Selective)
    out.attribute("recompute_modules",
                  llvm::join(listModules(layout.modules), ","));
  out.attribute("memory_bytes", int64_t(layout.bytes));
  if (double load = getExpertLoad(question, options); load != 1)
    out.attribute("busiest_rank", load);
  out.attribute("micro_batches", layout.microBatches);
  out.attributeArray("layers", [&] {
    if (layout.stated.empty())
      for (const LayerCount &piece : layout.pieces)
        out.value(piece.getAll());
    for (const estimate::Piece &piece : layout.stated)
      out.value(piece.moe + piece.dense + piece.furtherTokens);
  });
}
