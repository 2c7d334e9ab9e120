// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes for groups of ranks and platforms.

#include "moe/Dialect/MoE/MoEAttrs.h"
#include "PlanAttrs.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

#include "moe/Dialect/MoE/MoEAttrInterfaces.cpp.inc"
#include "moe/Dialect/MoE/MoEEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "moe/Dialect/MoE/MoEAttrs.cpp.inc"

void MoEDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "moe/Dialect/MoE/MoEAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// GroupAttr
//===----------------------------------------------------------------------===//

LogicalResult GroupAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                FlatSymbolRefAttr mesh, ArrayAttr axes) {
  if (!mesh || !axes)
    return emitError() << "expected a mesh and an array of axis names";
  llvm::SmallDenseSet<StringRef> seen;
  for (Attribute axis : axes) {
    auto name = dyn_cast<StringAttr>(axis);
    if (!name)
      return emitError() << "expected axis names, got " << axis;
    if (!seen.insert(name.getValue()).second)
      return emitError() << "axis " << name << " is listed twice in a group";
  }
  return success();
}

/// Returns the mesh that a group names, looked up around `from`.
static MeshOp lookupMesh(Operation *from, FlatSymbolRefAttr name) {
  return SymbolTable::lookupNearestSymbolFrom<MeshOp>(from, name);
}

FailureOr<int64_t> GroupAttr::getGroupSize(Operation *from) const {
  MeshOp mesh = lookupMesh(from, getMesh());
  if (!mesh)
    return failure();
  int64_t size = 1;
  for (StringAttr axis : getAxes().getAsRange<StringAttr>()) {
    std::optional<unsigned> index = mesh.getAxisIndex(axis.getValue());
    if (!index)
      return failure();
    size *= mesh.getShape()[*index];
  }
  return size;
}

FailureOr<SmallVector<SmallVector<int64_t>>>
GroupAttr::getRankLists(Operation *from) const {
  MeshOp mesh = lookupMesh(from, getMesh());
  FailureOr<int64_t> size = getGroupSize(from);
  if (failed(size) || mesh.getNumRanks() > kMaxListedRanks)
    return failure();
  SmallVector<unsigned> axes;
  for (StringAttr axis : getAxes().getAsRange<StringAttr>())
    axes.push_back(*mesh.getAxisIndex(axis.getValue()));
  std::vector<int64_t> ranks = cost::listGroups(mesh.getShape(), axes);
  SmallVector<SmallVector<int64_t>> lists;
  for (ArrayRef<int64_t> rest = ranks; !rest.empty();
       rest = rest.drop_front(*size))
    lists.emplace_back(rest.take_front(*size));
  return lists;
}

std::optional<SmallVector<StringRef>> GroupAttr::getAxisNames() const {
  SmallVector<StringRef> names;
  for (StringAttr axis : getAxes().getAsRange<StringAttr>())
    names.push_back(axis.getValue());
  return names;
}

