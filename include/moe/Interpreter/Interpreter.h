// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution, comparison and proof.

#ifndef MOE_INTERPRETER_INTERPRETER_H
#define MOE_INTERPRETER_INTERPRETER_H

#include "moe/Interpreter/Differences.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"
#include <functional>

namespace moe {

/// Executes the entry function of a program on all its ranks, its arguments
/// drawn by a value domain: one entry per function result.
using ValueExecutor = std::function<mlir::FailureOr<std::vector<RankTensors>>(
    const Program &program, Domain &domain, MemoryBudget &budget)>;

struct InterpreterOptions {
  /// What executes on numbers; the reference interpreter when empty.
  ValueExecutor executor;
  /// Its name in reports.
  std::string backend = "interp";
  /// What executes the program that `compare` compares with, and its name;
  /// what executes the other one too where the name is empty.
  ValueExecutor againstExecutor;
  std::string againstBackend;
  /// Of `compare` on numbers.
  Tolerance tolerance;
  /// What arguments are; routing samples are drawn from the same seed. Special
  /// and given values go without `symbolic`.
  ArgumentOptions arguments;
  /// Execute on terms instead of numbers.
  bool symbolic = false;
  /// Different routings to try on terms, at least 1. `compare` goes on up to
  /// `mostSamples` of them while a program has few terms.
  unsigned samples = 4, mostSamples = 16;
  /// Bytes that tensors and terms may take.
  uint64_t maxBytes = uint64_t(8) << 30;
  /// Print every element and not just checksums.
  bool printValues = false;
  /// Called with the results of `interpret` on numbers, one entry per function
  /// result; fails with an error emitted. May be empty.
  std::function<mlir::LogicalResult(const Program &program,
                                    const std::vector<RankTensors> &results)>
      onResults;
};

/// Executes on numbers with the executor of the options.
mlir::FailureOr<std::vector<RankTensors>>
executeValues(const Program &program, const InterpreterOptions &options,
              Domain &domain, MemoryBudget &budget);

/// Executes a program on all its ranks and prints, for each result, its type
/// and what the ranks hold, ranks with equal data together. Fails, with an
/// error emitted, when execution does.
mlir::LogicalResult interpret(const Program &program,
                              const InterpreterOptions &options,
                              llvm::raw_ostream &os);

/// Executes two comparable programs, or one on two backends, on the same
/// arguments. True when all results agree on all ranks, numbers within the
/// tolerance; the last line printed is then `equal: R ranks, B bytes`, B
/// counting all results of all ranks, with the greatest difference where not
/// bits were compared. Else prints the first difference. Fails when an
/// execution does.
///
/// On terms `true` is a proof that the results agree for all float arguments,
/// for the routings tried, with sums taken as exact and in any order.
mlir::FailureOr<bool> compare(const Program &program, const Program &against,
                              const InterpreterOptions &options,
                              llvm::raw_ostream &os);

//===----------------------------------------------------------------------===//
// Parts of it, for ranks that compare what each of them has
//===----------------------------------------------------------------------===//

/// Prints what `compare` does of a difference between values that `rank` has.
void printValueDifference(const Program &program, const Program &against,
                          const InterpreterOptions &options,
                          const Difference &at, int64_t rank,
                          const std::vector<RankTensors> &got,
                          const std::vector<RankTensors> &expected,
                          const Domain &domain, llvm::raw_ostream &os);

/// `0.25 at result 0, rank 3, index [1,2]`, of the values that `rank` has.
std::string printGreatestDifference(const GreatestDifference &greatest,
                                    int64_t rank,
                                    const std::vector<RankTensors> &expected);

/// How far sums of results of such types are apart in tests of layers where
/// they were taken in another order (docs/reference/equality.md, "Tolerance").
Tolerance getRounding(mlir::TypeRange types);

/// Prints what may be behind results that differ bit for bit and are all within
/// that: with what was printed of their greatest difference.
void printWithinRounding(const Tolerance &rounding, llvm::StringRef greatest,
                         llvm::raw_ostream &os);

/// Prints what `compare` does of equal values, with what was printed of their
/// greatest difference, if they have one.
void printEqualValues(const InterpreterOptions &options, int64_t numRanks,
                      const llvm::APInt &bytes, llvm::StringRef greatest,
                      llvm::raw_ostream &os);

/// Bytes of all results at their real shapes and types, on the ranks there are.
llvm::APInt countBytes(const Program &program,
                       const std::vector<RankTensors> &results);

} // namespace moe

#endif // MOE_INTERPRETER_INTERPRETER_H
