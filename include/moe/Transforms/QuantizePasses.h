// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that send fewer bits.

#ifndef MOE_TRANSFORMS_QUANTIZEPASSES_H
#define MOE_TRANSFORMS_QUANTIZEPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Support/PassOptions.h"

namespace mlir {
namespace tensor {
class TensorDialect;
} // namespace tensor
} // namespace mlir

namespace moe {
class MoEDialect;

#define GEN_PASS_DECL
#include "moe/Transforms/QuantizePasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Transforms/QuantizePasses.h.inc"

} // namespace moe

#endif // MOE_TRANSFORMS_QUANTIZEPASSES_H
