//===- ReadDrops.cpp - Slices at the place of a device -------- -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StableHLO.h"

using namespace mlir;
using namespace moe;

/// What is computed on every rank takes time: on more, slices stay as they are.
static constexpr int64_t kMaxRanks = 4096;

namespace {

/// Integers that depend on nothing but the device, one for each rank.
class RankNumbers {
public:
  explicit RankNumbers(int64_t ranks) : ranks(ranks) {}

  using Numbers = SmallVector<int64_t>;

  /// Null when a value depends on more.
  const Numbers *get(Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second ? &*it->second : nullptr;
    // Chains of JAX are a dozen ops; deeper ones are left alone.
    std::optional<Numbers> numbers;
    Operation *op = value.getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (depth < 64 && op && op->getNumResults() == 1 && type &&
        type.getRank() == 0 && type.getElementType().isInteger()) {
      ++depth;
      numbers = compute(op, type.getElementType());
      --depth;
    }
    auto &kept = known[value] = std::move(numbers);
    return kept ? &*kept : nullptr;
  }

private:
  std::optional<Numbers> compute(Operation *op, Type type) {
    StringRef name = op->getName().getStringRef();
    unsigned width = type.getIntOrFloatBitWidth();
    // Sums and products of such small numbers do not overflow 64 bits.
    if (width > 64)
      return std::nullopt;
    Numbers numbers(ranks);
    if (name == "stablehlo.partition_id") {
      std::iota(numbers.begin(), numbers.end(), 0);
      return numbers;
    }
    if (name == "stablehlo.constant") {
      auto dense = dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("value"));
      if (!dense || !dense.isSplat())
        return std::nullopt;
      APInt value = dense.getSplatValue<APInt>();
      bool isUnsigned = type.isUnsignedInteger() || width == 1;
      numbers.assign(ranks, isUnsigned ? int64_t(value.getZExtValue())
                                       : value.getSExtValue());
      return isSmall(numbers) ? std::optional(numbers) : std::nullopt;
    }
    SmallVector<Numbers> operands;
    for (Value operand : op->getOperands()) {
      const Numbers *found = get(operand);
      if (!found)
        return std::nullopt;
      operands.push_back(*found);
    }
    bool isUnsigned = type.isUnsignedInteger();
    for (int64_t rank = 0; rank < ranks; ++rank) {
      auto at = [&](unsigned i) { return operands[i][rank]; };
      std::optional<int64_t> result;
      if (name == "stablehlo.convert" && operands.size() == 1)
        result = at(0);
      else if (name == "stablehlo.select" && operands.size() == 3)
        result = at(0) ? at(1) : at(2);
      else if (operands.size() == 2)
        result = apply(name, op, at(0), at(1));
      // Nothing here may depend on what the type does with too large ones.
      if (!result || (isUnsigned && *result < 0) ||
          !(llvm::isIntN(width, *result) ||
            (isUnsigned && llvm::isUIntN(width, *result)) || width == 1))
        return std::nullopt;
      numbers[rank] = *result;
    }
    return isSmall(numbers) ? std::optional(numbers) : std::nullopt;
  }

  static std::optional<int64_t> apply(StringRef name, Operation *op, int64_t a,
                                      int64_t b) {
    if (name == "stablehlo.add")
      return a + b;
    if (name == "stablehlo.subtract")
      return a - b;
    if (name == "stablehlo.multiply")
      return a * b;
    if (name == "stablehlo.divide" && b != 0)
      return a / b;
    if (name == "stablehlo.remainder" && b != 0)
      return a % b;
    if (name == "stablehlo.maximum")
      return std::max(a, b);
    if (name == "stablehlo.minimum")
      return std::min(a, b);
    if (name != "stablehlo.compare")
      return std::nullopt;
    std::string how;
    if (Attribute direction = op->getAttr("comparison_direction"))
      llvm::raw_string_ostream(how) << direction;
    StringRef word(how);
    if (!word.consume_front("#stablehlo<comparison_direction "))
      return std::nullopt;
    return llvm::StringSwitch<std::optional<int64_t>>(word)
        .Case("LT>", a < b)
        .Case("LE>", a <= b)
        .Case("GT>", a > b)
        .Case("GE>", a >= b)
        .Case("EQ>", a == b)
        .Case("NE>", a != b)
        .Default(std::nullopt);
  }

  static bool isSmall(ArrayRef<int64_t> numbers) {
    return llvm::all_of(numbers, [](int64_t number) {
      return number > -(int64_t(1) << 31) && number < (int64_t(1) << 31);
    });
  }

