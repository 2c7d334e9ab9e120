// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of moe ops to StableHLO.

#include "StableHLO.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

using RankLists = SmallVector<SmallVector<int64_t>>;

namespace {

class Writer {
public:
  Writer(const ReadMesh &mesh) : mesh(mesh), b(MeshOp(mesh.op).getContext()) {}

  LogicalResult write(Operation *op) {
    this->op = op;
    b.setInsertionPoint(op);
    loc = op->getLoc();
    FailureOr<Value> made =
        llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
            .Case<AllToAllOp, AllGatherOp, ReduceScatterOp, AllReduceOp,
                  RaggedAllToAllOp>([&](auto op) { return collective(op); })
            .Case([&](CollectivePermuteOp op) { return permute(op); })
            .Case([&](DropOp op) { return drop(op); })
            .Case([&](TransposeOp op) -> FailureOr<Value> {
              return create("stablehlo.transpose", op.getOperand(),
                            {named("permutation", op.getPermutationAttr())});
            })
            .Case([&](AssembleOp op) -> FailureOr<Value> {
              return create(
                  "stablehlo.concatenate", op.getParts(),
                  {named("dimension", b.getI64IntegerAttr(op.getDim()))});
            })
            .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
                [&](auto op) -> FailureOr<Value> {
                  return create("stablehlo.reshape", op.getSrc(), {});
                })
            .Case([&](tensor::ExtractSliceOp op) { return slice(op); })
            .Case([&](tensor::InsertSliceOp op) { return insert(op); })
            .Case([&](tensor::CastOp op) -> FailureOr<Value> {
              if (op.getSource().getType() != op.getType())
                return refuse("a cast between shapes that are known");
              return Value(op.getSource());
            })
            .Case([&](tensor::EmptyOp op) -> FailureOr<Value> {
              // The contents are undefined, so zero is valid.
              return constant(b.getZeroAttr(op.getType()));
            })
            .Case([&](arith::ConstantOp op) -> FailureOr<Value> {
              auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
              return dense ? FailureOr<Value>(constant(dense))
                           : refuse("a constant tensor");
            })
            .Case<arith::AddFOp, arith::AddIOp>(
                [&](auto op) -> FailureOr<Value> {
                  if (!isa<RankedTensorType>(op.getType()))
                    return refuse("sums of tensors");
                  return create("stablehlo.add", op.getOperands(), {});
                })
            .Default([&](Operation *) {
              return refuse("an op that StableHLO has");
            });
    if (failed(made))
      return failure();
    if (Operation *to = made->getDefiningOp(); to && !isa<tensor::CastOp>(op)) {
      carryOver(op, to);
      for (StringRef name : {kGroupsAttr, kChannelAttr, kConfigAttr,
                             kReducerAttr, kReplicaIdsAttr})
        to->removeDiscardableAttr(name);
    }
    op->getResult(0).replaceAllUsesWith(*made);
    op->erase();
    return success();
  }

private:
  FailureOr<Value> refuse(StringRef expected) {
    return op->emitOpError()
           << "cannot be written as StableHLO: expected " << expected;
  }

  NamedAttribute named(StringRef name, Attribute value) {
    return b.getNamedAttr(name, value);
  }

  /// Creates an op with one result. Its type defaults to the type of the
  /// converted op.
  Value create(StringRef name, ValueRange operands,
               ArrayRef<NamedAttribute> properties, Type type = nullptr,
               bool hasRegion = false) {
    OperationState state(loc, name);
    state.addOperands(operands);
    state.addTypes(type ? type : op->getResult(0).getType());
    if (!properties.empty())
      state.propertiesAttr = b.getDictionaryAttr(properties);
    if (hasRegion)
      state.addRegion();
    return b.create(state)->getResult(0);
  }

  Value constant(Attribute value) {
    return create("stablehlo.constant", {}, {named("value", value)},
                  cast<TypedAttr>(value).getType());
  }

  Value number(int64_t value, Type element) {
    auto type = RankedTensorType::get({}, element);
    return constant(DenseElementsAttr::get(
        type, APInt(element.getIntOrFloatBitWidth(), value)));
  }

  //===--------------------------------------------------------------------===//
  // Collectives
  //===--------------------------------------------------------------------===//

