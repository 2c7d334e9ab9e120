// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of PyTorch programs to and from moe.

#ifndef MOE_LIB_CONVERSION_TORCH_H
#define MOE_LIB_CONVERSION_TORCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/MapVector.h"

namespace moe {

/// The properties of a job that the options state because the text lacks them.
struct TorchJob {
  MeshOp mesh;
  /// Groups by name.
  llvm::StringMap<GroupAttrInterface> groups;
  /// The mesh axes over which each argument differs, by argument number.
  llvm::MapVector<unsigned, llvm::SmallVector<std::string>> varying;
};

/// Reads the options of `--convert-torch-to-moe` and creates the mesh. Emits an
/// error at the module if the mesh, its groups or its axes are invalid.
llvm::FailureOr<TorchJob> readTorchJob(mlir::ModuleOp module,
                                       llvm::StringRef mesh,
                                       llvm::StringRef groups,
                                       llvm::StringRef varying);

/// Returns true for PyTorch's functional collectives and for waits for them.
bool isTorchCollective(mlir::Operation *op);

/// Converts the functional collectives of a module to `moe` collectives, one
/// for each tensor of a list. Emits an error at a collective that not every
/// rank can run. Adds to `reasons` why other collectives remain.
llvm::LogicalResult
readTorchCollectives(mlir::ModuleOp module, const TorchJob &job,
                     llvm::DenseMap<mlir::Operation *, std::string> &reasons);

/// Renames `torch.operator` ops, and ops with facts in the text, to names with
/// known dims and times.
void nameTorchOperators(mlir::ModuleOp module);
/// Replaces an op by one with another name.
void renameTorchOp(mlir::Operation *op, llvm::StringRef name);

/// Replaces ops that make or read lists of tensors by ops on their elements.
void readTorchLists(mlir::ModuleOp module);

/// Moves collectives along dim 0 to the dim whose pieces are restacked around
/// them.
void moveTorchDims(mlir::ModuleOp module);

/// Returns the tensors of a list that the text constructs; nullopt for other
/// values.
std::optional<llvm::SmallVector<mlir::Value>> getTorchList(mlir::Value list);

/// An element that the program takes from a list, and its index.
struct TorchElement {
  mlir::Value value;
  size_t index;
};
/// Returns all elements that the program takes from a list of `count` tensors;
/// nullopt if the list is also used as a whole.
std::optional<llvm::SmallVector<TorchElement>>
findTorchElements(mlir::Operation *maker, size_t count);
/// Replaces the elements by `values`, and erases the op that makes the list.
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