  int64_t ranks;
  unsigned depth = 0;
  llvm::DenseMap<Value, std::optional<Numbers>> known;
};

} // namespace

/// The group in which every rank's place is its number.
static GroupAttr findGroup(ArrayRef<int64_t> places, const ReadMesh &mesh) {
  MeshOp op = mesh.op;
  SmallVector<unsigned> axes;
  int64_t size = *llvm::max_element(places) + 1, stride = 1;
  SmallVector<int64_t> strides(op.getShape().size());
  for (int64_t i = int64_t(strides.size()) - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= op.getShape()[i];
  }
  // An axis is one of the group when the next rank along it has another place;
  // the one of the next place is the fastest.
  for (unsigned i = 0; i < strides.size(); ++i)
    if (op.getShape()[i] > 1 && places[strides[i]] != places[0])
      axes.push_back(i);
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return places[strides[a]] > places[strides[b]];
  });
  SmallVector<StringRef> names;
  int64_t product = 1;
  for (unsigned axis : axes) {
    names.push_back(op.getAxisName(axis));
    product *= op.getShape()[axis];
  }
  if (product != size || axes.empty())
    return nullptr;
  auto group =
      GroupAttr::get(FlatSymbolRefAttr::get(op.getSymNameAttr()), names);
  FailureOr<SmallVector<SmallVector<int64_t>>> lists = group.getRankLists(op);
  if (failed(lists))
    return nullptr;
  for (ArrayRef<int64_t> list : *lists)
    for (auto [place, rank] : llvm::enumerate(list))
      if (places[rank] != int64_t(place))
        return nullptr;
  return group;
}

/// Replaces `op`, a slice, if it takes this device's part of one dim.
static void readDrop(Operation *op, const ReadMesh &mesh,
                     RankNumbers &numbers) {
  auto sizes = dyn_cast_or_null<DenseI64ArrayAttr>(op->getAttr("slice_sizes"));
  if (!sizes || op->getNumOperands() == 0 || op->getNumResults() != 1)
    return;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to || !from.hasStaticShape() ||
      !from.getElementType().isIntOrIndexOrFloat() ||
      from.getRank() != int64_t(op->getNumOperands()) - 1 ||
      to.getShape() != sizes.asArrayRef())
    return;
  std::optional<int64_t> dim;
  SmallVector<int64_t> places;
  for (auto [d, index] : llvm::enumerate(op->getOperands().drop_front())) {
    const auto *at = numbers.get(index);
    if (!at)
      return;
    if (to.getDimSize(d) == from.getDimSize(d))
      continue; // a start out of bounds is moved to the only one there is
    if (dim)
      return;
    dim = d;
    for (int64_t start : *at) {
      if (to.getDimSize(d) < 1 || start % to.getDimSize(d) != 0 || start < 0)
        return;
      places.push_back(start / to.getDimSize(d));
    }
  }
  if (!dim)
    return;
  GroupAttr group = findGroup(places, mesh);
  if (!group)
    return;
  FailureOr<int64_t> size = group.getGroupSize(op);
  if (failed(size) || to.getDimSize(*dim) * *size != from.getDimSize(*dim))
    return;
  OpBuilder b(op);
  auto drop =
      DropOp::create(b, op->getLoc(), to, op->getOperand(0), group, *dim);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    drop->setDiscardableAttr(attr.getName(), attr.getValue());
  // What computed the place, as far as nobody else reads it.
  llvm::SmallSetVector<Operation *, 16> unused;
  auto collect = [&](Operation *user) {
    for (Value operand : user->getOperands())
      if (Operation *def = operand.getDefiningOp())
        unused.insert(def);
  };
  collect(op);
  unused.remove(drop.getOperand().getDefiningOp());
  op->getResult(0).replaceAllUsesWith(drop);
  op->erase();
  while (!unused.empty()) {
    Operation *def = unused.pop_back_val();
    if (!def->use_empty())
      continue;
    collect(def);
    def->erase();
  }
}

void moe::readDrops(ModuleOp module, const ReadMesh &mesh) {
  MeshOp op = mesh.op;
  if (op.getNumRanks() > kMaxRanks)
    return;
  SmallVector<Operation *> slices;
  module.walk([&](Operation *found) {
    if (found->getName().getStringRef() == "stablehlo.dynamic_slice")
      slices.push_back(found);
  });
  for (Operation *slice : slices)
    // Of its own: values are erased along with the slice.
    if (RankNumbers numbers(op.getNumRanks()); true)
      readDrop(slice, mesh, numbers);
}
