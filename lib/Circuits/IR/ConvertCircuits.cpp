// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of circuits to calls of switches.

#include "ConvertCircuits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "moe/Conversion/HostConversion.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static Value getRegionNumber(ocs::FabricOp fabric, HostServices &host) {
  if (fabric.getNumRegions() == 1)
    return host.getIndex(0);
  // Uses the axes outside regions.
  MeshOp mesh = fabric.lookupMesh();
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < mesh.getShape().size(); ++i)
    if (mesh.getShape()[i] > 1 &&
        !(fabric.getRegionBits() & (uint64_t(1) << i)))
      names.push_back(mesh.getAxisName(i));
  return host.getGroupRank(fabric.getLoc(),
                           GroupAttr::get(fabric.getMeshAttr(), names));
}

/// Returns this rank's region of the module's fabric, created on first use.
static Value getRegion(ocs::FabricOp fabric, HostServices &host) {
  Value &region = host.getObject(fabric);
  if (region)
    return region;
  Value number = getRegionNumber(fabric, host);
  OpBuilder top = host.getTop();
  auto given = [&](FloatAttr number, double otherwise) {
    return number ? number : top.getF64FloatAttr(otherwise);
  };
  auto made = rt::OcsRegionOp::create(
      top, fabric.getLoc(), rt::OcsRegionType::get(top.getContext()),
      host.getFunction().getArgument(0), fabric.getSwitchNameAttr(),
      fabric.getRegionGroup(), number,
      top.getI64IntegerAttr(fabric.getNumRegions()),
      top.getI64IntegerAttr(fabric.getController()),
      top.getI64IntegerAttr(fabric.getNumServers()),
      top.getI64IntegerAttr(fabric.getOptical()),
      top.getI64IntegerAttr(fabric.getEps()),
      fabric.getRouting() == ocs::Routing::Exclusive ? top.getUnitAttr()
                                                     : UnitAttr(),
      given(fabric.getBytesPerUsAttr(), 1), given(fabric.getChangeUsAttr(), 0),
      given(fabric.getCircuitUsAttr(), 0),
      given(fabric.getUncertaintyAttr(), 0));
  return region = made;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

namespace {

/// Converts changes of circuits to code of the host function, because the host
/// and not a stream performs them.
class CircuitWork : public HostWork {
public:
  LogicalResult convert(Operation *op, HostServices &host) override;

private:
  /// Starts a change to circuits that the runtime plans for a demand, or to
  /// given ones. Emits an error and fails if the previous change was not waited
  /// for.
  LogicalResult start(ocs::ReconfigureOp op, HostServices &host);
  /// Passes a demand to the runtime for storage.
  LogicalResult note(ocs::NoteOp op, HostServices &host);
  /// Lets the host wait for the last change. Emits an error and fails if there
  /// is none.
  LogicalResult await(ocs::AwaitOp op, HostServices &host);

  bool isOpen = false;
};

} // namespace

LogicalResult CircuitWork::convert(Operation *op, HostServices &host) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ocs::ReconfigureOp op) { return start(op, host); })
      .Case([&](ocs::AwaitOp op) { return await(op, host); })
      .Case([&](ocs::NoteOp op) { return note(op, host); })
      // The network decides about the path of packets.
      .Default([](Operation *) { return success(); });
}

