// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of moe to PyTorch.

#include "Torch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

namespace {

/// Creates PyTorch ops, with all arguments of their schemas, before an op.
class TorchBuilder {
public:
  explicit TorchBuilder(Operation *op) : op(op), b(op), loc(op->getLoc()) {}

  Value create(StringRef name, ValueRange operands, Type type) {
    OperationState state(loc, name);
    state.addOperands(operands);
    state.addTypes(type);
    Operation *made = b.create(state);
    carryOver(op, made);
    // The new op is not the node itself.
    if (Attribute node = made->removeAttr(kTorchNodeAttr))
      made->setAttr(kTorchOriginAttr, node);
    return made->getResult(0);
  }

  /// The inverse of `getTorchConstant`.
  Value constant(Attribute value) {
    if (isa<UnitAttr>(value))
      return constant("none", nullptr);
    if (auto list = dyn_cast<ArrayAttr>(value)) {
      SmallVector<Value> items;
      for (Attribute item : list)
        items.push_back(constant(item));
      return this->list(items);
    }
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return constant(integer.getType().isInteger(1) ? "bool" : "int", value);
    return constant(isa<FloatAttr>(value) ? "float" : "str", value);
  }
  Value number(int64_t value) { return constant(b.getI64IntegerAttr(value)); }
  Value numbers(ArrayRef<int64_t> values) {
    return list(llvm::map_to_vector(
        values, [&](int64_t value) -> Value { return number(value); }));
  }
  Value list(ValueRange items) {
    StringRef of = "int";
    if (!items.empty()) {
      if (isa<RankedTensorType>(items.front().getType()))
        of = "vtensor";
      else if (auto type = dyn_cast<OpaqueType>(items.front().getType()))
        of = type.getTypeData();
    }
    OperationState state(loc, "torch.prim.ListConstruct");
    state.addOperands(items);
    state.addTypes(getType(("list<" + of + ">").str()));
    return b.create(state)->getResult(0);
  }

  Type getType(StringRef name) {
    return OpaqueType::get(b.getStringAttr("torch"), name);
  }

private:
  Value constant(StringRef kind, Attribute value) {
    OperationState state(loc, ("torch.constant." + kind).str());
    if (value)
      state.propertiesAttr =
          b.getDictionaryAttr(b.getNamedAttr("value", value));
    state.addTypes(getType(kind));
    return b.create(state)->getResult(0);
  }

  Operation *op;
  OpBuilder b;
  Location loc;
};

/// Writes one op after the other.
class TorchWriter {
public:
  explicit TorchWriter(Operation *op)
      : op(op), make(op),
        type(op->getNumResults() == 1
                 ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                 : RankedTensorType()) {}

  LogicalResult write() {
    if (!type)
      return refuse("an op of one tensor");
    FailureOr<Value> made =
        llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
            .Case<AllToAllOp, RaggedAllToAllOp, AllGatherOp, ReduceScatterOp,
                  AllReduceOp, DropOp>([&](auto op) -> FailureOr<Value> {
              if (failed(readGroup(op.getGroup())))
                return refuse("groups that can be listed");
              return write(op);
            })
            .Case([&](TransposeOp op) -> FailureOr<Value> {
              return permute(op.getOperand(), op.getPermutation());
            })
            .Case([&](AssembleOp op) -> FailureOr<Value> {
              return make.create(
                  "torch.aten.cat",
                  {make.list(op.getParts()), make.number(op.getDim())}, type);
            })
            .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
                [&](auto op) -> FailureOr<Value> {
                  if (!type.hasStaticShape())
                    return refuse(kKnownShape);
                  return reshape(op.getSrc(), type);
                })
            .Case([&](tensor::ExtractSliceOp op) { return slice(op); })
            .Case([&](tensor::CastOp op) -> FailureOr<Value> {
              // PyTorch has one type for all sizes.
              return Value(op.getSource());
            })
            .Case<arith::AddFOp, arith::AddIOp>(
                [&](auto op) -> FailureOr<Value> {
                  return make.create("torch.aten.add.Tensor",
                                     {op.getLhs(), op.getRhs(), make.number(1)},
                                     type);
                })
            .Case([&](arith::DivFOp op) { return divide(op); })
            .Default(
                [&](Operation *) { return refuse("an op that PyTorch has"); });
    if (failed(made))
      return failure();
    op->getResult(0).replaceAllUsesWith(*made);
    op->erase();
    return success();
  }

private:
  static constexpr StringLiteral kKnownShape = "a tensor of a known shape";

