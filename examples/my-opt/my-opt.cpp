// moe-opt with an op, the op's cost and a pass of your own.
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "moe/Analysis/Timing.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Register.h"

using namespace mlir;

namespace {

/// Norms of rows: the last dim is opaque, the others pass one to one.
class NormOp
    : public Op<NormOp, OpTrait::ZeroRegions, OpTrait::OneResult,
                OpTrait::OneOperand, moe::DimMapOpInterface::Trait,
                moe::ChainOpInterface::Trait, MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NormOp)
  using Op::Op;
  static StringRef getOperationName() { return "user.norm"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  moe::DimMap getDimMap() {
    auto type = cast<RankedTensorType>(getOperation()->getOperand(0).getType());
    auto last = unsigned(type.getRank() - 1);
    moe::DimMap map;
    for (unsigned dim = 0; dim < last; ++dim)
      map.links.push_back({0, dim, 0, dim});
    map.opaqueOperandDims = {{0, last}};
    map.opaqueResultDims = {{0, last}};
    return map;
  }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}
};

/// Its cost: the op reads its operand twice.
struct NormCost : public moe::CostOpInterface::ExternalModel<NormCost, NormOp> {
  FailureOr<moe::cost::Microseconds> getTime(Operation *op,
                                             moe::CostContext &context) const {
    FailureOr<moe::cost::Bytes> bytes = moe::getResultBytes(op);
    if (failed(bytes))
      return failure();
    return moe::getCopyTime(op, context, 2 * *bytes);
  }
};

class UserDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UserDialect)
  explicit UserDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<UserDialect>()) {
    addOperations<NormOp>();
    NormOp::attachInterface<NormCost>(*context);
  }
  static constexpr StringLiteral getDialectNamespace() { return "user"; }
};

/// The pass: the norm of a norm is that norm.
struct MergeNorms : public PassWrapper<MergeNorms, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergeNorms)
  StringRef getArgument() const final { return "user-merge-norms"; }
  StringRef getDescription() const final { return "Merge norms of norms"; }

  void runOnOperation() override {
    getOperation()->walk([](NormOp norm) {
      auto inner = norm->getOperand(0).getDefiningOp<NormOp>();
      if (!inner)
        return;
      norm->replaceAllUsesWith(inner->getResults());
      norm->erase();
    });
  }
};

} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  moe::registerProgramDialects(registry);
  registry.insert<UserDialect>();
  moe::registerCompilerPasses();
  PassRegistration<MergeNorms>();
  // Between two phases: --user-compile.
  PassPipelineRegistration<> compile(
      "user-compile", "to=schedule for dgx-h100, norms merged on the way",
      [](OpPassManager &manager) {
        moe::CompileOptions options;
        options.platform = "dgx-h100";
        moe::addPhases(manager, moe::CompilePhase::Choose, options);
        manager.addPass(std::make_unique<MergeNorms>());
        options = {};
        options.from = moe::CompilePhase::Decompose;
        moe::addPhases(manager, moe::CompilePhase::Schedule, options);
      });
  return asMainReturnCode(
      MlirOptMain(argc, argv, "moe-opt with what is ours\n", registry));
}
