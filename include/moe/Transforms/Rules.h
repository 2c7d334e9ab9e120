// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algebraic rewrites of collectives.

#ifndef MOE_TRANSFORMS_RULES_H
#define MOE_TRANSFORMS_RULES_H

#include "mlir/IR/PatternMatch.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// An all-to-all that rules have rewritten.
struct RewrittenExchange {
  /// Bytes that it sent before the first rewrite; nullopt if a size is only
  /// known at run time.
  std::optional<int64_t> originalBytes;
  /// The dims along which only a part is sent, and the group that shares the
  /// whole.
  llvm::SmallVector<std::pair<int64_t, GroupAttrInterface>, 2> parts;
};

/// State and options of the rules. Must outlive the patterns.
struct RuleContext {
  explicit RuleContext(ReplicationInfo &replication)
      : replication(replication), control(replication) {}

  ReplicationInfo &replication;
  /// Control flow of ranks. A rule only adds a collective at a point that all
  /// ranks of its group reach together.
  ControlInfo control;
  /// Dim to slice, or -1 for the first free dim that can be divided.
  int64_t dropDim = -1;
  /// The mesh axes to deduplicate all-to-alls over, as a bit set.
  uint64_t dropAxes = ~uint64_t(0);
  /// Collect on one rank per node instead of exchanging between all ranks.
  bool collectOnOneRank = false;
  /// Number of consecutive ranks of a server; all-reduces are split where their
  /// groups leave a server. If it is nullopt, they are split before the last
  /// axis of their group.
  std::optional<int64_t> serverRanks;
  /// The all-to-alls made by rules. Every rule that makes one must call
  /// `noteRewritten`.
  llvm::DenseMap<mlir::Operation *, RewrittenExchange> rewritten;

  /// Returns true if all ranks of `group` reach `op` together, so a collective
  /// of the group may be added there.
  bool canMeet(mlir::Operation *op, GroupAttrInterface group) const;

  /// Records that `made` replaces `original` and sends only a part along `dim`
  /// on each rank of `group`.
  void noteRewritten(CollectiveOpInterface original, CollectiveOpInterface made,
                     int64_t dim, GroupAttrInterface group);
};

/// An equality of programs, applied left to right. See the list below.
struct Rule {
  llvm::StringRef name;
  llvm::StringRef summary;
  void (*populate)(mlir::RewritePatternSet &patterns, RuleContext &context);
};

// clang-format off
/// All rules, applied left to right. A and B are disjoint axes, and x is any
/// tensor. a2a is any all-to-all that may exchange its operand in parts
/// (`isDivisibleAllToAll`), except in split-all-to-all, which is for
/// `moe.all_to_all` only. Split and concat dims are all dims that an all-to-all
/// does not map one to one, for example the rows of a ragged one. A ragged
/// all-to-all in parts also writes into a part of its init, and all its
/// operands other than x must not vary over B. A rule that moves a collective
/// requires it to be in the same block and to have one use. A rule that adds a
/// collective requires that the control flow around it, and around calls of its
/// function, does not vary over the group.
///
/// | name | equality and condition |
/// |---|---|
/// | deduplicate-all-to-all | a2a_A(x) = gather_B(a2a_A(drop_B(x))) if x does not vary over B, no control flow around it does, and the dim is not split or concat and divides |
/// | gather-after-all-to-all | a2a_A(gather_B(x)) = gather_B(a2a_A(x)) if the gather dim is not split or concat |
/// | scatter-before-all-to-all | a2a_A(all_reduce_B(x)) = gather_B(a2a_A(reduce_scatter_B(x))), the dim as in the first |
/// | transpose-before-all-reduce | transpose(all_reduce(x)) = all_reduce(transpose(x)) |
/// | scatter-before-transpose | reduce_scatter(transpose(x)) = transpose(reduce_scatter(x)) |
/// | gather-after-rowwise | f(gather_B(x), w) = gather_B(f(x, w)) if f maps the gather dim one to one and w does not vary over B |
/// | gather-after-all-reduce | all_reduce_A(gather_B(x)) = gather_B(all_reduce_A(x)) |
/// | all-gather-of-drop | gather_B(drop_B(x)) = x if x does not vary over B |
/// | drop-before-all-reduce | drop_B(all_reduce_A(x)) = all_reduce_A(drop_B(x)) |
/// | drop-of-all-reduce | drop_B(all_reduce_B(x)) = reduce_scatter_B(x) |
/// | all-gather-of-reduce-scatter | gather_B(reduce_scatter_B(x)) = all_reduce_B(x) |
/// | merge-all-gathers | gather_A(gather_B(x)) = gather_AB(x) along one dim |
/// | merge-drops | drop_B(drop_A(x)) = drop_AB(x) along one dim |
/// | split-all-to-all | a2a_AB(x) = a2a_A(a2a_B(x)) on the view [A, B, ...] if split = concat |
/// | split-all-reduce | all_reduce_AB(x) = gather_B(all_reduce_A(reduce_scatter_B(x))) if a dim, or the whole tensor, divides |
///
/// `drop(all_gather(x)) = x`, `a2a(c, s) of a2a(s, c) = x` and collectives over
/// one rank are folds of the ops themselves.
llvm::ArrayRef<Rule> getRules();
// clang-format on

/// Returns the rule with this name, or null.
const Rule *findRule(llvm::StringRef name);

struct Deduplication {
  /// The axis to slice over, as a group.
  GroupAttr axis;
  int64_t axisSize;
  /// Dim of the exchanged operand.
  int64_t dim;
};

/// Returns how `op`, a divisible all-to-all, can be deduplicated. Otherwise
/// sets `reason` to the expected and the found property.
std::optional<Deduplication> findDeduplication(CollectiveOpInterface op,
                                               const RuleContext &context,
                                               std::string &reason);

/// A split of an exchange along its group's axes: `inner` is the last axis,
/// `outer` all others.
struct AxisSplit {
  GroupAttr outer, inner;
  int64_t outerSize, innerSize;
};
/// Splits the group of `op`, which must have at least two mesh axes. Otherwise
/// sets `reason`.
std::optional<AxisSplit>
splitAxes(mlir::Operation *op, GroupAttrInterface group, std::string &reason);
/// Returns how an all-to-all can be split. Otherwise sets `reason`. With
/// `collectOnOneRank`, the operand must be static and split along dim 0.
std::optional<AxisSplit> findAxisSplit(AllToAllOp op, bool collectOnOneRank,
                                       std::string &reason);

/// Returns how an all-reduce can be split into one inside of servers and one
/// between them: where its group leaves a server if `serverRanks` is given,
/// else before the last axis of the group. Otherwise sets `reason`.
std::optional<AxisSplit> findReduceSplit(AllReduceOp op,
                                         std::optional<int64_t> serverRanks,
                                         std::string &reason);
/// Builds the ops that an all-reduce is split into; does not replace the
/// all-reduce.
mlir::Value buildSplitReduce(mlir::OpBuilder &builder, AllReduceOp op,
                             const AxisSplit &split);

/// Splits ragged exchanges into an exchange inside nodes and one between nodes,
/// and in reverse order on the way back. Rewrites all exchanges that use the
/// sizes of `plan` in place, including exchanges of a backward pass that
/// receives the sizes. Otherwise sets `reason`.
std::optional<AxisSplit> splitRaggedPlan(RaggedPlanOp plan,
                                         std::string &reason);

} // namespace moe

#endif // MOE_TRANSFORMS_RULES_H
