// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of an execution.

#ifndef MOE_LIB_INTERPRETER_EXECUTORIMPL_H
#define MOE_LIB_INTERPRETER_EXECUTORIMPL_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "moe/Interpreter/ExtensionOps.h"

namespace moe {

using Shape = llvm::SmallVector<int64_t, 4>;

/// Prints a shape as, for example, `2x3`, or `scalar` for rank 0.
std::string printShape(llvm::ArrayRef<int64_t> shape);
/// Prints ascending numbers as, for example, `0-3,8`.
std::string printRanks(llvm::ArrayRef<int64_t> ranks);

/// Returns the rank at a position of the rank's group; without groups, the rank
/// itself.
int64_t getMember(const RankLists &groups, int64_t rank, int64_t position);
/// Emits an error unless `expert`, which is choice `copy` of the ids, is one of
/// `numExperts` experts, or -1 for none.
mlir::LogicalResult verifyExpert(mlir::Operation *op, int64_t rank,
                                 int64_t expert, int64_t numExperts,
                                 int64_t copy, int64_t topK);

/// Returns true for the ops that only occur in a backward pass, and for the
/// non-MoE compute of a model.
bool isTrainingOp(mlir::Operation *op);

/// Limit on the nesting of calls and regions, so that this process does not run
/// out of stack.
inline constexpr unsigned kMaxDepth = 256;

class Frame {
public:
  explicit Frame(MemoryBudget &budget) : budget(budget) {}
  ~Frame();
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  /// Returns false if the budget does not allow the table of ranks.
  bool set(mlir::Value value, RankTensors tensors);
  const RankTensors &get(mlir::Value value) const;
  void erase(mlir::Value value);

private:
  MemoryBudget &budget;
  llvm::DenseMap<mlir::Value, RankTensors> values;
};

/// One execution of a program. `frame` is the frame of the running function. A
/// set of active ranks is passed along with every op.
class ExecutorImpl : public OpExecution {
public:
  ExecutorImpl(const Program &program, Domain &domain, MemoryBudget &budget,
               const Collapse *collapse)
      : program(program), domain(domain), budget(budget), collapse(collapse),
        numRanks(program.getNumRanks()) {}

  mlir::FailureOr<std::vector<RankTensors>> run();

private:
  using LogicalResult = mlir::LogicalResult;

  /// Emits an error and fails if the arguments of all ranks do not fit in
  /// memory, so that this is found before they are drawn.
  LogicalResult checkArguments();
  Domain &getDomain() override { return domain; }
  int64_t getNumRanks() const override { return numRanks; }
  /// Executes a collective for one group. `members` are its ranks in group
  /// order, `operands[i][m]` is operand i of member m, and the function must
  /// fill `results[m]`.
  using GroupBody = llvm::function_ref<LogicalResult(
      llvm::ArrayRef<int64_t> members,
      llvm::ArrayRef<llvm::SmallVector<LocalTensor>> operands,
      llvm::MutableArrayRef<LocalTensor> results)>;

  // Executor.cpp: functions, blocks and values.
  mlir::FailureOr<std::vector<RankTensors>>
  call(mlir::func::FuncOp function, std::vector<RankTensors> arguments,
       const llvm::BitVector &active);
  LogicalResult runBlock(mlir::Block &block, const llvm::BitVector &active);
  LogicalResult runOp(mlir::Operation *op, const llvm::BitVector &active);
  LogicalResult runCall(mlir::func::CallOp op, const llvm::BitVector &active);
  LogicalResult setValue(mlir::Operation *op, mlir::Value value,
                         RankTensors tensors);
  void releaseDead(mlir::Operation *op);
  const llvm::SmallVector<mlir::Value> &getDying(mlir::Operation *op);
  LogicalResult countStep(mlir::Operation *op, const llvm::BitVector &active);

  // ControlFlow.cpp: branches and loops.
  /// Runs the region of a layer, schedule or task once, in program order, which
  /// is one of the orders that a schedule allows.
  LogicalResult runOnce(mlir::Operation *op, const llvm::BitVector &active);
  /// Runs scf.if and scf.index_switch, where each rank takes its own branch.
  LogicalResult runBranches(mlir::Operation *op, const llvm::BitVector &active);
  LogicalResult runFor(mlir::scf::ForOp op, const llvm::BitVector &active);
  LogicalResult runWhile(mlir::scf::WhileOp op, const llvm::BitVector &active);
  /// Runs the only block of a region with some of the ranks.
  LogicalResult runBranch(mlir::Operation *op, mlir::Block &block,
                          const llvm::BitVector &active);

