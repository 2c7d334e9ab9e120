// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes functions and blocks, and manages values.

#include "moe/Interpreter/Executor.h"
#include "ExecutorImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"
#include "moe/Dialect/Text/Ops.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

/// Limit on executed ops, counted per rank: a few seconds of work. A program
/// that needs more is reported as one that does not end.
static constexpr uint64_t kMaxSteps = uint64_t(1) << 24;

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

Frame::~Frame() {
  for (auto &[value, tensors] : values)
    budget.release(tensors.size() * sizeof(LocalTensor));
}

bool Frame::set(Value value, RankTensors tensors) {
  erase(value);
  if (!budget.charge(tensors.size() * sizeof(LocalTensor)))
    return false;
  values[value] = std::move(tensors);
  return true;
}

const RankTensors &Frame::get(Value value) const {
  auto it = values.find(value);
  assert(it != values.end() && "value read before it was made");
  return it->second;
}

void Frame::erase(Value value) {
  auto it = values.find(value);
  if (it == values.end())
    return;
  budget.release(it->second.size() * sizeof(LocalTensor));
  values.erase(it);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult ExecutorImpl::setValue(Operation *op, Value value,
                                     RankTensors tensors) {
  if (frame->set(value, std::move(tensors)))
    return success();
  return op->emitOpError() << "needs a table of " << numRanks << " ranks, and "
                           << budget.getLive() << " of the "
                           << budget.getLimit()
                           << " bytes allowed (--max-bytes) are held";
}

/// Returns the values of the op's block whose last use is this op. Uses in its
/// regions count as its own.
const SmallVector<Value> &ExecutorImpl::getDying(Operation *op) {
  Block *block = op->getBlock();
  if (analysed.insert(block).second) {
    auto visit = [&](Value value, Operation *definer) {
      Operation *last = definer;
      for (Operation *user : value.getUsers()) {
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        if (ancestor && (!last || last->isBeforeInBlock(ancestor)))
          last = ancestor;
      }
      dying[last ? last : &block->front()].push_back(value);
    };
    for (Value argument : block->getArguments())
      visit(argument, nullptr);
    for (Operation &definer : *block)
      for (Value result : definer.getResults())
        visit(result, &definer);
  }
  return dying[op];
}

void ExecutorImpl::releaseDead(Operation *op) {
  for (Value value : getDying(op))
    frame->erase(value);
}

LogicalResult ExecutorImpl::countStep(Operation *op,
                                      const llvm::BitVector &active) {
  steps += active.count();
  if (steps <= kMaxSteps)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "is where execution stopped after " << kMaxSteps
                            << " steps (an op on a rank is a step): a loop or "
                               "a tree of calls does not end";
  if (!ways.empty())
    diag.attachNote(ways.back().op->getLoc()) << "executing this op's region";
  return diag;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult ExecutorImpl::checkArguments() {
  func::FuncOp entry = program.getEntry();
  uint64_t bytes = 0;
  for (BlockArgument argument : entry.getArguments()) {
    std::vector<int64_t> representatives =
        program.getRepresentatives(argument.getArgNumber());
    uint64_t count = 0;
    for (auto [rank, representative] : llvm::enumerate(representatives))
      count += representative == static_cast<int64_t>(rank);
    if (std::optional<int64_t> elements = countElements(getShapeOf(argument)))
      count = llvm::SaturatingMultiply(count, uint64_t(*elements));
    bytes = llvm::SaturatingMultiplyAdd(count, uint64_t(sizeof(Cell)), bytes);
  }
  if (budget.fits(bytes))
    return success();
  return entry.emitOpError()
         << "needs " << bytes << " bytes for its arguments on " << numRanks
         << " ranks, and " << budget.getLive() << " of the "
         << budget.getLimit() << " bytes allowed (--max-bytes) are held";
}

FailureOr<std::vector<RankTensors>> ExecutorImpl::run() {
  func::FuncOp entry = program.getEntry();
  if (failed(checkArguments()))
    return failure();
  llvm::BitVector active(numRanks, true);
  std::vector<RankTensors> arguments;
  for (BlockArgument argument : entry.getArguments()) {
    std::vector<int64_t> representatives =
        program.getRepresentatives(argument.getArgNumber());
    Shape shape = getShapeOf(argument);
    Type elementType = argument.getType();
    if (auto tensor = dyn_cast<RankedTensorType>(elementType))
      elementType = tensor.getElementType();
    RankTensors tensors(numRanks);
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      int64_t representative = representatives[rank];
      // The lowest of the ranks that share the data has been drawn before.
      if (representative != rank) {
        tensors[rank] = tensors[representative];
        continue;
      }
      FailureOr<LocalTensor> tensor = allocate(entry, shape);
      if (failed(tensor))
        return failure();
      domain.drawArgument(argument.getArgNumber(), representative, elementType,
                          tensor->getMutableCells());
      if (failed(domain.check(entry)))
        return failure();
      tensors[rank] = *tensor;
    }
    arguments.push_back(std::move(tensors));
  }
  return call(entry, std::move(arguments), active);
}

FailureOr<std::vector<RankTensors>>
ExecutorImpl::call(func::FuncOp function, std::vector<RankTensors> arguments,
                   const llvm::BitVector &active) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError()
           << "cannot be executed: expected one block (structured control "
              "flow), got "
           << function.getBody().getBlocks().size();
  // An unregistered op may end a function's block too.
  if (Operation &last = function.getBody().front().back();
      !isa<func::ReturnOp>(last))
    return last.emitOpError() << "cannot be executed: expected func.return at "
                                 "the end of @"
                              << function.getSymName();
  Frame own(budget);
  Frame *caller = frame;
  frame = &own;
  calls.push_back(function);
  llvm::scope_exit leave([&] {
    frame = caller;
    calls.pop_back();
  });
  Block &body = function.getBody().front();
  for (auto [argument, tensors] :
       llvm::zip_equal(function.getArguments(),
                       llvm::make_range(arguments.begin(), arguments.end())))
    if (failed(setValue(function, argument, std::move(tensors))))
      return failure();
  arguments.clear();
  if (failed(runBlock(body, active)))
    return failure();
  std::vector<RankTensors> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(own.get(value));
  return results;
}

