// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers for attributes of Shardy and StableHLO.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_TEXT_H
#define MOE_DIALECT_TEXT_STABLEHLO_TEXT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace moe {

/// Name of the op that constrains how XLA shards its operand.
inline constexpr llvm::StringLiteral kConstraintName =
    "sdy.sharding_constraint";

/// Returns the value inside sharding constraints. JAX writes constraints around
/// every op, including counters and constants, if some axes are not manual.
mlir::Value skipConstraints(mlir::Value value);

/// Name of an attribute of `sdy.manual_computation`: the function that its
/// region became. It is not a symbol use, because nothing inside the module
/// calls the function.
inline constexpr llvm::StringLiteral kShardyBodyAttr = "sdy.body";

// Attributes of these dialects are kept as text, and these functions parse it.
// Each returns nullopt for text that it does not understand; callers then leave
// the op unchanged.

/// `#sdy.mesh<["ep"=4, "tp"=2]>`: the last axis varies fastest, unless
/// `device_ids` override the order.
struct ShardyMesh {
  llvm::SmallVector<std::string> names;
  llvm::SmallVector<int64_t> sizes;
  bool hasDeviceIds = false;

  bool operator==(const ShardyMesh &) const = default;
};
std::optional<ShardyMesh> parseShardyMesh(mlir::Attribute attr);

/// `<@mesh, [{"ep"}, {}, {"tp", ?}]>`: the axes that each dim is cut over. A
/// part of an axis (`"ep":(1)2`) is represented by the axis.
struct ShardySharding {
  std::string mesh;
  llvm::SmallVector<llvm::SmallVector<std::string>> dims;
  /// For each dim, true if XLA may cut it over more axes (`?`).
  llvm::SmallVector<bool> isOpen;
  /// Axes over which the value is still a partial sum.
  llvm::SmallVector<std::string> unreduced;
  /// The original text, for comparing two shardings.
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

/// Returns the direction of `#stablehlo<comparison_direction LT>`, "LT"; empty
/// if the text is not understood.
std::string parseComparison(mlir::Attribute attr);

/// Returns the handle of `#stablehlo.channel_handle<handle = 1, type = 1>`.
std::optional<int64_t> parseChannel(mlir::Attribute attr);

/// `#stablehlo.dot<...>`: the dims of the left and the right operand.
struct DotDims {
  llvm::SmallVector<int64_t> batch[2], contracting[2];
};
std::optional<DotDims> parseDotDims(mlir::Attribute attr);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_TEXT_H
