// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the stream commands of an entry function.

#include "StreamAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;
using schedule::MemoryRange;
using schedule::StreamStep;
using schedule::WorkAccesses;

namespace {

/// The memory range of a buffer.
struct Extent {
  MemoryRange range;
  /// True if all bytes of the range belong to the buffer.
  bool isWhole = true;
  /// The view of an arena that contains it; null for others.
  Value root = {};
};

class AccessReader {
public:
  explicit AccessReader(func::FuncOp host) : host(host) {}

  FailureOr<StreamFunction> run() {
    if (!host.getBody().hasOneBlock())
      return host.emitOpError() << "expected an entry function of one block";
    for (BlockArgument argument : host.getArguments())
      if (auto type = dyn_cast<MemRefType>(argument.getType()))
        if (failed(addMemory(argument, type)))
          return failure();
    for (Operation &op : host.getBody().front().without_terminator())
      if (failed(visit(&op)))
        return failure();
    return std::move(result);
  }

private:
  LogicalResult addMemory(Value value, MemRefType type) {
    if (!rt::isBuffer(type) || !rt::isContiguous(type))
      return emitError(value.getLoc())
             << "expected memory of static shape without gaps, got " << type;
    uint64_t bytes =
        type.getNumElements() * *rt::getElementBytes(type.getElementType());
    extents[value] = {{numMemories++, 0, bytes}};
    return success();
  }

  FailureOr<unsigned> getStream(Operation *op, Value handle) {
    if (Operation *maker = handle.getDefiningOp())
      if (auto comm = dyn_cast<rt::CommunicatorOp>(maker))
        handle = comm.getStream();
    if (!handle.getDefiningOp<rt::StreamOp>())
      return op->emitOpError() << "expected a stream that the function makes";
    return streams.try_emplace(handle, streams.size()).first->second;
  }

  FailureOr<unsigned> getEvent(Operation *op, Value handle) {
    if (!handle.getDefiningOp<rt::EventOp>())
      return op->emitOpError() << "expected an event that the function makes";
    return events.try_emplace(handle, events.size()).first->second;
  }

  LogicalResult addStep(Operation *op, StreamStep::Kind kind, Value stream,
                        Value event = {}) {
    FailureOr<unsigned> place = getStream(op, stream);
    if (failed(place))
      return failure();
    StreamStep step{kind, *place};
    if (event) {
      FailureOr<unsigned> number = getEvent(op, event);
      if (failed(number))
        return failure();
      step.event = *number;
    }
    result.program.steps.push_back(step);
    result.steps.push_back(op);
    clocks.add(step);
    return success();
  }

  /// Returns false for ops with runtime functions that enqueue nothing. They
  /// run in the host's order and access no buffer.
  static bool isWork(Operation *op) {
    auto calls = dyn_cast<rt::RuntimeCallOpInterface>(op);
    return !calls || llvm::any_of(calls.getRuntimeFunctions(),
                                  [](const rt::RuntimeFunction &function) {
                                    return rt::isWork(function.symbol);
                                  });
  }

  LogicalResult addWork(Operation *op) {
    if (failed(verifyHostReads(op)))
      return failure();
    if (!isWork(op))
      return success();
    if (failed(addStep(op, StreamStep::Kind::Work, op->getOperand(0))))
      return failure();
    WorkAccesses &work = result.program.works.emplace_back();
    result.works.push_back(op);
    SmallVector<MemoryEffects::EffectInstance> effects;
    cast<MemoryEffectOpInterface>(op).getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value value = effect.getValue();
      if (!value || !isa<MemRefType>(value.getType()))
        continue;
      auto it = extents.find(value);
      if (it == extents.end())
        return op->emitOpError()
               << "expected buffers that are the function's arguments, "
                  "memory it makes, or views of them";
      const Extent &extent = it->second;
      if (isa<MemoryEffects::Read>(effect.getEffect())) {
        work.reads.push_back(extent.range);
        continue;
      }
      (extent.isWhole ? work.writes : work.partialWrites)
          .push_back(extent.range);
      if (value.getDefiningOp<rt::HostBufferOp>()) {
        unsigned number = result.program.steps.back().stream;
        written[value] = {number, clocks.getNumWorks(number)};
      }
      // The lifetime of a buffer starts with the first write to it.
      if (extent.root && begun.insert(extent.root).second)
        work.begins.push_back(extents.find(extent.root)->second.range);
    }
    return success();
  }

