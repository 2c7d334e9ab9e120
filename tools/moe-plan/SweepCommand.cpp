//===- SweepCommand.cpp - moe-plan sweep ----------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ConfigJob.h"
#include "SweepTimes.h"
#include "moe/Platform/Lookup.h"
#include "moe/Schedule/StageSchedule.h"
#include "moe/Support/Progress.h"
#include "moe/Support/TextFile.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;
using moe::support::Absent;
using moe::support::Cell;
using moe::support::Column;

namespace {

/// A layout with its step.
struct RankedLayout {
  SweepLayout layout;
  /// Of all micro-batches, with what is computed again and the stages' bubble.
  double stepUs;
  double tokensPerSecond;
  std::optional<double> utilisation;
  /// No other takes as little memory and is as fast.
  bool isPareto = false;
  std::string why;
};

class SweepCommand : public Command {
public:
  SweepCommand()
      : Command("sweep", "all layouts of a training job on so many ranks that "
                         "fit their memory, the fastest first") {}
  std::optional<Failure> run(raw_ostream &os) override;
  int getExitCode() const override { return exitCode; }

private:
  std::optional<Failure> readQuestion(SweepQuestion &question,
                                      const platform::Platform &platform);
  Result<std::vector<RankedLayout>> rank(const SweepQuestion &question,
                                         const SweepLayouts &found,
                                         const platform::Platform &platform);
  void printJSON(json::OStream &out, const SweepQuestion &question,
                 const SweepLayouts &found,
                 ArrayRef<RankedLayout> ranked) const;
  void printText(raw_ostream &os, const SweepQuestion &question,
                 const SweepLayouts &found, ArrayRef<RankedLayout> ranked,
                 const platform::Platform &platform) const;
  /// The commands that compile a layout alone.
  std::string describeCommands(const ImportOptions &options) const;

  ConfigJob job{subCommand,
                {JobOptions::Missing::One, JobOptions::Missing::Command}};
  cl::opt<std::string> platformName{
      "platform",
      cl::desc("a platform's file, or the name of one that ships (required)"),
      cl::value_desc("FILE|NAME"), cl::sub(subCommand)};
  cl::opt<bool> ignoreFitted{
      "ignore-fitted",
      cl::desc("leave out parameters fitted to somebody's results"),
      cl::sub(subCommand)};
  IntegerOption ranks{"ranks", "ranks of the job (default: the platform's)",
                      subCommand};
  NumberOption memoryGB{"memory-gb",
                        "memory of a rank, 1e9 bytes (default: the "
                        "platform's)",
                        subCommand};
  IntegerOption microBatches{
      "micro-batches",
      "micro-batches of a step, which fill the stages (default: 1)",
      subCommand};
  IntegerOption zero{
      "zero", "stage of ZeRO, 0 to 2 (default: 1)", subCommand, {0, 2}};
  IntegerOption optimizerBytes{
      "optimizer-bytes",
      "bytes of the optimizer's state for a parameter (default: 12, a 32-bit "
      "weight and two 32-bit moments; 8 with 16-bit moments)",
      subCommand,
      {0, 64}};
  cl::opt<std::string> recompute{
      "recompute",
      cl::desc("what is computed again in the backward pass: none, full, or "
               "auto, layers where all activations do not fit (default)"),
      cl::value_desc("WHAT"), cl::init("auto"), cl::sub(subCommand)};
  cl::opt<std::string> schedule{
      "schedule", cl::desc("as moe-compile has it (default: layers)"),
      cl::value_desc("WORD"), cl::init("layers"), cl::sub(subCommand)};
  IntegerOption layers{"layers", "first MoE layers to take (default: all)",
                       subCommand};
  IntegerOption rows{"rows", "layouts in the table (default: 20)", subCommand};
  AnswerOptions answers{subCommand};

  int exitCode = kDone;
  int64_t numMicroBatches = 1;
  StepCompilation compilation;
};

} // namespace

