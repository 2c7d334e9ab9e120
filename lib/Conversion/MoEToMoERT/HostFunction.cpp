// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host function under construction.

#include "HostFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace moe;
using schedule::StreamStep;

/// Alignment of the runtime's memory.
static constexpr uint64_t kAlignment = 64;

MemRefType moe::getBufferType(Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type elementType = tensor ? tensor.getElementType() : type;
  auto fail = [&](const Twine &expected) {
    emitError(loc) << "has no buffer at run time: expected " << expected
                   << ", got " << type;
    return MemRefType();
  };
  if (failed(rt::getElementBytes(elementType)))
    return fail("integers of 1 to 8, 16, 32 or 64 bits, floats of 8 to 64 bits "
                "or index");
  if (!tensor)
    return MemRefType::get({}, elementType);
  if (!tensor.hasStaticShape())
    return fail("a static shape");
  if (failed(getTensorBytes(tensor)))
    return fail("a size that fits 63 bits");
  return MemRefType::get(tensor.getShape(), elementType);
}

/// Returns true if another dialect than `moe` and `moert` owns an attribute.
static bool isForeign(NamedAttribute attr) {
  return !isa_and_nonnull<MoEDialect, rt::MoERTDialect>(attr.getNameDialect());
}

HostFunction::HostFunction(func::FuncOp function, StringRef name)
    : builder(function), numInputs(function.getNumArguments()) {
  MLIRContext *context = function.getContext();
  SmallVector<Type> types{rt::ContextType::get(context)};
  SmallVector<Location> locs{function.getLoc()};
  for (BlockArgument argument : function.getArguments()) {
    types.push_back(getBufferType(argument.getLoc(), argument.getType()));
    locs.push_back(argument.getLoc());
  }
  for (Type type : function.getResultTypes()) {
    types.push_back(getBufferType(function.getLoc(), type));
    locs.push_back(function.getLoc());
  }
  host = func::FuncOp::create(builder, function.getLoc(), name,
                              builder.getFunctionType(types, {}));
  host->setAttr(rt::MoERTDialect::getInputsAttrName(),
                builder.getI64IntegerAttr(numInputs));
  for (unsigned i = 0; i < numInputs; ++i)
    if (DictionaryAttr attrs = function.getArgAttrDict(i))
      host.setArgAttrs(i + 1, attrs);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    for (NamedAttribute attr : function.getResultAttrs(i))
      if (isForeign(attr))
        host.setArgAttr(1 + numInputs + i, attr.getName(), attr.getValue());
  for (NamedAttribute attr : function->getDiscardableAttrs())
    if (isForeign(attr))
      host->setDiscardableAttr(attr.getName(), attr.getValue());
  Block *body = &host.getBody().emplaceBlock();
  body->addArguments(types, locs);
  builder.setInsertionPointToStart(body);
  arena = rt::ArenaOp::create(builder, function.getLoc(),
                              MemRefType::get({0}, builder.getI8Type()),
                              body->getArgument(0));
  // Separates objects and launches; erased at the end.
  boundary = arith::ConstantIndexOp::create(builder, function.getLoc(), 0);
  builder.setInsertionPoint(func::ReturnOp::create(builder, function.getLoc()));
}

Place HostFunction::getInput(unsigned index) {
  return {cast<TypedValue<MemRefType>>(host.getArgument(index + 1)),
          std::nullopt};
}

Place HostFunction::getOutput(unsigned index) {
  return {cast<TypedValue<MemRefType>>(host.getArgument(index + 1 + numInputs)),
          std::nullopt};
}

HostStream HostFunction::getStream(StringRef name, ResourceKind resource,
                                   int64_t priority) {
  StringAttr key = builder.getStringAttr(name);
  auto it = streams.find(key);
  if (it != streams.end())
    return it->second;
  OpBuilder top(boundary);
  Value value = rt::StreamOp::create(
      top, host.getLoc(), rt::StreamType::get(top.getContext()),
      host.getArgument(0), name, resource, priority);
  HostStream stream{value, static_cast<unsigned>(streams.size())};
  streams.insert({key, stream});
  return stream;
}

FailureOr<Value> HostFunction::getCommunicator(Operation *op,
                                               GroupAttrInterface group,
                                               HostStream stream) {
  auto lists = group.getRankLists(op);
  if (failed(lists))
    return op->emitOpError() << "expected a group whose ranks can be listed, "
                                "got "
                             << group;
  // Different attributes may name the same ranks, for example with axes of size
  // 1.
  std::vector<int64_t> key{stream.number,
                           static_cast<int64_t>(lists->front().size())};
  for (const auto &members : *lists)
    key.insert(key.end(), members.begin(), members.end());
  Value &comm = comms[key];
  if (comm)
    return comm;
  OpBuilder top(boundary);
  comm = rt::CommunicatorOp::create(
      top, op->getLoc(),
      rt::CommType::get(op->getContext(), lists->front().size()), stream.value,
      group);
  return comm;
}

