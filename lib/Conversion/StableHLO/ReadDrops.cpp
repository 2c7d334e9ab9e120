// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of slices at the device's position to local slices.

#include "StableHLO.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Dialect/Text/StableHLO/RankNumbers.h"

using namespace mlir;
using namespace moe;

/// Returns the group with the rank positions in `places`.
static GroupAttr findGroup(ArrayRef<int64_t> places, const ReadMesh &mesh) {
  MeshOp op = mesh.op;
  SmallVector<unsigned> axes;
  int64_t size = *llvm::max_element(places) + 1;
  std::vector<int64_t> strides = cost::getStrides(op.getShape());
  // An axis belongs to the group if the next rank along it has another
  // position. The axis that leads to the next position is the fastest.
  for (unsigned i = 0; i < strides.size(); ++i)
    if (op.getShape()[i] > 1 && places[strides[i]] != places[0])
      axes.push_back(i);
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return places[strides[a]] > places[strides[b]];
  });
  SmallVector<StringRef> names;
  int64_t product = 1;
  for (unsigned axis : axes) {
    names.push_back(op.getAxisName(axis));
    product *= op.getShape()[axis];
  }
  if (product != size || axes.empty())
    return nullptr;
  auto group =
      GroupAttr::get(FlatSymbolRefAttr::get(op.getSymNameAttr()), names);
  FailureOr<SmallVector<SmallVector<int64_t>>> lists = group.getRankLists(op);
  if (failed(lists))
    return nullptr;
  for (ArrayRef<int64_t> list : *lists)
    for (auto [place, rank] : llvm::enumerate(list))
      if (places[rank] != int64_t(place))
        return nullptr;
  return group;
}

/// Replaces `op`, a slice, if it takes this device's part of one dim.
static void readDrop(Operation *op, const ReadMesh &mesh,
                     RankNumbers &numbers) {
  auto sizes = dyn_cast_or_null<DenseI64ArrayAttr>(op->getAttr("slice_sizes"));
  if (!sizes || op->getNumOperands() == 0 || op->getNumResults() != 1)
    return;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to || !from.hasStaticShape() ||
      !from.getElementType().isIntOrIndexOrFloat() ||
      from.getRank() != int64_t(op->getNumOperands()) - 1 ||
      to.getShape() != sizes.asArrayRef())
    return;
  std::optional<int64_t> dim;
  SmallVector<int64_t> places;
  for (auto [d, index] : llvm::enumerate(op->getOperands().drop_front())) {
    const auto *at = numbers.get(index);
    if (!at)
      return;
    if (to.getDimSize(d) == from.getDimSize(d))
      continue; // Any start is clamped to 0.
    if (dim)
      return;
    dim = d;
    for (int64_t start : *at) {
      if (to.getDimSize(d) < 1 || start % to.getDimSize(d) != 0 || start < 0)
        return;
      places.push_back(start / to.getDimSize(d));
    }
  }
  if (!dim)
    return;
  GroupAttr group = findGroup(places, mesh);
  if (!group)
    return;
  FailureOr<int64_t> size = group.getGroupSize(op);
  if (failed(size) || to.getDimSize(*dim) * *size != from.getDimSize(*dim))
    return;
  OpBuilder b(op);
  auto drop =
      DropOp::create(b, op->getLoc(), to, op->getOperand(0), group, *dim);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    drop->setDiscardableAttr(attr.getName(), attr.getValue());
  // Ops that computed the position and have no other uses.
  llvm::SmallSetVector<Operation *, 16> unused;
  auto collect = [&](Operation *user) {
    for (Value operand : user->getOperands())
      if (Operation *def = operand.getDefiningOp())
        unused.insert(def);
  };
  collect(op);
  unused.remove(drop.getOperand().getDefiningOp());
  op->getResult(0).replaceAllUsesWith(drop);
  op->erase();
  while (!unused.empty()) {
    Operation *def = unused.pop_back_val();
    if (!def->use_empty())
      continue;
    collect(def);
    def->erase();
  }
}

void moe::readDrops(ModuleOp module, const ReadMesh &mesh) {
  MeshOp op = mesh.op;
  SmallVector<Operation *> slices;
  module.walk([&](Operation *found) {
    if (found->getName().getStringRef() == "stablehlo.dynamic_slice")
      slices.push_back(found);
  });
  for (Operation *slice : slices)
    // A fresh instance per slice, because values are erased along with the
    // slice.
    if (RankNumbers numbers(op.getNumRanks()); true)
      readDrop(slice, mesh, numbers);
}