std::optional<Failure>
SweepCommand::readQuestion(SweepQuestion &question,
                           const platform::Platform &platform) {
  if (!job.isSet())
    return failMissing("config");
  if (auto failure = job.job.read(question.sizes))
    return failure;
  if (question.sizes.elements == ElementKind::F32)
    return makeFailure("--dtype: expected bf16 or f16, as weights and "
                       "activations are counted, got 'f32'");
  if (job.job.esp.isSet())
    return makeFailure("--esp: expected none: experts are split over tp, or "
                       "whole and folded over it (--fold-ep)");
  if (job.job.preset.getNumOccurrences() > 0)
    return makeFailure("--parallelism: expected none: all layouts are tried, "
                       "with sequence parallelism where tp > 1");
  for (auto [option, degree] : {std::pair(&job.job.dp, &question.dp),
                                {&job.job.ep, &question.ep},
                                {&job.job.tp, &question.tp},
                                {&job.job.cp, &question.cp},
                                {&job.job.pp, &question.pp}})
    if (auto failure = option->readIfSet(*degree))
      return failure;
  if (job.job.foldEp.getNumOccurrences() > 0 || question.sizes.foldEp)
    question.foldEp = question.sizes.foldEp;
  if (auto failure = layers.readIfSet(question.sizes.numLayers))
    return failure;
  Result<std::string> text =
      moe::support::readTextFile(job.getFile(), "a model's config");
  if (!text)
    return text.getFailure();
  Expected<ModelSize> model = readModelSize(*text, job.getFile());
  if (!model)
    return Failure{toString(model.takeError())};
  question.model = std::move(*model);
  if (!question.model.config.attention)
    return makeFailure(job.getFile() + ": expected a config that states "
                                       "num_attention_heads, for activations "
                                       "and dense parts, got none");
  int64_t has = platform.machine.getNumRanks();
  Result<int64_t> number = ranks.read(has);
  if (!number)
    return number.getFailure();
  if (*number > has)
    return makeFailure("--ranks: expected at most the " + Twine(has) +
                       " ranks of " + platform.machine.name + ", got " +
                       Twine(*number));
  question.ranks = *number;
  question.nodeRanks = platform.machine.levels.front().ranks;
  if (memoryGB.isSet()) {
    Result<double> gigabytes = memoryGB.read();
    if (!gigabytes)
      return gigabytes.getFailure();
    question.memory = *gigabytes * 1e9;
  } else if (platform.machine.memoryPerRank) {
    question.memory = platform.machine.memoryPerRank->value.value();
  } else {
    return makeFailure("--memory-gb: expected this option, as " +
                       platform.machine.name +
                       " does not state memory_per_rank_bytes, got none");
  }
  Result<int64_t> stage = zero.read(1);
  if (!stage)
    return stage.getFailure();
  question.zero = ZeroStage(*stage);
  Result<int64_t> optimizer = optimizerBytes.read(int64_t(kAdamBytes));
  if (!optimizer)
    return optimizer.getFailure();
  question.optimizerBytes = double(*optimizer);
  if (recompute == "none")
    question.recompute = Recompute::Nothing;
  else if (recompute == "full")
    question.recompute = Recompute::Layers;
  else if (recompute != "auto")
    return makeFailure("--recompute: expected none, full or auto, got '" +
                       recompute + "'");
  auto choice = parseWord<ScheduleChoice>(schedule);
  if (!choice)
    return makeFailure("--schedule: expected one of " +
                       listWords<ScheduleChoice>() + ", got '" + schedule +
                       "'");
  compilation = {platformName, {.ignoreFitted = ignoreFitted}, *choice};
  Result<int64_t> micro = microBatches.read(1);
  if (!micro)
    return micro.getFailure();
  numMicroBatches = *micro;
  return std::nullopt;
}

