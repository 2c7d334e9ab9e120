// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops as calls of the runtime.
//
// Each op's entry in MoERTCall.td defines its calls and their arguments.

#include "HostEmitter.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moert.h"

using namespace mlir;
using namespace moe;
using rt::CallArgument;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

std::optional<int32_t> HostEmitter::findType(Type type) {
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
  if (std::optional<int32_t> type = findType(elementType);
      type && !elementType.isUnsignedInteger())
    return i32(*type);
  return op->emitOpError() << "has no kernel for elements of type "
                           << elementType
                           << ": expected f64, f32, f16, bf16, index or "
                              "integers of 8, 16, 32 or 64 bits";
}

Value HostEmitter::getMovedType(Type elementType) {
  // Moving bytes needs no type, but errors name it, even to ranks that use
  // another float type of the same size.
  if (std::optional<int32_t> type = findType(elementType);
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

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// The groups of an attribute as tables, with one entry per rank.
struct GroupTables {
  /// All members, group after group.
  SmallVector<int32_t> members;
  /// The start of each rank's group in `members`, and the rank's position in
  /// the group.
  SmallVector<int32_t> begin, position;
};
} // namespace

/// Returns tables with an entry for each of the `expected` ranks of the job,
/// because ranks look up their own entries.
static FailureOr<GroupTables> getTables(Operation *op, GroupAttrInterface group,
                                        int64_t expected) {
  auto lists = group.getRankLists(op);
  if (failed(lists) || lists->empty())
    return op->emitOpError() << "expected a group whose ranks can be listed, "
                                "got "
                             << group;
  GroupTables tables;
  size_t numRanks = lists->size() * lists->front().size();
  if (static_cast<int64_t>(numRanks) != expected)
    return op->emitOpError() << "expected groups of all " << expected
                             << " ranks of the program, got " << group;
  tables.begin.resize(numRanks);
  tables.position.resize(numRanks);
  for (const auto &members : *lists) {
    for (auto [position, rank] : llvm::enumerate(members)) {
      tables.begin[rank] = tables.members.size();
      tables.position[rank] = position;
    }
    tables.members.append(members.begin(), members.end());
  }
  return tables;
}

static Value readTable(OpBuilder &builder, Location loc, Value table,
                       Value rank) {
  Type i32 = builder.getI32Type();
  Value place = LLVM::GEPOp::create(builder, loc, table.getType(), i32, table,
                                    ValueRange(rank));
  return LLVM::LoadOp::create(builder, loc, i32, place);
}

Value HostEmitter::getRank() {
  if (rank)
    return rank;
  // Emitted before a branch, so that all its regions can use the value.
  OpBuilder::InsertionGuard guard(builder);
  if (outside && !outside->empty() &&
      outside->back().hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPoint(&outside->back());
  rank = callPlain(rt::symbols::rank, i32Type, context);
  return rank;
}

FailureOr<Value> HostEmitter::getGroups(Operation *op,
                                        GroupAttrInterface group) {
  FailureOr<GroupTables> tables = getTables(op, group, numRanks);
  if (mlir::failed(tables))
    return mlir::failure();
  return getConstant(builder.getI32TensorAttr(tables->members));
}

FailureOr<Value> HostEmitter::getMembers(Operation *op,
                                         GroupAttrInterface group) {
  FailureOr<GroupTables> tables = getTables(op, group, numRanks);
  if (mlir::failed(tables))
    return mlir::failure();
  Value begin = readTable(builder, loc,
                          getConstant(builder.getI32TensorAttr(tables->begin)),
                          getRank());
  return Value(LLVM::GEPOp::create(
      builder, loc, pointerType, i32Type,
      getConstant(builder.getI32TensorAttr(tables->members)),
      ValueRange(begin)));
}

LogicalResult HostEmitter::emitGroupRank(rt::GroupRankOp op) {
  FailureOr<GroupTables> tables = getTables(op, op.getGroup(), numRanks);
  if (mlir::failed(tables))
    return mlir::failure();
  Value position = readTable(
      builder, loc, getConstant(builder.getI32TensorAttr(tables->position)),
      getRank());
  values[op.getResult()] =
      LLVM::SExtOp::create(builder, loc, i64Type, position);
  return success();
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

Value HostEmitter::getCounts(Value counts) {
  // Counts are signed, as in the interpreter.
  auto type = cast<MemRefType>(counts.getType());
  int64_t count = type.getNumElements();
  Type countType = type.getElementType();
  unsigned width = countType.isIndex() ? 64 : countType.getIntOrFloatBitWidth();
  if (width == 64)
    return get(counts);
  // The arrays of one call are consecutive.
  Value all = getScratch(i64Type, numCounts * count);
  Value array = advance(all, i64(numCountsMade++ * count * 8));
  for (int64_t j = 0; j < count; ++j) {
    // Narrow integers are stored in whole bytes.
    unsigned bytes = *rt::getElementBytes(countType);
    Value number = load(builder.getIntegerType(8 * bytes), get(counts), j);
    if (width < 8 * bytes)
      number = LLVM::TruncOp::create(builder, loc,
                                     builder.getIntegerType(width), number);
    if (width < 64)
      number = LLVM::SExtOp::create(builder, loc, i64Type, number);
    store(number, array, j);
  }
  return array;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void HostEmitter::appendBuffer(MemRefType type, Value pointer,
                               SmallVectorImpl<Value> &args) {
  args.append({pointer, pointer, i64(0)});
  for (int64_t size : type.getShape())
    args.push_back(i64(size));
  for (int64_t stride : type.getStridesAndOffset().first)
    args.push_back(i64(stride));
}

LLVM::LLVMFuncOp HostEmitter::getTrampoline(LLVM::LLVMFuncOp body,
                                            ValueRange operands) {
  std::string name = body.getSymName().str() + "_call";
  if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder top(host);
  auto trampoline = LLVM::LLVMFuncOp::create(
      top, loc, name, LLVM::LLVMFunctionType::get(i32Type, pointerType),
      LLVM::Linkage::Internal);
  symbols.insert(trampoline);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = trampoline.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  SmallVector<Value> args;
  for (auto [i, operand] : llvm::enumerate(operands)) {
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

LogicalResult HostEmitter::emitBody(Operation *op, FlatSymbolRefAttr symbol,
                                    ValueRange operands,
                                    SmallVectorImpl<Value> &args) {
  auto body = symbols.lookup<LLVM::LLVMFuncOp>(symbol.getValue());
  if (!body)
    return op->emitOpError()
           << "expected a body that has been lowered, got " << symbol;
  LLVM::LLVMFuncOp trampoline = getTrampoline(body, operands);
  // Pointers and numbers of eight bytes each, which the call copies.
  Value pack = getScratch(i64Type, operands.size());
  for (auto [i, operand] : llvm::enumerate(operands))
    store(get(operand), pack, i);
  args.push_back(LLVM::AddressOfOp::create(builder, loc, trampoline));
  args.push_back(pack);
  return success();
}

//===----------------------------------------------------------------------===//
// All arguments
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::emitArgument(Operation *op,
                                        const CallArgument &argument,
                                        SmallVectorImpl<Value> &args) {
  auto add = [&](FailureOr<Value> value) -> LogicalResult {
    if (mlir::failed(value))
      return mlir::failure();
    args.push_back(*value);
    return success();
  };
  switch (argument.kind) {
  case CallArgument::Int32:
    return add(i32(argument.number));
  case CallArgument::Int64:
    return add(i64(argument.number));
  case CallArgument::Float64: {
    auto number = cast_if_present<FloatAttr>(argument.attribute);
    return add(Value(LLVM::ConstantOp::create(
        builder, loc, builder.getF64Type(),
        number ? number : builder.getF64FloatAttr(0.0))));
  }
  case CallArgument::ElementType:
    return add(getType(op, argument.elementType));
  case CallArgument::MovedType:
    return add(getMovedType(argument.elementType));
  case CallArgument::Pointer:
    return add(argument.value ? get(argument.value) : null());
  case CallArgument::Text:
    return add(getText(cast<StringAttr>(argument.attribute)));
  case CallArgument::Numbers:
    return add(argument.attribute
                   ? getConstant(cast<DenseIntElementsAttr>(argument.attribute))
                   : null());
  case CallArgument::Members:
    return add(getMembers(op, cast<GroupAttrInterface>(argument.attribute)));
  case CallArgument::Groups:
    return add(getGroups(op, cast<GroupAttrInterface>(argument.attribute)));
  case CallArgument::Counts:
    return add(getCounts(argument.value));
  case CallArgument::Body:
    return emitBody(op, cast<FlatSymbolRefAttr>(argument.attribute),
                    argument.operands, args);
  case CallArgument::Struct: {
    SmallVector<Value> members{i32(argument.bytes)};
    for (const CallArgument &member : argument.members)
      if (mlir::failed(emitArgument(op, member, members)))
        return mlir::failure();
    return add(getStruct(members));
  }
  }
  llvm_unreachable("unknown argument");
}

/// Returns true if an argument needs code of its own or can fail. Such
/// arguments are emitted before the others of a call.
static bool comesFirst(const CallArgument &argument) {
  return llvm::is_contained({CallArgument::ElementType, CallArgument::Members,
                             CallArgument::Groups, CallArgument::Counts,
                             CallArgument::Body, CallArgument::Struct},
                            argument.kind);
}

/// Returns the number of count arrays, including the ones in structs.
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
    // Every use of a switch starts with one of these ops.
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
    emitScratch(stream.getStream(), /*isThere=*/true);
    return success();
  }
  auto offset = offsets.find(op);
  if (offset != offsets.end()) {
    values[op->getResult(0)] = advance(
        isa<rt::ArenaOp>(op) ? workspace : hostMemory, i64(offset->second));
    return success();
  }
  // Streams never access this buffer, so it is on the function's stack.
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
