// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement of numbers that the host plans.

#include "HostValuesProvenance.h"
#include "Bodies.h"
#include "HostValuesEval.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/RunInterfaces.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Origins of elements
//===----------------------------------------------------------------------===//

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         tensor.getElementType().isIntOrIndex();
}

/// Returns true if an op moves each element of its operands to a statically
/// known position.
static bool isMovement(Operation *op) {
  if (!isa_and_nonnull<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                       tensor::CollapseShapeOp, AssembleOp>(op) ||
      !isStaticTensor(op->getResult(0).getType()))
    return false;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return isStaticTensor(slice.getSourceType()) &&
           slice.getOffsets().empty() && slice.getStrides().empty();
  return llvm::all_of(op->getOperandTypes(), isStaticTensor);
}

/// Returns true if the host plans some of the elements.
static bool isPlanned(Value value) {
  Operation *op = getOrigin(value).getDefiningOp();
  if (isa_and_nonnull<RaggedPlanOp, NodePlanOp, RunsOpInterface>(op))
    return true;
  if (!isMovement(op))
    return false;
  if (auto parts = dyn_cast<AssembleOp>(op))
    return llvm::any_of(parts.getParts(), isPlanned);
  return isPlanned(op->getOperand(0));
}

/// Returns true if the elements of a value come from other values.
using IsMoved = function_ref<bool(Value)>;

static SmallVector<HostElement> getElements(Value value, IsMoved isMoved);

/// Returns the elements of a slice, in row-major order.
static SmallVector<HostElement> getElements(tensor::ExtractSliceOp slice,
                                            IsMoved isMoved) {
  SmallVector<HostElement> all = getElements(slice.getSource(), isMoved),
                           elements;
  ArrayRef<int64_t> shape = slice.getSourceType().getShape(),
                    sizes = slice.getStaticSizes();
  int64_t count = ShapedType::getNumElements(sizes);
  for (int64_t i = 0; i < count; ++i) {
    // Computes the position along each dim, from the innermost one outward.
    int64_t rest = i, index = 0, stride = 1;
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      index += (slice.getStaticOffsets()[dim] +
                rest % sizes[dim] * slice.getStaticStrides()[dim]) *
               stride;
      rest /= sizes[dim];
      stride *= shape[dim];
    }
    elements.push_back(all[index]);
  }
  return elements;
}

static SmallVector<HostElement> getElements(AssembleOp join, IsMoved isMoved) {
  SmallVector<SmallVector<HostElement>> parts;
  for (Value part : join.getParts())
    parts.push_back(getElements(part, isMoved));
  auto type = cast<RankedTensorType>(join.getType());
  int64_t outer =
      ShapedType::getNumElements(type.getShape().take_front(join.getDim()));
  SmallVector<HostElement> elements;
  for (int64_t i = 0; i < outer; ++i)
    for (ArrayRef<HostElement> part : parts) {
      size_t length = part.size() / outer;
      llvm::append_range(elements, part.slice(i * length, length));
    }
  return elements;
}

static SmallVector<HostElement> getElements(Value value, IsMoved isMoved) {
  value = getOrigin(value);
  Operation *op = value.getDefiningOp();
  if (isMoved(value)) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return getElements(slice, isMoved);
    if (auto join = dyn_cast<AssembleOp>(op))
      return getElements(join, isMoved);
    return getElements(op->getOperand(0), isMoved);
  }
  SmallVector<HostElement> elements;
  int64_t count = cast<RankedTensorType>(value.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    elements.push_back({value, i});
  return elements;
}

std::optional<SmallVector<HostElement>> moe::findHostElements(Value value) {
  value = getOrigin(value);
  auto isMoved = [](Value value) {
    return isMovement(value.getDefiningOp()) && isPlanned(value);
  };
  if (!isMoved(value))
    return std::nullopt;
  return getElements(value, isMoved);
}

std::optional<SmallVector<HostElement>> moe::findPartOfCounts(Value counts) {
  auto isMoved = [](Value value) {
    Operation *op = value.getDefiningOp();
    return isMovement(op) && !isa<AssembleOp>(op);
  };
  if (!isStaticTensor(counts.getType()))
    return std::nullopt;
  SmallVector<HostElement> elements = getElements(counts, isMoved);
  if (elements.empty() || isHostValue(elements.front().origin) ||
      cast<RankedTensorType>(elements.front().origin.getType())
              .getNumElements() == int64_t(elements.size()))
    return std::nullopt;
  return elements;
}

