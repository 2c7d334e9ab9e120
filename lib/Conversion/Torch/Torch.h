// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reads programs of PyTorch.

#ifndef MOE_LIB_CONVERSION_TORCH_H
#define MOE_LIB_CONVERSION_TORCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// Turns the functional collectives of a module into those of `moe`, one for
/// each tensor of a list. Emits an error at one that cannot be what every rank
/// runs. Adds the reason for each collective that stays to `reasons`.
llvm::LogicalResult
readTorchCollectives(mlir::ModuleOp module, const TorchJob &job,
                     llvm::DenseMap<mlir::Operation *, std::string> &reasons);

/// Renames `torch.operator` ops, and ops with facts in the text, to names whose
/// dims and times are known.
void nameTorchOperators(mlir::ModuleOp module);
/// Replaces an op by one with another name.
void renameTorchOp(mlir::Operation *op, llvm::StringRef name);

/// Replaces ops that make or read lists of tensors by ops on their elements.
void readTorchLists(mlir::ModuleOp module);

/// Moves collectives along dim 0 to the dim whose pieces are restacked around
/// them.
void moveTorchDims(mlir::ModuleOp module);

/// The tensors of a list that the text constructs; nullopt for other values.
std::optional<llvm::SmallVector<mlir::Value>> getTorchList(mlir::Value list);

/// An element that is taken out of a list, and its place there.
struct TorchElement {
  mlir::Value value;
  size_t index;
};
/// All elements of a list of `count` tensors that are taken out; nullopt if the
/// list is also used as a whole.
std::optional<llvm::SmallVector<TorchElement>>
findTorchElements(mlir::Operation *maker, size_t count);
/// Replaces them by `values`, and erases the op that makes the list.
void replaceTorchElements(mlir::Operation *maker,
                          llvm::ArrayRef<TorchElement> elements,
                          mlir::ValueRange values);

/// Converts `moe`, `tensor` and `arith` ops of a function to PyTorch ops, and
/// `torch.constants` to operands. The function must not have nested regions.
/// Emits an error for an op that PyTorch does not have.
llvm::LogicalResult writeTorchOps(mlir::func::FuncOp function);

/// Moves PyTorch collectives up to their operands, keeping their order, and
/// moves waits down to the first use of the result.
void launchEarlyAndWaitLate(mlir::Block &block);

} // namespace moe

#endif // MOE_LIB_CONVERSION_TORCH_H
