// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines the calls of a function and unrolls its loops.

#include "FlattenFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

/// Limit on the ops of a flattened function, because nested calls and loops
/// multiply them.
static constexpr uint64_t kMaxOps = 1 << 18;

/// Returns the called function; null if it is unknown.
static func::FuncOp getCallee(CallOpInterface call) {
  return dyn_cast_or_null<func::FuncOp>(call.resolveCallable());
}

static bool hasTasks(func::FuncOp function,
                     llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!seen.insert(function).second)
    return false;
  return function
      .walk([&](Operation *op) {
        if (isa<CollectiveOpInterface, PipelineOp>(op))
          return WalkResult::interrupt();
        if (auto call = dyn_cast<CallOpInterface>(op))
          if (func::FuncOp callee = getCallee(call))
            if (hasTasks(callee, seen))
              return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool moe::hasTasks(func::FuncOp function) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  return ::hasTasks(function, seen);
}

static uint64_t countOps(Operation *op) {
  uint64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns the reason why `call` cannot be inlined; empty if it can.
static std::string findObstacle(CallOpInterface call, func::FuncOp caller,
                                InlinerInterface &interface) {
  auto direct = dyn_cast<func::CallOp>(call.getOperation());
  func::FuncOp callee = direct ? getCallee(call) : func::FuncOp();
  if (!callee)
    return "expected calls of known functions, got " +
           call->getName().getStringRef().str();
  std::string name = "@" + callee.getSymName().str();
  if (callee.isExternal())
    return "expected calls of functions with a body, got one of " + name;
  if (!callee.getBody().hasOneBlock())
    return "expected calls of functions of one block, got one of " + name;
  // An unregistered op may end a function's block too.
  if (!isa<func::ReturnOp>(callee.getBody().front().back()))
    return "expected calls of functions that end in func.return, got one of " +
           name;
  if (callee->walk([](ScheduleOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    return "expected calls of functions without a schedule, got one of " + name;
  IRMapping mapping;
  if (!interface.isLegalToInline(call->getParentRegion(), &callee.getBody(),
                                 /*wouldBeCloned=*/true, mapping))
    return "expected calls that can be replaced by what they run, got one of " +
           name;
  return "";
}

/// Inlines one call. Calls in the inlined body become new ops of the caller.
static LogicalResult inlineOne(func::CallOp call, InlinerInterface &interface) {
  func::FuncOp callee = getCallee(call);
  InlinerConfig config;
  if (failed(inlineCall(interface, config.getCloneCallback(), call, callee,
                        &callee.getBody(), /*shouldCloneInlinedRegion=*/true)))
    return failure();
  call.erase();
  return success();
}

/// Inlines all calls. The path of each call lists the functions that it was
/// inlined from, to detect recursion.
static std::string inlineCalls(func::FuncOp function) {
  InlinerInterface interface(function.getContext());
  // A call and the functions that it was inlined from, if any.
  struct Pending {
    CallOpInterface call;
    SmallVector<Operation *> path;
  };
  SmallVector<Pending> pending;
  function.walk([&](CallOpInterface call) { pending.push_back({call, {}}); });
  uint64_t count = pending.empty() ? 0 : countOps(function);
  while (!pending.empty()) {
    auto [call, path] = pending.pop_back_val();
    if (std::string why = findObstacle(call, function, interface); !why.empty())
      return why;
    func::FuncOp callee = getCallee(call);
    if (callee.getSymName() == function.getSymName() ||
        llvm::is_contained(path, callee))
      return "expected calls that come to an end, got @" +
             callee.getSymName().str() + " calling itself";
    count += countOps(callee);
    if (count > kMaxOps)
      return "expected at most " + std::to_string(kMaxOps) +
             " ops with those of called functions, got more at a call of @" +
             callee.getSymName().str();
    path.push_back(callee);
    Operation *before = call->getPrevNode(), *after = call->getNextNode();
    Block *block = call->getBlock();
    if (failed(inlineOne(cast<func::CallOp>(call.getOperation()), interface)))
      return "expected a call of @" + callee.getSymName().str() +
             " that can be replaced by what it runs";
    for (Operation *op = before ? before->getNextNode() : &block->front();
         op != after; op = op->getNextNode())
      op->walk([&, &path = path](CallOpInterface nested) {
        pending.push_back({nested, path});
      });
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns the number of iterations of a loop around collectives, layers or
/// pipelines, if it is known and the unrolled loop does not have too many ops.
static std::optional<uint64_t> getUnrolledTrips(scf::ForOp loop) {
  bool isStructure =
      loop.getBody()
          ->walk([](Operation *op) {
            return isa<CollectiveOpInterface, LayerOp, PipelineOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  std::optional<APInt> trips = getTripCount(loop);
  if (!isStructure || !trips || trips->getActiveBits() > 32 ||
      !getConstantIntValue(loop.getLowerBound()) ||
      !getConstantIntValue(loop.getStep()))
    return std::nullopt;
  uint64_t count = trips->getZExtValue();
  // Limits the size because layers are dissolved, and a schedule of all
  // iterations must remain readable.
  return llvm::SaturatingMultiply(count, countOps(loop)) > kMaxOps
             ? std::nullopt
             : std::optional(count);
}

static void unroll(scf::ForOp loop, uint64_t trips) {
  OpBuilder builder(loop);
  int64_t start = *getConstantIntValue(loop.getLowerBound());
  int64_t step = *getConstantIntValue(loop.getStep());
  Type type = loop.getInductionVar().getType();
  SmallVector<Value> carried(loop.getInitArgs());
  for (uint64_t trip = 0; trip < trips; ++trip) {
    IRMapping mapping;
    // Values that exceed the type's width are not reached, because the loop
    // ends before.
    uint64_t value = static_cast<uint64_t>(start) + trip * step;
    unsigned width = type.isIndex() ? 64 : cast<IntegerType>(type).getWidth();
    mapping.map(
        loop.getInductionVar(),
        arith::ConstantOp::create(
            builder, loop.getLoc(), type,
            builder.getIntegerAttr(type, APInt(64, value).sextOrTrunc(width))));
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    carried.clear();
    for (Value yielded : loop.getBody()->getTerminator()->getOperands())
      carried.push_back(mapping.lookupOrDefault(yielded));
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
}

static void unrollLoops(func::FuncOp function) {
  // Unrolls inner loops first, so that the outer loops count all their ops.
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    if (!loop->getParentOfType<PipelineOp>())
      if (std::optional<uint64_t> trips = getUnrolledTrips(loop))
        unroll(loop, *trips);
}

std::string moe::flatten(func::FuncOp function) {
  if (std::string why = inlineCalls(function); !why.empty())
    return why;
  unrollLoops(function);
  return "";
}
