//===- Schedule.cpp - Tasks on streams --------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "moe/IR/MoEOps.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_SCHEDULE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// The resource the task of an op occupies (SPEC MO-9).
static ResourceKind getResource(Operation *op) {
  if (isa<AllToAllOp, RaggedAllToAllOp>(op))
    return ResourceKind::Inter;
  if (isa<CollectiveOpInterface>(op))
    return ResourceKind::Intra;
  if (isa<DropOp, TransposeOp, AssembleOp>(op) ||
      isa<tensor::TensorDialect>(op->getDialect()))
    return ResourceKind::Copy;
  return ResourceKind::Compute;
}

/// True for ops that stay in front of the schedule: constants, empty tensors,
/// scalar arithmetic on them.
static bool isPreamble(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>);
}

/// `type` with every dynamic dim, which inside a pipeline is the chunk dim,
/// of the given size.
static Type withChunkSize(Type type, int64_t size) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  llvm::replace(shape, ShapedType::kDynamic, size);
  return RankedTensorType::get(shape, tensor.getElementType(),
                               tensor.getEncoding());
}

namespace {

/// Why a function cannot be scheduled; empty when it can.
std::string findObstacle(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return "expected a function of one block";
  std::string reason;
  function.walk([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    bool isStructure = isa<LayerOp, PipelineOp>(op);
    if (isa<ScheduleOp>(op))
      reason = "the function has a schedule";
    else if (isa<PipelineOp>(op) && op->getParentOfType<PipelineOp>())
      reason = "expected pipelines that are not nested";
    else if (isa<CallOpInterface>(op) ||
             (op->getNumRegions() != 0 && !isStructure))
      reason = "expected no branches, loops or calls, got " +
               op->getName().getStringRef().str();
    else if (!op->getParentOfType<PipelineOp>() &&
             llvm::any_of(op->getResultTypes(), [](Type type) {
               auto tensor = dyn_cast<TensorType>(type);
               return tensor && !tensor.hasStaticShape();
             }))
      reason = "expected static shapes outside pipelines, got those of " +
               op->getName().getStringRef().str();
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

/// Builds the schedule of one function.
class Scheduler {
public:
  Scheduler(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols), builder(function.getContext()) {}

  void run() {
    Block &body = function.getBody().front();
    Operation *terminator = body.getTerminator();
    builder.setInsertionPoint(terminator);
    schedule = ScheduleOp::create(builder, function.getLoc(),
                                  terminator->getOperandTypes());
    tasks = &schedule.getBody().emplaceBlock();
    SmallVector<Operation *> ops;
    for (Operation &op : body)
      if (&op != schedule && &op != terminator)
        ops.push_back(&op);
    for (Operation *op : ops)
      visit(op);
    builder.setInsertionPointToEnd(tasks);
    SmallVector<Value> results;
    for (Value value : terminator->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    YieldOp::create(builder, terminator->getLoc(), results);
    terminator->setOperands(schedule.getResults());
    for (Operation *op : llvm::reverse(ops))
      if (!kept.contains(op))
        op->erase();
  }

private:
  /// What the tasks of one op have in common.
  struct Family {
    std::string name;
    int64_t chunks;
  };

  /// The stream of a resource, declared on first use.
  FlatSymbolRefAttr getStream(ResourceKind resource) {
    FlatSymbolRefAttr &stream = streams[static_cast<unsigned>(resource)];
    if (stream)
      return stream;
    // A stream declared for the same resource serves.
    for (auto declared : cast<ModuleOp>(symbols.getOp()).getOps<StreamOp>())
      if (declared.getResource() == resource)
        return stream = FlatSymbolRefAttr::get(declared.getSymNameAttr());
    OpBuilder top(function);
    auto declared = StreamOp::create(top, function.getLoc(),
                                     stringifyResourceKind(resource), resource);
    StringAttr name = symbols.insert(declared, function->getIterator());
    return stream = FlatSymbolRefAttr::get(name);
  }

  /// A name for the tasks of an op that no other op of the layer has: what
  /// its location calls it, behind the layer's prefix, and what it is.
  std::string getName(Operation *op) {
    std::string name;
    if (auto loc = op->getLoc()->findInstanceOf<NameLoc>()) {
      StringRef text = loc.getName();
      name = text.substr(text.rfind('.') + 1).str() + ".";
    }
    name += op->getName().stripDialect();
    unsigned &count = names[{layer.str() + "/" + phaseName(), name}];
    return ++count == 1 ? name : name + "." + std::to_string(count);
  }
  std::string phaseName() const { return stringifyPhase(phase).str(); }

  /// One task that runs `body`, which fills in the values to hand out.
  TaskOp addTask(Location loc, ResourceKind resource, const Family &family,
                 int64_t chunk, TypeRange types,
                 function_ref<SmallVector<Value>()> body) {
    builder.setInsertionPointToEnd(tasks);
    MLIRContext *context = builder.getContext();
    auto task = TaskOp::create(
        builder, loc, types, TokenType::get(context), getStream(resource),
        builder.getStringAttr(family.name), builder.getI64IntegerAttr(chunk),
        builder.getI64IntegerAttr(family.chunks), builder.getStringAttr(layer),
        PhaseAttr::get(context, phase), /*after=*/ValueRange());
    builder.setInsertionPointToStart(&task.getBody().emplaceBlock());
    SmallVector<Value> values = body();
    YieldOp::create(builder, loc, values);
    return task;
  }

  void visit(Operation *op) {
    if (auto inner = dyn_cast<LayerOp>(op)) {
      layer = inner.getName();
      phase = inner.getPhase();
      Block &body = inner.getBody().front();
      for (Operation &nested : body.without_terminator())
        visit(&nested);
      for (auto [result, value] : llvm::zip_equal(
               inner.getResults(), body.getTerminator()->getOperands()))
        mapping.map(result, mapping.lookupOrDefault(value));
      layer = "";
      phase = Phase::Forward;
      return;
    }
    if (auto pipeline = dyn_cast<PipelineOp>(op)) {
      unroll(pipeline);
      return;
    }
    bool ready = llvm::all_of(op->getOperands(), [&](Value operand) {
      Value mapped = mapping.lookupOrDefault(operand);
      return !isa_and_nonnull<TaskOp>(mapped.getDefiningOp());
    });
    if (isPreamble(op) && ready) {
      // Those of the function's block stay where they are.
      if (op->getBlock() == schedule->getBlock()) {
        kept.insert(op);
        return;
      }
      builder.setInsertionPoint(schedule);
      builder.clone(*op, mapping);
      return;
    }
    TaskOp task = addTask(op->getLoc(), getResource(op), {getName(op), 1}, 0,
                          op->getResultTypes(), [&] {
                            IRMapping local = mapping;
                            Operation *clone = builder.clone(*op, local);
                            return SmallVector<Value>(clone->getResults());
                          });
    mapping.map(op->getResults(), task.getValues());
  }

  /// All chunks of each op of the pipeline, op by op.
  void unroll(PipelineOp pipeline) {
    SmallVector<int64_t> sizes = pipeline.getChunkSizes();
    SmallVector<IRMapping> chunks(sizes.size());
    Block &body = pipeline.getBody().front();
    for (Operation &op : body.without_terminator()) {
      Family family{getName(&op), static_cast<int64_t>(sizes.size())};
      int64_t offset = 0;
      for (auto [i, size] : llvm::enumerate(sizes)) {
        SmallVector<Type> types;
        for (Type type : op.getResultTypes())
          types.push_back(withChunkSize(type, size));
        TaskOp task =
            addTask(op.getLoc(), getResource(&op), family, i, types, [&] {
              IRMapping local;
              for (Value operand : op.getOperands())
                local.map(operand,
                          getChunk(pipeline, operand, chunks[i], offset, size));
              Operation *clone = builder.clone(op, local);
              for (auto [result, type] :
                   llvm::zip_equal(clone->getResults(), types))
                result.setType(type);
              return SmallVector<Value>(clone->getResults());
            });
        chunks[i].map(op.getResults(), task.getValues());
        offset += size;
      }
    }
    for (auto [i, value] :
         llvm::enumerate(body.getTerminator()->getOperands())) {
      Value result = pipeline.getResult(i);
      int64_t dim = pipeline.getConcatDims()[i];
      Family family{(dim >= 0 ? "assemble." : "sum.") + getName(pipeline), 1};
      TaskOp task = addTask(
          pipeline.getLoc(),
          dim >= 0 ? ResourceKind::Copy : ResourceKind::Compute, family, 0,
          result.getType(), [&]() -> SmallVector<Value> {
            SmallVector<Value> parts;
            int64_t offset = 0;
            for (auto [chunk, size] : llvm::zip_equal(chunks, sizes)) {
              parts.push_back(getChunk(pipeline, value, chunk, offset, size));
              offset += size;
            }
            if (dim >= 0)
              return {AssembleOp::create(builder, pipeline.getLoc(),
                                         result.getType(), parts, dim)};
            return {addUp(pipeline.getLoc(), parts)};
          });
      mapping.map(result, task.getValues().front());
    }
  }

  /// What `value`, seen from inside a pipeline, is for the chunk at `offset`:
  /// made by the chunk's tasks, cut from an operand, or from outside.
  Value getChunk(PipelineOp pipeline, Value value, const IRMapping &chunk,
                 int64_t offset, int64_t size) {
    if (Value made = chunk.lookupOrNull(value))
      return made;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner()->getParentOp() != pipeline)
      return mapping.lookupOrDefault(value);
    unsigned number = argument.getArgNumber();
    Value whole = mapping.lookupOrDefault(pipeline.getOperand(number));
    int64_t dim = pipeline.getSplitDims()[number];
    if (dim < 0)
      return whole;
    auto type = cast<RankedTensorType>(whole.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> extents;
    for (int64_t extent : type.getShape())
      extents.push_back(builder.getIndexAttr(extent));
    offsets[dim] = builder.getIndexAttr(offset);
    extents[dim] = builder.getIndexAttr(size);
    return tensor::ExtractSliceOp::create(builder, pipeline.getLoc(), whole,
                                          offsets, extents, strides);
  }

  /// The sum of the parts, first part first.
  Value addUp(Location loc, ArrayRef<Value> parts) {
    Value sum = parts.front();
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(sum.getType()));
    for (Value part : parts.drop_front())
      sum = isFloat
                ? arith::AddFOp::create(builder, loc, sum, part).getResult()
                : arith::AddIOp::create(builder, loc, sum, part).getResult();
    return sum;
  }

  func::FuncOp function;
  SymbolTable &symbols;
  OpBuilder builder;
  ScheduleOp schedule;
  Block *tasks = nullptr;
  IRMapping mapping;
  StringRef layer = "";
  Phase phase = Phase::Forward;
  FlatSymbolRefAttr streams[4];
  /// Ops of the function that stay in front of the schedule.
  llvm::DenseSet<Operation *> kept;
  std::map<std::pair<std::string, std::string>, unsigned> names;
};

struct Schedule : public moe::impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      bool communicates = false;
      function.walk([&](CollectiveOpInterface) { communicates = true; });
      if (!communicates)
        continue;
      auto options = remark::RemarkOpts::name("schedule")
                         .category(getArgument())
                         .function(function.getSymName());
      if (std::string reason = findObstacle(function); !reason.empty()) {
        remark::missed(function.getLoc(), options)
            << remark::reason("{0}", reason);
        continue;
      }
      Scheduler(function, symbols).run();
      remark::passed(function.getLoc(), options) << remark::add("scheduled");
    }
  }
};

} // namespace
