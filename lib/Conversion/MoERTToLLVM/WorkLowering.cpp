//===- WorkLowering.cpp - Work on streams as calls of the C interface -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

/// moert_type of the C interface.
enum MoertType { kF64, kF32, kF16, kBF16, kI64, kI32, kI16, kI8 };
/// moert_gate_kind.
enum MoertGateKind { kGateSoftmax, kGateSigmoid, kGateGShard };
/// MOERT_MAX_DIMS.
static constexpr size_t kMaxDims = 8;

static std::optional<MoertType> findType(Type type) {
  if (type.isF64())
    return kF64;
  if (type.isF32())
    return kF32;
  if (type.isF16())
    return kF16;
  if (type.isBF16())
    return kBF16;
  if (type.isInteger(64) || type.isIndex())
    return kI64;
  if (type.isInteger(32))
    return kI32;
  if (type.isInteger(16))
    return kI16;
  if (type.isInteger(8))
    return kI8;
  return std::nullopt;
}

FailureOr<Value> HostLowering::getType(Operation *op, Type elementType) {
  if (std::optional<MoertType> type = findType(elementType);
      type && !elementType.isUnsignedInteger())
    return i32(*type);
  return op->emitOpError() << "has no kernel for elements of type "
                           << elementType
                           << ": expected f64, f32, f16, bf16, index or "
                              "integers of 8, 16, 32 or 64 bits";
}

Value HostLowering::getMovedType(Type elementType) {
  // Bytes are bytes; but errors name the type, and ranks that take the same
  // bytes for another float are told so.
  if (std::optional<MoertType> type = findType(elementType);
      type && isa<FloatType>(elementType))
    return i32(*type);
  switch (*rt::getElementBytes(elementType)) {
  case 1:
    return i32(kI8);
  case 2:
    return i32(kI16);
  case 4:
    return i32(kI32);
  default:
    return i32(kI64);
  }
}

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}
static Type elementOf(Value buffer) { return typeOf(buffer).getElementType(); }
static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

LogicalResult HostLowering::lowerCopy(rt::CopyOp op) {
  SmallVector<int64_t> sourceStrides, targetStrides;
  int64_t offset;
  if (mlir::failed(
          typeOf(op.getSource()).getStridesAndOffset(sourceStrides, offset)) ||
      mlir::failed(
          typeOf(op.getTarget()).getStridesAndOffset(targetStrides, offset)))
    return op.emitOpError() << "expected strided buffers";
  struct Dim {
    int64_t size, source, target;
  };
  SmallVector<Dim> dims;
  // Dims that follow each other on both sides are one.
  for (auto [size, source, target] : llvm::zip_equal(
           typeOf(op.getSource()).getShape(), sourceStrides, targetStrides)) {
    if (size == 0)
      return success();
    if (size == 1)
      continue;
    if (!dims.empty() && dims.back().source == source * size &&
        dims.back().target == target * size)
      dims.back() = {dims.back().size * size, source, target};
    else
      dims.push_back({size, source, target});
  }
  Type elementType = elementOf(op.getSource());
  Value stream = get(op.getStream()), source = get(op.getSource()),
        target = get(op.getTarget());
  if (dims.empty() ||
      (dims.size() == 1 && dims[0].source == 1 && dims[0].target == 1)) {
    int64_t count = dims.empty() ? 1 : dims[0].size;
    call("moert_copy", {stream, target, source,
                        i64(count * *rt::getElementBytes(elementType))});
    return success();
  }
  if (dims.size() > kMaxDims)
    return op.emitOpError() << "expected a copy of at most " << kMaxDims
                            << " dims that do not merge, got " << dims.size();
  SmallVector<int64_t> sizes, sources, targets;
  for (const Dim &dim : dims) {
    sizes.push_back(dim.size);
    sources.push_back(dim.source);
    targets.push_back(dim.target);
  }
  call("moert_copy_strided",
       {stream, target, getConstant(targets), source, getConstant(sources),
        getConstant(sizes), i32(dims.size()), getMovedType(elementType)});
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void HostLowering::appendBuffer(MemRefType type, Value pointer,
                                SmallVectorImpl<Value> &args) {
  args.append({pointer, pointer, i64(0)});
  for (int64_t size : type.getShape())
    args.push_back(i64(size));
  for (int64_t stride : type.getStridesAndOffset().first)
    args.push_back(i64(stride));
}

LogicalResult HostLowering::lowerCall(rt::CallOp op) {
  auto body = symbols.lookup<LLVM::LLVMFuncOp>(op.getBody());
  if (!body)
    return op.emitOpError()
           << "expected a body that has been lowered, got " << op.getBodyAttr();
  SmallVector<Value> args;
  for (Value input : op.getInputs())
    args.push_back(get(input));
  for (Value output : op.getOutputs())
    appendBuffer(typeOf(output), get(output), args);
  LLVM::CallOp::create(builder, loc, body, args);
  return success();
}

LLVM::LLVMFuncOp HostLowering::getTrampoline(rt::LaunchFuncOp op) {
  std::string name = op.getBody().str() + "_call";
  if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return known;
  auto body = symbols.lookup<LLVM::LLVMFuncOp>(op.getBody());
  OpBuilder top(host);
  auto trampoline = LLVM::LLVMFuncOp::create(
      top, loc, name, LLVM::LLVMFunctionType::get(i32Type, pointerType),
      LLVM::Linkage::Internal);
  symbols.insert(trampoline);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = trampoline.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  SmallVector<Value> args;
  for (auto [i, operand] : llvm::enumerate(op->getOperands().drop_front())) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type) {
      args.push_back(load(i64Type, entry->getArgument(0), i));
      continue;
    }
    appendBuffer(type, load(pointerType, entry->getArgument(0), i), args);
  }
  LLVM::CallOp::create(builder, loc, body, args);
  LLVM::ReturnOp::create(builder, loc, i32(0));
  return trampoline;
}

