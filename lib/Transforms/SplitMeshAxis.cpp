// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a mesh axis in two.

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_SPLITMESHAXIS
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {
struct SplitMeshAxis : public moe::impl::SplitMeshAxisBase<SplitMeshAxis> {
  using SplitMeshAxisBase::SplitMeshAxisBase;

  void runOnOperation() override {
    if (failed(split()))
      signalPassFailure();
  }

private:
  InFlightDiagnostic error(Operation *op) {
    return emitError(op->getLoc()) << getArgument() << ": ";
  }

  /// Returns `names` with the axis replaced by its two parts; the same array if
  /// it does not contain the axis.
  ArrayAttr replaceIn(ArrayAttr names) {
    SmallVector<Attribute> replaced;
    Builder builder(&getContext());
    for (Attribute name : names) {
      auto string = dyn_cast<StringAttr>(name);
      if (!string || string.getValue() != axis) {
        replaced.push_back(name);
        continue;
      }
      replaced.push_back(builder.getStringAttr(axis + "_outer"));
      replaced.push_back(builder.getStringAttr(axis + "_inner"));
    }
    return builder.getArrayAttr(replaced);
  }

  LogicalResult split() {
    MeshOp mesh = MeshOp::lookup(getOperation());
    if (!mesh)
      return error(getOperation()) << "expected a module with a moe.mesh";
    std::optional<unsigned> index = mesh.getAxisIndex(axis);
    if (!index)
      return error(mesh) << "expected an axis of the mesh, one of "
                         << mesh.getAxes() << ", got \"" << axis.getValue()
                         << "\"";
    int64_t size = mesh.getShape()[*index];
    if (inner < 1 || size % inner != 0)
      return error(mesh) << "expected inner to divide the " << size
                         << " ranks along \"" << axis.getValue() << "\", got "
                         << inner.number;
    for (StringRef part : {"_outer", "_inner"})
      if (mesh.getAxisIndex(axis + part.str()))
        return error(mesh) << "the mesh already has an axis \""
                           << axis.getValue() << part << "\"";

    SmallVector<int64_t> shape(mesh.getShape());
    shape[*index] = size / inner;
    shape.insert(shape.begin() + *index + 1, inner);
    ArrayAttr axes = replaceIn(mesh.getAxes());
    mesh.setAxesAttr(axes);
    mesh.setShape(shape);

    AttrTypeReplacer replacer;
    replacer.addReplacement([&](GroupAttr group) -> std::optional<Attribute> {
      return GroupAttr::get(&getContext(), group.getMesh(),
                            replaceIn(group.getAxes()));
    });
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // A nested module may have its own mesh, even with the same name.
      if (isa<ModuleOp>(op) && MeshOp::lookup(op) != mesh)
        return WalkResult::skip();
      replacer.replaceElementsIn(op);
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!function)
        return WalkResult::advance();
      StringRef divergent = MoEDialect::getDivergentAttrName();
      if (auto names = op->getAttrOfType<ArrayAttr>(divergent))
        op->setAttr(divergent, replaceIn(names));
      StringRef name = MoEDialect::getVaryingAttrName();
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (auto varying = function.getArgAttrOfType<ArrayAttr>(i, name))
          function.setArgAttr(i, name, replaceIn(varying));
      return WalkResult::advance();
    });
    return success();
  }
};
} // namespace
