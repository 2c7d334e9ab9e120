//===- MoEOps.cpp - Meshes, layers and local data movement ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Dialect/MoE/MoEOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

#include "moe/Dialect/MoE/MoEOpInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Assembly formats
//===----------------------------------------------------------------------===//

/// Turns `[[0, 1], [2, 3]]` into replica groups.
static ParseResult parseRankLists(OpAsmParser &parser, SMLoc loc,
                                  ArrayAttr lists, GroupAttrInterface &group) {
  SmallVector<int64_t> ranks;
  std::optional<size_t> size;
  for (Attribute list : lists) {
    auto row = dyn_cast<ArrayAttr>(list);
    if (!row)
      return parser.emitError(loc) << "expected a list of ranks, got " << list;
    if (size.value_or(row.size()) != row.size())
      return parser.emitError(loc)
             << "expected groups of one size, got " << *size << " and "
             << row.size() << " ranks";
    size = row.size();
    for (Attribute rank : row) {
      auto value = dyn_cast<IntegerAttr>(rank);
      if (!value || !value.getType().isSignlessInteger(64))
        return parser.emitError(loc) << "expected a rank, got " << rank;
      ranks.push_back(value.getInt());
    }
  }
  auto type = RankedTensorType::get({static_cast<int64_t>(lists.size()),
                                     static_cast<int64_t>(size.value_or(0))},
                                    parser.getBuilder().getI64Type());
  group = ReplicaGroupsAttr::getChecked([&] { return parser.emitError(loc); },
                                        parser.getContext(),
                                        DenseIntElementsAttr::get(type, ranks));
  return failure(!group);
}

/// `<@mesh, ["ep"]>` for a group of mesh axes, `[[0, 1], [2, 3]]` for rank
/// lists, `(#attribute)` for any other; the full attributes are accepted too,
/// with parentheses or, where no type follows them, without: an attribute
/// takes a colon and type behind it for its own.
static ParseResult parseGroup(OpAsmParser &parser, GroupAttrInterface &group) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLess())) {
    FlatSymbolRefAttr mesh;
    ArrayAttr axes;
    if (parser.parseAttribute(mesh) || parser.parseComma() ||
        parser.parseAttribute(axes) || parser.parseGreater())
      return failure();
    auto attr = GroupAttr::getChecked([&] { return parser.emitError(loc); },
                                      parser.getContext(), mesh, axes);
    if (!attr)
      return failure();
    group = attr;
    return success();
  }
  ArrayAttr lists;
  OptionalParseResult hasLists = parser.parseOptionalAttribute(lists);
  if (hasLists.has_value())
    return failure(failed(*hasLists) ||
                   failed(parseRankLists(parser, loc, lists, group)));
  Attribute attr;
  bool hasParens = succeeded(parser.parseOptionalLParen());
  if (parser.parseAttribute(attr) || (hasParens && parser.parseRParen()))
    return failure();
  group = dyn_cast<GroupAttrInterface>(attr);
  if (!group)
    return parser.emitError(loc) << "expected a group of ranks, got " << attr;
  return success();
}

static void printGroup(OpAsmPrinter &printer, Operation *,
                       GroupAttrInterface group) {
  if (auto attr = dyn_cast<GroupAttr>(Attribute(group))) {
    printer << "<" << attr.getMesh() << ", " << attr.getAxes() << ">";
    return;
  }
  if (auto attr = dyn_cast<ReplicaGroupsAttr>(Attribute(group))) {
    int64_t size = attr.getRanks().getType().getDimSize(1);
    printer << "[";
    for (auto [i, rank] :
         llvm::enumerate(attr.getRanks().getValues<int64_t>())) {
      if (i % size == 0)
        printer << (i == 0 ? "[" : "], [");
      else
        printer << ", ";
      printer << rank;
    }
    printer << "]]";
    return;
  }
  printer << "(";
  printer.printAttribute(group);
  printer << ")";
}

/// A phase in quotes: `"fwd"`.
static ParseResult parsePhase(OpAsmParser &parser, PhaseAttr &phase) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name;
  if (parser.parseString(&name))
    return failure();
  std::optional<Phase> value = symbolizePhase(name);
  if (!value)
    return parser.emitError(loc)
           << "expected phase \"fwd\" or \"bwd\", got \"" << name << "\"";
  phase = PhaseAttr::get(parser.getContext(), *value);
  return success();
}

static void printPhase(OpAsmPrinter &printer, Operation *, PhaseAttr phase) {
  printer << '"' << stringifyPhase(phase.getValue()) << '"';
}

#define GET_OP_CLASSES
#include "moe/Dialect/MoE/MoEOps.cpp.inc"

//===----------------------------------------------------------------------===//
// MeshOp
//===----------------------------------------------------------------------===//

