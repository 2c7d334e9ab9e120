// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch in.

#ifndef MOE_CONVERSION_TORCH_PASSES_H
#define MOE_CONVERSION_TORCH_PASSES_H

#include "moe/Support/PassOptions.h"

namespace mlir {
class ModuleOp;
namespace arith {
class ArithDialect;
} // namespace arith
} // namespace mlir

namespace moe {
class MoEDialect;

#define GEN_PASS_DECL
#include "moe/Conversion/Torch/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Conversion/Torch/Passes.h.inc"

} // namespace moe

#endif // MOE_CONVERSION_TORCH_PASSES_H