  void addSubView(memref::SubViewOp view) {
    Extent extent = extents.lookup(view.getSource());
    SmallVector<int64_t> strides, ownStrides;
    int64_t offset;
    int64_t bytes = *rt::getElementBytes(view.getType().getElementType());
    if (failed(view.getSourceType().getStridesAndOffset(strides, offset)) ||
        failed(view.getType().getStridesAndOffset(ownStrides, offset)))
      return;
    int64_t begin = 0, last = 0;
    for (auto [place, stride] :
         llvm::zip_equal(view.getMixedOffsets(), strides)) {
      std::optional<int64_t> known = getConstantIntValue(place);
      if (!known) {
        extent.isWhole = false;
        extents[view] = extent;
        return;
      }
      begin += *known * stride;
    }
    for (auto [size, stride] :
         llvm::zip_equal(view.getType().getShape(), ownStrides))
      last += size == 0 ? 0 : (size - 1) * stride;
    extent.range.begin += begin * bytes;
    extent.range.end = view.getType().getNumElements() == 0
                           ? extent.range.begin
                           : extent.range.begin + (last + 1) * bytes;
    extent.isWhole = extent.isWhole && rt::isContiguous(view.getType());
    extents[view] = extent;
  }

  LogicalResult addView(memref::ViewOp view) {
    std::optional<int64_t> shift = getConstantIntValue(view.getByteShift());
    auto it = extents.find(view.getSource());
    if (!shift || it == extents.end() || !rt::isBuffer(view.getType()))
      return view.emitOpError() << "expected a view of static shape of an "
                                   "arena at a constant place";
    Extent extent = it->second;
    extent.range.begin += *shift;
    extent.range.end =
        extent.range.begin +
        view.getType().getNumElements() *
            *rt::getElementBytes(view.getType().getElementType());
    extent.root = view;
    extents[view] = extent;
    return success();
  }

  /// Visits all regions of a branch as if each were executed; less work has
  /// fewer races. Ops that order work outside must not be inside a region.
  LogicalResult visitWays(Operation *branch) {
    auto before = written, after = written;
    for (Region &way : branch->getRegions()) {
      written = before;
      for (Block &block : way)
        for (Operation &op : block.without_terminator()) {
          auto record = dyn_cast<rt::RecordOp>(op);
          bool isOutside =
              isa<rt::WaitOp, rt::LeaveSmsOp>(op) ||
              (record &&
               llvm::any_of(record.getEvent().getUsers(), [&](Operation *user) {
                 return !way.isAncestor(user->getParentRegion());
               }));
          if (isOutside)
            return op.emitOpError()
                   << "cannot stand in a branch: other ways would not have it";
          if (failed(visit(&op)))
            return failure();
        }
      for (auto [memory, work] : written)
        after.insert({memory, work});
    }
    written = after;
    return success();
  }

  /// Removes writes to host memory that have ended according to a clock.
  void forgetEnded(const schedule::StreamClocks::Clock &clock) {
    written.remove_if([&](const auto &entry) {
      auto [stream, works] = entry.second;
      return schedule::StreamClocks::hasEnded(clock, stream, works);
    });
  }

  LogicalResult synchronize(rt::SynchronizeOp op) {
    FailureOr<unsigned> stream = getStream(op, op.getStream());
    if (failed(stream))
      return failure();
    forgetEnded(clocks.getStream(*stream));
    // Inside a region of a branch, it orders nothing in the others.
    if (op->getParentOp() != host)
      return success();
    return addStep(op, StreamStep::Kind::Synchronize, op.getStream());
  }

