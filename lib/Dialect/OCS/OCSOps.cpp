// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans, changes and uses of circuits.

#include "moe/Dialect/OCS/OCSOps.h"
#include "FindFabric.h"
#include "mlir/IR/Matchers.h"
#include "moe/Fabric/CircuitExchange.h"

using namespace mlir;
using namespace moe;
using namespace moe::ocs;

#define GET_OP_CLASSES
#include "moe/Dialect/OCS/OCSOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

template <typename OpT> static OpT findIn(TaskOp task) {
  auto ops = task.getBody().getOps<OpT>();
  return ops.empty() ? OpT() : *ops.begin();
}

RouteOp ocs::getRoute(TaskOp task) { return findIn<RouteOp>(task); }
ReconfigureOp ocs::getReconfigure(TaskOp task) {
  return findIn<ReconfigureOp>(task);
}
AwaitOp ocs::getAwait(TaskOp task) { return findIn<AwaitOp>(task); }

fabric::Ports ocs::getPorts(FabricOp fabric) {
  return {fabric.getOptical(), fabric.getEps(),
          fabric.getRouting() == Routing::Split ? fabric::Routing::Split
                                                : fabric::Routing::Exclusive};
}

std::string ocs::checkFabric(FabricOp fabric, const cost::Machine &machine) {
  std::string prefix = "expected platform " + machine.name + " to ";
  if (!machine.circuits)
    return prefix + "have circuits, got none";
  const cost::Circuits &circuits = *machine.circuits;
  for (auto [words, expected, got] :
       {std::tuple("ranks", fabric.getServerRanks(), circuits.serverRanks),
        std::tuple("optical ports", fabric.getOptical(),
                   circuits.opticalDegree),
        std::tuple("network cards on EPS", fabric.getEps(), circuits.epsNics)})
    if (expected != got)
      return prefix + "have servers of " + std::to_string(expected) + " " +
             words + ", as fabric @" + fabric.getSymName().str() +
             " says, got " + std::to_string(got);
  int64_t ports = fabric.getNumServers() * fabric.getOptical();
  if (circuits.ports && *circuits.ports < ports)
    return prefix + "have switches of " + std::to_string(ports) +
           " ports, as fabric @" + fabric.getSymName().str() + " needs, got " +
           std::to_string(*circuits.ports);
  return "";
}

/// Returns one matrix, or one per region.
static SmallVector<fabric::Circuits>
getMatrices(DenseIntElementsAttr elements) {
  ArrayRef<int64_t> shape = elements.getType().getShape();
  int64_t servers = shape.back(), regions = shape.size() == 3 ? shape[0] : 1;
  SmallVector<fabric::Circuits> matrices;
  auto values = elements.getValues<APInt>();
  auto it = values.begin();
  for (int64_t region = 0; region < regions; ++region) {
    fabric::Circuits &matrix = matrices.emplace_back(servers);
    for (int64_t i = 0; i < servers; ++i)
      for (int64_t j = 0; j < servers; ++j, ++it)
        matrix.at(i, j) = (*it).getSExtValue();
  }
  return matrices;
}

std::optional<SmallVector<fabric::Circuits>>
ocs::getConstantCircuits(Value circuits) {
  DenseIntElementsAttr elements;
  if (!matchPattern(circuits, m_Constant(&elements)))
    return std::nullopt;
  return getMatrices(elements);
}

template <typename OpT> static OpT findOrigin(Value circuits) {
  while (auto result = dyn_cast<OpResult>(circuits)) {
    if (auto found = dyn_cast<OpT>(result.getOwner()))
      return found;
    auto task = dyn_cast<TaskOp>(result.getOwner());
    if (!task)
      return {};
    Operation *yield = task.getBody().front().getTerminator();
    if (result.getResultNumber() >= yield->getNumOperands())
      return {};
    circuits = yield->getOperand(result.getResultNumber());
  }
  return {};
}

PlanOp ocs::getPlan(Value circuits) { return findOrigin<PlanOp>(circuits); }
PredictOp ocs::getPrediction(Value circuits) {
  return findOrigin<PredictOp>(circuits);
}

