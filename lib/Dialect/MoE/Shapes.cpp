// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape checks shared by the ops.

#include "moe/Dialect/MoE/Shapes.h"
#include "moe/Cost/MeshShape.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

bool moe::areCompatible(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

bool moe::areCompatible(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip_equal(a, b), [](auto sizes) {
           return areCompatible(std::get<0>(sizes), std::get<1>(sizes));
         });
}

bool moe::isPermutation(ArrayRef<int64_t> values) {
  llvm::SmallBitVector seen(values.size());
  for (int64_t value : values) {
    if (value < 0 || value >= static_cast<int64_t>(values.size()) ||
        seen.test(value))
      return false;
    seen.set(value);
  }
  return true;
}

RankedTensorType moe::permuteType(RankedTensorType type,
                                  ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

Type moe::withChunkSize(Type type, int64_t size) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  llvm::replace(shape, ShapedType::kDynamic, size);
  return RankedTensorType::get(shape, tensor.getElementType(),
                               tensor.getEncoding());
}

LogicalResult moe::verifyType(Operation *op, RankedTensorType expected,
                              Type actual) {
  auto type = dyn_cast<RankedTensorType>(actual);
  if (type && type.getElementType() == expected.getElementType() &&
      type.getEncoding() == expected.getEncoding() &&
      areCompatible(type.getShape(), expected.getShape()))
    return success();
  return op->emitOpError() << "expected result type " << expected << ", got "
                           << actual;
}

LogicalResult moe::verifyDim(Operation *op, RankedTensorType type, int64_t dim,
                             StringRef name) {
  if (dim >= 0 && dim < type.getRank())
    return success();
  return op->emitOpError() << "expected " << name << " in [0, "
                           << type.getRank() << "), got " << dim;
}

FailureOr<int64_t> moe::verifyGroup(Operation *op, GroupAttrInterface group) {
  if (failed(group.verifyInModule(op)))
    return failure();
  FailureOr<int64_t> size = group.getGroupSize(op);
  if (failed(size))
    return op->emitOpError()
           << "expected a group that resolves, got " << Attribute(group);
  if (*size < 1)
    return op->emitOpError()
           << "expected a group of at least one rank, got " << *size;
  return *size;
}

LogicalResult moe::verifyScattered(Operation *op, Value operand, Value result,
                                   int64_t dim, GroupAttrInterface group) {
  auto type = cast<RankedTensorType>(operand.getType());
  FailureOr<int64_t> size = verifyGroup(op, group);
  if (failed(size))
    return failure();
  FailureOr<RankedTensorType> expected = inferScatteredType(type, dim, *size);
  if (failed(expected))
    return op->emitOpError()
           << "expected dim " << dim << " to divide by the " << *size
           << " ranks of the group, got " << type.getDimSize(dim);
  return verifyType(op, *expected, result.getType());
}

OpFoldResult moe::foldTo(Operation *op, Value value) {
  return value.getDefiningOp() == op ? OpFoldResult() : value;
}

LogicalResult moe::verifyJoined(Operation *op, Type result, int64_t dim,
                                int64_t size) {
  int64_t joined = cast<RankedTensorType>(result).getDimSize(dim);
  if (ShapedType::isDynamic(joined) || joined % size == 0)
    return success();
  return op->emitOpError() << "expected dim " << dim
                           << " of the result to be a multiple of the " << size
                           << " ranks of the group, got " << joined;
}

bool moe::isOneRank(Operation *op, GroupAttrInterface group, Value operand,
                    Value result) {
  if (operand.getType() != result.getType())
    return false;
  FailureOr<int64_t> size = group.getGroupSize(op);
  return succeeded(size) && *size == 1;
}

