// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Analysis/RowProvenance.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "moe/Analysis/Replication.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

namespace {

/// The rows of one buffer. Two buffers hold rows of the same assignments at the
/// same places if their row numbers, their moves and their dims are equal.
struct Rows {
  /// A step that moves rows, with the previous `varied` and `kept`, and with
  /// the previous dims if it changes them.
  struct Move {
    Attribute step;
    uint64_t varied, kept;
    SmallVector<int64_t, 4> dims = {};
  };

  /// The row numbers from the permutation.
  Value slots;
  SmallVector<Move, 2> moves;
  /// Ranks have different assignments at the same place along the axes
  /// `varied`, and along the axes of `kept` that the row numbers vary over.
  uint64_t varied = 0, kept = ~uint64_t(0);
  /// The leading dims, which number rows, as dims of the result of the last
  /// reshape; transposes change their order. The remaining dims are columns.
  SmallVector<int64_t, 4> dims;

  int64_t getRowDims() const { return dims.size(); }
  void resetDims(int64_t rowDims) {
    dims = llvm::to_vector<4>(llvm::seq<int64_t>(0, rowDims));
  }
  bool isInOrder() const {
    return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
  }
  bool isSameAs(const Rows &other) const {
    return slots == other.slots && dims == other.dims &&
           llvm::equal(moves, other.moves, [](const Move &a, const Move &b) {
             return a.step == b.step && a.dims == b.dims;
           });
  }
};

class Follower {
public:
  Follower(Operation *root, DenseMap<Operation *, std::string> &reasons,
           DenseMap<Operation *, Operation *> &firstMixing)
      : root(root), axes(root), builder(root->getContext()), reasons(reasons),
        firstMixing(firstMixing) {
    int64_t meshes = 0;
    root->walk([&](MeshOp) { ++meshes; });
    isOneMesh = meshes == 1;
  }

  void visit(Operation *op);

private:
  const Rows *lookUp(Value value) const {
    auto it = rows.find(value);
    return it == rows.end() ? nullptr : &it->second;
  }
  void set(Value value, Rows known) { rows[value] = std::move(known); }
  void refuse(Operation *op, const Twine &why);
  void start(Value buffer, Value slots);
  /// Returns a key that is equal for equal row numbers: permutations of one
  /// kind by the same ids share the numbers of the first one.
  Value getKey(Value slots);
  void visitRows(Operation *op);
  void visitByDims(Operation *op);
  /// Returns the rows that were permuted into the rows with the numbers
  /// `slots`, or null for tokens. Refuses an op that also reads different rows
  /// as `value`.
  const Rows *checkPermuted(Operation *op, Value slots, Value value);
  /// Returns the rows that several operands have in common.
  const Rows *getCommon(Operation *op, ValueRange operands);
  void keep(Operation *op, const Rows &known) {
    Rows same = known;
    for (Value result : op->getResults())
      set(result, same);
  }
  Attribute getStep(StringRef name, ArrayRef<Attribute> parts) {
    SmallVector<Attribute> all{builder.getStringAttr(name)};
    llvm::append_range(all, parts);
    return builder.getArrayAttr(all);
  }
  Attribute getNumber(int64_t number) {
    return builder.getI64IntegerAttr(number);
  }
  /// Returns a number that identifies the origin of a value.
  Attribute getNumber(Value value) {
    Value origin = getLiveOut(value);
    return getNumber(numbers.try_emplace(origin, numbers.size()).first->second);
  }
  /// Applies `step`, or undoes the last step if it equals `inverse`. Undoing
  /// restores the previous variation.
  Rows move(Rows known, Attribute step, Attribute inverse, uint64_t varied = 0,
            uint64_t same = 0);
  /// Returns the axes of a group; nullopt if unknown.
  std::optional<uint64_t> getAxes(GroupAttrInterface group) const {
    return isOneMesh ? axes.getBits(group) : std::nullopt;
  }
  /// Refuses `op` and returns true if ranks of `group` have different
  /// assignments at the same place.
  bool refuseAcross(Operation *op, const Rows &known, GroupAttrInterface group);
  template <typename OpT> void visitGather(OpT op);

