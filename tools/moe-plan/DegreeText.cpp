// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `degree` as text.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::schedule;

static void printSettings(raw_ostream &os, const DegreeInput &in,
                          const DegreeQuestion &question) {
  os << "\nsettings\n";
  Report table = makeList({false, true, false});
  const LayerShape &shape = question.shape;
  auto add = [&](const IntegerOption &option, int64_t value) {
    if (option.isSet() || !in.job.isSet())
      addSetting(table, option, value);
    else
      table.addRow({"  " + option.getName().str(), value,
                    (option.getUnit() + " (--config)").str()});
  };
  const JobOptions &given = in.job.job;
  const ImportOptions *options =
      question.job ? &question.job->options : nullptr;
  addSetting(table, given.microBatch,
             options ? options->microBatch : shape.microBatch);
  addSetting(table, given.seqLen, options ? options->seqLen : shape.seqLen);
  add(in.hidden, shape.hidden);
  add(in.ffnHidden, shape.ffnHidden);
  add(in.topK, shape.topK);
  table.addRow(
      {"  capacity-factor",
       in.capacityFactor.isSet() ? in.capacityFactor.getText().str() : "1",
       "(" + in.capacityFactor.getOrigin() + ")"});
  add(in.gemms, shape.gemms);
  table.addRow({"  phase", in.phase.get(), "(--phase)"});
  table.addRow({"  gradient-us", formatFixed(question.gradientUs, 1),
                "us (" + in.gradientUs.getOrigin() + ")"});
  addSetting(table, given.tp, options ? options->tp : shape.tp);
  addSetting(table, given.esp,
             question.job ? question.job->layout.esp : shape.esp);
  if (options) {
    addSetting(table, given.dp, options->dp);
    addSetting(table, given.cp, options->cp);
    addSetting(table, given.pp, options->pp);
  }
  table.addRow({"  dtype", in.getType().str(),
                given.dtype.isSet() ? "(--dtype)" : "(default)"});
  addSetting(table, in.maxDegree, question.maxDegree);
  table.printTable(os, /*withHeading=*/false);
}

void moe::plan::printDegreeText(raw_ostream &os, const DegreeInput &in,
                                const DegreeAnswer &answer) {
  os << (answer.question.which == TrainingPhase::Forward ? "forward"
                                                         : "backward")
     << " pass of an MoE layer over ep " << answer.ep << " x tp "
     << answer.question.shape.tp << " on " << answer.parameters.machine << ": "
     << countChunks(answer.plan.degree) << ", "
     << formatFixed(answer.plan.timeUs, 1) << " us\n\n";
  const DegreePlan &plan = answer.plan;
  const OrderPlan &order = answer.best.plan;
  makeDegreeReport(answer).printTable(os);
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
  if (!answer.fitted.empty()) {
    os << "with fitted parameters:\n";
    for (const std::string &parameter : answer.fitted)
      os << "  " << parameter << "\n";
  }
  printSettings(os, in, answer.question);
  printParameters(os, answer.parameters);
}
