// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import of upstream's shard dialect.

#ifndef MOE_CONVERSION_SHARD_PASSES_H
#define MOE_CONVERSION_SHARD_PASSES_H

#include "moe/Support/PassOptions.h"

namespace mlir {
class ModuleOp;
namespace arith {
class ArithDialect;
} // namespace arith
namespace shard {
class ShardDialect;
} // namespace shard
} // namespace mlir

namespace moe {
class MoEDialect;

#define GEN_PASS_DECL
#include "moe/Conversion/Shard/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Conversion/Shard/Passes.h.inc"

} // namespace moe

#endif // MOE_CONVERSION_SHARD_PASSES_H