  Operation *root;
  MeshAxes axes;
  Builder builder;
  bool isOneMesh;
  std::unique_ptr<ReplicationInfo> replication;
  DenseMap<Value, Rows> rows;
  /// For row numbers of rows that were permuted again, the previous rows.
  DenseMap<Value, Rows> permuted;
  DenseMap<std::pair<Value, Attribute>, Value> keys;
  DenseMap<Value, int64_t> numbers;
  DenseMap<Operation *, std::string> &reasons;
  DenseMap<Operation *, Operation *> &firstMixing;
};

} // namespace

void Follower::refuse(Operation *op, const Twine &why) {
  if (!reasons.try_emplace(op, why.str()).second)
    return;
  for (Value operand : op->getOperands())
    if (const Rows *known = lookUp(operand))
      firstMixing.try_emplace(known->slots.getDefiningOp(), op);
}

Value Follower::getKey(Value slots) {
  slots = getLiveOut(slots);
  Operation *op = slots.getDefiningOp();
  if (!isa_and_nonnull<PermuteOp, PermuteRowsOp>(op))
    return slots;
  // The attributes that determine where rows are placed, apart from the ids:
  // the kind of the permutation, and the shape of a buffer with capacities.
  SmallVector<Attribute> parts{op->getPropertiesAsAttribute()};
  if (auto order = dyn_cast<PermuteOp>(op))
    parts.push_back(builder.getDenseI64ArrayAttr(
        cast<RankedTensorType>(order.getBuffer().getType())
            .getShape()
            .drop_back()));
  Attribute step = getStep(op->getName().getStringRef(), parts);
  return keys.try_emplace({getLiveOut(op->getOperand(1)), step}, slots)
      .first->second;
}

void Follower::start(Value buffer, Value slots) {
  auto type = dyn_cast<RankedTensorType>(buffer.getType());
  if (!type)
    return;
  Rows known;
  known.slots = getKey(slots);
  known.resetDims(type.getRank() - 1);
  set(buffer, std::move(known));
}

Rows Follower::move(Rows known, Attribute step, Attribute inverse,
                    uint64_t varied, uint64_t same) {
  if (!known.moves.empty() && known.moves.back().step == inverse) {
    Rows::Move last = known.moves.pop_back_val();
    known.varied = last.varied;
    known.kept = last.kept;
    return known;
  }
  known.moves.push_back({step, known.varied, known.kept});
  known.varied = (known.varied | varied) & ~same;
  known.kept &= ~same;
  return known;
}

bool Follower::refuseAcross(Operation *op, const Rows &known,
                            GroupAttrInterface group) {
  std::optional<uint64_t> bits = getAxes(group);
  if (!bits) {
    refuse(op, "which ranks hold the same tokens is known only for groups of "
               "mesh axes");
    return true;
  }
  uint64_t mixed = known.varied & *bits;
  if (!mixed && (known.kept & *bits)) {
    if (!replication) {
      auto computed = ReplicationInfo::computeWhenAsked(root);
      if (succeeded(computed))
        replication = std::move(*computed);
    }
    uint64_t varying =
        replication ? replication->getVarying(known.slots) : axes.all();
    mixed = varying & known.kept & *bits;
  }
  if (!mixed)
    return false;
  std::string names;
  for (StringRef name : axes.getNames(mixed))
    names += (names.empty() ? "\"" : "\", \"") + name.str();
  refuse(op, "ranks that differ in " + names +
                 "\" hold different tokens in the same row, because their "
                 "gates choose different experts");
  return true;
}

