// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of PyTorch ops on the rows of a ragged exchange.
//
// The rows that a rank receives are in the order of the exchange: the rows of
// the first rank come first. Programs sort them by expert, multiply them in
// groups, and bring them back into the order of the exchange. This file follows
// the rows through these two orders, to the exchange back.

#include "TorchRowChain.h"
#include "TorchRowOrder.h"
#include "mlir/Support/DebugStringHelper.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"

using namespace mlir;
using namespace moe;

std::optional<SmallVector<Value>> moe::getTorchSplits(Value sizes) {
  Operation *list = sizes.getDefiningOp();
  if (!list || getTorchName(list) != kTorchSizes)
    return std::nullopt;
  return llvm::to_vector(list->getOperands());
}

bool moe::hasTorchSplits(RaggedAllToAllOp exchange) {
  return getTorchSplits(exchange.getSendSizes()) &&
         getTorchSplits(exchange.getRecvSizes());
}

bool moe::isTorchOp(Operation *op, StringRef name) {
  return op && getTorchNameWithoutFacts(op) == name;
}

std::optional<RowMove> moe::getRowMove(Operation *op) {
  std::string name = getTorchNameWithoutFacts(op);
  bool inList =
           name == "torch.aten.index.Tensor" || name == "torch.aten.index_put",
       puts = name == "torch.aten.index_put" || name == "torch.aten.index_add";
  if (!inList && name != "torch.aten.index_select" && !puts)
    return std::nullopt;
  RowMove move{puts, puts ? 2u : 0u, 1, nullptr};
  if (op->getNumOperands() != (puts ? 3 : 2) ||
      (!inList && getTorchInt(TorchArguments(op).getConstant(1)) != 0))
    return std::nullopt;
  move.permutation = op->getOperand(1);
  if (inList) {
    Operation *list = move.permutation.getDefiningOp();
    if (!isTorchOp(list, "torch.prim.ListConstruct") ||
        list->getNumOperands() != 1)
      return std::nullopt;
    move.permutation = list->getOperand(0);
  }
  return isRowPermutation(move.permutation) ? std::optional(move)
                                            : std::nullopt;
}

Value moe::getTakenRows(Operation *op) {
  if (isTorchOp(op, "torch.aten.index_select"))
    return getTorchInt(TorchArguments(op).getConstant(1)) == 0
               ? op->getOperand(1)
               : Value();
  if (!isTorchOp(op, "torch.aten.index.Tensor"))
    return Value();
  Operation *list = op->getOperand(1).getDefiningOp();
  if (!isTorchOp(list, "torch.prim.ListConstruct") ||
      list->getNumOperands() != 1)
    return Value();
  auto type = dyn_cast<RankedTensorType>(list->getOperand(0).getType());
  return type && type.getRank() == 1 && type.getElementTypeBitWidth() >= 32
             ? list->getOperand(0)
             : Value();
}

static bool isZero(Attribute number) {
  if (auto real = dyn_cast_or_null<FloatAttr>(number))
    return real.getValue().isPosZero();
  return getTorchInt(number) == 0;
}

bool moe::isTorchZeros(Value value) {
  Operation *op = value.getDefiningOp();
  // Inductor decomposes zeros before the graph is rewritten.
  if (isTorchOp(op, "torch.aten.full"))
    return isZero(TorchArguments(op).getConstant(1));
  return isTorchOp(op, "torch.aten.zeros_like") ||
         isTorchOp(op, "torch.aten.new_zeros") ||
         isTorchOp(op, "torch.aten.zeros");
}

bool moe::isTorchEmpty(Value value) {
  Operation *op = value.getDefiningOp();
  return isTorchOp(op, "torch.aten.empty_like") ||
         isTorchOp(op, "torch.aten.new_empty") ||
         isTorchOp(op, "torch.aten.empty.memory_format");
}

