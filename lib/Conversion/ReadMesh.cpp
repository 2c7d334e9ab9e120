// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import of meshes and groups.

#include "ReadMesh.h"
#include "moe/Cost/MeshShape.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace moe;

std::string moe::findMeshObstacle(ArrayRef<std::string> names,
                                  ArrayRef<int64_t> sizes) {
  if (names.empty() || names.size() > 64)
    return "expected 1 to 64 axes, got " + std::to_string(names.size());
  llvm::StringSet<> seen;
  uint64_t ranks = 1;
  for (auto [name, size] : llvm::zip_equal(names, sizes)) {
    if (name.empty() || !seen.insert(name).second)
      return "expected axes with a name each, got '" + name + "'";
    if (size < 1 || size > int64_t(kMaxListedRanks))
      return "expected sizes in [1, " + std::to_string(kMaxListedRanks) +
             "], got " + std::to_string(size);
    if ((ranks *= size) > uint64_t(kMaxListedRanks))
      return "expected at most " + std::to_string(kMaxListedRanks) +
             " devices, got " + std::to_string(ranks) + " and more";
  }
  return "";
}

MeshOp moe::createMesh(ModuleOp module, Location loc,
                       ArrayRef<std::string> names, ArrayRef<int64_t> sizes) {
  std::string name = "moe_mesh";
  for (unsigned i = 0; SymbolTable::lookupSymbolIn(module, name); ++i)
    name = "moe_mesh_" + std::to_string(i);
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<StringRef> axes(names.begin(), names.end());
  return MeshOp::create(builder, loc, builder.getStringAttr(name),
                        builder.getStrArrayAttr(axes),
                        builder.getDenseI64ArrayAttr(sizes));
}

using RankLists = SmallVector<SmallVector<int64_t>>;

/// Returns the rows of `dense<[[0, 2], [1, 3]]>` if each of `ranks` ranks
/// occurs once.
static std::optional<RankLists> readRows(Attribute attr, int64_t ranks) {
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr);
  if (!dense || dense.getType().getRank() != 2 ||
      !dense.getElementType().isInteger(64) ||
      dense.getNumElements() != ranks || dense.getType().getDimSize(1) < 1)
    return std::nullopt;
  RankLists rows(dense.getType().getDimSize(0));
  llvm::BitVector seen(ranks);
  for (auto [i, value] : llvm::enumerate(dense.getValues<int64_t>())) {
    if (value < 0 || value >= ranks || seen.test(value))
      return std::nullopt;
    seen.set(value);
    rows[i / dense.getType().getDimSize(1)].push_back(value);
  }
  return rows;
}

/// Returns the group along some axes, in the mesh's order.
static GroupAttr getGroup(MeshOp mesh, uint64_t axes) {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < mesh.getShape().size(); ++i)
    if (axes >> i & 1)
      names.push_back(mesh.getAxisName(i));
  return GroupAttr::get(FlatSymbolRefAttr::get(mesh.getSymNameAttr()), names);
}

GroupAttrInterface moe::readRankGroups(Attribute attr, MeshOp op) {
  std::optional<RankLists> rows = readRows(attr, op.getNumRanks());
  if (!rows)
    return nullptr;
  // Tries the axes along which the ranks of a group differ, in the mesh's
  // order.
  ArrayRef<int64_t> shape = op.getShape();
  uint64_t bits = 0;
  for (int64_t rank : rows->front())
    bits |= cost::findDifferentAxes(shape, rows->front().front(), rank);
  GroupAttr group = getGroup(op, bits);
  FailureOr<RankLists> lists = group.getRankLists(op);
  if (succeeded(lists)) {
    RankLists listed = *rows;
    llvm::sort(listed);
    llvm::sort(*lists);
    if (listed == *lists)
      return group;
  }
  return ReplicaGroupsAttr::get(op.getContext(),
                                cast<DenseIntElementsAttr>(attr));
}

/// Returns the pairs of a permute as positions in `group`; nullopt if its
/// groups have different pairs, or a pair leaves its group.
static std::optional<PermuteGroup>
asPositions(GroupAttr group, ArrayRef<std::pair<int64_t, int64_t>> pairs,
            MeshOp mesh) {
  FailureOr<RankLists> lists = group.getRankLists(mesh);
  if (failed(lists))
    return std::nullopt;
  struct Place {
    size_t group;
    int64_t position;
  };
  SmallVector<Place> places(mesh.getNumRanks());
  for (auto [i, list] : llvm::enumerate(*lists))
    for (auto [position, rank] : llvm::enumerate(list))
      places[rank] = {i, int64_t(position)};
  std::vector<SmallVector<std::pair<int64_t, int64_t>>> own(lists->size());
  for (auto [source, target] : pairs) {
    if (places[source].group != places[target].group)
      return std::nullopt;
    own[places[source].group].emplace_back(places[source].position,
                                           places[target].position);
  }
  for (auto &each : own)
    llvm::sort(each);
  if (!llvm::all_equal(own))
    return std::nullopt;
  PermuteGroup permute{group, {}, {}};
  for (auto [from, to] : own.front()) {
    permute.from.push_back(from);
    permute.to.push_back(to);
  }
  return permute;
}

std::optional<PermuteGroup> moe::readPermute(Attribute attr, MeshOp mesh) {
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr);
  int64_t ranks = mesh.getNumRanks();
  if (!dense || dense.getType().getRank() != 2 ||
      dense.getType().getDimSize(1) != 2 ||
      !dense.getElementType().isInteger(64) ||
      dense.getNumElements() > 2 * ranks)
    return std::nullopt;
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  llvm::BitVector sources(ranks), targets(ranks);
  auto values = llvm::to_vector(dense.getValues<int64_t>());
  for (size_t i = 0; i < values.size(); i += 2) {
    int64_t from = values[i], to = values[i + 1];
    if (from < 0 || from >= ranks || to < 0 || to >= ranks ||
        sources.test(from) || targets.test(to))
      return std::nullopt;
    sources.set(from);
    targets.set(to);
    pairs.emplace_back(from, to);
  }
  // Axes along which a source and its target differ.
  uint64_t crossed = 0;
  for (auto [from, to] : pairs)
    crossed |= cost::findDifferentAxes(mesh.getShape(), from, to);
  if (crossed)
    if (auto permute = asPositions(getGroup(mesh, crossed), pairs, mesh))
      return permute;
  return asPositions(getGroup(mesh, ~uint64_t(0)), pairs, mesh);
}
