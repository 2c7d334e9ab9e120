// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reuse of experts' products by the backward pass.

#include "moe/Dialect/MoE/KeepProducts.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/Shapes.h"
#include <map>

using namespace mlir;
using namespace moe;

static constexpr llvm::StringLiteral kRecompute = "recompute";

ExpertProducts moe::getExpertProducts(ModuleOp module) {
  auto attr = module
                  ? module->getAttrOfType<StringAttr>(kExpertProductsAttrName)
                  : StringAttr();
  return attr && attr.getValue() == kRecompute ? ExpertProducts::Recompute
                                               : ExpertProducts::Keep;
}

void moe::setExpertProducts(ModuleOp module, ExpertProducts products) {
  if (products == ExpertProducts::Keep)
    module->removeAttr(kExpertProductsAttrName);
  else
    module->setAttr(kExpertProductsAttrName,
                    StringAttr::get(module.getContext(), kRecompute));
}

/// Returns true if the op is part of a schedule for execution, so that its
/// operands determine its computation.
static bool isFinal(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  return op->getParentOfType<TaskOp>() &&
         !(module && module->hasAttr(kPartOfStepAttrName));
}

bool moe::multipliesAgain(ExpertsDgradOp op) {
  if (op.getKept())
    return false;
  return isFinal(op) || getExpertProducts(op->getParentOfType<ModuleOp>()) ==
                            ExpertProducts::Recompute;
}

bool moe::multipliesAgain(ExpertsWgradOp op) {
  return !op.getHanded() && isFinal(op);
}

//===----------------------------------------------------------------------===//
// Equality of values
//===----------------------------------------------------------------------===//

namespace {

/// Identity of a value that other ops may compute, too: a reshaped tensor, or
/// one piece of it along a dim.
struct RowOrigin {
  Value root;
  int64_t dim = -1, offset = 0, size = 0;
  /// The type of the tensor before cutting, because a reshape keeps the order
  /// of rows.
  Type whole;

  auto getKey() const {
    return std::tuple(root.getAsOpaquePointer(), dim, offset, size,
                      whole.getAsOpaquePointer());
  }
  bool operator<(const RowOrigin &other) const {
    return getKey() < other.getKey();
  }
};

/// The chunks of an assembled value.
struct RowChunks {
  int64_t dim;
  SmallVector<Value> values;
};

} // namespace