  // Chunks.cpp: pipelines.
  LogicalResult runPipeline(PipelineOp op, const llvm::BitVector &active);
  /// Sets the region argument of an operand to chunk `chunk`: `size` elements
  /// at `offset`, or a slice of a stack.
  LogicalResult cutChunk(PipelineOp op, unsigned number, int64_t chunk,
                         int64_t offset, int64_t size,
                         const llvm::BitVector &active);
  /// Joins or adds the values that the chunks yielded as result `number`.
  LogicalResult joinChunks(PipelineOp op, unsigned number,
                           llvm::ArrayRef<RankTensors> chunks,
                           const llvm::BitVector &active);

  // LocalOps.cpp: ops that every rank executes independently.
  LogicalResult runLocal(mlir::Operation *op, const llvm::BitVector &active);
  LogicalResult forEachRank(mlir::Operation *op, const llvm::BitVector &active,
                            LocalBody body,
                            llvm::ArrayRef<int64_t> positions = {}) override;
  LogicalResult runConstant(mlir::arith::ConstantOp op, LocalTensor &result);
  LogicalResult runPoison(mlir::ub::PoisonOp op, LocalTensor &result);
  LogicalResult runElementwise(mlir::Operation *op, int64_t rank,
                               llvm::ArrayRef<LocalTensor> operands,
                               llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runParts(mlir::Operation *op, int64_t rank,
                         llvm::ArrayRef<LocalTensor> operands,
                         llvm::MutableArrayRef<LocalTensor> results,
                         bool &known);
  LogicalResult runUnknown(mlir::Operation *op, int64_t rank,
                           llvm::ArrayRef<LocalTensor> operands,
                           llvm::MutableArrayRef<LocalTensor> results);

  // Gates.cpp: gates, and ops that mix tokens by gate weights.
  LogicalResult runGate(GateOp op, int64_t rank,
                        llvm::ArrayRef<LocalTensor> operands,
                        llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runMix(mlir::Operation *op, int64_t rank,
                       llvm::ArrayRef<LocalTensor> operands,
                       llvm::MutableArrayRef<LocalTensor> results);

  // TokenOps.cpp: permute, experts, unpermute.
  LogicalResult runPermute(PermuteOp op, int64_t rank,
                           llvm::ArrayRef<LocalTensor> operands,
                           llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runExperts(ExpertsOp op, int64_t rank,
                           llvm::ArrayRef<LocalTensor> operands,
                           llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runUnpermute(UnpermuteOp op, int64_t rank,
                             llvm::ArrayRef<LocalTensor> operands,
                             LocalTensor &result);

  // Dropless.cpp: dropless layers.
  LogicalResult runExpertCounts(ExpertCountsOp op, int64_t rank,
                                const LocalTensor &ids, LocalTensor &result);
  LogicalResult runPermuteRows(PermuteRowsOp op, int64_t rank,
                               llvm::ArrayRef<LocalTensor> operands,
                               llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runRaggedPlan(RaggedPlanOp op, const llvm::BitVector &active);
  LogicalResult verifySameCounts(mlir::Operation *op, mlir::Value counts,
                                 const RankLists &groups,
                                 const llvm::BitVector &active) override;
  /// Returns the rows of each expert, after checking them: either its slice of
  /// the tokens [experts, rows..., M], or its runs of rows of [rows, M].
  mlir::FailureOr<ExpertRows> getExpertRows(mlir::Operation *op, int64_t rank,
                                            const LocalTensor &tokens,
                                            const LocalTensor &firstWeight,
                                            const LocalTensor *runOffsets,
                                            const LocalTensor *runSizes);

  // Nodes.cpp: node-level deduplicated dispatch.
  LogicalResult runDistinctNodes(DistinctNodesOp op, int64_t rank,
                                 const LocalTensor &ids, LocalTensor &result);
  LogicalResult runNodePlan(NodePlanOp op, const llvm::BitVector &active);

  // Limits.cpp: assignments beyond rank capacities.
  LogicalResult runLimitChoices(LimitChoicesOp op, int64_t rank,
                                llvm::ArrayRef<LocalTensor> operands,
                                LocalTensor &result);

  // Quantize.cpp: rows of fewer bits, on numbers only.
  LogicalResult runQuantize(QuantizeOp op, int64_t rank, const LocalTensor &x,
                            llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runDequantize(DequantizeOp op, int64_t rank,
                              llvm::ArrayRef<LocalTensor> operands,
                              LocalTensor &result);

  /// Fills a tensor with the undefined element, for cells that an op does not
  /// write.
  void fillUnwritten(mlir::Value result, LocalTensor &tensor);

  // Training.cpp: gradients and non-MoE compute.
  LogicalResult runTraining(mlir::Operation *op, int64_t rank,
                            llvm::ArrayRef<LocalTensor> operands,
                            llvm::MutableArrayRef<LocalTensor> results);
  /// Checks slots against the rows of a buffer.
  LogicalResult verifySlots(mlir::Operation *op, int64_t rank,
                            llvm::ArrayRef<int64_t> slots, int64_t topK,
                            int64_t numRows, bool distinct);
  /// Returns the sizes of a result as executed; dynamic sizes are taken from
  /// `known`.
  Shape fillShape(mlir::Value result, llvm::ArrayRef<int64_t> known);
  Shape getBetweenShape(mlir::Value between, mlir::Value tokens,
                        const LocalTensor &tokensTensor, mlir::Value weight,
                        const LocalTensor &weightTensor);
  /// Returns the sizes of a tensor before collapsing.
  Shape getRealShape(mlir::Value value, const LocalTensor &tensor);

  // Movement.cpp: data movement within a rank.
  LogicalResult runDrop(DropOp op, const llvm::BitVector &active);
  LogicalResult runGroupRank(GroupRankOp op, const llvm::BitVector &active);
  LogicalResult runMovement(mlir::Operation *op, int64_t rank,
                            llvm::ArrayRef<LocalTensor> operands,
                            llvm::MutableArrayRef<LocalTensor> results,
                            bool &known);
  LogicalResult runAssemble(mlir::Operation *op, unsigned dim, int64_t rank,
                            llvm::ArrayRef<LocalTensor> parts,
                            LocalTensor &result);
  LogicalResult runReshape(mlir::Operation *op, int64_t rank,
                           llvm::ArrayRef<LocalTensor> operands,
                           LocalTensor &result);
  LogicalResult runExtractSlice(mlir::tensor::ExtractSliceOp op, int64_t rank,
                                llvm::ArrayRef<LocalTensor> operands,
                                LocalTensor &result);
  LogicalResult runInsertSlice(mlir::tensor::InsertSliceOp op, int64_t rank,
                               llvm::ArrayRef<LocalTensor> operands,
                               LocalTensor &result);
  /// Returns the flat index of the element that index operands select.
  mlir::FailureOr<int64_t> getElement(mlir::Operation *op, int64_t rank,
                                      llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<LocalTensor> indices);

  // Collectives.cpp
  LogicalResult runCollective(mlir::Operation *op,
                              const llvm::BitVector &active);
  LogicalResult forEachGroup(mlir::Operation *op, GroupAttrInterface group,
                             const llvm::BitVector &active, GroupBody body);
  mlir::FailureOr<const RankLists *>
  getGroups(mlir::Operation *op, GroupAttrInterface group) override;
  LogicalResult verifyReached(mlir::Operation *op,
                              llvm::ArrayRef<int64_t> members,
                              const llvm::BitVector &active);
  LogicalResult verifySameShape(mlir::Operation *op,
                                llvm::ArrayRef<int64_t> members,
                                llvm::ArrayRef<LocalTensor> tensors,
                                std::optional<unsigned> exceptDim = {});
  LogicalResult runRagged(RaggedAllToAllOp op, llvm::ArrayRef<int64_t> members,
                          llvm::ArrayRef<llvm::SmallVector<LocalTensor>> in,
                          llvm::MutableArrayRef<LocalTensor> results);

  // Shared functions.
  mlir::FailureOr<LocalTensor> allocate(mlir::Operation *op,
                                        llvm::ArrayRef<int64_t> shape);
  mlir::FailureOr<LocalTensor>
  allocateResult(mlir::Operation *op, unsigned result, int64_t rank,
                 llvm::ArrayRef<int64_t> shape) override;
  LogicalResult verifyShape(mlir::Operation *op, unsigned result, int64_t rank,
                            llvm::ArrayRef<int64_t> shape);
  /// Returns the sizes of a value as executed: static sizes shrunk, dynamic
  /// sizes kDynamic.
  Shape getShapeOf(mlir::Value value) const;
  int64_t getFactor(mlir::Value value, unsigned dim) const {
    return collapse ? collapse->getFactor(value, dim) : 1;
  }
  mlir::FailureOr<int64_t> getInteger(mlir::Operation *op, int64_t rank,
                                      llvm::StringRef what, Cell cell);
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  getIntegers(mlir::Operation *op, int64_t rank, llvm::StringRef what,
              llvm::ArrayRef<Cell> cells) override;
  LogicalResult outOfMemory(mlir::Operation *op, llvm::ArrayRef<int64_t> shape);

  const Program &program;
  Domain &domain;
  MemoryBudget &budget;
  const Collapse *collapse;
  int64_t numRanks;

  Frame *frame = nullptr;
  /// A branch of control flow: its op, and the ranks that took it.
  struct Way {
    mlir::Operation *op;
    llvm::BitVector ranks;
  };
  llvm::SmallVector<Way> ways;
  llvm::SmallVector<mlir::func::FuncOp> calls;
  unsigned depth = 0;
  uint64_t steps = 0;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> dying;
  llvm::DenseSet<mlir::Block *> analysed;
  llvm::DenseMap<mlir::Attribute, RankLists> groups;
};

} // namespace moe

#endif // MOE_LIB_INTERPRETER_EXECUTORIMPL_H
