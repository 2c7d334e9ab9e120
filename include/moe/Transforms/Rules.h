// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algebraic rewrites of collectives.

#ifndef MOE_TRANSFORMS_RULES_H
#define MOE_TRANSFORMS_RULES_H

#include "mlir/IR/PatternMatch.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// What rules made of an all-to-all.
struct RewrittenExchange {
  /// Bytes that it sent before any rule touched it; nullopt if a size is only
  /// known at run time.
  std::optional<int64_t> originalBytes;
  /// The dims along which a part is sent, and the ranks that share it out.
  llvm::SmallVector<std::pair<int64_t, GroupAttrInterface>, 2> parts;
};

/// What the rules know and may do. Outlives the patterns.
struct RuleContext {
  explicit RuleContext(ReplicationInfo &replication)
      : replication(replication), control(replication) {}

  ReplicationInfo &replication;
  /// Where ranks meet: a rule adds a collective only where all ranks of its
  /// group do.
  ControlInfo control;
  /// Dim to drop, or -1 for the first free dim that divides.
  int64_t dropDim = -1;
  /// The mesh axes all-to-alls may be deduplicated over, as a bit set.
  uint64_t dropAxes = ~uint64_t(0);
  /// Collects on one rank of the node instead of exchanging everywhere.
  bool collectOnOneRank = false;
  /// Ranks of a server, next to each other: all-reduces are split where groups
  /// leave these; in front of the last axis of a group without.
  std::optional<int64_t> serverRanks;
  /// The all-to-alls made by a rule; every rule that makes one calls
  /// `noteRewritten`.
  llvm::DenseMap<mlir::Operation *, RewrittenExchange> rewritten;

  /// Whether every rank of `group` reaches `op` together with the others, so
  /// that a collective of the group may be added there.
  bool canMeet(mlir::Operation *op, GroupAttrInterface group) const;

  /// Records that `made` stands for `original`, of which it sends a part along
  /// `dim` on each rank of `group`.
  void noteRewritten(CollectiveOpInterface original, CollectiveOpInterface made,
                     int64_t dim, GroupAttrInterface group);
};

/// One equality of programs, applied left to right. See the list below.
struct Rule {
  llvm::StringRef name;
  llvm::StringRef summary;
  void (*populate)(mlir::RewritePatternSet &patterns, RuleContext &context);
};

// clang-format off
/// All rules, read left to right. A and B are disjoint axes, x any tensor, a2a
/// any all-to-all that may exchange its operand in parts
/// (`isDivisibleAllToAll`), but for the last rule, which is one of
/// `moe.all_to_all`; split or concat dims are those it does not map one to one,
/// as the rows of a ragged one, which takes parts of what it writes into, too,
/// and like all it reads besides x that must not vary over B;
/// a rule that moves a collective wants it in the same block, and read once; one
/// that adds a collective wants control flow around it, and around calls of its
/// function, that does not vary over the group.
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

/// The rule of that name, or null.
const Rule *findRule(llvm::StringRef name);

/// Deduplicating one all-to-all over one axis.
struct Deduplication {
  /// The axis to drop over, as a group.
  GroupAttr axis;
  int64_t axisSize;
  /// Of the operand that is exchanged.
  int64_t dim;
};

/// How `op`, a divisible all-to-all, may be deduplicated, or in `reason` why it
/// cannot be: what was expected and what was found.
std::optional<Deduplication> findDeduplication(CollectiveOpInterface op,
                                               const RuleContext &context,
                                               std::string &reason);

/// How an exchange may be split along its group's axes: `outer` all but the
/// last, `inner` the last.
struct AxisSplit {
  GroupAttr outer, inner;
  int64_t outerSize, innerSize;
};
/// Splits the group of `op`. Otherwise says in `reason` why not: it must be of
/// two mesh axes at least.
std::optional<AxisSplit>
splitAxes(mlir::Operation *op, GroupAttrInterface group, std::string &reason);
/// Whether an all-to-all may be split so. Otherwise says in `reason` why not:
/// what is collected on one rank must be static and split along dim 0.
std::optional<AxisSplit> findAxisSplit(AllToAllOp op, bool collectOnOneRank,
                                       std::string &reason);

/// Whether an all-reduce may be split into one inside of servers and one
/// between them: in front of the last axis of its group, or, with the ranks of a
/// server, where the group leaves these. Otherwise says in `reason` why not.
std::optional<AxisSplit> findReduceSplit(AllReduceOp op,
                                         std::optional<int64_t> serverRanks,
                                         std::string &reason);
/// Builds what an all-reduce is split into, and leaves it where it is.
mlir::Value buildSplitReduce(mlir::OpBuilder &builder, AllReduceOp op,
                             const AxisSplit &split);

/// Lets rows of uneven runs go inside nodes, then between them, and back the
/// other way: all exchanges by the sizes of `plan`, also those of a backward
/// pass that is handed these, in place. Otherwise says in `reason` why not.
std::optional<AxisSplit> splitRaggedPlan(RaggedPlanOp plan,
                                         std::string &reason);

} // namespace moe

#endif // MOE_TRANSFORMS_RULES_H
