// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering of bodies with upstream's passes.

#include "LowerBodies.h"
#include "Kernels.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Returns the type of an op's result with another element type.
static Type withElement(Operation *op, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(op->getResult(0).getType()))
    return shaped.clone(element);
  return element;
}

static Value makeConstant(OpBuilder &builder, Operation *op, Type element,
                          int64_t value) {
  TypedAttr attr = builder.getIntegerAttr(element, value);
  if (auto shaped = dyn_cast<ShapedType>(withElement(op, element)))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(builder, op->getLoc(), attr);
}

/// Truncates f64 to bf16 through f32 with a single rounding. The first step
/// rounds to odd, which keeps information about the dropped bits in the last
/// bit. Because f32 has 16 more bits, the second step then rounds to the bf16
/// that is nearest to the f64.
static void expandTruncF64(arith::TruncFOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto getType = [&](Type element) { return withElement(op, element); };
  auto getOne = [&](Type element) {
    return makeConstant(builder, op, element, 1);
  };
  Type f32 = getType(builder.getF32Type()), i32 = getType(builder.getI32Type()),
       i64 = getType(builder.getI64Type());
  Value oneBit = getOne(builder.getI32Type());
  Value wide = op.getIn();
  Value narrow = arith::TruncFOp::create(builder, loc, f32, wide);
  Value back = arith::ExtFOp::create(builder, loc, wide.getType(), narrow);
  // A NaN is not changed.
  Value isInexact = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ONE, back, wide);
  // Larger floats have larger bits, apart from the sign.
  auto getMagnitude = [&](Value value) -> Value {
    Value all = arith::BitcastOp::create(builder, loc, i64, value);
    return arith::ShLIOp::create(builder, loc, all,
                                 getOne(builder.getI64Type()));
  };
  Value isLarger =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                            getMagnitude(back), getMagnitude(wide));
  Value bits = arith::BitcastOp::create(builder, loc, i32, narrow);
  Value below = arith::SubIOp::create(builder, loc, bits, oneBit);
  Value towardsZero =
      arith::SelectOp::create(builder, loc, isLarger, below, bits);
  Value odd = arith::OrIOp::create(builder, loc, towardsZero, oneBit);
  Value chosen = arith::SelectOp::create(builder, loc, isInexact, odd, bits);
  Value rounded = arith::BitcastOp::create(builder, loc, f32, chosen);
  op.replaceAllUsesWith(
      arith::TruncFOp::create(builder, loc, op.getType(), rounded).getResult());
  op.erase();
}

/// Converts an integer to bf16 through f64 with a single rounding. f32 holds 24
/// bits of it and f64 53. Wider integers are first rounded to odd: the bits
/// below the 53rd are combined into the last one that is kept.
template <typename Op> static void expandIntegerToBF16(Op op) {
  constexpr bool isSigned = std::is_same_v<Op, arith::SIToFPOp>;
  constexpr int64_t kDropped = 11, kExact = 64 - kDropped;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value integer = op.getIn();
  unsigned width =
      getElementTypeOrSelf(integer.getType()).getIntOrFloatBitWidth();
  if (width <= 24 || width > 64)
    return;
  Type element = builder.getI64Type(), i64 = withElement(op, element);
  auto getConstant = [&](int64_t value) {
    return makeConstant(builder, op, element, value);
  };
  if (width > kExact) {
    using Extend = std::conditional_t<isSigned, arith::ExtSIOp, arith::ExtUIOp>;
    if (width < 64)
      integer = Extend::create(builder, loc, i64, integer);
    Value low = arith::AndIOp::create(builder, loc, integer,
                                      getConstant((1 << kDropped) - 1));
    Value high = arith::AndIOp::create(builder, loc, integer,
                                       getConstant(-(1 << kDropped)));
    Value isInexact = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne, low, getConstant(0));
    Value odd =
        arith::OrIOp::create(builder, loc, high, getConstant(1 << kDropped));
    Value rounded = arith::SelectOp::create(builder, loc, isInexact, odd, high);
    // Integers from -2^53 to 2^53 are exact without rounding.
    Value size = integer;
    if (isSigned)
      size = arith::AddIOp::create(builder, loc, size,
                                   getConstant(int64_t(1) << kExact));
    Value isSmall =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, size,
                              getConstant(int64_t(1) << (kExact + isSigned)));
    integer = arith::SelectOp::create(builder, loc, isSmall, integer, rounded);
  }
  Value wide =
      Op::create(builder, loc, withElement(op, builder.getF64Type()), integer);
  op.replaceAllUsesWith(
      arith::TruncFOp::create(builder, loc, op.getType(), wide).getResult());
  op.erase();
}

