//===- PassValues.td - Values of options several passes have *- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TRANSFORMS_PASSVALUES_TD
#define MOE_TRANSFORMS_PASSVALUES_TD

defvar ChunkOrderValues = [{::llvm::cl::values(
             clEnumValN(::moe::ChunkOrder::Fixed, "fixed",
                        "all dispatches before all combines"),
             clEnumValN(::moe::ChunkOrder::Best, "best",
                        "the best order found"),
             clEnumValN(::moe::ChunkOrder::OneStream, "one-stream",
                        "all collectives in turn"))}];

defvar CollectiveStreamsValues = [{::llvm::cl::values(
             clEnumValN(::moe::CollectiveStreams::ByLinks, "by-links",
                        "between nodes and inside them"),
             clEnumValN(::moe::CollectiveStreams::One, "one",
                        "one for all"))}];

#endif // MOE_TRANSFORMS_PASSVALUES_TD