std::optional<SmallVector<fabric::Circuits>>
ocs::getExpectedCircuits(Value circuits) {
  if (PlanOp plan = getPlan(circuits)) {
    auto expected =
        dyn_cast_if_present<DenseIntElementsAttr>(plan.getExpectedAttr());
    if (!expected)
      return std::nullopt;
    return getMatrices(expected);
  }
  if (PredictOp predict = getPrediction(circuits))
    return getConstantCircuits(predict.getOtherwise());
  return getConstantCircuits(circuits);
}

cost::Result<fabric::Circuits> ocs::joinCircuits(FabricOp fabric,
                                                 Value circuits) {
  auto matrices = getExpectedCircuits(circuits);
  if (!matrices)
    return cost::Failure{
        "expected circuits that are a constant, or that a plan "
        "expects, got such that are only known at run time"};
  int64_t ranks = fabric.lookupMesh().getNumRanks(),
          serverRanks = fabric.getServerRanks();
  std::vector<fabric::Region> regions(fabric.getNumRegions());
  for (auto [r, region] : llvm::enumerate(regions)) {
    region.servers.resize(fabric.getNumServers());
    region.circuits = (*matrices)[std::min(r, matrices->size() - 1)];
  }
  for (int64_t server = 0; server < ranks / serverRanks; ++server) {
    FabricOp::Place place = fabric.getPlace(server * serverRanks);
    regions[place.region].servers[place.server] = server;
  }
  return fabric::joinRegions(ranks / serverRanks, regions);
}

bool ocs::areEqualCircuits(Value a, Value b) {
  if (a == b)
    return true;
  std::optional<SmallVector<fabric::Circuits>> left = getConstantCircuits(a),
                                               right = getConstantCircuits(b);
  if (!left || !right)
    return false;
  // One matrix represents all regions.
  for (size_t i = 0, e = std::max(left->size(), right->size()); i < e; ++i)
    if (!((*left)[std::min(i, left->size() - 1)] ==
          (*right)[std::min(i, right->size() - 1)]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

FailureOr<FabricOp> ocs::findFabric(Operation *op, FlatSymbolRefAttr name,
                                    SymbolTableCollection &symbols) {
  Operation *found = symbols.lookupNearestSymbolFrom(op, name);
  auto fabric = dyn_cast_or_null<FabricOp>(found);
  if (!fabric)
    return op->emitOpError() << "expected " << name << " to name an ocs.fabric";
  // Callers read the fabric, so it must be valid itself.
  if (failed(fabric.verifySymbolUses(symbols)))
    return failure();
  return fabric;
}

/// Verifies an optional time or number of exchanges.
static LogicalResult checkNumber(Operation *op, StringRef words,
                                 std::optional<APFloat> number) {
  // The condition is written so that NaN fails.
  if (!number || (number->isFinite() && number->convertToDouble() >= 0))
    return success();
  return op->emitOpError() << "expected " << words << " of at least 0, got "
                           << number->convertToDouble();
}

/// Verifies that each server has the ports for its circuits.
static LogicalResult checkMatrix(Operation *op, FabricOp fabric,
                                 const fabric::Circuits &matrix,
                                 const std::string &region) {
  auto at = [&](int64_t i, int64_t j) {
    return "[" + std::to_string(i) + ", " + std::to_string(j) + "]" + region;
  };
  for (int64_t i = 0; i < matrix.getSize(); ++i) {
    int64_t used = 0;
    for (int64_t j = 0; j < matrix.getSize(); ++j) {
      int32_t count = matrix.at(i, j);
      if (count < 0)
        return op->emitOpError() << "expected at least 0 circuits at "
                                 << at(i, j) << ", got " << count;
      if (i == j && count != 0)
        return op->emitOpError() << "expected no circuits of a server with "
                                    "itself, got "
                                 << count << " at " << at(i, j);
      if (count != matrix.at(j, i))
        return op->emitOpError()
               << "expected as many circuits at " << at(i, j) << " as at "
               << at(j, i) << ", got " << count << " and " << matrix.at(j, i);
      used += count;
    }
    if (used <= fabric.getOptical())
      continue;
    InFlightDiagnostic diag =
        op->emitOpError() << "expected at most " << fabric.getOptical()
                          << " circuits at server " << i << region
                          << ", which has so many optical ports, got " << used;
    diag.attachNote(fabric.getLoc()) << "the fabric is declared here";
    return diag;
  }
  return success();
}

/// Verifies circuits against the servers and ports of their fabric: their type,
/// and the numbers if they are known.
static LogicalResult
checkCircuits(Operation *op, FabricOp fabric, ShapedType type,
              std::optional<SmallVector<fabric::Circuits>> matrices) {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t servers = fabric.getNumServers(), regions = fabric.getNumRegions();
  bool isOne = shape == ArrayRef({servers, servers});
  if (!isOne && shape != ArrayRef({regions, servers, servers}))
    return op->emitOpError()
           << "expected circuits [" << servers << ", " << servers << "] or ["
           << regions << ", " << servers << ", " << servers
           << "] of the fabric's servers and regions, got " << type;
  if (!matrices)
    return success();
  for (auto [region, matrix] : llvm::enumerate(*matrices))
    if (failed(
            checkMatrix(op, fabric, matrix,
                        isOne ? "" : " of region " + std::to_string(region))))
      return failure();
  return success();
}

static LogicalResult checkCircuits(Operation *op, FabricOp fabric,
                                   Value circuits) {
  auto type = cast<RankedTensorType>(circuits.getType());
  if (failed(checkCircuits(op, fabric, type, std::nullopt)))
    return failure();
  return checkCircuits(op, fabric, type, getConstantCircuits(circuits));
}

LogicalResult PredictOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric) || failed(checkKey(*this, getKey())))
    return failure();
  return checkCircuits(*this, *fabric, getOtherwise());
}