std::optional<GroupAttr> moe::asMeshAxes(Operation *from,
                                         GroupAttrInterface group) {
  MeshOp mesh = MeshOp::lookup(from);
  FailureOr<SmallVector<SmallVector<int64_t>>> lists = group.getRankLists(from);
  if (!mesh || failed(lists) || lists->empty())
    return std::nullopt;
  // Groups are compared as sets of lists, because their order does not matter.
  auto sorted = [](SmallVector<SmallVector<int64_t>> groups) {
    llvm::sort(groups);
    return groups;
  };
  SmallVector<SmallVector<int64_t>> wanted = sorted(*lists);
  int64_t size = wanted.front().size();

  // The group with rank 0 determines the axes and their order: its member at
  // position 1 is one step along the fastest axis, and so on outward.
  SmallVector<unsigned> candidates;
  for (unsigned i = 0; i < mesh.getShape().size(); ++i)
    if (mesh.getShape()[i] > 1)
      candidates.push_back(i);
  auto meshName = FlatSymbolRefAttr::get(mesh.getSymNameAttr());
  std::vector<int64_t> strides = cost::getStrides(mesh.getShape());

  const SmallVector<int64_t> *first = nullptr;
  for (const SmallVector<int64_t> &list : wanted)
    if (list.front() == 0)
      first = &list;
  if (!first)
    return std::nullopt;
  SmallVector<StringRef> axes; // Fastest first while searching.
  int64_t covered = 1;
  while (covered < size) {
    int64_t step = (*first)[covered];
    auto it = llvm::find_if(
        candidates, [&](unsigned axis) { return strides[axis] == step; });
    if (it == candidates.end() || size % (covered * mesh.getShape()[*it]) != 0)
      return std::nullopt;
    axes.push_back(mesh.getAxisName(*it));
    covered *= mesh.getShape()[*it];
    candidates.erase(it);
  }
  std::reverse(axes.begin(), axes.end());
  auto attr = GroupAttr::get(meshName, axes);
  FailureOr<SmallVector<SmallVector<int64_t>>> got = attr.getRankLists(from);
  if (failed(got) || sorted(*got) != wanted)
    return std::nullopt;
  return attr;
}

std::optional<GroupAttr> moe::withoutUnitAxes(Operation *from,
                                              GroupAttr group) {
  auto mesh =
      SymbolTable::lookupNearestSymbolFrom<MeshOp>(from, group.getMesh());
  if (!mesh)
    return std::nullopt;
  SmallVector<StringRef> kept;
  for (StringAttr axis : group.getAxes().getAsRange<StringAttr>()) {
    std::optional<unsigned> index = mesh.getAxisIndex(axis.getValue());
    if (!index)
      return std::nullopt;
    if (mesh.getShape()[*index] != 1)
      kept.push_back(axis.getValue());
  }
  if (kept.size() == group.getAxes().size())
    return std::nullopt;
  return GroupAttr::get(group.getMesh(), kept);
}

DimMap moe::linkAllBut(Operation *op, ArrayRef<int64_t> touched) {
  DimMap map;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!llvm::is_contained(touched, d))
        map.links.push_back(
            {i, static_cast<unsigned>(d), 0, static_cast<unsigned>(d)});
  return map;
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

static RankedTensorType withDim(RankedTensorType type, int64_t dim,
                                int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

FailureOr<RankedTensorType>
moe::inferGatheredType(RankedTensorType type, int64_t dim, int64_t groupSize) {
  if (dim < 0 || dim >= type.getRank() || groupSize < 1)
    return failure();
  int64_t size = type.getDimSize(dim);
  if (!ShapedType::isDynamic(size) && llvm::MulOverflow(size, groupSize, size))
    return failure();
  return withDim(type, dim, size);
}

FailureOr<RankedTensorType>
moe::inferScatteredType(RankedTensorType type, int64_t dim, int64_t groupSize) {
  if (dim < 0 || dim >= type.getRank() || groupSize < 1)
    return failure();
  int64_t size = type.getDimSize(dim);
  if (!ShapedType::isDynamic(size)) {
    if (size % groupSize != 0)
      return failure();
    size /= groupSize;
  }
  return withDim(type, dim, size);
}

FailureOr<RankedTensorType> moe::inferAllToAllType(RankedTensorType type,
                                                   int64_t splitDim,
                                                   int64_t concatDim,
                                                   int64_t groupSize) {
  // If split = concat, the group size must still divide the dim, which keeps
  // its size.
  FailureOr<RankedTensorType> cut =
      inferScatteredType(type, splitDim, groupSize);
  if (failed(cut))
    return failure();
  if (splitDim == concatDim)
    return type;
  return inferGatheredType(*cut, concatDim, groupSize);
}

FailureOr<int64_t> moe::getTensorBytes(RankedTensorType type) {
  if (!type.hasStaticShape())
    return failure();
  if (llvm::is_contained(type.getShape(), 0))
    return 0; // Holds even if the other sizes overflow.
  int64_t bytes = type.getElementType().isIndex()
                      ? 8
                      : (type.getElementTypeBitWidth() + 7) / 8;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return failure();
  return bytes;
}

std::pair<Operation *, ReplicaGroupsAttr> moe::findRankLists(Operation *from) {
  Operation *root = from;
  while (root->getParentOp())
    root = root->getParentOp();
  std::pair<Operation *, ReplicaGroupsAttr> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::SymbolTable>() && MeshOp::lookup(op))
      return WalkResult::skip();
    if (!isa<CollectiveOpInterface, DropOp, GroupRankOp, RaggedPlanOp,
             NodePlanOp>(op))
      return WalkResult::advance();
    auto group = op->getInherentAttr("group");
    auto lists = group ? dyn_cast_if_present<ReplicaGroupsAttr>(*group)
                       : ReplicaGroupsAttr();
    if (!lists)
      return WalkResult::advance();
    found = {op, lists};
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult moe::verifyYield(Operation *op, Region &body, TypeRange types) {
  auto yield = dyn_cast<YieldOp>(body.front().back());
  if (!yield)
    return op->emitOpError() << "expected the region to end with moe.yield";
  if (yield.getNumOperands() != types.size()) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "expected moe.yield to yield " << types.size()
                              << " values, got " << yield.getNumOperands();
    diag.attachNote(yield.getLoc()) << "the region yields here";
    return diag;
  }
  for (auto [i, value] : llvm::enumerate(yield.getOperands()))
    if (value.getType() != types[i]) {
      InFlightDiagnostic diag =
          op->emitOpError() << "expected moe.yield to yield " << types[i]
                            << " as value " << i << ", got " << value.getType();
      diag.attachNote(yield.getLoc()) << "the region yields here";
      return diag;
    }
  return success();
}

