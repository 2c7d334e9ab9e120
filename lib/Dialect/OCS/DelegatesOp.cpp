// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that are routed through the ranks at the ends of circuits.

#include "FindFabric.h"
#include "moe/Fabric/DelegatedRows.h"
#include "moe/Traffic/Routing.h"
#include <cmath>

using namespace mlir;
using namespace moe;
using namespace moe::ocs;

LogicalResult DelegatesOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric))
    return failure();
  int64_t servers = fabric->getNumServers(), places = fabric->getServerRanks(),
          ranks = servers * places;
  auto counts = cast<RankedTensorType>(getCounts().getType());
  ArrayRef<int64_t> shape = counts.getShape();
  if (shape.size() != 2 || shape[0] != ranks || shape[1] < ranks ||
      shape[1] % ranks != 0)
    return emitOpError() << "expected counts [" << ranks
                         << ", E] of the ranks of a region, and E experts, a "
                            "multiple of these, got "
                         << counts;
  if (fabric->getEps() < 1)
    return emitOpError() << "expected servers with network cards on EPS, got "
                            "none";
  if (getTurns() < servers - 1)
    return emitOpError() << "expected at least " << servers - 1
                         << " turns, as many as there are other servers, got "
                         << getTurns();
  int64_t most = std::max<int64_t>(fabric->getOptical(), 1);
  if (getNuma() < 1 || getNuma() > most)
    return emitOpError() << "expected 1 to " << most << " NUMA nodes, got "
                         << getNuma();
  SmallVector<int64_t> shapes[] = {{4, getTurns(), places},
                                   {4, ranks},
                                   {4, servers - 1, places},
                                   {4, places}};
  for (auto [result, expected] : llvm::zip_equal(getResults(), shapes)) {
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getShape() != ArrayRef(expected))
      return emitOpError() << "expected result " << result.getResultNumber()
                           << " to be "
                           << RankedTensorType::get(expected,
                                                    type.getElementType())
                           << ", got " << type;
  }
  return success();
}

cost::Result<std::vector<cost::Message>>
DelegatesOp::getMessages(unsigned result, int64_t turn,
                         const cost::Matrix<double> &bytes) {
  auto fabric = FabricOp::lookup(*this, getFabricAttr());
  if (!fabric)
    return cost::Failure{"expected the fabric of its delegates in the module"};
  double all = 0;
  std::vector<int64_t> whole;
  for (double each : bytes.getValues()) {
    // Otherwise the sum may exceed 64 bits.
    if ((all += each) > 0x1p62)
      return cost::Failure{"expected fewer than 2^62 bytes between ranks, got "
                           "more"};
    whole.push_back(std::llround(each));
  }
  moe::fabric::RankRows rows{fabric.getNumServers(), fabric.getServerRanks(),
                             cost::Matrix<int64_t>::fromValues(
                                 bytes.getNumColumns(), std::move(whole))};
  auto map = moe::fabric::planDelegates(rows, getPorts(fabric), getNuma(),
                                        getTurns());
  if (!map)
    return map.getFailure();
  // The steps have the order of the results.
  auto step = static_cast<moe::fabric::DelegatedStep>(result);
  return moe::fabric::listDelegatedMessages(rows, *map, step, turn);
}

// Like other planning, it takes only tens of microseconds on the host.
FailureOr<cost::Microseconds> DelegatesOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}

GroupAttrInterface DelegatesOp::getCountsGroup() {
  FabricOp fabric = FabricOp::lookup(*this, getFabricAttr());
  if (!fabric)
    return {};
  return fabric.getRegionGroup();
}