  FailureOr<Value> refuse(StringRef expected) {
    return op->emitOpError()
           << "cannot be written for PyTorch: expected " << expected;
  }

  RankedTensorType withShape(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, type.getElementType());
  }
  Value reshape(Value x, RankedTensorType to) {
    if (x.getType() == to)
      return x;
    return make.create("torch.aten.reshape", {x, make.numbers(to.getShape())},
                       to);
  }
  Value permute(Value x, ArrayRef<int64_t> order) {
    auto from = cast<RankedTensorType>(x.getType());
    SmallVector<int64_t> shape;
    for (int64_t dim : order)
      shape.push_back(from.getDimSize(dim));
    return make.create("torch.aten.permute", {x, make.numbers(order)},
                       withShape(shape));
  }

  //===--------------------------------------------------------------------===//
  // Collectives: PyTorch splits and concatenates dim 0
  //===--------------------------------------------------------------------===//

  LogicalResult readGroup(GroupAttrInterface group) {
    FailureOr<SmallVector<SmallVector<int64_t>>> lists = group.getRankLists(op);
    if (failed(lists))
      return failure();
    size = lists->front().size();
    llvm::raw_string_ostream os(groupName);
    os << '[';
    llvm::interleave(
        *lists, os,
        [&](ArrayRef<int64_t> list) {
          os << '[';
          llvm::interleave(list, os, ",");
          os << ']';
        },
        ",");
    os << ']';
    return success();
  }
  Value getGroup() {
    return make.constant(StringAttr::get(op->getContext(), groupName));
  }

  Value launch(StringRef name, SmallVector<Value> operands, Type to) {
    operands.push_back(getGroup());
    Value launched =
        make.create(("torch._c10d_functional." + name).str(), operands, to);
    return make.create("torch._c10d_functional.wait_tensor", launched, to);
  }

  /// Splits `dim` into one piece per rank and stacks the pieces along dim 0.
  Value toRows(Value x, int64_t dim) {
    auto from = cast<RankedTensorType>(x.getType());
    if (dim == 0)
      return x;
    SmallVector<int64_t> rows(from.getShape());
    rows[dim] /= size;
    if (!from.hasStaticShape()) {
      // A reshape would need the product of a size that is computed.
      SmallVector<Value> pieces;
      for (int64_t i = 0; i < size; ++i)
        pieces.push_back(
            slice(x, dim, i * rows[dim], (i + 1) * rows[dim], /*stride=*/1));
      if (!from.isDynamicDim(0))
        rows[0] *= size;
      return make.create("torch.aten.cat", {make.list(pieces), make.number(0)},
                         withShape(rows));
    }
    SmallVector<int64_t> cut(from.getShape()), order{dim};
    cut[dim] /= size;
    cut.insert(cut.begin() + dim, size);
    for (int64_t d = 0; d < int64_t(cut.size()); ++d)
      if (d != dim)
        order.push_back(d);
    rows[0] *= size;
    return reshape(permute(reshape(x, withShape(cut)), order), withShape(rows));
  }
  /// The inverse: concatenates the pieces of dim 0, of type `from`, along
  /// `dim`. `piece` has the sizes that the type does not know.
  Value fromRows(Value x, RankedTensorType from, int64_t dim,
                 Value piece = nullptr) {
    if (dim == 0)
      return x;
    SmallVector<int64_t> cut(from.getShape()), order, joined(from.getShape());
    cut.insert(cut.begin(), size);
    for (int64_t d = 1; d <= dim; ++d)
      order.push_back(d);
    order.push_back(0);
    for (int64_t d = dim + 1; d < int64_t(cut.size()); ++d)
      order.push_back(d);
    joined[dim] *= size;
    if (from.hasStaticShape())
      return reshape(permute(reshape(x, withShape(cut)), order),
                     withShape(joined));
    SmallVector<Value> sizes;
    for (int64_t d = 0; d < from.getRank(); ++d)
      sizes.push_back(from.isDynamicDim(d)
                          ? make.create("torch.aten.sym_size.int",
                                        {piece, make.number(d)},
                                        make.getType("int"))
                          : make.number(from.getDimSize(d)));
    SmallVector<Value> joinedSizes(sizes);
    joinedSizes[dim] = make.number(joined[dim]);
    sizes.insert(sizes.begin(), make.number(size));
    Value pieces = make.create("torch.aten.reshape", {x, make.list(sizes)},
                               withShape(cut));
    return make.create("torch.aten.reshape",
                       {permute(pieces, order), make.list(joinedSizes)},
                       withShape(joined));
  }
  Value slice(Value x, int64_t dim, int64_t start, int64_t end,
              int64_t stride) {
    SmallVector<int64_t> shape(cast<RankedTensorType>(x.getType()).getShape());
    shape[dim] = llvm::divideCeil(end - start, stride);
    return make.create("torch.aten.slice.Tensor",
                       {x, make.number(dim), make.number(start),
                        make.number(end), make.number(stride)},
                       withShape(shape));
  }
  static bool isDynamic(Value x, int64_t dim) {
    return cast<RankedTensorType>(x.getType()).isDynamicDim(dim);
  }

  FailureOr<Value> write(AllToAllOp op) {
    bool isAlongRows = op.getSplitDim() == 0 && op.getConcatDim() == 0;
    if (isDynamic(op.getOperand(), 0) ||
        (!isAlongRows &&
         !cast<RankedTensorType>(op.getOperand().getType()).hasStaticShape()))
      return refuse(kKnownShape);
    Value rows = toRows(op.getOperand(), op.getSplitDim());
    auto from = cast<RankedTensorType>(rows.getType());
    SmallVector<int64_t> splits(size, from.getDimSize(0) / size);
    Value received =
        launch("all_to_all_single",
               {rows, make.numbers(splits), make.numbers(splits)}, from);
    SmallVector<int64_t> piece(from.getShape());
    piece[0] /= size;
    return fromRows(received, withShape(piece), op.getConcatDim());
  }

  /// Returns the sizes of consecutive runs of rows; nullopt for other offsets
  /// and sizes.
  static std::optional<SmallVector<Value>> getSplits(Value offsets,
                                                     Value sizes) {
    Operation *runs = offsets.getDefiningOp(), *list = sizes.getDefiningOp();
    if (!runs || !list || getTorchName(runs) != kTorchOffsets ||
        runs->getNumOperands() != 1 || runs->getOperand(0) != sizes ||
        getTorchName(list) != kTorchSizes)
      return std::nullopt;
    return llvm::to_vector(list->getOperands());
  }
  FailureOr<Value> write(RaggedAllToAllOp op) {
    auto sent = getSplits(op.getSendOffsets(), op.getSendSizes());
    auto received = getSplits(op.getRecvOffsets(), op.getRecvSizes());
    // All rows of the result are written.
    auto init = op.getInit().getDefiningOp<tensor::EmptyOp>();
    Operation *rows = init && init.getType().isDynamicDim(0)
                          ? init.getDynamicSizes().front().getDefiningOp()
                          : nullptr;
    if (!sent || !received || !rows || getTorchName(rows) != kTorchRows ||
        rows->getNumOperands() != 1 || rows->getOperand(0) != op.getRecvSizes())
      return refuse("the sizes, offsets and rows of splits, as "
                    "convert-torch-to-moe creates them");
    return launch("all_to_all_single",
                  {op.getOperand(), make.list(*received), make.list(*sent)},
                  type);
  }
  FailureOr<Value> write(AllGatherOp op) {
    auto from = cast<RankedTensorType>(op.getOperand().getType());
    if (from.isDynamicDim(op.getDim()) && op.getDim() != 0)
      return refuse("a dim of a known size");
    // Only the result may know the number of rows.
    SmallVector<int64_t> shape(
        (op.getDim() == 0 ? cast<RankedTensorType>(op.getType()) : from)
            .getShape());
    if (op.getDim() != 0 && !from.isDynamicDim(0))
      shape[0] *= size;
    Value gathered =
        launch("all_gather_into_tensor", {op.getOperand(), make.number(size)},
               withShape(shape));
    return fromRows(gathered, from, op.getDim(), op.getOperand());
  }
  FailureOr<Value> write(ReduceScatterOp op) {
    if (isDynamic(op.getOperand(), op.getDim()) && op.getDim() != 0)
      return refuse("a dim of a known size");
    return launch("reduce_scatter_tensor",
                  {toRows(op.getOperand(), op.getDim()),
                   getReduction(op.getReduction()), make.number(size)},
                  type);
  }
  FailureOr<Value> write(AllReduceOp op) {
    return launch("all_reduce",
                  {op.getOperand(), getReduction(op.getReduction())}, type);
  }
  Value getReduction(Reduction reduction) {
    StringRef name = reduction == Reduction::Prod
                         ? "product"
                         : stringifyReduction(reduction);
    return make.constant(StringAttr::get(op->getContext(), name));
  }

  /// Keeps the text equal on all ranks: only the slice's offset depends on the
  /// rank.
  FailureOr<Value> write(DropOp op) {
    if (isDynamic(op.getOperand(), op.getDim()))
      return refuse("a dim of a known size");
    return make.create(kTorchDrop,
                       {op.getOperand(), make.number(op.getDim()), getGroup()},
                       type);
  }

  //===--------------------------------------------------------------------===//
  // Others
  //===--------------------------------------------------------------------===//

  FailureOr<Value> slice(tensor::ExtractSliceOp op) {
    if (ShapedType::isDynamicShape(op.getStaticOffsets()) ||
        ShapedType::isDynamicShape(op.getStaticSizes()) ||
        ShapedType::isDynamicShape(op.getStaticStrides()))
      return refuse("offsets, sizes and strides that are known");
    if (!op.getSourceType().hasStaticShape())
      return refuse(kKnownShape);
    Value x = op.getSource();
    for (auto [dim, offset, size, stride] :
         llvm::enumerate(op.getStaticOffsets(), op.getStaticSizes(),
                         op.getStaticStrides())) {
      auto from = cast<RankedTensorType>(x.getType());
      if (offset == 0 && size == from.getDimSize(dim) && stride == 1)
        continue;
      int64_t end = size == 0 ? offset : offset + (size - 1) * stride + 1;
      x = slice(x, dim, offset, end, stride);
    }
    // The slice may remove dims of size 1.
    return reshape(x, type);
  }

  FailureOr<Value> divide(arith::DivFOp op) {
    FloatAttr by;
    SplatElementsAttr all;
    if (!matchPattern(op.getRhs(), m_Constant(&all)))
      return refuse("a division by one number");
    by = all.getSplatValue<FloatAttr>();
    Builder b(op.getContext());
    return make.create(
        "torch.aten.div.Scalar",
        {op.getLhs(), make.constant(b.getF64FloatAttr(by.getValueAsDouble()))},
        type);
  }

  Operation *op;
  TorchBuilder make;
  RankedTensorType type;
  int64_t size = 0;
  std::string groupName;
};

} // namespace