LogicalResult CircuitWork::start(ocs::ReconfigureOp op, HostServices &host) {
  if (isOpen)
    return op.emitOpError() << "cannot be put on a stream: expected a wait for "
                               "the change before it";
  Location loc = op.getLoc();
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  ocs::PlanOp plan = ocs::getPlan(op.getCircuits());
  ocs::PredictOp predict = ocs::getPrediction(op.getCircuits());
  FailureOr<SmallVector<Value>> read =
      host.readOnHost(loc, plan      ? plan.getDemand()
                           : predict ? predict.getOtherwise()
                                     : op.getCircuits());
  if (failed(read))
    return failure();
  Value region = getRegion(fabric, host), memory = read->front();
  OpBuilder &builder = host.getBuilder();
  isOpen = true;
  // If the slack is unknown, a change counts as free.
  constexpr double kForever = 1e15;
  auto given = [&](FloatAttr number, double otherwise) {
    return number ? number : builder.getF64FloatAttr(otherwise);
  };
  FloatAttr exchanges = given(op.getExchangesAttr(), 1),
            slackUs = given(op.getSlackUsAttr(), kForever);
  if (plan) {
    rt::OcsPlanOp::create(builder, loc, region, memory, exchanges, slackUs);
    return success();
  }
  // A single matrix represents all regions.
  bool isOne = cast<MemRefType>(memory.getType()).getRank() == 2;
  Value number = isOne ? host.getIndex(0) : getRegionNumber(fabric, host);
  if (predict)
    rt::OcsPredictOp::create(builder, loc, region, predict.getKeyAttr(), memory,
                             number, exchanges, slackUs);
  else
    rt::OcsSetOp::create(builder, loc, region, memory, number);
  return success();
}

LogicalResult CircuitWork::note(ocs::NoteOp op, HostServices &host) {
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  FailureOr<SmallVector<Value>> read =
      host.readOnHost(op.getLoc(), op.getDemand());
  if (failed(read))
    return failure();
  rt::OcsNoteOp::create(host.getBuilder(), op.getLoc(), getRegion(fabric, host),
                        op.getKeyAttr(), read->front());
  return success();
}

LogicalResult CircuitWork::await(ocs::AwaitOp op, HostServices &host) {
  if (!isOpen)
    return op.emitOpError() << "cannot be put on a stream: expected a change "
                               "before it to wait for";
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  rt::OcsSettleOp::create(host.getBuilder(), op.getLoc(),
                          getRegion(fabric, host));
  isOpen = false;
  return success();
}

//===----------------------------------------------------------------------===//
// Host computations
//===----------------------------------------------------------------------===//

static void defineDelegates(ocs::DelegatesOp op, HostServices &host) {
  auto make =
      [&host,
       op](ArrayRef<Value> operands) mutable -> FailureOr<SmallVector<Value>> {
    Location loc = op.getLoc();
    SmallVector<Value> out;
    for (Value result : op->getResults()) {
      // 64-bit integers, as the runtime expects. Only the host reads them.
      auto type = cast<RankedTensorType>(result.getType());
      out.push_back(host.createHostBuffer(
          loc,
          MemRefType::get(type.getShape(), host.getBuilder().getI64Type())));
    }
    auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
    Value position = host.getGroupRank(loc, fabric.getRegionGroup());
    rt::OcsDelegatesOp::create(
        host.getBuilder(), loc, host.getFunction().getArgument(0),
        operands.front(), position, fabric.getNumServers(), fabric.getOptical(),
        fabric.getEps(), fabric.getRouting() == ocs::Routing::Exclusive,
        op.getNuma(), out[0], out[1], out[2], out[3]);
    return out;
  };
  host.define(op->getResults(), op.getCounts(), make);
}

/// Fills a function that sums counts [G, E] to the demand [N, N] between
/// servers.
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
  // The builder stays inside the loop until its guard ends.
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
    if (count.getType() != i64)
      count = arith::ExtSIOp::create(builder, loc, i64, count);
    Value own = arith::MulIOp::create(builder, loc, count, factor);
    Value sum =
        memref::LoadOp::create(builder, loc, demand, ValueRange{from, to});
    sum = arith::AddIOp::create(builder, loc, sum, own);
    memref::StoreOp::create(builder, loc, sum, demand, ValueRange{from, to});
  }
  func::ReturnOp::create(builder, loc);
}

