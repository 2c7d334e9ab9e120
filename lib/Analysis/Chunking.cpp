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
  if (isa<AllToAllOp, AllGatherOp, ReduceScatterOp, AllReduceOp, DropOp,
          TransposeOp>(op))
    return true;
  return scope == ChainScope::Layer &&
         (isa<ExpertsOp, HookOp>(op) ||
          (OpTrait::hasElementwiseMappableTraits(op) &&
           isMemoryEffectFree(op)));
}

Chain moe::findChain(AllToAllOp seed, ChainScope scope) {
  // Upward along the first operand: the data of every op that may chain.
  SmallVector<Operation *> before;
  for (Operation *op = seed;;) {
    Operation *def = op->getOperand(0).getDefiningOp();
    if (!def || def->getBlock() != seed->getBlock() || !mayChain(def, scope) ||
        !def->hasOneUse())
      break;
    before.push_back(def);
    op = def;
  }
  Chain chain;
  for (Operation *op : llvm::reverse(before)) {
    chain.ops.push_back(op);
    chain.operands.push_back(0);
  }
  chain.ops.push_back(seed);
  chain.operands.push_back(0);
  for (Operation *op = seed; op->hasOneUse();) {
    OpOperand &use = *op->use_begin();
    Operation *user = use.getOwner();
    if (user->getBlock() != seed->getBlock() || !mayChain(user, scope))
      break;
    chain.ops.push_back(user);
    chain.operands.push_back(use.getOperandNumber());
    op = user;
  }
  return chain;
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
  int64_t dim = inputDim;
  for (auto [op, chained] : llvm::zip_equal(chain.ops, chain.operands)) {
    std::optional<DimMap> map = getDimMap(op);
    std::optional<unsigned> next =
        map ? map->getResultDim(chained, dim, 0) : std::nullopt;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!next || type.getDimSize(*next) != result.size) {
      reason = "dim " + std::to_string(inputDim) + " does not pass " +
               op->getName().getStringRef().str() + " one to one";
      return std::nullopt;
    }
    SmallVector<int64_t> &dims = result.operandDims.emplace_back();
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (std::optional<unsigned> cut = map->getOperandDim(0, *next, i))
        dims.push_back(*cut);
      else
        dims.push_back(-1);
    result.resultDims.push_back(*next);
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
    if (found && found->size >= degree)
      return found;
    if (found)
      why = "dim " + std::to_string(candidate) + " of size " +
            std::to_string(found->size) + " is shorter than the degree";
    reason += (reason.empty() ? "" : "; ") + why;
  }
  return std::nullopt;
}
