// moe-opt with an op, the op's cost, its meaning in MLIR's ops, and a pass of your
// own.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

/// What the op is in MLIR's own, which run: rows over the root of the sum of their
/// squares.
struct ExpandNorms : public PassWrapper<ExpandNorms, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandNorms)
  StringRef getArgument() const final { return "user-expand-norms"; }
  StringRef getDescription() const final { return "Norms in ops of MLIR"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](NormOp norm) {
      OpBuilder b(norm);
      Value rows = norm->getOperand(0);
      auto type = cast<RankedTensorType>(rows.getType());
      Type element = type.getElementType();
      Value zero = arith::ConstantOp::create(b, norm.getLoc(),
                                             b.getZeroAttr(element));
      Value none = tensor::EmptyOp::create(
          b, norm.getLoc(), type.getShape().drop_back(), element);
      Value sums = linalg::FillOp::create(b, norm.getLoc(), zero, none)
                       .getResult(0);
      AffineMap all = b.getMultiDimIdentityMap(unsigned(type.getRank()));
      AffineMap row = all.dropResult(unsigned(type.getRank()) - 1);
      SmallVector<utils::IteratorType> loops(size_t(type.getRank()),
                                             utils::IteratorType::parallel);
      SmallVector<utils::IteratorType> adding = loops;
      adding.back() = utils::IteratorType::reduction;
      auto squares = linalg::GenericOp::create(
          b, norm.getLoc(), sums.getType(), rows, sums, ArrayRef{all, row},
          adding, [](OpBuilder &b, Location loc, ValueRange in) {
            Value square = arith::MulFOp::create(b, loc, in[0], in[0]);
            Value sum = arith::AddFOp::create(b, loc, in[1], square);
            linalg::YieldOp::create(b, loc, sum);
          });
      Value into = tensor::EmptyOp::create(b, norm.getLoc(), type.getShape(),
                                           element);
      auto norms = linalg::GenericOp::create(
          b, norm.getLoc(), type, ValueRange{rows, squares.getResult(0)}, into,
          ArrayRef{all, row, all}, loops,
          [](OpBuilder &b, Location loc, ValueRange in) {
            Value root = math::SqrtOp::create(b, loc, in[1]);
            Value quotient = arith::DivFOp::create(b, loc, in[0], root);
            linalg::YieldOp::create(b, loc, quotient);
          });
      norm->replaceAllUsesWith(norms);
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
  PassRegistration<ExpandNorms>();
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