/// Where a step's time goes: what ranks compute, and the exchanges that take
/// most of the rest of the critical path.
static std::string explain(const StepTimes &times, double extraUs,
                           double stepUs, int64_t stages) {
  auto percent = [&](double us) {
    return formatFixed(100 * us / times.us, 0) + " %";
  };
  std::string text = "computes " + percent(times.computeUs);
  std::vector<std::pair<double, std::string>> path;
  for (const auto &[name, us] : times.pathUs)
    path.push_back({us, name});
  llvm::sort(path, [](const auto &a, const auto &b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  });
  int shown = 0;
  for (const auto &[us, name] : path) {
    if (us < 0.03 * times.us || shown == 3)
      break;
    text += (shown++ == 0 ? "; its longest path: " : ", ") + name + " " +
            percent(us);
  }
  if (extraUs > 0)
    text += "; layers again, " + formatFixed(100 * extraUs / stepUs, 0) +
            " % of the step";
  if (stages > 1)
    text += "; " + std::to_string(stages) + " stages";
  return text;
}

Result<std::vector<RankedLayout>>
SweepCommand::rank(const SweepQuestion &question, const SweepLayouts &found,
                   const platform::Platform &platform) {
  std::vector<ImportOptions> programs;
  for (const SweepLayout &layout : found.fitting)
    programs.push_back(layout.options);
  std::optional<moe::support::Activity> activity(std::in_place, "layout",
                                                 int64_t(programs.size()));
  std::vector<Result<StepTimes>> times =
      timeLayouts(question.model.config, programs, platform, compilation,
                  [&](size_t) { activity->next(); });
  activity.reset();
  std::optional<cost::Stated<double>> peak = platform.getPeakTflops();
  std::vector<RankedLayout> ranked;
  for (auto [layout, time] : zip_equal(found.fitting, times)) {
    if (!time)
      return makeFailure(describeLayout(layout.options) + ": " +
                         time.getError());
    Expected<Layout> full =
        computeLayout(question.model.config, layout.options);
    if (!full)
      return Failure{toString(full.takeError())};
    double extraUs =
        layout.recompute == Recompute::Layers ? time->forwardUs : 0;
    // What stages send each other is in the times of their passes.
    schedule::StagedStep step;
    step.stages = full->pp;
    step.microBatches = numMicroBatches;
    step.pieces = {{time->forwardUs, time->us - time->forwardUs + extraUs}};
    if (std::string problem = checkStagedStep(step); !problem.empty())
      return makeFailure("--micro-batches: " + problem);
    schedule::StagedStepTime staged = simulateStagedStep(step);
    RankedLayout entry{layout, staged.stepUs, 0, {}, false, ""};
    double batches = double(numMicroBatches);
    entry.tokensPerSecond =
        batches * double(full->batchTokens) / (entry.stepUs * 1e-6);
    if (peak)
      entry.utilisation =
          batches * full->modelFlops /
          (entry.stepUs * double(question.ranks) * peak->value * 1e6);
    entry.why = explain(*time, batches * extraUs, entry.stepUs, full->pp);
    if (full->pp > 1)
      entry.why += ", idle " +
                   formatFixed(100 * staged.bubbleUs / entry.stepUs, 0) +
                   " % of the step";
    ranked.push_back(std::move(entry));
  }
  llvm::sort(ranked, [](const RankedLayout &a, const RankedLayout &b) {
    const ImportOptions &x = a.layout.options, &y = b.layout.options;
    return std::tie(b.tokensPerSecond, a.layout.bytes, x.tp, x.pp, x.cp, x.ep) <
           std::tie(a.tokensPerSecond, b.layout.bytes, y.tp, y.pp, y.cp, y.ep);
  });
  double least = HUGE_VAL;
  for (RankedLayout &entry : ranked)
    if (entry.layout.bytes < least) {
      entry.isPareto = true;
      least = entry.layout.bytes;
    }
  return ranked;
}

