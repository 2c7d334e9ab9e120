// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a job that fit the memory of its ranks.

#include "moe/Planning/Sweep.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/NotModelled.h"
#include "moe/Planning/Step.h"
#include "moe/Platform/GemmShare.h"
#include "moe/Support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// Checks options that only one of the two ways to time layouts reads.
static std::optional<Failure> checkWay(const SweepInput &in) {
  if (in.schedule.isSet() && !in.compiled)
    return makeFailure("--schedule requires --compiled, because only programs "
                       "have a schedule");
  for (const Option *option : std::initializer_list<const Option *>{
           &in.dispatcher, &in.dispatcherSms, &in.overlap, &in.cudaGraphs,
           &in.fullGraph, &in.dispatchBytes, &in.precision, &in.fp8ParamGather,
           &in.pipelineLayout})
    if (in.compiled && option->isSet())
      return makeFailure("--" + option->getName() +
                         " is not supported with --compiled, whose programs "
                         "are what our compiler chooses");
  return std::nullopt;
}

static std::optional<Failure> readRanks(const SweepInput &in,
                                        const platform::Platform &platform,
                                        SweepQuestion &question) {
  int64_t has = platform.machine.getNumRanks();
  Result<int64_t> number = in.ranks.read(has);
  if (!number)
    return number.getFailure();
  if (*number > has)
    return makeFailure("--ranks: expected at most the " + Twine(has) +
                       " ranks of " + question.machine + ", got " +
                       Twine(*number));
  if (!question.pipelineLayout.empty() && !question.pp)
    return makeFailure("--pipeline-layout requires --pp, whose stages it has");
  if (in.compiled && *number < 2)
    return makeFailure("--ranks: expected at least 2 with --compiled, as "
                       "programs of one rank have no exchanges to schedule, "
                       "got " +
                       Twine(*number));
  question.ranks = *number;
  if (!question.memory)
    return makeFailure("--memory-gb is required, because " + question.machine +
                       " does not state memory_per_rank_bytes");
  return std::nullopt;
}

/// Returns `moe-plan step` with the options that all layouts share.
static std::string writeStepWords(const SweepInput &in) {
  // Each row states these options itself.
  static constexpr StringLiteral kOfRows[] = {"dp",
                                              "pp",
                                              "cp",
                                              "ep",
                                              "tp",
                                              "esp",
                                              "fold-ep",
                                              "ranks",
                                              "sequence-parallel",
                                              "overlap",
                                              "micro-batch",
                                              "virtual-stages",
                                              "recompute",
                                              "recompute-modules",
                                              "dispatcher",
                                              "global-batch",
                                              "num-micro-batches",
                                              "dispatcher-sms",
                                              "stages-outermost"};
  StepInput step;
  std::string text = "moe-plan step";
  for (const Option *option : in.table.getOptions()) {
    if (!option->isSet() || is_contained(kOfRows, option->getName()) ||
        !step.table.find(option->getName()))
      continue;
    for (const std::string &value : option->listTexts())
      text += (" --" + option->getName() + "=" +
               (value.find_first_of(" \"'|()*$&;") == std::string::npos
                    ? value
                    : "'" + value + "'"))
                  .str();
  }
  return text;
}

