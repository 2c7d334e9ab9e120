// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of MLIR's shard dialect to moe.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/ShardingExtensions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Extensions/ShardingExtensions.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Conversion/Shard/Passes.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTSHARDTOMOE
#include "moe/Conversion/Shard/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// Converts ops of `shard` to `moe` ops over one mesh, one at a time.
class Converter {
public:
  explicit Converter(MeshOp mesh) : mesh(mesh) {}

  /// Emits an error and fails for an op without an equivalent in `moe`.
  LogicalResult convert(Operation *from) {
    op = from;
    OpBuilder b(op);
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](shard::AllToAllOp x) {
          return replace(AllToAllOp::create(
              b, x.getLoc(), x.getType(), x.getInput(), getGroup(x),
              x.getSplitAxis().getSExtValue(),
              x.getConcatAxis().getSExtValue()));
        })
        .Case([&](shard::AllGatherOp x) {
          return replace(AllGatherOp::create(b, x.getLoc(), x.getType(),
                                             x.getInput(), getGroup(x),
                                             x.getGatherAxis().getSExtValue()));
        })
        .Case([&](shard::AllSliceOp x) {
          return replace(DropOp::create(b, x.getLoc(), x.getType(),
                                        x.getInput(), getGroup(x),
                                        x.getSliceAxis().getSExtValue()));
        })
        .Case([&](shard::AllReduceOp x) -> LogicalResult {
          FailureOr<Reduction> by = getReduction(x);
          if (failed(by))
            return failure();
          return replace(AllReduceOp::create(b, x.getLoc(), x.getType(),
                                             x.getInput(), getGroup(x), *by));
        })
        .Case([&](shard::ReduceScatterOp x) -> LogicalResult {
          FailureOr<Reduction> by = getReduction(x);
          if (failed(by))
            return failure();
          return replace(ReduceScatterOp::create(
              b, x.getLoc(), x.getType(), x.getInput(), getGroup(x),
              x.getScatterAxis().getSExtValue(), *by));
        })
        .Case([&](shard::ProcessMultiIndexOp x) {
          SmallVector<Value> places;
          for (int16_t axis : getAxes(x.getAxes()))
            places.push_back(
                GroupRankOp::create(b, x.getLoc(), b.getIndexType(),
                                  groupOver({axis})));
          return replaceAll(places);
        })
        .Case([&](shard::ProcessLinearIndexOp x) {
          return replace(
              GroupRankOp::create(b, x.getLoc(), b.getIndexType(),
                                  groupOver(getAxes({}))));
        })
        .Case([&](shard::GridShapeOp x) {
          SmallVector<Value> sizes;
          for (int16_t axis : getAxes(x.getAxes()))
            sizes.push_back(arith::ConstantIndexOp::create(
                b, x.getLoc(), mesh.getShape()[axis]));
          return replaceAll(sizes);
        })
        .Case([&](shard::ShardingOp x) -> LogicalResult {
          if (!x->use_empty())
            return refuse();
          x.erase();
          return success();
        })
        .Default([&](Operation *) { return refuse(); });
  }