std::string SweepCommand::describeCommands(const ImportOptions &options) const {
  std::string text = "moe-translate --import-hf-config " + job.getFile();
  for (auto [name, degree] : {std::pair("dp", options.dp),
                              {"pp", options.pp},
                              {"cp", options.cp},
                              {"ep", options.ep},
                              {"tp", options.tp},
                              {"micro-batch", options.microBatch},
                              {"seq-len", options.seqLen}})
    if (degree > 1 || StringRef(name) == "ep" || StringRef(name) == "tp" ||
        StringRef(name) == "micro-batch" || StringRef(name) == "seq-len")
      text += " --" + std::string(name) + " " + std::to_string(degree);
  if (options.foldEp)
    text += " --fold-ep";
  if (options.sequenceParallel)
    text += " --sequence-parallel";
  if (options.elements == ElementKind::F16)
    text += " --dtype f16";
  if (options.numLayers)
    text += " --layers " + std::to_string(*options.numLayers);
  text += " --phase train |\n  moe-opt --moe-compile=\"to=schedule platform=" +
          platformName;
  if (compilation.schedule != ScheduleChoice::Layers)
    text += " schedule=" + schedule;
  if (ignoreFitted)
    text += " ignore-fitted";
  return text + "\" | moe-sim -" + (ignoreFitted ? " --ignore-fitted" : "");
}

static StringRef getWordOf(Recompute recompute) {
  return recompute == Recompute::Layers ? "full" : "none";
}

