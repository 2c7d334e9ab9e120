//===- Chunking.cpp - Chains of ops that run in chunks ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Analysis/Chunking.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace moe;

/// Ops that may stand in a chain: clones of them with other dim sizes are the
/// same function of smaller tensors.
static bool mayChain(Operation *op, ChainScope scope) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (auto chained = dyn_cast<ChainOpInterface>(op))
    return chained.getChainScope() <= scope;
  return scope == ChainScope::Layer &&
         OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op);
}

/// The use of a chain's value that continues the chain: the only one, or, with
/// taps, the only one by an op of the layer, or, without such, the only one by
/// an op that may chain.
static OpOperand *findNextUse(Operation *op, ChainScope scope, bool taps) {
  if (!taps && !op->hasOneUse())
    return nullptr;
  OpOperand *next = nullptr;
  bool isUnique = true, isOfLayer = false;
  for (OpOperand &use : op->getResult(0).getUses()) {
    Operation *user = use.getOwner();
    // In a graph region, an op may read what it or a later one makes.
    if (user->getBlock() != op->getBlock() || !op->isBeforeInBlock(user) ||
        !mayChain(user, scope))
      continue;
    bool other = !OpTrait::hasElementwiseMappableTraits(user);
    if (next && isOfLayer && !other)
      continue;
    isUnique = !next || (other && !isOfLayer);
    next = &use;
    isOfLayer = other;
  }
  return isUnique ? next : nullptr;
}

static Chain followChain(Operation *seed, ChainScope scope, bool taps) {
  // Upward along the data of every op that may chain.
  SmallVector<Operation *> before;
  for (Operation *op = seed;;) {
    OpOperand &operand = op->getOpOperand(getChainedOperand(op));
    Operation *def = operand.get().getDefiningOp();
    if (!def || def->getBlock() != seed->getBlock() || !mayChain(def, scope) ||
        findNextUse(def, scope, taps) != &operand)
      break;
    before.push_back(def);
    op = def;
  }
  Chain chain;
  for (Operation *op : llvm::reverse(before)) {
    chain.ops.push_back(op);
    chain.operands.push_back(getChainedOperand(op));
  }
  chain.ops.push_back(seed);
  chain.operands.push_back(getChainedOperand(seed));
  Operation *op = seed;
  while (OpOperand *use = findNextUse(op, scope, taps)) {
    op = use->getOwner();
    chain.ops.push_back(op);
    chain.operands.push_back(use->getOperandNumber());
  }
  return chain;
}

SmallVector<Operation *> Chain::getTaps() const {
  SmallVector<Operation *> taps;
  for (auto [i, op] : llvm::enumerate(ArrayRef(ops).drop_back()))
    if (llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return user != ops[i + 1]; }))
      taps.push_back(op);
  return taps;
}

std::optional<SmallVector<Operation *>> Chain::getLaterOps() const {
  llvm::DenseSet<Operation *> inChain(ops.begin(), ops.end()), isLater;
  SmallVector<Operation *> later;
  Block *block = ops.front()->getBlock();
  for (Operation &op : llvm::make_range(ops.front()->getIterator(),
                                        ops.back()->getIterator())) {
    if (inChain.contains(&op))
      continue;
    bool reads = false;
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (Operation *maker = block->findAncestorOpInBlock(*def))
            reads |= maker != &op &&
                     (inChain.contains(maker) || isLater.contains(maker));
    });
    if (!reads)
      continue;
    if (!isMemoryEffectFree(&op) && !isa<CollectiveOpInterface>(op))
      return std::nullopt;
    later.push_back(&op);
    isLater.insert(&op);
  }
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (isLater.contains(operand.getDefiningOp()))
        return std::nullopt;
  return later;
}

Chain moe::findChain(Operation *seed, ChainScope scope) {
  if (scope == ChainScope::Layer) {
    Chain chain = followChain(seed, scope, /*taps=*/true);
    if (chain.getLaterOps())
      return chain;
  }
  return followChain(seed, scope, /*taps=*/false);
}

std::optional<ChunkDim> moe::findChunkDim(const Chain &chain, int64_t inputDim,
                                          std::string &reason) {
  auto inputType = cast<RankedTensorType>(chain.getInput().getType());
  if (inputDim < 0 || inputDim >= inputType.getRank()) {
    reason = "expected a dim below rank " +
             std::to_string(inputType.getRank()) + ", got " +
             std::to_string(inputDim);
    return std::nullopt;
  }
  ChunkDim result;
  result.inputDim = inputDim;
  result.size = inputType.getDimSize(inputDim);
  if (ShapedType::isDynamic(result.size)) {
    reason = "dim " + std::to_string(inputDim) + " is dynamic";
    return std::nullopt;
  }
  int64_t dim = inputDim, fold = 1;
  GroupAttrInterface foldedBy;
  for (auto [op, chained] : llvm::zip_equal(chain.ops, chain.operands)) {
    std::optional<DimMap> map = getDimMap(op);
    std::optional<unsigned> next =
        map ? map->getResultDim(chained, dim, 0) : std::nullopt;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto gather = dyn_cast<AllGatherOp>(op);
    auto scatter = dyn_cast<ReduceScatterOp>(op);
    if (gather && fold == 1 && int64_t(gather.getDim()) == dim &&
        !type.isDynamicDim(dim)) {
      fold = type.getDimSize(dim) / result.size;
      foldedBy = gather.getGroup();
      next = dim;
    } else if (scatter && fold > 1 && int64_t(scatter.getDim()) == dim &&
               scatter.getGroup() == foldedBy) {
      fold = 1;
      next = dim;
    }
    if (!next || type.getDimSize(*next) != result.size * fold) {
      reason = "dim " + std::to_string(inputDim) + " does not pass " +
               op->getName().getStringRef().str() + " one to one";
      return std::nullopt;
    }
    SmallVector<int64_t> &dims = result.operandDims.emplace_back();
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (std::optional<unsigned> cut =
              map ? map->getOperandDim(0, *next, i) : std::nullopt)
        dims.push_back(*cut);
      else
        dims.push_back(-1);
    dims[chained] = dim;
    result.resultDims.push_back(*next);
    result.folds.push_back(fold);
    dim = *next;
  }
  return result;
}

std::optional<ChunkDim> moe::chooseChunkDim(const Chain &chain,
                                            std::optional<int64_t> dim,
                                            int64_t degree,
                                            std::string &reason) {
  auto type = cast<RankedTensorType>(chain.getInput().getType());
  SmallVector<int64_t> dims;
  if (dim)
    dims.push_back(*dim);
  else
    llvm::append_range(dims,
                       llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  for (int64_t candidate : dims) {
    std::string why;
    std::optional<ChunkDim> found = findChunkDim(chain, candidate, why);
    bool isEven = found && (!found->isFolded() || found->size % degree == 0);
    if (found && found->size >= degree && isEven)
      return found;
    if (found && found->size >= degree)
      why = "dim " + std::to_string(candidate) + " of size " +
            std::to_string(found->size) +
            ", which is gathered and needs chunks of one size, does not "
            "divide by the degree";
    else if (found)
      why = "dim " + std::to_string(candidate) + " of size " +
            std::to_string(found->size) + " is shorter than the degree";
    reason += (reason.empty() ? "" : "; ") + why;
  }
  return std::nullopt;
}
