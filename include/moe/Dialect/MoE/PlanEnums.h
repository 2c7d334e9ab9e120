// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations of compile plans (MoEPlanAttrs.td).

#ifndef MOE_DIALECT_MOE_PLANENUMS_H
#define MOE_DIALECT_MOE_PLANENUMS_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// The phases of a compilation, in order. Each is a separate pass pipeline,
/// which requires the guarantees of the previous phase and ends with a check of
/// its own.
enum class CompilePhase {
  /// The baseline from the frontend, verified and canonicalized.
  Import,
  /// The choices for layers and for the whole step on a platform, as attributes
  /// (see Plan.h); none without a platform.
  Choose,
  /// All-to-alls rewritten according to the plan; without a plan into drop /
  /// all-to-all / all-gather.
  Decompose,
  /// Layers in chunks, and gradients in buckets, according to the plan.
  Pipeline,
  /// Every function scheduled on streams, according to the plan.
  Schedule,
  /// Host code of each rank with runtime ops on planned buffers.
  Runtime,
  /// Calls of the runtime's C interface.
  LLVM
};

constexpr CompilePhase kFirstPhase = CompilePhase::Import;
constexpr CompilePhase kLastPhase = CompilePhase::LLVM;

template <> struct EnumNames<CompilePhase> {
  static constexpr EnumName<CompilePhase> all[] = {
      {CompilePhase::Import, "import", "verify and canonicalize the baseline"},
      {CompilePhase::Choose, "choose",
       "choose the compile plan for the platform"},
      {CompilePhase::Decompose, "decompose",
       "rewrite all-to-alls as the plan states"},
      {CompilePhase::Pipeline, "pipeline", "chunk layers and bucket gradients"},
      {CompilePhase::Schedule, "schedule", "schedule ops as tasks on streams"},
      {CompilePhase::Runtime, "runtime",
       "lower to host code with runtime ops on buffers"},
      {CompilePhase::LLVM, "llvm",
       "lower to calls of the runtime's C interface"}};
};

inline llvm::StringRef getName(CompilePhase phase) {
  return getEnumName(phase);
}

/// The schedule that the phases Pipeline and Schedule build.
enum class ScheduleChoice {
  /// The fastest variant of each layer on its own, with unchanged gradients.
  Layers,
  /// FSMoE's model of DeepSpeed-MoE, without any overlap (SPEC FS-11).
  DeepSpeed,
  /// Megatron-Core with --overlap-grad-reduce: the program as imported, layers
  /// in one chunk, all-reduces of gradient buckets overlapped with the backward
  /// pass.
  Megatron,
  /// A training step as these systems schedule it (SPEC FS-11).
  Tutel,
  TutelImproved,
  Lina,
  FSMoENoIIO,
  FSMoE,
  /// As FSMoE, but with the best launch order of chunks that was found, and
  /// with weight gradients overlapped with combines.
  Orders,
  /// As Orders, with chunks of unequal sizes if these are faster.
  Sizes,
  /// The forward pass of each sub-batch during the backward pass of the
  /// previous one, layer by layer, as Megatron-Core runs micro-batches with
  /// --overlap-moe-expert-parallel-comm and --delay-wgrad-compute.
  Merged,
  /// The schedule with the shortest step time.
  Best
};

template <> struct EnumNames<ScheduleChoice> {
  static constexpr EnumName<ScheduleChoice> all[] = {
      {ScheduleChoice::Layers, "layers",
       "the fastest variant of each layer on its own"},
      {ScheduleChoice::DeepSpeed, "deepspeed",
       "FSMoE's model of DeepSpeed, without overlap"},
      {ScheduleChoice::Megatron, "megatron",
       "Megatron-Core with --overlap-grad-reduce"},
      {ScheduleChoice::Tutel, "tutel", "as Tutel schedules a step"},
      {ScheduleChoice::TutelImproved, "tutel-improved",
       "as Tutel, with gradients overlapped with non-MoE compute"},
      {ScheduleChoice::Lina, "lina", "as Lina schedules a step"},
      {ScheduleChoice::FSMoENoIIO, "fsmoe-no-iio",
       "as FSMoE, without overlapping exchanges within nodes with those "
       "between "
       "nodes"},
      {ScheduleChoice::FSMoE, "fsmoe", "as FSMoE schedules a step"},
      {ScheduleChoice::Orders, "orders",
       "fsmoe with the fastest launch orders found"},
      {ScheduleChoice::Sizes, "sizes", "orders with unequal chunks if faster"},
      {ScheduleChoice::Merged, "merged-1f1b",
       "the forward pass of each sub-batch during the backward pass of the "
       "previous one"},
      {ScheduleChoice::Best, "best",
       "the schedule with the shortest step time"}};
};

inline llvm::StringRef getName(ScheduleChoice choice) {
  return getEnumName(choice);
}

/// Streams of collectives: one per kind of link, one for all collectives, or
/// one per kind of link with separate streams for gradient all-reduces.
enum class CollectiveStreams { ByLinks, One, GradientsApart };

template <> struct EnumNames<CollectiveStreams> {
  static constexpr EnumName<CollectiveStreams> all[] = {
      {CollectiveStreams::ByLinks, "by-links",
       "one stream between nodes, one within nodes"},
      {CollectiveStreams::One, "one", "one stream for all collectives"},
      {CollectiveStreams::GradientsApart, "gradients-apart",
       "as by-links, with separate streams for gradient all-reduces"}};
};

/// Algorithms for an all-to-all.
enum class AllToAllAlgorithm {
  /// One all-to-all.
  Flat,
  /// An exchange within nodes and then one between nodes, on every rank (SPEC
  /// FS-12).
  Hierarchical,
  /// Hierarchical, through one rank of each node.
  HierarchicalLeader,
  /// Sends each token once per node, and its rows within the node.
  NodeDedup
};

template <> struct EnumNames<AllToAllAlgorithm> {
  static constexpr EnumName<AllToAllAlgorithm> all[] = {
      {AllToAllAlgorithm::Flat, "flat", "one all-to-all"},
      {AllToAllAlgorithm::Hierarchical, "2dh",
       "within nodes, then between them"},
      {AllToAllAlgorithm::HierarchicalLeader, "1dh",
       "through one rank of each node"},
      {AllToAllAlgorithm::NodeDedup, "nodes", "each token once per node"}};
};

/// The extent of a chain from the all-to-all at its center.
enum class ChainScope {
  /// Collectives and data movement: the exchange with its local slice, gather,
  /// reduce-scatter and transposes.
  Communication,
  /// Additionally experts and elementwise ops, and therefore the other
  /// all-to-all of the layer: dispatch, experts and combine in one chain.
  Layer
};

template <> struct EnumNames<ChainScope> {
  static constexpr EnumName<ChainScope> all[] = {
      {ChainScope::Communication, "communication",
       "the exchange and its data movement"},
      {ChainScope::Layer, "layer", "dispatch, experts and combine"}};
};

} // namespace moe

#endif // MOE_DIALECT_MOE_PLANENUMS_H
