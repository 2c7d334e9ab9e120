// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of the moe dialect.

#ifndef MOE_DIALECT_MOE_MOEINTERFACES_H
#define MOE_DIALECT_MOE_MOEINTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/DimMap.h"

namespace moe {

/// The kinds of collectives.
enum class CollectiveKind {
  AllToAll,
  RaggedAllToAll,
  AllGather,
  ReduceScatter,
  AllReduce,
  CollectivePermute
};

/// Maximum number of ranks in groups that list all members; larger than any
/// existing machine.
inline constexpr int64_t kMaxListedRanks = int64_t(1) << 20;

/// Returns the name of a collective as its op spells it, for example
/// "all_to_all".
llvm::StringRef stringifyCollectiveKind(CollectiveKind kind);

/// The rendezvous of the ranks of a group. Collectives read this resource: see
/// "Ordering model" in the dialect's description.
struct RendezvousResource
    : public mlir::SideEffects::Resource::Base<RendezvousResource> {
  llvm::StringRef getName() final { return "moe.rendezvous"; }
};

/// The streams that tasks are launched on. Tasks write this resource so that no
/// pass erases a task without uses; the chunks of a schedule must stay
/// complete.
struct StreamResource
    : public mlir::SideEffects::Resource::Base<StreamResource> {
  llvm::StringRef getName() final { return "moe.stream"; }
};

} // namespace moe

#include "moe/Dialect/MoE/MoEAttrInterfaces.h.inc"

#include "moe/Dialect/MoE/MoEOpInterfaces.h.inc"

#endif // MOE_DIALECT_MOE_MOEINTERFACES_H
