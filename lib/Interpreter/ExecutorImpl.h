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

/// `2x3` of a shape, `scalar` of rank 0.
std::string printShape(llvm::ArrayRef<int64_t> shape);
/// `0-3,8` of ascending numbers.
std::string printRanks(llvm::ArrayRef<int64_t> ranks);

/// The rank at a position of a rank's group; without groups itself.
int64_t getMember(const RankLists &groups, int64_t rank, int64_t position);
/// Emits an error unless a number, of copy `copy` of the ids, names one of
/// `numExperts` experts, or with -1 none.
mlir::LogicalResult verifyExpert(mlir::Operation *op, int64_t rank,
                                 int64_t expert, int64_t numExperts,
                                 int64_t copy, int64_t topK);

/// The ops of a backward pass that are no op of a forward pass, and the dense
/// parts of a model.
bool isTrainingOp(mlir::Operation *op);

/// Calls and regions nested deeper than this are refused before the stack of
/// this process ends.
inline constexpr unsigned kMaxDepth = 256;

/// Values of one function's execution.
class Frame {
public:
  explicit Frame(MemoryBudget &budget) : budget(budget) {}
  ~Frame();
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  /// False when the budget does not allow the table of ranks.
  bool set(mlir::Value value, RankTensors tensors);
  const RankTensors &get(mlir::Value value) const;
  void erase(mlir::Value value);

private:
  MemoryBudget &budget;
  llvm::DenseMap<mlir::Value, RankTensors> values;
};

/// One execution of a program. The frame of the function that runs is current;
/// a set of active ranks goes along with every op.
class ExecutorImpl : public OpExecution {
public:
  ExecutorImpl(const Program &program, Domain &domain, MemoryBudget &budget,
               const Collapse *collapse)
      : program(program), domain(domain), budget(budget), collapse(collapse),
        numRanks(program.getNumRanks()) {}

  mlir::FailureOr<std::vector<RankTensors>> run();

private:
  using LogicalResult = mlir::LogicalResult;

  /// Emits an error and fails where memory will not hold the arguments of all
  /// ranks: drawing them finds that out when it is full.
  LogicalResult checkArguments();
  Domain &getDomain() override { return domain; }
  int64_t getNumRanks() const override { return numRanks; }
  /// One group's share of a collective: `members` are its ranks in group
  /// order; `operands[i][m]` is operand i of member m, `results[m]` is to be
  /// filled.
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
  /// Layers, schedules and tasks: a region that runs once, in program order,
  /// which is one of the orders a schedule allows.
  LogicalResult runOnce(mlir::Operation *op, const llvm::BitVector &active);
  /// scf.if and scf.index_switch: each rank goes its own way.
  LogicalResult runBranches(mlir::Operation *op, const llvm::BitVector &active);
  LogicalResult runFor(mlir::scf::ForOp op, const llvm::BitVector &active);
  LogicalResult runWhile(mlir::scf::WhileOp op, const llvm::BitVector &active);
  /// Runs a region's only block with some of the ranks.
  LogicalResult runBranch(mlir::Operation *op, mlir::Block &block,
                          const llvm::BitVector &active);

  // Chunks.cpp: pipelines.
  LogicalResult runPipeline(PipelineOp op, const llvm::BitVector &active);
  /// Sets the region argument of an operand to chunk `chunk`, `size` of it at
  /// `offset` or of a stack its slice.
  LogicalResult cutChunk(PipelineOp op, unsigned number, int64_t chunk,
                         int64_t offset, int64_t size,
                         const llvm::BitVector &active);
  /// Joins or adds up what the chunks yielded as result `number`.
  LogicalResult joinChunks(PipelineOp op, unsigned number,
                           llvm::ArrayRef<RankTensors> chunks,
                           const llvm::BitVector &active);

  // Local.cpp: ops every rank does by itself.
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

