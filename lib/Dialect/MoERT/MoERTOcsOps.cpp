// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of ops that call optical switches.

#include "moe/Dialect/MoERT/MoERTOps.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace mlir;
using namespace moe::rt;

/// Verifies integers that the host reads during the launch.
static LogicalResult verifyHostBuffer(Operation *op, Value buffer,
                                      ArrayRef<unsigned> widths) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  if (!buffer.getDefiningOp<HostBufferOp>())
    return op->emitOpError()
           << "expected integers that moert.host_buffer made, which the host "
              "can read";
  if (!type.isSignlessInteger() ||
      !llvm::is_contained(widths, type.getIntOrFloatBitWidth())) {
    InFlightDiagnostic diag = op->emitOpError() << "expected integers of ";
    llvm::interleave(widths, diag, " or ");
    return diag << " bits, got " << type;
  }
  return success();
}

LogicalResult OcsSwitchOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (getController() < 0 || getController() > INT32_MAX)
    return emitOpError() << "expected a rank of at least 0, got "
                         << getController();
  return success();
}

LogicalResult OcsConfigureOp::verify() {
  if (!llvm::hasSingleElement(getChange().getUses()))
    return emitOpError() << "expected one moert.ocs_await of the change, got "
                         << getChange().getNumUses();
  if (bool(getCircuits()) == bool(getPorts()))
    return emitOpError() << "expected circuits or a buffer of them, got "
                         << (getPorts() ? "both" : "neither");
  auto type = getPorts() ? cast<ShapedType>(getPorts().getType())
                         : cast<ShapedType>(getCircuits()->getShapedType());
  if (type.getRank() != 2 || type.getDimSize(1) != 2)
    return emitOpError() << "expected two ports of each circuit as a tensor "
                            "[circuits, 2], got "
                         << type;
  if (getPorts())
    return verifyHostBuffer(*this, getPorts(), {32});
  auto circuits = dyn_cast<DenseIntElementsAttr>(*getCircuits());
  if (!circuits)
    return emitOpError() << "expected dense elements";
  // A splat of more than one element repeats a port; the first two elements
  // show it.
  llvm::DenseSet<int64_t> seen;
  for (const APInt &value : circuits.getValues<APInt>()) {
    int64_t port = value.getSExtValue();
    if (port < 1)
      return emitOpError() << "expected ports from 1 on, got " << port;
    if (!seen.insert(port).second)
      return emitOpError() << "expected each port in one circuit, got port "
                           << port << " a second time";
  }
  return success();
}

LogicalResult OcsRegionOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  // Bounds the numbers of a region so that a product of two does not overflow.
  constexpr int64_t kMost = 1 << 20;
  struct {
    StringRef what;
    int64_t number, least;
  } numbers[] = {{"regions", getRegions(), 1},
                 {"servers", getServers(), 1},
                 {"optical ports", getOptical(), 0},
                 {"network cards", getEps(), 0},
                 {"the controller's place", getController(), 0}};
  for (auto &[what, number, least] : numbers)
    if (number < least || number > kMost)
      return emitOpError() << "expected " << what << " in [" << least << ", "
                           << kMost << "], got " << number;
  // The conditions are written so that NaN fails.
  double bytes = getBytesPerUs().convertToDouble(),
         change = getChangeUs().convertToDouble(),
         circuit = getCircuitUs().convertToDouble(),
         uncertainty = getUncertainty().convertToDouble();
  if (!(bytes > 0 && std::isfinite(bytes)))
    return emitOpError() << "expected bytes_per_us above 0, got " << bytes;
  if (!(change >= 0 && std::isfinite(change) && circuit >= 0 &&
        std::isfinite(circuit)))
    return emitOpError() << "expected changes of at least 0 us, got " << change
                         << " and " << circuit;
  if (!(uncertainty >= 0 && uncertainty < 1))
    return emitOpError() << "expected an uncertainty of at least 0 and below "
                            "1, got "
                         << uncertainty;
  auto lists = getGroup().getRankLists(*this);
  if (failed(lists))
    return failure();
  int64_t groups = lists->size(), members = lists->front().size();
  if (groups != getRegions() || members % getServers() != 0 ||
      getController() >= members)
    return emitOpError() << "expected " << getRegions()
                         << " groups of ranks of " << getServers()
                         << " servers, with the one at " << getController()
                         << ", got " << groups << " of " << members;
  return success();
}

int64_t OcsRegionOp::getNumMembers() {
  auto lists = getGroup().getRankLists(*this);
  return failed(lists) || lists->empty() ? 0 : lists->front().size();
}

/// Verifies matrices of a region's servers.
static LogicalResult verifyMatrices(Operation *op, Value region, Value buffer,
                                    bool mayBeSeveral) {
  ArrayRef<int64_t> shape = cast<MemRefType>(buffer.getType()).getShape();
  auto found = region.getDefiningOp<OcsRegionOp>();
  if (!found)
    return op->emitOpError() << "expected a region that moert.ocs_region found";
  int64_t servers = found.getServers(), regions = found.getRegions();
  if (shape == ArrayRef({servers, servers}) ||
      (mayBeSeveral && shape == ArrayRef({regions, servers, servers})))
    return success();
  return op->emitOpError() << "expected a buffer [" << servers << ", "
                           << servers << "] of the region's servers"
                           << (mayBeSeveral ? ", or one for each region" : "")
                           << ", got " << buffer.getType();
}