namespace {
/// Upstream marks the conversions around an emulated op, so that consecutive
/// ones may be folded. They round after every op and must stay, so this removes
/// the marks. It also expands truncations from f64 to bf16, because neither
/// instructions nor library functions exist for them.
struct KeepRounding : public PassWrapper<KeepRounding, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeepRounding)

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto narrow = dyn_cast<arith::TruncFOp>(op)) {
        narrow.removeFastmathAttr();
        if (getElementTypeOrSelf(narrow.getIn().getType()).isF64() &&
            getElementTypeOrSelf(narrow.getType()).isBF16())
          expandTruncF64(narrow);
      } else if (auto wide = dyn_cast<arith::ExtFOp>(op)) {
        wide.removeFastmathAttr();
      }
    });
  }
};

/// Expands functions without GPU instructions.
struct ExpandMath : public PassWrapper<ExpandMath, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMath)

  void runOnOperation() override { moe::expandMath(getOperation()); }
};

/// Must run before types change, because the comparisons use the bounds of the
/// type.
struct ExpandClasses : public PassWrapper<ExpandClasses, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandClasses)

  void runOnOperation() override { moe::expandClasses(getOperation()); }
};

/// Upstream's minima and maxima may return either of two zeros.
struct ExpandMinMax : public PassWrapper<ExpandMinMax, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMinMax)

  void runOnOperation() override { moe::expandMinMax(getOperation()); }
};

/// Upstream converts integers to bf16 through f32, and rounds twice.
struct RoundIntegersOnce
    : public PassWrapper<RoundIntegersOnce, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RoundIntegersOnce)

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op) ||
          !getElementTypeOrSelf(op->getResult(0).getType()).isBF16())
        return;
      if (auto fromSigned = dyn_cast<arith::SIToFPOp>(op))
        expandIntegerToBF16(fromSigned);
      else
        expandIntegerToBF16(cast<arith::UIToFPOp>(op));
    });
  }
};
} // namespace

void moe::addScalarPasses(OpPassManager &manager, bool forDevice) {
  manager.addPass(std::make_unique<ExpandClasses>());
  math::MathExtendToSupportedTypesOptions extend;
  extend.extraTypeStrs = {};
  manager.addPass(math::createMathExtendToSupportedTypes(extend));
  if (forDevice)
    manager.addPass(std::make_unique<ExpandMath>());
  manager.addPass(std::make_unique<RoundIntegersOnce>());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16", "f16"};
  emulate.targetTypeStr = "f32";
  manager.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  manager.addPass(std::make_unique<KeepRounding>());
  manager.addPass(std::make_unique<ExpandMinMax>());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  manager.addPass(arith::createArithExpandOpsPass(expand));
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createCanonicalizerPass());
}

LogicalResult moe::verifyFloats(Operation *body) {
  auto isUnknown = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return isa<FloatType>(element) && !element.isF64() && !element.isF32() &&
           !element.isF16() && !element.isBF16();
  };
  WalkResult walk = body->walk([&](Operation *op) {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        isa<arith::ConstantOp, arith::SelectOp>(op))
      return WalkResult::advance();
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (isUnknown(type)) {
          op->emitOpError() << "has no compiled form for elements of type "
                            << getElementTypeOrSelf(type)
                            << ": expected f64, f32, f16 or bf16";
          return WalkResult::interrupt();
        }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

void moe::populateScalarPatterns(LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  // Uses LLVM intrinsics instead of library calls. There are none for e^x - 1
  // and log(1 + x); upstream would subtract 1 from e^x, which loses all
  // precision for small numbers.
  MLIRContext *context = patterns.getContext();
  RewritePatternSet intrinsics(context);
  populateMathToLLVMConversionPatterns(converter, intrinsics,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  OperationName expm1(math::ExpM1Op::getOperationName(), context);
  for (std::unique_ptr<RewritePattern> &pattern :
       intrinsics.getNativePatterns())
    if (pattern->getRootKind() != expm1)
      patterns.add(std::move(pattern));
}

LogicalResult moe::lowerBodies(
    ModuleOp module, ArrayRef<Operation *> bodies,
    function_ref<LogicalResult(OpPassManager &, Operation *)> run) {
  OpPassManager preparation(func::FuncOp::getOperationName());
  preparation.addPass(createConvertLinalgToLoopsPass());
  addScalarPasses(preparation, /*forDevice=*/false);
  for (Operation *body : bodies)
    if (isa<func::FuncOp>(body) &&
        (failed(verifyFloats(body)) || failed(run(preparation, body))))
      return failure();

  MLIRContext *context = module.getContext();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  cf::populateAssertToLLVMConversionPattern(converter, patterns);
  populateMathToLibmConversionPatterns(patterns, /*benefit=*/1);
  populateScalarPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  return applyPartialConversion(bodies, target, std::move(patterns));
}
