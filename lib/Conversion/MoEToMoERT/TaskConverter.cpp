// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of a task's ops to work on a stream.

#include "TaskConverter.h"
#include "Bodies.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/ExtensionDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Places of values
//===----------------------------------------------------------------------===//

Value TaskConverter::resolve(Value value) const {
  while (Value other = aliases.lookup(value))
    value = other;
  return value;
}

FailureOr<Place> TaskConverter::getView(Value value) {
  value = resolve(value);
  auto it = places.find(value);
  if (it != places.end())
    return it->second;
  if (counts.isDefined(value))
    return emitError(loc) << "cannot be put on a stream: expected values of "
                             "streams, got one the host computes: "
                          << value;
  if (!isHostValue(value))
    return emitError(loc) << "uses a value that nothing before it makes: "
                          << value;
  // Values that the host knows are written where they are needed, because
  // another task would have to wait for them.
  FailureOr<Place> place = createResult(value);
  if (failed(place))
    return failure();
  places[value] = *place;
  LogicalResult written = convertBody({}, value);
  places.erase(value);
  if (failed(written))
    return failure();
  return *place;
}

Place TaskConverter::makeContiguous(Place place) {
  if (rt::isContiguous(place.getType()))
    return place;
  Place copy = host.createBuffer(loc, place.getType().getShape(),
                                 place.getType().getElementType());
  host.copy(loc, stream, place, copy);
  return copy;
}

Place TaskConverter::makePlain(Place place) {
  auto plain = MemRefType::get(place.getType().getShape(),
                               place.getType().getElementType());
  if (place.isPlain()) {
    // A layout attribute may be an explicit identity.
    if (place.getType() != plain)
      place.memref = cast<TypedValue<MemRefType>>(
          memref::CastOp::create(host.getBuilder(), loc, plain, place.memref)
              .getResult());
    return place;
  }
  Place copy = host.createBuffer(loc, place.getType().getShape(),
                                 place.getType().getElementType());
  host.copy(loc, stream, place, copy);
  return copy;
}

FailureOr<Place> TaskConverter::getContiguous(Value value) {
  FailureOr<Place> place = getView(value);
  if (failed(place))
    return failure();
  return makeContiguous(*place);
}

FailureOr<Place> TaskConverter::getPlain(Value value) {
  FailureOr<Place> place = getView(value);
  if (failed(place))
    return failure();
  Place plain = makePlain(*place);
  // Later readers use the same copy.
  if (auto it = places.find(resolve(value)); it != places.end())
    it->second = plain;
  return plain;
}

FailureOr<Place> TaskConverter::createResult(Value result) {
  auto target = targets.find(result);
  if (target != targets.end())
    return target->second;
  MemRefType type = getBufferType(loc, result.getType());
  if (!type)
    return failure();
  return host.createBuffer(loc, type.getShape(), type.getElementType());
}

Value TaskConverter::createHostBuffer(Location at, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    memref = getBufferType(at, type);
  return memref ? host.createHostBuffer(at, memref).memref : Value();
}

