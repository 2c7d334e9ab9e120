//===- DegreeCommand.cpp - moe-plan degree --------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "DegreeAnswer.h"
#include "moe/Platform/MachineParameters.h"
#include "moe/Schedule/ChunkSizes.h"
#include "moe/Schedule/MachinePhase.h"
#include "moe/Schedule/TaskGraph.h"
#include "moe/Traffic/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

namespace {

/// Chunks beyond this are far smaller than anything pays for.
constexpr int64_t kMostDegree = 64;
class DegreeCommand : public Command {
public:
  DegreeCommand()
      : Command("degree", "into how many chunks to cut the tokens of an MoE "
                          "layer, and in which order to run them") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  struct Question;
  Result<Question> read();
  void printSettings(raw_ostream &os, const Question &question);

  MachineOptions platform = makeMachineOptions();
  IntegerOption microBatch{"micro-batch",
                           "sequences a rank works on at a time (required)",
                           subCommand};
  IntegerOption seqLen{"seq-len", "tokens per sequence (required)", subCommand};
  IntegerOption hidden{"hidden", "hidden size (required)", subCommand};
  IntegerOption ffnHidden{"ffn-hidden", "hidden size of an expert (required)",
                          subCommand};
  IntegerOption topK{"top-k", "experts per token (required)", subCommand};
  NumberOption capacityFactor{
      "capacity-factor",
      "slots of an expert over its even share of tokens, or none (required)",
      subCommand,
      {.word = "none"}};
  IntegerOption gemms{"gemms",
                      "matrices of an expert: 2 for a GPT FFN, 3 for a gated "
                      "one (required)",
                      subCommand,
                      {2, 3}};
  cl::opt<std::string> phase{"phase", cl::desc("fwd or bwd (required)"),
                             cl::value_desc("fwd|bwd"), cl::sub(subCommand)};
  NumberOption gradientUs{"gradient-us",
                          "time of an all-reduce of gradients beside the "
                          "all-to-alls of a backward pass (default: 0)",
                          subCommand,
                          {.mayBeZero = true}};
  IntegerOption tp{"tp",
                   "ranks of a node that split the tokens, consecutive "
                   "(default: the platform's innermost level)",
                   subCommand};
  IntegerOption esp{
      "esp",
      "ranks of a node that split an expert, a divisor of tp (default: tp)",
      subCommand};
  cl::opt<std::string> dtype{
      "dtype", cl::desc("type of the tokens: f64, f32 (default), bf16 or f16"),
      cl::value_desc("TYPE"), cl::init("f32"), cl::sub(subCommand)};
  IntegerOption maxDegree{"max-degree",
                          "most chunks to try (default: 16)",
                          subCommand,
                          {1, kMostDegree}};
  cl::opt<std::string> expertCounts{
      "expert-counts",
      cl::desc("tokens per expert, counted: plan for the busiest rank's"),
      cl::value_desc("FILE"), cl::sub(subCommand)};
  AnswerOptions answers{subCommand};
};

/// What is asked, with the platform.
struct DegreeCommand::Question {
  LayerShape shape;
  TrainingPhase which;
  cost::BytesPerElement element;
  double gradientUs;
  int64_t maxDegree;
  platform::Platform platform;
};

} // namespace

