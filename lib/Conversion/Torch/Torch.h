// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reads programs of PyTorch.

#ifndef MOE_LIB_CONVERSION_TORCH_H
#define MOE_LIB_CONVERSION_TORCH_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/MapVector.h"

namespace moe {

/// What the options say that the text does not.
struct TorchJob {
  MeshOp mesh;
  /// Of groups' names what they are.
  llvm::StringMap<GroupAttrInterface> groups;
  /// Of numbers of arguments the axes over which they differ.
  llvm::MapVector<unsigned, llvm::SmallVector<std::string>> varying;
};

/// Reads the options of `--convert-torch-to-moe` and makes the mesh. Emits an
/// error at the module where they are no mesh, no groups of it, or no axes.
llvm::FailureOr<TorchJob> readTorchJob(mlir::ModuleOp module,
                                       llvm::StringRef mesh,
                                       llvm::StringRef groups,
                                       llvm::StringRef varying);

/// Whether an op is one of PyTorch's functional collectives, or waits for one.
bool isTorchCollective(mlir::Operation *op);

/// Turns the functional collectives of a module, on tensors, into those of
/// `moe`. Emits an error at one that cannot be what every rank runs.
llvm::LogicalResult readTorchCollectives(mlir::ModuleOp module,
                                         const TorchJob &job);

} // namespace moe

#endif // MOE_LIB_CONVERSION_TORCH_H