const Rows *Follower::getCommon(Operation *op, ValueRange operands) {
  const Rows *common = nullptr;
  for (Value operand : operands) {
    const Rows *known = lookUp(operand);
    if (!known) {
      refuse(op, "an operand is no buffer of the same rows");
      return nullptr;
    }
    if (common && !common->isSameAs(*known)) {
      refuse(op, "its operands hold different tokens in the same row");
      return nullptr;
    }
    common = known;
  }
  return common;
}

const Rows *Follower::checkPermuted(Operation *op, Value slots, Value value) {
  auto before = permuted.find(getKey(slots));
  const Rows *own = before == permuted.end() ? nullptr : &before->second;
  const Rows *known = lookUp(value);
  if (known ? !own || !own->isSameAs(*known) : own && !canRemake(value)) {
    refuse(op, "it reads other rows than were permuted");
    return nullptr;
  }
  return own;
}

template <typename OpT> void Follower::visitGather(OpT op) {
  const Rows *found = lookUp(op.getOperand());
  if (!found)
    return refuse(op, "an operand is no buffer of rows");
  Rows known = *found;
  GroupAttrInterface group = op.getGroup();
  int64_t dim = op.getDim();
  bool isColumn = dim >= known.getRowDims();
  Attribute place = isColumn ? Attribute() : getNumber(known.dims[dim]);
  bool gathers = isa<AllGatherOp>(op), slices = isa<DropOp>(op);
  // The op sums rows, or joins columns of one row from several ranks.
  if (!slices && (!gathers || isColumn) && refuseAcross(op, known, group))
    return;
  if (isColumn)
    return keep(op, known);
  uint64_t bits = getAxes(group).value_or(axes.all());
  Attribute there = getStep("gather", {Attribute(group), place});
  Attribute back = getStep("slice", {Attribute(group), place});
  keep(op, gathers ? move(known, there, back, 0, getAxes(group).value_or(0))
                   : move(known, back, there, bits, 0));
}

void Follower::visitByDims(Operation *op) {
  std::optional<DimMap> map = getDimMap(op);
  if (!map || !map->isPartwise || op->getNumRegions() > 1)
    return refuse(op, "nothing says that it treats rows one by one");
  SmallVector<Value> buffers;
  for (Value operand : op->getOperands())
    if (lookUp(operand))
      buffers.push_back(operand);
  const Rows *found = getCommon(op, buffers);
  if (!found)
    return;
  Rows known = *found;
  for (auto [r, result] : llvm::enumerate(op->getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || type.getRank() < known.getRowDims())
      return refuse(op, "its result has other rows");
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      for (int64_t dim = 0; dim < known.getRowDims(); ++dim) {
        std::optional<unsigned> from = map->getOperandDim(r, dim, i);
        if (!lookUp(operand)) {
          if (from && !canRemake(operand))
            return refuse(op, "operand " + Twine(i) +
                                  " goes by the number of the row");
          continue;
        }
        auto own = cast<RankedTensorType>(operand.getType());
        if (!from || *from != dim ||
            own.getDimSize(dim) != type.getDimSize(dim))
          return refuse(op, "it reads several rows at once");
      }
  }
  keep(op, known);
}

