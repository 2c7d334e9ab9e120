// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for chunks that the searches for variants and for degrees share.

#include "ChunkRules.h"
#include "moe/Analysis/OpsBetween.h"

using namespace mlir;
using namespace moe;

std::string moe::checkMaxChunks(int64_t maxChunks) {
  // Each number is scheduled once per layer shape.
  constexpr int64_t kMost = 256;
  if (maxChunks >= 1 && maxChunks <= kMost)
    return "";
  return "expected max-chunks in [1, " + std::to_string(kMost) + "], got " +
         std::to_string(maxChunks);
}

static FailureOr<int64_t> getMessageBytes(Operation *op) {
  return getTensorBytes(cast<RankedTensorType>(op->getOperand(0).getType()));
}

/// Returns true if another exchange sends the same rows with more bytes each.
/// Deduplication per node sends tokens with their expert numbers and weights.
static bool accompaniesLarger(RaggedAllToAllOp op, int64_t bytes) {
  return llvm::any_of(op.getSendSizes().getUsers(), [&](Operation *user) {
    auto other = dyn_cast<RaggedAllToAllOp>(user);
    if (!other || other.getSendSizes() != op.getSendSizes())
      return false;
    FailureOr<int64_t> others = getMessageBytes(other);
    return succeeded(others) && *others > bytes;
  });
}

std::optional<int64_t> moe::getTooSmallMessage(CollectiveOpInterface op,
                                               const cost::Machine &machine) {
  FailureOr<int64_t> bytes = getMessageBytes(op);
  if (failed(bytes) ||
      !cost::isTooSmall(*bytes, machine.minimumMessage.value.value()))
    return std::nullopt;
  auto ragged = dyn_cast<RaggedAllToAllOp>(op.getOperation());
  if (ragged && accompaniesLarger(ragged, *bytes))
    return std::nullopt;
  return *bytes;
}

SmallVector<CollectiveOpInterface>
moe::findCollectivesBeside(ArrayRef<Operation *> ops) {
  Operation *last = ops.back();
  Block *block = last->getBlock();
  llvm::DenseSet<Operation *> before(ops.begin(), ops.end()),
      behind(ops.begin(), ops.end());
  auto upToLast =
      llvm::make_range(block->begin(), std::next(last->getIterator()));
  for (Operation &op : llvm::reverse(upToLast))
    if (before.contains(&op))
      for (Value operand : op.getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && def->getBlock() == block)
          before.insert(def);
  SmallVector<CollectiveOpInterface> beside;
  for (Operation &op : upToLast) {
    if (readsAny(&op, behind))
      behind.insert(&op);
    auto collective = dyn_cast<CollectiveOpInterface>(op);
    if (collective && !before.contains(&op) && !behind.contains(&op))
      beside.push_back(collective);
  }
  return beside;
}