void SweepCommand::printJSON(json::OStream &out, const SweepQuestion &question,
                             const SweepLayouts &found,
                             ArrayRef<RankedLayout> ranked) const {
  auto printLayout = [&](const SweepLayout &layout) {
    const ImportOptions &options = layout.options;
    out.attribute("dp", options.dp);
    out.attribute("pp", options.pp);
    out.attribute("cp", options.cp);
    out.attribute("ep", options.ep);
    out.attribute("tp", options.tp);
    out.attribute("fold_ep", options.foldEp);
    out.attribute("sequence_parallel", options.sequenceParallel);
    out.attribute("recompute", getWordOf(layout.recompute));
    out.attribute("memory_bytes", int64_t(layout.bytes));
  };
  out.attribute("model_type", question.model.config.modelType);
  out.attribute("ranks", question.ranks);
  out.attribute("memory_per_rank_bytes", int64_t(question.memory));
  out.attribute("zero", int(question.zero));
  out.attribute("optimizer_bytes", int64_t(question.optimizerBytes));
  out.attribute("micro_batches", numMicroBatches);
  out.attribute("schedule", StringRef(schedule));
  out.attributeArray("layouts", [&] {
    for (const RankedLayout &entry : ranked)
      out.object([&] {
        printLayout(entry.layout);
        out.attribute("step_us", entry.stepUs);
        out.attribute("tokens_per_s", entry.tokensPerSecond);
        if (entry.utilisation)
          out.attribute("mfu", *entry.utilisation);
        out.attribute("pareto", entry.isPareto);
        out.attribute("why", entry.why);
        out.attribute("commands", describeCommands(entry.layout.options));
      });
  });
  out.attribute("too_large", int64_t(found.tooLarge.size()));
  if (ranked.empty() && !found.tooLarge.empty())
    out.attributeObject("least_memory",
                        [&] { printLayout(found.tooLarge.front()); });
  if (ranked.empty())
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

void SweepCommand::printText(raw_ostream &os, const SweepQuestion &question,
                             const SweepLayouts &found,
                             ArrayRef<RankedLayout> ranked,
                             const platform::Platform &platform) const {
  auto gigabytes = [](double bytes) { return formatFixed(bytes / 1e9, 1); };
  const std::string &machine = platform.machine.name;
  if (ranked.empty()) {
    os << "no layout fits " << gigabytes(question.memory)
       << " GB a rank: " << question.model.config.modelType << " on "
       << question.ranks << " ranks of " << machine << "\n";
    if (!found.tooLarge.empty())
      os << "the least takes " << gigabytes(found.tooLarge.front().bytes)
         << " GB: " << describeLayout(found.tooLarge.front().options) << "\n";
    for (const std::string &change : findSweepChanges(question))
      os << "  would fit with " << change << "\n";
  } else {
    os << ranked.size() << " layouts of " << question.model.config.modelType
       << " fit " << gigabytes(question.memory) << " GB on " << question.ranks
       << " ranks of " << machine << "; the fastest first\n\n";
    Report table({Column("", ""), Column("", "layout"), Column("", "recompute"),
                  Column("", "GB").fixed(1), Column("", "step ms").fixed(1),
                  Column("", "tokens/s").fixed(0),
                  Column("", "MFU %").fixed(1).orElse("-"), Column("", "why")});
    Result<int64_t> most = rows.read(20);
    for (const RankedLayout &entry : ranked.take_front(*most))
      table.addRow(
          {std::string(entry.isPareto ? "*" : ""),
           describeLayout(entry.layout.options),
           getWordOf(entry.layout.recompute).str(), entry.layout.bytes / 1e9,
           entry.stepUs / 1e3, entry.tokensPerSecond,
           entry.utilisation ? Cell(100 * *entry.utilisation) : Cell(Absent{}),
           entry.why});
    table.printTable(os);
    if (int64_t(ranked.size()) > *most)
      os << "and " << ranked.size() - *most << " more (--rows, --json)\n";
    os << "* no other is as fast and takes as little memory\n";
    os << "\nthe fastest alone:\n"
       << describeCommands(ranked.front().layout.options) << "\n";
  }
  os << "\nsettings\n";
  Report settings = makeList({false, true, false});
  addSetting(settings, ranks, question.ranks, "ranks");
  settings.addRow({"  memory", gigabytes(question.memory),
                   memoryGB.isSet() ? std::string("GB (--memory-gb)")
                                    : "GB (" + machine + ")"});
  addSetting(settings, job.job.microBatch, question.sizes.microBatch,
             "sequences");
  addSetting(settings, job.job.seqLen, question.sizes.seqLen, "tokens");
  addSetting(settings, microBatches, numMicroBatches, "a step");
  addSetting(settings, zero, int64_t(question.zero), "stage");
  addSetting(settings, optimizerBytes, int64_t(question.optimizerBytes),
             "bytes a parameter");
  settings.printTable(os, /*withHeading=*/false);
  if (!found.tooLarge.empty() || !found.impossible.empty())
    os << "\nleft out\n";
  if (!found.tooLarge.empty())
    os << "  " << found.tooLarge.size() << " take more memory, "
       << gigabytes(found.tooLarge.front().bytes) << " GB and more\n";
  for (const auto &[reason, count] : found.impossible)
    os << "  " << count << ": " << reason << "\n";
}

std::optional<Failure> SweepCommand::run(raw_ostream &os) {
  if (platformName.getNumOccurrences() == 0)
    return failMissing("platform");
  Result<platform::Platform> loaded = platform::findAndLoadPlatform(
      platformName, "--platform", {.ignoreFitted = ignoreFitted});
  if (!loaded)
    return loaded.getFailure();
  SweepQuestion question;
  if (auto failure = readQuestion(question, *loaded))
    return failure;
  if (Result<int64_t> most = rows.read(20); !most)
    return most.getFailure();
  SweepLayouts found = findLayouts(question);
  Result<std::vector<RankedLayout>> ranked = rank(question, found, *loaded);
  if (!ranked)
    return ranked.getFailure();
  // That none fits is an answer.
  exitCode = ranked->empty() ? kNo : kDone;
  Result<bool> isDone =
      answers.answer(os, "moe-plan sweep", [&](json::OStream &out) {
        printJSON(out, question, found, *ranked);
      });
  if (!isDone)
    return isDone.getFailure();
  if (!*isDone)
    printText(os, question, found, *ranked, *loaded);
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createSweepCommand() {
  return std::make_unique<SweepCommand>();
}
