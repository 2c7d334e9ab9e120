// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of chunks of an MoE layer and their launch order.

#include "moe/Planning/Degree.h"
#include "moe/Planning/Answers.h"
#include "moe/Schedule/TaskGraph.h"
#include "moe/Traffic/Trace.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// Reads the layer of a job for one of its data-parallel groups.
static std::optional<Failure> readJob(DegreeInput &in,
                                      DegreeQuestion &question) {
  Result<PlannedJob> read = in.job.read();
  if (!read)
    return read.getFailure();
  question.shape = getLayerShape(*read);
  question.ep = read->layout.ep;
  question.element = cost::BytesPerElement(double(read->getElementBytes()));
  question.job = std::move(*read);
  return std::nullopt;
}

/// Reads a layer from individual sizes.
static std::optional<Failure> readShape(DegreeInput &in,
                                        DegreeQuestion &question) {
  LayerShape &shape = question.shape;
  std::pair<const IntegerOption *, int64_t *> integers[] = {
      {&in.job.job.microBatch, &shape.microBatch},
      {&in.job.job.seqLen, &shape.seqLen},
      {&in.hidden, &shape.hidden},
      {&in.ffnHidden, &shape.ffnHidden},
      {&in.topK, &shape.topK},
      {&in.gemms, &shape.gemms}};
  for (auto &[option, value] : integers) {
    Result<int64_t> read = option->read();
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  std::optional<int64_t> bytes = getTypeBytes(in.getType());
  if (!bytes)
    return makeFailure("--dtype: expected f64, f32, bf16 or f16, got '" +
                       in.getType() + "'");
  question.element = cost::BytesPerElement(double(*bytes));
  return std::nullopt;
}

static Result<DegreeQuestion> read(DegreeInput &in) {
  if (!in.platform.isSet())
    return failMissing("platform");
  if (auto failure = in.job.checkBeside(
          {&in.hidden, &in.ffnHidden, &in.topK, &in.gemms},
          {"micro-batch", "seq-len", "ep", "tp", "esp", "dtype"}))
    return *failure;
  DegreeQuestion question;
  LayerShape &shape = question.shape;
  Result<int64_t> degree = in.maxDegree.read(16);
  if (!degree)
    return degree.getFailure();
  question.maxDegree = *degree;
  if (auto failure =
          in.job.isSet() ? readJob(in, question) : readShape(in, question))
    return *failure;
  if (in.job.isSet() && !in.capacityFactor.isSet())
    shape.capacityFactor = 1;
  else if (!in.capacityFactor.isSet() ||
           in.capacityFactor.getText() != "none") {
    Result<double> factor = in.capacityFactor.read();
    if (!factor)
      return factor.getFailure();
    shape.capacityFactor = *factor;
  }
  if (!in.phase.isSet())
    return failMissing("phase");
  if (in.phase != "fwd" && in.phase != "bwd")
    return makeFailure("--phase: expected fwd or bwd, got '" + in.phase.get() +
                       "'");
  question.which =
      in.phase == "fwd" ? TrainingPhase::Forward : TrainingPhase::Backward;
  Result<double> gradient = in.gradientUs.read(0.0);
  if (!gradient)
    return gradient.getFailure();
  if (*gradient > kMaxDurationUs)
    return makeFailure("--gradient-us: expected at most 1e15, got '" +
                       in.gradientUs.getText() + "'");
  if (question.which == TrainingPhase::Forward && *gradient > 0)
    return makeFailure(
        "--gradient-us: expected --phase=bwd, a forward pass has "
        "no gradients, got --phase=fwd with '" +
        in.gradientUs.getText() + "'");
  question.gradientUs = *gradient;
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  question.platform = std::move(*loaded);
  if (question.job) {
    if (auto failure = checkRanks(question.platform, *question.job))
      return *failure;
    return question;
  }
  int64_t innermost = question.platform.machine.levels.front().ranks;
  Result<int64_t> tensorParallel = in.job.job.tp.read(innermost);
  if (!tensorParallel)
    return tensorParallel.getFailure();
  shape.tp = *tensorParallel;
  Result<int64_t> expertSharded = in.job.job.esp.read(shape.tp);
  if (!expertSharded)
    return expertSharded.getFailure();
  shape.esp = *expertSharded;
  if (auto failure = in.job.job.ep.readIfSet(question.ep))
    return *failure;
  return question;
}

/// Reads counts and returns their skew over `ep` ranks.
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

Result<DegreeAnswer> moe::planning::planDegree(DegreeInput &in) {
  Result<DegreeQuestion> question = read(in);
  if (!question)
    return question.getFailure();
  const cost::Machine &machine = question->platform.machine;
  LayerShape shape = question->shape;
  auto create = [&](const ExpertSkew &skew) {
    return MachinePhase::create(machine, shape, question->which,
                                question->element, question->ep, skew);
  };

  // Measured tokens are not padded to a capacity.
  bool counted = in.expertCounts.isSet();
  if (counted)
    shape.capacityFactor.reset();
  auto phase = create(ExpertSkew());
  if (!phase)
    return phase.getFailure();
  DegreeAnswer answer;
  answer.ep = phase->getExpertParallelRanks();
  // A chunk must have at least one token.
  auto getMost = [&](const MachinePhase &of) {
    return std::min(of.getMaxDegree(question->maxDegree),
                    shape.microBatch * shape.seqLen);
  };
  answer.most = getMost(*phase);
  DegreePlanner planner;
  if (counted) {
    Result<ExpertSkew> skew =
        readSkew(in.expertCounts, answer.ep, question->shape.capacityFactor);
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

  if (!in.platform.ignoresFitted() && !question->platform.fitted.isEmpty())
    answer.fitted = question->platform.describeFitted();
  answer.degrees.assign(answer.plan.byDegree.begin(),
                        answer.plan.byDegree.end());
  answer.plan.byDegree = answer.degrees;
  answer.parameters = {question->platform,
                       platform::listLayerParameters(machine)};
  answer.question = std::move(*question);
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

Report moe::planning::makeDegreeReport(const DegreeAnswer &answer) {
  using moe::support::Cell;
  using moe::support::Column;
  const DegreePlan &plan = answer.plan;
  Report report(
      {Column("degree", "degree").right(),
       Column("time_us", "time us").fixed(1),
       Column("closed_form_us", "closed form us").fixed(1),
       Column("case", "case").right(),
       Column("lower_bound_us", "bound us").fixed(1),
       Column("extrapolated", "").hidden(),
       Column("chunk.dispatch_us", "dispatch us").fixed(1),
       Column("chunk.all_gather_us", "all-gather us").fixed(1),
       Column("chunk.experts_us", "experts us").fixed(1),
       Column("chunk.reduce_scatter_us", "reduce-scatter us").fixed(1),
       Column("chunk.combine_us", "combine us").fixed(1), Column("", "")});
  for (auto [time, isExtrapolated] :
       llvm::zip_equal(plan.byDegree, answer.extrapolated))
    report.addRow(
        {time.degree, time.timeUs, time.closedForm.timeUs,
         int64_t(time.closedForm.which), time.lowerBoundUs,
         isExtrapolated ? Cell(true) : Cell(), time.chunk.dispatchUs,
         time.chunk.allGatherUs, time.chunk.expertsUs,
         time.chunk.reduceScatterUs, time.chunk.combineUs,
         markExtrapolated(time.degree == plan.degree ? "<- chosen"
                          : time.degree == plan.runnerUp
                              ? "runner-up, " +
                                    describeGap(time.timeUs - plan.timeUs)
                              : "",
                          isExtrapolated)});
  return report;
}

std::string moe::planning::getTitle(const DegreeAnswer &answer) {
  return "Degree of an MoE layer on " + answer.parameters.machine;
}

void moe::planning::printJSON(json::OStream &out, const DegreeAnswer &answer) {
  const DegreePlan &plan = answer.plan;
  const OrderPlan &order = answer.best.plan;
  out.attribute("degree", plan.degree);
  out.attribute("time_us", plan.timeUs);
  out.attribute("best_order_us", order.timeUs);
  out.attributeObject("order", [&] {
    out.attribute("degree", answer.best.degree);
    out.attribute("inter", order.order.inter);
    out.attribute("intra", order.order.intra);
  });
  out.attribute("lower_bound_us", answer.best.lowerBoundUs);
  out.attribute("gap", order.timeUs > 0
                           ? order.timeUs / answer.best.lowerBoundUs - 1
                           : 0);
  if (plan.runnerUp) {
    out.attribute("runner_up", *plan.runnerUp);
    out.attribute("gap_us", plan.get(*plan.runnerUp).timeUs - plan.timeUs);
  }
  if (const auto &unequal = answer.unequal)
    out.attributeObject("unequal_chunks", [&] {
      out.attribute("time_us", unequal->plan.timeUs);
      out.attributeArray("parts", [&] {
        for (int64_t parts : unequal->parts)
          out.value(parts);
      });
      out.attribute("inter", unequal->plan.order.inter);
      out.attribute("intra", unequal->plan.order.intra);
      out.attribute("gain", order.timeUs / unequal->plan.timeUs - 1);
    });
  if (answer.closedForm)
    out.attributeObject("closed_form", [&] {
      out.attribute("degree", answer.closedForm->degree);
      out.attribute("closed_form_us", answer.closedForm->form.timeUs);
      out.attribute("case", int64_t(answer.closedForm->form.which));
    });
  if (const auto &loads = answer.loads)
    out.attributeObject("expert_counts", [&] {
      out.attribute("load", loads->skew.load);
      out.attribute("exchange", loads->skew.exchange);
      out.attribute("degree_from_mean", loads->degreeFromMean);
      out.attribute("from_mean_us", loads->fromMeanUs);
      out.attribute("gain",
                    plan.timeUs > 0 ? loads->fromMeanUs / plan.timeUs - 1 : 0);
    });
  out.attributeArray("by_degree",
                     [&] { makeDegreeReport(answer).printItems(out); });
  out.attribute("ep", answer.ep);
  out.attribute("tp", answer.question.shape.tp);
  out.attribute("esp", answer.question.shape.esp);
  out.attribute("all_to_all_bytes", answer.allToAll.value());
  out.attribute("gathered_bytes", answer.gathered.value());
  if (!answer.fitted.empty())
    printTexts(out, "fitted", answer.fitted);
  printParameters(out, answer.parameters);
}