int64_t moe::getNumRanks(Operation *from) {
  if (MeshOp mesh = MeshOp::lookup(from))
    return mesh.getNumRanks();
  ReplicaGroupsAttr lists = findRankLists(from).second;
  return lists ? lists.getRanks().getNumElements() : 1;
}

FailureOr<uint64_t> moe::getAxisBits(MeshOp mesh, ArrayRef<StringRef> names) {
  uint64_t bits = 0;
  for (StringRef name : names) {
    std::optional<unsigned> index = mesh.getAxisIndex(name);
    if (!index)
      return failure();
    bits |= uint64_t(1) << *index;
  }
  return bits;
}

LogicalResult moe::verifyTensorRank(Operation *op, StringRef what, Value value,
                                    int64_t rank) {
  if (tensorOf(value).getRank() == rank)
    return success();
  return op->emitOpError() << "expected " << what << " to have rank " << rank
                           << ", got " << value.getType();
}

LogicalResult moe::verifyElements(Operation *op, StringRef what, Value value,
                                  Type element) {
  if (tensorOf(value).getElementType() == element)
    return success();
  return op->emitOpError() << "expected " << what << " to have elements "
                           << element << ", got "
                           << tensorOf(value).getElementType();
}

LogicalResult moe::verifyDimSize(Operation *op, StringRef what, Value value,
                                 int64_t dim, int64_t size) {
  int64_t actual = tensorOf(value).getDimSize(dim);
  if (areCompatible(actual, size))
    return success();
  return op->emitOpError() << "expected " << what << " to have size " << size
                           << " in dim " << dim << ", got " << actual;
}

FailureOr<int64_t> moe::countSlots(RankedTensorType buffer) {
  int64_t slots = 1;
  for (int64_t size : buffer.getShape().drop_back(1))
    if (!ShapedType::isDynamic(size) && llvm::MulOverflow(slots, size, slots))
      return failure();
  return slots;
}

LogicalResult moe::verifyHolds(Operation *op, StringRef what, Value value,
                               int64_t count) {
  Type type = tensorOf(value).getElementType();
  int64_t largest = count - 1;
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width >= 64 || (width > 0 && largest < (int64_t(1) << (width - 1))))
    return success();
  return op->emitOpError() << "expected " << what << " of integers that hold "
                           << largest << ", got " << type;
}

LogicalResult moe::verifyHoldsUpTo(Operation *op, StringRef what, Value value,
                                   int64_t largest) {
  if (largest == std::numeric_limits<int64_t>::max())
    --largest;
  return verifyHolds(op, what, value, largest + 1);
}

