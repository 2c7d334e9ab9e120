// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutations of rows that PyTorch programs compute.
//
// Programs sort rows by expert, or compute from the counts where each row goes.
// A rank receives a run of rows for each pair of a rank and an expert. The runs
// of one expert come together if row i of the result, in run `r` of the new
// order, is row `starts[r] + i - newStarts[r]` of the exchange:
//
//   order     = repeat_interleave(lengths)      # the run of each row
//   newStarts = cumsum(lengths) - lengths
//   indices   = starts[order] + arange(rows) - newStarts[order]
//
// These indices are a permutation if `starts` and `lengths` are the starts and
// the lengths of the same runs, in the same order.

#include "TorchRowOrder.h"
#include "TorchRowChain.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace moe;

/// Follows a result of a layer to its value inside.
static Value lookInside(Value value) {
  while (auto layer = value.getDefiningOp<LayerOp>())
    value = layer.getBody().front().getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber());
  return value;
}

/// Returns true for a result with the type of indices of rows.
static bool isIndices(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return isa<OpResult>(value) && type && type.getRank() == 1 &&
         type.isDynamicDim(0) && type.getElementType().isInteger(64);
}

/// Returns the sort whose indices a value is; null for other values.
static Operation *getSort(Value value) {
  if (!isIndices(value) || cast<OpResult>(value).getResultNumber() != 1)
    return nullptr;
  Operation *op = value.getDefiningOp();
  return getTorchName(op).starts_with("torch.aten.sort") ? op : nullptr;
}

namespace {

/// A small tensor whose elements, in memory order, are elements of another one.
struct Elements {
  Value of;
  /// For each element its number in `of`.
  SmallVector<int64_t> numbers;

  bool operator==(const Elements &other) const {
    return of == other.of && numbers == other.numbers;
  }
};

/// The first rows of runs whose lengths are known by name.
struct Starts {
  /// The lengths of all runs, in their order.
  Elements lengths;
  /// For each element the number of its run.
  SmallVector<int64_t> runs;
};

} // namespace

/// Returns the operand of an op that copies its elements in their order.
static Value getCopied(Operation *op) {
  std::string name = getTorchNameWithoutFacts(op);
  bool copies = name == "torch.aten.clone" || name == "torch.aten.contiguous" ||
                name == "torch.aten.detach" || name == "torch.aten.alias" ||
                name == "torch.aten._to_copy" || isTorchReshape(op);
  return copies ? op->getOperand(0) : Value();
}

