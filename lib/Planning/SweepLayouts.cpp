// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that a job can have.

#include "moe/Planning/SweepLayouts.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Options/FrameworkFlags.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/StepChoice.h"
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

std::string moe::planning::describeLayout(const SweepQuestion &question,
                                          const SweepLayout &layout) {
  std::string text = describeLayout(layout.options);
  if (question.microBatchSizes.size() > 1)
    text += ", micro-batch " + std::to_string(layout.options.microBatch);
  if (question.virtualStages.size() > 1 && layout.options.pp > 1)
    text += ", virtual stages " + std::to_string(layout.virtualStages);
  return text;
}

StagedStep SweepLayout::getStep() const {
  StagedStep step;
  step.stages = options.pp;
  step.virtualStages = int64_t(pieces.size()) / options.pp;
  step.microBatches = microBatches;
  step.order = getOrder();
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

/// Returns the rows of experts on the busiest rank for which memory is
/// reserved, relative to an even share. For dropless layers with a limit, this
/// is the limit.
static double getHeldLoad(const SweepQuestion &question,
                          const ImportOptions &options) {
  if (options.routing == Routing::Dropless && options.receiveFactor)
    return double(options.receiveFactor->numerator) /
           double(options.receiveFactor->denominator);
  return getExpertLoad(question, options);
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
                               question.subBatches,
                               getHeldLoad(question, options), layout.modules},
                  question.stateBytes,
                  question.preset == ParallelismPreset::Megatron,
                  layout.pieces,
                  layout.getOrder()};
  job.overlapsPasses =
      layout.overlap != estimate::Overlap::None && !runsPairs(job.order);
  if (question.statesBatch)
    job.microBatches = layout.microBatches;
  job.globalBatch = question.globalBatch.value_or(0);
  if (layout.stated.empty())
    job.furtherTokens = {question.mtpLayers};
  for (const estimate::Piece &piece : llvm::reverse(layout.stated))
    job.furtherTokens.push_back(piece.furtherTokens);
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
    job.pieces.back().furtherTokens = question.mtpLayers;
  }
  job.microBatches = layout.microBatches;
  if (layout.options.routing == Routing::Dropless)
    job.expertLoad = getExpertLoad(question, layout.options);
  job.dispatcher = question.ways.dispatchers.front();
  job.overlap = layout.overlap;
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
  // The overlap that `cutLayout` chose comes first, because it needs the most
  // memory.
  std::vector<estimate::Overlap> overlaps = {layout.overlap};
  for (estimate::Overlap overlap : question.ways.overlaps)
    if (overlap != layout.overlap)
      overlaps.push_back(overlap);
  for (estimate::Overlap overlap : overlaps) {
    layout.overlap = overlap;
    for (const Recomputation &one : question.recompute.listAllowed()) {
      layout.recompute = one.recompute;
      layout.modules = one.modules;
      layout.bytes =
          getRankBytes(question.model, getTrainingJob(question, layout));
      // One stated overlap counts as stated, even if the framework rejects it.
      bool isAllowed =
          overlaps.size() == 1 ||
          refuseOverlap(getEstimateJob(question, layout), overlap).empty();
      if (isAllowed && (!question.memory || layout.bytes <= *question.memory))
        return true;
    }
  }
  return false;
}

std::vector<estimate::Overlap>
moe::planning::listFittingOverlaps(const SweepQuestion &question,
                                   SweepLayout layout) {
  std::vector<estimate::Overlap> fitting;
  for (estimate::Overlap overlap : question.ways.overlaps) {
    setOverlap(question, overlap, layout);
    if (!question.memory || layout.bytes <= *question.memory)
      fitting.push_back(overlap);
  }
  return fitting.empty() ? question.ways.overlaps : fitting;
}

Result<int64_t> moe::planning::countMicroBatches(int64_t globalBatch,
                                                 const ImportOptions &options) {
  int64_t once = multiplyCapped(
      {options.microBatch, options.dp, getDegrees(options).getAxisEp()});
  if (globalBatch % once != 0)
    return makeFailure(
        "--global-batch: expected a multiple of micro-batch x dp x ep, got " +
        Twine(globalBatch) + ", no multiple of " + Twine(once));
  return globalBatch / once;
}

