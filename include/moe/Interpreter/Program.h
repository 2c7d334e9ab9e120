// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module and the function to execute.

#ifndef MOE_INTERPRETER_PROGRAM_H
#define MOE_INTERPRETER_PROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Interpreter/Collapse.h"
#include "moe/Interpreter/Sampling.h"
#include "moe/Interpreter/TermPrinter.h"
#include <optional>
#include <string>
#include <vector>

namespace moe {

/// A module, its entry function and its ranks, checked to be executable.
class Program {
public:
  /// Finds the entry function: `entry` if not empty, else @main, else the only
  /// public function with a body. `ranks` must equal the module's number of
  /// ranks, or gives the number if the module has none. Tables of this many
  /// ranks must fit `maxBytes`. Emits an error and fails otherwise.
  static mlir::FailureOr<Program>
  load(mlir::ModuleOp module, llvm::StringRef file, llvm::StringRef entry,
       std::optional<int64_t> ranks, uint64_t maxBytes);

  /// Returns the ranges to draw the integers of each argument from, so that
  /// this program and `other`, if given, can run.
  std::vector<DrawnRange>
  getIntegerRanges(const Program *other = nullptr) const;

  mlir::ModuleOp getModule() const { return module; }
  llvm::StringRef getFile() const { return file; }
  mlir::func::FuncOp getEntry() const { return entry; }
  int64_t getNumRanks() const { return numRanks; }

  /// Returns, for every rank, the lowest rank that holds the same data of an
  /// argument: the rank with the same coordinates on the axes in `moe.varying`.
  /// Without this attribute, every rank holds its own data.
  std::vector<int64_t> getRepresentatives(unsigned argument) const;

  /// Returns the names of the arguments' elements under a collapse.
  ArgumentNames getArgumentNames(const Collapse *collapse) const;

  /// Returns the shape of a tensor with all static sizes uncollapsed.
  llvm::SmallVector<int64_t> getRealShape(mlir::Type type,
                                          llvm::ArrayRef<int64_t> shape) const;

private:
  /// Returns the axes that an argument varies over; nullopt for all.
  std::optional<llvm::SmallVector<llvm::StringRef>>
  getVarying(unsigned argument) const;

  mlir::ModuleOp module;
  std::string file;
  mlir::func::FuncOp entry;
  int64_t numRanks = 1;
};

/// Checks that two programs have the same interface: number and types of
/// arguments and results, the ranks that share an argument's data, and the
/// number of ranks. Emits the first difference and fails otherwise.
mlir::LogicalResult verifyComparable(const Program &program,
                                     const Program &against);

} // namespace moe

#endif // MOE_INTERPRETER_PROGRAM_H
