// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which stream a task is on.

#ifndef MOE_LIB_TRANSFORMS_STREAMASSIGNMENT_H
#define MOE_LIB_TRANSFORMS_STREAMASSIGNMENT_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Transforms/Passes.h"
#include <map>

namespace moe {

/// Where tasks run: the streams of SPEC MO-9, and those of traffic that waits
/// (MO-12). Declares streams on first use.
class StreamAssignment {
public:
  /// `priorities` are axes, what goes first in front, at most
  /// `StreamOp::kMaxPriority` + 1 of them. New streams are declared in the
  /// module of `symbols`. `collectives` says which collectives share a stream.
  /// Streams of gradients are behind all of `priorities`, which are then one
  /// fewer at most.
  StreamAssignment(mlir::SymbolTable &symbols,
                   llvm::ArrayRef<std::string> priorities,
                   CollectiveStreams collectives = CollectiveStreams::ByLinks);

  /// The stream of the task of an op; `before` is the symbol to declare a new
  /// one in front of.
  mlir::FlatSymbolRefAttr getStream(mlir::Operation *op,
                                    mlir::Operation *before);
  /// That of tasks of copies.
  mlir::FlatSymbolRefAttr getCopyStream(mlir::Operation *before);
  /// That of the sums of chunks.
  mlir::FlatSymbolRefAttr getComputeStream(mlir::Operation *before);

private:
  mlir::FlatSymbolRefAttr getStream(ResourceKind resource, unsigned priority,
                                    mlir::Operation *before);
  ResourceKind getResource(mlir::Operation *op);
  /// True for the all-reduce of a gradient that has a stream of its own.
  bool isApart(mlir::Operation *op) const;
  /// The place in `priorities` of the axes of a group, the first that is
  /// there; 0 when none is.
  unsigned getPriority(GroupAttrInterface group) const;
  /// True when all ranks of each group share an instance of the platform's
  /// innermost level; nullopt without a platform.
  std::optional<bool> staysInside(CollectiveOpInterface op);

  mlir::SymbolTable &symbols;
  llvm::ArrayRef<std::string> priorities;
  CollectiveStreams collectives;
  std::map<std::pair<ResourceKind, unsigned>, mlir::FlatSymbolRefAttr> streams;
  llvm::DenseMap<mlir::Attribute, bool> inside;
};

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_STREAMASSIGNMENT_H
