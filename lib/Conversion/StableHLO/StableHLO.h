// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions shared by the import and the export of StableHLO.

#ifndef MOE_LIB_CONVERSION_STABLEHLO_H
#define MOE_LIB_CONVERSION_STABLEHLO_H

#include "../Program.h"
#include "../ReadMesh.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/StringSet.h"

namespace moe {

/// Attributes on a collective with the original text, which the export uses if
/// it still applies.
inline constexpr llvm::StringLiteral kGroupsAttr = "stablehlo.replica_groups";
inline constexpr llvm::StringLiteral kChannelAttr = "stablehlo.channel_handle";
inline constexpr llvm::StringLiteral kConfigAttr = "stablehlo.backend_config";
/// Marks a collective of a text without device counts
/// (`ReadMesh::countsNothing`) that has no channel or no
/// `use_global_device_ids`; the export then writes none.
inline constexpr llvm::StringLiteral kReplicaIdsAttr = "stablehlo.replica_ids";
/// Attribute on a reduction with the attributes of its reducing op, if any.
inline constexpr llvm::StringLiteral kReducerAttr = "stablehlo.reducer";

/// Attribute on a `scf.for` that was a `stablehlo.while`: the number of the
/// carried value that counts, and the comparison that ends the loop.
inline constexpr llvm::StringLiteral kWhileAttr = "stablehlo.while";

/// The mesh of an imported program.
struct ReadMesh {
  MeshOp op;
  /// Names of all equal meshes in the text.
  llvm::StringSet<> names;
  /// The result of `isOfReplicas` for the module.
  bool isOfReplicas = false;
  /// True if the module counts neither partitions nor replicas. Numbers in
  /// groups are then devices, whatever else a collective states.
  bool countsNothing = false;
};

/// Reasons why ops are not converted.
using ReadReasons = llvm::DenseMap<mlir::Operation *, std::string>;

/// Returns the groups of an op's `replica_groups`; null if they are not
/// understood.
GroupAttrInterface readGroups(mlir::Attribute attr, const ReadMesh &mesh);

/// Converts collectives of Shardy on global values, as its own passes create
/// them, to computations on local tensors with one collective of `moe` each.
void readReshards(mlir::ModuleOp module, const ReadMesh &mesh);

/// Returns true if devices are replicas of one partition, according to the
/// module's `mhlo.num_replicas`. Groups of replicas are then groups of devices,
/// and a channel would have another meaning.
bool isOfReplicas(mlir::ModuleOp module);

/// Creates a mesh for a program that names none, as JAX without Shardy writes
/// it: its devices, split into axes at the bounds of its collectives' groups.
/// Creates none in a program without collectives. If the number of devices is
/// unknown, creates none and sets `why` to the reason.
ReadMesh makeDeviceMesh(mlir::ModuleOp module, std::string &why);

/// Converts the collectives of a module to `moe`. A collective of several
/// operands becomes one for each operand, and an asynchronous one becomes one
/// at the position of its start. Adds the reason for each collective that is
/// not converted to `reasons`.
void readCollectives(mlir::ModuleOp module, const ReadMesh &mesh,
                     ReadReasons &reasons);

/// Converts counted loops around collectives to `scf.for`, so that volumes,
/// schedules and simulations know their number of iterations.
void readLoops(mlir::ModuleOp module);

/// Converts slices at the position of this device in a group to `moe.drop`.
void readDrops(mlir::ModuleOp module, const ReadMesh &mesh);

/// Converts the ops of `moe`, `tensor` and `arith` in `function` to StableHLO.
/// Emits an error and fails for an op without an equivalent.
llvm::LogicalResult writeOps(mlir::Operation *function, const ReadMesh &mesh);

/// Converts loops in `function` from `readLoops` that still have the same
/// number of iterations back to `stablehlo.while`, and removes bounds without
/// uses.
void writeLoops(mlir::Operation *function);

/// Converts the remaining collectives of Shardy to constraints with their
/// result shardings, which XLA can read.
void writeReshards(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_CONVERSION_STABLEHLO_H