template <typename OpT> static LogicalResult verifyNumbers(OpT op) {
  for (APFloat number : {op.getExchanges(), op.getSlackUs()})
    if (!(number.convertToDouble() >= 0))
      return op.emitOpError()
             << "expected at least 0 exchanges and 0 us of slack";
  return success();
}

static LogicalResult verifyKey(Operation *op, StringRef key) {
  if (key.empty())
    return op->emitOpError("expected a name, got \"\"");
  return success();
}

LogicalResult OcsPredictOp::verify() {
  if (failed(verifyNumbers(*this)) || failed(verifyKey(*this, getKey())) ||
      failed(verifyMatrices(*this, getRegion(), getCircuits(), true)))
    return failure();
  return verifyHostBuffer(*this, getCircuits(), {32});
}

LogicalResult OcsNoteOp::verify() {
  if (failed(verifyKey(*this, getKey())) ||
      failed(verifyMatrices(*this, getRegion(), getDemand(), false)))
    return failure();
  return verifyHostBuffer(*this, getDemand(), {32, 64});
}

LogicalResult OcsRecallOp::verify() {
  if (failed(verifyKey(*this, getKey())) ||
      failed(verifyMatrices(*this, getRegion(), getDemand(), false)) ||
      failed(verifyMatrices(*this, getRegion(), getSum(), false)))
    return failure();
  if (getTimes() < 1)
    return emitOpError() << "expected a demand at least once, got "
                         << getTimes() << " times";
  if (failed(verifyHostBuffer(*this, getDemand(), {32, 64})))
    return failure();
  return verifyHostBuffer(*this, getSum(), {64});
}

LogicalResult OcsPlanOp::verify() {
  if (failed(verifyNumbers(*this)) ||
      failed(verifyMatrices(*this, getRegion(), getDemand(), false)))
    return failure();
  return verifyHostBuffer(*this, getDemand(), {32, 64});
}

LogicalResult OcsSetOp::verify() {
  if (failed(verifyMatrices(*this, getRegion(), getCircuits(), true)))
    return failure();
  return verifyHostBuffer(*this, getCircuits(), {32});
}

int64_t OcsDelegatesOp::getNumPlaces() {
  return cast<MemRefType>(getOwn().getType()).getShape().back();
}
int64_t OcsDelegatesOp::getNumExperts() {
  return cast<MemRefType>(getCounts().getType()).getShape().back();
}
int64_t OcsDelegatesOp::getTurns() {
  return cast<MemRefType>(getGather().getType()).getDimSize(1);
}

LogicalResult OcsDelegatesOp::verify() {
  // Bounds the numbers of a region so that a product of two does not overflow.
  constexpr int64_t kMost = 1 << 20;
  struct {
    StringRef what;
    int64_t number, least;
  } numbers[] = {{"servers", getServers(), 2},
                 {"optical ports", getOptical(), 0},
                 {"network cards", getEps(), 1},
                 {"NUMA nodes", getNuma(), 1}};
  for (auto &[what, number, least] : numbers)
    if (number < least || number > kMost)
      return emitOpError() << "expected " << what << " in [" << least << ", "
                           << kMost << "], got " << number;
  if (failed(verifyHostBuffer(*this, getCounts(), {32, 64})))
    return failure();
  auto shapeOf = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getShape();
  };
  ArrayRef<int64_t> counts = shapeOf(getCounts()), own = shapeOf(getOwn()),
                    gather = shapeOf(getGather());
  int64_t others = getServers() - 1, places = own.empty() ? 0 : own.back(),
          ranks = getServers() * places,
          turns = gather.size() == 3 ? gather[1] : 0;
  if (places < 1 || counts.size() != 2 || counts[0] != ranks ||
      counts[1] < ranks || counts[1] % ranks != 0 || turns < others)
    return emitOpError() << "expected counts [N * B, E] of " << getServers()
                         << " servers of B ranks, E a multiple of these, and "
                            "at least "
                         << others << " turns, got " << getCounts().getType()
                         << ", " << getGather().getType() << " and "
                         << getOwn().getType();
  Value buffers[] = {getGather(), getBetween(), getScatter(), getOwn()};
  SmallVector<int64_t> shapes[] = {
      {4, turns, places}, {4, ranks}, {4, others, places}, {4, places}};
  for (auto [buffer, expected] : llvm::zip_equal(buffers, shapes)) {
    if (failed(verifyHostBuffer(*this, buffer, {64})))
      return failure();
    if (shapeOf(buffer) != ArrayRef(expected))
      return emitOpError() << "expected a buffer "
                           << MemRefType::get(expected, getElementTypeOrSelf(
                                                            buffer.getType()))
                           << ", got " << buffer.getType();
  }
  return success();
}
