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

/// What a collective does.
enum class CollectiveKind {
  AllToAll,
  RaggedAllToAll,
  AllGather,
  ReduceScatter,
  AllReduce,
  CollectivePermute
};

/// The most ranks of which a group lists all members: a million, beyond any
/// machine there is.
inline constexpr int64_t kMaxListedRanks = int64_t(1) << 20;

/// Name of a collective as its op spells it, e.g. "all_to_all".
llvm::StringRef stringifyCollectiveKind(CollectiveKind kind);

/// The place at which the ranks of a group meet. Collectives read it: see
/// "Ordering model" in the dialect's description.
struct RendezvousResource
    : public mlir::SideEffects::Resource::Base<RendezvousResource> {
  llvm::StringRef getName() final { return "moe.rendezvous"; }
};

/// The streams tasks are launched on. Tasks write it, so that no pass drops
/// one whose values nobody uses: the chunks of a schedule stay complete.
struct StreamResource
    : public mlir::SideEffects::Resource::Base<StreamResource> {
  llvm::StringRef getName() final { return "moe.stream"; }
};

} // namespace moe

#include "moe/Dialect/MoE/MoEAttrInterfaces.h.inc"

#include "moe/Dialect/MoE/MoEOpInterfaces.h.inc"

#endif // MOE_DIALECT_MOE_MOEINTERFACES_H