  LogicalResult await(rt::AwaitOp op) {
    FailureOr<unsigned> event = getEvent(op, op.getEvent());
    if (failed(event))
      return failure();
    forgetEnded(clocks.getEvent(*event));
    if (op->getParentOp() != host)
      return success();
    StreamStep step{StreamStep::Kind::Await, 0, *event};
    result.program.steps.push_back(step);
    result.steps.push_back(op);
    clocks.add(step);
    return success();
  }

  LogicalResult verifyHostRead(Operation *op, Value memory) {
    if (!written.contains(memory))
      return success();
    return op->emitOpError()
           << "reads memory that a stream may still write: expected a "
              "moert.await or moert.synchronize before";
  }

  /// The host reads its memory, so all writes of streams to it must have ended.
  LogicalResult readOnHost(memref::LoadOp op) {
    if (!op.getMemref().getDefiningOp<rt::HostBufferOp>())
      return op.emitOpError() << "expected memory of the host";
    return verifyHostRead(op, op.getMemref());
  }

  /// The host reads the host memory operands of an op during the launch, unless
  /// the op is a copy.
  LogicalResult verifyHostReads(Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || isa<rt::CopyOp>(op))
      return success();
    for (Value operand : op->getOperands())
      if (operand.getDefiningOp<rt::HostBufferOp>() &&
          effects.getEffectOnValue<MemoryEffects::Read>(operand) &&
          failed(verifyHostRead(op, operand)))
        return failure();
    return success();
  }

  LogicalResult visit(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](rt::ArenaOp op) {
          return addMemory(op.getMemory(), op.getMemory().getType());
        })
        .Case([&](rt::HostBufferOp op) {
          return addMemory(op.getMemory(), op.getMemory().getType());
        })
        .Case<rt::EventOp, rt::GroupRankOp, rt::LeaveSmsOp>(
            [](Operation *) { return success(); })
        // Writes to the host's own memory precede all reads.
        .Case([&](rt::CallOp op) { return verifyHostReads(op); })
        .Case([&](rt::RecordOp op) {
          return addStep(op, StreamStep::Kind::Record, op.getStream(),
                         op.getEvent());
        })
        .Case([&](rt::WaitOp op) {
          return addStep(op, StreamStep::Kind::Wait, op.getStream(),
                         op.getEvent());
        })
        .Case([&](rt::SynchronizeOp op) { return synchronize(op); })
        .Case([&](rt::AwaitOp op) { return await(op); })
        .Case([&](memref::LoadOp op) { return readOnHost(op); })
        .Case<scf::IfOp, scf::IndexSwitchOp>(
            [&](Operation *op) { return visitWays(op); })
        .Case([&](memref::ViewOp op) { return addView(op); })
        .Case([&](memref::SubViewOp op) {
          addSubView(op);
          return success();
        })
        .Case<memref::TransposeOp, memref::ExpandShapeOp,
              memref::CollapseShapeOp, memref::CastOp>([&](Operation *op) {
          extents[op->getResult(0)] = extents.lookup(op->getOperand(0));
          return success();
        })
        .Case<arith::ConstantOp, arith::MulIOp, arith::AddIOp>(
            [](Operation *) { return success(); })
        .Default([&](Operation *op) -> LogicalResult {
          if (isa_and_nonnull<rt::MoERTDialect>(op->getDialect()))
            return addWork(op);
          return op->emitOpError()
                 << "cannot stand in an entry function: expected ops of the "
                    "moert dialect, views of buffers, branches and arithmetic "
                    "on index";
        });
  }

  func::FuncOp host;
  StreamFunction result;
  unsigned numMemories = 0;
  llvm::DenseMap<Value, unsigned> streams, events;
  llvm::DenseMap<Value, Extent> extents;
  llvm::DenseSet<Value> begun;
  schedule::StreamClocks clocks;
  /// Host memory with possibly unfinished writes: the stream, and the number of
  /// the work, starting at 1.
  llvm::MapVector<Value, std::pair<unsigned, unsigned>> written;
};

} // namespace

FailureOr<StreamFunction> moe::readStreams(func::FuncOp host) {
  return AccessReader(host).run();
}
