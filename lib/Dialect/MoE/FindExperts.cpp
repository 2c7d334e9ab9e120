// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Location of experts in a list of ops.

#include "moe/Dialect/MoE/FindExperts.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

std::optional<std::pair<size_t, size_t>>
moe::findExperts(ArrayRef<Operation *> ops) {
  std::optional<std::pair<size_t, size_t>> found;
  bool isWhole = false;
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (!appliesExperts(op)) {
      isWhole |= found && isAllToAll(op);
      continue;
    }
    bool isLayer = isa<ExpertsOp, ExpertsDgradOp>(op);
    if (isWhole || (found && isLayer))
      return std::nullopt;
    isWhole = isLayer;
    found = {found ? found->first : i, i + 1};
  }
  return found;
}