/// Sets the pieces that --pipeline-layout states. Returns the reason if they
/// are not possible, otherwise an empty string.
static std::string stateLayout(const SweepQuestion &question,
                               SweepLayout &layout) {
  int64_t found = 1;
  auto parsed = estimate::parsePipelineLayout(
      question.pipelineLayout, question.model.config, layout.options.pp, found);
  if (!parsed)
    return parsed.getFailure().message;
  if (question.statesVirtualStages && found != layout.virtualStages)
    return "--virtual-stages: expected the " + std::to_string(found) +
           " that --pipeline-layout has, got " +
           std::to_string(layout.virtualStages);
  layout.virtualStages = found;
  layout.stated = std::move(*parsed);
  layout.pieces.clear();
  int64_t further = 0;
  for (const estimate::Piece &piece : layout.stated) {
    further += piece.furtherTokens;
    layout.pieces.push_back({piece.moe, piece.dense});
  }
  if (question.statesMtpLayers && further != question.mtpLayers)
    return "--mtp-layers: expected the " + std::to_string(further) +
           " that --pipeline-layout has (m), got " +
           std::to_string(question.mtpLayers);
  return "";
}

std::string moe::planning::cutLayout(const SweepQuestion &question,
                                     SweepLayout &layout, bool mayLackBatch) {
  const ImportOptions &options = layout.options;
  const ModelConfig &config = question.model.config;
  layout.overlap = question.ways.overlaps.front();
  for (estimate::Overlap overlap : question.ways.overlaps)
    if (overlap != estimate::Overlap::None)
      layout.overlap = overlap;
  if (!question.pipelineLayout.empty()) {
    if (std::string problem = stateLayout(question, layout); !problem.empty())
      return problem;
  } else {
    int64_t pieces =
        options.pp > 1 ? multiplyCapped({options.pp, layout.virtualStages}) : 1;
    if (pieces > config.numLayers)
      return "--pp: expected at most as many pieces of the model as layers, "
             "got " +
             std::to_string(pieces) + " pieces of " +
             std::to_string(config.numLayers) + " layers";
    layout.pieces = splitLayers(config, pieces);
  }
  layout.microBatches = question.microBatches;
  if (question.globalBatch) {
    Result<int64_t> count = countMicroBatches(*question.globalBatch, options);
    if (!count)
      return count.getFailure().message;
    layout.microBatches = *count;
  }
  if (mayLackBatch && !question.statesBatch)
    return "";
  std::string problem = checkStagedStep(layout.getStep());
  return problem.empty()
             ? problem
             : std::string("--num-micro-batches, --pp, --virtual-stages") +
                   (runsPairs(layout.getOrder()) ? ", --overlap: " : ": ") +
                   problem;
}

void moe::planning::setOverlap(const SweepQuestion &question,
                               estimate::Overlap overlap, SweepLayout &layout) {
  layout.overlap = overlap;
  layout.bytes = getRankBytes(question.model, getTrainingJob(question, layout));
}

/// Returns the reason that a layout is impossible without its numbers, so that
/// layouts with the same reason share a line.
static std::string getReason(StringRef message) {
  auto [reason, rest] = message.split(", got ");
  return reason.str();
}

namespace {

/// Enumerates the layouts of a question.
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
      return std::tie(a.bytes, x.tp, x.pp, x.cp, x.ep, x.foldEp, x.microBatch,
                      a.virtualStages) < std::tie(b.bytes, y.tp, y.pp, y.cp,
                                                  y.ep, y.foldEp, y.microBatch,
                                                  b.virtualStages);
    };
    llvm::sort(found.tooLarge, isSmaller);
    llvm::sort(found.fitting, isSmaller);
  }

