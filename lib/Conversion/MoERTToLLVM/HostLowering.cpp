//===- HostLowering.cpp - Entry functions as calls of the C interface -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

/// Numbers of the C interface: moert_memory_space.
enum { kHostMemory = 0, kDeviceMemory = 1 };
/// MOERT_DEADLINE_DEFAULT.
static constexpr int64_t kDefaultDeadline = -1;

HostLowering::HostLowering(func::FuncOp host, SymbolTable &symbols)
    : host(host), symbols(symbols), builder(host), loc(host.getLoc()) {
  pointerType = LLVM::LLVMPointerType::get(host.getContext());
  i32Type = builder.getI32Type();
  i64Type = builder.getI64Type();
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

Value HostLowering::i32(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, i32Type, value);
}

Value HostLowering::i64(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, i64Type, value);
}

Value HostLowering::null() {
  return LLVM::ZeroOp::create(builder, loc, pointerType);
}

Value HostLowering::callPlain(StringRef name, Type result,
                              ArrayRef<Value> args) {
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    SmallVector<Type> types;
    for (Value arg : args)
      types.push_back(arg.getType());
    OpBuilder top(host);
    callee = LLVM::LLVMFuncOp::create(
        top, loc, name, LLVM::LLVMFunctionType::get(result, types));
    symbols.insert(callee);
  }
  return LLVM::CallOp::create(builder, loc, callee, args).getResult();
}

void HostLowering::call(StringRef name, ArrayRef<Value> args) {
  Value status = callPlain(name, i32Type, args);
  Value ok = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status,
                                  i32(0));
  Block *next = new Block();
  function.getBody().getBlocks().insert(Region::iterator(failure), next);
  LLVM::CondBrOp::create(builder, loc, ok, next, failure, status);
  builder.setInsertionPointToStart(next);
}

Value HostLowering::create(StringRef name, ArrayRef<Value> args) {
  Value slot = getScratch(pointerType, 1);
  SmallVector<Value> all(args);
  all.push_back(slot);
  call(name, all);
  return load(pointerType, slot, 0);
}

Value HostLowering::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                             pointer, ValueRange(bytes));
}

Value HostLowering::load(Type type, Value pointer, int64_t index) {
  Value place = LLVM::GEPOp::create(builder, loc, pointerType, type, pointer,
                                    LLVM::GEPArg(index));
  return LLVM::LoadOp::create(builder, loc, type, place);
}

void HostLowering::store(Value value, Value pointer, int64_t index) {
  Value place = LLVM::GEPOp::create(builder, loc, pointerType, value.getType(),
                                    pointer, LLVM::GEPArg(index));
  LLVM::StoreOp::create(builder, loc, value, place);
}

Value HostLowering::getScratch(Type type, int64_t count) {
  // The interface reads descriptions before a call returns, so one piece of
  // memory serves all calls.
  Value &memory = scratch[{type, count}];
  if (!memory) {
    OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
    Value size = LLVM::ConstantOp::create(top, loc, i64Type, count);
    memory = LLVM::AllocaOp::create(top, loc, pointerType, type, size);
  }
  return memory;
}

Value HostLowering::getConstant(DenseIntElementsAttr elements) {
  Value &pointer = constants[elements];
  if (!pointer) {
    OpBuilder module(host);
    auto type = LLVM::LLVMArrayType::get(elements.getElementType(),
                                         elements.getNumElements());
    auto global = LLVM::GlobalOp::create(module, loc, type, /*isConstant=*/true,
                                         LLVM::Linkage::Internal,
                                         "moert_numbers", elements);
    symbols.insert(global);
    OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
    pointer = LLVM::AddressOfOp::create(top, loc, global);
  }
  return pointer;
}

Value HostLowering::getConstant(ArrayRef<int64_t> elements) {
  return getConstant(builder.getI64TensorAttr(elements));
}

Value HostLowering::getText(StringRef text) {
  Value &pointer = texts[text];
  if (!pointer) {
    OpBuilder module(host);
    std::string terminated = text.str();
    terminated.push_back('\0');
    auto type =
        LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
    auto global = LLVM::GlobalOp::create(module, loc, type, /*isConstant=*/true,
                                         LLVM::Linkage::Internal, "moert_text",
                                         builder.getStringAttr(terminated));
    symbols.insert(global);
    OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
    pointer = LLVM::AddressOfOp::create(top, loc, global);
  }
  return pointer;
}

