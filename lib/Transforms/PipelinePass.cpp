// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of ops in chunks.

#include "RulePatterns.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/PipelineBuilder.h"
#include "moe/Transforms/Remarks.h"
#include "moe/Transforms/TokenChunkBuilder.h"
#include <numeric>

namespace moe {
#define GEN_PASS_DEF_PIPELINE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct Pipeline : public moe::impl::PipelineBase<Pipeline> {
  using PipelineBase::PipelineBase;

  void runOnOperation() override {
    if (degree < 1) {
      emitError(getOperation().getLoc())
          << "moe-pipeline: expected a degree of at least 1, got "
          << degree.number;
      return signalPassFailure();
    }
    if (!sizes.empty() && static_cast<int64_t>(sizes.size()) != degree) {
      emitError(getOperation().getLoc())
          << "moe-pipeline: expected as many sizes as chunks, " << degree.number
          << ", got " << sizes.size();
      return signalPassFailure();
    }
    if (scope == ChainScope::Layer && dim <= 0)
      pipelineTokens();
    // Two all-to-alls are in one chain or in two that share no op.
    SmallVector<Operation *> seeds;
    getOperation()->walk([&](Operation *op) {
      if (!isDivisibleAllToAll(op))
        return;
      if (op->getParentOfType<TaskOp>())
        moe::missed(op->getLoc(), options())
            << remark::reason("{0}", kScheduled);
      else if (!op->getParentOfType<PipelineOp>() && !done.contains(op))
        seeds.push_back(op);
    });
    for (Operation *seed : seeds)
      if (!done.contains(seed)) {
        Chain chain = findChain(seed, scope);
        done.insert(chain.ops.begin(), chain.ops.end());
        reportUnknown(chain);
        pipeline(chain, seed);
      }
  }

private:
  remark::RemarkOpts options() {
    return remark::RemarkOpts::name("pipeline").category(getArgument());
  }

  /// Layers whose rows follow from counts, cut along their tokens.
  void pipelineTokens() {
    SmallVector<Operation *> plans;
    getOperation()->walk([&](Operation *plan) {
      if (isRowPlan(plan) && !plan->getParentOfType<TaskOp>() &&
          !plan->getParentOfType<PipelineOp>())
        plans.push_back(plan);
    });
    RowProvenance rows(getOperation());
    for (Operation *plan : plans) {
      Location loc = plan->getLoc();
      std::string reason;
      std::optional<TokenChunks> chunks = findTokenChunks(plan, rows, reason);
      if (chunks && !sizes.empty() && !llvm::all_equal(sizes))
        reason = "expected chunks of tokens as even as they go, without sizes";
      if (chunks && chunks->tokens < degree)
        reason = std::to_string(chunks->tokens) +
                 " tokens are fewer than the degree";
      if (!reason.empty()) {
        moe::missed(loc, options()) << remark::reason("{0}", reason);
        getOperation()->walk([&](RaggedAllToAllOp exchange) {
          if (findPlan(exchange) == plan)
            done.insert(exchange);
        });
        continue;
      }
      int64_t ops = 0;
      for (const ChunkedOps &pipeline : chunks->pipelines)
        ops += pipeline.ops.size();
      int64_t tokens = chunks->tokens;
      buildTokenChunks(*chunks, degree, copies);
      moe::passed(loc, options())
          << remark::add("runs in chunks of its tokens")
          << remark::metric("degree", degree.number) << remark::metric("dim", 0)
          << remark::metric("size", tokens) << remark::metric("ops", ops);
    }
  }

  /// Exchanges that are cut, or cannot be.
  llvm::DenseSet<Operation *> done;

  /// Says where an op of which nothing is known ends a chain.
  void reportUnknown(const Chain &chain) {
    SmallVector<Operation *> neighbours(chain.getOutput().getUsers());
    if (Operation *before = chain.getInput().getDefiningOp())
      neighbours.push_back(before);
    for (Operation *op : neighbours)
      if (!op->hasTrait<OpTrait::IsTerminator>() && !getDimMap(op))
        moe::missed(op->getLoc(), options())
            << remark::reason("the chain ends at {0}: nothing is known about "
                              "its dims",
                              op->getName().getStringRef());
    if (!chain.whyShort.empty())
      moe::missed(chain.ops.back()->getLoc(), options()) << remark::reason(
          "the chain ends in front of experts: {0}", chain.whyShort);
  }

  void pipeline(const Chain &chain, Operation *seed) {
    std::string reason;
    std::optional<ChunkDim> chunk = chooseChunkDim(
        chain, dim >= 0 ? std::optional<int64_t>(dim) : std::nullopt, degree,
        reason);
    if (chunk && !sizes.empty() &&
        (llvm::any_of(sizes, [](int64_t size) { return size < 1; }) ||
         std::accumulate(sizes.begin(), sizes.end(), int64_t(0)) !=
             chunk->size)) {
      reason = "expected sizes of at least 1 that add up to " +
               std::to_string(chunk->size);
      chunk.reset();
    }
    if (chunk && chunk->isFolded() && !llvm::all_equal(sizes)) {
      reason = "expected chunks of one size along a dim that is gathered";
      chunk.reset();
    }
    if (!chunk) {
      moe::missed(seed->getLoc(), options()) << remark::reason("{0}", reason);
      return;
    }
    if (!chunk->avoided.empty())
      moe::missed(seed->getLoc(), options())
          << remark::reason("{0}", chunk->avoided);
    Location loc = seed->getLoc(); // the chain's ops are gone afterwards
    SmallVector<int64_t> chunkSizes(sizes.begin(), sizes.end());
    buildPipeline(chain, *chunk, degree, chunkSizes, copies);
    moe::passed(loc, options()) << remark::add("runs in chunks")
                                << remark::metric("degree", degree.number)
                                << remark::metric("dim", chunk->inputDim)
                                << remark::metric("size", chunk->size)
                                << remark::metric("ops", chain.ops.size());
  }
};

} // namespace