  /// Returns the groups as an attribute: the original one if it still describes
  /// the same groups.
  FailureOr<Attribute> getGroups(GroupAttrInterface group, Attribute written) {
    FailureOr<RankLists> lists = group.getRankLists(op);
    if (failed(lists))
      return failure();
    if (GroupAttrInterface before =
            written ? readGroups(written, mesh) : nullptr) {
      FailureOr<RankLists> same = before.getRankLists(op);
      if (succeeded(same) && *same == *lists)
        return written;
    }
    SmallVector<int64_t> flat;
    for (ArrayRef<int64_t> list : *lists)
      llvm::append_range(flat, list);
    return Attribute(DenseIntElementsAttr::get(
        RankedTensorType::get(
            {int64_t(lists->size()), int64_t(lists->front().size())},
            b.getI64Type()),
        flat));
  }

  template <typename OpT> FailureOr<Value> collective(OpT op) {
    Attribute written = op->getAttr(kGroupsAttr);
    auto config = op->template getAttrOfType<DictionaryAttr>(kConfigAttr);
    if (config)
      written = config.get("replica_groups");
    FailureOr<Attribute> groups = getGroups(op.getGroup(), written);
    if (failed(groups))
      return refuse("groups that can be listed");
    return write(op, *groups, config);
  }

  /// Adds the original channel, or JAX's default, which means groups of
  /// partitions. Replicas have no channel unless the text has one.
  void addChannel(SmallVectorImpl<NamedAttribute> &attrs) {
    Attribute channel = op->getAttr(kChannelAttr);
    if (!channel && !mesh.isOfReplicas && !op->hasAttr(kReplicaIdsAttr))
      channel = OpaqueAttr::get(StringAttr::get(b.getContext(), "stablehlo"),
                                "channel_handle<handle = 1, type = 1>",
                                b.getNoneType());
    if (channel)
      attrs.push_back(named("channel_handle", channel));
  }

  /// Returns the attributes that all collectives have, together with `others`.
  SmallVector<NamedAttribute> getAttrs(Attribute groups, bool usesGlobalIds,
                                       ArrayRef<NamedAttribute> others) {
    SmallVector<NamedAttribute> attrs(others);
    addChannel(attrs);
    attrs.push_back(named("replica_groups", groups));
    if (usesGlobalIds && !mesh.isOfReplicas && !op->hasAttr(kReplicaIdsAttr))
      attrs.push_back(named("use_global_device_ids", b.getUnitAttr()));
    return attrs;
  }

  FailureOr<Value> write(AllToAllOp op, Attribute groups, DictionaryAttr) {
    FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
    if (failed(size))
      return refuse("groups of a known size");
    return create(
        "stablehlo.all_to_all", op.getOperand(),
        getAttrs(
            groups, false,
            {named("concat_dimension", b.getI64IntegerAttr(op.getConcatDim())),
             named("split_count", b.getI64IntegerAttr(*size)),
             named("split_dimension", b.getI64IntegerAttr(op.getSplitDim()))}));
  }
  FailureOr<Value> write(AllGatherOp op, Attribute groups, DictionaryAttr) {
    return create(
        "stablehlo.all_gather", op.getOperand(),
        getAttrs(groups, true,
                 {named("all_gather_dim", b.getI64IntegerAttr(op.getDim()))}));
  }
  FailureOr<Value> write(ReduceScatterOp op, Attribute groups, DictionaryAttr) {
    Value made = create("stablehlo.reduce_scatter", op.getOperand(),
                        getAttrs(groups, true,
                                 {named("scatter_dimension",
                                        b.getI64IntegerAttr(op.getDim()))}),
                        nullptr, /*hasRegion=*/true);
    reduce(made.getDefiningOp(), op.getReduction());
    return made;
  }
  FailureOr<Value> write(AllReduceOp op, Attribute groups, DictionaryAttr) {
    Value made = create("stablehlo.all_reduce", op.getOperand(),
                        getAttrs(groups, true, {}), nullptr,
                        /*hasRegion=*/true);
    reduce(made.getDefiningOp(), op.getReduction());
    return made;
  }

  FailureOr<Value> permute(CollectivePermuteOp op) {
    FailureOr<RankLists> lists = op.getGroup().getRankLists(op);
    if (failed(lists))
      return refuse("groups that can be listed");
    SmallVector<int64_t> flat;
    for (auto [from, to] : llvm::zip_equal(op.getFrom(), op.getTo()))
      for (ArrayRef<int64_t> list : *lists) {
        flat.push_back(list[from]);
        flat.push_back(list[to]);
      }
    auto type =
        RankedTensorType::get({int64_t(flat.size() / 2), 2}, b.getI64Type());
    SmallVector<NamedAttribute> attrs{
        named("source_target_pairs", DenseIntElementsAttr::get(type, flat))};
    addChannel(attrs);
    return create("stablehlo.collective_permute", op.getOperand(), attrs);
  }