RankedTensorType moe::withOpenRows(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[0] = ShapedType::kDynamic;
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// Returns true if only the number of rows is dynamic.
static bool hasOpenRows(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 1 && tensor.isDynamicDim(0) &&
         tensor.getNumDynamicDims() == 1;
}

/// Returns true for an exchange that sends the rows of `dispatch` back.
static bool isBack(RaggedAllToAllOp op, RaggedAllToAllOp dispatch) {
  return hasTorchSplits(op) && op.getGroup() == dispatch.getGroup() &&
         getTorchSplits(op.getSendSizes()) ==
             getTorchSplits(dispatch.getRecvSizes()) &&
         getTorchSplits(op.getRecvSizes()) ==
             getTorchSplits(dispatch.getSendSizes());
}

bool RowChainFinder::hasRowsOf(Value value, ArrayRef<Value> splits,
                               const RowChain &chain) {
  // Follows ops that keep their rows, out of the layers that they are in.
  for (int steps = 0; value && steps < 100; ++steps) {
    if (chain.orders.contains(value))
      return true;
    if (auto it = joined.find(value); it != joined.end())
      return ArrayRef(it->second) == splits;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    unsigned result = cast<OpResult>(value).getResultNumber();
    if (auto exchange = dyn_cast<RaggedAllToAllOp>(op)) {
      auto own = getTorchSplits(exchange.getRecvSizes());
      return own && ArrayRef(*own) == splits;
    }
    if (auto layer = dyn_cast<LayerOp>(op)) {
      value = layer.getBody().front().getTerminator()->getOperand(result);
      continue;
    }
    // The rows of the indices, or repeated rows, of which the program computes
    // the number.
    if (Value indices = getTakenRows(op)) {
      value = indices;
      continue;
    }
    if (isTorchOp(op, "torch.aten.repeat_interleave.Tensor"))
      return op->getNumOperands() == 2 &&
             isCountOf(op->getOperand(1), splits, chain);
    std::optional<DimMap> map = getDimMap(op);
    value = Value();
    for (unsigned i = 0; map && !value && i < op->getNumOperands(); ++i)
      if (map->getOperandDim(result, 0, i) == 0u)
        value = op->getOperand(i);
  }
  return false;
}

bool RowChainFinder::isBaseOfRows(Value base, Value values, Operation *put,
                                  const RowChain &chain) {
  if (!hasOpenRows(base.getType()) ||
      withOpenRows(base.getType()) != withOpenRows(values.getType()))
    return false;
  if (isTorchEmpty(base)) {
    auto adds = dyn_cast_or_null<BoolAttr>(TorchArguments(put).getConstant(3));
    if (!isTorchOp(put, "torch.aten.index_put") || !adds || adds.getValue())
      return false;
  } else if (!isTorchZeros(base)) {
    return false;
  }
  Operation *op = base.getDefiningOp();
  if (isTorchOp(op, "torch.aten.zeros_like") ||
      isTorchOp(op, "torch.aten.empty_like"))
    return chain.orders.contains(op->getOperand(0));
  bool isNew = isTorchOp(op, "torch.aten.new_zeros") ||
               isTorchOp(op, "torch.aten.new_empty");
  std::optional<unsigned> place = TorchArguments(op).getOperand(isNew ? 1 : 0);
  Operation *sizes = place ? op->getOperand(*place).getDefiningOp() : nullptr;
  RaggedAllToAllOp dispatch = chain.dispatch;
  return isTorchOp(sizes, "torch.prim.ListConstruct") &&
         isCountOf(sizes->getOperand(0),
                   *getTorchSplits(dispatch.getRecvSizes()), chain);
}

bool RowChainFinder::permutesRows(Value permutation, const RowChain &chain) {
  RaggedAllToAllOp dispatch = chain.dispatch;
  return hasRowsOf(getRowKeys(permutation),
                   *getTorchSplits(dispatch.getRecvSizes()), chain);
}

bool RowChainFinder::isCountOf(Value count, ArrayRef<Value> splits,
                               const RowChain &chain) {
  // Inductor's backward pass reads sizes of the forward pass.
  while (auto layer = count.getDefiningOp<LayerOp>())
    count = layer.getBody().front().getTerminator()->getOperand(
        cast<OpResult>(count).getResultNumber());
  Operation *op = count.getDefiningOp();
  if (isTorchOp(op, "torch.aten.sym_size.int"))
    return getTorchInt(TorchArguments(op).getConstant(1)) == 0 &&
           hasRowsOf(op->getOperand(0), splits, chain);
  if (!isTorchOp(op, "torch.python.sym_sum"))
    return false;
  Operation *list = op->getOperand(0).getDefiningOp();
  return list && llvm::equal(list->getOperands(), splits);
}

std::optional<Value> RowChainFinder::getOrder(Operation *op,
                                              const RowChain &chain) {
  if (op->getNumResults() != 1 || !hasOpenRows(op->getResult(0).getType()) ||
      op->getNumRegions() != 0)
    return std::nullopt;
  auto find = [&](Value value) -> std::optional<Value> {
    auto it = chain.orders.find(value);
    return it == chain.orders.end() ? std::nullopt : std::optional(it->second);
  };
  if (std::optional<RowMove> move = getRowMove(op)) {
    std::optional<Value> order = find(op->getOperand(move->rows));
    if (!order ||
        (move->puts && !isBaseOfRows(op->getOperand(0),
                                     op->getOperand(move->rows), op, chain)))
      return std::nullopt;
    Value inverted = getInvertedPermutation(move->permutation);
    // Into the sorted order, and back.
    if (!*order) {
      Value sorted = move->puts ? inverted : move->permutation;
      return sorted && permutesRows(sorted, chain) ? std::optional(sorted)
                                                   : std::nullopt;
    }
    return *order == (move->puts ? move->permutation : inverted)
               ? std::optional(Value())
               : std::nullopt;
  }
  if (isTorchOp(op, "torch.aten._grouped_mm")) {
    if (op->getNumOperands() != 3 || TorchArguments(op).getOperand(2) != 2u)
      return std::nullopt;
    auto right = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
    auto ends = dyn_cast<RankedTensorType>(op->getOperand(2).getType());
    if (!right || right.getRank() != 3 || !ends || ends.getRank() != 1 ||
        !ends.getElementType().isInteger() || find(op->getOperand(1)) ||
        find(op->getOperand(2)))
      return std::nullopt;
    auto order = find(op->getOperand(0));
    return order && *order ? order : std::nullopt;
  }
  std::optional<DimMap> map = getDimMap(op);
  if (!map)
    return std::nullopt;
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (isa<RaggedAllToAllOp>(op) ||
      (!collective && !map->isPartwise && !isa<DropOp>(op)))
    return std::nullopt;
  std::optional<Value> order;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<Value> of = find(operand);
    std::optional<unsigned> from = map->getOperandDim(0, 0, i);
    if (from && *from != 0)
      return std::nullopt;
    if (!of)
      continue;
    if (!from || (order && *order != *of))
      return std::nullopt;
    order = of;
  }
  // Ranks of the group must cut the same rows.
  auto isEqual = [&](Value value) {
    return replication.isReplicatedOver(value, collective.getGroup());
  };
  RaggedAllToAllOp dispatch = chain.dispatch;
  if (order && collective &&
      (!isEqual(dispatch.getRecvSizes()) || (*order && !isEqual(*order))))
    return std::nullopt;
  return order;
}