LogicalResult HostLowering::lowerLaunch(rt::LaunchFuncOp op) {
  if (!symbols.lookup<LLVM::LLVMFuncOp>(op.getBody()))
    return op.emitOpError()
           << "expected a body that has been lowered, got " << op.getBodyAttr();
  LLVM::LLVMFuncOp trampoline = getTrampoline(op);
  // Pointers and numbers, eight bytes each.
  Value pack = advance(packMemory, i64(numPacked * 8));
  int64_t index = 0;
  for (Value buffer : op.getInputs())
    store(get(buffer), pack, index++);
  for (Value buffer : op.getOutputs())
    store(get(buffer), pack, index++);
  numPacked += index;
  Value address = LLVM::AddressOfOp::create(builder, loc, trampoline);
  call("moert_launch",
       {get(op.getStream()), getText(op.getName()), address, pack});
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels. Members as in moert_gate_args and its like.
//===----------------------------------------------------------------------===//

LogicalResult HostLowering::lowerGate(rt::GateOp op) {
  ArrayRef<int64_t> tokens = typeOf(op.getTokens()).getShape();
  auto real = [&](FloatAttr value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getF64Type(),
                                    value ? value
                                          : builder.getF64FloatAttr(0.0));
  };
  auto getOrNull = [&](Value buffer) { return buffer ? get(buffer) : null(); };
  // Cosines are soft, too.
  GateKind kind = op.getKind();
  int64_t number = kind == GateKind::Sigmoid  ? kGateSigmoid
                   : kind == GateKind::GShard ? kGateGShard
                                              : kGateSoftmax;
  SmallVector<Value> members = {i32(number),
                                i64(tokens[0]),
                                i64(tokens[1]),
                                i64(typeOf(op.getRouter()).getDimSize(1)),
                                i64(op.getTopK()),
                                i64(op.getTopGroups()),
                                i64(op.getNumGroups()),
                                i32(op.getNormalize()),
                                real(op.getScaleAttr()),
                                get(op.getTokens()),
                                get(op.getRouter()),
                                getOrNull(op.getBias()),
                                get(op.getIds()),
                                get(op.getWeights())};
  // Of buffers that are not there the type is not looked at.
  auto addType = [&](Value buffer) -> LogicalResult {
    FailureOr<Value> type =
        getType(op, elementOf(buffer ? buffer : Value(op.getTokens())));
    if (mlir::failed(type))
      return mlir::failure();
    members.push_back(*type);
    return success();
  };
  for (Value buffer :
       SmallVector<Value>{op.getTokens(), op.getRouter(), op.getBias(),
                          op.getIds(), op.getWeights()})
    if (mlir::failed(addType(buffer)))
      return mlir::failure();
  Value projection = op.getProjection();
  members.append({getOrNull(op.getNoise()), getOrNull(projection),
                  getOrNull(op.getSeed()),
                  i64(projection ? typeOf(projection).getDimSize(1) : 0),
                  real(op.getTemperatureAttr()), real(op.getJitterAttr())});
  for (Value buffer : {Value(op.getNoise()), projection})
    if (mlir::failed(addType(buffer)))
      return mlir::failure();
  call("moert_gate", {get(op.getStream()), getStruct(members)});
  return success();
}

