// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the elements of tensors are.

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

/// Arithmetic on cells. The executor moves cells; whatever looks into them is
/// asked of the domain. Two are there: numbers and terms. A method that fails
/// has emitted an error at the op.
class Domain {
public:
  virtual ~Domain();

  virtual Cell getInteger(int64_t value) = 0;
  /// The float `value`, which the caller has taken from the element type.
  virtual Cell getFloat(double value) = 0;
  /// Content of an element nobody wrote.
  virtual Cell getUndefined(mlir::Type elementType) = 0;
  Cell getZero(mlir::Type elementType);

  /// The integer a cell holds, nullopt when it is not a known one.
  virtual std::optional<int64_t> asInteger(Cell cell) const = 0;

  /// Draws the elements of function argument `argument`, as the rank
  /// `representative` holds them (`Program::getRepresentatives`).
  virtual void drawArgument(unsigned argument, int64_t representative,
                            mlir::Type elementType,
                            llvm::MutableArrayRef<Cell> cells) = 0;

  /// What the integers of each argument are drawn from; any where not said.
  void setIntegerRanges(std::vector<DrawnRange> ranges) {
    integerRanges = std::move(ranges);
  }

  /// Elementwise reduction of the members' cells, in the order given. One
  /// routine for all reducing collectives, so that they agree.
  virtual void reduce(Reduction reduction, mlir::Type elementType,
                      llvm::ArrayRef<llvm::ArrayRef<Cell>> members,
                      llvm::MutableArrayRef<Cell> result) = 0;

  /// One result of an elementwise op; operands have one cell (a scalar) or as
  /// many as the result.
  virtual mlir::LogicalResult
  elementwise(mlir::Operation *op, unsigned number,
              llvm::ArrayRef<llvm::ArrayRef<Cell>> operands,
              llvm::MutableArrayRef<Cell> result) = 0;

  /// A gate with allocated results.
  virtual mlir::LogicalResult gate(GateOp op,
                                   llvm::ArrayRef<LocalTensor> operands,
                                   LocalTensor &ids, LocalTensor &weights) = 0;
  /// Gates of other results and mixes by their weights (`isMix`), with
  /// allocated results.
  virtual mlir::LogicalResult
  mix(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
      llvm::MutableArrayRef<LocalTensor> results) = 0;
  /// The other modules of a layer that compute. Experts write the rows they
  /// have; the others of the result are set already.
  virtual mlir::LogicalResult
  experts(ExpertsOp op, const LocalTensor &tokens,
          llvm::ArrayRef<LocalTensor> weights, const ExpertRows &rows,
          llvm::MutableArrayRef<LocalTensor> results) = 0;
  /// `slots` are integers in [-1, rows of the buffer), checked by the caller.
  virtual mlir::LogicalResult unpermute(UnpermuteOp op,
                                        const LocalTensor &buffer,
                                        llvm::ArrayRef<int64_t> slots,
                                        const LocalTensor &weights,
                                        LocalTensor &result) = 0;

  /// The ops of a backward pass and dense parts (`isTrainingOp`), with
  /// allocated results. `indices` are the slots of a scatter or unpermute_wgrad
  /// and the experts of a gate_grad, `rows` those of the experts of a gradient
  /// of such, all checked by the caller. Rows of no expert are set already.
  virtual mlir::LogicalResult
  gradient(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
           llvm::ArrayRef<int64_t> indices, const ExpertRows &rows,
           llvm::MutableArrayRef<LocalTensor> results) = 0;

  /// An op the executor does not know, with allocated results.
  virtual mlir::LogicalResult
  unknown(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
          llvm::MutableArrayRef<LocalTensor> results) = 0;
  /// Whether `unknown` gives any op a meaning.
  virtual bool interpretsUnknown() const = 0;

  /// Called after each op: fails when the domain ran out of memory.
  virtual mlir::LogicalResult check(mlir::Operation *op) = 0;

  /// A hash of what a cell means, the same in every run.
  virtual uint64_t getContentHash(Cell cell) const = 0;
  /// A cell as text, bounded in length.
  virtual std::string print(Cell cell, mlir::Type elementType) const = 0;

protected:
  DrawnRange getIntegerRange(unsigned argument) const {
    return argument < integerRanges.size() ? integerRanges[argument]
                                           : DrawnRange();
  }

private:
  std::vector<DrawnRange> integerRanges;
};

/// Numbers: floats are computed as doubles and rounded to the element type
/// after every op (an expert's, a gate's and an unpermute's sums once, at their
/// end), integers wrap. Arguments are drawn from a hash of the seed, the
/// argument's number, the element's index and the representative rank: floats
/// in [-1, 1) with at most 8 significant bits, integers from their ranges;
/// unless the options say otherwise.
std::unique_ptr<Domain> createValueDomain(const ArgumentOptions &options);

/// Terms. Gates choose experts by a hash of their content, the seed and the
/// sample's number, which also gives the kind of routing. Integer arguments are
/// known integers, drawn per sample as in the value domain.
class TermDomain : public Domain {
public:
  /// Names and number of executions of the ops taken as uninterpreted
  /// functions.
  virtual const std::map<std::string, unsigned> &getUninterpreted() const = 0;
  /// Whether anything depended on the sample's number.
  virtual bool usedSample() const = 0;
  /// A hash of all that was: equal for equal routings of one program.
  virtual uint64_t getRouting() const = 0;
  virtual const TermTable &getTable() const = 0;
};

std::unique_ptr<TermDomain> createTermDomain(uint64_t seed, unsigned sample,
                                             MemoryBudget &budget,
                                             const ArgumentNames &names);

} // namespace moe

#endif // MOE_INTERPRETER_DOMAIN_H
