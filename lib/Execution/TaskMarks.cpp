// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks the tasks in compiled code.

#include "TaskMarks.h"
#include "Recorder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Analysis/Timing.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"

using namespace mlir;
using namespace moe;

static constexpr StringRef kTaskKey = "moe.run_task";

static LocationAttr tag(Location loc, Attribute number) {
  MLIRContext *context = loc.getContext();
  auto metadata = DictionaryAttr::get(
      context, NamedAttribute(StringAttr::get(context, kTaskKey), number));
  return FusedLoc::get(context, loc, metadata);
}

/// Returns the number of the task that a location was tagged with.
static std::optional<int32_t> getTag(Location loc) {
  std::optional<int32_t> number;
  loc->walk([&](Location nested) {
    auto fused = dyn_cast<FusedLoc>(nested);
    auto metadata =
        fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
    if (metadata)
      if (auto value = metadata.getAs<IntegerAttr>(kTaskKey)) {
        number = static_cast<int32_t>(value.getInt());
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return number;
}

FailureOr<std::vector<TaskLabel>>
moe::tagTasks(ModuleOp module, const cost::Machine *emulated,
              const traffic::Routing *routing) {
  std::vector<TaskLabel> labels;
  SmallVector<ScheduleOp> schedules;
  module.walk([&](ScheduleOp op) { schedules.push_back(op); });
  Builder builder(module.getContext());
  for (ScheduleOp op : schedules) {
    std::optional<TimedSchedule> timed;
    if (emulated) {
      OpTimer timer(*emulated);
      timer.setRouting(routing);
      FailureOr<TimedSchedule> times = timeSchedule(op, timer);
      if (failed(times))
        return failure();
      timed = std::move(*times);
    }
    unsigned place = 0;
    for (auto task : op.getBody().front().getOps<TaskOp>()) {
      TaskLabel label;
      label.name = task.getName().str();
      label.layer = task.getLayer().str();
      label.phase = stringifyPhase(task.getPhase()).str();
      label.chunk = task.getChunk();
      label.chunks = task.getChunks();
      if (timed)
        label.emulatedUs = timed->graph.getTask(place).durationUs;
      ++place;
      auto number = builder.getI64IntegerAttr(labels.size());
      labels.push_back(std::move(label));
      task->walk([&](Operation *nested) {
        nested->setLoc(tag(nested->getLoc(), number));
      });
    }
  }
  return labels;
}

void moe::markTasks(ModuleOp module) {
  OpBuilder builder(module.getBodyRegion());
  Type i32 = builder.getI32Type();
  auto function = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), kTaskFunction,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  i32));
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    std::optional<StringRef> callee = call.getCallee();
    if (callee && rt::isWork(*callee))
      calls.push_back(call);
  });
  for (LLVM::CallOp call : calls) {
    std::optional<int32_t> number = getTag(call.getLoc());
    builder.setInsertionPoint(call);
    // Work outside of tasks must not count as work of the previous task.
    Value constant = LLVM::ConstantOp::create(builder, call.getLoc(), i32,
                                              number.value_or(-1));
    LLVM::CallOp::create(builder, call.getLoc(), function, constant);
  }
}