LogicalResult ExecutorImpl::runCall(func::CallOp op,
                                    const llvm::BitVector &active) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isExternal())
    return op.emitOpError() << "expected @" << op.getCallee()
                            << " to have a body, got a declaration";
  if (llvm::is_contained(calls, callee)) {
    InFlightDiagnostic diag = op.emitOpError()
                              << "calls @" << op.getCallee()
                              << " recursively; recursion is not executed";
    diag.attachNote(callee.getLoc()) << "this function is being executed";
    return diag;
  }
  std::vector<RankTensors> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(frame->get(operand));
  if (++depth > kMaxDepth)
    return op.emitOpError()
           << "is nested deeper than " << kMaxDepth << " calls and regions";
  FailureOr<std::vector<RankTensors>> results =
      call(callee, std::move(arguments), active);
  --depth;
  if (failed(results))
    return failure();
  for (auto [result, tensors] : llvm::zip_equal(op.getResults(), *results))
    if (failed(setValue(op, result, tensors)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult ExecutorImpl::runBlock(Block &block,
                                     const llvm::BitVector &active) {
  for (Operation &op : block) {
    if (failed(countStep(&op, active)))
      return failure();
    // The parent op reads and releases the operands of the terminator.
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      if (!isa<func::ReturnOp, YieldOp, scf::YieldOp, scf::ConditionOp>(op))
        return op.emitOpError() << "has no reference semantics";
      break;
    }
    if (failed(runOp(&op, active)) || failed(domain.check(&op)))
      return failure();
    releaseDead(&op);
  }
  return success();
}

LogicalResult ExecutorImpl::runOp(Operation *op,
                                  const llvm::BitVector &active) {
  for (Type type : op->getResultTypes()) {
    // An opaque value, for example a list of tensors, is one value with unknown
    // content.
    if (isa<TokenType>(type) || (isa<OpaqueType>(type) && isTextFunction(op)))
      continue;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!isInterpretedElementType(tensor ? tensor.getElementType() : type))
      return op->emitOpError()
             << "has no reference semantics: expected ranked tensors or "
                "scalars of integers, index or floats of up to 64 bits, got "
             << type;
  }
  if (Dialect *dialect = op->getDialect())
    if (auto *own =
            dialect->getRegisteredInterface<InterpretedDialectInterface>())
      return own->run(op, active, *this);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](func::CallOp op) { return runCall(op, active); })
      .Case<LayerOp, ScheduleOp, TaskOp>(
          [&](Operation *op) { return runOnce(op, active); })
      .Case([&](PipelineOp op) { return runPipeline(op, active); })
      .Case<scf::IfOp, scf::IndexSwitchOp>(
          [&](Operation *op) { return runBranches(op, active); })
      .Case([&](scf::ForOp op) { return runFor(op, active); })
      .Case([&](scf::WhileOp op) { return runWhile(op, active); })
      .Case([&](DropOp op) { return runDrop(op, active); })
      .Case([&](GroupRankOp op) { return runGroupRank(op, active); })
      .Case([&](RaggedPlanOp op) { return runRaggedPlan(op, active); })
      .Case([&](NodePlanOp op) { return runNodePlan(op, active); })
      .Case([&](CollectiveOpInterface op) { return runCollective(op, active); })
      .Default([&](Operation *op) { return runLocal(op, active); });
}

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

