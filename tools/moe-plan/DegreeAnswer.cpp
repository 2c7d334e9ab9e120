// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan degree says.

#include "DegreeAnswer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

/// What each degree takes.
static Report makeDegrees(const DegreeAnswer &answer) {
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

void moe::plan::printDegreeJSON(json::OStream &out,
                                const DegreeAnswer &answer) {
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
  out.attributeArray("by_degree", [&] { makeDegrees(answer).printItems(out); });
}

std::string moe::plan::countChunks(int64_t degree) {
  return std::to_string(degree) + (degree == 1 ? " chunk" : " chunks");
}

void moe::plan::printDegreeText(raw_ostream &os, const DegreeAnswer &answer) {
  const DegreePlan &plan = answer.plan;
  const OrderPlan &order = answer.best.plan;
  makeDegrees(answer).printTable(os);
  os << "\nbest order: " << countChunks(answer.best.degree) << ", "
     << formatFixed(order.timeUs, 1) << " us, inter " << order.order.inter
     << ", intra " << order.order.intra << "\n";
  os << "no equal chunks take less than "
     << formatFixed(answer.best.lowerBoundUs, 1) << " us in any order\n";
  if (const auto &unequal = answer.unequal) {
    os << "unequal chunks: " << formatFixed(unequal->plan.timeUs, 1) << " us, ";
    llvm::interleave(unequal->parts, os, "+");
    os << " of " << kParts << " parts, inter " << unequal->plan.order.inter
       << ", intra " << unequal->plan.order.intra << "\n";
  }
  if (answer.closedForm)
    os << "by closed form alone: " << countChunks(answer.closedForm->degree)
       << ", " << formatFixed(answer.closedForm->form.timeUs, 1)
       << " us (in truth "
       << formatFixed(plan.get(answer.closedForm->degree).timeUs, 1)
       << " us)\n";
  if (const auto &loads = answer.loads)
    os << "counted loads: the busiest rank computes "
       << formatFixed(loads->skew.load, 3)
       << " times its even share and exchanges "
       << formatFixed(loads->skew.exchange, 3)
       << " times; the degree for even loads, "
       << countChunks(loads->degreeFromMean) << ", would take "
       << formatFixed(loads->fromMeanUs, 1) << " us\n";
}
