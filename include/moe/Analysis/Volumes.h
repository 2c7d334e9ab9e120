// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that collectives send.

#ifndef MOE_ANALYSIS_VOLUMES_H
#define MOE_ANALYSIS_VOLUMES_H

#include "moe/Dialect/MoE/MoEInterfaces.h"
#include <string>

namespace moe {

/// How a counted volume relates to what a run sends.
enum class VolumeBound {
  /// Sent exactly this often, exactly these bytes.
  Exact,
  /// What even routing makes of it: how many tokens go where is known at run
  /// time only.
  Even,
  /// At most this much: the op stands in a branch, or says no more, or XLA
  /// shards what it sends (`AutomaticDims`).
  Upper,
  /// One execution; how many there are is not known (a loop with unknown
  /// bounds, blocks of unstructured control flow, a function that calls itself
  /// or whose address is taken).
  PerIteration,
  /// The bytes are unknown: the op is named like communication
  /// (`getUnreadCommunication`), but its traffic is not read.
  Unread
};

/// What one rank sends to other ranks in one stage of an op that exchanges data
/// (`ExchangeOpInterface`, SPEC CC-2); collectives have one stage.
struct CollectiveVolume {
  mlir::Operation *op;
  /// Symbol of the function the op stands in; empty outside a function.
  llvm::StringRef function;
  /// Name and phase of the enclosing layer; empty outside a layer.
  llvm::StringRef layer;
  llvm::StringRef phase;
  /// "all_to_all" and so on of collectives, the op's name of another; of what
  /// is not read the name it is known by.
  llvm::StringRef kind;
  /// The mesh axes the collective runs along joined by '+', "replica_groups"
  /// for explicit rank lists, "unread" for what is not read.
  std::string axes;
  /// Bytes one execution sends; nullopt when a shape is dynamic for other
  /// reasons than the size of chunks, and of what is not read.
  std::optional<int64_t> bytes;
  /// Executions: the product of the constant trip counts of enclosing loops,
  /// and of how often the module calls the function, if it does.
  int64_t times;
  VolumeBound bound;

  /// bytes * times; nullopt when unknown or beyond 2^63 - 1.
  std::optional<int64_t> getTotalBytes() const;
};

/// The volumes of all collectives below `root`, in program order: one for each
/// op, or, in a pipeline whose chunks differ in size, one for each size, next
/// to each other. Communication that is not read has one, too, without bytes:
/// no program that communicates has an empty list.
llvm::SmallVector<CollectiveVolume> computeVolumes(mlir::Operation *root);

} // namespace moe

#endif // MOE_ANALYSIS_VOLUMES_H
