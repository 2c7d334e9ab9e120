//===- EmitWork.cpp - Work on streams as calls ------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEmitter.h"
#include "moert.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

static std::optional<moert_type> findType(Type type) {
  if (type.isF64())
    return MOERT_F64;
  if (type.isF32())
    return MOERT_F32;
  if (type.isF16())
    return MOERT_F16;
  if (type.isBF16())
    return MOERT_BF16;
  if (type.isInteger(64) || type.isIndex())
    return MOERT_I64;
  if (type.isInteger(32))
    return MOERT_I32;
  if (type.isInteger(16))
    return MOERT_I16;
  if (type.isInteger(8))
    return MOERT_I8;
  return std::nullopt;
}

FailureOr<Value> HostEmitter::getType(Operation *op, Type elementType) {
  if (std::optional<moert_type> type = findType(elementType);
      type && !elementType.isUnsignedInteger())
    return i32(*type);
  return op->emitOpError() << "has no kernel for elements of type "
                           << elementType
                           << ": expected f64, f32, f16, bf16, index or "
                              "integers of 8, 16, 32 or 64 bits";
}

Value HostEmitter::getMovedType(Type elementType) {
  // Bytes are bytes; but errors name the type, and ranks that take the same
  // bytes for another float are told so.
  if (std::optional<moert_type> type = findType(elementType);
      type && isa<FloatType>(elementType))
    return i32(*type);
  switch (*rt::getElementBytes(elementType)) {
  case 1:
    return i32(MOERT_I8);
  case 2:
    return i32(MOERT_I16);
  case 4:
    return i32(MOERT_I32);
  default:
    return i32(MOERT_I64);
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

LogicalResult HostEmitter::emitCopy(rt::CopyOp op) {
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
  if (dims.size() > size_t(MOERT_MAX_DIMS))
    return op.emitOpError()
           << "expected a copy of at most " << size_t(MOERT_MAX_DIMS)
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

void HostEmitter::appendBuffer(MemRefType type, Value pointer,
                               SmallVectorImpl<Value> &args) {
  args.append({pointer, pointer, i64(0)});
  for (int64_t size : type.getShape())
    args.push_back(i64(size));
  for (int64_t stride : type.getStridesAndOffset().first)
    args.push_back(i64(stride));
}

LogicalResult HostEmitter::emitCall(rt::CallOp op) {
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

LLVM::LLVMFuncOp HostEmitter::getTrampoline(rt::LaunchFuncOp op) {
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

LogicalResult HostEmitter::emitLaunch(rt::LaunchFuncOp op) {
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
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::emitKernel(rt::KernelOpInterface op) {
  using Argument = rt::KernelArguments::Argument;
  rt::KernelInfo info = op.getKernelInfo();
  rt::KernelArguments arguments(op);
  SmallVector<Value> members{i32(info.getStructBytes())};
  for (const Argument &argument : arguments.get())
    switch (argument.kind) {
    case Argument::Int32:
      members.push_back(i32(argument.number));
      break;
    case Argument::Int64:
      members.push_back(i64(argument.number));
      break;
    case Argument::Float64:
      members.push_back(LLVM::ConstantOp::create(
          builder, loc, builder.getF64Type(),
          argument.real ? argument.real : builder.getF64FloatAttr(0.0)));
      break;
    case Argument::Pointer:
      members.push_back(argument.buffer ? get(argument.buffer) : null());
      break;
    case Argument::ElementType: {
      FailureOr<Value> type = getType(op, argument.elementType);
      if (mlir::failed(type))
        return mlir::failure();
      members.push_back(*type);
      break;
    }
    case Argument::MovedType:
      members.push_back(getMovedType(argument.elementType));
      break;
    }
  call(info.symbol, {get(op->getOperand(0)), getStruct(members)});
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::emitRagged(rt::RaggedAllToAllOp op) {
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

LogicalResult HostEmitter::emitCollective(Operation *op) {
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

LogicalResult HostEmitter::emitWork(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::CopyOp op) { return emitCopy(op); })
      .Case([&](rt::LaunchFuncOp op) { return emitLaunch(op); })
      .Case([&](rt::CallOp op) { return emitCall(op); })
      .Case([&](rt::KernelOpInterface op) { return emitKernel(op); })
      .Case([&](rt::RaggedAllToAllOp op) { return emitRagged(op); })
      .Default([&](Operation *op) { return emitCollective(op); });
}