/// The sizes of a view, or the dim that it adds or removes, derived from its
/// types: the reader removed these constants.
static SmallVector<Value> getViewArguments(Operation *op, TorchBuilder &make) {
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  StringRef name = op->getName().getStringRef();
  name.consume_front("torch.aten.");
  if (name == "expand")
    return {make.numbers(to.getShape()),
            make.constant(Builder(op->getContext()).getBoolAttr(false))};
  if (!name.starts_with("squeeze") && !name.starts_with("unsqueeze"))
    return {make.numbers(to.getShape())};
  if (!from)
    return {};
  // Adjacent dims of size 1 are interchangeable.
  bool adds = name.starts_with("unsqueeze");
  ArrayRef<int64_t> less = (adds ? from : to).getShape(),
                    more = (adds ? to : from).getShape();
  SmallVector<int64_t> dims;
  for (int64_t d = 0, next = 0; d < int64_t(more.size()); ++d) {
    if (next < int64_t(less.size()) && more[d] == less[next] &&
        (more[d] != 1 || more.size() - d <= less.size() - next))
      ++next;
    else
      dims.push_back(d);
  }
  if (name == "squeeze")
    return {};
  if (name == "squeeze.dims")
    return {make.numbers(dims)};
  return {make.number(dims.empty() ? 0 : dims.front())};
}