Result<DegreeCommand::Question> DegreeCommand::read() {
  if (!platform.isSet())
    return failMissing("platform");
  Question question;
  LayerShape &shape = question.shape;
  struct {
    const IntegerOption &option;
    int64_t *value;
    std::optional<int64_t> fallback;
  } integers[] = {{microBatch, &shape.microBatch, std::nullopt},
                  {seqLen, &shape.seqLen, std::nullopt},
                  {hidden, &shape.hidden, std::nullopt},
                  {ffnHidden, &shape.ffnHidden, std::nullopt},
                  {topK, &shape.topK, std::nullopt},
                  {gemms, &shape.gemms, std::nullopt},
                  {maxDegree, &question.maxDegree, 16}};
  for (auto &[option, value, fallback] : integers) {
    Result<int64_t> read = option.read(fallback);
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  if (!capacityFactor.isSet() || capacityFactor.getText() != "none") {
    Result<double> factor = capacityFactor.read();
    if (!factor)
      return factor.getFailure();
    shape.capacityFactor = *factor;
  }
  if (phase.getNumOccurrences() == 0)
    return failMissing("phase");
  if (phase != "fwd" && phase != "bwd")
    return makeFailure("--phase: expected fwd or bwd, got '" + phase + "'");
  question.which =
      phase == "fwd" ? TrainingPhase::Forward : TrainingPhase::Backward;
  Result<double> gradient = gradientUs.read(0.0);
  if (!gradient)
    return gradient.getFailure();
  if (*gradient > kMaxDurationUs)
    return makeFailure("--gradient-us: expected at most 1e15, got '" +
                       gradientUs.getText() + "'");
  if (question.which == TrainingPhase::Forward && *gradient > 0)
    return makeFailure(
        "--gradient-us: expected --phase=bwd, a forward pass has "
        "no gradients, got --phase=fwd with '" +
        gradientUs.getText() + "'");
  question.gradientUs = *gradient;
  int64_t bytes = StringSwitch<int64_t>(dtype)
                      .Case("f64", 8)
                      .Case("f32", 4)
                      .Cases({"bf16", "f16"}, 2)
                      .Default(0);
  if (bytes == 0)
    return makeFailure("--dtype: expected f64, f32, bf16 or f16, got '" +
                       dtype + "'");
  question.element = cost::BytesPerElement(double(bytes));

  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  question.platform = std::move(*loaded);
  int64_t innermost = question.platform.machine.levels.front().ranks;
  Result<int64_t> tensorParallel = tp.read(innermost);
  if (!tensorParallel)
    return tensorParallel.getFailure();
  shape.tp = *tensorParallel;
  Result<int64_t> expertSharded = esp.read(shape.tp);
  if (!expertSharded)
    return expertSharded.getFailure();
  shape.esp = *expertSharded;
  return question;
}

/// Reads counts and finds the skew they make over `ep` ranks.
static Result<ExpertSkew> readSkew(const std::string &file, int64_t ep,
                                   std::optional<double> capacityFactor) {
  auto trace = traffic::loadTrace(file);
  if (!trace)
    return trace.getFailure();
  auto skew = getExpertSkew(trace->getTotal(), ep, capacityFactor);
  if (!skew)
    return makeFailure(file + ": counts: " + skew.getError());
  return *skew;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void DegreeCommand::printSettings(raw_ostream &os, const Question &question) {
  os << "\nsettings\n";
  Report table = makeList({false, true, false});
  const LayerShape &shape = question.shape;
  addSetting(table, microBatch, shape.microBatch, "sequences");
  addSetting(table, seqLen, shape.seqLen, "tokens");
  addSetting(table, hidden, shape.hidden, "elements");
  addSetting(table, ffnHidden, shape.ffnHidden, "elements");
  addSetting(table, topK, shape.topK, "experts");
  table.addRow({"  capacity-factor",
                shape.capacityFactor ? capacityFactor.getText().str() : "none",
                "(" + capacityFactor.getOrigin() + ")"});
  addSetting(table, gemms, shape.gemms, "matrices");
  table.addRow({"  phase", phase, "(--phase)"});
  table.addRow({"  gradient-us", formatFixed(question.gradientUs, 1),
                "us (" + gradientUs.getOrigin() + ")"});
  addSetting(table, tp, shape.tp, "ranks");
  addSetting(table, esp, shape.esp, "ranks");
  table.addRow({"  dtype", dtype,
                dtype.getNumOccurrences() ? "(--dtype)" : "(default)"});
  addSetting(table, maxDegree, question.maxDegree, "chunks");
  table.printTable(os, /*withHeading=*/false);
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

std::optional<Failure> DegreeCommand::run(raw_ostream &os) {
  Result<Question> question = read();
  if (!question)
    return question.getFailure();
  const cost::Machine &machine = question->platform.machine;
  LayerShape shape = question->shape;
  auto create = [&](const ExpertSkew &skew) {
    return MachinePhase::create(machine, shape, question->which,
                                question->element, std::nullopt, skew);
  };

  // Counted tokens are as many as there are, not padded to a capacity.
  bool counted = expertCounts.getNumOccurrences() > 0;
  if (counted)
    shape.capacityFactor.reset();
  auto phase = create(ExpertSkew());
  if (!phase)
    return phase.getFailure();
  DegreeAnswer answer;
  answer.ep = phase->getExpertParallelRanks();
  // A chunk has a token at least.
  auto getMost = [&](const MachinePhase &of) {
    return std::min(of.getMaxDegree(question->maxDegree),
                    shape.microBatch * shape.seqLen);
  };
  answer.most = getMost(*phase);
  DegreePlanner planner;
  if (counted) {
    Result<ExpertSkew> skew =
        readSkew(expertCounts, answer.ep, question->shape.capacityFactor);
    if (!skew)
      return skew.getFailure();
    int64_t fromMean = planner
                           .plan(*phase, answer.most, question->gradientUs,
                                 machine.uncertainty.value)
                           .degree;
    phase = create(*skew);
    if (!phase)
      return phase.getFailure();
    answer.most = getMost(*phase);
    fromMean = std::min(fromMean, answer.most);
    answer.plan = planner.plan(*phase, answer.most, question->gradientUs,
                               machine.uncertainty.value);
    answer.loads = {*skew, fromMean, answer.plan.get(fromMean).timeUs};
  } else {
    answer.plan = planner.plan(*phase, answer.most, question->gradientUs,
                               machine.uncertainty.value);
  }
  for (const DegreeTime &time : answer.plan.byDegree)
    answer.extrapolated.push_back(
        phase->isExtrapolated(1.0 / double(time.degree)));
  answer.allToAll = phase->getAllToAllBytes();
  answer.gathered = phase->getGatheredBytes();
  if (phase->getLinear())
    answer.closedForm = minimizeClosedForm(*phase->getLinear(), answer.most,
                                           question->gradientUs);
  OrderSearch search;
  answer.best = search.run(answer.plan, question->gradientUs);

  answer.unequal =
      findFastestSizes(*phase, answer.most, kParts, question->gradientUs,
                       answer.best.plan.timeUs, phase->getLeastParts(kParts));

  std::vector<std::string> fitted;
  if (!platform.ignoresFitted() && !question->platform.fitted.isEmpty())
    fitted = question->platform.describeFitted();
  Result<bool> isAnswered = answers.answer(
      os, "Degree of an MoE layer on " + machine.name, [&](json::OStream &out) {
        printDegreeJSON(out, answer);
        out.attribute("ep", answer.ep);
        out.attribute("tp", shape.tp);
        out.attribute("esp", shape.esp);
        out.attribute("all_to_all_bytes", answer.allToAll.value());
        out.attribute("gathered_bytes", answer.gathered.value());
        if (!fitted.empty())
          out.attributeArray("fitted", [&] {
            for (const std::string &parameter : fitted)
              out.value(parameter);
          });
        printParameters(out, platform::listLayerParameters(machine));
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;

  os << (question->which == TrainingPhase::Forward ? "forward" : "backward")
     << " pass of an MoE layer over ep " << answer.ep << " x tp " << shape.tp
     << " on " << machine.name << ": " << countChunks(answer.plan.degree)
     << ", " << formatFixed(answer.plan.timeUs, 1) << " us\n\n";
  printDegreeText(os, answer);
  if (!fitted.empty()) {
    os << "with fitted parameters:\n";
    for (const std::string &parameter : fitted)
      os << "  " << parameter << "\n";
  }
  printSettings(os, *question);
  printParameters(os, question->platform,
                  platform::listLayerParameters(machine));
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createDegreeCommand() {
  return std::make_unique<DegreeCommand>();
}
