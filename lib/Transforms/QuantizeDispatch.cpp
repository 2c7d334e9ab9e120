// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends tokens to experts in 8 bits.

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/DebugStringHelper.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace moe {
#define GEN_PASS_DEF_QUANTIZEDISPATCH
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Returns the exchange that fills another part of the same init before this
/// exchange, with parts of the same rows; null if this exchange is the first.
static RaggedAllToAllOp getPartBefore(RaggedAllToAllOp exchange) {
  auto before = exchange.getInit().getDefiningOp<RaggedAllToAllOp>();
  return before && before->getOperand(0) == exchange->getOperand(0) ? before
                                                            : RaggedAllToAllOp();
}

/// Returns true if an exchange, together with the exchanges of other parts,
/// fills an empty tensor.
static bool fillsEmpty(RaggedAllToAllOp exchange) {
  while (RaggedAllToAllOp before = getPartBefore(exchange))
    exchange = before;
  return bool(exchange.getInit().getDefiningOp<tensor::EmptyOp>());
}

/// Returns true if a use passes rows on to the exchange of the next part.
static bool isForNextPart(OpOperand &use) {
  auto exchange = dyn_cast<RaggedAllToAllOp>(use.getOwner());
  return exchange && getPartBefore(exchange) && fillsEmpty(exchange) &&
         use.getOperandNumber() == exchange.getInitMutable().getOperandNumber();
}

/// Returns the same rows after the op of a use has moved them; null for a use
/// that reads the rows.
static Value getMoved(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto exchange = dyn_cast<RaggedAllToAllOp>(op))
    return use.getOperandNumber() == 0 && fillsEmpty(exchange)
               ? exchange.getResult()
               : Value();
  if (isa<AllGatherOp, DropOp>(op))
    return op->getResult(0);
  if (auto order = dyn_cast<PermuteRowsOp>(op))
    return use.getOperandNumber() == 0 ? order.getRows() : Value();
  return {};
}

namespace {

/// The path of rows that are sent.
struct Way {
  bool toExperts = false;
  int64_t exchanges = 0;
  /// The elements per row, or of the shortest part of a row if rows are cut.
  int64_t shortest = 0;
  bool isCut = false;
};

/// The same rows as values and scales.
struct Blocks {
  Value values, scales;
};

struct QuantizeDispatch
    : public moe::impl::QuantizeDispatchBase<QuantizeDispatch> {
  using QuantizeDispatchBase::QuantizeDispatchBase;

  void runOnOperation() override {
    if (block < 0) {
      emitError(getOperation()->getLoc())
          << "moe-quantize-dispatch: expected a block of at least one element, "
             "or 0 for whole rows, got "
          << block.number;
      return signalPassFailure();
    }
    SmallVector<PermuteRowsOp> orders;
    getOperation()->walk([&](PermuteRowsOp order) { orders.push_back(order); });
    for (PermuteRowsOp order : orders)
      if (!replaced.contains(order))
        runOn(order);
    for (Operation *op : llvm::reverse(replaced))
      erase(op);
    replaced.clear();
    sent.clear();
  }

private:
  static remark::RemarkOpts getOptions() {
    return remark::RemarkOpts::name("quantize")
        .category("moe-quantize-dispatch");
  }
  void runOn(PermuteRowsOp order);
  /// Follows rows through all ops that move them.
  static void follow(Value rows, Way &way);
  /// Clones an op that moves rows for other rows. The result is added to
  /// `parts`, if not null. If two clones are made for the same rows,
  /// `keepsSlots` selects the clone that replaces the slots.
  static Value move(Operation *op, Value from, Value parts, bool keepsSlots);
  /// Sends `blocks` instead of rows, from an op that moves them. Ops that read
  /// the rows get them dequantized.
  void send(OpOperand &use, Blocks blocks);
  static void erase(Operation *op) {
    SmallVector<Value> read(op->getOperands());
    op->erase();
    for (Value value : read)
      if (auto empty = value.getDefiningOp<tensor::EmptyOp>();
          empty && empty->use_empty())
        empty->erase();
  }

  int64_t blockSize = 0;
  llvm::SetVector<Operation *> replaced;
  /// The results of the exchanges that replace others.
  DenseMap<Operation *, Blocks> sent;
};

} // namespace

void QuantizeDispatch::follow(Value rows, Way &way) {
  for (OpOperand &use : rows.getUses()) {
    if (auto experts = dyn_cast<ExpertsOp>(use.getOwner()))
      way.toExperts |= experts.getTokens() == rows;
    if (Value moved = getMoved(use)) {
      way.exchanges += isa<RaggedAllToAllOp>(use.getOwner());
      int64_t before = cast<RankedTensorType>(rows.getType()).getDimSize(1),
              after = cast<RankedTensorType>(moved.getType()).getDimSize(1);
      way.isCut |= before != after;
      way.shortest = std::min({way.shortest, before, after});
      follow(moved, way);
    }
  }
}

