// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL settings that programs request.

#ifndef MOE_DIALECT_MOE_NCCLATTR_H
#define MOE_DIALECT_MOE_NCCLATTR_H

#include "mlir/IR/BuiltinOps.h"

namespace moe {

/// Name of the module attribute with the NCCL settings of a program, a
/// dictionary of i32: `min_ctas`, `max_ctas`, `cga_cluster_size` and
/// `register_buffers`, as in `moert_config`. Platform files provide them, and
/// code for `nccl` contains them.
inline constexpr llvm::StringLiteral kNcclAttrName = "moe.nccl";

/// The settings of the attribute; 0 for each one that is absent.
struct NcclWishes {
  int32_t minCtas = 0, maxCtas = 0, cgaClusterSize = 0, registerBuffers = 0;
};

/// Returns the settings of a module, all 0 without the attribute. Emits an
/// error and fails for other names and invalid numbers.
llvm::FailureOr<NcclWishes> readNcclWishes(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_DIALECT_MOE_NCCLATTR_H
