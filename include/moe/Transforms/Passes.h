// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the moe dialect.

#ifndef MOE_TRANSFORMS_PASSES_H
#define MOE_TRANSFORMS_PASSES_H

#include "moe/Analysis/Chunking.h"
#include "moe/Support/EnumNames.h"
#include "moe/Support/PassOptions.h"

namespace mlir {
class ModuleOp;
namespace arith {
class ArithDialect;
} // namespace arith
namespace tensor {
class TensorDialect;
} // namespace tensor
} // namespace mlir

namespace moe {
class MoEDialect;

enum class DecomposeMode { Drop, Hierarchical, Nodes };

template <> struct EnumNames<DecomposeMode> {
  static constexpr EnumName<DecomposeMode> all[] = {
      {DecomposeMode::Drop, "drop", "slice locally, all-to-all, all-gather"},
      {DecomposeMode::Hierarchical, "hierarchical",
       "within nodes, then between nodes"},
      {DecomposeMode::Nodes, "node-dedup", "send each token once per node",
       /*old=*/"nodes"}};
};

/// Hierarchical all-to-alls: 1DH collects the data on one rank per node, 2DH
/// involves every rank in both steps (SPEC FS-12).
enum class HierarchicalVariant { OneDimensional, TwoDimensional };

template <> struct EnumNames<HierarchicalVariant> {
  static constexpr EnumName<HierarchicalVariant> all[] = {
      {HierarchicalVariant::OneDimensional, "1dh",
       "gather on one rank per node"},
      {HierarchicalVariant::TwoDimensional, "2dh",
       "every rank takes part in both steps"}};
};

/// The stream for the copies of a pipeline's collectives.
template <> struct EnumNames<CopyPlacement> {
  static constexpr EnumName<CopyPlacement> all[] = {
      {CopyPlacement::Own, "own", "on a stream of their own"},
      {CopyPlacement::Intra, "intra",
       "on the stream of the collectives within a node"}};
};

enum class TableFormat { Pretty, CSV, JSON };

template <> struct EnumNames<TableFormat> {
  static constexpr EnumName<TableFormat> all[] = {
      {TableFormat::Pretty, "pretty", "a readable table"},
      {TableFormat::CSV, "csv", "one line per op"},
      {TableFormat::JSON, "json", "per-op entries and totals"}};
};

/// The launch order of the chunks of a layer's pipeline: all dispatches before
/// all combines (SPEC FS-3), the best order found (FS-6), or, on one stream of
/// collectives, the collectives of one chunk after the other (Tutel).
enum class ChunkOrder { Fixed, Best, OneStream };

template <> struct EnumNames<ChunkOrder> {
  static constexpr EnumName<ChunkOrder> all[] = {
      {ChunkOrder::Fixed, "fixed", "all dispatches before all combines"},
      {ChunkOrder::Best, "best", "the fastest order found"},
      {ChunkOrder::OneStream, "one-stream",
       "all collectives on one stream, chunk by chunk"}};
};

/// The sizes of the chunks of a layer's pipeline: as equal as possible, or
/// unequal if that is faster.
enum class ChunkSizes { Even, Best };

template <> struct EnumNames<ChunkSizes> {
  static constexpr EnumName<ChunkSizes> all[] = {
      {ChunkSizes::Even, "even", "as equal as possible"},
      {ChunkSizes::Best, "best", "unequal if that is faster"}};
};

/// Forward and backward have separate pipeline degrees, or one common degree.
enum class DegreePhases { Each, Joint };

template <> struct EnumNames<DegreePhases> {
  static constexpr EnumName<DegreePhases> all[] = {
      {DegreePhases::Each, "each",
       "separate chunk counts for forward and backward"},
      {DegreePhases::Joint, "joint",
       "one chunk count per layer for forward and backward"}};
};

/// The partition of gradients into buckets, and the places where these may be
/// sent (SPEC FS-7, FS-11).
enum class GradientMethod { Partition, Fixed, Whole, Buckets };
enum class GradientPlaces { All, Dense, End };

template <> struct EnumNames<GradientMethod> {
  static constexpr EnumName<GradientMethod> all[] = {
      {GradientMethod::Partition, "partition", "the fastest partition found"},
      {GradientMethod::Fixed, "fixed", "pieces of equal size"},
      {GradientMethod::Whole, "whole", "one all-reduce per gradient"},
      {GradientMethod::Buckets, "buckets",
       "one all-reduce per bucket of gradients"}};
};

template <> struct EnumNames<GradientPlaces> {
  static constexpr EnumName<GradientPlaces> all[] = {
      {GradientPlaces::All, "all",
       "during non-MoE compute, within MoE layers, at the end"},
      {GradientPlaces::Dense, "dense", "during non-MoE compute, at the end"},
      {GradientPlaces::End, "end", "after the backward pass"}};
};

/// The treatment of layers in which tokens compete for slots.
enum class SlotSharing { Keep, Share };

template <> struct EnumNames<SlotSharing> {
  static constexpr EnumName<SlotSharing> all[] = {
      {SlotSharing::Keep, "keep", "leave the batch whole"},
      {SlotSharing::Share, "share",
       "give each sub-batch its share of the slots"}};
};

/// Splits the functions of a module that have layers, all of them or none, into
/// `parts` sub-batches, as `moe-split-batch` does. If it returns false,
/// `reason` is the reason, and the module is unchanged. `changed` lists the
/// layers that may drop other tokens than before.
bool splitBatch(mlir::ModuleOp module, int64_t parts, SlotSharing slots,
                std::string &reason,
                llvm::SmallVectorImpl<std::string> &changed);

#define GEN_PASS_DECL
#include "moe/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Transforms/Passes.h.inc"

} // namespace moe

#endif // MOE_TRANSFORMS_PASSES_H
