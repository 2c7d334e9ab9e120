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
  /// Finds the entry: `entry` if not empty, else @main, else the only public
  /// function with a body. `ranks` must be what the module says, or gives the
  /// number where it says nothing; tables of so many ranks must fit
  /// `maxBytes`. Emits an error and fails otherwise.
  static mlir::FailureOr<Program>
  load(mlir::ModuleOp module, llvm::StringRef file, llvm::StringRef entry,
       std::optional<int64_t> ranks, uint64_t maxBytes);

  /// What the integers of each argument are drawn from, so that this program
  /// runs and, when given, `other` does too.
  std::vector<DrawnRange>
  getIntegerRanges(const Program *other = nullptr) const;

  mlir::ModuleOp getModule() const { return module; }
  /// Name of the file, for messages.
  llvm::StringRef getFile() const { return file; }
  mlir::func::FuncOp getEntry() const { return entry; }
  int64_t getNumRanks() const { return numRanks; }

  /// For every rank the lowest rank that holds the same data of an argument:
  /// the one with the same place on the axes in `moe.varying`. Without that
  /// attribute every rank holds data of its own.
  std::vector<int64_t> getRepresentatives(unsigned argument) const;

  /// The names of the arguments' elements under a collapse.
  ArgumentNames getArgumentNames(const Collapse *collapse) const;

  /// The tensor with all sizes that are static uncollapsed.
  llvm::SmallVector<int64_t> getRealShape(mlir::Type type,
                                          llvm::ArrayRef<int64_t> shape) const;

private:
  /// Axes an argument varies over, nullopt for all.
  std::optional<llvm::SmallVector<llvm::StringRef>>
  getVarying(unsigned argument) const;

  mlir::ModuleOp module;
  std::string file;
  mlir::func::FuncOp entry;
  int64_t numRanks = 1;
};

/// Checks that two programs take and give the same: number and types of
/// arguments and results, which ranks share an argument's data, and the
/// number of ranks. Emits the first difference and fails otherwise.
mlir::LogicalResult verifyComparable(const Program &program,
                                     const Program &against);

} // namespace moe

#endif // MOE_INTERPRETER_PROGRAM_H
