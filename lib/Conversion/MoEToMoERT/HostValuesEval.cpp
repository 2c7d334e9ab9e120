// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of streams that the host reads.

#include "HostValuesEval.h"
#include "Bodies.h"
#include "HostValuesProvenance.h"
#include "TaskConverter.h"
#include "moe/Conversion/HostConversion.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;
using schedule::StreamClocks;

/// Returns the plan that a value is one of the results of, all elements in
/// order, with the number of the result; null if there is none.
static std::pair<RaggedPlanOp, unsigned> findPlan(Value value) {
  Value origin = getOrigin(value);
  if (std::optional<SmallVector<HostElement>> elements =
          findHostElements(value)) {
    for (auto [i, element] : llvm::enumerate(*elements))
      if (element.origin != elements->front().origin ||
          element.index != int64_t(i))
        return {};
    if (elements->empty())
      return {};
    origin = elements->front().origin;
    if (cast<RankedTensorType>(origin.getType()).getNumElements() !=
        int64_t(elements->size()))
      return {};
  }
  auto plan = origin.getDefiningOp<RaggedPlanOp>();
  if (!plan)
    return {};
  return {plan, cast<OpResult>(origin).getResultNumber()};
}

/// Returns true if a group has one rank, or there is none.
static bool isAlone(Operation *op, GroupAttrInterface group) {
  if (!group)
    return true;
  FailureOr<int64_t> size = group.getGroupSize(op);
  return succeeded(size) && *size == 1;
}

template <typename OpT> static RaggedPlanOp findCountedPlan(OpT op) {
  if (!op.getRunOffsets() || op.getBiased())
    return {};
  auto [plan, offsets] = findPlan(op.getRunOffsets());
  auto [same, sizes] = findPlan(op.getRunSizes());
  if (!plan || plan != same ||
      plan->getResult(offsets) != plan.getRunOffsets() ||
      plan->getResult(sizes) != plan.getRunSizes() ||
      !isAlone(plan, plan.getGroup()) || !isAlone(plan, plan.getJoinedAttr()))
    return {};
  auto tokens = cast<RankedTensorType>(op.getTokens().getType());
  auto first = cast<RankedTensorType>(op.getExpertsWeights().front().getType());
  Type type = tokens.getElementType();
  auto isOfType = [&](Type other) {
    return getElementTypeOrSelf(other) == type;
  };
  if ((!type.isF16() && !type.isBF16()) || tokens.getShape().back() % 8 != 0 ||
      first.getShape().back() % 8 != 0 ||
      !llvm::all_of(op->getResultTypes(), isOfType) ||
      // All rows of the plan are in the buffer.
      plan.getLimit() > tokens.getDimSize(0) || first.getDimSize(0) == 0)
    return {};
  return plan;
}

/// Returns the one-rank plan whose counts experts read on the device; null if
/// the host reads the runs.
static RaggedPlanOp findCountedPlan(Operation *op) {
  return llvm::TypeSwitch<Operation *, RaggedPlanOp>(op)
      .Case<ExpertsOp, ExpertsDgradOp, ExpertsWgradOp>(
          [](auto op) { return findCountedPlan(op); })
      .Default([](Operation *) { return RaggedPlanOp(); });
}

RaggedPlanOp moe::getCountedPlan(Operation *op) { return findCountedPlan(op); }

SmallVector<Value> moe::getHostOperands(Operation *op) {
  if (const HostConversionInterface *own = getHostConversion(op))
    return own->getHostOperands(op);
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case([](RaggedAllToAllOp op) -> SmallVector<Value> {
        return {op.getSendOffsets(), op.getSendSizes(), op.getRecvOffsets(),
                op.getRecvSizes()};
      })
      .Case([](RaggedPlanOp op) -> SmallVector<Value> {
        return {op.getCounts()};
      })
      .Case(
          [](NodePlanOp op) -> SmallVector<Value> { return {op.getCounts()}; })
      .Case<ExpertsOp, ExpertsDgradOp, ExpertsWgradOp>(
          [](auto op) -> SmallVector<Value> {
            if (!op.getRunOffsets() || findCountedPlan(op))
              return {};
            return {op.getRunOffsets(), op.getRunSizes()};
          })
      .Default([](Operation *op) -> SmallVector<Value> {
        if (TaskConverter::isHostBranch(op))
          return {op->getOperand(0)};
        return {};
      });
}

Value moe::getOrigin(Value value) {
  while (true) {
    value = getLiveOut(value);
    auto hook = value.getDefiningOp<HookOp>();
    if (!hook)
      return value;
    value = hook.getOperand();
  }
}

SmallVector<Value> moe::getReadOrigins(Operation *op) {
  if (isa<RaggedPlanOp, NodePlanOp>(op))
    if (auto part = findPartOfCounts(op->getOperand(0)))
      return {part->front().origin};
  SmallVector<Value> origins;
  for (Value operand : getHostOperands(op))
    llvm::append_range(origins, getHostOrigins(operand));
  return origins;
}

HostValuesEval::HostValuesEval(HostFunction &host, func::FuncOp function)
    : host(host) {
  function.walk([&](Operation *op) {
    if (RaggedPlanOp plan = findCountedPlan(op))
      counted.insert(plan);
    // The host needs counts only if it reads a result of their plan.
    if (!isa<RaggedPlanOp, NodePlanOp>(op))
      need(op);
  });
}

