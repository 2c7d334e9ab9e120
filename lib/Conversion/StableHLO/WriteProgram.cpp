// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of moe programs to StableHLO.

#include "StableHLO.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Analysis/AutomaticDims.h"
#include "moe/Conversion/StableHLO/Passes.h"
#include "moe/Dialect/Text/StableHLO/Dialects.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTMOETOSTABLEHLO
#include "moe/Conversion/StableHLO/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct ConvertMoEToStableHLO
    : public moe::impl::ConvertMoEToStableHLOBase<ConvertMoEToStableHLO> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, arith::ArithDialect, tensor::TensorDialect>();
    // Registers the names of the created ops.
    registerStableHLODialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    MeshOp mesh = MeshOp::lookup(module);
    if (!mesh)
      return;
    ReadMesh read{mesh, getNames(module, mesh), isOfReplicas(module)};
    for (auto function : module.getOps<func::FuncOp>()) {
      dissolve(function, markTask);
      writeLoops(function);
      if (failed(writeOps(function, read)))
        return signalPassFailure();
    }
    SmallVector<Operation *> computations;
    module.walk([&](Operation *op) {
      if (op->hasAttr(kShardyBodyAttr))
        computations.push_back(op);
    });
    for (Operation *op : computations)
      if (failed(putBack(module, op)))
        return signalPassFailure();
    writeReshards(module);
    removeOwn(module);
    removeAutomatic(module);
  }

private:
  /// Returns the meshes of the text that equal `mesh`.
  static llvm::StringSet<> getNames(ModuleOp module, MeshOp mesh) {
    llvm::StringSet<> names;
    for (Operation &op : *module.getBody()) {
      auto name = dyn_cast_or_null<StringAttr>(
          op.getAttr(SymbolTable::getSymbolAttrName()));
      std::optional<ShardyMesh> found =
          op.getName().getStringRef() == "sdy.mesh" && name
              ? parseShardyMesh(op.getAttr("mesh"))
              : std::nullopt;
      if (!found || found->hasDeviceIds ||
          ArrayRef(found->sizes) != mesh.getShape())
        continue;
      auto axes = mesh.getAxes().getAsValueRange<StringAttr>();
      if (llvm::equal(found->names, axes))
        names.insert(name.getValue());
    }
    return names;
  }

  /// Moves the body of a computation back into its region.
  LogicalResult putBack(ModuleOp module, Operation *op) {
    auto name = dyn_cast<StringAttr>(op->getAttr(kShardyBodyAttr));
    auto body =
        name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(module, name)
             : func::FuncOp();
    if (!body || body.isExternal() || !body.getBody().hasOneBlock() ||
        op->getNumRegions() != 1 || !op->getRegion(0).empty() ||
        body.getNumArguments() != op->getNumOperands() ||
        body.getNumResults() != op->getNumResults() ||
        !isa<func::ReturnOp>(body.getBody().front().back()))
      return op->emitOpError()
             << "expected '" << kShardyBodyAttr
             << "' to name a function of one block, with an argument for each "
                "operand and a result for each result, and to have no region "
                "of its own; got "
             << op->getAttr(kShardyBodyAttr);
    Region &region = op->getRegion(0);
    region.takeBody(body.getBody());
    Operation *back = region.front().getTerminator();
    OpBuilder builder(back);
    OperationState state(back->getLoc(), "sdy.return");
    state.addOperands(back->getOperands());
    state.addAttributes(back->getDiscardableAttrDictionary().getValue());
    builder.create(state);
    back->erase();
    op->removeDiscardableAttr(kShardyBodyAttr);
    body.erase();
    return success();
  }

  /// Adds the task to the frontend attributes of an op, which XLA preserves.
  static void markTask(Operation *op, StringRef task) {
    NamedAttrList marks;
    if (auto dict = op->getAttrOfType<DictionaryAttr>(kFrontendAttr))
      marks = dict;
    Builder builder(op->getContext());
    marks.set(kTaskMark, builder.getStringAttr(task));
    op->setAttr(kFrontendAttr, marks.getDictionary(op->getContext()));
  }

  static void removeAutomatic(ModuleOp module) {
    module.walk([](FunctionOpInterface function) {
      function->removeAttr(kAutomaticAttr);
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        function.removeArgAttr(i, kAutomaticAttr);
    });
  }
};

} // namespace
