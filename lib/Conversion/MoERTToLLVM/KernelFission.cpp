// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cutting bodies into kernels.

#include "BodyCutter.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

using namespace mlir;
using namespace moe;

/// Maximum local memory per thread.
static constexpr int64_t kMostLocalBytes = 1024;

InFlightDiagnostic BodyCutter::refuse(Operation *op) {
  return op->emitOpError() << "in the body @" << body.getSymName()
                           << " of 'moert.launch' cannot run on a device: ";
}

InFlightDiagnostic BodyCutter::refuseTensor(Operation *allocation) {
  return emitError(allocation->getLoc())
         << "the body @" << body.getSymName()
         << " of 'moert.launch' cannot run on a device: ";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t BodyCutter::addScratch(int64_t bytes) {
  constexpr int64_t kAlignment = 256;
  int64_t begin = result.scratchBytes;
  result.scratchBytes = begin + llvm::alignTo(bytes, kAlignment);
  return begin;
}

/// Returns the first use of memory that is not a load, a store or a view. If
/// there is none, the memory can have a fixed place, whatever loops or branches
/// contain its uses.
static Operation *findEscape(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    if (isa<memref::LoadOp, memref::DeallocOp>(user))
      continue;
    if (auto store = dyn_cast<memref::StoreOp>(user);
        store && store.getValueToStore() != buffer)
      continue;
    if (!isa<ViewLikeOpInterface>(user) || user->getNumResults() != 1)
      return user;
    if (Operation *escape = findEscape(user->getResult(0)))
      return escape;
  }
  return nullptr;
}

LogicalResult BodyCutter::takeMemory(Operation *allocation) {
  Value buffer = allocation->getResult(0);
  auto type = cast<MemRefType>(buffer.getType());
  if (!rt::isBuffer(type))
    return refuseTensor(allocation)
           << "expected tensors of static shape, got one of "
           << RankedTensorType::get(type.getShape(), type.getElementType());
  if (Operation *escape = findEscape(buffer)) {
    InFlightDiagnostic error =
        refuseTensor(allocation)
        << "expected each tensor that loops and branches give on to stay in a "
           "place of its own, got one of "
        << RankedTensorType::get(type.getShape(), type.getElementType())
        << " that may come in another one's, as where scf.for swaps two or "
           "scf.if gives one of two";
    error.attachNote(escape->getLoc()) << "it is handed on here";
    return error;
  }
  int64_t bytes =
      type.getNumElements() * *rt::getElementBytes(type.getElementType());
  if (!allocation->getParentOfType<scf::ParallelOp>()) {
    memory[buffer] = addScratch(bytes);
    allocation->moveBefore(&body.getBody().front(),
                           body.getBody().front().begin());
    return success();
  }
  if (bytes > kMostLocalBytes)
    return refuse(allocation)
           << "expected at most " << kMostLocalBytes
           << " bytes of memory of one iteration, got " << bytes;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  OpBuilder at(allocation);
  buffer.replaceAllUsesWith(
      memref::AllocaOp::create(at, allocation->getLoc(), type).getResult());
  allocation->erase();
  return success();
}

LogicalResult BodyCutter::takeMemory() {
  SmallVector<Operation *> allocations;
  body.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      allocations.push_back(op);
  });
  for (Operation *allocation : allocations)
    if (failed(takeMemory(allocation)))
      return failure();
  // Scratch memory exists during the whole run.
  body.walk([](memref::DeallocOp op) { op.erase(); });
  return success();
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Returns the buffer at the start of a chain of views.
static Value getRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Returns true if the op can be cloned into every kernel that uses it.
bool BodyCutter::isFree(Operation *op) {
  if (isa<memref::GetGlobalOp>(op))
    return true;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    // Inputs of the body are never written.
    auto root = dyn_cast<BlockArgument>(getRoot(load.getMemRef()));
    return root && root.getOwner() == &body.getBody().front() &&
           static_cast<int64_t>(root.getArgNumber()) < numInputs;
  }
  return op->getNumRegions() == 0 && isPure(op);
}

static bool isParallel(Operation *op) {
  return op->walk([](scf::ParallelOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult BodyCutter::collect(Block &block, ArrayRef<Guard> guards) {
  for (Operation &op : block.without_terminator()) {
    if ((op.getNumResults() == 1 && memory.contains(op.getResult(0))) ||
        isFree(&op))
      continue;
    auto loop = dyn_cast<scf::ParallelOp>(op);
    if (loop && loop.getNumReductions() != 0)
      return refuse(&op) << "expected loops without reductions";
    auto branch = dyn_cast<scf::IfOp>(op);
    if (branch && branch.getNumResults() == 0 && isParallel(branch)) {
      for (bool isTaken : {true, false}) {
        Region &way = branch->getRegion(isTaken ? 0 : 1);
        SmallVector<Guard> inner(guards);
        inner.push_back({branch.getCondition(), isTaken});
        if (!way.empty() && failed(collect(way.front(), inner)))
          return failure();
      }
      continue;
    }
    // Consecutive ops of a single thread share a kernel.
    if (loop || pieces.empty() || pieces.back().loop ||
        ArrayRef<Guard>(pieces.back().guards) != guards)
      pieces.push_back({{}, SmallVector<Guard>(guards), loop});
    pieces.back().ops.push_back(&op);
    op.walk([&](Operation *inner) { pieceOf[inner] = pieces.size() - 1; });
  }
  return success();
}

LogicalResult BodyCutter::findSpills(Value value, unsigned piece) {
  Operation *op = value.getDefiningOp();
  if (!op || memory.contains(value))
    return success();
  auto owner = pieceOf.find(op);
  if (owner == pieceOf.end()) {
    for (Value operand : op->getOperands())
      if (failed(findSpills(operand, piece)))
        return failure();
    return success();
  }
  if (owner->second == piece || spills.contains(value))
    return success();
  FailureOr<int64_t> bytes = rt::getElementBytes(value.getType());
  if (!value.getType().isIntOrIndexOrFloat() || failed(bytes))
    return refuse(op) << "expected a number to hand from one kernel to "
                         "another, got "
                      << value.getType();
  spills[value] = addScratch(*bytes);
  return success();
}

LogicalResult BodyCutter::findSpills(unsigned piece) {
  for (const Guard &guard : pieces[piece].guards)
    if (failed(findSpills(guard.condition, piece)))
      return failure();
  for (Operation *op : pieces[piece].ops) {
    WalkResult walk = op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (failed(findSpills(operand, piece)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

FailureOr<BodyKernels> BodyCutter::run() {
  if (!body.getBody().hasOneBlock())
    return body.emitOpError()
           << "cannot run on a device: expected a body of one block, got "
           << body.getBody().getBlocks().size();
  if (failed(takeMemory()) || failed(collect(body.getBody().front(), {})))
    return failure();
  for (unsigned i = 0; i < pieces.size(); ++i)
    if (failed(findSpills(i)))
      return failure();
  for (const Piece &piece : pieces) {
    if (!piece.loop)
      for (Operation *op : piece.ops)
        if (op->getNumRegions() != 0)
          remark::missed(op->getLoc(), remark::RemarkOpts::name("one-thread")
                                           .category("convert-moert-to-llvm"))
              << remark::add("one thread of the device runs this loop or "
                             "branch of @{0}",
                             body.getSymName());
    emit(piece);
  }
  return std::move(result);
}
