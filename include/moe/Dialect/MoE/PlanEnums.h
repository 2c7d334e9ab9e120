// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations of compile plans (MoEPlanAttrs.td).

#ifndef MOE_DIALECT_MOE_PLANENUMS_H
#define MOE_DIALECT_MOE_PLANENUMS_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// The phases a program goes through, in order. Each is a pass pipeline of its
/// own, which requires what the phase below promises and ends with a check of
/// what it promises itself.
enum class CompilePhase {
  /// The baseline as a frontend made it, checked and canonical.
  Import,
  /// What layers and the step as a whole shall become on a platform, written
  /// on them (see Plan.h); nothing without a platform.
  Choose,
  /// All-to-alls rewritten as the plan says; without one into drop /
  /// all-to-all / all-gather.
  Decompose,
  /// Chunks of layers, and pieces of gradients, as the plan says.
  Pipeline,
  /// Every function on streams, as the plan says.
  Schedule,
  /// What a rank's host tells the runtime, on planned buffers.
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

/// What the phases Pipeline and Schedule make of a program.
enum class ScheduleChoice {
  /// Each layer as it is fastest alone, gradients as they stand.
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
  /// As FSMoE, but chunks in the best order found, and weight gradients beside
  /// combines.
  Orders,
  /// As Orders, with chunks of unequal sizes where these are faster.
  Sizes,
  /// That of all others that ends first.
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
      {ScheduleChoice::Best, "best",
       "the schedule with the shortest step time"}};
};

inline llvm::StringRef getName(ScheduleChoice choice) {
  return getEnumName(choice);
}

/// Streams of collectives: one for each kind of links, one for all, or one for
/// each kind of links and others for the all-reduces of gradients.
enum class CollectiveStreams { ByLinks, One, GradientsApart };

template <> struct EnumNames<CollectiveStreams> {
  static constexpr EnumName<CollectiveStreams> all[] = {
      {CollectiveStreams::ByLinks, "by-links",
       "one stream between nodes, one within nodes"},
      {CollectiveStreams::One, "one", "one stream for all collectives"},
      {CollectiveStreams::GradientsApart, "gradients-apart",
       "as by-links, with separate streams for gradient all-reduces"}};
};

/// How the blocks of an all-to-all travel.
enum class AllToAllAlgorithm {
  /// In one step.
  Flat,
  /// Within nodes, then between them, on every rank (SPEC FS-12).
  Hierarchical,
  /// Hierarchical, through one rank of each node.
  HierarchicalLeader,
  /// Each token once per node, its rows within the node.
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

/// How far a chain reaches from the all-to-all it is built around.
enum class ChainScope {
  /// Collectives and data movement: the exchange with its drop, gather,
  /// reduce-scatter and transposes.
  Communication,
  /// Also experts and elementwise ops, and so the other all-to-all of the
  /// layer: dispatch, experts and combine in one chain.
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
