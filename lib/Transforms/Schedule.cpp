//===- Schedule.cpp - Tasks on streams --------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/Support/MathExtras.h"

namespace moe {
#define GEN_PASS_DEF_SCHEDULE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Whether values of a type have no elements.
static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

/// Whether the sizes of a type are not all known.
static bool isDynamic(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// Whether a type has more elements than a number of 64 bits can say.
static bool isUncountable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t count = 1;
  return tensor && tensor.hasStaticShape() &&
         llvm::any_of(tensor.getShape(), [&](int64_t size) {
           return llvm::MulOverflow(count, size, count);
         });
}

/// Whether an op on tensors has a region that says what becomes of elements.
static bool isStructured(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasPureTensorSemantics();
}

std::string moe::findObstacle(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return "expected a function of one block";
  std::string reason;
  function.walk([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    // The region of a structured op says what becomes of an element; outside
    // of pipelines, where sizes are known, the op is a task like any other.
    bool isStructure = isa<LayerOp, PipelineOp>(op) ||
                       (isStructured(op) && !op->getParentOfType<PipelineOp>());
    if (isa<ScheduleOp>(op))
      reason = "the function has a schedule";
    else if (isa<PipelineOp>(op) && op->getParentOfType<PipelineOp>())
      reason = "expected pipelines that are not nested";
    else if (isa<PipelineOp>(op) &&
             llvm::any_of(op->getOperandTypes(), isEmpty))
      // tensor.extract_slice takes no part of what has no elements.
      reason = "expected pipelines over operands with elements";
    else if (isStructured(op) && !isStructure)
      reason = "expected no structured ops in pipelines, got " +
               op->getName().getStringRef().str();
    else if (isa<CallOpInterface>(op) ||
             (op->getNumRegions() != 0 && !isStructure))
      reason = "expected no branches, loops or calls, got " +
               op->getName().getStringRef().str();
    else if (llvm::any_of(op->getOperandTypes(), isUncountable))
      // Nor can the dims that packing joins.
      reason = "expected tensors with fewer than 2^63 elements, got those of " +
               op->getName().getStringRef().str();
    else if (!op->getParentOfType<PipelineOp>() &&
             (llvm::any_of(op->getOperandTypes(), isDynamic) ||
              llvm::any_of(op->getResultTypes(), isDynamic)))
      reason = "expected static shapes outside pipelines, got those of " +
               op->getName().getStringRef().str();
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

SmallVector<ChunkTask> moe::scheduleFunction(func::FuncOp function,
                                             ArrayRef<std::string> priorities) {
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  StreamAssignment streams(symbols, priorities);
  ScheduleBuilder builder(function, streams);
  builder.run();
  return SmallVector<ChunkTask>(builder.getChunkTasks());
}

namespace {

struct Schedule : public moe::impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    std::vector<std::string> order(priorities.begin(), priorities.end());
    if (order.empty())
      order = {"ep", "pp", "cp", "dp"};
    if (order.size() > StreamOp::kMaxPriority + 1) {
      getOperation()->emitError()
          << getArgument() << ": expected priorities of at most "
          << StreamOp::kMaxPriority + 1 << " axes, got " << order.size();
      return signalPassFailure();
    }
    for (auto [i, axis] : llvm::enumerate(order))
      if (axis.empty() ||
          llvm::is_contained(ArrayRef(order).take_front(i), axis)) {
        getOperation()->emitError()
            << getArgument()
            << ": expected priorities of axes with a name each, got '" << axis
            << (axis.empty() ? "'" : "' twice");
        return signalPassFailure();
      }
    SymbolTable symbols(getOperation());
    StreamAssignment streams(symbols, order, collectives);
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      // The chunks of a pipeline are tasks, whatever is in them.
      bool hasTasks = false;
      function.walk([&](Operation *op) {
        hasTasks |= isa<CollectiveOpInterface, PipelineOp>(op);
      });
      if (!hasTasks)
        continue;
      auto options = remark::RemarkOpts::name("schedule")
                         .category(getArgument())
                         .function(function.getSymName());
      if (std::string reason = findObstacle(function); !reason.empty()) {
        moe::missed(function.getLoc(), options)
            << remark::reason("{0}", reason);
        continue;
      }
      ScheduleBuilder(function, streams).run();
      moe::passed(function.getLoc(), options) << remark::add("scheduled");
    }
  }
};

} // namespace