LogicalResult TaskConverter::copyTo(Value value, Place target,
                                    HostStream onStream) {
  stream = onStream;
  // The copy belongs to the function, not to the last task.
  loc = host.getFunction().getLoc();
  FailureOr<Place> place = getView(value);
  if (failed(place))
    return failure();
  if (place->memref != target.memref)
    host.copy(loc, stream, *place, target);
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns true for ops that this project lowers itself; all others are
/// outlined into bodies.
static bool hasOwnVariant(Operation *op) {
  const HostConversionInterface *own = getHostConversion(op);
  return isa_and_nonnull<MoEDialect>(op->getDialect()) ||
         (own && own->isComputed(op));
}

LogicalResult TaskConverter::verifyBodyOp(Operation *op) {
  WalkResult walk = op->walk([&](Operation *nested) {
    InFlightDiagnostic diag =
        nested->emitOpError("cannot be put on a stream: ");
    if (!nested->isRegistered())
      diag << "no registered dialect says what it does";
    else if (isa<CallOpInterface>(nested))
      diag << "expected calls to be inlined";
    else if (const ExtensionDialectInterface *extension = getExtension(nested))
      diag << extension->getPlacement();
    else if (isa_and_nonnull<MoEDialect>(nested->getDialect()) &&
             !isa<GroupRankOp>(nested))
      diag << "expected ops of the moe dialect outside of loops, unless "
              "moe-schedule unrolls them, and in branches only of scf.if and "
              "scf.index_switch, got one in "
           << op->getName();
    else if (!isMemoryEffectFree(nested) &&
             !nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      diag << "expected an op without side effects";
    else {
      diag.abandon();
      return WalkResult::advance();
    }
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult TaskConverter::convert(ArrayRef<Operation *> ops,
                                     HostStream onStream, StringRef taskName) {
  stream = onStream;
  name = taskName.str();
  SmallVector<Operation *> run;
  auto flush = [&]() -> LogicalResult {
    if (run.empty())
      return success();
    llvm::SmallPtrSet<Operation *, 8> own(run.begin(), run.end());
    SmallVector<Value> outputs;
    for (Operation *op : run)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return llvm::none_of(
                  own, [&](Operation *mine) { return mine->isAncestor(user); });
            }))
          outputs.push_back(result);
    SmallVector<Location> locs;
    for (Operation *op : run)
      locs.push_back(op->getLoc());
    loc = FusedLoc::get(run.front()->getContext(), locs);
    SmallVector<Operation *> body(run);
    run.clear();
    for (Value output : outputs) {
      FailureOr<Place> place = createResult(output);
      if (failed(place))
        return failure();
      places[output] = *place;
    }
    // Ops without effects are dropped if their results have no uses.
    if (!outputs.empty() && failed(convertBody(body, outputs)))
      return failure();
    copyForHost(outputs);
    return success();
  };
  for (Operation *op : ops) {
    if (op->getNumResults() == 1 && isHostValue(op->getResult(0)))
      continue;
    if (convertMovedNumbers(op))
      continue;
    if (!hasOwnVariant(op) && !isView(op) && !isHostBranch(op)) {
      if (failed(verifyBodyOp(op)))
        return failure();
      run.push_back(op);
      continue;
    }
    if (failed(flush()))
      return failure();
    loc = op->getLoc();
    size_t before = host.getNumLaunches();
    if (failed(convertOp(op)))
      return failure();
    if (!isa<LayerOp>(op) && !isHostBranch(op))
      host.noteAttributes(op, before);
    copyForHost(op->getResults());
  }
  return flush();
}

LogicalResult TaskConverter::convertBody(ArrayRef<Operation *> ops,
                                         ArrayRef<Value> outputs) {
  std::string label = ops.empty() ? "constant" : name;
  std::string symbol = host.getFunction().getSymName().str() + "_";
  for (char c : label)
    symbol += llvm::isAlnum(c) ? c : '_';
  FailureOr<OutlinedBody> body =
      outline(host.getFunction(), symbol, loc, ops, outputs);
  if (failed(body))
    return failure();
  symbols.insert(body->function);
  SmallVector<Value> inputs, results;
  SmallVector<Place> uses;
  for (Value input : body->inputs) {
    FailureOr<Place> place = getPlain(input);
    if (failed(place))
      return failure();
    inputs.push_back(place->memref);
    uses.push_back(*place);
  }
  for (GroupAttrInterface group : body->groups)
    inputs.push_back(host.getGroupRank(loc, group));
  for (Value output : outputs) {
    results.push_back(places.at(output).memref);
    uses.push_back(places.at(output));
  }
  rt::LaunchFuncOp::create(host.getBuilder(), loc, stream.value, label,
                           body->function.getSymName(), inputs, results);
  host.addWork(stream, uses);
  return success();
}

/// Returns true if all results are tensors without elements.
static bool makesNothing(Operation *op) {
  return op->getNumResults() != 0 &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && tensor.hasStaticShape() &&
                  tensor.getNumElements() == 0;
         });
}