void Follower::visitRows(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return refuse(op, "it hands out rows by their numbers");
  auto isHome = [&](Value buffer, Value slots) {
    const Rows *known = lookUp(buffer);
    return known && known->moves.empty() && known->isInOrder() &&
           known->slots == getKey(slots);
  };
  TypeSwitch<Operation *>(op)
      // Rows that arrived at their node are permuted once more there.
      .Case<PermuteOp, PermuteRowsOp>([&](auto order) {
        if (const Rows *known =
                getCommon(op, {order.getTokens(), order.getIds()}))
          permuted[getKey(order.getSlots())] = *known;
      })
      .Case([&](ScatterOp scatter) {
        checkPermuted(op, scatter.getSlots(), scatter.getRows());
      })
      .Case<UnpermuteOp, UnpermuteWgradOp>([&](auto unpermute) {
        if (!isHome(unpermute.getBuffer(), unpermute.getSlots()))
          return refuse(op, "its row numbers are of a buffer elsewhere: rows "
                            "that were sent have to come back first");
        Value other = op->getOperand(isa<UnpermuteOp>(op) ? 2 : 0);
        if (const Rows *known = checkPermuted(op, unpermute.getSlots(), other))
          keep(op, Rows(*known));
      })
      .Case([&](AllToAllOp exchange) {
        Rows known = *lookUp(exchange.getOperand());
        int64_t concat = exchange.getConcatDim();
        auto place = [&](int64_t dim) {
          return getNumber(dim < known.getRowDims() ? known.dims[dim] : dim);
        };
        auto group = Attribute(exchange.getGroup());
        Attribute from = place(exchange.getSplitDim()), to = place(concat);
        Attribute step = getStep("all_to_all", {group, from, to});
        Attribute inverse = getStep("all_to_all", {group, to, from});
        Rows made = move(known, step, inverse,
                         getAxes(exchange.getGroup()).value_or(axes.all()));
        // The op joins columns of one row from several ranks, unless it undoes
        // a split.
        if (concat >= known.getRowDims() &&
            made.moves.size() > known.moves.size() &&
            refuseAcross(op, known, exchange.getGroup()))
          return;
        keep(op, made);
      })
      .Case([&](RaggedAllToAllOp exchange) {
        const Rows *known = lookUp(exchange.getOperand());
        if (!known)
          return refuse(op, "it writes into a buffer of rows");
        Attribute send[] = {getNumber(exchange.getSendOffsets()),
                            getNumber(exchange.getSendSizes())};
        Attribute recv[] = {getNumber(exchange.getRecvOffsets()),
                            getNumber(exchange.getRecvSizes())};
        auto group = Attribute(exchange.getGroup());
        auto there =
            getStep("ragged", {group, send[0], send[1], recv[0], recv[1]});
        auto back =
            getStep("ragged", {group, recv[0], recv[1], send[0], send[1]});
        keep(op, move(*known, there, back,
                      getAxes(exchange.getGroup()).value_or(axes.all())));
      })
      .Case<AllGatherOp, ReduceScatterOp, DropOp>(
          [&](auto moved) { visitGather(moved); })
      .Case([&](AllReduceOp reduce) {
        Rows known = *lookUp(reduce.getOperand());
        if (!refuseAcross(op, known, reduce.getGroup()))
          keep(op, known);
      })
      .Case([&](TransposeOp transpose) {
        Rows known = *lookUp(transpose.getOperand());
        ArrayRef<int64_t> there = transpose.getPermutation();
        for (int64_t dim = known.getRowDims(); dim < int64_t(there.size());
             ++dim)
          if (there[dim] < known.getRowDims())
            return refuse(op, "it makes columns of rows");
        Rows made = known;
        for (int64_t dim = 0; dim < known.getRowDims(); ++dim)
          made.dims[dim] = known.dims[there[dim]];
        keep(op, made);
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](auto reshape) {
        Rows known = *lookUp(reshape.getSrc());
        RankedTensorType from = reshape.getSrcType();
        RankedTensorType to = reshape.getResultType();
        int64_t columns = from.getRank() - known.getRowDims();
        if (!from.hasStaticShape() || !to.hasStaticShape() ||
            to.getRank() <= columns ||
            from.getShape().take_back(columns) !=
                to.getShape().take_back(columns))
          return refuse(op, "it joins or splits columns");
        Attribute there =
            getStep("reshape", {TypeAttr::get(from), TypeAttr::get(to)});
        Attribute back =
            getStep("reshape", {TypeAttr::get(to), TypeAttr::get(from)});
        bool undoes = known.isInOrder() && !known.moves.empty() &&
                      known.moves.back().step == back;
        SmallVector<int64_t, 4> before =
            undoes ? known.moves.back().dims : known.dims;
        Rows made = move(known, there, undoes ? back : Attribute());
        if (undoes) {
          made.dims = before;
        } else {
          made.moves.back().dims = before;
          made.resetDims(to.getRank() - columns);
        }
        keep(op, made);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        const Rows *known = lookUp(slice.getSource());
        if (!known ||
            slice.getType().getRank() != slice.getSourceType().getRank() ||
            ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
            ShapedType::isDynamicShape(slice.getStaticSizes()) ||
            !slice.hasUnitStride())
          return refuse(op, "which rows it takes is not known");
        if (slice.getStaticSizes().take_front(known->getRowDims()) ==
            slice.getSourceType().getShape().take_front(known->getRowDims()))
          return keep(op, *known);
        auto places = [&](ArrayRef<int64_t> all) {
          return builder.getDenseI64ArrayAttr(
              all.take_front(known->getRowDims()));
        };
        keep(op,
             move(*known,
                  getStep("rows", {places(slice.getStaticOffsets()),
                                   places(slice.getStaticSizes()),
                                   builder.getDenseI64ArrayAttr(known->dims)}),
                  Attribute()));
      })
      .Case([&](AssembleOp assemble) {
        const Rows *known = getCommon(op, assemble.getParts());
        if (!known)
          return;
        if (int64_t(assemble.getDim()) < known->getRowDims())
          return refuse(op, "it puts rows of several buffers one behind the "
                            "other");
        keep(op, *known);
      })
      .Case([&](ExpertsOp experts) {
        if (const Rows *known = getCommon(op, experts.getTokens()))
          keep(op, *known);
      })
      .Case([&](ExpertsDgradOp experts) {
        if (const Rows *known =
                getCommon(op, {experts.getTokens(), experts.getCotangent()}))
          keep(op, *known);
      })
      // The op sums over all rows, regardless of their numbers.
      .Case([&](ExpertsWgradOp experts) {
        getCommon(op, {experts.getTokens(), experts.getCotangent()});
      })
      .Case<HookOp, QuantizeOp>(
          [&](auto) { keep(op, *lookUp(op->getOperand(0))); })
      .Case([&](DequantizeOp) {
        if (const Rows *known = getCommon(op, op->getOperands()))
          keep(op, *known);
      })
      .Default([&](Operation *) { visitByDims(op); });
}