Value QuantizeDispatch::move(Operation *op, Value from, Value parts,
                             bool keepsSlots) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  // The type with the number of rows of the original, and the length of the new
  // rows.
  auto withRows = [&](Value like) {
    auto type = cast<RankedTensorType>(from.getType());
    return type.clone({cast<RankedTensorType>(like.getType()).getDimSize(0),
                       type.getDimSize(1)});
  };
  // The type in which each dim changes by the same factor as in the original.
  auto withParts = [&] {
    auto type = cast<RankedTensorType>(from.getType());
    auto before = cast<RankedTensorType>(op->getOperand(0).getType());
    auto after = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> shape(type.getShape());
    for (auto [i, size] : llvm::enumerate(shape))
      if (before.getDimSize(i) != after.getDimSize(i))
        size = size * after.getDimSize(i) / before.getDimSize(i);
    return type.clone(shape);
  };
  Operation *copy;
  if (auto exchange = dyn_cast<RaggedAllToAllOp>(op)) {
    RankedTensorType type = withRows(exchange.getResult());
    Value into = parts ? parts
                       : tensor::EmptyOp::create(b, loc, type.getShape(),
                                                 type.getElementType());
    copy = RaggedAllToAllOp::create(
        b, loc, type, from, into, exchange.getSendOffsets(),
        exchange.getSendSizes(), exchange.getRecvOffsets(),
        exchange.getRecvSizes(), exchange.getGroup());
  } else if (auto gather = dyn_cast<AllGatherOp>(op)) {
    copy = AllGatherOp::create(b, loc, withParts(), from, gather.getGroup(),
                               gather.getDim());
  } else if (auto drop = dyn_cast<DropOp>(op)) {
    copy = DropOp::create(b, loc, withParts(), from, drop.getGroup(),
                          drop.getDim());
  } else {
    auto order = cast<PermuteRowsOp>(op);
    auto own = PermuteRowsOp::create(
        b, loc, withRows(order.getRows()), order.getSlots().getType(),
        order.getKind(), from, order.getIds(), order.getExperts());
    if (keepsSlots)
      order.getSlots().replaceAllUsesWith(own.getSlots());
    copy = own;
  }
  carryOver(op, copy);
  return copy->getResult(0);
}

void QuantizeDispatch::send(OpOperand &use, Blocks blocks) {
  Operation *op = use.getOwner();
  if (replaced.contains(op))
    return;
  Value rows = getMoved(use);
  Blocks parts;
  if (auto exchange = dyn_cast<RaggedAllToAllOp>(op))
    if (RaggedAllToAllOp before = getPartBefore(exchange)) {
      send(before->getOpOperand(0), blocks);
      parts = sent.lookup(before);
    }
  Blocks moved = {move(op, blocks.values, parts.values, /*keepsSlots=*/true),
                  move(op, blocks.scales, parts.scales, /*keepsSlots=*/false)};
  replaced.insert(op);
  sent[op] = moved;
  SmallVector<OpOperand *> uses, readers;
  for (OpOperand &next : rows.getUses())
    if (!isForNextPart(next))
      (getMoved(next) ? uses : readers).push_back(&next);
  for (OpOperand *next : uses)
    send(*next, moved);
  if (readers.empty())
    return;
  OpBuilder b(op->getContext());
  b.setInsertionPointAfterValue(moved.scales);
  Value whole = DequantizeOp::create(b, op->getLoc(), rows.getType(),
                                     moved.values, moved.scales, blockSize);
  for (OpOperand *reader : readers)
    reader->set(whole);
}

void QuantizeDispatch::runOn(PermuteRowsOp order) {
  Way way;
  auto type = cast<RankedTensorType>(order.getTokens().getType());
  way.shortest = type.getDimSize(1);
  follow(order.getRows(), way);
  // These may be weights, or tokens that are already sent in 8 bits.
  if (!way.toExperts || way.exchanges == 0)
    return;
  Type element = type.getElementType();
  std::string why;
  if (isa<Float8E4M3FNType>(element))
    return;
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    why = "expected tokens of f32, f16 or bf16";
  else if (way.shortest < 1)
    why = "expected rows of a static length";
  else if (order->getParentOfType<TaskOp>())
    why = "expected a layer that is not scheduled yet";
  if (!why.empty()) {
    moe::missed(order.getLoc(), getOptions())
        << remark::reason("{0}", why + ", got " + debugString(type));
    return;
  }
  int64_t hidden = type.getDimSize(1);
  blockSize = block == 0 ? hidden : std::min<int64_t>(block, hidden);
  // Each part of a row needs its own scales.
  if (way.isCut)
    blockSize = std::gcd(blockSize, way.shortest);
  int64_t perRow = llvm::divideCeilSigned(hidden, blockSize);
  OpBuilder b(order);
  auto quantize = QuantizeOp::create(
      b, order.getLoc(), type.clone(Float8E4M3FNType::get(type.getContext())),
      type.clone({type.getDimSize(0), perRow}).clone(b.getF32Type()),
      order.getTokens(), blockSize);
  moe::passed(order.getLoc(), getOptions())
      << remark::add("sends tokens as floats of 8 bits")
      << remark::metric("exchanges", way.exchanges)
      << remark::metric("block", blockSize)
      << remark::metric("row_bytes_before",
                        hidden * element.getIntOrFloatBitWidth() / 8)
      << remark::metric("row_bytes_after", hidden + 4 * perRow)
      << remark::metric("largest_error", "2^-4 of an element or 2^-10 of its "
                                         "block's scale");
  send(order->getOpOperand(0), {quantize.getValues(), quantize.getScales()});
}
