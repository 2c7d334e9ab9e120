// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meshes and positions in groups.

#include "mlir/IR/Builders.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

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
  // The parser accepts no text for an empty name, so the printer cannot print
  // one.
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
                           << std::numeric_limits<int32_t>::max()
                           << " ranks, got a shape of more, [" << getShape()
                           << "]";
  }
  // A module has only one mesh, because the replication analysis uses one set
  // of axes.
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
