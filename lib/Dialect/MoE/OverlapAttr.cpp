// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overlap of a scheduled task with other tasks on the SMs of one GPU.

#include "moe/Dialect/MoE/OverlapAttr.h"
#include "mlir/IR/Builders.h"
#include "moe/Dialect/MoE/MoEOps.h"

using namespace mlir;
using namespace moe;

static constexpr llvm::StringLiteral kStart = "start", kFreeSms = "free_sms",
                                     kSlowdown = "slowdown";

TaskOverlap moe::getOverlap(Operation *task) {
  TaskOverlap overlap;
  auto attr = task->getAttrOfType<DictionaryAttr>(kOverlapAttrName);
  if (!attr)
    return overlap;
  if (auto start = attr.getAs<StringAttr>(kStart))
    overlap.start = parseEnumName<CollectiveStart>(start.getValue());
  if (auto sms = attr.getAs<IntegerAttr>(kFreeSms))
    overlap.freeSms = sms.getInt();
  if (auto slowdown = attr.getAs<FloatAttr>(kSlowdown))
    overlap.slowdown = slowdown.getValueAsDouble();
  return overlap;
}

void moe::setOverlap(Operation *task, const TaskOverlap &overlap) {
  Builder builder(task->getContext());
  NamedAttrList members;
  if (overlap.start)
    members.append(kStart, builder.getStringAttr(getEnumName(*overlap.start)));
  if (overlap.freeSms != 0)
    members.append(kFreeSms, builder.getI64IntegerAttr(overlap.freeSms));
  if (overlap.slowdown != 1)
    members.append(kSlowdown, builder.getF64FloatAttr(overlap.slowdown));
  if (members.empty())
    task->removeAttr(kOverlapAttrName);
  else
    task->setAttr(kOverlapAttrName, members.getDictionary(task->getContext()));
}

/// Returns "expected <what>, got <attr>".
static std::string makeProblem(const Twine &what, Attribute attr) {
  std::string text = ("expected " + what + ", got ").str();
  llvm::raw_string_ostream(text) << attr;
  return text;
}

static std::string checkMember(NamedAttribute member, bool communicates) {
  StringRef name = member.getName();
  Attribute value = member.getValue();
  if (name == kStart) {
    auto word = dyn_cast<StringAttr>(value);
    if (!word || !parseEnumName<CollectiveStart>(word.getValue()))
      return makeProblem("start to be \"before\", \"behind\" or \"concurrent\"",
                         value);
    return communicates ? "" : "expected start on a task with collectives";
  }
  if (name == kFreeSms) {
    auto sms = dyn_cast<IntegerAttr>(value);
    if (!sms || !sms.getType().isInteger(64) || sms.getInt() < 1 ||
        sms.getInt() > kMostFreeSms)
      return makeProblem(
          "free_sms to be an i64 in [1, " + Twine(kMostFreeSms) + "]", value);
  } else if (name == kSlowdown) {
    auto slowdown = dyn_cast<FloatAttr>(value);
    if (!slowdown || !slowdown.getType().isF64() ||
        !(slowdown.getValueAsDouble() >= 1) ||
        !(slowdown.getValueAsDouble() <= kMostSlowdown))
      return makeProblem("slowdown to be an f64 in [1, 1e6]", value);
  } else {
    return makeProblem("start, free_sms or slowdown", member.getName());
  }
  return communicates
             ? ("expected " + name + " on a task without collectives").str()
             : "";
}

std::string moe::checkOverlap(Operation *op, Attribute attr) {
  if (!isa<TaskOp>(op))
    return "expected it on a moe.task";
  auto members = dyn_cast<DictionaryAttr>(attr);
  if (!members)
    return makeProblem("a dictionary", attr);
  bool communicates = op->walk([](CollectiveOpInterface) {
                          return WalkResult::interrupt();
                        }).wasInterrupted();
  for (NamedAttribute member : members)
    if (std::string problem = checkMember(member, communicates);
        !problem.empty())
      return problem;
  return "";
}
