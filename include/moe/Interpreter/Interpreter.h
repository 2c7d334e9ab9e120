// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution, comparison and equivalence checks of programs.

#ifndef MOE_INTERPRETER_INTERPRETER_H
#define MOE_INTERPRETER_INTERPRETER_H

#include "moe/Interpreter/Differences.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"
#include <functional>

namespace moe {

/// Executes the entry function of a program on all its ranks with arguments
/// drawn by a value domain. Returns one entry per function result.
using ValueExecutor = std::function<mlir::FailureOr<std::vector<RankTensors>>(
    const Program &program, Domain &domain, MemoryBudget &budget)>;

struct InterpreterOptions {
  /// Executes on numbers; empty means the reference interpreter.
  ValueExecutor executor;
  std::string backend = "interp";
  /// Executor of the program that `compare` compares with, and its name. If the
  /// name is empty, `executor` runs both programs.
  ValueExecutor againstExecutor;
  std::string againstBackend;
  Tolerance tolerance;
  /// Source of the arguments; routing samples are drawn from the same seed.
  /// Special and given values are not supported with `symbolic`.
  ArgumentOptions arguments;
  /// Execute on terms instead of numbers.
  bool symbolic = false;
  /// Number of routings to sample on terms, at least 1. While a program has few
  /// terms, `compare` continues up to `mostSamples`.
  unsigned samples = 4, mostSamples = 16;
  /// Limit on the bytes of tensors and terms.
  uint64_t maxBytes = uint64_t(8) << 30;
  /// Print all elements and not only checksums.
  bool printValues = false;
  /// Called with the results of `interpret` on numbers, one entry per function
  /// result. Must emit an error if it fails. May be empty.
  std::function<mlir::LogicalResult(const Program &program,
                                    const std::vector<RankTensors> &results)>
      onResults;
};

mlir::FailureOr<std::vector<RankTensors>>
executeValues(const Program &program, const InterpreterOptions &options,
              Domain &domain, MemoryBudget &budget);

/// Executes a program on all its ranks. For each result, prints its type and
/// the data of the ranks, grouping ranks with equal data. Emits an error and
/// fails if the execution fails.
mlir::LogicalResult interpret(const Program &program,
                              const InterpreterOptions &options,
                              llvm::raw_ostream &os);

/// Executes two comparable programs, or one program on two backends, on the
/// same arguments. Returns true if all results agree on all ranks, numbers
/// within the tolerance. The last printed line is then `equal: R ranks, B
/// bytes`, where B counts all results of all ranks, followed by the greatest
/// difference unless bits were compared. Otherwise prints the first difference.
/// Fails if an execution fails.
///
/// On terms, `true` proves that the results agree for all float arguments and
/// for the sampled routings, with sums considered exact and in any order.
mlir::FailureOr<bool> compare(const Program &program, const Program &against,
                              const InterpreterOptions &options,
                              llvm::raw_ostream &os);

//===----------------------------------------------------------------------===//
// Parts of the comparison, for ranks that compare only their own results
//===----------------------------------------------------------------------===//

/// Prints a difference between values of `rank` in the same form as `compare`.
void printValueDifference(const Program &program, const Program &against,
                          const InterpreterOptions &options,
                          const Difference &at, int64_t rank,
                          const std::vector<RankTensors> &got,
                          const std::vector<RankTensors> &expected,
                          const Domain &domain, llvm::raw_ostream &os);

/// Returns, for example, `0.25 at result 0, rank 3, index [1,2]`, for values of
/// `rank`.
std::string printGreatestDifference(const GreatestDifference &greatest,
                                    int64_t rank,
                                    const std::vector<RankTensors> &expected);

/// Returns the tolerance for results of these types that are summed in another
/// order, as measured in tests of layers (docs/reference/equality.md,
/// "Tolerance").
Tolerance getRounding(mlir::TypeRange types);

/// Prints a possible reason for results that differ bit for bit but agree
/// within `rounding`. `greatest` is the printed greatest difference.
void printWithinRounding(const Tolerance &rounding, llvm::StringRef greatest,
                         llvm::raw_ostream &os);

/// Prints the lines of `compare` for equal values. `greatest` is the printed
/// greatest difference, or empty if there is none.
void printEqualValues(const InterpreterOptions &options, int64_t numRanks,
                      const llvm::APInt &bytes, llvm::StringRef greatest,
                      llvm::raw_ostream &os);

/// Returns the bytes of all results with their real shapes and types, on the
/// given ranks.
llvm::APInt countBytes(const Program &program,
                       const std::vector<RankTensors> &results);

} // namespace moe

#endif // MOE_INTERPRETER_INTERPRETER_H
