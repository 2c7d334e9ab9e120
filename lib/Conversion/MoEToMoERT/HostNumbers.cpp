//===- HostNumbers.cpp - Numbers the host reads while it launches ---------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "HostElements.h"
#include "TaskConverter.h"

using namespace mlir;
using namespace moe;

FailureOr<Value> TaskConverter::computeOnHost(Value value) {
  Value &buffer = hostBuffers[value];
  if (buffer)
    return buffer;
  MemRefType type = getBufferType(loc, value.getType());
  if (!type)
    return failure();
  std::string symbol = host.getFunction().getSymName().str() + "_numbers";
  FailureOr<OutlinedBody> body =
      outline(host.getFunction(), symbol, loc, /*ops=*/{}, value);
  if (failed(body))
    return failure();
  symbols.insert(body->function);
  OpBuilder &builder = host.getBuilder();
  buffer = rt::HostBufferOp::create(builder, loc, type);
  SmallVector<Value> inputs;
  for (GroupAttrInterface group : body->groups)
    inputs.push_back(host.getGroupRank(loc, group));
  rt::CallOp::create(builder, loc, body->function.getSymName(), inputs, buffer);
  return buffer;
}

/// Makes the op of the runtime that writes the results of a plan into `out`.
static void createPlan(HostFunction &host, RaggedPlanOp op, Value counts,
                       ArrayRef<Value> out) {
  Location loc = op.getLoc();
  Value position = host.getGroupRank(loc, op.getGroup());
  Value joined = op.getJoined() ? host.getGroupRank(loc, op.getJoinedAttr())
                                : host.getIndex(0);
  rt::RaggedPlanOp::create(host.getBuilder(), loc,
                           host.getFunction().getArgument(0), counts, position,
                           joined, op.getLimit(), out[0], out[1], out[2],
                           out[3], out[4], out[5]);
}

static void createPlan(HostFunction &host, NodePlanOp op, Value counts,
                       ArrayRef<Value> out) {
  Location loc = op.getLoc();
  Value node = host.getGroupRank(loc, op.getGroup());
  Value place = host.getGroupRank(loc, op.getInside());
  rt::NodePlanOp::create(
      host.getBuilder(), loc, host.getFunction().getArgument(0), counts, node,
      place, op.getNodeLimit(), op.getLimit(), out[0], out[1], out[2], out[3],
      out[4], out[5], out[6], out[7], out[8], out[9]);
}

template <typename PlanOp> void TaskConverter::convertPlan(PlanOp op) {
  auto make =
      [this,
       op](ArrayRef<Value> operands) mutable -> FailureOr<SmallVector<Value>> {
    Location loc = op.getLoc();
    SmallVector<Value> results;
    for (Value result : op->getResults()) {
      MemRefType type = getBufferType(loc, result.getType());
      if (!type)
        return failure();
      // As the runtime takes them: nobody but the host reads them.
      type = MemRefType::get(type.getShape(), host.getBuilder().getI64Type());
      results.push_back(host.createHostBuffer(loc, type).memref);
    }
    createPlan(host, op, operands.front(), results);
    return results;
  };
  counts.define(op->getResults(), op.getCounts(), make);
}

template void TaskConverter::convertPlan(RaggedPlanOp op);
template void TaskConverter::convertPlan(NodePlanOp op);

bool TaskConverter::convertMovedNumbers(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  std::optional<SmallVector<HostElement>> elements = findHostElements(result);
  if (!elements)
    return false;
  SmallVector<Value> origins = getHostOrigins(result);
  auto make = [this, result, origins, elements = std::move(*elements)](
                  ArrayRef<Value> memory) -> FailureOr<SmallVector<Value>> {
    auto getMemory = [&](Value origin) -> FailureOr<Value> {
      const Value *place = llvm::find(origins, origin);
      return place == origins.end() ? computeOnHost(origin)
                                    : memory[place - origins.begin()];
    };
    FailureOr<Value> made =
        gatherHostElements(host, symbols, result, elements, getMemory);
    if (failed(made))
      return failure();
    return SmallVector<Value>{*made};
  };
  counts.define(result, origins, make);
  return true;
}

FailureOr<SmallVector<Value>> TaskConverter::readOnHost(ValueRange values) {
  SmallVector<Value> memory(values.size()), ofStreams;
  for (auto [value, own] : llvm::zip_equal(values, memory)) {
    Value origin = getOrigin(value);
    if (!isHostValue(origin)) {
      ofStreams.push_back(origin);
      continue;
    }
    FailureOr<Value> buffer = computeOnHost(origin);
    if (failed(buffer))
      return failure();
    own = *buffer;
  }
  FailureOr<SmallVector<Value>> read = counts.read(loc, ofStreams);
  if (failed(read))
    return failure();
  auto next = read->begin();
  for (Value &own : memory)
    if (!own)
      own = *next++;
  return memory;
}

void TaskConverter::copyForHost(ValueRange values) {
  SmallVector<std::pair<Value, Place>> made;
  for (Value value : values)
    if (auto it = places.find(value); it != places.end())
      made.emplace_back(value, it->second);
  counts.copy(loc, stream, made);
}