/// The inverse of `foldConstants`.
static void restoreConstants(Operation *op) {
  TorchBuilder make(op);
  auto to = op->getNumResults() == 1
                ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                : RankedTensorType();
  if (op->hasAttr(kTorchConstantsAttr)) {
    TorchArguments arguments(op);
    SmallVector<Value> operands;
    for (unsigned i = 0; i < arguments.size(); ++i) {
      std::optional<unsigned> operand = arguments.getOperand(i);
      operands.push_back(operand ? op->getOperand(*operand)
                                 : make.constant(arguments.getConstant(i)));
    }
    op->removeAttr(kTorchConstantsAttr);
    op->setOperands(operands);
  } else if (isTorchReshape(op) && op->getNumOperands() == 1 && to &&
             to.hasStaticShape()) {
    SmallVector<Value> operands{op->getOperand(0)};
    llvm::append_range(operands, getViewArguments(op, make));
    op->setOperands(operands);
  }
}

/// Returns true if an op only states the rows of ragged exchanges.
static bool isOfSplits(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return isa<tensor::EmptyOp, tensor::DimOp>(op) || name == kTorchSizes ||
         name == kTorchOffsets || name == kTorchRows;
}

/// Gives a function the types of the values that it returns, which know other
/// sizes without casts.
static LogicalResult retypeResults(func::FuncOp function) {
  for (Block &block : function.getBody()) {
    auto end = dyn_cast<func::ReturnOp>(block.getTerminator());
    if (!end || llvm::equal(end.getOperandTypes(), function.getResultTypes()))
      continue;
    if (!function.getBody().hasOneBlock() ||
        !SymbolTable::symbolKnownUseEmpty(function, function->getParentOp()))
      return function.emitOpError()
             << "cannot be written for PyTorch: expected a function of one "
                "block without calls, as it returns a cast";
    function.setType(FunctionType::get(function.getContext(),
                                       function.getArgumentTypes(),
                                       llvm::to_vector(end.getOperandTypes())));
  }
  return success();
}

