// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes pipelines chunk by chunk.

#include "ExecutorImpl.h"
#include <map>

using namespace mlir;
using namespace moe;

LogicalResult ExecutorImpl::cutChunk(PipelineOp op, unsigned number,
                                     int64_t chunk, int64_t offset,
                                     int64_t size,
                                     const llvm::BitVector &active) {
  Value operand = op.getOperand(number);
  int64_t dim = op.getSplitDims()[number];
  if (dim < 0)
    return setValue(op, op.getBody().getArgument(number), frame->get(operand));
  if (op.isStack(operand.getType(), dim)) {
    offset = chunk;
    size = 1;
  }
  int64_t factor = getFactor(operand, dim);
  RankTensors parts(numRanks);
  // Ranks that share their data share its chunk.
  llvm::DenseMap<const void *, LocalTensor> known;
  for (unsigned rank : active.set_bits()) {
    const LocalTensor &whole = frame->get(operand)[rank];
    LocalTensor &part = known[whole.getIdentity()];
    if (!part) {
      Shape shape(whole.getShape());
      shape[dim] = size / factor;
      FailureOr<LocalTensor> tensor = allocate(op, shape);
      if (failed(tensor))
        return failure();
      part = *tensor;
      auto strides = rowMajorStrides(whole.getShape());
      if (!part.getCells().empty())
        copyStrided(whole.getCells().data() + offset / factor * strides[dim],
                    strides, part.getMutableCells().data(),
                    rowMajorStrides(shape), shape);
    }
    parts[rank] = part;
  }
  return setValue(op, op.getBody().getArgument(number), std::move(parts));
}

LogicalResult ExecutorImpl::joinChunks(PipelineOp op, unsigned number,
                                       ArrayRef<RankTensors> chunks,
                                       const llvm::BitVector &active) {
  Type elementType = getElementTypeOrSelf(op.getResult(number).getType());
  int64_t dim = op.getConcatDims()[number];
  RankTensors results(numRanks);
  // Ranks that share all chunks share the result.
  std::map<std::vector<const void *>, LocalTensor> known;
  for (unsigned rank : active.set_bits()) {
    std::vector<const void *> identity;
    for (const RankTensors &chunk : chunks)
      identity.push_back(chunk[rank].getIdentity());
    LocalTensor &result = known[identity];
    if (result) {
      results[rank] = result;
      continue;
    }
    Shape shape(chunks.front()[rank].getShape());
    if (dim >= 0) {
      shape[dim] = 0;
      for (const RankTensors &chunk : chunks)
        shape[dim] += chunk[rank].getDimSize(dim);
    }
    FailureOr<LocalTensor> tensor = allocateResult(op, number, rank, shape);
    if (failed(tensor))
      return failure();
    result = *tensor;
    results[rank] = result;
    if (result.getCells().empty())
      continue;
    if (dim < 0) {
      SmallVector<ArrayRef<Cell>> parts;
      for (const RankTensors &chunk : chunks)
        parts.push_back(chunk[rank].getCells());
      domain.reduce(Reduction::Sum, elementType, parts,
                    result.getMutableCells());
      continue;
    }
    auto strides = rowMajorStrides(shape);
    Cell *target = result.getMutableCells().data();
    for (const RankTensors &chunk : chunks) {
      const LocalTensor &part = chunk[rank];
      copyStrided(part.getCells().data(), rowMajorStrides(part.getShape()),
                  target, strides, part.getShape());
      target += part.getDimSize(dim) * strides[dim];
    }
  }
  return setValue(op, op.getResult(number), std::move(results));
}

LogicalResult ExecutorImpl::runPipeline(PipelineOp op,
                                        const llvm::BitVector &active) {
  Block &body = op.getBody().front();
  std::vector<std::vector<RankTensors>> chunks(op.getNumResults());
  int64_t offset = 0;
  for (auto [chunk, size] : llvm::enumerate(op.getChunkSizes())) {
    for (unsigned i = 0; i < op.getNumOperands(); ++i)
      if (failed(cutChunk(op, i, chunk, offset, size, active)))
        return failure();
    if (failed(runBranch(op, body, active)))
      return failure();
    for (auto [results, value] :
         llvm::zip_equal(chunks, body.getTerminator()->getOperands()))
      results.push_back(frame->get(value));
    releaseDead(body.getTerminator());
    offset += size;
  }
  for (auto [i, results] : llvm::enumerate(chunks))
    if (failed(joinChunks(op, i, results, active)))
      return failure();
  return success();
}
