// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of calls of the runtime.

#include "HostEmitter.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moert.h"

using namespace mlir;
using namespace moe;
using rt::CallArgument;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// The groups of an attribute as tables, one entry a rank.
struct GroupTables {
  /// All members, group after group.
  SmallVector<int32_t> members;
  /// Where the rank's group begins in `members`, and its place in the group.
  SmallVector<int32_t> begin, position;
};
} // namespace

/// Ranks look themselves up in the tables, so there is an entry for each of
/// the `expected` ranks of the job.
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

/// Reads the entry of this rank of a table.
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
  // Asked for in one way of a branch, it is there for the other ways, too.
  OpBuilder::InsertionGuard guard(builder);
  if (outside && !outside->empty() &&
      outside->back().hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPoint(&outside->back());
  rank = callPlain(rt::symbols::rank, i32Type, context);
  return rank;
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
  // Numbers are signed, as the interpreter has them.
  auto type = cast<MemRefType>(counts.getType());
  int64_t count = type.getNumElements();
  Type countType = type.getElementType();
  unsigned width = countType.isIndex() ? 64 : countType.getIntOrFloatBitWidth();
  if (width == 64)
    return get(counts);
  // The arrays of one call lie one behind the other.
  Value all = getScratch(i64Type, numCounts * count);
  Value array = advance(all, i64(numCountsMade++ * count * 8));
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
  // Pointers and numbers, eight bytes each, which the call copies.
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
