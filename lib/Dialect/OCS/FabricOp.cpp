// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Servers and regions of a mesh.

#include "mlir/IR/Builders.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Dialect/OCS/OCSOps.h"

using namespace mlir;
using namespace moe;
using namespace moe::ocs;

/// Maximum number of ports or network cards; exceeds any server.
static constexpr int64_t kMaxNics = 4096;

/// Returns the indices of mesh axes; the names must be known to exist.
static SmallVector<unsigned> getAxes(MeshOp mesh, ArrayAttr names) {
  SmallVector<unsigned> axes;
  for (StringAttr name : names.getAsRange<StringAttr>())
    axes.push_back(*mesh.getAxisIndex(name.getValue()));
  return axes;
}

static int64_t countRanks(MeshOp mesh, ArrayRef<unsigned> axes) {
  return cost::getGroupSize(mesh.getShape(), axes);
}

/// Returns a rank's number along some axes, in mesh order, with the last one
/// fastest.
static int64_t getNumber(MeshOp mesh, int64_t rank,
                         function_ref<bool(unsigned)> isOne) {
  int64_t number = 0, stride = 1;
  for (int64_t i = mesh.getShape().size() - 1; i >= 0; --i) {
    int64_t size = mesh.getShape()[i];
    if (isOne(i)) {
      number += rank % size * stride;
      stride *= size;
    }
    rank /= size;
  }
  return number;
}

MeshOp FabricOp::lookupMesh() {
  return SymbolTable::lookupNearestSymbolFrom<MeshOp>(*this, getMeshAttr());
}

int64_t FabricOp::getServerRanks() {
  MeshOp mesh = lookupMesh();
  return countRanks(mesh, getAxes(mesh, getServer()));
}

int64_t FabricOp::getNumServers() {
  MeshOp mesh = lookupMesh();
  return countRanks(mesh, getAxes(mesh, getRegion()));
}

int64_t FabricOp::getNumRegions() {
  return lookupMesh().getNumRanks() / (getServerRanks() * getNumServers());
}

uint64_t FabricOp::getRegionBits() {
  MeshOp mesh = lookupMesh();
  uint64_t bits = 0;
  for (ArrayAttr names : {getServer(), getRegion()})
    for (unsigned axis : getAxes(mesh, names))
      if (mesh.getShape()[axis] > 1)
        bits |= uint64_t(1) << axis;
  return bits;
}

GroupAttr FabricOp::getRegionGroup() {
  SmallVector<StringRef> names;
  MeshOp mesh = lookupMesh();
  uint64_t bits = getRegionBits();
  for (unsigned i = 0; i < mesh.getShape().size(); ++i)
    if (bits & (uint64_t(1) << i))
      names.push_back(mesh.getAxisName(i));
  return GroupAttr::get(getMeshAttr(), names);
}

FabricOp::Place FabricOp::getPlace(int64_t rank) {
  MeshOp mesh = lookupMesh();
  SmallVector<unsigned> servers = getAxes(mesh, getServer()),
                        regions = getAxes(mesh, getRegion());
  auto isInRegion = [&](unsigned axis) {
    return llvm::is_contained(regions, axis);
  };
  return {getNumber(mesh, rank,
                    [&](unsigned axis) {
                      return !isInRegion(axis) &&
                             !llvm::is_contained(servers, axis);
                    }),
          getNumber(mesh, rank, isInRegion)};
}

FabricOp FabricOp::lookup(Operation *from) {
  for (Operation *op = from; op; op = op->getParentOp()) {
    if (!op->hasTrait<OpTrait::SymbolTable>() || op->getNumRegions() != 1 ||
        op->getRegion(0).empty())
      continue;
    for (Operation &nested : op->getRegion(0).front())
      if (auto fabric = dyn_cast<FabricOp>(nested))
        return fabric;
  }
  return nullptr;
}

FabricOp FabricOp::lookup(Operation *from, FlatSymbolRefAttr name) {
  return SymbolTable::lookupNearestSymbolFrom<FabricOp>(from, name);
}