/// For an op that swaps dims, returns the number of each element of the result
/// in the operand.
static std::optional<SmallVector<int64_t>> getSwapped(Operation *op) {
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<DimMap> map =
      isTorchAlias(op) ? getTorchDimMap(op) : std::optional<DimMap>();
  if (!from || !map || from.getRank() != to.getRank())
    return std::nullopt;
  SmallVector<int64_t> strides(from.getRank(), 1), toStrides(to.getRank(), 0);
  for (int64_t d = from.getRank() - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * from.getDimSize(d + 1);
  llvm::SmallBitVector linked(to.getRank());
  for (const DimLink &link : map->links) {
    toStrides[link.resultDim] = strides[link.operandDim];
    linked.set(link.resultDim);
  }
  if (!linked.all())
    return std::nullopt;
  SmallVector<int64_t> numbers{0};
  for (int64_t d = 0; d < to.getRank(); ++d) {
    SmallVector<int64_t> next;
    for (int64_t number : numbers)
      for (int64_t i = 0; i < to.getDimSize(d); ++i)
        next.push_back(number + i * toStrides[d]);
    numbers = std::move(next);
  }
  return numbers;
}

/// Follows copies, reshapes and swapped dims. Returns nullopt for a tensor
/// whose size is not known.
static std::optional<Elements> getElements(Value value) {
  value = lookInside(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  Elements found{value, llvm::to_vector(llvm::seq(type.getNumElements()))};
  while (Operation *op = found.of.getDefiningOp()) {
    auto from = op->getNumOperands() > 0
                    ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                    : RankedTensorType();
    if (op->getNumResults() != 1 || !from || !from.hasStaticShape() ||
        from.getElementType() != type.getElementType() ||
        from.getNumElements() != type.getNumElements())
      break;
    Value next = getCopied(op);
    if (!next) {
      auto swapped = getSwapped(op);
      if (!swapped)
        break;
      for (int64_t &number : found.numbers)
        number = (*swapped)[number];
      next = op->getOperand(0);
    }
    found.of = lookInside(next);
  }
  return found;
}

/// Returns the operands of an addition or a subtraction without a factor.
static std::optional<std::pair<Value, Value>> getTerms(Value value,
                                                       StringRef name) {
  Operation *op = value.getDefiningOp();
  if (!isTorchOp(op, name) || op->getNumOperands() != 2 ||
      getTorchInt(TorchArguments(op).getConstant(2)) != 1)
    return std::nullopt;
  return std::pair(lookInside(op->getOperand(0)),
                   lookInside(op->getOperand(1)));
}

/// Matches `cumsum(lengths) - lengths`, reshaped or with swapped dims.
static std::optional<Starts> getStarts(Value value) {
  std::optional<Elements> found = getElements(value);
  auto terms =
      found ? getTerms(found->of, "torch.aten.sub.Tensor") : std::nullopt;
  if (!terms)
    return std::nullopt;
  Operation *sums = terms->first.getDefiningOp();
  if (!isTorchOp(sums, "torch.aten.cumsum") ||
      cast<RankedTensorType>(terms->first.getType()).getRank() != 1 ||
      getTorchInt(TorchArguments(sums).getConstant(1)).value_or(1) > 0)
    return std::nullopt;
  std::optional<Elements> lengths = getElements(terms->second),
                          summed = getElements(sums->getOperand(0));
  if (!lengths || !summed || !(*lengths == *summed))
    return std::nullopt;
  return Starts{std::move(*lengths), std::move(found->numbers)};
}

/// Matches `arange(n)`.
static bool isRange(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  TorchArguments arguments(op);
  auto is = [&](unsigned place, int64_t number) {
    return getTorchInt(arguments.getConstant(place)) == number;
  };
  std::string name = getTorchNameWithoutFacts(op);
  return name == "torch.aten.arange" ||
         (name == "torch.aten.arange.start" && is(0, 0)) ||
         (name == "torch.aten.arange.start_step" && is(0, 0) && is(2, 1)) ||
         (name == "torch.prims.iota" && is(1, 0) && is(2, 1));
}

/// For values `table[order]`, returns the table and the order.
static std::optional<std::pair<Value, Value>> getTaken(Value value) {
  Operation *op = value.getDefiningOp();
  Value order = op ? getTakenRows(op) : Value();
  if (!order)
    return std::nullopt;
  return std::pair(lookInside(op->getOperand(0)), lookInside(order));
}

/// For `repeat_interleave(lengths)`, also as indices of a range, returns the
/// lengths.
static Value getRunLengths(Value order) {
  if (auto taken = getTaken(order); taken && isRange(taken->first))
    order = taken->second;
  Operation *op = order.getDefiningOp();
  return isTorchOp(op, "torch.aten.repeat_interleave.Tensor")
             ? op->getOperand(0)
             : Value();
}

/// For indices that put runs of rows in another order, returns the number of
/// the run of each row; null for other values.
static Value getRunNumbers(Value indices) {
  if (!isIndices(indices))
    return Value();
  auto difference = getTerms(indices, "torch.aten.sub.Tensor");
  auto sum = difference ? getTerms(difference->first, "torch.aten.add.Tensor")
                        : std::nullopt;
  if (!sum)
    return Value();
  auto [starts, range] = *sum;
  if (!isRange(range))
    std::swap(starts, range);
  auto from = getTaken(starts), to = getTaken(difference->second);
  if (!isRange(range) || !from || !to || from->second != to->second)
    return Value();
  Value lengths = getRunLengths(from->second);
  std::optional<Elements> each = lengths ? getElements(lengths) : std::nullopt;
  std::optional<Starts> before = getStarts(from->first),
                        after = getStarts(to->first);
  if (!each || !before || !after || before->lengths.of != each->of)
    return Value();
  // The new runs have these lengths, in the order of their starts, and each
  // starts in the exchange's rows where a run of its length starts.
  auto expected = llvm::map_to_vector(
      before->runs, [&](int64_t run) { return before->lengths.numbers[run]; });
  bool isSame = after->lengths == *each &&
                llvm::equal(after->runs, llvm::seq(after->runs.size())) &&
                expected == each->numbers;
  return isSame ? from->second : Value();
}

bool moe::isRowPermutation(Value value) {
  return getSort(value) || getRunNumbers(lookInside(value));
}

Value moe::getRowKeys(Value permutation) {
  if (Operation *sort = getSort(permutation))
    return sort->getOperand(0);
  return getRunNumbers(lookInside(permutation));
}

Value moe::getInvertedPermutation(Value permutation) {
  Operation *sort = getSort(permutation);
  if (!sort)
    return Value();
  TorchArguments arguments(sort);
  unsigned last = getTorchName(sort) == "torch.aten.sort.stable" ? 3 : 2;
  auto descends = dyn_cast_or_null<BoolAttr>(arguments.getConstant(last));
  return descends && !descends.getValue() && sort->getNumOperands() > 0 &&
                 isRowPermutation(sort->getOperand(0))
             ? sort->getOperand(0)
             : Value();
}
