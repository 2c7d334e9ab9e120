// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly formats shared by ops.

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

/// Converts `[[0, 1], [2, 3]]` to replica groups.
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

/// Parses `<@mesh, ["ep"]>` for a group of mesh axes, `[[0, 1], [2, 3]]` for
/// rank lists, and `(#attribute)` for any other group. The full attributes are
/// accepted too, with parentheses or, if no type follows them, without: the
/// attribute parser would take a following colon and type as its own.
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

/// Parses a phase in quotes: `"fwd"`.
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

/// Parses runs of rows: `%offsets, %sizes : type`.
static ParseResult parseRuns(
    OpAsmParser &parser, std::optional<OpAsmParser::UnresolvedOperand> &offsets,
    Type &offsetsType, std::optional<OpAsmParser::UnresolvedOperand> &sizes,
    Type &sizesType) {
  if (parser.parseOperand(offsets.emplace()) || parser.parseComma() ||
      parser.parseOperand(sizes.emplace()) ||
      parser.parseColonType(offsetsType))
    return failure();
  sizesType = offsetsType;
  return success();
}

static void printRuns(OpAsmPrinter &printer, Operation *, Value offsets, Type,
                      Value sizes, Type type) {
  // An op that does not verify is printed in the generic form, so the types
  // agree here.
  printer << offsets << ", " << sizes << " : " << type;
}

#define GET_OP_CLASSES
#include "moe/Dialect/MoE/MoEOps.cpp.inc"