static Value stripReshapes(Value value) {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Returns the value that the defining task yields, or the value itself if no
/// task defines it.
static Value lookIntoTask(Value value) {
  auto result = dyn_cast<OpResult>(value);
  auto task = result ? dyn_cast<TaskOp>(result.getOwner()) : TaskOp();
  if (!task || result.getResultNumber() >= task.getValues().size())
    return value;
  return task.getBody().front().getTerminator()->getOperand(
      result.getResultNumber());
}

static std::optional<RowChunks> getChunks(Value value) {
  auto assemble = lookIntoTask(value).getDefiningOp<AssembleOp>();
  if (!assemble)
    return std::nullopt;
  return RowChunks{static_cast<int64_t>(assemble.getDim()),
                SmallVector<Value>(assemble.getOperands())};
}

static int64_t getSize(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

/// Returns the identity of `size` elements of a value along `dim`, starting at
/// `offset`.
static RowOrigin findRowPiece(Value whole, int64_t dim, int64_t offset,
                              int64_t size);

static RowOrigin findRowOrigin(Value value) {
  Value stripped = stripReshapes(value);
  auto slice = stripped.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride() ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return {stripped, -1, 0, 0, stripped.getType()};
  int64_t cut = -1;
  for (int64_t dim = 0; dim < slice.getType().getRank(); ++dim)
    if (ShapedType::isDynamic(slice.getStaticOffset(dim)) ||
        slice.getType().getDimSize(dim) !=
            slice.getSourceType().getDimSize(dim)) {
      if (cut >= 0 || ShapedType::isDynamic(slice.getStaticOffset(dim)))
        return {stripped, -1, 0, 0, stripped.getType()};
      cut = dim;
    }
  if (cut < 0)
    return findRowOrigin(slice.getSource());
  return findRowPiece(slice.getSource(), cut, slice.getStaticOffset(cut),
                      slice.getType().getDimSize(cut));
}

static RowOrigin findRowPiece(Value whole, int64_t dim, int64_t offset,
                              int64_t size) {
  Value root = stripReshapes(whole);
  if (std::optional<RowChunks> chunks = getChunks(root);
      chunks && root.getType() == whole.getType() && chunks->dim == dim) {
    int64_t begin = 0;
    for (Value chunk : chunks->values) {
      if (begin == offset && getSize(chunk, dim) == size)
        return findRowOrigin(chunk);
      begin += getSize(chunk, dim);
    }
  }
  return {root, dim, offset, size, whole.getType()};
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

namespace {

/// The operands and attributes of an experts op, except its rows.
using Network = std::vector<const void *>;

template <typename OpT> static Network getNetwork(OpT op) {
  Network network;
  for (Value weight : op.getExpertsWeights())
    network.push_back(stripReshapes(weight).getAsOpaquePointer());
  for (Value runs : {op.getRunOffsets(), op.getRunSizes()})
    network.push_back(runs ? stripReshapes(runs).getAsOpaquePointer()
                           : nullptr);
  network.push_back(reinterpret_cast<const void *>(
      static_cast<uintptr_t>(op.getKind())));
  network.push_back(op.getActivationAttr().getAsOpaquePointer());
  network.push_back(reinterpret_cast<const void *>(
      static_cast<uintptr_t>(op.getBiased())));
  return network;
}

using ForwardKey = std::pair<Network, RowOrigin>;
using BackwardKey = std::tuple<Network, RowOrigin, RowOrigin>;

/// The products that a gradient reads: from one op, assembled from several ops,
/// or a piece of one op's products.
struct ProductsRead {
  Operation *reader;
  SmallVector<Operation *> makers;
  /// The dim of the rows along which the products are assembled or cut; -1 for
  /// neither.
  int64_t dim = -1;
  /// The piece; size 0 selects all.
  int64_t offset = 0, size = 0;
  /// Types of all rows, and of the rows of each maker if they are cut.
  Type whole = {};
  SmallVector<Type> chunks = {};
};

/// Returns the type of intermediate results for rows of another shape.
static RankedTensorType withRows(RankedTensorType between, Type rows) {
  SmallVector<int64_t> shape{between.getDimSize(0)};
  llvm::append_range(shape,
                     cast<RankedTensorType>(rows).getShape().drop_back());
  shape.push_back(between.getShape().back());
  return RankedTensorType::get(shape, between.getElementType());
}

/// Returns the type of the products that an op keeps or hands on.
static RankedTensorType getMadeType(Operation *op) {
  auto get = [](auto op, int64_t parts) {
    return getBetweenType(tensorOf(op.getTokens()),
                          tensorOf(op.getExpertsWeights().front()), parts);
  };
  if (auto experts = dyn_cast<ExpertsOp>(op))
    return get(experts, countInnerProducts(experts.getKind()));
  auto dgrad = cast<ExpertsDgradOp>(op);
  return get(dgrad, countInnerProducts(dgrad.getKind()) + 1);
}

/// Returns true if a reshape only splits or only joins dims.
static bool canReshape(RankedTensorType from, RankedTensorType to) {
  return from == to || getReassociationIndicesForReshape(from, to);
}

static Value reshape(OpBuilder &builder, Location loc, Value value,
                     RankedTensorType to) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from == to)
    return value;
  SmallVector<ReassociationIndices> groups =
      *getReassociationIndicesForReshape(from, to);
  if (from.getRank() > to.getRank())
    return tensor::CollapseShapeOp::create(builder, loc, to, value, groups);
  return tensor::ExpandShapeOp::create(builder, loc, to, value, groups);
}

class ProductsJoiner {
public:
  ProductsJoiner(Block &block, ExpertProducts products,
                 llvm::function_ref<FlatSymbolRefAttr()> getCopyStream)
      : block(block), products(products), getCopyStream(getCopyStream) {}

  JoinedProducts run() {
    // All keys are collected first, because they refer to values that are
    // replaced afterwards.
    for (Operation &op : block) {
      auto task = dyn_cast<TaskOp>(op);
      if (!task)
        visit(&op);
      else
        for (Operation &nested : task.getBody().front())
          visit(&nested);
    }
    for (const ProductsRead &one : reads)
      carryOut(one);
    return joined;
  }

private:
  /// Ops are visited in order, so readers follow the op that they read.
  void visit(Operation *op) {
    if (auto experts = dyn_cast<ExpertsOp>(op))
      forward[{getNetwork(experts), findRowOrigin(experts.getTokens())}] = op;
    else if (auto dgrad = dyn_cast<ExpertsDgradOp>(op))
      visit(dgrad);
    else if (auto wgrad = dyn_cast<ExpertsWgradOp>(op))
      visit(wgrad);
  }

  void visit(ExpertsDgradOp op) {
    Network network = getNetwork(op);
    bool reads = products == ExpertProducts::Keep && !op.getKept() &&
                 findKept(op, network);
    ++(op.getKept() || reads ? joined.kept : joined.recomputed);
    backward[{network, findRowOrigin(op.getTokens()),
              findRowOrigin(op.getCotangent())}] = op;
  }

  bool findKept(ExpertsDgradOp op, const Network &network) {
    auto find = [&](const RowOrigin &origin) -> Operation * {
      auto it = forward.find({network, origin});
      return it == forward.end() ? nullptr : it->second;
    };
    Value tokens = op.getTokens();
    RowOrigin origin = findRowOrigin(tokens);
    if (Operation *maker = find(origin)) {
      reads.push_back({op, {maker}});
      return true;
    }
    if (!canCopy(op))
      return false;
    Value root = stripReshapes(tokens);
    if (std::optional<RowChunks> chunks = getChunks(root)) {
      ProductsRead read{op, {}, chunks->dim};
      read.whole = root.getType();
      llvm::append_range(read.chunks, ValueRange(chunks->values).getTypes());
      for (Value chunk : chunks->values)
        read.makers.push_back(find(findRowOrigin(chunk)));
      if (llvm::is_contained(read.makers, nullptr) || !canAssemble(read))
        return false;
      reads.push_back(std::move(read));
      return true;
    }
    auto slice = tokens.getDefiningOp<tensor::ExtractSliceOp>();
    if (origin.dim < 0 || !slice)
      return false;
    Operation *maker = find(findRowOrigin(slice.getSource()));
    if (maker &&
        cast<ExpertsOp>(maker).getTokens().getType() != slice.getSourceType())
      return false;
    if (maker)
      reads.push_back({op, {maker}, origin.dim, origin.offset, origin.size});
    return maker;
  }

  void visit(ExpertsWgradOp op) {
    bool reads = !op.getHanded() && findHanded(op);
    ++(op.getHanded() || reads ? joined.handed : joined.alone);
  }

  bool findHanded(ExpertsWgradOp op) {
    Network network = getNetwork(op);
    auto find = [&](const RowOrigin &x, const RowOrigin &dy) -> Operation * {
      auto it = backward.find({network, x, dy});
      return it == backward.end() ? nullptr : it->second;
    };
    Value tokens = op.getTokens(), cotangent = op.getCotangent();
    if (Operation *maker =
            find(findRowOrigin(tokens), findRowOrigin(cotangent))) {
      reads.push_back({op, {maker}});
      return true;
    }
    Value root = stripReshapes(cotangent), ofTokens = stripReshapes(tokens);
    std::optional<RowChunks> chunks = getChunks(root);
    if (!chunks || !canCopy(op))
      return false;
    // Both must be cut in the same shape: the one they were assembled in, or
    // their own.
    if (ofTokens.getType() != root.getType()) {
      if (tokens.getType() != root.getType())
        return false;
      ofTokens = tokens;
    }
    ProductsRead read{op, {}, chunks->dim};
    read.whole = root.getType();
    llvm::append_range(read.chunks, ValueRange(chunks->values).getTypes());
    int64_t offset = 0;
    for (Value chunk : chunks->values) {
      int64_t size = getSize(chunk, chunks->dim);
      read.makers.push_back(
          find(findRowPiece(ofTokens, chunks->dim, offset, size),
               findRowOrigin(chunk)));
      offset += size;
    }
    if (llvm::is_contained(read.makers, nullptr) || !canAssemble(read))
      return false;
    reads.push_back(std::move(read));
    return true;
  }

  /// Returns true if rows change shape only by splitting or joining dims, both
  /// between the ops and at the assembly.
  static bool canAssemble(const ProductsRead &read) {
    RankedTensorType made;
    for (auto [maker, chunk] : llvm::zip_equal(read.makers, read.chunks)) {
      made = getMadeType(maker);
      if (!canReshape(made, withRows(made, chunk)))
        return false;
    }
    return canReshape(withRows(made, read.whole),
                      withRows(made, read.reader->getOperand(0).getType()));
  }

  /// Returns true if intermediate results have chunks like their rows, and
  /// tasks can copy them.
  template <typename OpT> static bool canCopy(OpT op) {
    return !op.getRunSizes() && op->template getParentOfType<TaskOp>();
  }

  void carryOut(const ProductsRead &read) {
    SmallVector<Value> made;
    for (Operation *maker : read.makers)
      made.push_back(getMade(maker));
    Value value = made.front();
    if (read.dim >= 0)
      value = read.size ? cut(value, read) : assemble(made, read);
    if (auto dgrad = dyn_cast<ExpertsDgradOp>(current(read.reader)))
      dgrad.getKeptMutable().assign(value);
    else
      cast<ExpertsWgradOp>(read.reader).getHandedMutable().assign(value);
  }

  Operation *current(Operation *op) const {
    Operation *made = replaced.lookup(op);
    return made ? made : op;
  }

  /// Returns the products that an op keeps or hands on, visible to their
  /// readers.
  Value getMade(Operation *op) {
    if (Value value = outside.lookup(op))
      return value;
    Operation *now = op;
    if (now->getNumResults() == 1) {
      if (auto experts = dyn_cast<ExpertsOp>(op))
        now = addResult(experts, countInnerProducts(experts.getKind()));
      else if (auto dgrad = dyn_cast<ExpertsDgradOp>(op))
        now = addResult(dgrad, countInnerProducts(dgrad.getKind()) + 1);
      replaced[op] = now;
    }
    return outside[op] = handOut(now, now->getResult(1));
  }

  /// Adds a value to the results of its task, and returns that result; outside
  /// of tasks, returns the value itself.
  static Value handOut(Operation *op, Value value) {
    auto task = op->getParentOfType<TaskOp>();
    if (!task)
      return value;
    Block &body = task.getBody().front();
    Operation *yield = body.getTerminator();
    yield->insertOperands(yield->getNumOperands(), value);
    SmallVector<Type> types(task.getValues().getTypes());
    types.push_back(value.getType());
    OpBuilder builder(task);
    auto made = TaskOp::create(
        builder, task.getLoc(), types, task.getToken().getType(),
        task.getStreamAttr(), task.getNameAttr(), task.getChunkAttr(),
        task.getChunksAttr(), task.getLayerAttr(), task.getPhaseAttr(),
        task.getAfter());
    made->setDiscardableAttrs(task->getDiscardableAttrDictionary());
    made.getBody().takeBody(task.getBody());
    for (auto [before, after] :
         llvm::zip(task.getValues(), made.getValues().drop_back()))
      before.replaceAllUsesWith(after);
    task.getToken().replaceAllUsesWith(made.getToken());
    task.erase();
    return made.getValues().back();
  }

  /// Replaces an op by the same op with one more result of `parts` parts.
  template <typename OpT> static OpT addResult(OpT op, int64_t parts) {
    Type type =
        getBetweenType(tensorOf(op.getTokens()),
                       tensorOf(op.getExpertsWeights().front()), parts);
    OperationState state(op.getLoc(), op->getName(), op->getOperands(),
                         {op.getResult().getType(), type}, {});
    state.propertiesAttr = op->getPropertiesAsAttribute();
    OpBuilder builder(op);
    auto made = cast<OpT>(builder.create(state));
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op.getResult().replaceAllUsesWith(made.getResult());
    op.erase();
    return made;
  }

  /// Builds a task of copies that runs before the task of `user`.
  Value addCopy(Operation *user, StringRef what,
                llvm::function_ref<Value(OpBuilder &)> build) {
    auto task = user->getParentOfType<TaskOp>();
    Block body;
    OpBuilder builder(user->getContext());
    builder.setInsertionPointToStart(&body);
    Value made = build(builder);
    YieldOp::create(builder, user->getLoc(), made);
    builder.setInsertionPoint(task);
    auto copy = TaskOp::create(
        builder, user->getLoc(), made.getType(), task.getToken().getType(),
        getCopyStream(),
        builder.getStringAttr(what + "." + task.getName()),
        task.getChunkAttr(), task.getChunksAttr(), task.getLayerAttr(),
        task.getPhaseAttr(), /*after=*/ValueRange());
    copy->setDiscardableAttrs(task->getDiscardableAttrDictionary());
    Block &region = copy.getBody().emplaceBlock();
    region.getOperations().splice(region.end(), body.getOperations());
    return copy.getValues().front();
  }

  /// Assembles the intermediate results of all chunks.
  Value assemble(ArrayRef<Value> parts, const ProductsRead &read) {
    int64_t dim = read.dim + 1;
    Location loc = read.reader->getLoc();
    return addCopy(read.reader, "assemble", [&](OpBuilder &builder) -> Value {
      SmallVector<Value> shaped;
      for (auto [part, chunk] : llvm::zip_equal(parts, read.chunks))
        shaped.push_back(
            reshape(builder, loc, part,
                    withRows(cast<RankedTensorType>(part.getType()), chunk)));
      auto type = cast<RankedTensorType>(shaped.front().getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] = 0;
      for (Value part : shaped)
        shape[dim] += getSize(part, dim);
      Value whole = AssembleOp::create(
          builder, loc, RankedTensorType::get(shape, type.getElementType()),
          shaped, dim);
      return reshape(builder, loc, whole,
                     withRows(cast<RankedTensorType>(whole.getType()),
                              read.reader->getOperand(0).getType()));
    });
  }

  Value cut(Value whole, const ProductsRead &read) {
    int64_t dim = read.dim + 1;
    auto type = cast<RankedTensorType>(whole.getType());
    SmallVector<OpFoldResult> offsets, extents, strides;
    return addCopy(read.reader, "pack", [&](OpBuilder &builder) -> Value {
      for (int64_t extent : type.getShape()) {
        offsets.push_back(builder.getIndexAttr(0));
        extents.push_back(builder.getIndexAttr(extent));
        strides.push_back(builder.getIndexAttr(1));
      }
      offsets[dim] = builder.getIndexAttr(read.offset);
      extents[dim] = builder.getIndexAttr(read.size);
      return tensor::ExtractSliceOp::create(builder, read.reader->getLoc(),
                                            whole, offsets, extents, strides);
    });
  }

  Block &block;
  const ExpertProducts products;
  llvm::function_ref<FlatSymbolRefAttr()> getCopyStream;
  std::map<ForwardKey, Operation *> forward;
  std::map<BackwardKey, Operation *> backward;
  SmallVector<ProductsRead> reads;
  /// Ops that were replaced by ops with one more result.
  llvm::DenseMap<Operation *, Operation *> replaced;
  /// Products of visited ops, as values outside of their tasks.
  llvm::DenseMap<Operation *, Value> outside;
  JoinedProducts joined;
};

} // namespace

JoinedProducts
moe::joinProducts(Block &block, ExpertProducts products,
                  llvm::function_ref<FlatSymbolRefAttr()> getCopyStream) {
  return ProductsJoiner(block, products, getCopyStream).run();
}