private:
  LogicalResult refuse() {
    return op->emitOpError()
           << "expected one of all_to_all, all_gather, all_reduce, "
              "reduce_scatter, all_slice, process_multi_index, "
              "process_linear_index and grid_shape, which moe has an op for";
  }

  template <typename OpT> LogicalResult replace(OpT made) {
    carryOver(op, made);
    op->getResult(0).replaceAllUsesWith(made->getResult(0));
    op->erase();
    return success();
  }
  LogicalResult replaceAll(ArrayRef<Value> values) {
    op->replaceAllUsesWith(ValueRange(values));
    op->erase();
    return success();
  }

  /// Returns the axes that an op names; no names mean all axes when an op
  /// queries its process' position.
  SmallVector<int16_t> getAxes(ArrayRef<int16_t> named) {
    SmallVector<int16_t> axes(named);
    if (axes.empty())
      for (unsigned i = 0; i < mesh.getShape().size(); ++i)
        axes.push_back(i);
    return axes;
  }

  GroupAttr groupOver(ArrayRef<int16_t> axes) {
    SmallVector<StringRef> names;
    for (int16_t axis : axes)
      names.push_back(cast<StringAttr>(mesh.getAxes()[axis]).getValue());
    return GroupAttr::get(FlatSymbolRefAttr::get(mesh.getSymNameAttr()), names);
  }
  template <typename OpT> GroupAttr getGroup(OpT collective) {
    return groupOver(collective.getGridAxes());
  }

  template <typename OpT> FailureOr<Reduction> getReduction(OpT reduce) {
    Type from = reduce.getInput().getType(), to = reduce.getResult().getType();
    if (!isa<RankedTensorType>(from))
      return reduce.emitOpError() << "expected a tensor, got " << from;
    if (getElementTypeOrSelf(from) != getElementTypeOrSelf(to))
      return reduce.emitOpError()
             << "expected a result of the operand's element type, "
             << getElementTypeOrSelf(from) << ", got "
             << getElementTypeOrSelf(to);
    switch (reduce.getReduction()) {
    case shard::ReductionKind::Sum:
      return Reduction::Sum;
    case shard::ReductionKind::Product:
      return Reduction::Prod;
    case shard::ReductionKind::Min:
      return Reduction::Min;
    case shard::ReductionKind::Max:
      return Reduction::Max;
    default:
      return reduce.emitOpError()
             << "expected a reduction that is sum, product, min or max, got "
             << shard::stringifyReductionKind(reduce.getReduction());
    }
  }

  MeshOp mesh;
  Operation *op = nullptr;
};

struct ConvertShardToMoE
    : public moe::impl::ConvertShardToMoEBase<ConvertShardToMoE> {
  using ConvertShardToMoEBase::ConvertShardToMoEBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertShardToMoEBase::getDependentDialects(registry);
    shard::createPartition()->getDependentDialects(registry);
    // External models for partitioning; the models of other dialects are
    // registered with these.
    func::registerShardingInterfaceExternalModels(registry);
    tensor::registerShardingInterfaceExternalModels(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<shard::GridOp> grids(module.getOps<shard::GridOp>());
    if (grids.empty())
      return;
    MeshOp mesh = MeshOp::lookup(module);
    if (failed(checkShapes(grids, mesh)))
      return signalPassFailure();
    FailureOr<ArrayAttr> names =
        mesh ? FailureOr<ArrayAttr>(mesh.getAxes()) : getNames(grids.front());
    if (failed(names) || failed(partition(*names)))
      return signalPassFailure();
    if (!mesh && !(mesh = makeMesh(grids, *names)))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa_and_nonnull<shard::ShardDialect>(op->getDialect()) &&
          !isa<shard::GridOp>(op))
        ops.push_back(op);
    });
    Converter converter(mesh);
    // Visits users first, because unused shardings are erased.
    for (Operation *op : llvm::reverse(ops))
      if (failed(converter.convert(op)))
        return signalPassFailure();
    for (shard::GridOp grid : grids)
      grid.erase();
  }