LogicalResult TaskConverter::convertOp(Operation *op) {
  // Empty tensors are equal on all ranks, so no rank waits here. The sizes of a
  // ragged exchange are still checked.
  if (!isa<LayerOp, RaggedAllToAllOp>(op) && makesNothing(op)) {
    for (Value result : op->getResults()) {
      FailureOr<Place> place = createResult(result);
      if (failed(place))
        return failure();
      places[result] = *place;
    }
    return success();
  }
  if (isView(op))
    return convertView(op);
  if (isHostBranch(op))
    return convertBranch(op);
  if (const HostConversionInterface *own = getHostConversion(op)) {
    own->define(op, *this);
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](CollectiveOpInterface op) { return convertCollective(op); })
      .Case([&](DropOp op) { return convertDrop(op); })
      .Case([&](AssembleOp op) { return convertAssemble(op); })
      .Case<RaggedPlanOp, NodePlanOp>([&](auto op) {
        convertPlan(op);
        return success();
      })
      .Case([&](HookOp op) {
        setAlias(op.getResult(), op.getOperand());
        return success();
      })
      .Case([&](LayerOp layer) -> LogicalResult {
        SmallVector<Operation *> nested;
        Block &body = layer.getBody().front();
        for (Operation &inner : body.without_terminator())
          nested.push_back(&inner);
        if (failed(convert(nested, stream, name)))
          return failure();
        for (auto [result, value] : llvm::zip_equal(
                 layer.getResults(), body.getTerminator()->getOperands())) {
          if (counts.isDefined(value))
            continue;
          FailureOr<Place> place = getPlain(value);
          if (failed(place))
            return failure();
          places[result] = *place;
        }
        return success();
      })
      .Default([&](Operation *op) -> LogicalResult {
        if (const KernelTable::Form *form = kernels.find(op))
          return convertKernel(op, *form);
        StringRef expected =
            op->getParentOfType<TaskOp>()
                ? "tasks of ops that compiled code has a form of, got one "
                  "that only the interpreter executes"
                : "a function that moe-schedule has scheduled";
        return op->emitOpError()
               << "cannot be put on a stream: expected " << expected;
      });
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Returns true if an exchange computed a value with a single reader, through
/// any regions.
static bool isReceivedForOne(Value value) {
  while (value.hasOneUse()) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return false;
    Operation *op = result.getOwner();
    if (isa<RaggedAllToAllOp>(op))
      return true;
    if (!isa<ScheduleOp, TaskOp, LayerOp>(op))
      return false;
    Operation *yield = op->getRegion(0).front().getTerminator();
    value = yield->getOperand(result.getResultNumber());
  }
  return false;
}

FailureOr<Place> TaskConverter::createReceived(RaggedAllToAllOp op) {
  // Rows of an empty tensor that are not written are undefined.
  if (op.getInit().getDefiningOp<tensor::EmptyOp>())
    return createResult(op.getResult());
  FailureOr<Place> init = getView(op.getInit());
  if (failed(init))
    return failure();
  // If only this exchange adds rows to a buffer, it can write in place.
  if (isReceivedForOne(op.getInit()) && init->buffer && init->isPlain() &&
      !targets.contains(op.getResult()))
    return init;
  FailureOr<Place> result = createResult(op.getResult());
  if (succeeded(result))
    host.copy(loc, stream, *init, *result);
  return result;
}

LogicalResult TaskConverter::convertRagged(RaggedAllToAllOp op, Value comm) {
  FailureOr<Place> source = getContiguous(op.getOperand());
  FailureOr<Place> result = createReceived(op);
  if (failed(source) || failed(result))
    return failure();
  SmallVector<Place> uses{*source, *result};
  FailureOr<SmallVector<Value>> sizes = readOnHost(getHostOperands(op));
  if (failed(sizes))
    return failure();
  rt::RaggedAllToAllOp::create(host.getBuilder(), loc, comm, source->memref,
                               result->memref, (*sizes)[0], (*sizes)[1],
                               (*sizes)[2], (*sizes)[3]);
  host.addWork(stream, uses);
  places[op.getResult()] = *result;
  return success();
}

LogicalResult TaskConverter::convertCollective(CollectiveOpInterface op) {
  if (failed(verifyContiguous(op)))
    return failure();
  OpBuilder &builder = host.getBuilder();
  FailureOr<Value> comm = host.getCommunicator(op, op.getGroup(), stream);
  if (failed(comm))
    return failure();
  if (auto ragged = dyn_cast<RaggedAllToAllOp>(op.getOperation()))
    return convertRagged(ragged, *comm);

  FailureOr<Place> send = getContiguous(op->getOperand(0));
  FailureOr<Place> result = createResult(op->getResult(0));
  if (failed(send) || failed(result))
    return failure();
  places[op->getResult(0)] = *result;
  Value from = send->memref, to = result->memref;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](AllToAllOp op) {
        rt::AllToAllOp::create(builder, loc, *comm, from, to);
      })
      .Case([&](AllGatherOp op) {
        rt::AllGatherOp::create(builder, loc, *comm, from, to);
      })
      .Case([&](ReduceScatterOp op) {
        rt::ReduceScatterOp::create(builder, loc, *comm, from, to,
                                    op.getReduction());
      })
      .Case([&](AllReduceOp op) {
        rt::AllReduceOp::create(builder, loc, *comm, from, to,
                                op.getReduction());
      });
  host.addWork(stream, {*send, *result});
  return success();
}
