// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import and export of StableHLO.

#ifndef MOE_CONVERSION_STABLEHLO_PASSES_H
#define MOE_CONVERSION_STABLEHLO_PASSES_H

#include "moe/Support/PassOptions.h"

namespace mlir {
class ModuleOp;
namespace arith {
class ArithDialect;
} // namespace arith
namespace func {
class FuncDialect;
} // namespace func
namespace scf {
class SCFDialect;
} // namespace scf
} // namespace mlir

namespace moe {
class MoEDialect;

#define GEN_PASS_DECL
#include "moe/Conversion/StableHLO/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Conversion/StableHLO/Passes.h.inc"

} // namespace moe

#endif // MOE_CONVERSION_STABLEHLO_PASSES_H