  void reduce(Operation *made, Reduction reduction) {
    OpBuilder::InsertionGuard guard(b);
    auto type = RankedTensorType::get(
        {}, getElementTypeOrSelf(made->getOperand(0).getType()));
    Block *block =
        b.createBlock(&made->getRegion(0), {}, {type, type}, {loc, loc});
    StringRef name = "stablehlo.add";
    switch (reduction) {
    case Reduction::Sum:
      break;
    case Reduction::Prod:
      name = "stablehlo.multiply";
      break;
    case Reduction::Min:
      name = "stablehlo.minimum";
      break;
    case Reduction::Max:
      name = "stablehlo.maximum";
      break;
    }
    Value result = create(name, block->getArguments(), {}, type);
    if (auto attrs = op->getAttrOfType<DictionaryAttr>(kReducerAttr))
      result.getDefiningOp()->setDiscardableAttrs(attrs);
    OperationState back(loc, "stablehlo.return");
    back.addOperands(result);
    b.create(back);
  }

  FailureOr<Value> write(RaggedAllToAllOp op, Attribute groups,
                         DictionaryAttr config) {
    // The offsets of this rank's rows at each peer, which the peers know.
    auto known = op.getRecvOffsets().getDefiningOp<AllToAllOp>();
    Value sent =
        known && known.getGroup() == op.getGroup()
            ? known.getOperand()
            : AllToAllOp::create(b, loc, op.getRecvOffsets().getType(),
                                 op.getRecvOffsets(), op.getGroup(), 0, 0);
    if (config && config.get("replica_groups") != groups)
      config = nullptr;
    if (!config)
      config = b.getDictionaryAttr({named("channel_id", b.getI64IntegerAttr(1)),
                                    named("replica_groups", groups)});
    Value made = create(
        "stablehlo.custom_call",
        {op.getOperand(), op.getInit(), op.getSendOffsets(), op.getSendSizes(),
         sent, op.getRecvSizes()},
        {named("api_version", b.getI32IntegerAttr(4)),
         named("backend_config", config),
         named("call_target_name", b.getStringAttr("ragged_all_to_all"))});
    return made;
  }

  //===--------------------------------------------------------------------===//
  // Movement
  //===--------------------------------------------------------------------===//

  /// Returns this device's position in its group, as tensor<i32>.
  FailureOr<Value> getPlace(GroupAttrInterface group) {
    Type u32 = b.getIntegerType(32, /*isSigned=*/false), i32 = b.getI32Type();
    auto scalar = RankedTensorType::get({}, i32);
    auto unsignedScalar = RankedTensorType::get({}, u32);
    Value device = create("stablehlo.partition_id", {}, {}, unsignedScalar);
    std::optional<SmallVector<StringRef>> names = group.getAxisNames();
    if (!names) {
      // Looks up the position in a list by rank.
      FailureOr<RankLists> lists = group.getRankLists(op);
      if (failed(lists))
        return refuse("groups that can be listed");
      MeshOp meshOp = mesh.op;
      SmallVector<int32_t> places(meshOp.getNumRanks());
      for (ArrayRef<int64_t> list : *lists)
        for (auto [place, rank] : llvm::enumerate(list))
          places[rank] = place;
      auto listType = RankedTensorType::get({int64_t(places.size())}, i32);
      Value list = constant(DenseElementsAttr::get(listType, ArrayRef(places)));
      Value at = create("stablehlo.convert", device, {}, scalar);
      Value one = create("stablehlo.dynamic_slice", {list, at},
                         {named("slice_sizes", b.getDenseI64ArrayAttr({1}))},
                         RankedTensorType::get({1}, i32));
      return create("stablehlo.reshape", one, {}, scalar);
    }
    MeshOp meshOp = mesh.op;
    ArrayRef<int64_t> shape = meshOp.getShape();
    Value place;
    for (StringRef name : *names) {
      unsigned axis = *meshOp.getAxisIndex(name);
      int64_t stride = cost::getStride(shape, axis);
      Value along = create("stablehlo.divide", {device, number(stride, u32)},
                           {}, unsignedScalar);
      along = create("stablehlo.remainder", {along, number(shape[axis], u32)},
                     {}, unsignedScalar);
      along = create("stablehlo.convert", along, {}, scalar);
      if (place) {
        place = create("stablehlo.multiply", {place, number(shape[axis], i32)},
                       {}, scalar);
        along = create("stablehlo.add", {place, along}, {}, scalar);
      }
      place = along;
    }
    return place ? place : number(0, i32);
  }