/// Ranks the layouts as their framework runs them. A layout that no dispatcher
/// of the question supports is impossible.
static std::vector<RankedLayout> rankSteps(const SweepQuestion &question,
                                           SweepLayouts &found,
                                           const platform::Platform &platform) {
  moe::support::Activity activity("layout", int64_t(found.fitting.size()));
  std::vector<RankedLayout> ranked;
  for (const SweepLayout &layout : found.fitting) {
    activity.next(describeLayout(question, layout));
    estimate::Job job = getEstimateJob(question, layout);
    std::vector<StepAlternative> weighed =
        listAlternatives(job, platform, question.ways.dispatchers,
                         listFittingOverlaps(question, layout),
                         /*obeysFramework=*/true);
    if (!weighed.front().step) {
      StringRef reason = weighed.front().whyNot;
      ++found.impossible[reason.split(", got ").first.str()];
      continue;
    }
    RankedLayout entry;
    entry.layout = layout;
    entry.choice = explainChoice(job, platform, std::move(weighed));
    setOverlap(question, entry.choice->getBest().overlap, entry.layout);
    const estimate::StepEstimate &step = *entry.choice->getBest().step;
    job.dispatcher = entry.choice->getBest().dispatcher;
    job.overlap = entry.layout.overlap;
    entry.notModelled = listNotModelled(
        LimitOf::Time, {question, entry.layout, job, &platform, &step});
    entry.stepUs = step.stepUs;
    entry.tokensPerSecond = step.tokensPerSecond;
    entry.utilisation = step.utilisation;
    entry.why = entry.choice->why;
    if (question.load)
      entry.why += "; rows of the busiest rank " +
                   formatFixed(getExpertLoad(question, layout.options), 2) +
                   " of an even share";
    for (const auto &[what, us] : step.spentUs)
      if (what != getName(estimate::PartKind::ExpertExchange) &&
          us > 0.03 * step.stepUs)
        entry.why +=
            "; " + what + " " + formatFixed(100 * us / step.stepUs, 0) + " %";
    if (layout.options.pp > 1 && !areAlike(layout.pieces))
      entry.why += "; stages of " + describePieces(layout.pieces);
    ranked.push_back(std::move(entry));
  }
  return ranked;
}

/// Sorts layouts, the fastest first, and marks the Pareto front.
static void sortLayouts(std::vector<RankedLayout> &ranked) {
  llvm::sort(ranked, [](const RankedLayout &a, const RankedLayout &b) {
    const ImportOptions &x = a.layout.options, &y = b.layout.options;
    return std::tie(b.tokensPerSecond, a.layout.bytes, x.tp, x.pp, x.cp, x.ep,
                    x.foldEp, x.microBatch, a.layout.virtualStages) <
           std::tie(a.tokensPerSecond, b.layout.bytes, y.tp, y.pp, y.cp, y.ep,
                    y.foldEp, y.microBatch, b.layout.virtualStages);
  });
  double least = HUGE_VAL;
  for (RankedLayout &entry : ranked)
    if (entry.layout.bytes < least) {
      entry.isPareto = true;
      least = entry.layout.bytes;
    }
}

