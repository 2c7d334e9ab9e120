// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Servers of a module.

#include "CircuitProgram.h"
#include "moe/Analysis/Replication.h"

using namespace mlir;
using namespace moe;

CollectiveOpInterface moe::findExchange(TaskOp task) {
  CollectiveOpInterface found;
  unsigned count = 0;
  task.walk([&](CollectiveOpInterface op) {
    found = op;
    ++count;
  });
  if (count != 1 || !isAllToAll(found) ||
      found->getParentOp() != task.getOperation() ||
      !isa<ExchangeOpInterface>(found.getOperation()))
    return {};
  return found;
}

/// Returns the bytes per microsecond that a NIC on circuits reaches in the
/// largest all-to-all of a module, because decisions at run time do not use a
/// curve.
static double getReachedRate(ModuleOp module, const cost::Machine &machine) {
  int64_t most = 0;
  module.walk([&](CollectiveOpInterface op) {
    if (!isAllToAll(op))
      return;
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    FailureOr<int64_t> bytes = type ? getTensorBytes(type) : 0;
    if (succeeded(bytes))
      most = std::max(most, *bytes);
  });
  const cost::EfficiencyCurve &curve = machine.levels.back().efficiency;
  double reached = curve.isEmpty() || most == 0
                       ? 1
                       : curve.at(cost::Bytes(static_cast<double>(most)));
  return machine.circuits->nicRate.value() * 1e3 * reached;
}

FailureOr<ocs::FabricOp> moe::findFabric(ModuleOp module,
                                         const cost::Machine &machine,
                                         bool &isNew, std::string &reason) {
  isNew = false;
  if (auto fabric = ocs::FabricOp::lookup(module)) {
    if (std::string wrong = ocs::checkFabric(fabric, machine); !wrong.empty())
      return fabric.emitError() << wrong;
    return fabric;
  }
  MeshOp mesh = MeshOp::lookup(module);
  if (!mesh) {
    reason = "expected a moe.mesh, whose axes tell servers apart";
    return ocs::FabricOp();
  }
  const cost::Circuits &circuits = *machine.circuits;
  auto shape = mesh.getShape();
  unsigned first = shape.size();
  int64_t ranks = 1;
  while (first > 0 && ranks * shape[first - 1] <= circuits.serverRanks)
    ranks *= shape[--first];
  if (ranks != circuits.serverRanks) {
    InFlightDiagnostic diag = mesh.emitError();
    diag << "expected the innermost axes to make servers of "
         << circuits.serverRanks << " ranks, as platform " << machine.name
         << " has, got " << ranks;
    int64_t missing = circuits.serverRanks / ranks;
    if (first > 0 && circuits.serverRanks % ranks == 0 &&
        shape[first - 1] % missing == 0)
      diag << " (in front of other passes --moe-split-mesh-axis=\"axis="
           << mesh.getAxisName(first - 1) << " inner=" << missing
           << "\" splits one so)";
    return diag;
  }
  uint64_t region = 0;
  MeshAxes axes(module);
  module.walk([&](TaskOp task) {
    if (CollectiveOpInterface op = findExchange(task))
      region |= axes.getBits(op.getGroup()).value_or(0);
  });
  // Also include exchanges that are not scheduled yet.
  module.walk([&](CollectiveOpInterface op) {
    if (isAllToAll(op) && !op->getParentOfType<TaskOp>())
      region |= axes.getBits(op.getGroup()).value_or(0);
  });
  SmallVector<StringRef> serverAxes, regionAxes;
  int64_t servers = 1;
  for (unsigned i = 0; i < shape.size(); ++i)
    if (i >= first) {
      serverAxes.push_back(mesh.getAxisName(i));
    } else if (region & (uint64_t(1) << i)) {
      regionAxes.push_back(mesh.getAxisName(i));
      servers *= shape[i];
    }
  if (servers < 2) {
    reason = "no all-to-all leaves its server";
    return ocs::FabricOp();
  }
  if (circuits.ports && servers * circuits.opticalDegree > *circuits.ports)
    return mesh.emitError() << "expected regions of at most "
                            << *circuits.ports / circuits.opticalDegree
                            << " servers, whose ports one switch of platform "
                            << machine.name << " has, got " << servers;
  OpBuilder builder(module.getContext());
  builder.setInsertionPointAfter(mesh);
  SymbolTable symbols(module);
  auto fabric = ocs::FabricOp::create(
      builder, mesh.getLoc(), "fabric", mesh.getSymName(),
      builder.getStrArrayAttr(serverAxes), builder.getStrArrayAttr(regionAxes),
      circuits.opticalDegree, circuits.epsNics, ocs::Routing::Split, "region",
      /*controller=*/0,
      builder.getF64FloatAttr(getReachedRate(module, machine)),
      builder.getF64FloatAttr(circuits.reconfigurationBase.value()),
      builder.getF64FloatAttr(circuits.reconfigurationPerPair.value()),
      builder.getF64FloatAttr(machine.uncertainty.value));
  symbols.insert(fabric);
  isNew = true;
  return fabric;
}