LogicalResult PlanOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric))
    return failure();
  int64_t servers = fabric->getNumServers();
  for (Value value : {getDemand(), getCircuits()}) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getShape() != ArrayRef({servers, servers}))
      return emitOpError() << "expected demand and circuits [" << servers
                           << ", " << servers
                           << "] of the servers of a region, got " << type;
  }
  if (!getExpectedAttr())
    return success();
  auto expected = dyn_cast<DenseIntElementsAttr>(getExpectedAttr());
  ShapedType type = getExpectedAttr().getShapedType();
  if (!expected || type.getRank() < 2 || type.getRank() > 3)
    return emitOpError()
           << "expected dense elements as the circuits of regions, "
              "got "
           << type;
  // The shape must be verified before the elements are read.
  if (failed(checkCircuits(*this, *fabric, type, std::nullopt)))
    return failure();
  return checkCircuits(*this, *fabric, type, getMatrices(expected));
}

LogicalResult ReconfigureOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric) ||
      failed(checkNumber(*this, "exchanges", getExchanges())) ||
      failed(checkNumber(*this, "slack_us", getSlackUs())))
    return failure();
  return checkCircuits(*this, *fabric, getCircuits());
}

LogicalResult AwaitOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return findFabric(*this, getFabricAttr(), symbols);
}

LogicalResult RouteOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric) || failed(checkCircuits(*this, *fabric, getCircuits())))
    return failure();
  auto task = cast<TaskOp>((*this)->getParentOp());
  if (RouteOp first = getRoute(task); first != *this) {
    InFlightDiagnostic diag = emitOpError()
                              << "expected one ocs.route in a task";
    diag.attachNote(first.getLoc()) << "the other one is here";
    return diag;
  }
  bool exchanges =
      task.walk([](CollectiveOpInterface) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (exchanges)
    return success();
  InFlightDiagnostic diag = emitOpError()
                            << "expected an exchange between ranks in its task";
  diag.attachNote(task.getLoc()) << "the task is here";
  return diag;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Returns the known or expected circuits before a change: those set by the
/// previous change in the schedule, or no circuits if it is the first.
static std::optional<SmallVector<fabric::Circuits>>
getCircuitsBefore(ReconfigureOp op, int64_t servers) {
  for (Operation *before = op->getParentOp()->getPrevNode(); before;
       before = before->getPrevNode())
    if (auto task = dyn_cast<TaskOp>(before))
      if (ReconfigureOp change = getReconfigure(task))
        return getExpectedCircuits(change.getCircuits());
  return SmallVector<fabric::Circuits>{fabric::Circuits(servers)};
}

cost::Microseconds ocs::getChangeTime(const cost::Circuits &machine,
                                      ArrayRef<fabric::Circuits> before,
                                      ArrayRef<fabric::Circuits> after) {
  cost::Microseconds longest;
  for (size_t r = 0, e = std::max(after.size(), before.size()); r < e; ++r)
    longest = std::max(
        longest,
        fabric::getChangeCost(machine, before[std::min(r, before.size() - 1)],
                              after[std::min(r, after.size() - 1)])
            .getTime());
  return longest;
}

FailureOr<cost::Microseconds> PlanOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}