void HostValuesEval::need(Operation *op) {
  for (Value origin : getReadOrigins(op))
    if (needed.insert(origin).second)
      if (Operation *maker = origin.getDefiningOp();
          isa_and_nonnull<RaggedPlanOp, NodePlanOp>(maker))
        need(maker);
}

void HostValuesEval::copy(Location loc, HostStream stream,
                          ArrayRef<std::pair<Value, Place>> values) {
  SmallVector<Value> copied;
  for (auto [value, place] : values) {
    if (!needed.contains(value))
      continue;
    Place memory = host.createHostBuffer(
        loc, MemRefType::get(place.getType().getShape(),
                             place.getType().getElementType()));
    host.copy(loc, stream, place, memory);
    copies[value] = {memory.memref, host.getBuilder().getInsertionBlock(),
                     stream};
    copied.push_back(value);
  }
  if (copied.empty())
    return;
  unsigned event = host.record(loc, stream);
  for (Value value : copied) {
    copies[value].event = event;
    copies[value].works = host.getClocks().getNumWorks(stream.number);
  }
}

void HostValuesEval::define(ValueRange results, ValueRange operands,
                            Maker make) {
  for (auto [i, result] : llvm::enumerate(results))
    definitionOf[result] = {unsigned(definitions.size()), unsigned(i)};
  definitions.push_back({llvm::to_vector(results),
                         llvm::to_vector(operands),
                         std::move(make),
                         {}});
}

LogicalResult HostValuesEval::findCopies(Location loc, Value origin,
                                         SmallVectorImpl<Copy *> &found) {
  if (auto it = definitionOf.find(origin); it != definitionOf.end()) {
    Definition &definition = definitions[it->second.first];
    if (definition.memory.empty())
      for (Value operand : definition.operands)
        if (failed(findCopies(loc, getOrigin(operand), found)))
          return failure();
    return success();
  }
  auto it = copies.find(origin);
  if (it == copies.end())
    return emitError(loc) << "reads numbers that nothing before it makes: "
                          << origin;
  found.push_back(&it->second);
  return success();
}

void HostValuesEval::wait(Location loc, ArrayRef<Copy *> wanted) {
  // Takes the newest event of each stream.
  Block *block = host.getBuilder().getInsertionBlock();
  SmallVector<unsigned> events;
  for (const Copy *copy : wanted) {
    if (copy->isReady)
      continue;
    unsigned newest = copy->event;
    for (const auto &[value, other] : copies)
      if (other.block == block && other.stream.number == copy->stream.number)
        newest = std::max(newest, other.event);
    events.push_back(newest);
  }
  llvm::sort(events, std::greater<>());
  for (unsigned event : events) {
    // This event may follow the copies of other streams, too.
    if (llvm::all_of(wanted, [](const Copy *copy) { return copy->isReady; }))
      return;
    host.await(loc, event);
    const StreamClocks::Clock &reached = host.getClocks().getEvent(event);
    for (auto &[value, copy] : copies)
      if (copy.block == block &&
          StreamClocks::hasEnded(reached, copy.stream.number, copy.works))
        copy.isReady = true;
  }
}

FailureOr<Value> HostValuesEval::get(Value origin) {
  auto it = definitionOf.find(origin);
  if (it == definitionOf.end())
    return copies.find(origin)->second.memory;
  auto [number, result] = it->second;
  if (definitions[number].memory.empty()) {
    SmallVector<Value> operands;
    for (Value operand : definitions[number].operands) {
      FailureOr<Value> memory = get(getOrigin(operand));
      if (failed(memory))
        return failure();
      operands.push_back(*memory);
    }
    FailureOr<SmallVector<Value>> made = definitions[number].make(operands);
    if (failed(made))
      return failure();
    definitions[number].memory = *made;
  }
  return definitions[number].memory[result];
}

FailureOr<SmallVector<Value>> HostValuesEval::read(Location loc,
                                                   ValueRange values) {
  SmallVector<Copy *> wanted;
  for (Value value : values)
    if (failed(findCopies(loc, getOrigin(value), wanted)))
      return failure();
  wait(loc, wanted);
  SmallVector<Value> memory;
  for (Value value : values) {
    FailureOr<Value> own = get(getOrigin(value));
    if (failed(own))
      return failure();
    memory.push_back(*own);
  }
  return memory;
}

LogicalResult HostValuesEval::readBefore(Location loc, Operation *branch) {
  SmallVector<Value> values;
  branch->walk([&](Operation *op) {
    for (Value origin : getReadOrigins(op))
      if (Operation *maker = origin.getDefiningOp();
          isNeeded(origin) && (!maker || !branch->isProperAncestor(maker)))
        values.push_back(origin);
  });
  return read(loc, values);
}

void HostValuesEval::finishBlock(Location loc) {
  Block *block = host.getBuilder().getInsertionBlock();
  SmallVector<Copy *> left;
  for (auto &[value, copy] : copies)
    if (copy.block == block && !copy.isReady)
      left.push_back(&copy);
  wait(loc, left);
}