static void defineDemand(ocs::DemandOp op, HostServices &host) {
  auto make =
      [&host,
       op](ArrayRef<Value> operands) mutable -> FailureOr<SmallVector<Value>> {
    Location loc = op.getLoc();
    Value made = host.createHostBuffer(loc, op.getDemand().getType());
    if (!made)
      return failure();
    OpBuilder outside(host.getFunction());
    auto function = func::FuncOp::create(
        outside, loc, host.getFunction().getSymName().str() + "_demand",
        outside.getFunctionType({operands.front().getType(), made.getType()},
                                {}));
    function.setPrivate();
    fillDemand(function, op.getBytes());
    host.getSymbols().insert(function);
    rt::CallOp::create(host.getBuilder(), loc, function.getSymName(),
                       operands.front(), made);
    return SmallVector<Value>{made};
  };
  host.define(op.getDemand(), op.getCounts(), make);
}

static void defineRecall(ocs::RecallOp op, HostServices &host) {
  auto make =
      [&host,
       op](ArrayRef<Value> operands) mutable -> FailureOr<SmallVector<Value>> {
    Location loc = op.getLoc();
    Value made = host.createHostBuffer(loc, op.getSum().getType());
    if (!made)
      return failure();
    auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
    rt::OcsRecallOp::create(host.getBuilder(), loc, getRegion(fabric, host),
                            op.getKeyAttr(), operands.front(), op.getTimes(),
                            made);
    return SmallVector<Value>{made};
  };
  host.define(op.getSum(), op.getDemand(), make);
}

/// Rejects other uses of circuits from the runtime, which are not numbers of
/// the program.
static void refuseAsNumbers(Operation *op, HostServices &host) {
  auto refuse = [op](ArrayRef<Value>) -> FailureOr<SmallVector<Value>> {
    return op->emitOpError() << "cannot be put on a stream: expected circuits "
                                "that are changed to and routed over only";
  };
  host.define(op->getResults(), op->getOperands(), refuse);
}

namespace {
struct CircuitConversion : public HostConversionInterface {
  using HostConversionInterface::HostConversionInterface;

  bool isComputed(Operation *op) const override {
    return isa<ocs::DelegatesOp, ocs::DemandOp, ocs::PlanOp, ocs::PredictOp,
               ocs::RecallOp>(op);
  }

  void define(Operation *op, HostServices &host) const override {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ocs::DelegatesOp op) { defineDelegates(op, host); })
        .Case([&](ocs::DemandOp op) { defineDemand(op, host); })
        .Case([&](ocs::RecallOp op) { defineRecall(op, host); })
        .Default([&](Operation *op) { refuseAsNumbers(op, host); });
  }

  SmallVector<Value> getHostOperands(Operation *op) const override {
    return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
        .Case<ocs::DemandOp, ocs::DelegatesOp>(
            [](auto op) -> SmallVector<Value> { return {op.getCounts()}; })
        .Case([](ocs::ReconfigureOp op) -> SmallVector<Value> {
          if (ocs::PlanOp plan = ocs::getPlan(op.getCircuits()))
            return {plan.getDemand()};
          if (ocs::PredictOp predict = ocs::getPrediction(op.getCircuits()))
            return {predict.getOtherwise()};
          return {op.getCircuits()};
        })
        .Case([](ocs::NoteOp op) -> SmallVector<Value> {
          return {op.getDemand()};
        })
        .Case([](ocs::RecallOp op) -> SmallVector<Value> {
          return {op.getDemand()};
        })
        .Default([](Operation *) { return SmallVector<Value>(); });
  }

  bool isWork(Operation *op) const override {
    return isa<ocs::ReconfigureOp, ocs::AwaitOp, ocs::NoteOp, ocs::RouteOp>(op);
  }

  std::unique_ptr<HostWork> startWork() const override {
    return std::make_unique<CircuitWork>();
  }
};
} // namespace

void moe::addCircuitConversion(Dialect *dialect) {
  dialect->addInterfaces<CircuitConversion>();
}