  FailureOr<Value> drop(DropOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    if (!type.hasStaticShape())
      return refuse("a static shape");
    FailureOr<Value> place = getPlace(op.getGroup());
    if (failed(place))
      return failure();
    Type i32 = b.getI32Type();
    Value start = create("stablehlo.multiply",
                         {*place, number(type.getDimSize(op.getDim()), i32)},
                         {}, RankedTensorType::get({}, i32));
    SmallVector<Value> operands{op.getOperand()};
    Value zero = type.getRank() > 1 ? number(0, i32) : Value();
    for (int64_t d = 0; d < type.getRank(); ++d)
      operands.push_back(d == int64_t(op.getDim()) ? start : zero);
    return create(
        "stablehlo.dynamic_slice", operands,
        {named("slice_sizes", b.getDenseI64ArrayAttr(type.getShape()))});
  }

  FailureOr<Value> slice(tensor::ExtractSliceOp op) {
    if (ShapedType::isDynamicShape(op.getStaticOffsets()) ||
        ShapedType::isDynamicShape(op.getStaticSizes()) ||
        ShapedType::isDynamicShape(op.getStaticStrides()))
      return refuse("offsets, sizes and strides that are known");
    SmallVector<int64_t> limits;
    for (auto [offset, size, stride] : llvm::zip_equal(
             op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides()))
      limits.push_back(size == 0 ? offset : offset + (size - 1) * stride + 1);
    auto type = RankedTensorType::get(op.getStaticSizes(),
                                      op.getType().getElementType());
    Value made = create(
        "stablehlo.slice", op.getSource(),
        {named("limit_indices", b.getDenseI64ArrayAttr(limits)),
         named("start_indices", b.getDenseI64ArrayAttr(op.getStaticOffsets())),
         named("strides", b.getDenseI64ArrayAttr(op.getStaticStrides()))},
        type);
    return type == op.getType() ? made : create("stablehlo.reshape", made, {});
  }

  FailureOr<Value> insert(tensor::InsertSliceOp op) {
    if (ShapedType::isDynamicShape(op.getStaticOffsets()) ||
        ShapedType::isDynamicShape(op.getStaticSizes()) ||
        !llvm::all_of(op.getStaticStrides(), [](int64_t s) { return s == 1; }))
      return refuse("offsets and sizes that are known, without strides");
    auto whole = RankedTensorType::get(op.getStaticSizes(),
                                       op.getSourceType().getElementType());
    Value part = op.getSource();
    if (part.getType() != whole)
      part = create("stablehlo.reshape", part, {}, whole);
    SmallVector<Value> operands{op.getDest(), part};
    for (int64_t offset : op.getStaticOffsets())
      operands.push_back(number(offset, b.getI32Type()));
    return create("stablehlo.dynamic_update_slice", operands, {});
  }

  const ReadMesh &mesh;
  OpBuilder b;
  Operation *op = nullptr;
  Location loc = UnknownLoc::get(b.getContext());
};

} // namespace

LogicalResult moe::writeOps(Operation *function, const ReadMesh &mesh) {
  SmallVector<Operation *> ops;
  // Ragged exchanges must come first, because they inspect the origin of their
  // offsets.
  function->walk([&](RaggedAllToAllOp op) { ops.push_back(op); });
  llvm::SmallSetVector<Operation *, 4> offsets;
  for (Operation *op : ops)
    if (Operation *def = cast<RaggedAllToAllOp>(op)
                             .getRecvOffsets()
                             .getDefiningOp<AllToAllOp>())
      offsets.insert(def);
  Writer writer(mesh);
  for (Operation *op : ops)
    if (failed(writer.write(op)))
      return failure();
  for (Operation *op : offsets)
    if (op->use_empty())
      op->erase();
  ops.clear();
  function->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (llvm::is_contained({"moe", "tensor", "arith", "ocs", "scf", "linalg"},
                           dialect))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(writer.write(op)))
      return failure();
  return success();
}