void Follower::visit(Operation *op) {
  bool reads = llvm::any_of(op->getOperands(),
                            [&](Value value) { return lookUp(value); });
  auto layer = dyn_cast_or_null<LayerOp>(op->getParentOp());
  if (layer && isa<YieldOp>(op)) {
    for (auto [value, result] :
         llvm::zip_equal(op->getOperands(), layer.getResults()))
      if (const Rows *known = lookUp(value))
        set(result, Rows(*known));
    return;
  }
  if (reads || isa<UnpermuteOp, UnpermuteWgradOp>(op))
    visitRows(op);
  if (auto order = dyn_cast<PermuteOp>(op))
    start(order.getBuffer(), order.getSlots());
  if (auto order = dyn_cast<PermuteRowsOp>(op))
    start(order.getRows(), order.getSlots());
  if (auto scatter = dyn_cast<ScatterOp>(op))
    start(scatter.getResult(), scatter.getSlots());
}

RowProvenance::RowProvenance(Operation *root) {
  Follower follower(root, reasons, firstMixing);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { follower.visit(op); });
}

StringRef RowProvenance::getReason(Operation *op) const {
  auto it = reasons.find(op);
  return it == reasons.end() ? StringRef() : StringRef(it->second);
}

std::string RowProvenance::explain(Operation *order) const {
  Operation *op = firstMixing.lookup(order);
  return op ? (op->getName().getStringRef() + ": " + getReason(op)).str()
            : std::string();
}
