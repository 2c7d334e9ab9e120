// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meshes of programs that do not name one.
//
// Without Shardy, the text has only device numbers. A group of devices with a
// constant stride shows the bounds of an axis. For example, the groups [[0, 2],
// [1, 3]] of 4 devices are along the first axis of a 2 x 2 mesh.

#include "StableHLO.h"
#include "moe/Dialect/Text/Communication.h"
#include <set>

using namespace mlir;
using namespace moe;

/// Returns the groups that a collective of the text lists, or null.
static DenseIntElementsAttr getListedGroups(Operation *op) {
  Attribute groups = op->getAttr("replica_groups");
  if (auto config =
          dyn_cast_or_null<DictionaryAttr>(op->getAttr("backend_config")))
    groups = config.get("replica_groups");
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(groups);
  return dense && dense.getType().getRank() == 2 &&
                 dense.getElementType().isInteger(64) &&
                 dense.getNumElements() > 0
             ? dense
             : nullptr;
}

/// Adds the two bounds of the axis of the first group.
static void addCuts(DenseIntElementsAttr groups, std::set<int64_t> &cuts) {
  int64_t size = groups.getType().getDimSize(1), previous = -1, stride = 0;
  int64_t place = 0;
  for (int64_t rank : groups.getValues<int64_t>()) {
    if (place == size)
      break;
    if (place == 1)
      stride = rank - previous;
    if (place > 0 && rank - previous != stride)
      return;
    previous = rank;
    ++place;
  }
  if (size > 1 && stride > 0 && stride <= kMaxListedRanks) {
    cuts.insert(stride);
    cuts.insert(stride * size);
  }
}

/// Returns an integer attribute of the module, or 0.
static int64_t getCount(ModuleOp module, StringRef name) {
  auto attr = module->getAttrOfType<IntegerAttr>(name);
  return attr && attr.getValue().getActiveBits() < 32 ? attr.getInt() : 0;
}

static constexpr StringLiteral kPartitions = "mhlo.num_partitions",
                               kReplicas = "mhlo.num_replicas";

bool moe::isOfReplicas(ModuleOp module) {
  return getCount(module, kReplicas) > 1 && getCount(module, kPartitions) <= 1;
}

ReadMesh moe::makeDeviceMesh(ModuleOp module, std::string &why) {
  std::set<int64_t> cuts, counts;
  int64_t least = 0;
  bool isFound = false;
  module.walk([&](Operation *op) {
    if (getUnreadCommunication(op).empty())
      return;
    isFound = true;
    if (DenseIntElementsAttr groups = getListedGroups(op)) {
      counts.insert(groups.getNumElements());
      addCuts(groups, cuts);
    }
    if (auto pairs = dyn_cast_or_null<DenseIntElementsAttr>(
            op->getAttr("source_target_pairs"));
        pairs && pairs.getElementType().isInteger(64))
      for (int64_t rank : pairs.getValues<int64_t>())
        least = std::max(least, rank + 1);
  });
  if (!isFound)
    return {};
  int64_t partitions = getCount(module, kPartitions),
          replicas = getCount(module, kReplicas);
  if (partitions > 1 && replicas > 1) {
    why = "expected partitions or replicas, got " + std::to_string(partitions) +
          " partitions of " + std::to_string(replicas) + " replicas";
    return {};
  }
  ReadMesh mesh;
  mesh.isOfReplicas = isOfReplicas(module);
  mesh.countsNothing = partitions == 0 && replicas == 0;
  int64_t devices = std::max(partitions, replicas);
  // If these attributes are absent, the groups determine the number of devices.
  if (devices <= 1)
    devices = counts.empty() ? least : *counts.rbegin();
  if (devices < 1) {
    why = "expected mhlo.num_partitions, replica_groups or "
          "source_target_pairs, which give the number of devices";
    return {};
  }
  // Nested bounds, the innermost one first.
  SmallVector<int64_t> sizes, ends{1};
  cuts.insert(devices);
  for (int64_t cut : cuts)
    if (cut > ends.back() && cut % ends.back() == 0 && devices % cut == 0)
      ends.push_back(cut);
  for (size_t i = ends.size(); i-- > 1;)
    sizes.push_back(ends[i] / ends[i - 1]);
  if (sizes.empty())
    sizes.push_back(1);
  SmallVector<std::string> names;
  for (unsigned i = 0; i < sizes.size(); ++i)
    names.push_back("axis" + std::to_string(i));
  why = findMeshObstacle(names, sizes);
  if (!why.empty())
    return {};
  mesh.op = createMesh(module, module.getLoc(), names, sizes);
  return mesh;
}