  // Gates.cpp: gates, and what mixes tokens by their weights.
  LogicalResult runGate(GateOp op, int64_t rank,
                        llvm::ArrayRef<LocalTensor> operands,
                        llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runMix(mlir::Operation *op, int64_t rank,
                       llvm::ArrayRef<LocalTensor> operands,
                       llvm::MutableArrayRef<LocalTensor> results);

  // Modules.cpp: order, experts, unpermute.
  LogicalResult runPermute(PermuteOp op, int64_t rank,
                           llvm::ArrayRef<LocalTensor> operands,
                           llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runExperts(ExpertsOp op, int64_t rank,
                           llvm::ArrayRef<LocalTensor> operands,
                           llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runUnpermute(UnpermuteOp op, int64_t rank,
                             llvm::ArrayRef<LocalTensor> operands,
                             LocalTensor &result);

  // Dropless.cpp: layers that drop no token.
  LogicalResult runExpertCounts(ExpertCountsOp op, int64_t rank,
                                const LocalTensor &ids, LocalTensor &result);
  LogicalResult runPermuteRows(PermuteRowsOp op, int64_t rank,
                               llvm::ArrayRef<LocalTensor> operands,
                               llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runRaggedPlan(RaggedPlanOp op, const llvm::BitVector &active);
  LogicalResult verifySameCounts(mlir::Operation *op, mlir::Value counts,
                                 const RankLists &groups,
                                 const llvm::BitVector &active) override;
  /// The rows of each expert: those of its slice of the tokens [experts,
  /// rows..., M], or of its runs of [rows, M], which are checked.
  mlir::FailureOr<ExpertRows> getExpertRows(mlir::Operation *op, int64_t rank,
                                            const LocalTensor &tokens,
                                            const LocalTensor &firstWeight,
                                            const LocalTensor *runOffsets,
                                            const LocalTensor *runSizes);

  // Nodes.cpp: tokens that are sent once a node.
  LogicalResult runDistinctNodes(DistinctNodesOp op, int64_t rank,
                                 const LocalTensor &ids, LocalTensor &result);
  LogicalResult runNodePlan(NodePlanOp op, const llvm::BitVector &active);

  // Limits.cpp: copies beyond limits.
  LogicalResult runLimitChoices(LimitChoicesOp op, int64_t rank,
                                llvm::ArrayRef<LocalTensor> operands,
                                LocalTensor &result);

  // Quantize.cpp: rows of fewer bits, on values.
  LogicalResult runQuantize(QuantizeOp op, int64_t rank, const LocalTensor &x,
                            llvm::MutableArrayRef<LocalTensor> results);
  LogicalResult runDequantize(DequantizeOp op, int64_t rank,
                              llvm::ArrayRef<LocalTensor> operands,
                              LocalTensor &result);

  /// Fills what an op leaves as it is with what nobody wrote.
  void fillUnwritten(mlir::Value result, LocalTensor &tensor);

  // Training.cpp: gradients and dense parts.
  LogicalResult runTraining(mlir::Operation *op, int64_t rank,
                            llvm::ArrayRef<LocalTensor> operands,
                            llvm::MutableArrayRef<LocalTensor> results);
  /// Checks slots against the rows of a buffer.
  LogicalResult verifySlots(mlir::Operation *op, int64_t rank,
                            llvm::ArrayRef<int64_t> slots, int64_t topK,
                            int64_t numRows, bool distinct);
  /// Sizes of a result as executed, open ones from `known`.
  Shape fillShape(mlir::Value result, llvm::ArrayRef<int64_t> known);
  /// The sizes of intermediate results of experts.
  Shape getBetweenShape(mlir::Value between, mlir::Value tokens,
                        const LocalTensor &tokensTensor, mlir::Value weight,
                        const LocalTensor &weightTensor);
  /// The sizes a tensor has when nothing is shrunk.
  Shape getRealShape(mlir::Value value, const LocalTensor &tensor);

  // Movement.cpp: copies within a rank.
  LogicalResult runDrop(DropOp op, const llvm::BitVector &active);
  LogicalResult runGroupRank(GroupRankOp op, const llvm::BitVector &active);
  LogicalResult runMovement(mlir::Operation *op, int64_t rank,
                            llvm::ArrayRef<LocalTensor> operands,
                            llvm::MutableArrayRef<LocalTensor> results,
                            bool &known);
  LogicalResult runAssemble(AssembleOp op, int64_t rank,
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
  /// Flat index of the element that index operands name.
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

  // Shared.
  mlir::FailureOr<LocalTensor> allocate(mlir::Operation *op,
                                        llvm::ArrayRef<int64_t> shape);
  mlir::FailureOr<LocalTensor>
  allocateResult(mlir::Operation *op, unsigned result, int64_t rank,
                 llvm::ArrayRef<int64_t> shape) override;
  LogicalResult verifyShape(mlir::Operation *op, unsigned result, int64_t rank,
                            llvm::ArrayRef<int64_t> shape);
  /// Sizes of a value as executed: static ones shrunk, dynamic ones kDynamic.
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
  /// Where the ranks that execute parted from others: the op and those that
  /// went this way.
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
