// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of kernels for devices.

#include "Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace moe;

bool moe::isMathInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp, math::RoundEvenOp,
             math::RoundOp, math::SqrtOp, math::TruncOp>(op);
}

/// Returns the reason why an op cannot be in a kernel, or an empty string.
static StringRef findFault(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()))
    return isMathInstruction(op)
               ? ""
               : "there is neither an instruction nor a formula for it";
  if (isa<arith::RemFOp>(op))
    return "there is no instruction that gives it exactly";
  if (isa<cf::AssertOp>(op))
    return "a kernel cannot tell that something is wrong";
  if (isa<memref::AllocOp, memref::DeallocOp>(op))
    return "a kernel cannot allocate memory";
  if (isa<gpu::BarrierOp>(op))
    return "expected threads that do not wait for each other";
  if (isa<gpu::BlockIdOp, gpu::ThreadIdOp, gpu::GridDimOp, gpu::BlockDimOp,
          gpu::ReturnOp, memref::LoadOp, memref::StoreOp, memref::AllocaOp,
          memref::GetGlobalOp, memref::ReinterpretCastOp,
          memref::ExtractAlignedPointerAsIndexOp,
          memref::ExtractStridedMetadataOp, memref::CastOp,
          UnrealizedConversionCastOp>(op) ||
      isa<arith::ArithDialect, cf::ControlFlowDialect, index::IndexDialect,
          ub::UBDialect>(op->getDialect()))
    return "";
  return "it has no lowering to PTX";
}

LogicalResult moe::verifyKernels(gpu::GPUModuleOp kernels) {
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    if (kernel.getNumWorkgroupAttributions() != 0)
      return kernel.emitOpError()
             << "expected threads that share no memory of their block";
    WalkResult walk = kernel.getBody().walk([&](Operation *op) {
      StringRef fault =
          op->getDialect() ? findFault(op) : "nothing is known about it";
      if (fault.empty())
        return WalkResult::advance();
      op->emitOpError() << "in the kernel @" << kernel.getName()
                        << " of a 'moert.launch' cannot run on a device: "
                        << fault;
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}