LogicalResult moe::writeTorchOps(func::FuncOp function) {
  SmallVector<Operation *> ops, functions, constants, splits, casts;
  function->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (isa<arith::ConstantOp>(op))
      constants.push_back(op);
    else if (isa<tensor::CastOp>(op))
      casts.push_back(op);
    else if (isOfSplits(op))
      splits.push_back(op);
    else if (llvm::is_contained(
                 {"moe", "tensor", "arith", "ocs", "scf", "linalg"}, dialect))
      ops.push_back(op);
    if (dialect == "torch" && op->getNumResults() != 0)
      functions.push_back(op);
  });
  for (Operation *op : functions) {
    restoreConstants(op);
    std::string name = getTorchNameWithoutFacts(op);
    if (name != getTorchName(op))
      renameTorchOp(op, name);
  }
  for (Operation *op : ops)
    if (failed(TorchWriter(op).write()))
      return failure();
  // Casts last: the other ops read the sizes that their types know.
  for (Operation *op : casts)
    if (failed(TorchWriter(op).write()))
      return failure();
  if (failed(retypeResults(function)))
    return failure();
  for (Operation *op : llvm::reverse(splits)) {
    if (!op->use_empty())
      return op->emitOpError() << "cannot be written for PyTorch: expected an "
                                  "op that only ragged exchanges read";
    op->erase();
  }
  for (Operation *op : constants) {
    if (!op->use_empty())
      return op->emitOpError() << "cannot be written for PyTorch: expected a "
                                  "constant that a division reads";
    op->erase();
  }
  return success();
}