private:
  /// Visits the divisors of `all`, or only `wanted` if it is set and a divisor.
  template <typename Visitor>
  void forEachDegree(int64_t all, std::optional<int64_t> wanted,
                     Visitor visit) {
    for (int64_t degree = 1; degree <= all; ++degree)
      if (all % degree == 0 && (!wanted || degree == *wanted))
        visit(degree);
  }

  /// Returns true if experts may be folded over these ranks, or may be split if
  /// `folds` is false.
  bool mayBe(bool folds, int64_t tp, int64_t cp) const {
    ParallelismPreset preset = question.preset;
    if (folds && (tp * cp == 1 || question.esp.value_or(1) > 1 ||
                  preset == ParallelismPreset::DeepSpeed))
      return false;
    // Frameworks that do not split experts fold them.
    bool splits = preset == ParallelismPreset::Megatron
                      ? question.esp != 1
                      : preset != ParallelismPreset::TorchTitan ||
                            question.esp.value_or(1) > 1;
    if (!folds && tp > 1 && !splits)
      return false;
    return !question.foldEp || folds == *question.foldEp || tp * cp == 1;
  }

  /// Adds layouts with experts split over the tensor-parallel ranks, and
  /// layouts with experts folded over them.
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

  /// Returns the reason that a layout is impossible; empty if it is possible.
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
    // Stages may differ, so check the program of equal stages.
    ModelConfig config = question.model.config;
    ImportOptions all = options;
    all.numLayers.reset();
    if (options.pp > 1)
      setStageLayers(config, options.pp, 1,
                     int64_t(config.moeLayers.size()) < config.numLayers);
    Expected<Layout> checked = computeLayout(config, all);
    return checked ? "" : toString(checked.takeError());
  }

  /// Adds a layout with each size of a micro-batch and each number of virtual
  /// stages.
  void add(const ImportOptions &options) {
    for (int64_t microBatch : question.microBatchSizes)
      for (int64_t virtualStages : question.virtualStages) {
        SweepLayout added;
        added.options = options;
        added.options.microBatch = microBatch;
        if (options.pp > 1)
          added.virtualStages = virtualStages;
        else if (virtualStages != question.virtualStages.front())
          continue;
        addOne(std::move(added));
      }
  }

  void addOne(SweepLayout added) {
    if (std::string problem = check(added); !problem.empty()) {
      ++found.impossible[getReason(problem)];
      return;
    }
    (fitLayout(question, added) ? found.fitting : found.tooLarge)
        .push_back(std::move(added));
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
    changes.push_back((option + ": " + describeLayout(changed, least) + ", " +
                       cost::formatFixed(least.bytes / 1e9, 1) + " GB")
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
  int64_t smallest = *llvm::min_element(question.microBatchSizes);
  for (int64_t batch = smallest / 2; batch >= 1; batch /= 2) {
    changed = question;
    changed.microBatchSizes = {batch};
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
  // Layouts may fit but be impossible with the dispatchers and overlaps.
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

/// Returns the layers of a stage, summed over its pieces.
static int64_t countStageLayers(const SweepQuestion &question,
                                const SweepLayout &layout, int64_t stage) {
  int64_t layers = 0;
  for (int64_t piece : listPieces(layout.getStep(), stage)) {
    layers += layout.pieces[size_t(piece)].getAll();
    if (!layout.stated.empty())
      layers += layout.stated[size_t(piece)].furtherTokens;
    else if (piece + 1 == int64_t(layout.pieces.size()))
      layers += question.mtpLayers;
  }
  return layers;
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
  out.attribute("micro_batch", options.microBatch);
  out.attribute("micro_batches", layout.microBatches);
  out.attribute("virtual_stages", layout.virtualStages);
  out.attributeArray("layers", [&] {
    if (layout.stated.empty())
      for (const LayerCount &piece : layout.pieces)
        out.value(piece.getAll() +
                  (&piece == &layout.pieces.back() ? question.mtpLayers : 0));
    for (const estimate::Piece &piece : layout.stated)
      out.value(piece.moe + piece.dense + piece.furtherTokens);
  });
  if (options.pp > 1)
    out.attributeArray("stage_layers", [&] {
      for (int64_t stage = 0; stage < options.pp; ++stage)
        out.value(countStageLayers(question, layout, stage));
    });
}