std::string moe::printShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? "x" : "") + std::to_string(size);
  return text;
}

std::string moe::printRanks(ArrayRef<int64_t> ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size();) {
    size_t j = i + 1;
    while (j < ranks.size() && ranks[j] == ranks[j - 1] + 1)
      ++j;
    text += (i ? "," : "") + std::to_string(ranks[i]);
    if (j - i > 1)
      text += "-" + std::to_string(ranks[j - 1]);
    i = j;
  }
  return text;
}

LogicalResult moe::verifySize(Operation *op, int64_t rank, StringRef what,
                              int64_t got, int64_t expected) {
  if (got == expected)
    return success();
  return op->emitOpError() << "expected " << what << " to be " << expected
                           << ", got " << got << " on rank " << rank;
}

LogicalResult ExecutorImpl::outOfMemory(Operation *op,
                                        ArrayRef<int64_t> shape) {
  InFlightDiagnostic diag = op->emitOpError();
  std::optional<int64_t> count = countElements(shape);
  diag << "needs a tensor of " << printShape(shape) << " elements";
  if (count && *count <= std::numeric_limits<int64_t>::max() / 8)
    diag << ", " << *count * 8 << " bytes";
  diag << ", and " << budget.getLive() << " of the " << budget.getLimit()
       << " bytes allowed (--max-bytes) are held";
  return diag;
}

FailureOr<LocalTensor> ExecutorImpl::allocate(Operation *op,
                                              ArrayRef<int64_t> shape) {
  std::optional<LocalTensor> tensor = LocalTensor::allocate(shape, budget);
  if (!tensor)
    return outOfMemory(op, shape);
  return *tensor;
}

Shape ExecutorImpl::getShapeOf(Value value) const {
  Shape shape;
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (auto [d, size] : llvm::enumerate(type.getShape()))
      shape.push_back(ShapedType::isDynamic(size) ? size
                                                  : size / getFactor(value, d));
  return shape;
}

LogicalResult ExecutorImpl::verifyShape(Operation *op, unsigned result,
                                        int64_t rank, ArrayRef<int64_t> shape) {
  Shape expected = getShapeOf(op->getResult(result));
  bool agrees = expected.size() == shape.size();
  for (size_t d = 0; agrees && d < shape.size(); ++d)
    agrees = shape[d] >= 0 &&
             (ShapedType::isDynamic(expected[d]) || expected[d] == shape[d]);
  if (agrees)
    return success();
  return op->emitOpError() << "expected result " << result << " to be "
                           << op->getResult(result).getType() << ", got "
                           << printShape(shape) << " on rank " << rank;
}

FailureOr<LocalTensor> ExecutorImpl::allocateResult(Operation *op,
                                                    unsigned result,
                                                    int64_t rank,
                                                    ArrayRef<int64_t> shape) {
  if (failed(verifyShape(op, result, rank, shape)))
    return failure();
  return allocate(op, shape);
}

FailureOr<int64_t> ExecutorImpl::getInteger(Operation *op, int64_t rank,
                                            StringRef what, Cell cell) {
  if (std::optional<int64_t> value = domain.asInteger(cell))
    return *value;
  return op->emitOpError() << "expected " << what
                           << " to be a known integer, got "
                           << domain.print(cell,
                                           IndexType::get(op->getContext()))
                           << " on rank " << rank;
}

FailureOr<SmallVector<int64_t>>
ExecutorImpl::getIntegers(Operation *op, int64_t rank, StringRef what,
                          ArrayRef<Cell> cells) {
  SmallVector<int64_t> values;
  values.reserve(cells.size());
  for (Cell cell : cells) {
    FailureOr<int64_t> value = getInteger(op, rank, what, cell);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

FailureOr<std::vector<RankTensors>> moe::execute(const Program &program,
                                                 Domain &domain,
                                                 MemoryBudget &budget,
                                                 const Collapse *collapse) {
  return ExecutorImpl(program, domain, budget, collapse).run();
}
