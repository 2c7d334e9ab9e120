// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meshes and groups of others.

#ifndef MOE_LIB_CONVERSION_READMESH_H
#define MOE_LIB_CONVERSION_READMESH_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Why axes of these names and sizes cannot be a `moe.mesh`; empty when they
/// can.
std::string findMeshObstacle(llvm::ArrayRef<std::string> names,
                             llvm::ArrayRef<int64_t> sizes);

/// A mesh in front of all of a module, under a name that nothing has yet.
MeshOp createMesh(mlir::ModuleOp module, mlir::Location loc,
                  llvm::ArrayRef<std::string> names,
                  llvm::ArrayRef<int64_t> sizes);

/// The group that `dense<[[0, 2], [1, 3]]>` says: of axes where axes of the
/// mesh, in its order, give the same lists. Null where not every rank of the
/// mesh stands in one list, once, and where lists are not of 64-bit integers.
GroupAttrInterface readRankGroups(mlir::Attribute lists, MeshOp mesh);

/// Pairs of positions that every group has alike.
struct PermuteGroup {
  GroupAttrInterface group;
  llvm::SmallVector<int64_t> from, to;
};

/// Who sends to whom by `dense<[[0, 1], [1, 0]]>`, pairs of ranks of the mesh:
/// in groups of the axes along which a source and a target differ, where all
/// groups do the same, else in one group of all ranks. Nullopt where a rank is
/// not of the mesh, or is a source or a target twice.
std::optional<PermuteGroup> readPermute(mlir::Attribute pairs, MeshOp mesh);

} // namespace moe

#endif // MOE_LIB_CONVERSION_READMESH_H
