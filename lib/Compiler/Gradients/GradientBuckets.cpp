// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-reduces of gradient buckets.

#include "GradientBuckets.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include <map>

using namespace mlir;
using namespace moe;
using schedule::GradientBucket;
using schedule::OverlapWindow;

namespace {

/// Part of a gradient.
struct Part {
  size_t gradient;
  int64_t offset, size;
};

/// The parts of one all-reduce, and its position.
struct Bundle {
  OverlapWindow slot;
  int64_t layer;
  SmallVector<Part> parts;
  /// Elements of all parts.
  int64_t size = 0;
};

/// Returns the granularity of cuts in elements: 128 bytes, the unit of copies
/// and reductions, for gradients that are many times as long; otherwise one
/// element.
int64_t getBlock(const Gradient &gradient) {
  constexpr int64_t kBlockBytes = 128, kLeastBlocks = 64;
  AllReduceOp op = gradient.op;
  FailureOr<int64_t> bytes = getTensorBytes(RankedTensorType::get(
      {1}, cast<RankedTensorType>(op.getType()).getElementType()));
  int64_t block =
      failed(bytes) ? 1 : std::max<int64_t>(1, kBlockBytes / *bytes);
  return gradient.elements / kLeastBlocks < block ? 1 : block;
}

/// Cuts the concatenated gradients of each layer into its buckets.
class Cutter {
public:
  explicit Cutter(const BackwardPass &pass) : pass(pass) {
    for (auto [i, gradient] : llvm::enumerate(pass.gradients))
      rows[gradient.layer].gradients.push_back(i);
  }

  /// Returns the next `units` of the layer's gradients. Cuts are at whole
  /// blocks of elements. The last unit of each gradient ends with its last
  /// element, so that no element is lost.
  SmallVector<Part> cut(int64_t layer, int64_t units) {
    SmallVector<Part> parts;
    Row &row = rows[layer];
    while (units > 0 && row.next < row.gradients.size()) {
      size_t number = row.gradients[row.next];
      const Gradient &gradient = pass.gradients[number];
      int64_t taken = std::min(units, gradient.units - row.usedUnits);
      units -= taken;
      row.usedUnits += taken;
      int64_t end =
          static_cast<int64_t>(static_cast<long double>(row.usedUnits) *
                               gradient.elements / gradient.units);
      int64_t block = getBlock(gradient);
      end = std::min((end + block / 2) / block * block, gradient.elements);
      if (row.usedUnits == gradient.units)
        end = gradient.elements;
      if (end > row.usedElements)
        parts.push_back({number, row.usedElements, end - row.usedElements});
      row.usedElements = end;
      if (row.usedUnits == gradient.units) {
        ++row.next;
        row.usedUnits = row.usedElements = 0;
      }
    }
    return parts;
  }

private:
  struct Row {
    SmallVector<size_t> gradients;
    size_t next = 0;
    int64_t usedUnits = 0, usedElements = 0;
  };

  const BackwardPass &pass;
  std::map<int64_t, Row> rows;
};

class Sender {
public:
  explicit Sender(BackwardPass &pass)
      : pass(pass), builder(pass.function.getContext()),
        sums(pass.gradients.size()) {
    for (Gradient &gradient : pass.gradients) {
      groups.push_back(gradient.op.getGroup());
      types.push_back(cast<RankedTensorType>(gradient.op.getType()));
      locs.push_back(gradient.op.getLoc());
      written.push_back(gradient.op->getDiscardableAttrDictionary());
    }
    takeOut();
  }

  /// Builds one all-reduce for parts of one group and type.
  void send(const Bundle &bundle) {
    Location loc = getLoc(bundle);
    LayerOp layer = setPlace(bundle);
    SmallVector<Value> slices;
    int64_t size = 0;
    for (const Part &part : bundle.parts) {
      slices.push_back(slice(loc, values[part.gradient], part));
      size += part.size;
    }
    Value sent = slices.front();
    if (slices.size() > 1) {
      for (Value &slice : slices)
        slice = flatten(loc, slice);
      sent = AssembleOp::create(
          builder, loc,
          RankedTensorType::get(
              {size}, types[bundle.parts.front().gradient].getElementType()),
          slices, 0);
    }
    auto reduce = AllReduceOp::create(builder, loc, sent.getType(), sent,
                                      groups[bundle.parts.front().gradient]);
    for (const Part &part : bundle.parts)
      carryOver(written[part.gradient], reduce);
    Value sum = reduce.getResult();
    SmallVector<Value> results = {sum};
    if (slices.size() > 1) {
      results.clear();
      int64_t offset = 0;
      for (const Part &part : bundle.parts) {
        results.push_back(extract(loc, sum, offset, part.size));
        offset += part.size;
      }
    }
    if (bundle.slot == OverlapWindow::Dense)
      lastBehind[pass.layers.size() - bundle.layer] =
          &*std::prev(builder.getInsertionPoint());
    if (layer)
      results = handOut(layer, results);
    for (auto [part, result] : llvm::zip_equal(bundle.parts, results))
      sums[part.gradient].push_back({part.offset, result});
  }

