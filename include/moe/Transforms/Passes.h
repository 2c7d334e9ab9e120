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

/// Hierarchical all-to-alls: 1DH collects on one rank of a node, in 2DH every
/// rank takes part in both steps (SPEC FS-12).
enum class HierarchicalVariant { OneDimensional, TwoDimensional };

/// How a pass prints a table.
enum class TableFormat { Pretty, CSV, JSON };

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

/// Whether the phases of a layer have a pipeline degree each.
enum class DegreePhases { Each, Joint };

/// How gradients are cut into pieces, and where these may be sent (SPEC FS-7,
/// FS-11).
enum class GradientMethod { Partition, Fixed, Whole };
enum class GradientPlaces { All, Dense, End };

/// Streams of collectives: one for each kind of links, or one for all.
enum class CollectiveStreams { ByLinks, One };

template <> struct ChoiceWords<CollectiveStreams> {
  static constexpr ChoiceWord<CollectiveStreams> all[] = {
      {CollectiveStreams::ByLinks, "by-links", "between nodes and inside them"},
      {CollectiveStreams::One, "one", "one for all"}};
};

#define GEN_PASS_DECL
#include "moe/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Transforms/Passes.h.inc"

} // namespace moe

#endif // MOE_TRANSFORMS_PASSES_H
