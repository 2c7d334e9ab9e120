// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both directions agree on.

#ifndef MOE_LIB_CONVERSION_STABLEHLO_H
#define MOE_LIB_CONVERSION_STABLEHLO_H

#include "../ReadMesh.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/StringSet.h"

namespace moe {

/// On a `sdy.manual_computation` whose region is a function: its name. No
/// symbol use, because nothing inside the module calls it.
inline constexpr llvm::StringLiteral kBodyAttr = "sdy.body";
/// On a collective: what the text said, for as long as it says the same.
inline constexpr llvm::StringLiteral kGroupsAttr = "stablehlo.replica_groups";
inline constexpr llvm::StringLiteral kChannelAttr = "stablehlo.channel_handle";
inline constexpr llvm::StringLiteral kConfigAttr = "stablehlo.backend_config";
/// On a reduction: attributes of the op inside that reduces, if it has any.
inline constexpr llvm::StringLiteral kReducerAttr = "stablehlo.reducer";
/// What XLA keeps of an op's attributes up to the program that runs.
inline constexpr llvm::StringLiteral kFrontendAttr = "mhlo.frontend_attributes";

/// The mesh of a program that is read.
struct ReadMesh {
  MeshOp op;
  /// Meshes of the text that are the same.
  llvm::StringSet<> names;
};

/// The groups that `replica_groups` of an op says, null where it is not
/// understood.
GroupAttrInterface readGroups(mlir::Attribute attr, const ReadMesh &mesh);

/// Turns collectives of Shardy on global values, as its own passes make them,
/// into computations of local tensors, each of one collective of `moe`.
void readReshards(mlir::ModuleOp module, const ReadMesh &mesh);

/// Turns the collectives of a module into those of `moe`.
void readCollectives(mlir::ModuleOp module, const ReadMesh &mesh);

/// Turns slices at the place of this device in a group into `moe.drop`.
void readDrops(mlir::ModuleOp module, const ReadMesh &mesh);

/// Puts dispatches, combines and what is computed between them into layers, in
/// the functions `bodies`. `missed` is told why an exchange is in none.
void readLayers(
    llvm::ArrayRef<mlir::func::FuncOp> bodies,
    llvm::function_ref<void(mlir::Operation *, const llvm::Twine &)> missed);

/// Puts what layers, pipelines and schedules inside of `function` hold in their
/// place, chunk by chunk, in the order in which it is launched.
void dissolve(mlir::Operation *function);

/// Turns the ops of `moe`, `tensor` and `arith` inside of `function` into
/// StableHLO. Emits an error at one that StableHLO has not.
llvm::LogicalResult writeOps(mlir::Operation *function, const ReadMesh &mesh);

/// Turns the collectives of Shardy that are left into constraints to the
/// shardings they lead to, which XLA reads.
void writeReshards(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_CONVERSION_STABLEHLO_H