  /// Assembles each gradient and returns it from the function.
  void finish() {
    Operation *terminator = pass.function.getBody().front().getTerminator();
    builder.setInsertionPoint(terminator);
    for (auto [i, parts] : llvm::enumerate(sums)) {
      llvm::sort(parts, [](const auto &a, const auto &b) {
        return a.first < b.first;
      });
      Value whole = parts.front().second;
      if (parts.size() > 1) {
        SmallVector<Value> values;
        for (auto &[offset, value] : parts)
          values.push_back(value);
        whole = AssembleOp::create(
            builder, locs[i],
            RankedTensorType::get({types[i].getNumElements()},
                                  types[i].getElementType()),
            values, 0);
      }
      if (whole.getType() != types[i])
        whole = unflatten(locs[i], whole, types[i]);
      for (OpOperand *use : uses[i])
        use->set(whole);
    }
  }

private:
  /// Removes the all-reduces; layers then return the operand instead of the
  /// sum.
  void takeOut() {
    for (Gradient &gradient : pass.gradients) {
      AllReduceOp op = gradient.op;
      Value value = op.getOperand();
      Value sum = op.getResult();
      SmallVector<OpOperand *> returned;
      if (auto layer = dyn_cast<LayerOp>(op->getParentOp())) {
        SmallVector<unsigned> numbers;
        for (OpOperand &use : sum.getUses())
          numbers.push_back(use.getOperandNumber());
        sum.replaceAllUsesWith(value);
        if (!numbers.empty())
          value = layer.getResult(numbers.front());
        for (unsigned number : numbers)
          for (OpOperand &use : layer.getResult(number).getUses())
            returned.push_back(&use);
      } else {
        for (OpOperand &use : sum.getUses())
          returned.push_back(&use);
        // Temporary, until the new sum exists.
        sum.replaceAllUsesWith(value);
      }
      op.erase();
      gradient.op = AllReduceOp();
      values.push_back(value);
      uses.push_back(returned);
    }
  }

  Location getLoc(const Bundle &bundle) {
    auto all = llvm::map_to_vector(
        bundle.parts, [&](const Part &part) { return locs[part.gradient]; });
    return FusedLoc::get(builder.getContext(), all);
  }

  /// Sets the insertion point for a bundle. Returns the layer around it, or
  /// null.
  LayerOp setPlace(const Bundle &bundle) {
    Block &body = pass.function.getBody().front();
    if (bundle.slot == OverlapWindow::After) {
      builder.setInsertionPoint(body.getTerminator());
      return LayerOp();
    }
    if (bundle.slot == OverlapWindow::Dense) {
      // Inserts after the previous layer, where the dense part starts. Earlier
      // buckets precede.
      int64_t step = pass.layers.size() - bundle.layer;
      assert(step > 0 && "expected no gradients in front of the first part");
      Operation *place = pass.layers[step - 1];
      auto it = lastBehind.find(step);
      if (it != lastBehind.end())
        place = it->second;
      builder.setInsertionPointAfter(place);
      return LayerOp();
    }
    LayerOp layer = pass.getLayerOp(bundle.layer);
    Block &block = layer.getBody().front();
    Operation *place = &block.front();
    for (Operation &op : block)
      if (appliesExperts(&op)) {
        place = &op;
        break;
      }
    builder.setInsertionPoint(place);
    return layer;
  }