FailureOr<cost::Microseconds> PredictOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}

FailureOr<cost::Microseconds> ReconfigureOp::getTime(CostContext &context) {
  FabricOp fabric = FabricOp::lookup(*this, getFabricAttr());
  const cost::Machine &machine = context.getMachine();
  if (std::string wrong = checkFabric(fabric, machine); !wrong.empty())
    return emitOpError() << "cannot be timed: " << wrong;
  int64_t servers = fabric.getNumServers();
  fabric::Circuits dark(servers);
  auto after = getExpectedCircuits(getCircuits());
  auto before = getCircuitsBefore(*this, servers);
  if (!after || !before) {
    // Assumes as many circuits as the ports allow; the time does not depend on
    // their places.
    fabric::Circuits all(servers);
    all.at(0, 1) = servers * fabric.getOptical() / 2;
    after = {all};
    before = {dark};
  }
  return getChangeTime(*machine.circuits, *before, *after);
}

FailureOr<cost::Microseconds> AwaitOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}

FailureOr<cost::Microseconds> RouteOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

LinkAction RouteOp::getLinkAction() { return LinkAction::Use; }
LinkAction ReconfigureOp::getLinkAction() { return LinkAction::Change; }
LinkAction AwaitOp::getLinkAction() { return LinkAction::Await; }
LinkAction NoteOp::getLinkAction() { return LinkAction::Note; }

FailureOr<std::unique_ptr<cost::Links>>
RouteOp::getLinks(const cost::Machine &machine) {
  FabricOp fabric = FabricOp::lookup(*this, getFabricAttr());
  std::string wrong = checkFabric(fabric, machine);
  auto joined = joinCircuits(fabric, getCircuits());
  if (wrong.empty() && !joined)
    wrong = joined.getError();
  if (!wrong.empty())
    return emitOpError() << "cannot be timed: " << wrong;
  return std::unique_ptr<cost::Links>(std::make_unique<fabric::CircuitLinks>(
      std::move(*joined), ocs::getPorts(fabric).routing));
}

/// Only `ocs.route` has links for exchanges.
static InFlightDiagnostic emitNoLinks(Operation *op) {
  return op->emitOpError("expected an op that routes exchanges");
}

FailureOr<std::unique_ptr<cost::Links>>
ReconfigureOp::getLinks(const cost::Machine &) {
  return emitNoLinks(*this);
}
FailureOr<std::unique_ptr<cost::Links>>
AwaitOp::getLinks(const cost::Machine &) {
  return emitNoLinks(*this);
}
FailureOr<std::unique_ptr<cost::Links>>
NoteOp::getLinks(const cost::Machine &) {
  return emitNoLinks(*this);
}

std::optional<LinkChange> ReconfigureOp::getLinkChange() {
  auto expected = getExpectedCircuits(getCircuits());
  if (!expected)
    return std::nullopt;
  LinkChange change;
  change.isExpected = bool(getPlan(getCircuits()));
  for (const fabric::Circuits &region : *expected) {
    std::span<const int32_t> values = region.getValues();
    change.regions.push_back(cost::Matrix<double>::fromValues(
        region.getSize(), {values.begin(), values.end()}));
  }
  return change;
}
std::optional<LinkChange> AwaitOp::getLinkChange() { return std::nullopt; }
std::optional<LinkChange> NoteOp::getLinkChange() { return std::nullopt; }
std::optional<LinkChange> RouteOp::getLinkChange() { return std::nullopt; }