Value HostFunction::getGroupRank(Location loc, GroupAttrInterface group) {
  Value &rank = groupRanks[group];
  if (!rank) {
    OpBuilder top(boundary);
    rank = rt::GroupRankOp::create(top, loc, top.getIndexType(),
                                   host.getArgument(0), group);
  }
  return rank;
}

Value HostFunction::getIndex(int64_t value) {
  Value &constant = indices[value];
  if (!constant) {
    OpBuilder top(boundary);
    constant = arith::ConstantIndexOp::create(top, host.getLoc(), value);
  }
  return constant;
}

Place HostFunction::createBuffer(Location loc, ArrayRef<int64_t> shape,
                                 Type elementType) {
  OpBuilder top(boundary);
  auto type = MemRefType::get(shape, elementType);
  // One constant per buffer; the planner sets its value.
  auto offset = arith::ConstantIndexOp::create(top, loc, 0);
  offsets.push_back(offset);
  auto view = memref::ViewOp::create(top, loc, type, arena.getMemory(), offset,
                                     ValueRange());
  unsigned number = buffers.size();
  uint64_t bytes = *rt::getElementBytes(elementType);
  for (int64_t size : shape)
    bytes *= size;
  buffers.push_back({bytes, {}});
  return {cast<TypedValue<MemRefType>>(view.getResult()), number};
}

Place HostFunction::createHostBuffer(Location loc, MemRefType type) {
  OpBuilder top(boundary);
  return {cast<TypedValue<MemRefType>>(
              rt::HostBufferOp::create(top, loc, type).getMemory()),
          std::nullopt};
}

void HostFunction::addWork(HostStream stream, ArrayRef<Place> uses) {
  addStep({StreamStep::Kind::Work, stream.number});
  for (const Place &place : uses)
    if (place.buffer)
      buffers[*place.buffer].works.push_back(launches.size());
  launches.push_back(&*std::prev(builder.getInsertionPoint()));
}

void HostFunction::noteAttributes(Operation *op, size_t first) {
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (isForeign(attr))
      for (Operation *launch : ArrayRef(launches).drop_front(first))
        launch->setDiscardableAttr(attr.getName(), attr.getValue());
}

void HostFunction::copy(Location loc, HostStream stream, Place source,
                        Place target) {
  rt::CopyOp::create(builder, loc, stream.value, source.memref, target.memref);
  addWork(stream, {source, target});
}

unsigned HostFunction::record(Location loc, HostStream stream) {
  OpBuilder top(boundary);
  events.push_back(rt::EventOp::create(
      top, loc, rt::EventType::get(top.getContext()), host.getArgument(0)));
  rt::RecordOp::create(builder, loc, events.back(), stream.value);
  unsigned event = events.size() - 1;
  addStep({StreamStep::Kind::Record, stream.number, event});
  return event;
}

void HostFunction::wait(Location loc, HostStream stream, unsigned event) {
  rt::WaitOp::create(builder, loc, stream.value, events[event]);
  addStep({StreamStep::Kind::Wait, stream.number, event});
}

void HostFunction::leaveSms(Location loc, HostStream stream, int64_t sms) {
  rt::LeaveSmsOp::create(builder, loc, stream.value, sms);
}

void HostFunction::await(Location loc, unsigned event) {
  rt::AwaitOp::create(builder, loc, events[event]);
  // A wait in one region of a branch orders nothing in the others.
  if (builder.getInsertionBlock() == &host.getBody().front())
    addStep({StreamStep::Kind::Await, 0, event});
}

schedule::BufferPlan HostFunction::finish() {
  schedule::BufferPlan plan = schedule::planBuffers(
      schedule::HappensBefore(steps), buffers, kAlignment);
  for (auto [constant, offset] : llvm::zip_equal(offsets, plan.offsets))
    cast<arith::ConstantOp>(constant).setValueAttr(
        builder.getIndexAttr(static_cast<int64_t>(offset)));
  if (buffers.empty())
    arena.erase();
  else
    arena.getMemory().setType(MemRefType::get(
        {static_cast<int64_t>(plan.bytes)}, builder.getI8Type()));
  boundary->erase();
  return plan;
}