LogicalResult GroupAttr::verifyInModule(Operation *from) const {
  MeshOp mesh = lookupMesh(from, getMesh());
  if (!mesh)
    return from->emitOpError()
           << "expected " << getMesh() << " to name a moe.mesh";
  for (StringAttr axis : getAxes().getAsRange<StringAttr>())
    if (!mesh.getAxisIndex(axis.getValue())) {
      InFlightDiagnostic diag = from->emitOpError()
                                << "group names unknown axis " << axis;
      diag.attachNote(mesh.getLoc()) << "the mesh has axes " << mesh.getAxes();
      return diag;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// ReplicaGroupsAttr
//===----------------------------------------------------------------------===//

LogicalResult
ReplicaGroupsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          DenseIntElementsAttr ranks) {
  if (!ranks || ranks.getType().getRank() != 2 ||
      !ranks.getElementType().isSignlessInteger(64))
    return emitError() << "expected replica groups to be a matrix of 64-bit "
                          "integers, one group a row";
  // A splat can have any size in a few characters, even one with an overflowing
  // product. A valid partition of more than one rank is never a splat.
  ArrayRef<int64_t> shape = ranks.getType().getShape();
  if (shape[0] == 0 || shape[1] == 0)
    return emitError() << "expected at least one rank in the replica groups";
  if (ranks.isSplat() && (shape[0] > 1 || shape[1] > 1))
    return emitError() << "rank " << *ranks.value_begin<int64_t>()
                       << " stands in the replica groups twice";
  int64_t numRanks;
  if (llvm::MulOverflow(shape[0], shape[1], numRanks))
    return emitError() << "number of ranks in the replica groups overflows";
  llvm::BitVector seen(numRanks);
  for (int64_t rank : ranks.getValues<int64_t>()) {
    if (rank < 0 || rank >= numRanks)
      return emitError() << "expected ranks from 0 to " << numRanks - 1
                         << " in the replica groups, got " << rank;
    if (seen.test(rank))
      return emitError() << "rank " << rank
                         << " stands in the replica groups twice";
    seen.set(rank);
  }
  return success();
}

FailureOr<int64_t> ReplicaGroupsAttr::getGroupSize(Operation *) const {
  return getRanks().getType().getShape()[1];
}

FailureOr<SmallVector<SmallVector<int64_t>>>
ReplicaGroupsAttr::getRankLists(Operation *) const {
  if (getRanks().getNumElements() > kMaxListedRanks)
    return failure();
  int64_t size = getRanks().getType().getShape()[1];
  SmallVector<SmallVector<int64_t>> lists;
  for (auto [i, rank] : llvm::enumerate(getRanks().getValues<int64_t>())) {
    if (i % size == 0)
      lists.emplace_back();
    lists.back().push_back(rank);
  }
  return lists;
}

std::optional<SmallVector<StringRef>> ReplicaGroupsAttr::getAxisNames() const {
  return std::nullopt;
}

LogicalResult ReplicaGroupsAttr::verifyInModule(Operation *from) const {
  int64_t numRanks = getRanks().getNumElements();
  if (MeshOp mesh = MeshOp::lookup(from)) {
    if (mesh.getNumRanks() == numRanks)
      return success();
    InFlightDiagnostic diag = from->emitOpError()
                              << "expected replica groups of all "
                              << mesh.getNumRanks()
                              << " ranks of the mesh, got " << numRanks;
    diag.attachNote(mesh.getLoc()) << "the mesh is declared here";
    return diag;
  }
  // Rank lists define the number of ranks if there is no mesh, so all must
  // agree.
  auto [first, lists] = findRankLists(from);
  if (!lists || lists.getRanks().getNumElements() == numRanks)
    return success();
  InFlightDiagnostic diag = from->emitOpError()
                            << "expected replica groups of all "
                            << lists.getRanks().getNumElements()
                            << " ranks, got " << numRanks;
  diag.attachNote(first->getLoc()) << "the first replica groups are here";
  return diag;
}

//===----------------------------------------------------------------------===//
// PlatformAttr
//===----------------------------------------------------------------------===//

LogicalResult PlatformAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringAttr name, ArrayRef<StringAttr> levels,
                                   ArrayRef<int64_t> ranks, StringAttr file,
                                   StringAttr hash) {
  if (!name || !file || !hash || llvm::is_contained(levels, StringAttr()))
    return emitError() << "expected a platform's name, levels, file and hash";
  if (name.empty())
    return emitError() << "expected a platform's name that is not empty";
  if (levels.empty())
    return emitError() << "expected a platform of at least one level";
  if (levels.size() != ranks.size())
    return emitError() << "expected the ranks of each of " << levels.size()
                       << " levels, got " << ranks.size();
  llvm::SmallDenseSet<StringAttr> seen;
  int64_t inner = 1;
  for (auto [level, spanned] : llvm::zip_equal(levels, ranks)) {
    if (level.empty() || !seen.insert(level).second)
      return emitError() << "expected each level to have a name of its own, "
                            "got "
                         << level << (level.empty() ? "" : " twice");
    if (spanned <= inner || spanned % inner != 0)
      return emitError() << "expected level " << level
                         << " to span more ranks than the level before it, "
                            "and a multiple of them ("
                         << inner << "), got " << spanned;
    inner = spanned;
  }
  if (file.empty())
    return emitError() << "expected a platform's file that is not empty";
  if (hash.size() != 16 || llvm::any_of(hash.getValue(), [](char c) {
        return !llvm::isDigit(c) && (c < 'a' || c > 'f');
      }))
    return emitError() << "expected a hash of 16 digits out of 0-9 and a-f, "
                          "got "
                       << hash;
  return success();
}

Attribute PlatformAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name, file, hash;
  SmallVector<StringAttr> levels;
  SmallVector<int64_t> ranks;
  auto parseLevel = [&]() -> ParseResult {
    std::string level;
    if (parser.parseString(&level) || parser.parseColon() ||
        parser.parseInteger(ranks.emplace_back()))
      return failure();
    levels.push_back(parser.getBuilder().getStringAttr(level));
    return success();
  };
  if (parser.parseLess() || parser.parseString(&name) || parser.parseComma() ||
      parser.parseKeyword("levels") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseLevel) ||
      parser.parseComma() || parser.parseKeyword("file") ||
      parser.parseString(&file) || parser.parseComma() ||
      parser.parseKeyword("hash") || parser.parseString(&hash) ||
      parser.parseGreater())
    return {};
  Builder &builder = parser.getBuilder();
  return parser.getChecked<PlatformAttr>(
      loc, parser.getContext(), builder.getStringAttr(name), levels, ranks,
      builder.getStringAttr(file), builder.getStringAttr(hash));
}

void PlatformAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getName());
  printer << ", levels [";
  llvm::interleaveComma(llvm::zip_equal(getLevels(), getRanks()), printer,
                        [&](auto level) {
                          printer.printString(std::get<0>(level).getValue());
                          printer << ": " << std::get<1>(level);
                        });
  printer << "], file ";
  printer.printString(getFile());
  printer << ", hash ";
  printer.printString(getHash());
  printer << ">";
}
