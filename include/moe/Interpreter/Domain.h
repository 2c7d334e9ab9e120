// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of tensors, and the arithmetic on them.

#ifndef MOE_INTERPRETER_DOMAIN_H
#define MOE_INTERPRETER_DOMAIN_H

#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/Arguments.h"
#include "moe/Interpreter/ExpertRows.h"
#include "moe/Interpreter/LocalTensor.h"
#include "moe/Interpreter/Sampling.h"
#include <map>
#include <memory>
#include <string>

namespace moe {

class ArgumentNames;
class TermTable;

/// Arithmetic on cells. The executor only moves cells and asks the domain for
/// every operation that depends on their content. There are two domains:
/// numbers and terms. A method that fails has emitted an error at the op.
class Domain {
public:
  virtual ~Domain();

  virtual Cell getInteger(int64_t value) = 0;
  /// Returns the cell of `value`, which must be a value of the element type.
  virtual Cell getFloat(double value) = 0;
  /// Returns the content of an element that no op has written.
  virtual Cell getUndefined(mlir::Type elementType) = 0;
  Cell getZero(mlir::Type elementType);

  /// Returns the integer in a cell; nullopt if it is not known.
  virtual std::optional<int64_t> asInteger(Cell cell) const = 0;

  /// Draws the elements of function argument `argument` as the rank
  /// `representative` holds them (`Program::getRepresentatives`).
  virtual void drawArgument(unsigned argument, int64_t representative,
                            mlir::Type elementType,
                            llvm::MutableArrayRef<Cell> cells) = 0;

  /// Sets the ranges that the integers of each argument are drawn from.
  /// Arguments without a range may have any integer.
  void setIntegerRanges(std::vector<DrawnRange> ranges) {
    integerRanges = std::move(ranges);
  }

  /// Reduces the members' cells elementwise, in the given order. All reducing
  /// collectives use this function, so they agree bit for bit.
  virtual void reduce(Reduction reduction, mlir::Type elementType,
                      llvm::ArrayRef<llvm::ArrayRef<Cell>> members,
                      llvm::MutableArrayRef<Cell> result) = 0;

  /// Computes one result of an elementwise op. Each operand has either one cell
  /// (a scalar) or as many cells as the result.
  virtual mlir::LogicalResult
  elementwise(mlir::Operation *op, unsigned number,
              llvm::ArrayRef<llvm::ArrayRef<Cell>> operands,
              llvm::MutableArrayRef<Cell> result) = 0;

  /// Computes a gate into allocated results.
  virtual mlir::LogicalResult gate(GateOp op,
                                   llvm::ArrayRef<LocalTensor> operands,
                                   LocalTensor &ids, LocalTensor &weights) = 0;
  /// Computes gates with other results, and mixes by their weights (`isMix`),
  /// into allocated results.
  virtual mlir::LogicalResult
  mix(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
      llvm::MutableArrayRef<LocalTensor> results) = 0;
  /// Computes an op of experts. It writes the rows of each expert; the caller
  /// has set all other rows of the results.
  virtual mlir::LogicalResult
  experts(ExpertsOp op, const LocalTensor &tokens,
          llvm::ArrayRef<LocalTensor> weights, const ExpertRows &rows,
          llvm::MutableArrayRef<LocalTensor> results) = 0;
  /// Computes an unpermute. `slots` are integers in [-1, rows of the buffer),
  /// which the caller has checked.
  virtual mlir::LogicalResult unpermute(UnpermuteOp op,
                                        const LocalTensor &buffer,
                                        llvm::ArrayRef<int64_t> slots,
                                        const LocalTensor &weights,
                                        LocalTensor &result) = 0;

  /// Computes the ops of a backward pass and the non-MoE compute
  /// (`isTrainingOp`) into allocated results. `indices` are the slots of a
  /// scatter or unpermute_wgrad, or the experts of a gate_grad; `rows` are the
  /// rows of each expert for a gradient of experts. The caller has checked
  /// both, and has set the rows that belong to no expert.
  virtual mlir::LogicalResult
  gradient(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
           llvm::ArrayRef<int64_t> indices, const ExpertRows &rows,
           llvm::MutableArrayRef<LocalTensor> results) = 0;

  /// Computes an op that the executor does not know, into allocated results.
  virtual mlir::LogicalResult
  unknown(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
          llvm::MutableArrayRef<LocalTensor> results) = 0;
  /// Returns true if `unknown` accepts any op.
  virtual bool interpretsUnknown() const = 0;

  /// Fails if the domain ran out of memory. The executor calls it after each
  /// op.
  virtual mlir::LogicalResult check(mlir::Operation *op) = 0;

  /// Returns a hash of a cell's meaning, which is the same in every run.
  virtual uint64_t getContentHash(Cell cell) const = 0;
  /// Prints a cell as text of bounded length.
  virtual std::string print(Cell cell, mlir::Type elementType) const = 0;

protected:
  DrawnRange getIntegerRange(unsigned argument) const {
    return argument < integerRanges.size() ? integerRanges[argument]
                                           : DrawnRange();
  }

private:
  std::vector<DrawnRange> integerRanges;
};

/// Creates the domain of numbers. Floats are computed as doubles and rounded to
/// the element type after every op (the sums of an expert, a gate and an
/// unpermute once, at their end); integers wrap. Arguments are drawn from a
/// hash of the seed, the argument's number, the element's index and the
/// representative rank: by default floats in [-1, 1) with at most 8 significant
/// bits, and integers from their ranges.
std::unique_ptr<Domain> createValueDomain(const ArgumentOptions &options);

/// The domain of terms. Gates choose experts by a hash of their content, the
/// seed and the sample's number, which also selects the kind of routing.
/// Integer arguments are known integers, drawn per sample as in the value
/// domain.
class TermDomain : public Domain {
public:
  /// Returns the names and numbers of executions of the ops that were treated
  /// as uninterpreted functions.
  virtual const std::map<std::string, unsigned> &getUninterpreted() const = 0;
  /// Returns true if any result depended on the sample's number.
  virtual bool usedSample() const = 0;
  /// Returns a hash of all dependences on the sample: equal for equal routings
  /// of one program.
  virtual uint64_t getRouting() const = 0;
  virtual const TermTable &getTable() const = 0;
};

std::unique_ptr<TermDomain> createTermDomain(uint64_t seed, unsigned sample,
                                             MemoryBudget &budget,
                                             const ArgumentNames &names);

} // namespace moe

#endif // MOE_INTERPRETER_DOMAIN_H
