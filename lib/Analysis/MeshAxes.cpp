// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of a mesh's axes.

#include "moe/Analysis/Replication.h"

using namespace mlir;
using namespace moe;

MeshAxes::MeshAxes(Operation *root) {
  // The mesh is inside the root or around it.
  mesh = MeshOp::lookup(root);
  if (!mesh)
    root->walk([&](MeshOp found) {
      mesh = found;
      return WalkResult::interrupt();
    });
  allAxes = mesh ? 0 : 1;
  if (mesh)
    for (auto [i, size] : llvm::enumerate(mesh.getShape()))
      if (size > 1)
        allAxes |= uint64_t(1) << i;
}

std::optional<uint64_t> MeshAxes::getBits(GroupAttrInterface group) const {
  std::optional<SmallVector<StringRef>> names = group.getAxisNames();
  if (!names || !mesh)
    return std::nullopt;
  FailureOr<uint64_t> bits = getAxisBits(mesh, *names);
  if (failed(bits))
    return std::nullopt;
  return *bits & allAxes;
}

SmallVector<StringRef> MeshAxes::getNames(uint64_t bits) const {
  SmallVector<StringRef> names;
  MeshOp declared = mesh; // accessors of ops are not const
  if (declared)
    for (unsigned i = 0; i < declared.getShape().size(); ++i)
      if (bits & (uint64_t(1) << i))
        names.push_back(declared.getAxisName(i));
  return names;
}