LogicalResult FabricOp::verify() {
  if (getSymName().empty() || getSwitchName().empty())
    return emitOpError() << "expected names that are not empty";
  for (auto [words, count] : {std::pair("optical ports", getOptical()),
                              std::pair("network cards on EPS", getEps())})
    if (count < 0 || count > kMaxNics)
      return emitOpError() << "expected 0 to " << kMaxNics << " " << words
                           << " a server, got " << count;
  if (getOptical() == 0 && getEps() == 0)
    return emitOpError() << "expected servers with optical ports or network "
                            "cards on EPS, got neither";
  // The conditions are written so that NaN fails.
  if (getBytesPerUs() &&
      !(getBytesPerUs()->convertToDouble() > 0 && getBytesPerUs()->isFinite()))
    return emitOpError() << "expected bytes_per_us above 0, got "
                         << getBytesPerUs()->convertToDouble();
  for (auto [words, number] : {std::pair("change_us", getChangeUs()),
                               std::pair("circuit_us", getCircuitUs())})
    if (number && !(number->convertToDouble() >= 0 && number->isFinite()))
      return emitOpError() << "expected " << words << " of at least 0, got "
                           << number->convertToDouble();
  if (getUncertainty() && !(getUncertainty()->convertToDouble() >= 0 &&
                            getUncertainty()->convertToDouble() < 1))
    return emitOpError() << "expected an uncertainty of at least 0 and below "
                            "1, got "
                         << getUncertainty()->convertToDouble();
  // A module has only one fabric, because a rank has one position in it, and a
  // region has one switch with one controller.
  if (Block *block = (*this)->getBlock())
    for (Operation &other : *block) {
      if (&other == getOperation())
        break;
      if (!isa<FabricOp>(other))
        continue;
      InFlightDiagnostic diag = emitOpError()
                                << "expected one fabric in a module, so that a "
                                   "region has one controller";
      diag.attachNote(other.getLoc()) << "the other fabric is declared here";
      return diag;
    }
  return success();
}

LogicalResult FabricOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto mesh = symbols.lookupNearestSymbolFrom<MeshOp>(*this, getMeshAttr());
  if (!mesh)
    return emitOpError() << "expected " << getMeshAttr()
                         << " to name a moe.mesh";
  llvm::SmallDenseSet<unsigned> seen;
  unsigned last = 0;
  for (auto [words, names] :
       {std::pair("server", getServer()), std::pair("region", getRegion())}) {
    last = 0;
    for (StringAttr name : names.getAsRange<StringAttr>()) {
      std::optional<unsigned> axis = mesh.getAxisIndex(name.getValue());
      if (!axis)
        return emitOpError()
               << "expected axes of mesh " << getMeshAttr() << ", got " << name;
      if (!seen.insert(*axis).second)
        return emitOpError()
               << "expected each axis once, got " << name << " a second time";
      if (*axis < last)
        return emitOpError() << "expected the axes of a " << words
                             << " in the order of the mesh, got " << name
                             << " behind " << mesh.getAxes()[last];
      last = *axis;
    }
  }
  SmallVector<unsigned> servers = getAxes(mesh, getServer());
  if (!servers.empty())
    for (unsigned i = servers.front(); i < mesh.getShape().size(); ++i)
      if (mesh.getShape()[i] > 1 && !llvm::is_contained(servers, i))
        return emitOpError() << "expected a server of ranks one after the "
                                "other, got axis "
                             << mesh.getAxes()[i] << " behind its axis "
                             << mesh.getAxes()[servers.front()];
  int64_t ranks = countRanks(mesh, servers),
          numServers = countRanks(mesh, getAxes(mesh, getRegion()));
  if (numServers < 2)
    return emitOpError() << "expected at least 2 servers in a region, got "
                         << numServers;
  if (getController() < 0 || getController() >= ranks * numServers)
    return emitOpError() << "expected a controller in [0, "
                         << ranks * numServers << "), the ranks of a region, "
                         << "got " << getController();
  return success();
}