int64_t MeshOp::getNumRanks() {
  int64_t ranks = 1;
  for (int64_t size : getShape())
    ranks *= size;
  return ranks;
}

std::optional<unsigned> MeshOp::getAxisIndex(StringRef name) {
  for (auto [i, axis] : llvm::enumerate(getAxes()))
    if (cast<StringAttr>(axis).getValue() == name)
      return i;
  return std::nullopt;
}

MeshOp MeshOp::lookup(Operation *from) {
  for (Operation *op = from; op; op = op->getParentOp()) {
    if (!op->hasTrait<OpTrait::SymbolTable>() || op->getNumRegions() != 1 ||
        op->getRegion(0).empty())
      continue;
    for (Operation &nested : op->getRegion(0).front())
      if (auto mesh = dyn_cast<MeshOp>(nested))
        return mesh;
  }
  return nullptr;
}

bool MeshOp::canDiscardOnUseEmpty() { return false; }

LogicalResult MeshOp::verify() {
  // The printer has no text for an empty name that the parser takes.
  if (getSymName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (getAxes().empty())
    return emitOpError() << "expected at least one axis";
  if (getAxes().size() != getShape().size())
    return emitOpError() << "expected one size per axis, got "
                         << getAxes().size() << " axes and "
                         << getShape().size() << " sizes";
  llvm::SmallDenseSet<StringRef> seen;
  for (StringAttr axis : getAxes().getAsRange<StringAttr>()) {
    if (axis.getValue().empty())
      return emitOpError() << "expected axis names that are not empty";
    if (!seen.insert(axis.getValue()).second)
      return emitOpError() << "axis " << axis << " is declared twice";
  }
  if (getAxes().size() > 64)
    return emitOpError() << "expected at most 64 axes, got "
                         << getAxes().size();
  int64_t ranks = 1;
  for (auto [axis, size] : llvm::zip_equal(getAxes(), getShape())) {
    if (size < 1)
      return emitOpError() << "expected axis " << axis
                           << " to have a size of at least 1, got " << size;
    if (llvm::MulOverflow(ranks, size, ranks) ||
        ranks > std::numeric_limits<int32_t>::max())
      return emitOpError() << "expected at most "
                           << std::numeric_limits<int32_t>::max() << " ranks";
  }
  // One mesh a module: the replication analysis reasons over one set of axes.
  Block *block = (*this)->getBlock();
  if (!block)
    return success();
  for (Operation &other : *block) {
    if (&other == getOperation())
      break;
    if (isa<MeshOp>(other)) {
      InFlightDiagnostic diag = emitOpError()
                                << "expected one mesh in a module";
      diag.attachNote(other.getLoc()) << "the other mesh is declared here";
      return diag;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// GroupRankOp
//===----------------------------------------------------------------------===//

LogicalResult GroupRankOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyGroup(*this, getGroup());
}

OpFoldResult GroupRankOp::fold(FoldAdaptor) {
  FailureOr<int64_t> size = getGroup().getGroupSize(*this);
  if (succeeded(size) && *size == 1)
    return IntegerAttr::get(getType(), 0);
  return {};
}

//===----------------------------------------------------------------------===//
// DropOp
//===----------------------------------------------------------------------===//

LogicalResult DropOp::verify() {
  return verifyDim(*this, cast<RankedTensorType>(getOperand().getType()),
                   getDim(), "dim");
}

LogicalResult DropOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyScattered(*this, getOperand(), getResult(), getDim(),
                         getGroup());
}

OpFoldResult DropOp::fold(FoldAdaptor) {
  if (isOneRank(*this, getGroup(), getOperand(), getResult()))
    return foldTo(*this, getOperand());
  // drop(all_gather(x)) = x: a rank's block of the join is its own data.
  if (auto gather = getOperand().getDefiningOp<AllGatherOp>())
    if (gather.getGroup() == getGroup() && gather.getDim() == getDim() &&
        gather.getOperand().getType() == getType())
      return foldTo(*this, gather.getOperand());
  return {};
}

LogicalResult DropOp::canonicalize(DropOp op, PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

void DropOp::build(OpBuilder &builder, OperationState &state, Value operand,
                   GroupAttrInterface group, int64_t dim, int64_t groupSize) {
  FailureOr<RankedTensorType> type = inferScatteredType(
      cast<RankedTensorType>(operand.getType()), dim, groupSize);
  assert(succeeded(type) && "drop of a dim that does not divide");
  build(builder, state, *type, operand, group, dim);
}

DimMap DropOp::getDimMap() { return linkAllBut(*this, {getDim()}); }

//===----------------------------------------------------------------------===//
// AssembleOp
//===----------------------------------------------------------------------===//

LogicalResult AssembleOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  int64_t dim = getDim();
  if (getParts().empty())
    return emitOpError() << "expected at least one part";
  if (dim < 0 || dim >= type.getRank())
    return emitOpError() << "expected dim in [0, " << type.getRank()
                         << "), got " << dim;
  int64_t sum = 0;
  bool dynamic = false;
  for (auto [i, part] : llvm::enumerate(getParts())) {
    auto partType = cast<RankedTensorType>(part.getType());
    if (partType.getElementType() != type.getElementType())
      return emitOpError() << "expected part " << i << " to have elements "
                           << type.getElementType() << ", got "
                           << partType.getElementType();
    if (partType.getEncoding() != type.getEncoding())
      return emitOpError() << "expected part " << i << " to be like the result "
                           << type << ", got " << partType;
    if (partType.getRank() != type.getRank())
      return emitOpError() << "expected part " << i << " to have rank "
                           << type.getRank() << ", got " << partType.getRank();
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != dim &&
          !areCompatible(partType.getDimSize(d), type.getDimSize(d)))
        return emitOpError() << "expected part " << i << " to have size "
                             << type.getDimSize(d) << " in dim " << d
                             << ", got " << partType.getDimSize(d);
    dynamic |= partType.isDynamicDim(dim);
    if (!partType.isDynamicDim(dim) &&
        llvm::AddOverflow(sum, partType.getDimSize(dim), sum))
      return emitOpError() << "sizes of the parts overflow in dim " << dim;
  }
  if (!type.isDynamicDim(dim) && !dynamic && sum != type.getDimSize(dim))
    return emitOpError() << "expected the parts to add up to "
                         << type.getDimSize(dim) << " in dim " << dim
                         << ", got " << sum;
  if (!type.isDynamicDim(dim) && dynamic && sum > type.getDimSize(dim))
    return emitOpError() << "expected the parts to add up to "
                         << type.getDimSize(dim) << " in dim " << dim
                         << ", got at least " << sum;
  return success();
}

OpFoldResult AssembleOp::fold(FoldAdaptor) {
  if (getParts().size() == 1 && getParts().front().getType() == getType())
    return foldTo(*this, getParts().front());
  return {};
}

DimMap AssembleOp::getDimMap() { return linkAllBut(*this, {getDim()}); }

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  auto type = cast<RankedTensorType>(getOperand().getType());
  ArrayRef<int64_t> permutation = getPermutation();
  if (static_cast<int64_t>(permutation.size()) != type.getRank() ||
      !isPermutation(permutation))
    return emitOpError() << "expected a permutation of the operand's "
                         << type.getRank() << " dims, got [" << permutation
                         << "]";
  return verifyType(*this, permuteType(type, permutation), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType() &&
      llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())))
    return foldTo(*this, getOperand());
  return {};
}