SmallVector<Value> moe::getHostOrigins(Value value) {
  llvm::SetVector<Value> origins;
  if (auto elements = findHostElements(value)) {
    for (const HostElement &element : *elements)
      origins.insert(element.origin);
  } else {
    origins.insert(getOrigin(value));
  }
  origins.remove_if(isHostValue);
  return origins.takeVector();
}

//===----------------------------------------------------------------------===//
// Memory of elements
//===----------------------------------------------------------------------===//

namespace {
/// Elements that are consecutive in both memories.
struct Run {
  unsigned memory;
  int64_t from, to, length;
};
} // namespace

static Value flatten(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t count = type.getNumElements();
  return memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get({count}, type.getElementType()), buffer,
      /*offset=*/0, /*sizes=*/ArrayRef<int64_t>{count},
      /*strides=*/ArrayRef<int64_t>{1});
}

Value moe::widen(OpBuilder &builder, Location loc, Value number) {
  Type type = number.getType(), wide = builder.getI64Type();
  if (type == wide)
    return number;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, wide, number);
  return arith::ExtSIOp::create(builder, loc, wide, number);
}

/// Builds a function that copies `runs` of its arguments to its last one.
static void fillGather(func::FuncOp function, ArrayRef<Run> runs) {
  Block *body = function.addEntryBlock();
  auto builder = OpBuilder::atBlockBegin(body);
  Location loc = function.getLoc();
  SmallVector<Value> rows;
  for (BlockArgument argument : body->getArguments())
    rows.push_back(flatten(builder, loc, argument));
  auto getIndex = [&](int64_t index) {
    return arith::ConstantIndexOp::create(builder, loc, index);
  };
  for (const Run &run : runs) {
    auto loop = scf::ForOp::create(builder, loc, getIndex(0),
                                   getIndex(run.length), getIndex(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto getPlace = [&](int64_t begin) -> Value {
      return arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                   getIndex(begin));
    };
    Value number = memref::LoadOp::create(builder, loc, rows[run.memory],
                                          getPlace(run.from));
    memref::StoreOp::create(builder, loc, widen(builder, loc, number),
                            rows.back(), getPlace(run.to));
  }
  func::ReturnOp::create(builder, loc);
}

FailureOr<Value>
moe::gatherHostElements(HostFunction &host, SymbolTable &symbols, Value result,
                        ArrayRef<HostElement> elements,
                        function_ref<FailureOr<Value>(Value)> getMemory) {
  Location loc = result.getLoc();
  MemRefType type = getBufferType(loc, result.getType());
  if (!type)
    return failure();
  llvm::MapVector<Value, Value> memory;
  SmallVector<Run> runs;
  for (auto [i, element] : llvm::enumerate(elements)) {
    Value &own = memory[element.origin];
    if (!own) {
      FailureOr<Value> found = getMemory(element.origin);
      if (failed(found))
        return failure();
      own = *found;
    }
    unsigned number = memory.find(element.origin) - memory.begin();
    if (!runs.empty() && runs.back().memory == number &&
        runs.back().from + runs.back().length == element.index)
      ++runs.back().length;
    else
      runs.push_back({number, element.index, int64_t(i), 1});
  }
  if (runs.size() == 1 && runs.front().from == 0)
    if (Value own = memory.front().second;
        cast<MemRefType>(own.getType()).getShape() == type.getShape())
      return own;

  OpBuilder &builder = host.getBuilder();
  // 64-bit integers, as the runtime expects. Only the host reads them.
  type = MemRefType::get(type.getShape(), builder.getI64Type());
  Value made = host.createHostBuffer(loc, type).memref;
  SmallVector<Value> inputs;
  for (auto [origin, own] : memory)
    inputs.push_back(own);
  SmallVector<Type> types(ValueRange(inputs).getTypes());
  types.push_back(type);
  OpBuilder outside(host.getFunction());
  auto function = func::FuncOp::create(
      outside, loc, host.getFunction().getSymName().str() + "_numbers",
      builder.getFunctionType(types, {}));
  function.setPrivate();
  fillGather(function, runs);
  symbols.insert(function);
  rt::CallOp::create(builder, loc, function.getSymName(), inputs, made);
  return made;
}
