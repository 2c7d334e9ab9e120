//===- Passes.h - Passes over the moe dialect -------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TRANSFORMS_PASSES_H
#define MOE_TRANSFORMS_PASSES_H

#include "moe/Analysis/Chunking.h"
#include "moe/Support/ChoiceWords.h"
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

/// What `moe-decompose-all-to-all` rewrites into.
enum class DecomposeMode { Drop, Hierarchical, Nodes };

template <> struct ChoiceWords<DecomposeMode> {
  static constexpr ChoiceWord<DecomposeMode> all[] = {
      {DecomposeMode::Drop, "drop", "drop / all-to-all / all-gather"},
      {DecomposeMode::Hierarchical, "hierarchical",
       "inside nodes, then between them"},
      {DecomposeMode::Nodes, "node-dedup", "each token once per node",
       /*old=*/"nodes"}};
};

/// Hierarchical all-to-alls: 1DH collects on one rank of a node, in 2DH every
/// rank takes part in both steps (SPEC FS-12).
enum class HierarchicalVariant { OneDimensional, TwoDimensional };

template <> struct ChoiceWords<HierarchicalVariant> {
  static constexpr ChoiceWord<HierarchicalVariant> all[] = {
      {HierarchicalVariant::OneDimensional, "1dh",
       "collect on one rank of the node"},
      {HierarchicalVariant::TwoDimensional, "2dh",
       "every rank exchanges in both steps"}};
};

/// Where a schedule puts the copies of a pipeline's collectives.
template <> struct ChoiceWords<CopyPlacement> {
  static constexpr ChoiceWord<CopyPlacement> all[] = {
      {CopyPlacement::Own, "own", "on a stream of their own"},
      {CopyPlacement::Intra, "intra",
       "in turn with the collectives inside a node"}};
};

/// How a pass prints a table.
enum class TableFormat { Pretty, CSV, JSON };

template <> struct ChoiceWords<TableFormat> {
  static constexpr ChoiceWord<TableFormat> all[] = {
      {TableFormat::Pretty, "pretty", "a table to read"},
      {TableFormat::CSV, "csv", "one line an op"},
      {TableFormat::JSON, "json", "ops and totals"}};
};

/// In which order the chunks of a layer's pipeline are launched: all dispatches
/// before all combines (SPEC FS-3), the best order found (FS-6), or, on one
/// stream of collectives, each chunk's collectives in turn (Tutel).
enum class ChunkOrder { Fixed, Best, OneStream };

template <> struct ChoiceWords<ChunkOrder> {
  static constexpr ChoiceWord<ChunkOrder> all[] = {
      {ChunkOrder::Fixed, "fixed", "all dispatches before all combines"},
      {ChunkOrder::Best, "best", "the best order found"},
      {ChunkOrder::OneStream, "one-stream", "all collectives in turn"}};
};

/// Sizes of the chunks of a layer's pipeline: as equal as it goes, or unequal
/// ones where these are faster.
enum class ChunkSizes { Even, Best };

template <> struct ChoiceWords<ChunkSizes> {
  static constexpr ChoiceWord<ChunkSizes> all[] = {
      {ChunkSizes::Even, "even", "as equal as it goes"},
      {ChunkSizes::Best, "best", "unequal where these are faster"}};
};

/// Whether the phases of a layer have a pipeline degree each.
enum class DegreePhases { Each, Joint };

template <> struct ChoiceWords<DegreePhases> {
  static constexpr ChoiceWord<DegreePhases> all[] = {
      {DegreePhases::Each, "each", "a degree for each phase"},
      {DegreePhases::Joint, "joint", "one degree for both phases of a layer"}};
};

/// How gradients are cut into pieces, and where these may be sent (SPEC FS-7,
/// FS-11).
enum class GradientMethod { Partition, Fixed, Whole, Buckets };
enum class GradientPlaces { All, Dense, End };

template <> struct ChoiceWords<GradientMethod> {
  static constexpr ChoiceWord<GradientMethod> all[] = {
      {GradientMethod::Partition, "partition", "as is fastest"},
      {GradientMethod::Fixed, "fixed", "pieces of one size"},
      {GradientMethod::Whole, "whole", "not at all"},
      {GradientMethod::Buckets, "buckets", "not at all, several together"}};
};

template <> struct ChoiceWords<GradientPlaces> {
  static constexpr ChoiceWord<GradientPlaces> all[] = {
      {GradientPlaces::All, "all", "beside dense parts, in layers, at the end"},
      {GradientPlaces::Dense, "dense", "beside dense parts, at the end"},
      {GradientPlaces::End, "end", "at the end"}};
};

/// Streams of collectives: one for each kind of links, one for all, or one for
/// each kind of links and others for the all-reduces of gradients.
enum class CollectiveStreams { ByLinks, One, GradientsApart };

template <> struct ChoiceWords<CollectiveStreams> {
  static constexpr ChoiceWord<CollectiveStreams> all[] = {
      {CollectiveStreams::ByLinks, "by-links", "between nodes and inside them"},
      {CollectiveStreams::One, "one", "one for all"},
      {CollectiveStreams::GradientsApart, "gradients-apart",
       "as by-links, all-reduces of gradients on streams of their own"}};
};

#define GEN_PASS_DECL
#include "moe/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Transforms/Passes.h.inc"

} // namespace moe

#endif // MOE_TRANSFORMS_PASSES_H