LogicalResult HostLowering::lowerOrderKernel(rt::OrderOp op) {
  FailureOr<Value> idsType = getType(op, elementOf(op.getIds()));
  if (mlir::failed(idsType))
    return mlir::failure();
  ArrayRef<int64_t> tokens = typeOf(op.getTokens()).getShape();
  ArrayRef<int64_t> buffer = typeOf(op.getBuffer()).getShape();
  Value args = getStruct(
      {i32(static_cast<int64_t>(op.getKind())), i64(tokens[0]), i64(tokens[1]),
       i64(typeOf(op.getIds()).getDimSize(1)),
       i64(product(buffer.drop_back(2))), i64(buffer[buffer.size() - 2]),
       get(op.getTokens()), get(op.getIds()), get(op.getBuffer()),
       get(op.getSlots()), getMovedType(elementOf(op.getTokens())), *idsType});
  call("moert_order", {get(op.getStream()), args});
  return success();
}

LogicalResult HostLowering::lowerExperts(rt::ExpertsOp op) {
  FailureOr<Value> type = getType(op, elementOf(op.getResult()));
  if (mlir::failed(type))
    return mlir::failure();
  ArrayRef<int64_t> tokens = typeOf(op.getInputs().front()).getShape();
  bool isSwiGLU = op.getKind() == ExpertsKind::SwiGLU;
  int64_t activation =
      static_cast<int64_t>(op.getActivation().value_or(Activation::Gelu));
  Value args = getStruct(
      {i32(static_cast<int64_t>(op.getKind())), i32(activation),
       i64(tokens.front()), i64(product(tokens.drop_front().drop_back())),
       i64(tokens.back()), i64(typeOf(op.getInputs()[1]).getDimSize(2)),
       get(op.getInputs()[0]), get(op.getInputs()[1]),
       isSwiGLU ? get(op.getInputs()[2]) : null(), get(op.getInputs().back()),
       get(op.getResult()), *type});
  call("moert_experts", {get(op.getStream()), args});
  return success();
}