  Value flatten(Location loc, Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == 1)
      return value;
    SmallVector<ReassociationIndices> all;
    if (type.getRank() > 0) {
      all.emplace_back();
      for (int64_t i = 0; i < type.getRank(); ++i)
        all.front().push_back(i);
      return tensor::CollapseShapeOp::create(builder, loc, value, all);
    }
    return tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get({1}, type.getElementType()), value,
        all);
  }

  Value unflatten(Location loc, Value value, RankedTensorType type) {
    SmallVector<ReassociationIndices> all;
    if (type.getRank() == 0)
      return tensor::CollapseShapeOp::create(builder, loc, value, all);
    all.emplace_back();
    for (int64_t i = 0; i < type.getRank(); ++i)
      all.front().push_back(i);
    return tensor::ExpandShapeOp::create(builder, loc, type, value, all);
  }

  Value extract(Location loc, Value value, int64_t offset, int64_t size) {
    OpFoldResult offsets = builder.getIndexAttr(offset),
                 sizes = builder.getIndexAttr(size),
                 strides = builder.getIndexAttr(1);
    return tensor::ExtractSliceOp::create(builder, loc, value, offsets, sizes,
                                          strides);
  }

  Value slice(Location loc, Value value, const Part &part) {
    if (part.size == cast<RankedTensorType>(value.getType()).getNumElements())
      return value;
    return extract(loc, flatten(loc, value), part.offset, part.size);
  }

  /// Adds values inside the layer to its results.
  SmallVector<Value> handOut(LayerOp &layer, ArrayRef<Value> inside) {
    unsigned before = layer.getNumResults();
    LayerOp extended = extendLayer(layer, inside);
    for (Value &value : values)
      if (value.getDefiningOp() == layer)
        value = extended.getResult(cast<OpResult>(value).getResultNumber());
    for (auto &parts : sums)
      for (auto &[offset, value] : parts)
        if (value.getDefiningOp() == layer)
          value = extended.getResult(cast<OpResult>(value).getResultNumber());
    *llvm::find(pass.layers, layer) = extended;
    layer.erase();
    layer = extended;
    return llvm::to_vector_of<Value>(extended.getResults().drop_front(before));
  }

  BackwardPass &pass;
  OpBuilder builder;
  /// By gradient: its group, type and location, the user's attributes, its
  /// value before the sum, the uses of the sum, and the finished sums by
  /// offset.
  SmallVector<GroupAttrInterface> groups;
  SmallVector<RankedTensorType> types;
  SmallVector<Location> locs;
  SmallVector<DictionaryAttr> written;
  SmallVector<Value> values;
  SmallVector<SmallVector<OpOperand *>> uses;
  std::vector<SmallVector<std::pair<int64_t, Value>>> sums;
  /// By backward layer: the last all-reduce op after it.
  std::map<int64_t, Operation *> lastBehind;
};

} // namespace

void moe::orderByReadiness(BackwardPass &pass) {
  // Initially, all gradients of dense parts precede the others.
  SmallVector<std::tuple<int64_t, bool, size_t>> keys;
  for (auto [i, gradient] : llvm::enumerate(pass.gradients)) {
    AllReduceOp op = gradient.op;
    keys.push_back({-gradient.layer, !isa<LayerOp>(op->getParentOp()), i});
  }
  llvm::sort(keys);
  SmallVector<Gradient> ordered;
  for (auto [layer, isDense, i] : keys)
    ordered.push_back(pass.gradients[i]);
  pass.gradients = std::move(ordered);
}

bool moe::canShareAllReduce(const Gradient &a, const Gradient &b) {
  AllReduceOp first = a.op, second = b.op;
  return first.getGroup() == second.getGroup() &&
         getElementTypeOrSelf(first.getType()) ==
             getElementTypeOrSelf(second.getType());
}

int64_t moe::sendPieces(BackwardPass &pass, const GradientPlan &plan) {
  if (plan.bucket != 0)
    orderByReadiness(pass);
  Cutter cutter(pass);
  SmallVector<Bundle> bundles;
  for (const GradientBucket &piece : plan.pieces)
    for (const Part &part : cutter.cut(piece.from, piece.elements)) {
      auto *it = llvm::find_if(bundles, [&](const Bundle &bundle) {
        return plan.fuse && bundle.slot == piece.slot &&
               bundle.layer == piece.layer &&
               (plan.bucket == 0 || bundle.size < plan.bucket) &&
               canShareAllReduce(pass.gradients[bundle.parts.front().gradient],
                                 pass.gradients[part.gradient]);
      });
      if (it == bundles.end()) {
        bundles.push_back({piece.slot, piece.layer, {}});
        it = &bundles.back();
      }
      it->parts.push_back(part);
      it->size += part.size;
    }
  // A bucket is sent when its last gradient is available.
  if (plan.bucket != 0)
    llvm::sort(bundles, [](const Bundle &a, const Bundle &b) {
      const Part &last = a.parts.back(), &other = b.parts.back();
      return std::pair(last.gradient, last.offset) <
             std::pair(other.gradient, other.offset);
    });
  Sender sender(pass);
  for (const Bundle &bundle : bundles)
    sender.send(bundle);
  sender.finish();
  return bundles.size();
}
