// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Node boundaries in groups.

#include "NodeBoundary.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Transforms/Passes.h"

using namespace mlir;
using namespace moe;

std::unique_ptr<Pass> NodeBoundary::createSplitPass() const {
  SplitMeshAxisOptions options;
  options.axis = axis;
  options.inner = inner;
  return createSplitMeshAxis(options);
}

bool moe::isCutByNodes(CollectiveOpInterface op, int64_t nodeRanks) {
  auto groups = getRankGroups(op, op.getGroup());
  if (!groups)
    return false;
  std::optional<int64_t> inside = groups->countTogether(nodeRanks);
  return !inside || (*inside != 1 && *inside != groups->getGroupSize());
}

/// Returns the boundary in the group of one all-to-all.
static std::optional<NodeBoundary>
findIn(CollectiveOpInterface op, int64_t nodeRanks, std::string &reason) {
  auto group = dyn_cast<GroupAttr>(Attribute(op.getGroup()));
  MeshOp mesh = MeshOp::lookup(op);
  auto groups = getRankGroups(op, op.getGroup());
  if (!group || !mesh || !groups) {
    reason = "expected groups of mesh axes, got explicit rank lists";
    return std::nullopt;
  }
  SmallVector<StringRef> names = *group.getAxisNames();
  std::string over = "the all-to-all over";
  for (auto [i, name] : llvm::enumerate(names))
    over += (i == 0 ? " " : ", ") + name.str();
  int64_t ranks = groups->getGroupSize();
  std::optional<int64_t> inside = groups->countTogether(nodeRanks);
  if (!inside) {
    reason = "nodes of " + std::to_string(nodeRanks) + " ranks cut " + over +
             " unevenly";
    return std::nullopt;
  }
  if (*inside == ranks) {
    reason =
        over + " stays inside nodes of " + std::to_string(nodeRanks) + " ranks";
    return std::nullopt;
  }
  if (*inside == 1) {
    reason = "no two ranks of " + over + " share a node of " +
             std::to_string(nodeRanks) + " ranks";
    return std::nullopt;
  }
  int64_t size = mesh.getShape()[*mesh.getAxisIndex(names.back())];
  // If only one axis remains, it must not be the whole group.
  if (size % *inside != 0 || (size == *inside && names.size() < 2)) {
    reason = "expected the " + std::to_string(*inside) + " ranks of " + over +
             " that share a node to be along its last axis, of size " +
             std::to_string(size);
    return std::nullopt;
  }
  for (StringRef part : {"_outer", "_inner"})
    if (size != *inside && mesh.getAxisIndex((names.back() + part).str())) {
      reason = "the mesh already has an axis " + (names.back() + part).str();
      return std::nullopt;
    }
  return NodeBoundary{names.back().str(), size, *inside};
}

bool moe::staysInNodes(ModuleOp alone, const cost::Machine &machine) {
  int64_t nodeRanks = machine.levels.front().ranks;
  bool hasAny = false;
  WalkResult result = alone.walk([&](CollectiveOpInterface op) {
    if (!isa<AllToAllOp, RaggedAllToAllOp>(op))
      return WalkResult::advance();
    hasAny = true;
    auto groups = getRankGroups(op, op.getGroup());
    return groups && groups->countTogether(nodeRanks) == groups->getGroupSize()
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return hasAny && !result.wasInterrupted();
}

std::optional<NodeBoundary> moe::findNodeBoundary(ModuleOp alone,
                                                  const cost::Machine &machine,
                                                  std::string &reason) {
  if (machine.levels.size() < 2) {
    reason = "the platform has no nodes, only the level " +
             machine.levels.front().name;
    return std::nullopt;
  }
  std::optional<NodeBoundary> common;
  bool failed = false;
  bool hasPlan = false;
  alone.walk([&](RaggedPlanOp) { hasPlan = true; });
  alone.walk([&](CollectiveOpInterface op) {
    // For other ragged exchanges, it is unknown which rows the ranks in one
    // node send together.
    if (!isa<AllToAllOp>(op) && !(hasPlan && isa<RaggedAllToAllOp>(op)))
      return WalkResult::advance();
    std::optional<NodeBoundary> found =
        findIn(op, machine.levels.front().ranks, reason);
    if (!found) {
      failed = true;
    } else if (common && *common != *found) {
      reason = "the all-to-alls of the layer cross nodes along different axes";
      failed = true;
    }
    common = found;
    return failed ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!failed && !common)
    reason = "expected a moe.all_to_all, or rows of uneven runs by a "
             "moe.ragged_plan";
  return failed ? std::nullopt : common;
}
