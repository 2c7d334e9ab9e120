// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives along other dims than 0.
//
// PyTorch's collectives cut and join dim 0. To scatter along another dim,
// PyTorch first cuts the tensor into one piece for each rank along that dim and
// joins the pieces along dim 0; to gather along another dim, it does the
// reverse afterwards. The collectives of moe name the dim instead, so that such
// a copy is counted once.

#include "Torch.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/Text/Torch/Text.h"

using namespace mlir;
using namespace moe;

namespace {

/// Pieces of a tensor along one dim, joined along another.
struct Restack {
  Value source;
  int64_t from, to;
};

} // namespace

/// The first and the last element of a slice of one dim, and the dim; nullopt
/// for all other ops.
static std::optional<std::array<int64_t, 3>> readSlice(Operation *op) {
  if (!op || getTorchName(op) != "torch.aten.slice.Tensor")
    return std::nullopt;
  TorchArguments arguments(op);
  if (arguments.size() != 5 || arguments.getOperand(0) != 0u)
    return std::nullopt;
  std::array<int64_t, 3> numbers;
  for (unsigned i = 0; i < 3; ++i) {
    auto number = getTorchInt(arguments.getConstant(i + 1));
    if (!number || *number < 0)
      return std::nullopt;
    numbers[i] = *number;
  }
  return getTorchInt(arguments.getConstant(4)) == 1 ? std::optional(numbers)
                                                    : std::nullopt;
}

/// Describes `value` if it joins `count` equal pieces of a tensor; returns
/// nullopt for other values.
static std::optional<Restack> findRestack(Value value, int64_t count) {
  auto assemble = value.getDefiningOp<AssembleOp>();
  if (!assemble || int64_t(assemble.getParts().size()) != count)
    return std::nullopt;
  Restack restack{{}, -1, int64_t(assemble.getDim())};
  for (auto [i, part] : llvm::enumerate(assemble.getParts())) {
    Operation *op = part.getDefiningOp();
    auto slice = readSlice(op);
    if (!slice)
      return std::nullopt;
    auto [dim, start, end] = *slice;
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    if (i == 0) {
      restack.source = op->getOperand(0);
      restack.from = dim;
    }
    if (op->getOperand(0) != restack.source || dim != restack.from ||
        dim >= type.getRank() || type.getDimSize(dim) % count != 0)
      return std::nullopt;
    int64_t size = type.getDimSize(dim) / count;
    if (start != int64_t(i) * size || end != start + size)
      return std::nullopt;
  }
  return restack;
}

/// Erases an op that no op reads any more, and then its operands.
static void eraseUnused(Value value) {
  SmallVector<Operation *> work{value.getDefiningOp()};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!op || !op->use_empty() || !(isa<AssembleOp>(op) || readSlice(op)))
      continue;
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    llvm::SmallPtrSet<Operation *, 8> seen;
    for (Value operand : operands)
      if (Operation *def = operand.getDefiningOp();
          def && seen.insert(def).second)
        work.push_back(def);
  }
}

/// Replaces `value`, a value of the text, by the result of `made`.
static void replace(Operation *collective, Operation *made, Value value) {
  carryOver(collective, made);
  value.replaceAllUsesWith(made->getResult(0));
  eraseUnused(value);
  if (collective->use_empty())
    collective->erase();
}

/// The one reader of a collective that restacks it; null if there is none.
static Value findRestacked(Operation *op, int64_t count) {
  for (Operation *slice : op->getUsers())
    for (Operation *user : slice->getUsers())
      if (isa<AssembleOp>(user) && readSlice(slice))
        if (auto restack = findRestack(user->getResult(0), count);
            restack && restack->source == op->getResult(0) &&
            restack->from == 0)
          return user->getResult(0);
  return nullptr;
}

static void moveGather(AllGatherOp op, int64_t count) {
  Value restacked = findRestacked(op, count);
  // Other readers need the rows in their order.
  if (op.getDim() != 0 || !restacked ||
      llvm::any_of(op->getUsers(), [&](Operation *user) {
        return !readSlice(user) ||
               !llvm::all_of(user->getUsers(), [&](Operation *reader) {
                 return reader == restacked.getDefiningOp();
               });
      }))
    return;
  OpBuilder b(op);
  int64_t dim = restacked.getDefiningOp<AssembleOp>().getDim();
  replace(op,
          AllGatherOp::create(b, op.getLoc(), restacked.getType(),
                              op.getOperand(), op.getGroup(), dim),
          restacked);
}

static void moveScatter(ReduceScatterOp op, int64_t count) {
  auto restack = findRestack(op.getOperand(), count);
  if (op.getDim() != 0 || !restack || restack->to != 0)
    return;
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(restack->source.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[restack->from] /= count;
  // Rows of the pieces are rows of the source only if there is one cut.
  if (op.getType() != type.clone(shape))
    return;
  Value before = op.getOperand();
  auto made =
      ReduceScatterOp::create(b, op.getLoc(), op.getType(), restack->source,
                              op.getGroup(), restack->from, op.getReduction());
  carryOver(op, made);
  op.replaceAllUsesWith(made.getResult());
  op.erase();
  eraseUnused(before);
}

static void moveExchange(AllToAllOp op, int64_t count) {
  if (op.getSplitDim() != 0 || op.getConcatDim() != 0)
    return;
  Value source = op.getOperand(), before = source;
  int64_t split = 0, concat = 0;
  if (auto restack = findRestack(source, count); restack && restack->to == 0) {
    source = restack->source;
    split = restack->from;
  }
  Value result = op.getResult();
  if (Value restacked = findRestacked(op, count);
      restacked && llvm::all_of(op->getUsers(), [&](Operation *user) {
        return readSlice(user) &&
               llvm::all_of(user->getUsers(), [&](Operation *reader) {
                 return reader == restacked.getDefiningOp();
               });
      })) {
    result = restacked;
    concat = restacked.getDefiningOp<AssembleOp>().getDim();
  }
  if (split == 0 && concat == 0)
    return;
  OpBuilder b(op);
  replace(op,
          AllToAllOp::create(b, op.getLoc(), result.getType(), source,
                             op.getGroup(), split, concat),
          result);
  eraseUnused(before);
}

void moe::moveTorchDims(ModuleOp module) {
  SmallVector<CollectiveOpInterface> found;
  module.walk([&](CollectiveOpInterface op) { found.push_back(op); });
  for (CollectiveOpInterface op : found) {
    FailureOr<int64_t> count = op.getGroup().getGroupSize(op);
    if (failed(count) || *count < 2)
      continue;
    if (auto gather = dyn_cast<AllGatherOp>(op.getOperation()))
      moveGather(gather, *count);
    else if (auto scatter = dyn_cast<ReduceScatterOp>(op.getOperation()))
      moveScatter(scatter, *count);
    else if (auto exchange = dyn_cast<AllToAllOp>(op.getOperation()))
      moveExchange(exchange, *count);
  }
}
