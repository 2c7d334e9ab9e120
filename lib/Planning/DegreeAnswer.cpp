// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer of `degree` as JSON.

#include "Answers.h"
#include "moe/Planning/Degree.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// What each degree takes.
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
