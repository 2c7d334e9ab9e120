// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host values that are read during the launch.

#include "Bodies.h"
#include "HostValuesProvenance.h"
#include "TaskConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

/// Returns the rank's position in the group that plans are joined with; 0
/// without one.
template <typename PlanOp>
static Value getJoinedPosition(HostFunction &host, PlanOp op) {
  return op.getJoined() ? host.getGroupRank(op.getLoc(), op.getJoinedAttr())
                        : host.getIndex(0);
}

/// Returns a group with the ranks at all positions of two groups: first the
/// members of `inner` for the first position in `outer`, then for the second,
/// and so on. Emits an error and fails if the groups cannot be listed.
static FailureOr<GroupAttrInterface>
joinGroups(Operation *op, GroupAttrInterface outer, GroupAttrInterface inner) {
  auto slow = dyn_cast<GroupAttr>(outer), fast = dyn_cast<GroupAttr>(inner);
  if (slow && fast && slow.getMesh() == fast.getMesh()) {
    SmallVector<StringRef> names = *outer.getAxisNames();
    llvm::append_range(names, *inner.getAxisNames());
    return GroupAttrInterface(GroupAttr::get(fast.getMesh(), names));
  }
  auto across = outer.getRankLists(op), inside = inner.getRankLists(op);
  if (failed(across) || failed(inside))
    return op->emitOpError() << "expected groups whose ranks can be listed, "
                                "got "
                             << outer << " and " << inner;
  llvm::DenseMap<int64_t, ArrayRef<int64_t>> groups;
  for (const auto &members : *inside)
    for (int64_t rank : members)
      groups[rank] = members;
  SmallVector<int64_t> ranks;
  for (const auto &members : *across)
    // Adds each joined group only once.
    if (groups[members.front()].front() == members.front())
      for (int64_t rank : members)
        llvm::append_range(ranks, groups[rank]);
  int64_t size = across->front().size() * inside->front().size();
  auto type = RankedTensorType::get({int64_t(ranks.size()) / size, size},
                                    IntegerType::get(op->getContext(), 64));
  return GroupAttrInterface(ReplicaGroupsAttr::get(
      op->getContext(), DenseIntElementsAttr::get(type, ranks)));
}

/// Creates the runtime op that writes the results of a plan to `out`.
static LogicalResult createPlan(HostFunction &host, RaggedPlanOp op,
                                Value counts, ArrayRef<Value> out) {
  Location loc = op.getLoc();
  FailureOr<GroupAttrInterface> members = op.getGroup();
  if (GroupAttrInterface joined = op.getJoinedAttr())
    members = joinGroups(op, joined, op.getGroup());
  if (failed(members))
    return failure();
  Value position = host.getGroupRank(loc, op.getGroup());
  Value joined = getJoinedPosition(host, op);
  rt::RaggedPlanOp::create(host.getBuilder(), loc,
                           host.getFunction().getArgument(0), counts, *members,
                           position, joined, op.getLimit(), out[0], out[1],
                           out[2], out[3], out[4], out[5]);
  return success();
}

static LogicalResult createPlan(HostFunction &host, NodePlanOp op, Value counts,
                                ArrayRef<Value> out) {
  Location loc = op.getLoc();
  FailureOr<GroupAttrInterface> members =
      joinGroups(op, op.getGroup(), op.getInside());
  if (GroupAttrInterface outer = op.getJoinedAttr();
      outer && succeeded(members))
    members = joinGroups(op, outer, *members);
  if (failed(members))
    return failure();
  Value node = host.getGroupRank(loc, op.getGroup());
  Value place = host.getGroupRank(loc, op.getInside());
  Value joined = getJoinedPosition(host, op);
  rt::NodePlanOp::create(
      host.getBuilder(), loc, host.getFunction().getArgument(0), counts,
      *members, node, place, joined, op.getNodeLimit(), op.getLimit(), out[0],
      out[1], out[2], out[3], out[4], out[5], out[6], out[7], out[8], out[9]);
  return success();
}

void TaskConverter::createKnownCounts(RaggedPlanOp op) {
  Location location = op.getLoc();
  OpBuilder &builder = host.getBuilder();
  auto counts = cast<RankedTensorType>(op.getCounts().getType());
  auto type = MemRefType::get({counts.getShape().back()}, builder.getI64Type());
  Value memory = host.createHostBuffer(location, type).memref;
  OpBuilder outside(host.getFunction());
  auto function = func::FuncOp::create(
      outside, location, host.getFunction().getSymName().str() + "_numbers",
      builder.getFunctionType(type, {}));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  auto inside = OpBuilder::atBlockBegin(body);
  Value unknown = arith::ConstantIntOp::create(inside, location, -1, 64);
  Value first = arith::ConstantIndexOp::create(inside, location, 0);
  memref::StoreOp::create(inside, location, unknown, body->getArgument(0),
                          first);
  func::ReturnOp::create(inside, location);
  symbols.insert(function);
  rt::CallOp::create(builder, location, function.getSymName(), ValueRange(),
                     memory);
  knownCounts[op] = memory;
}

template <typename PlanOp> void TaskConverter::convertPlan(PlanOp op) {
  if constexpr (std::is_same_v<PlanOp, RaggedPlanOp>)
    if (counts.hasCountedRows(op))
      createKnownCounts(op);
  Value whole = op.getCounts();
  std::optional<SmallVector<HostElement>> part = findPartOfCounts(whole);
  if (part)
    whole = part->front().origin;
  auto make =
      [this, op, part = std::move(part)](
          ArrayRef<Value> operands) mutable -> FailureOr<SmallVector<Value>> {
    Location loc = op.getLoc();
    FailureOr<Value> counts = operands.front();
    if (part)
      counts = gatherHostElements(host, symbols, op.getCounts(), *part,
                                  [&](Value) { return counts; });
    if (failed(counts))
      return failure();
    SmallVector<Value> results;
    for (Value result : op->getResults()) {
      MemRefType type = getBufferType(loc, result.getType());
      if (!type)
        return failure();
      // 64-bit integers, as the runtime expects. Only the host reads them.
      type = MemRefType::get(type.getShape(), host.getBuilder().getI64Type());
      results.push_back(host.createHostBuffer(loc, type).memref);
    }
    if (failed(createPlan(host, op, *counts, results)))
      return failure();
    return results;
  };
  counts.define(op->getResults(), whole, make);
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