/// Verifies the runs of rows [rows, hidden] that belong to experts.
static LogicalResult verifyRuns(Operation *op, Value tokens, Value offsets,
                                Value sizes) {
  if (!offsets || !sizes)
    return op->emitOpError() << "expected both offsets and sizes of runs or "
                                "neither";
  if (tensorOf(tokens).getRank() != 2)
    return op->emitOpError()
           << "expected tokens [rows, hidden] of rank 2 beside runs, got "
           << tokens.getType();
  if (offsets.getType() != sizes.getType())
    return op->emitOpError() << "expected offsets and sizes of runs of one "
                                "type, got "
                             << offsets.getType() << " and " << sizes.getType();
  if (tensorOf(sizes).getRank() < 1)
    return op->emitOpError() << "expected runs [..., experts] of rank at least "
                                "1, got "
                             << sizes.getType();
  int64_t rows = tensorOf(tokens).getDimSize(0);
  if (ShapedType::isDynamic(rows) ||
      rows == std::numeric_limits<int64_t>::max())
    return success();
  return verifyHolds(op, "runs", sizes, rows + 1);
}

int64_t moe::addBias(int64_t rows, bool biased) {
  bool fits = rows < std::numeric_limits<int64_t>::max();
  return biased && fits && !ShapedType::isDynamic(rows) ? rows + 1 : rows;
}

LogicalResult moe::verifyExperts(Operation *op, ExpertsKind kind, Value input,
                                 ValueRange weights, Value runOffsets,
                                 Value runSizes,
                                 std::optional<Activation> activation,
                                 bool biased) {
  RankedTensorType tokens = tensorOf(input);
  bool hasRuns = runOffsets || runSizes;
  if (hasRuns && failed(verifyRuns(op, input, runOffsets, runSizes)))
    return failure();
  if (!hasRuns && tokens.getRank() < 3)
    return op->emitOpError() << "expected tokens [experts, rows..., hidden] of "
                                "rank at least 3, got "
                             << tokens;
  unsigned gemms = kind == ExpertsKind::GPT ? 2 : 3;
  if (weights.size() != gemms)
    return op->emitOpError()
           << "expected " << gemms << " weights for kind '"
           << stringifyExpertsKind(kind) << "', got " << weights.size();
  if (activation && kind != ExpertsKind::GPT)
    return op->emitOpError() << "expected no activation: kind '"
                             << stringifyExpertsKind(kind) << "' fixes its own";
  int64_t experts =
      hasRuns ? tensorOf(runSizes).getShape().back() : tokens.getDimSize(0);
  int64_t hidden = tokens.getShape().back();
  int64_t ffn = ShapedType::kDynamic;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    std::string what = "weight " + std::to_string(i);
    bool last = i + 1 == gemms;
    if (failed(verifyTensorRank(op, what, weight, 3)) ||
        failed(verifyDimSize(op, what, weight, 0, experts)) ||
        failed(verifyDimSize(op, what, weight, last ? 2 : 1,
                             last ? hidden : addBias(hidden, biased))) ||
        failed(verifyDimSize(op, what, weight, last ? 1 : 2,
                             last ? addBias(ffn, biased) : ffn)))
      return failure();
    if (tensorOf(weight).getElementType() != tokens.getElementType())
      return op->emitOpError() << "expected " << what << " to have elements "
                               << tokens.getElementType() << ", got "
                               << tensorOf(weight).getElementType();
    if (!last && ShapedType::isDynamic(ffn))
      ffn = tensorOf(weight).getDimSize(2);
  }
  return success();
}

int64_t moe::countInnerProducts(ExpertsKind kind) {
  return kind == ExpertsKind::GPT ? 1 : 2;
}

RankedTensorType moe::getBetweenType(RankedTensorType tokens,
                                     RankedTensorType firstWeight,
                                     int64_t parts) {
  SmallVector<int64_t> shape{parts};
  llvm::append_range(shape, tokens.getShape().drop_back());
  shape.push_back(firstWeight.getShape().back());
  return RankedTensorType::get(shape, tokens.getElementType());
}

LogicalResult moe::verifyBetween(Operation *op, StringRef what, Value value,
                                 Value tokens, Value firstWeight,
                                 int64_t parts) {
  if (!value)
    return success();
  RankedTensorType expected =
      getBetweenType(tensorOf(tokens), tensorOf(firstWeight), parts);
  if (failed(verifyTensorRank(op, what, value, expected.getRank())) ||
      failed(verifyElements(op, what, value, expected.getElementType())))
    return failure();
  for (auto [dim, size] : llvm::enumerate(expected.getShape()))
    if (failed(verifyDimSize(op, what, value, dim, size)))
      return failure();
  return success();
}