LogicalResult TransposeOp::canonicalize(TransposeOp op,
                                        PatternRewriter &rewriter) {
  // transpose(transpose(x)) is one transpose.
  auto inner = op.getOperand().getDefiningOp<TransposeOp>();
  if (!inner || inner == op)
    return failure();
  SmallVector<int64_t> permutation;
  for (int64_t dim : op.getPermutation())
    permutation.push_back(inner.getPermutation()[dim]);
  // The type in between may be dynamic where the outer two contradict each
  // other: such a program fails when it runs, the rewritten one would not
  // even verify.
  RankedTensorType type = permuteType(
      cast<RankedTensorType>(inner.getOperand().getType()), permutation);
  if (!areCompatible(type.getShape(), op.getType().getShape()))
    return rewriter.notifyMatchFailure(op, "the types contradict each other");
  rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getOperand(),
                                           permutation);
  return success();
}

void TransposeOp::build(OpBuilder &builder, OperationState &state,
                        Value operand, ArrayRef<int64_t> permutation) {
  build(builder, state,
        permuteType(cast<RankedTensorType>(operand.getType()), permutation),
        operand, permutation);
}

DimMap TransposeOp::getDimMap() {
  DimMap map;
  for (auto [resultDim, operandDim] : llvm::enumerate(getPermutation()))
    map.links.push_back({0, static_cast<unsigned>(operandDim), 0,
                         static_cast<unsigned>(resultDim)});
  return map;
}

//===----------------------------------------------------------------------===//
// LayerOp
//===----------------------------------------------------------------------===//

LogicalResult LayerOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (getBody().getNumArguments() != 0)
    return emitOpError() << "expected a region without arguments, got "
                         << getBody().getNumArguments();
  return verifyYield(*this, getBody(), getResultTypes());
}

void LayerOp::getSuccessorRegions(RegionBranchPoint point,
                                  SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getResults());
}

void LayerOp::getRegionInvocationBounds(
    ArrayRef<Attribute>, SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.emplace_back(1, 1);
}
