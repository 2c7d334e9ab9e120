//===- EmitObjects.cpp - Objects, order and switches as calls ---*- C++ -*-===//
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

Value HostEmitter::getRank() {
  if (!rank)
    rank = callPlain("moert_rank", i32Type, context);
  return rank;
}

LogicalResult HostEmitter::emitCommunicator(rt::CommunicatorOp op) {
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
  values[op.getComm()] = create(
      "moert_comm_get", {get(op.getStream()), members, i32(tables->groupSize),
                         i64(MOERT_DEADLINE_DEFAULT)});
  return success();
}

LogicalResult HostEmitter::emitGroupRank(rt::GroupRankOp op) {
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

LogicalResult HostEmitter::emitObject(Operation *op) {
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
        Value handle = create("moert_buffer_create",
                              {context, i64(std::max<int64_t>(bytes, 1)),
                               i32(MOERT_MEMORY_DEVICE)});
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
          Value handle = create("moert_buffer_create",
                                {context, i64(std::max<int64_t>(bytes, 1)),
                                 i32(MOERT_MEMORY_HOST)});
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
      .Case([&](rt::CommunicatorOp op) { return emitCommunicator(op); })
      .Case([&](rt::GroupRankOp op) { return emitGroupRank(op); })
      .Case([&](rt::DestroyOp op) {
        Value object = op.getObject();
        if (Value arena = arenas.lookup(object))
          call("moert_buffer_destroy", arena);
        else
          call("moert_event_destroy", get(object));
        return success();
      });
}

LogicalResult HostEmitter::emitOrder(Operation *op) {
  if (auto record = dyn_cast<rt::RecordOp>(op))
    call("moert_event_record",
         {get(record.getEvent()), get(record.getStream())});
  else if (auto wait = dyn_cast<rt::WaitOp>(op))
    call("moert_stream_wait_event",
         {get(wait.getStream()), get(wait.getEvent())});
  else
    call("moert_stream_synchronize",
         {get(op->getOperand(0)), i64(MOERT_DEADLINE_DEFAULT)});
  return success();
}

//===----------------------------------------------------------------------===//
// Optical switches
//===----------------------------------------------------------------------===//

LogicalResult HostEmitter::emitOcs(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::OcsSwitchOp op) {
        values[op.getDevice()] =
            create("moert_ocs_find",
                   {context, getText(op.getName()), i32(op.getController())});
        return success();
      })
      .Case([&](rt::OcsConfigureOp op) {
        auto circuits = cast<DenseIntElementsAttr>(op.getCircuits());
        // Pairs of moert_ocs_circuit are pairs of 32-bit integers.
        int64_t count = circuits.getNumElements() / 2;
        auto ports = circuits.reshape(
            RankedTensorType::get({2 * count}, circuits.getElementType()));
        Value pairs = count == 0
                          ? null()
                          : getConstant(cast<DenseIntElementsAttr>(ports));
        values[op.getChange()] = create(
            "moert_ocs_configure", {get(op.getDevice()), pairs, i32(count)});
        return success();
      })
      .Case([&](rt::OcsAwaitOp op) {
        Value change = get(op.getChange());
        // Until the change has ended by itself.
        call("moert_ocs_await", {change, i64(MOERT_DEADLINE_DEFAULT)});
        call("moert_ocs_change_destroy", change);
        return success();
      });
}
