// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What attributes of Shardy and StableHLO say.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_TEXT_H
#define MOE_DIALECT_TEXT_STABLEHLO_TEXT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace moe {

/// A value and how XLA shards it: its operand.
inline constexpr llvm::StringLiteral kConstraintName =
    "sdy.sharding_constraint";

/// The value that constraints around `value` are of: JAX writes them around
/// every op, counters and constants included, if some axes are not manual.
mlir::Value skipConstraints(mlir::Value value);

/// On a `sdy.manual_computation` whose region is a function: its name. No
/// symbol use, because nothing inside the module calls it.
inline constexpr llvm::StringLiteral kShardyBodyAttr = "sdy.body";

// Attributes of these dialects are kept as text; these functions read it. Each
// gives nullopt for what it does not understand, which is then left as it is.

/// `#sdy.mesh<["ep"=4, "tp"=2]>`: the last axis is the fastest, unless
/// `device_ids` say otherwise.
struct ShardyMesh {
  llvm::SmallVector<std::string> names;
  llvm::SmallVector<int64_t> sizes;
  bool hasDeviceIds = false;

  bool operator==(const ShardyMesh &) const = default;
};
std::optional<ShardyMesh> parseShardyMesh(mlir::Attribute attr);

/// `<@mesh, [{"ep"}, {}, {"tp", ?}]>`, of a dim the axes it is cut over. Of a
/// part of an axis (`"ep":(1)2`) the axis is named.
struct ShardySharding {
  std::string mesh;
  llvm::SmallVector<llvm::SmallVector<std::string>> dims;
  /// For each dim, true if XLA may cut it over more axes (`?`).
  llvm::SmallVector<bool> isOpen;
  /// Axes over which it is a sum that nobody has built yet.
  llvm::SmallVector<std::string> unreduced;
  /// As it is written, to tell whether two are the same.
  std::string text;
};
/// `#sdy.sharding_per_value<[...]>`.
std::optional<llvm::SmallVector<ShardySharding>>
parseShardings(mlir::Attribute attr);
/// `#sdy.sharding<...>`.
std::optional<ShardySharding> parseSharding(mlir::Attribute attr);

/// `#sdy<manual_axes{"ep", "tp"}>` and `#sdy<axis_ref_list{"tp"}>`: whole axes.
std::optional<llvm::SmallVector<std::string>>
parseAxes(mlir::Attribute attr, llvm::StringRef keyword);

/// `#sdy<all_to_all_param_list[{"ep"}: 1->0]>` of one item, of whole axes.
struct ShardyMove {
  llvm::SmallVector<std::string> axes;
  int64_t from = 0, to = 0;
};
std::optional<ShardyMove> parseMove(mlir::Attribute attr);

/// `#sdy<list_of_axis_ref_lists[{}, {"tp"}]>` of whole axes.
std::optional<llvm::SmallVector<llvm::SmallVector<std::string>>>
parseAxisLists(mlir::Attribute attr);

/// `#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [...]>` of whole
/// axes.
struct MeshAxesGroups {
  std::string mesh;
  llvm::SmallVector<std::string> axes;
};
std::optional<MeshAxesGroups> parseMeshAxesGroups(mlir::Attribute attr);

/// The direction of `#stablehlo<comparison_direction LT>`, "LT"; empty for what
/// is not understood.
std::string parseComparison(mlir::Attribute attr);

/// The handle of `#stablehlo.channel_handle<handle = 1, type = 1>`.
std::optional<int64_t> parseChannel(mlir::Attribute attr);

/// `#stablehlo.dot<...>`, left and right.
struct DotDims {
  llvm::SmallVector<int64_t> batch[2], contracting[2];
};
std::optional<DotDims> parseDotDims(mlir::Attribute attr);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_TEXT_H
