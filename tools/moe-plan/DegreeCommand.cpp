// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan degree.

#include "Commands.h"
#include "ConfigJob.h"
#include "DegreeAnswer.h"
#include "moe/Platform/MachineParameters.h"
#include "moe/Schedule/ChunkSizes.h"
#include "moe/Schedule/MachinePhase.h"
#include "moe/Schedule/TaskGraph.h"
#include "moe/Traffic/Trace.h"
#include "llvm/ADT/STLExtras.h"

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
      : Command("degree", "Choose the number of chunks of an MoE layer and "
                          "their launch order") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  struct Question;
  Result<Question> read();
  std::optional<Failure> readJob(Question &question);
  std::optional<Failure> readShape(Question &question);
  /// That of the elements: of the sizes that papers state, f32.
  StringRef getType() const {
    const TextOption &dtype = job.job.dtype;
    return job.isSet() || dtype.isSet() ? StringRef(dtype) : "f32";
  }
  void printSettings(raw_ostream &os, const Question &question);

  MachineOptions platform{table};
  ConfigJob job{table};
  IntegerOption hidden{table, "hidden-size",
                       "Hidden size (required unless --config is given)"};
  IntegerOption ffnHidden{
      table, "expert-ffn-size",
      "Hidden size of an expert's FFN (required unless --config is given)"};
  IntegerOption topK{table, "top-k",
                     "Experts per token (required unless --config is given)"};
  NumberOption capacityFactor{
      table,
      "capacity-factor",
      "Capacity of an expert over its even share of tokens, or none (required; "
      "with --config, default: 1)",
      {.word = "none"}};
  IntegerOption gemms{table,
                      "gemms",
                      "Matrices per expert: 2 for a GPT FFN, 3 for a gated FFN "
                      "(required unless --config is given)",
                      {2, 3}};
  TextOption phase{table, "phase", "Direction: fwd or bwd (required)",
                   "fwd|bwd"};
  NumberOption gradientUs{
      table,
      "gradient-us",
      "Time in microseconds of a gradient all-reduce that shares links with "
      "the all-to-alls of the backward pass (default: 0)",
      {.mayBeZero = true}};
  IntegerOption maxDegree{table,
                          "max-chunks",
                          "Largest number of chunks to try (default: 16)",
                          {1, kMostDegree}};
  TextOption expertCounts{
      table, "expert-counts",
      "JSON file of measured tokens per expert; plan for the busiest rank",
      "FILE"};
  AnswerOptions answers{subCommand};
};

/// What is asked, with the platform.
struct DegreeCommand::Question {
  LayerShape shape;
  TrainingPhase which;
  cost::BytesPerElement element;
  double gradientUs;
  int64_t maxDegree;
  /// As many as the platform has ranks for when not set.
  std::optional<int64_t> ep;
  std::optional<PlannedJob> job;
  platform::Platform platform;
};

} // namespace

/// The layer of a job: what one of its data-parallel groups does of it.
std::optional<Failure> DegreeCommand::readJob(Question &question) {
  Result<PlannedJob> read = job.read();
  if (!read)
    return read.getFailure();
  question.shape = getLayerShape(*read);
  question.ep = read->layout.ep;
  question.element = cost::BytesPerElement(double(read->getElementBytes()));
  question.job = std::move(*read);
  return std::nullopt;
}

