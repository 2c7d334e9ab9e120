// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of loops around collectives, in both directions.
//
// A counted loop carries its counter like any other value, and the `scf.for`
// keeps it: no op reads the induction variable. The reverse direction only has
// to rebuild the comparison.

#include "moe/Dialect/Text/StableHLO/Loops.h"
#include "StableHLO.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace moe;

/// Moves the ops of a block into a loop's body, and replaces the block's
/// arguments.
static void moveBody(Block &from, ValueRange carried, Block &to,
                     ValueRange arguments) {
  for (auto [value, argument] : llvm::zip_equal(carried, arguments))
    value.replaceAllUsesWith(argument);
  to.getOperations().splice(to.end(), from.getOperations());
}

static void readLoop(Operation *op, const CountedLoop &loop) {
  Block &condition = op->getRegion(0).front(), &body = op->getRegion(1).front();
  Operation *compare =
      skipConstraints(condition.back().getOperand(0)).getDefiningOp();
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto made = scf::ForOp::create(b, loc, constant(0), constant(loop.trips),
                                 constant(1), op->getOperands());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  made->setDiscardableAttr(
      kWhileAttr,
      b.getDictionaryAttr(
          {b.getNamedAttr("compare", compare->getPropertiesAsAttribute()),
           b.getNamedAttr("counter", b.getI64IntegerAttr(loop.counter)),
           b.getNamedAttr("limit", skipConstraints(compare->getOperand(1))
                                       .getDefiningOp()
                                       ->getAttr("value"))}));
  // If there are no carried values, the builder has created a terminator.
  if (!made.getBody()->empty())
    made.getBody()->back().erase();
  moveBody(body, body.getArguments(), *made.getBody(),
           made.getRegionIterArgs());
  Operation *back = &made.getBody()->back();
  b.setInsertionPoint(back);
  auto yield = scf::YieldOp::create(b, back->getLoc(), back->getOperands());
  yield->setDiscardableAttrs(back->getDiscardableAttrDictionary());
  back->erase();
  op->replaceAllUsesWith(made.getResults());
  op->erase();
}

/// Returns true if ops in `root`, or in functions that they call, communicate.
static bool communicates(Operation *root,
                         llvm::SmallPtrSetImpl<Operation *> &seen) {
  return root
      ->walk([&](Operation *op) {
        bool found = isa<CollectiveOpInterface>(op);
        if (auto call = dyn_cast<CallOpInterface>(op)) {
          Operation *callee = call.resolveCallable();
          found = callee && seen.insert(callee).second &&
                  communicates(callee, seen);
        }
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void moe::readLoops(ModuleOp module) {
  SmallVector<Operation *> loops;
  // Inner loops come first, because converting an outer loop moves its
  // contents.
  module.walk([&](Operation *op) {
    llvm::SmallPtrSet<Operation *, 4> seen;
    if (findCountedLoop(op) && communicates(op, seen))
      loops.push_back(op);
  });
  for (Operation *op : loops)
    readLoop(op, *findCountedLoop(op));
}

static void writeLoop(scf::ForOp loop) {
  auto said = loop->getAttrOfType<DictionaryAttr>(kWhileAttr);
  auto counter = said ? said.getAs<IntegerAttr>("counter") : IntegerAttr();
  auto limit = said ? said.getAs<TypedAttr>("limit") : TypedAttr();
  auto compare =
      said ? said.getAs<DictionaryAttr>("compare") : DictionaryAttr();
  if (!counter || !limit || !compare ||
      counter.getInt() >= int64_t(loop.getNumResults()) ||
      !loop.getInductionVar().use_empty() ||
      getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  OperationState state(loc, "stablehlo.while");
  state.addOperands(loop.getInitArgs());
  state.addTypes(loop.getResultTypes());
  loop->removeAttr(kWhileAttr);
  state.addAttributes(loop->getDiscardableAttrDictionary().getValue());
  state.addRegion();
  state.addRegion();
  Operation *made = b.create(state);
  SmallVector<Location> locs(loop.getNumResults(), loc);
  auto create = [&](StringRef name, ValueRange operands, TypeRange types,
                    DictionaryAttr properties) {
    OperationState state(loc, name);
    state.addOperands(operands);
    state.addTypes(types);
    state.propertiesAttr = properties;
    return b.create(state);
  };
  Block *condition =
      b.createBlock(&made->getRegion(0), {}, loop.getResultTypes(), locs);
  Value end = create("stablehlo.constant", {}, limit.getType(),
                     b.getDictionaryAttr(b.getNamedAttr("value", limit)))
                  ->getResult(0);
  Value goes = create("stablehlo.compare",
                      {condition->getArgument(counter.getInt()), end},
                      RankedTensorType::get({}, b.getI1Type()), compare)
                   ->getResult(0);
  create("stablehlo.return", goes, {}, nullptr);
  Block *body =
      b.createBlock(&made->getRegion(1), {}, loop.getResultTypes(), locs);
  moveBody(*loop.getBody(), loop.getRegionIterArgs(), *body,
           body->getArguments());
  Operation *yield = &body->back();
  b.setInsertionPoint(yield);
  create("stablehlo.return", yield->getOperands(), {}, nullptr)
      ->setDiscardableAttrs(yield->getDiscardableAttrDictionary());
  yield->erase();
  loop->replaceAllUsesWith(made);
  loop.erase();
}

void moe::writeLoops(Operation *function) {
  SmallVector<scf::ForOp> loops;
  function->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, writeLoop);
  // Erases bounds, also from loops that a schedule has unrolled.
  function->walk([](arith::ConstantIndexOp bound) {
    if (bound->use_empty())
      bound->erase();
  });
}
