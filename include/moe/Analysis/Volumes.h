// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that collectives send.

#ifndef MOE_ANALYSIS_VOLUMES_H
#define MOE_ANALYSIS_VOLUMES_H

#include "moe/Dialect/MoE/MoEInterfaces.h"
#include <string>

namespace moe {

/// The relation of a counted volume to a run.
enum class VolumeBound {
  /// A run sends exactly these bytes, exactly this often.
  Exact,
  /// The volume with even routing, because the number of tokens per destination
  /// is known only at run time.
  Even,
  /// An upper bound, because the op is in a branch, provides only a bound, or
  /// XLA shards its operand (`AutomaticDims`).
  Upper,
  /// The volume of one execution. The number of executions is unknown (a loop
  /// with unknown bounds, blocks of unstructured control flow, a function that
  /// calls itself or has its address taken).
  PerIteration,
  /// The bytes are unknown, because the op's name indicates communication
  /// (`getUnreadCommunication`), but its traffic cannot be read.
  Unread
};

/// The data that one rank sends to other ranks in one stage of an op that
/// exchanges data (`ExchangeOpInterface`, SPEC CC-2). Collectives have one
/// stage.
struct CollectiveVolume {
  mlir::Operation *op;
  /// Symbol of the function around the op; empty outside functions.
  llvm::StringRef function;
  /// Name and phase of the enclosing layer; empty outside layers.
  llvm::StringRef layer;
  llvm::StringRef phase;
  /// For collectives "all_to_all" and so on; otherwise the op's name, or for
  /// unread communication the name it is known by.
  llvm::StringRef kind;
  /// The mesh axes of the collective joined by '+', "replica_groups" for
  /// explicit rank lists, or "unread" for communication that cannot be read.
  std::string axes;
  /// Bytes sent per execution; nullopt if a shape is dynamic for other reasons
  /// than the size of chunks, or if the communication cannot be read.
  std::optional<int64_t> bytes;
  /// Number of executions: the product of the constant trip counts of enclosing
  /// loops and the number of calls of the function in the module, if any.
  int64_t times;
  VolumeBound bound;

  /// Returns bytes * times; nullopt if unknown or beyond 2^63 - 1.
  std::optional<int64_t> getTotalBytes() const;
};

/// Returns the volumes of all collectives below `root`, in program order: one
/// per op, or, in a pipeline with chunks of different sizes, one per size, next
/// to each other. Communication that cannot be read also has an entry, without
/// bytes, so that only programs without communication have an empty list.
llvm::SmallVector<CollectiveVolume> computeVolumes(mlir::Operation *root);

} // namespace moe

#endif // MOE_ANALYSIS_VOLUMES_H
