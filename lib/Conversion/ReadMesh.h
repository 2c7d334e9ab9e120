// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import of meshes and groups.

#ifndef MOE_LIB_CONVERSION_READMESH_H
#define MOE_LIB_CONVERSION_READMESH_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns the reason why axes of these names and sizes cannot be a `moe.mesh`,
/// or an empty string.
std::string findMeshObstacle(llvm::ArrayRef<std::string> names,
                             llvm::ArrayRef<int64_t> sizes);

/// Creates a mesh at the start of a module, with a unique name.
MeshOp createMesh(mlir::ModuleOp module, mlir::Location loc,
                  llvm::ArrayRef<std::string> names,
                  llvm::ArrayRef<int64_t> sizes);

/// Returns the group for `dense<[[0, 2], [1, 3]]>`: mesh axes if the axes, in
/// the mesh's order, give the same lists, and rank lists otherwise. Null if
/// lists are not of 64-bit integers, or if they do not contain every rank of
/// the mesh exactly once.
GroupAttrInterface readRankGroups(mlir::Attribute lists, MeshOp mesh);

/// Pairs of positions that are equal in every group.
struct PermuteGroup {
  GroupAttrInterface group;
  llvm::SmallVector<int64_t> from, to;
};

/// Returns the permutation for `dense<[[0, 1], [1, 0]]>`, pairs of ranks of the
/// mesh. The groups are along the axes that sources and targets differ in, if
/// all groups have the same pairs; otherwise there is one group of all ranks.
/// Nullopt if a rank is not in the mesh, or is a source or a target twice.
std::optional<PermuteGroup> readPermute(mlir::Attribute pairs, MeshOp mesh);

} // namespace moe

#endif // MOE_LIB_CONVERSION_READMESH_H