std::optional<RowChain> RowChainFinder::find(RaggedAllToAllOp dispatch,
                                             std::string &reason) {
  RowChain chain;
  chain.dispatch = dispatch;
  if (!hasOpenRows(dispatch.getType())) {
    reason =
        "expected only the number of rows to be computed by the program, got " +
        debugString(dispatch.getType());
    return std::nullopt;
  }
  chain.orders[dispatch.getResult()] = Value();
  SmallVector<Operation *> back;
  Operation *first = nullptr;
  // A chain of the forward pass does not go on in the backward pass.
  llvm::DenseSet<Value> later;
  for (Operation *op = dispatch->getNextNode(); op; op = op->getNextNode()) {
    if (llvm::any_of(op->getOperands(),
                     [&](Value operand) { return later.contains(operand); }) ||
        (isa<RaggedAllToAllOp>(op) &&
         op->hasAttr("fx.backward") != dispatch->hasAttr("fx.backward"))) {
      later.insert(op->result_begin(), op->result_end());
      continue;
    }
    if (!llvm::any_of(op->getOperands(), [&](Value operand) {
          return chain.orders.contains(operand);
        }))
      continue;
    if (auto exchange = dyn_cast<RaggedAllToAllOp>(op)) {
      auto it = chain.orders.find(exchange.getOperand());
      if (it != chain.orders.end() && !it->second &&
          isBack(exchange, dispatch) && hasOpenRows(exchange.getType())) {
        back.push_back(op);
        continue;
      }
    }
    if (std::optional<Value> order = getOrder(op, chain)) {
      chain.orders[op->getResult(0)] = *order;
    } else if (!first && !op->hasTrait<OpTrait::IsTerminator>() &&
               !isTorchOp(op, "torch.aten.sym_size.int") &&
               !(op->getNumResults() == 1 &&
                 (isTorchZeros(op->getResult(0)) ||
                  isTorchEmpty(op->getResult(0))))) {
      first = op;
    }
  }
  if (back.empty()) {
    reason =
        "expected ops on single rows from this exchange to one that sends "
        "the rows back (elementwise ops, rows at the indices of a sort or at "
        "indices that reorder runs of rows, torch._grouped_mm, and sums over "
        "ranks with equal split "
        "sizes)";
    if (first)
      reason += ", got " + getTorchNameWithoutFacts(first);
    return std::nullopt;
  }
  // Only ops that the exchanges back need run in chunks.
  llvm::SetVector<Operation *> needed(back.begin(), back.end());
  for (size_t i = 0; i < needed.size(); ++i)
    for (Value operand : needed[i]->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def != dispatch && chain.orders.contains(operand))
        needed.insert(def);
  SmallVector<Operation *> sorted(needed.begin(), needed.end());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  chain.ops.insert(sorted.begin(), sorted.end());
  return chain;
}
