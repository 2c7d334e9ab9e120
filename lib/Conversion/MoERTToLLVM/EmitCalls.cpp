// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops as calls of the runtime.
//
// What an op calls, and with what, is said in its entry (MoERTCall.td).

#include "HostEmitter.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"

using namespace mlir;
using namespace moe;
using rt::CallArgument;

/// Whether an argument takes code of its own or can fail: those come before
/// the others of a call.
static bool comesFirst(const CallArgument &argument) {
  return llvm::is_contained({CallArgument::ElementType, CallArgument::Members,
                             CallArgument::Counts, CallArgument::Body,
                             CallArgument::Struct},
                            argument.kind);
}

/// Arrays of counts, of structs too.
static int64_t countCounts(ArrayRef<CallArgument> arguments) {
  int64_t count = 0;
  for (const CallArgument &argument : arguments)
    count += argument.kind == CallArgument::Counts
                 ? 1
                 : countCounts(argument.members);
  return count;
}

LogicalResult HostEmitter::emitCalls(rt::RuntimeCallOpInterface op) {
  rt::RuntimeCalls calls(op.getContext());
  op.addRuntimeCalls(calls);
  for (const rt::RuntimeCall &call : calls.get())
    if (mlir::failed(emitCall(op, call)))
      return mlir::failure();
  return success();
}

LogicalResult HostEmitter::emitCall(Operation *op,
                                    const rt::RuntimeCall &call) {
  numCounts = countCounts(call.arguments);
  numCountsMade = 0;
  SmallVector<SmallVector<Value, 2>> parts(call.arguments.size());
  for (bool first : {true, false})
    for (auto [argument, part] : llvm::zip_equal(call.arguments, parts))
      if (comesFirst(argument) == first &&
          mlir::failed(emitArgument(op, argument, part)))
        return mlir::failure();
  SmallVector<Value> args;
  for (ArrayRef<Value> part : parts)
    llvm::append_range(args, part);

  StringRef symbol = call.function.symbol;
  switch (call.function.result) {
  case rt::CallResult::Status:
    if (isa<rt::OcsDelegatesOp>(op))
      need(symbol, llvm::to_vector(ValueRange(args).getTypes()), context);
    CallEmitter::call(symbol, args);
    break;
  case rt::CallResult::Handle:
    // Whatever is done with a switch begins by finding it.
    if (isa<rt::OcsSwitchOp, rt::OcsRegionOp>(op)) {
      SmallVector<Type> types(ValueRange(args).getTypes());
      types.push_back(pointerType);
      need(symbol, types, context);
    }
    values[call.value] = create(symbol, args);
    break;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops with more than calls
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::emitObject(Operation *op) {
  if (auto event = dyn_cast<rt::EventOp>(op)) {
    values[event.getEvent()] = makeEvent();
    return success();
  }
  if (auto stream = dyn_cast<rt::StreamOp>(op)) {
    if (outside)
      return op->emitOpError() << "cannot stand in a branch: the caller's "
                                  "stream waits for all streams";
    if (mlir::failed(emitCalls(stream)))
      return mlir::failure();
    streams.push_back(get(stream.getStream()));
    CallEmitter::call(rt::symbols::stream_wait_event, {streams.back(), begun});
    return success();
  }
  auto offset = offsets.find(op);
  if (offset != offsets.end()) {
    values[op->getResult(0)] = advance(
        isa<rt::ArenaOp>(op) ? workspace : hostMemory, i64(offset->second));
    return success();
  }
  // No stream touches it: memory of the function's own.
  auto type = cast<MemRefType>(op->getResult(0).getType());
  int64_t bytes =
      type.getNumElements() * *rt::getElementBytes(type.getElementType());
  OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
  Value size = LLVM::ConstantOp::create(top, loc, i64Type, bytes);
  values[op->getResult(0)] = LLVM::AllocaOp::create(
      top, loc, pointerType, builder.getI8Type(), size, /*alignment=*/64);
  return success();
}

LogicalResult HostEmitter::emitHostCall(rt::CallOp op) {
  auto body = symbols.lookup<LLVM::LLVMFuncOp>(op.getBody());
  if (!body)
    return op.emitOpError()
           << "expected a body that has been lowered, got " << op.getBodyAttr();
  SmallVector<Value> args;
  for (Value operand : op.getOperands()) {
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      appendBuffer(type, get(operand), args);
    else
      args.push_back(get(operand));
  }
  LLVM::CallOp::create(builder, loc, body, args);
  return success();
}