private:
  LogicalResult run(std::unique_ptr<Pass> pass, func::FuncOp function) {
    OpPassManager passes(func::FuncOp::getOperationName());
    passes.addPass(std::move(pass));
    return runPipeline(passes, function);
  }

  /// Verifies that all grids have one shape, and that it matches an existing
  /// mesh.
  LogicalResult checkShapes(ArrayRef<shard::GridOp> grids, MeshOp mesh) {
    shard::GridOp first = grids.front();
    for (shard::GridOp grid : grids) {
      if (ShapedType::isDynamicShape(grid.getShape()))
        return grid.emitOpError()
               << "expected sizes that are known, got a '?'";
      if (grid.getShape() != first.getShape()) {
        InFlightDiagnostic diag =
            grid.emitOpError()
            << "expected grids of one shape, which become one mesh, got ("
            << grid.getShape() << ")";
        diag.attachNote(first.getLoc())
            << "the first one is (" << first.getShape() << ")";
        return diag;
      }
    }
    if (!mesh)
      return success();
    if (mesh.getShape() != first.getShape()) {
      InFlightDiagnostic diag =
          mesh.emitOpError() << "expected the shape of the grid, which it is in "
                                "this dialect, got ("
                             << mesh.getShape() << ")";
      diag.attachNote(first.getLoc())
          << "the grid is (" << first.getShape() << ")";
      return diag;
    }
    if (!axes.empty())
      return mesh.emitOpError()
             << "expected no axes for convert-shard-to-moe, which it names, got '"
             << axes << "'";
    return success();
  }

  /// Creates the mesh that replaces grids; null if it is invalid.
  MeshOp makeMesh(ArrayRef<shard::GridOp> grids, ArrayAttr names) {
    // Inserted after the grids, because they have the same name and are still
    // looked up.
    shard::GridOp first = grids.front(), last = grids.back();
    OpBuilder b(first);
    b.setInsertionPointAfter(last);
    auto mesh = MeshOp::create(b, first.getLoc(), first.getSymNameAttr(), names,
                               first.getShapeAttr());
    carryOver(first, mesh);
    return succeeded(verify(mesh)) ? mesh : MeshOp();
  }

  /// Returns the names of the axes of the mesh that replaces a grid.
  FailureOr<ArrayAttr> getNames(shard::GridOp first) {
    SmallVector<std::string> numbered;
    SmallVector<StringRef> names;
    if (!axes.empty())
      StringRef(axes).split(names, ',');
    else
      for (unsigned i = 0; i < first.getShape().size(); ++i)
        numbered.push_back("axis" + std::to_string(i));
    names.append(numbered.begin(), numbered.end());
    if (names.size() != first.getShape().size())
      return first.emitOpError()
             << "expected a name for each of its " << first.getShape().size()
             << " axes, got " << names.size() << " in axes";
    return Builder(&getContext()).getStrArrayAttr(names);
  }

  /// Converts functions of global tensors and shardings to functions of local
  /// tensors, and states the varying axes of their arguments.
  LogicalResult partition(ArrayAttr names) {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      WalkResult found = function.walk(
          [](shard::ShardOp) { return WalkResult::interrupt(); });
      if (!found.wasInterrupted())
        continue;
      if (failed(run(shard::createShardingPropagation(), function)))
        return failure();
      SmallVector<ArrayAttr> varying;
      for (BlockArgument argument : function.getArguments())
        varying.push_back(getVarying(argument, names));
      if (failed(run(shard::createPartition(), function)))
        return failure();
      for (auto [i, axes] : llvm::enumerate(varying))
        if (axes)
          function.setArgAttr(i, MoEDialect::getVaryingAttrName(), axes);
    }
    return success();
  }

  /// Returns the axes that an argument is split along; null if it has no
  /// sharding.
  static ArrayAttr getVarying(BlockArgument argument, ArrayAttr axes) {
    for (Operation *user : argument.getUsers()) {
      auto says = dyn_cast<shard::ShardOp>(user);
      auto sharding =
          says && !says.getAnnotateForUsers()
              ? says.getSharding().getDefiningOp<shard::ShardingOp>()
              : shard::ShardingOp();
      if (!sharding)
        continue;
      llvm::SmallDenseSet<int16_t> split;
      for (auto dim : sharding.getSplitAxes())
        split.insert_range(dim.asArrayRef());
      SmallVector<Attribute> names;
      for (auto [i, name] : llvm::enumerate(axes))
        if (split.contains(i))
          names.push_back(name);
      return ArrayAttr::get(axes.getContext(), names);
    }
    return nullptr;
  }
};

} // namespace