Value HostLowering::getStruct(ArrayRef<Value> members) {
  SmallVector<Type> types;
  for (Value member : members)
    types.push_back(member.getType());
  auto type = LLVM::LLVMStructType::getLiteral(host.getContext(), types);
  Value memory = getScratch(type, 1);
  for (auto [i, member] : llvm::enumerate(members)) {
    Value place =
        LLVM::GEPOp::create(builder, loc, pointerType, type, memory,
                            ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, loc, member, place);
  }
  return memory;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Pointers that the launches of a function pass on.
static int64_t countPacked(func::FuncOp host) {
  int64_t count = 0;
  host.walk([&](rt::LaunchFuncOp op) {
    count += op.getInputs().size() + op.getOutputs().size();
  });
  return count;
}

LogicalResult HostLowering::run() {
  if (!host.getBody().hasOneBlock())
    return host.emitOpError() << "expected an entry function of one block, got "
                              << host.getBody().getBlocks().size();
  auto type = LLVM::LLVMFunctionType::get(
      i32Type, {pointerType, pointerType, pointerType});
  std::string name = (rt::kCodePrefix + host.getSymName()).str();
  if (symbols.lookup(name))
    return host.emitOpError() << "expected no other symbol @" << name;
  function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  if (Attribute program = host->getAttr(rt::MoERTDialect::getProgramAttrName()))
    function->setAttr(rt::MoERTDialect::getProgramAttrName(), program);
  // Thousands of calls that run once a step: optimizing them takes seconds and
  // gains nothing.
  function.setPassthroughAttr(builder.getStrArrayAttr({"noinline", "optnone"}));
  symbols.insert(function);
  Block *entry = function.addEntryBlock(builder);
  failure = new Block();
  function.getBody().push_back(failure);
  Value status = failure->addArgument(i32Type, loc);
  builder.setInsertionPointToEnd(failure);
  LLVM::ReturnOp::create(builder, loc, status);

  builder.setInsertionPointToEnd(entry);
  context = entry->getArgument(0);
  values[host.getArgument(0)] = context;
  int64_t inputs =
      host->getAttrOfType<IntegerAttr>(rt::MoERTDialect::getInputsAttrName())
          .getInt();
  checkCall(inputs, entry->getArgument(1), entry->getArgument(2));
  for (auto [i, argument] : llvm::enumerate(host.getArguments().drop_front())) {
    bool isInput = static_cast<int64_t>(i) < inputs;
    values[argument] = load(pointerType, entry->getArgument(isInput ? 1 : 2),
                            isInput ? i : i - inputs);
  }
  if (int64_t count = countPacked(host)) {
    packs = create("moert_buffer_create",
                   {context, i64(count * 8), i32(kHostMemory)});
    packMemory = callPlain("moert_buffer_data", pointerType, packs);
  }
  for (Operation &op : host.getBody().front().without_terminator()) {
    loc = op.getLoc();
    if (failed(lower(&op)))
      return mlir::failure();
  }
  loc = host.getLoc();
  if (packs)
    call("moert_buffer_destroy", packs);
  for (Value buffer : hostBuffers)
    call("moert_buffer_destroy", buffer);
  LLVM::ReturnOp::create(builder, loc, i32(0));
  // Addresses of constants were put at the very top; the rest of the entry
  // block follows in the order it was made.
  return success();
}

int64_t HostLowering::countRanks() {
  if (MeshOp mesh = MeshOp::lookup(host))
    return mesh.getNumRanks();
  int64_t count = 0;
  host.walk([&](Operation *op) {
    GroupAttrInterface group;
    if (auto comm = dyn_cast<rt::CommunicatorOp>(op))
      group = comm.getGroup();
    else if (auto position = dyn_cast<rt::GroupRankOp>(op))
      group = position.getGroup();
    if (auto lists = dyn_cast_if_present<ReplicaGroupsAttr>(group))
      count = lists.getRanks().getNumElements();
    return count ? WalkResult::interrupt() : WalkResult::advance();
  });
  return count;
}

void HostLowering::checkCall(int64_t numInputs, Value inputs, Value results) {
  SmallVector<int64_t> bytes;
  for (Type type : host.getArgumentTypes().drop_front()) {
    auto buffer = cast<MemRefType>(type);
    bytes.push_back(*rt::getElementBytes(buffer.getElementType()) *
                    buffer.getNumElements());
  }
  numRanks = countRanks();
  auto sizes = [&](ArrayRef<int64_t> some) {
    return some.empty() ? null() : getConstant(some);
  };
  ArrayRef<int64_t> all = bytes;
  call("moert_program_check",
       {context, getText(host.getSymName()), i32(numRanks), inputs,
        sizes(all.take_front(numInputs)), i32(numInputs), results,
        sizes(all.drop_front(numInputs)), i32(all.size() - numInputs)});
}

LogicalResult HostLowering::lower(Operation *op) {
  if (isa<memref::ViewOp, memref::SubViewOp, memref::TransposeOp,
          memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(op))
    return lowerAddress(op);
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return lowerNumber(op);
  if (isa<rt::StreamOp, rt::CommunicatorOp, rt::EventOp, rt::ArenaOp,
          rt::HostBufferOp, rt::DestroyOp, rt::GroupRankOp>(op))
    return lowerObject(op);
  if (isa<rt::RecordOp, rt::WaitOp, rt::SynchronizeOp>(op))
    return lowerOrder(op);
  if (isa<rt::OcsSwitchOp, rt::OcsConfigureOp, rt::OcsAwaitOp>(op))
    return lowerOcs(op);
  if (isa_and_nonnull<rt::MoERTDialect>(op->getDialect()))
    return lowerWork(op);
  return op->emitOpError()
         << "cannot stand in an entry function: expected ops of the moert "
            "dialect, views of buffers and arithmetic on index";
}

//===----------------------------------------------------------------------===//
// Numbers and addresses
//===----------------------------------------------------------------------===//

LogicalResult HostLowering::lowerNumber(Operation *op) {
  Value result;
  if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
    result = i64(constant.value());
  else if (auto mul = dyn_cast<arith::MulIOp>(op))
    result =
        LLVM::MulOp::create(builder, loc, get(mul.getLhs()), get(mul.getRhs()));
  else if (auto add = dyn_cast<arith::AddIOp>(op))
    result =
        LLVM::AddOp::create(builder, loc, get(add.getLhs()), get(add.getRhs()));
  if (!result || !op->getResult(0).getType().isIndex())
    return op->emitOpError() << "cannot stand in an entry function: expected "
                                "constants, sums and products of type index";
  values[op->getResult(0)] = result;
  return success();
}

LogicalResult HostLowering::lowerSubView(Operation *op) {
  auto view = cast<memref::SubViewOp>(op);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (mlir::failed(view.getSourceType().getStridesAndOffset(strides, offset)))
    return op->emitOpError() << "expected a strided source";
  int64_t bytes = *rt::getElementBytes(view.getType().getElementType());
  int64_t known = 0;
  Value address = get(view.getSource());
  for (auto [place, stride] :
       llvm::zip_equal(view.getMixedOffsets(), strides)) {
    if (auto dynamic = dyn_cast<Value>(place))
      address = advance(address, LLVM::MulOp::create(builder, loc, get(dynamic),
                                                     i64(stride * bytes)));
    else
      known += *getConstantIntValue(place) * stride * bytes;
  }
  values[view.getResult()] = known ? advance(address, i64(known)) : address;
  return success();
}

LogicalResult HostLowering::lowerAddress(Operation *op) {
  auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
  if (!type || !rt::isBuffer(type))
    return op->emitOpError() << "expected a view of static shape and strides, "
                                "got "
                             << op->getResult(0).getType();
  if (isa<memref::SubViewOp>(op))
    return lowerSubView(op);
  Value source = get(op->getOperand(0));
  if (auto view = dyn_cast<memref::ViewOp>(op))
    source = advance(source, get(view.getByteShift()));
  // The others change how elements are counted, not where they begin.
  values[op->getResult(0)] = source;
  return success();
}

//===----------------------------------------------------------------------===//
// Objects and order
//===----------------------------------------------------------------------===//

namespace {
/// The groups of an attribute as tables, one entry a rank.
struct GroupTables {
  /// All members, group after group.
  SmallVector<int32_t> members;
  /// Where the rank's group begins in `members`, and its place in the group.
  SmallVector<int32_t> begin, position;
  int64_t groupSize = 1;
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
  tables.groupSize = lists->front().size();
  size_t numRanks = lists->size() * tables.groupSize;
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

Value HostLowering::getRank() {
  if (!rank)
    rank = callPlain("moert_rank", i32Type, context);
  return rank;
}

LogicalResult HostLowering::lowerCommunicator(rt::CommunicatorOp op) {
  FailureOr<GroupTables> tables = getTables(op, op.getGroup(), numRanks);
  if (failed(tables))
    return mlir::failure();
  Value begin = readTable(builder, loc,
                          getConstant(builder.getI32TensorAttr(tables->begin)),
                          getRank());
  Value members = LLVM::GEPOp::create(
      builder, loc, pointerType, i32Type,
      getConstant(builder.getI32TensorAttr(tables->members)),
      ValueRange(begin));
  values[op.getComm()] =
      create("moert_comm_get", {get(op.getStream()), members,
                                i32(tables->groupSize), i64(kDefaultDeadline)});
  return success();
}

LogicalResult HostLowering::lowerGroupRank(rt::GroupRankOp op) {
  FailureOr<GroupTables> tables = getTables(op, op.getGroup(), numRanks);
  if (failed(tables))
    return mlir::failure();
  Value position = readTable(
      builder, loc, getConstant(builder.getI32TensorAttr(tables->position)),
      getRank());
  values[op.getResult()] =
      LLVM::SExtOp::create(builder, loc, i64Type, position);
  return success();
}

LogicalResult HostLowering::lowerObject(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::StreamOp op) {
        values[op.getStream()] =
            create("moert_stream_get",
                   {context, getText(op.getName()), i32(op.getPriority())});
        return success();
      })
      .Case([&](rt::EventOp op) {
        values[op.getEvent()] = create("moert_event_create", {context});
        return success();
      })
      .Case([&](rt::ArenaOp op) {
        int64_t bytes = op.getMemory().getType().getNumElements();
        Value handle = create(
            "moert_buffer_create",
            {context, i64(std::max<int64_t>(bytes, 1)), i32(kDeviceMemory)});
        arenas[op.getMemory()] = handle;
        values[op.getMemory()] =
            callPlain("moert_buffer_data", pointerType, handle);
        return success();
      })
      .Case([&](rt::HostBufferOp op) {
        MemRefType type = op.getMemory().getType();
        int64_t bytes =
            type.getNumElements() * *rt::getElementBytes(type.getElementType());
        // What a stream writes must stay when the function fails and returns.
        if (llvm::any_of(op->getUsers(), llvm::IsaPred<rt::CopyOp>)) {
          Value handle = create(
              "moert_buffer_create",
              {context, i64(std::max<int64_t>(bytes, 1)), i32(kHostMemory)});
          hostBuffers.push_back(handle);
          values[op.getMemory()] =
              callPlain("moert_buffer_data", pointerType, handle);
          return success();
        }
        OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
        Value size = LLVM::ConstantOp::create(top, loc, i64Type, bytes);
        values[op.getMemory()] = LLVM::AllocaOp::create(
            top, loc, pointerType, builder.getI8Type(), size, /*alignment=*/64);
        return success();
      })
      .Case([&](rt::CommunicatorOp op) { return lowerCommunicator(op); })
      .Case([&](rt::GroupRankOp op) { return lowerGroupRank(op); })
      .Case([&](rt::DestroyOp op) {
        Value object = op.getObject();
        if (Value arena = arenas.lookup(object))
          call("moert_buffer_destroy", arena);
        else
          call("moert_event_destroy", get(object));
        return success();
      });
}

LogicalResult HostLowering::lowerOrder(Operation *op) {
  if (auto record = dyn_cast<rt::RecordOp>(op))
    call("moert_event_record",
         {get(record.getEvent()), get(record.getStream())});
  else if (auto wait = dyn_cast<rt::WaitOp>(op))
    call("moert_stream_wait_event",
         {get(wait.getStream()), get(wait.getEvent())});
  else
    call("moert_stream_synchronize",
         {get(op->getOperand(0)), i64(kDefaultDeadline)});
  return success();
}