Result<SweepAnswer> moe::planning::planSweep(SweepInput &in) {
  if (auto failure = checkWay(in))
    return *failure;
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  Result<SweepQuestion> question = readTimedQuestion(in, *loaded);
  if (!question)
    return question.getFailure();
  if (auto failure = readRanks(in, *loaded, *question))
    return *failure;
  SweepAnswer answer;
  answer.compiled = in.compiled;
  // Programs count MoE layers.
  if (in.compiled && in.layers.isSet())
    question->sizes.numLayers =
        int64_t(question->model.config.moeLayers.size());
  auto schedule = parseEnumName<ScheduleChoice>(in.schedule.get());
  if (!schedule)
    return makeFailure("--schedule: expected one of " +
                       listEnumNames<ScheduleChoice>() + ", got '" +
                       in.schedule.get() + "'");
  answer.schedule = *schedule;
  Result<int64_t> most = in.rows.read(20);
  if (!most)
    return most.getFailure();
  answer.rows = *most;
  answer.config = in.job.getFile();
  answer.configMap = in.job.job.configMap.getFile();
  answer.ignoredKeys = in.job.job.ignoredKeys.get();
  answer.platform = in.platform.platform.get();
  answer.machine = loaded->machine.name;
  answer.ignoresFitted = in.platform.ignoresFitted();
  answer.gemmShare = platform::getGemmShare(*loaded);
  if (auto peak = loaded->getPeakTflops())
    answer.peakTflops = peak->value;
  answer.routingWords = in.load.getWords();
  answer.traffic = in.load.getShownFile();
  answer.trafficCommand = in.load.getCommand();
  answer.load = in.load.getGiven();
  answer.stepWords = writeStepWords(in);
  answer.flagsOf = in.flags.get(question->preset);
  answer.question = std::move(*question);
  answer.found = findLayouts(answer.question);
  if (in.compiled) {
    Result<std::vector<RankedLayout>> ranked =
        rankPrograms(answer.question, answer.found.fitting,
                     {in.platform.platform.get(), in.platform.getLoadOptions(),
                      answer.schedule, in.load.getFile()},
                     *loaded);
    if (!ranked)
      return ranked.getFailure();
    answer.ranked = std::move(*ranked);
  } else {
    answer.ranked = rankSteps(answer.question, answer.found, *loaded);
  }
  sortLayouts(answer.ranked);
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

std::string moe::planning::getTitle(const SweepAnswer &) {
  return "moe-plan sweep";
}

void moe::planning::printJSON(json::OStream &out, const SweepAnswer &answer) {
  const SweepQuestion &question = answer.question;
  const SweepLayouts &found = answer.found;
  auto printLayout = [&](const SweepLayout &layout) {
    printLayoutFields(out, question, layout);
  };
  out.attribute("model_type", question.model.config.modelType);
  out.attribute("platform", answer.machine);
  out.attribute("ranks", question.ranks);
  auto printList = [&](StringRef key, ArrayRef<int64_t> values) {
    if (values.size() == 1)
      return out.attribute(key, values.front());
    out.attributeArray(key, [&] {
      for (int64_t value : values)
        out.value(value);
    });
  };
  printList("micro_batch", question.microBatchSizes);
  out.attribute("seq_len", question.sizes.seqLen);
  if (answer.gemmShare)
    out.attribute("gemm_share", *answer.gemmShare);
  out.attribute("memory_per_rank_bytes", int64_t(*question.memory));
  out.attribute("zero", int(question.zero));
  out.attribute("optimizer_bytes", int64_t(question.stateBytes.optimizer));
  out.attribute("gradient_bytes", int64_t(question.stateBytes.gradient));
  out.attribute("precision", question.quantization.getName());
  out.attribute("routing", getEnumName(question.sizes.routing));
  if (!answer.load.empty())
    out.attribute("load", answer.load);
  if (question.globalBatch)
    out.attribute("global_batch", *question.globalBatch);
  printList("virtual_stages", question.virtualStages);
  out.attribute("stages_outermost",
                question.sizes.stagesOutermost.value_or(false));
  out.attribute("compiled", answer.compiled);
  if (answer.compiled)
    out.attribute("schedule", getEnumName(answer.schedule));
  out.attributeArray("layouts", [&] {
    for (const RankedLayout &entry : answer.ranked)
      out.object([&] {
        printLayout(entry.layout);
        if (entry.choice) {
          printStepFields(out, entry.choice->getBest());
        } else {
          out.attribute("step_us", entry.stepUs);
          out.attribute("tokens_per_s", entry.tokensPerSecond);
          if (entry.utilisation)
            out.attribute("mfu", *entry.utilisation);
        }
        out.attribute("pareto", entry.isPareto);
        if (entry.choice)
          printStepParts(out, *entry.choice->getBest().step, entry.notModelled);
        if (entry.compiled && !entry.compiled->form.empty())
          out.attribute("form", entry.compiled->form);
        out.attribute("why", entry.why);
        if (entry.choice)
          printAlternatives(out, *entry.choice);
        out.attribute("commands", answer.describeCommands(entry));
        if (answer.flagsOf != ParallelismPreset::None) {
          JobFlags written = answer.writeFlags(entry);
          out.attribute("flags", written.flags);
          out.attribute("flags_of", written.framework);
        }
        if (entry.compiled)
          out.attribute("commands_leave_out_us", entry.compiled->leftOutUs);
        if (std::string words = answer.describeLeftOut(entry); !words.empty())
          out.attribute("commands_leave_out", StringRef(words).rtrim());
      });
  });
  if (answer.ranked.empty())
    out.attribute("none", answer.describeNone());
  out.attribute("too_large", int64_t(found.tooLarge.size()));
  // Memory is the reason only if no layout fits.
  bool needsMemory = answer.ranked.empty() && found.fitting.empty();
  if (needsMemory && !found.tooLarge.empty())
    out.attributeObject("least_memory",
                        [&] { printLayout(found.tooLarge.front()); });
  if (needsMemory)
    out.attributeArray("would_fit", [&] {
      for (const std::string &change : findSweepChanges(question))
        out.value(change);
    });
  out.attributeArray("impossible", [&] {
    for (const auto &[reason, count] : found.impossible)
      out.object([&] {
        out.attribute("reason", reason);
        out.attribute("layouts", count);
      });
  });
}
