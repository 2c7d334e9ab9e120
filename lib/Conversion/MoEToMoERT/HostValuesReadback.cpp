// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers the host reads while it launches.

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

/// The rank's position in the group that plans are joined with, 0 without one.
template <typename PlanOp>
static Value getJoinedPosition(HostFunction &host, PlanOp op) {
  return op.getJoined() ? host.getGroupRank(op.getLoc(), op.getJoinedAttr())
                        : host.getIndex(0);
}

/// The ranks at all positions of two groups: of the first position of `outer`
/// those of `inner`, then of the second, and so on. Emits an error and fails
/// where nobody can list them.
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
    // Once for all groups across that join the same ones.
    if (groups[members.front()].front() == members.front())
      for (int64_t rank : members)
        llvm::append_range(ranks, groups[rank]);
  int64_t size = across->front().size() * inside->front().size();
  auto type = RankedTensorType::get({int64_t(ranks.size()) / size, size},
                                    IntegerType::get(op->getContext(), 64));
  return GroupAttrInterface(ReplicaGroupsAttr::get(
      op->getContext(), DenseIntElementsAttr::get(type, ranks)));
}

/// Makes the op of the runtime that writes the results of a plan into `out`.
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

static LogicalResult createPlan(HostFunction &host, ocs::DelegatesOp op,
                                Value counts, ArrayRef<Value> out) {
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  Location loc = op.getLoc();
  Value position = host.getGroupRank(loc, fabric.getRegionGroup());
  rt::OcsDelegatesOp::create(
      host.getBuilder(), loc, host.getFunction().getArgument(0), counts,
      position, fabric.getNumServers(), fabric.getOptical(), fabric.getEps(),
      fabric.getRouting() == ocs::Routing::Exclusive, op.getNuma(), out[0],
      out[1], out[2], out[3]);
  return success();
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
    if (failed(createPlan(host, op, operands.front(), results)))
      return failure();
    return results;
  };
  counts.define(op->getResults(), op.getCounts(), make);
}

template void TaskConverter::convertPlan(RaggedPlanOp op);
template void TaskConverter::convertPlan(NodePlanOp op);
template void TaskConverter::convertPlan(ocs::DelegatesOp op);

/// Fills a function that adds counts [G, E] up to the demand [N, N] of servers.
static void fillDemand(func::FuncOp function, int64_t bytes) {
  Block *body = function.addEntryBlock();
  auto builder = OpBuilder::atBlockBegin(body);
  Location loc = function.getLoc();
  Value counts = body->getArgument(0), demand = body->getArgument(1);
  auto type = cast<MemRefType>(counts.getType());
  int64_t ranks = type.getDimSize(0), experts = type.getDimSize(1),
          servers = cast<MemRefType>(demand.getType()).getDimSize(0);
  auto getIndex = [&](int64_t index) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, index);
  };
  Value zero = getIndex(0), one = getIndex(1);
  // What is inside stands at the builder's place until the loop's end.
  auto enter = [&](int64_t count) {
    auto loop = scf::ForOp::create(builder, loc, zero, getIndex(count), one);
    builder.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  };
  auto i64 = builder.getI64Type();
  Value none = arith::ConstantIntOp::create(builder, loc, i64, 0);
  Value factor = arith::ConstantIntOp::create(builder, loc, i64, bytes);
  {
    OpBuilder::InsertionGuard guard(builder);
    Value i = enter(servers), j = enter(servers);
    memref::StoreOp::create(builder, loc, none, demand, ValueRange{i, j});
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    Value rank = enter(ranks), expert = enter(experts);
    Value from =
        arith::DivUIOp::create(builder, loc, rank, getIndex(ranks / servers));
    Value to = arith::DivUIOp::create(builder, loc, expert,
                                      getIndex(experts / servers));
    Value count =
        memref::LoadOp::create(builder, loc, counts, ValueRange{rank, expert});
    count = widen(builder, loc, count);
    Value own = arith::MulIOp::create(builder, loc, count, factor);
    Value sum =
        memref::LoadOp::create(builder, loc, demand, ValueRange{from, to});
    sum = arith::AddIOp::create(builder, loc, sum, own);
    memref::StoreOp::create(builder, loc, sum, demand, ValueRange{from, to});
  }
  func::ReturnOp::create(builder, loc);
}

void TaskConverter::convertDemand(ocs::DemandOp op) {
  auto make =
      [this,
       op](ArrayRef<Value> operands) mutable -> FailureOr<SmallVector<Value>> {
    Location loc = op.getLoc();
    MemRefType type = getBufferType(loc, op.getDemand().getType());
    if (!type)
      return failure();
    Value made = host.createHostBuffer(loc, type).memref;
    OpBuilder outside(host.getFunction());
    auto function = func::FuncOp::create(
        outside, loc, host.getFunction().getSymName().str() + "_demand",
        outside.getFunctionType({operands.front().getType(), type}, {}));
    function.setPrivate();
    fillDemand(function, op.getBytes());
    symbols.insert(function);
    rt::CallOp::create(host.getBuilder(), loc, function.getSymName(),
                       operands.front(), made);
    return SmallVector<Value>{made};
  };
  counts.define(op.getDemand(), op.getCounts(), make);
}

void TaskConverter::convertRecall(ocs::RecallOp op) {
  auto make =
      [this,
       op](ArrayRef<Value> operands) mutable -> FailureOr<SmallVector<Value>> {
    Location loc = op.getLoc();
    MemRefType type = getBufferType(loc, op.getSum().getType());
    if (!type)
      return failure();
    Value made = host.createHostBuffer(loc, type).memref;
    auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
    rt::OcsRecallOp::create(host.getBuilder(), loc, host.getRegion(fabric),
                            op.getKeyAttr(), operands.front(), op.getTimes(),
                            made);
    return SmallVector<Value>{made};
  };
  counts.define(op.getSum(), op.getDemand(), make);
}

void TaskConverter::refuseAsNumbers(Operation *op) {
  auto refuse = [op](ArrayRef<Value>) -> FailureOr<SmallVector<Value>> {
    return op->emitOpError() << "cannot be put on a stream: expected circuits "
                                "that are changed to and routed over only";
  };
  counts.define(op->getResults(), op->getOperands(), refuse);
}

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
