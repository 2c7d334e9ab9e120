// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs ask of NCCL.

#ifndef MOE_DIALECT_MOE_NCCLATTR_H
#define MOE_DIALECT_MOE_NCCLATTR_H

#include "mlir/IR/BuiltinOps.h"

namespace moe {

/// The module attribute with what a program asks of NCCL, a dictionary of
/// numbers (i32): `min_ctas`, `max_ctas`, `cga_cluster_size` and
/// `register_buffers`, as `moert_config` has them. A platform's file says it;
/// code for `nccl` has it.
inline constexpr llvm::StringLiteral kNcclAttrName = "moe.nccl";

/// What it says; 0 for what it does not.
struct NcclWishes {
  int32_t minCtas = 0, maxCtas = 0, cgaClusterSize = 0, registerBuffers = 0;
};

/// Of a module, with nothing where it has no such attribute. Emits an error and
/// fails for other names and for numbers that cannot be.
llvm::FailureOr<NcclWishes> readNcclWishes(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_DIALECT_MOE_NCCLATTR_H
