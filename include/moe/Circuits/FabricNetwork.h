// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions on a fabric.

#ifndef MOE_CIRCUITS_FABRICNETWORK_H
#define MOE_CIRCUITS_FABRICNETWORK_H

#include "moe/Compiler/NetworkModel.h"
#include "moe/Fabric/FabricCost.h"

namespace moe {

/// A fabric that replaces the machine's levels for traffic between servers.
struct FabricUse {
  fabric::FabricOptions options;
  /// If set, circuits are planned once for all traffic of a program instead of
  /// for each all-to-all.
  bool plansOnce = false;
  /// The fabric before failures, if there are any.
  std::optional<fabric::FabricOptions> whole = {};
};

/// Prices each exchange by its flows over a fabric, with the flows of all
/// groups at once. If the program reconfigures circuits, the flows use its
/// circuits.
class FabricNetwork : public NetworkModel {
public:
  explicit FabricNetwork(FabricUse use) : given(std::move(use)) {}

  llvm::LogicalResult use(mlir::func::FuncOp function, OpTimer &timer) override;
  std::shared_ptr<NetworkSection>
  summarize(llvm::ArrayRef<TaskExchange> exchanges) const override;
  std::unique_ptr<NetworkModel> getWhole() const override;

private:
  FabricUse given;
  std::optional<fabric::FabricPricer> pricer;
};

/// Permits reading reports with a section about a fabric.
void registerFabricSection();

} // namespace moe

#endif // MOE_CIRCUITS_FABRICNETWORK_H