/// The layer of sizes that are given one by one.
std::optional<Failure> DegreeCommand::readShape(Question &question) {
  LayerShape &shape = question.shape;
  std::pair<const IntegerOption *, int64_t *> integers[] = {
      {&job.job.microBatch, &shape.microBatch},
      {&job.job.seqLen, &shape.seqLen},
      {&hidden, &shape.hidden},
      {&ffnHidden, &shape.ffnHidden},
      {&topK, &shape.topK},
      {&gemms, &shape.gemms}};
  for (auto &[option, value] : integers) {
    Result<int64_t> read = option->read();
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  std::optional<int64_t> bytes = getTypeBytes(getType());
  if (!bytes)
    return makeFailure("--dtype: expected f64, f32, bf16 or f16, got '" +
                       getType() + "'");
  question.element = cost::BytesPerElement(double(*bytes));
  return std::nullopt;
}

Result<DegreeCommand::Question> DegreeCommand::read() {
  if (!platform.isSet())
    return failMissing("platform");
  if (auto failure = job.checkBeside(
          {&hidden, &ffnHidden, &topK, &gemms},
          {"micro-batch", "seq-len", "ep", "tp", "esp", "dtype"}))
    return *failure;
  Question question;
  LayerShape &shape = question.shape;
  Result<int64_t> degree = maxDegree.read(16);
  if (!degree)
    return degree.getFailure();
  question.maxDegree = *degree;
  if (auto failure = job.isSet() ? readJob(question) : readShape(question))
    return *failure;
  if (job.isSet() && !capacityFactor.isSet())
    shape.capacityFactor = 1;
  else if (!capacityFactor.isSet() || capacityFactor.getText() != "none") {
    Result<double> factor = capacityFactor.read();
    if (!factor)
      return factor.getFailure();
    shape.capacityFactor = *factor;
  }
  if (!phase.isSet())
    return failMissing("phase");
  if (phase != "fwd" && phase != "bwd")
    return makeFailure("--phase: expected fwd or bwd, got '" + phase.get() +
                       "'");
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
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  question.platform = std::move(*loaded);
  if (question.job) {
    if (auto failure = checkRanks(question.platform, *question.job))
      return *failure;
    return question;
  }
  int64_t innermost = question.platform.machine.levels.front().ranks;
  Result<int64_t> tensorParallel = job.job.tp.read(innermost);
  if (!tensorParallel)
    return tensorParallel.getFailure();
  shape.tp = *tensorParallel;
  Result<int64_t> expertSharded = job.job.esp.read(shape.tp);
  if (!expertSharded)
    return expertSharded.getFailure();
  shape.esp = *expertSharded;
  if (auto failure = job.job.ep.readIfSet(question.ep))
    return *failure;
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
  auto add = [&](const IntegerOption &option, int64_t value, StringRef unit) {
    if (option.isSet() || !job.isSet())
      addSetting(table, option, value, unit);
    else
      table.addRow(
          {"  " + option.getName().str(), value, (unit + " (--config)").str()});
  };
  const JobOptions &given = job.job;
  const ImportOptions *options =
      question.job ? &question.job->options : nullptr;
  addSetting(table, given.microBatch,
             options ? options->microBatch : shape.microBatch, "sequences");
  addSetting(table, given.seqLen, options ? options->seqLen : shape.seqLen,
             "tokens");
  add(hidden, shape.hidden, "elements");
  add(ffnHidden, shape.ffnHidden, "elements");
  add(topK, shape.topK, "experts");
  table.addRow({"  capacity-factor",
                capacityFactor.isSet() ? capacityFactor.getText().str() : "1",
                "(" + capacityFactor.getOrigin() + ")"});
  add(gemms, shape.gemms, "matrices");
  table.addRow({"  phase", phase, "(--phase)"});
  table.addRow({"  gradient-us", formatFixed(question.gradientUs, 1),
                "us (" + gradientUs.getOrigin() + ")"});
  addSetting(table, given.tp, options ? options->tp : shape.tp, "ranks");
  addSetting(table, given.esp,
             question.job ? question.job->layout.esp : shape.esp, "ranks");
  if (options) {
    addSetting(table, given.dp, options->dp, "ranks");
    addSetting(table, given.cp, options->cp, "ranks");
    addSetting(table, given.pp, options->pp, "stages");
  }
  table.addRow({"  dtype", getType().str(),
                given.dtype.isSet() ? "(--dtype)" : "(default)"});
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
                                question->element, question->ep, skew);
  };

  // Counted tokens are as many as there are, not padded to a capacity.
  bool counted = expertCounts.isSet();
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
  BeamSearch search;
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