LogicalResult HostLowering::lowerUnorder(rt::UnorderOp op) {
  FailureOr<Value> type = getType(op, elementOf(op.getBuffer()));
  FailureOr<Value> slotsType = getType(op, elementOf(op.getSlots()));
  FailureOr<Value> weightsType = getType(op, elementOf(op.getWeights()));
  if (mlir::failed(type) || mlir::failed(slotsType) ||
      mlir::failed(weightsType))
    return mlir::failure();
  ArrayRef<int64_t> result = typeOf(op.getResult()).getShape();
  Value args = getStruct(
      {i64(result[0]), i64(result[1]), i64(typeOf(op.getSlots()).getDimSize(1)),
       i64(product(typeOf(op.getBuffer()).getShape().drop_back())),
       get(op.getBuffer()), get(op.getSlots()), get(op.getWeights()),
       get(op.getResult()), *type, *slotsType, *weightsType});
  call("moert_unorder", {get(op.getStream()), args});
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult HostLowering::lowerRagged(rt::RaggedAllToAllOp op) {
  // Numbers are signed, as the interpreter has them.
  int64_t count = typeOf(op.getSendOffsets()).getDimSize(0);
  Type countType = elementOf(op.getSendOffsets());
  unsigned width = countType.isIndex() ? 64 : countType.getIntOrFloatBitWidth();
  Value all = getScratch(i64Type, 4 * count);
  SmallVector<Value> arrays;
  const Value sources[] = {op.getSendOffsets(), op.getSendSizes(),
                           op.getRecvOffsets(), op.getRecvSizes()};
  for (auto [i, counts] : llvm::enumerate(sources)) {
    Value array = advance(all, i64(i * count * 8));
    for (int64_t j = 0; j < count; ++j) {
      // Narrow integers lie in whole bytes.
      unsigned bytes = *rt::getElementBytes(countType);
      Value number = load(builder.getIntegerType(8 * bytes), get(counts), j);
      if (width < 8 * bytes)
        number = LLVM::TruncOp::create(builder, loc,
                                       builder.getIntegerType(width), number);
      if (width < 64)
        number = LLVM::SExtOp::create(builder, loc, i64Type, number);
      store(number, array, j);
    }
    arrays.push_back(array);
  }
  ArrayRef<int64_t> source = typeOf(op.getSource()).getShape();
  ArrayRef<int64_t> target = typeOf(op.getTarget()).getShape();
  call("moert_ragged_all_to_all",
       {get(op.getComm()), get(op.getSource()), i64(source[0]),
        get(op.getTarget()), i64(target[0]), i64(product(source.drop_front())),
        arrays[0], arrays[1], arrays[2], arrays[3],
        getMovedType(elementOf(op.getSource()))});
  return success();
}

LogicalResult HostLowering::lowerCollective(Operation *op) {
  Value comm = op->getOperand(0), source = op->getOperand(1),
        target = op->getOperand(2);
  int64_t ranks = cast<rt::CommType>(comm.getType()).getSize();
  int64_t sent = typeOf(source).getNumElements(),
          received = typeOf(target).getNumElements();
  auto reduce = [&](StringRef name, Reduction reduction,
                    int64_t count) -> LogicalResult {
    FailureOr<Value> type = getType(op, elementOf(source));
    if (mlir::failed(type))
      return mlir::failure();
    call(name, {get(comm), get(source), get(target), i64(count), *type,
                i32(static_cast<int64_t>(reduction))});
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::AllToAllOp) {
        call("moert_all_to_all",
             {get(comm), get(source), get(target), i64(sent / ranks),
              getMovedType(elementOf(source))});
        return success();
      })
      .Case([&](rt::AllGatherOp) {
        call("moert_all_gather", {get(comm), get(source), get(target),
                                  i64(sent), getMovedType(elementOf(source))});
        return success();
      })
      .Case([&](rt::ReduceScatterOp op) {
        return reduce("moert_reduce_scatter", op.getReduction(), received);
      })
      .Case([&](rt::AllReduceOp op) {
        return reduce("moert_all_reduce", op.getReduction(), sent);
      });
}

LogicalResult HostLowering::lowerWork(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::CopyOp op) { return lowerCopy(op); })
      .Case([&](rt::LaunchFuncOp op) { return lowerLaunch(op); })
      .Case([&](rt::CallOp op) { return lowerCall(op); })
      .Case([&](rt::GateOp op) { return lowerGate(op); })
      .Case([&](rt::OrderOp op) { return lowerOrderKernel(op); })
      .Case([&](rt::ExpertsOp op) { return lowerExperts(op); })
      .Case([&](rt::UnorderOp op) { return lowerUnorder(op); })
      .Case([&](rt::RaggedAllToAllOp op) { return lowerRagged(op); })
      .Default([&](Operation *op) {
        return isTraining(op) ? lowerTraining(op) : lowerCollective(op);
      });
}
