// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both directions agree on.

#ifndef MOE_LIB_CONVERSION_STABLEHLO_H
#define MOE_LIB_CONVERSION_STABLEHLO_H

#include "../Program.h"
#include "../ReadMesh.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/StringSet.h"

namespace moe {

/// On a collective: what the text said, for as long as it says the same.
inline constexpr llvm::StringLiteral kGroupsAttr = "stablehlo.replica_groups";
inline constexpr llvm::StringLiteral kChannelAttr = "stablehlo.channel_handle";
inline constexpr llvm::StringLiteral kConfigAttr = "stablehlo.backend_config";
/// On a collective of a text that counts nothing (`ReadMesh::countsNothing`),
/// if it has no channel or no `use_global_device_ids`: none is written back.
inline constexpr llvm::StringLiteral kReplicaIdsAttr = "stablehlo.replica_ids";
/// On a reduction: attributes of the op inside that reduces, if it has any.
inline constexpr llvm::StringLiteral kReducerAttr = "stablehlo.reducer";
/// What XLA keeps of an op's attributes up to the program that runs.
inline constexpr llvm::StringLiteral kFrontendAttr = "mhlo.frontend_attributes";

/// On a `scf.for` that was a `stablehlo.while`: the number of the carried value
/// that counts, and the comparison that ends the loop.
inline constexpr llvm::StringLiteral kWhileAttr = "stablehlo.while";

/// The mesh of a program that is read.
struct ReadMesh {
  MeshOp op;
  /// Meshes of the text that are the same.
  llvm::StringSet<> names;
  /// `isOfReplicas` of the module.
  bool isOfReplicas = false;
  /// The module counts neither partitions nor replicas: numbers in groups are
  /// devices whatever else a collective states.
  bool countsNothing = false;
};

/// Why ops stay as they are.
using ReadReasons = llvm::DenseMap<mlir::Operation *, std::string>;

/// The groups that `replica_groups` of an op says, null where it is not
/// understood.
GroupAttrInterface readGroups(mlir::Attribute attr, const ReadMesh &mesh);

/// Turns collectives of Shardy on global values, as its own passes make them,
/// into computations of local tensors, each of one collective of `moe`.
void readReshards(mlir::ModuleOp module, const ReadMesh &mesh);

/// Whether devices are replicas of one partition, by the module's
/// `mhlo.num_replicas`: groups of replicas are groups of devices, and a channel
/// would say something else.
bool isOfReplicas(mlir::ModuleOp module);

/// Makes a mesh for a program that names none, as JAX without Shardy writes it:
/// its devices, cut into axes where the groups of its collectives begin and
/// end. Makes none in a program without collectives, and none, with the reason
/// in `why`, if the number of devices is unknown.
ReadMesh makeDeviceMesh(mlir::ModuleOp module, std::string &why);

/// Turns the collectives of a module into those of `moe`. A collective of
/// several operands becomes one for each operand, and an asynchronous one
/// becomes one at the place of its start. Adds the reason for each collective
/// that stays to `reasons`.
void readCollectives(mlir::ModuleOp module, const ReadMesh &mesh,
                     ReadReasons &reasons);

/// Turns counted loops around collectives into `scf.for`, so that volumes,
/// schedules and simulations know their number of iterations.
void readLoops(mlir::ModuleOp module);

/// Turns slices at the place of this device in a group into `moe.drop`.
void readDrops(mlir::ModuleOp module, const ReadMesh &mesh);

/// Turns the ops of `moe`, `tensor` and `arith` inside of `function` into
/// StableHLO. Emits an error at one that StableHLO has not.
llvm::LogicalResult writeOps(mlir::Operation *function, const ReadMesh &mesh);

/// Turns loops inside of `function` that `readLoops` has made, and that still
/// run as often, back into `stablehlo.while`, and removes bounds that no loop
/// reads.
void writeLoops(mlir::Operation *function);

/// Turns the collectives of Shardy that are left into constraints to the
/// shardings they lead to, which XLA reads.
void writeReshards(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_CONVERSION_STABLEHLO_H
