// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that cut the batch.

#ifndef MOE_TRANSFORMS_BATCHPASSES_H
#define MOE_TRANSFORMS_BATCHPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Support/EnumNames.h"
#include "moe/Support/PassOptions.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
namespace arith {
class ArithDialect;
} // namespace arith
namespace tensor {
class TensorDialect;
} // namespace tensor
} // namespace mlir

namespace moe {
class MoEDialect;

/// What becomes of layers with slots that tokens compete for.
enum class SlotSharing { Keep, Share };

template <> struct EnumNames<SlotSharing> {
  static constexpr EnumName<SlotSharing> all[] = {
      {SlotSharing::Keep, "keep", "leave the batch whole"},
      {SlotSharing::Share, "share",
       "give each sub-batch its share of the slots"}};
};

/// Cuts the functions of a module that have layers, all of them or none, into
/// `parts`, as `moe-split-batch` does. Says in `reason` why nothing was cut,
/// and then leaves the module as it is; names layers that may drop other
/// tokens than before in `changed`.
bool splitBatch(mlir::ModuleOp module, int64_t parts, SlotSharing slots,
                std::string &reason,
                llvm::SmallVectorImpl<std::string> &changed);

#define GEN_PASS_DECL
#include "moe/Transforms/BatchPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Transforms/BatchPasses.h.inc"

} // namespace moe

#endif // MOE_TRANSFORMS_BATCHPASSES_H
