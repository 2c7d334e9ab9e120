// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of the mesh axes that values vary over.

#include "moe/Analysis/Replication.h"
#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Dialect/MoE/ExtensionDialect.h"
#include "moe/Dialect/MoE/RunInterfaces.h"
#include "moe/Dialect/Text/Ops.h"
#include "moe/Dialect/Text/StableHLO/RankNumbers.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::dataflow;
using namespace moe;

//===----------------------------------------------------------------------===//
// Transfer function
//===----------------------------------------------------------------------===//

/// Returns true for ops without a rendezvous that compute their results from
/// their operands alone, so that equal operands give equal results.
static bool isFunctionOfOperands(Operation *op) {
  if (isTextFunction(op))
    return true;
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0 ||
      !isMemoryEffectFree(op))
    return false;
  StringRef dialect = op->getName().getDialectNamespace();
  return getExtension(op) ||
         llvm::is_contained(
             {"moe", "arith", "math", "tensor", "complex", "index"}, dialect);
}

/// For a StableHLO integer that depends only on the rank, returns the axes
/// along which it differs; nullopt for all other ops.
static std::optional<uint64_t> findRankAxes(const MeshAxes &axes,
                                            Operation *op) {
  MeshOp mesh = axes.getMesh();
  if (!mesh || op->getNumResults() != 1)
    return std::nullopt;
  RankNumbers numbers(mesh.getNumRanks());
  const RankNumbers::Numbers *own = numbers.get(op->getResult(0));
  if (!own)
    return std::nullopt;
  uint64_t bits = 0;
  for (auto [i, size] : llvm::enumerate(mesh.getShape())) {
    int64_t stride = cost::getStride(mesh.getShape(), i);
    for (size_t rank = 0; rank + stride < own->size(); ++rank)
      if (rank / stride % size + 1 < size_t(size) &&
          (*own)[rank] != (*own)[rank + stride])
        bits |= uint64_t(1) << i;
  }
  return bits;
}

/// Returns the axes that the results of `op` vary over if its operands together
/// vary over `operands`.
static uint64_t transfer(const MeshAxes &axes, Operation *op,
                         uint64_t operands) {
  if (auto rank = dyn_cast<GroupRankOp>(op))
    return axes.getBits(rank.getGroup()).value_or(axes.all());
  if (auto drop = dyn_cast<DropOp>(op))
    return operands | axes.getBits(drop.getGroup()).value_or(axes.all());
  if (auto plan = dyn_cast<RaggedPlanOp>(op)) {
    // The plan depends on the rank's positions in its groups.
    uint64_t positions = axes.getBits(plan.getGroup()).value_or(axes.all());
    if (GroupAttrInterface joined = plan.getJoinedAttr())
      positions |= axes.getBits(joined).value_or(axes.all());
    return operands | positions;
  }
  if (auto plan = dyn_cast<NodePlanOp>(op)) {
    uint64_t positions = axes.getBits(plan.getGroup()).value_or(axes.all()) |
                         axes.getBits(plan.getInside()).value_or(axes.all());
    if (GroupAttrInterface joined = plan.getJoinedAttr())
      positions |= axes.getBits(joined).value_or(axes.all());
    return operands | positions;
  }
  if (auto runs = dyn_cast<RunsOpInterface>(op)) {
    GroupAttrInterface group = runs.getCountsGroup();
    return operands |
           (group ? axes.getBits(group).value_or(axes.all()) : axes.all());
  }
  if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
    std::optional<uint64_t> group = axes.getBits(collective.getGroup());
    if (!group)
      return axes.all();
    switch (collective.getCollectiveKind()) {
    case CollectiveKind::AllGather:
    case CollectiveKind::AllReduce:
      return operands & ~*group;
    case CollectiveKind::AllToAll:
    case CollectiveKind::RaggedAllToAll:
    case CollectiveKind::ReduceScatter:
      return operands | *group;
    case CollectiveKind::CollectivePermute:
      // If all ranks send the same tensor and every rank receives one, the
      // result does not vary.
      return !(operands & *group) && cast<CollectivePermuteOp>(op).reachesAll()
                 ? operands
                 : operands | *group;
    }
  }
  bool isFunction = isFunctionOfOperands(op);
  if (isFunction && !operands)
    return 0;
  return findRankAxes(axes, op).value_or(isFunction ? operands : axes.all());
}

/// The same per result. For an op with regions, each result uses the operands
/// that it depends on.
static SmallVector<uint64_t> transferEach(const MeshAxes &axes, Operation *op,
                                          ArrayRef<uint64_t> operands) {
  SmallVector<uint64_t> results;
  auto join = [&](auto isPart) {
    uint64_t bits = 0;
    for (auto [i, own] : llvm::enumerate(operands))
      if (isPart(i))
        bits |= own;
    return bits;
  };
  if (op->getNumRegions() != 0 && isTextFunction(op))
    for (const llvm::SmallBitVector &own : getTextDependencies(op))
      results.push_back(join([&](unsigned i) { return own.test(i); }));
  else
    results.assign(op->getNumResults(),
                   transfer(axes, op, join([](unsigned) { return true; })));
  return results;
}

//===----------------------------------------------------------------------===//
// The dataflow analysis
//===----------------------------------------------------------------------===//

namespace {

/// A set of axes that only grows; nullopt before the analysis reaches the
/// value.
class ReplicationLattice : public AbstractSparseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReplicationLattice)
  using AbstractSparseLattice::AbstractSparseLattice;

  ChangeResult join(const AbstractSparseLattice &rhs) override {
    auto other = static_cast<const ReplicationLattice &>(rhs).varying;
    return other ? add(*other) : ChangeResult::NoChange;
  }
  ChangeResult add(uint64_t bits) {
    if (varying && (*varying | bits) == *varying)
      return ChangeResult::NoChange;
    varying = varying.value_or(0) | bits;
    return ChangeResult::Change;
  }
  void print(raw_ostream &os) const override {
    if (varying)
      os << "varies over " << llvm::format_hex(*varying, 0);
    else
      os << "unreached";
  }

  std::optional<uint64_t> varying;
};

class ReplicationAnalysis
    : public SparseForwardDataFlowAnalysis<ReplicationLattice> {
public:
  ReplicationAnalysis(DataFlowSolver &solver, const MeshAxes &axes)
      : SparseForwardDataFlowAnalysis(solver), axes(axes) {}

  LogicalResult
  visitOperation(Operation *op, ArrayRef<const ReplicationLattice *> operands,
                 ArrayRef<ReplicationLattice *> results) override {
    if (isa<PipelineOp, ScheduleOp, TaskOp>(op)) {
      // The yielded value, of all chunks for pipelines, becomes the result. The
      // last result of a task is its token, which is not yielded.
      ProgramPoint *point = getProgramPointAfter(op);
      Operation *yield = op->getRegion(0).front().getTerminator();
      for (auto [result, value] : llvm::zip(results, yield->getOperands()))
        join(result, *getLatticeElementFor(point, value));
      if (isa<TaskOp>(op))
        propagateIfChanged(results.back(), results.back()->add(axes.all()));
      return success();
    }
    SmallVector<uint64_t> bits;
    for (const ReplicationLattice *operand : operands) {
      if (!operand->varying)
        return success(); // visited again once the operand is reached
      bits.push_back(*operand->varying);
    }
    for (auto [result, own] :
         llvm::zip_equal(results, transferEach(axes, op, bits)))
      propagateIfChanged(result, result->add(own));
    return success();
  }

  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<ReplicationLattice *> args,
                                    unsigned firstIndex) override {
    ProgramPoint *point =
        getProgramPointBefore(&successor.getSuccessor()->front());
    if (isa<PipelineOp>(op)) {
      // A chunk varies like the operand that it is cut from.
      for (auto [arg, operand] : llvm::zip_equal(args, op->getOperands()))
        join(arg, *getLatticeElementFor(point, operand));
      return;
    }
    // The induction variable of a loop varies like its bounds.
    uint64_t bits = isKnownControlFlow(op) ? getControl(point, op) : axes.all();
    unsigned forwarded = successor.getSuccessorInputs().size();
    for (auto [i, arg] : llvm::enumerate(args))
      if (i < firstIndex || i >= firstIndex + forwarded)
        propagateIfChanged(arg, arg->add(bits));
  }

  void setToEntryState(ReplicationLattice *lattice) override {
    propagateIfChanged(lattice, lattice->add(getEntry(lattice->getAnchor())));
  }

  LogicalResult initialize(Operation *top) override {
    if (failed(SparseForwardDataFlowAnalysis::initialize(top)))
      return failure();
    // Ranks may take different paths through unstructured control flow, so the
    // arguments of its blocks and the results of such functions are unknown.
    top->walk([&](Operation *op) {
      for (Region &region : op->getRegions())
        if (!region.empty())
          for (Block &block : llvm::drop_begin(region))
            for (Value argument : block.getArguments())
              add(getLatticeElement(argument), axes.all());
      auto call = dyn_cast<CallOpInterface>(op);
      if (!call)
        return;
      auto callee =
          dyn_cast_or_null<CallableOpInterface>(call.resolveCallable());
      Region *body = callee ? callee.getCallableRegion() : nullptr;
      if (body && !body->hasOneBlock())
        for (Value result : op->getResults())
          add(getLatticeElement(result), axes.all());
    });
    return success();
  }

private:
  /// Returns true if the module itself calls the function or takes its address,
  /// so that the declared `moe.varying` of its arguments does not apply.
  bool isUsedInside(FunctionOpInterface function) {
    auto [it, isNew] = usedInside.try_emplace(function, false);
    if (isNew)
      if (Operation *table = function->getParentOp())
        it->second = !SymbolTable::symbolKnownUseEmpty(function, table);
    return it->second;
  }

  /// Returns the declared axes of an argument.
  uint64_t getEntry(Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    if (!arg || !arg.getOwner()->isEntryBlock())
      return axes.all();
    auto function =
        dyn_cast<FunctionOpInterface>(arg.getOwner()->getParentOp());
    if (!function || !axes.getMesh() || isUsedInside(function))
      return axes.all();
    auto varying = function.getArgAttrOfType<ArrayAttr>(
        arg.getArgNumber(), MoEDialect::getVaryingAttrName());
    if (!varying)
      return axes.all();
    SmallVector<StringRef> names;
    for (StringAttr name : varying.getAsRange<StringAttr>())
      names.push_back(name.getValue());
    FailureOr<uint64_t> bits = getAxisBits(axes.getMesh(), names);
    return failed(bits) ? axes.all() : *bits & axes.all();
  }

  /// Returns the axes over which ranks may disagree about the regions of `op`
  /// to run.
  uint64_t getControl(ProgramPoint *point, Operation *op) {
    uint64_t bits = 0;
    for (Value value : getControlOperands(op))
      bits |= getLatticeElementFor(point, value)->varying.value_or(0);
    return bits;
  }

  /// Results and region arguments receive forwarded values, and vary with the
  /// control of the op. (Private in the base class, but virtual.)
  void
  visitRegionSuccessors(ProgramPoint *point, RegionBranchOpInterface branch,
                        RegionSuccessor successor,
                        ArrayRef<AbstractSparseLattice *> lattices) override {
    Operation *op = branch.getOperation();
    if (!isKnownControlFlow(op)) {
      setAllToEntryStates(
          {reinterpret_cast<ReplicationLattice *const *>(lattices.begin()),
           lattices.size()});
      return;
    }
    const auto *predecessors = getOrCreateFor<PredecessorState>(point, point);
    uint64_t control = getControl(point, op);
    for (Operation *predecessor : predecessors->getKnownPredecessors()) {
      OperandRange operands =
          predecessor == op
              ? branch.getEntrySuccessorOperands(successor)
              : cast<RegionBranchTerminatorOpInterface>(predecessor)
                    .getSuccessorOperands(successor);
      ValueRange inputs = predecessors->getSuccessorInputs(predecessor);
      unsigned firstIndex = 0;
      if (inputs.size() != lattices.size()) {
        if (!inputs.empty())
          firstIndex = isa<BlockArgument>(inputs.front())
                           ? cast<BlockArgument>(inputs.front()).getArgNumber()
                           : cast<OpResult>(inputs.front()).getResultNumber();
        if (successor.isParent()) {
          // Results without a forwarded value.
          for (auto [i, lattice] : llvm::enumerate(lattices))
            if (i < firstIndex || i >= firstIndex + inputs.size())
              add(lattice, axes.all());
        } else {
          visitNonControlFlowArguments(
              op, RegionSuccessor(successor.getSuccessor(), blockArgs(inputs)),
              {reinterpret_cast<ReplicationLattice *const *>(lattices.begin()),
               lattices.size()},
              firstIndex);
        }
      }
      for (auto [operand, lattice] :
           llvm::zip(operands, lattices.drop_front(firstIndex))) {
        join(lattice, *getLatticeElementFor(point, operand));
        add(lattice, control);
      }
    }
  }

  static Block::BlockArgListType blockArgs(ValueRange inputs) {
    if (inputs.empty())
      return {};
    auto first = cast<BlockArgument>(inputs.front());
    return first.getOwner()->getArguments().slice(first.getArgNumber(),
                                                  inputs.size());
  }

  void add(AbstractSparseLattice *lattice, uint64_t bits) {
    auto *state = static_cast<ReplicationLattice *>(lattice);
    propagateIfChanged(state, state->add(bits));
  }

  const MeshAxes &axes;
  llvm::DenseMap<Operation *, bool> usedInside;
};

} // namespace

//===----------------------------------------------------------------------===//
// ReplicationInfo
//===----------------------------------------------------------------------===//

ReplicationInfo::ReplicationInfo(Operation *root) : root(root), axes(root) {}
ReplicationInfo::~ReplicationInfo() = default;

FailureOr<std::unique_ptr<ReplicationInfo>>
ReplicationInfo::computeWhenAsked(Operation *root) {
  // All values share one set of axes, so nested modules must not have another
  // mesh.
  MeshOp first;
  WalkResult oneMesh = root->walk([&](MeshOp mesh) -> WalkResult {
    if (!first) {
      first = mesh;
      return WalkResult::advance();
    }
    InFlightDiagnostic diag = mesh.emitOpError()
                              << "expected one mesh in all modules to analyze";
    diag.attachNote(first.getLoc()) << "the other mesh is declared here";
    return diag;
  });
  if (oneMesh.wasInterrupted())
    return failure();
  return std::unique_ptr<ReplicationInfo>(new ReplicationInfo(root));
}

FailureOr<std::unique_ptr<ReplicationInfo>>
ReplicationInfo::compute(Operation *root) {
  auto info = computeWhenAsked(root);
  if (failed(info) || failed((*info)->analyse()))
    return failure();
  return info;
}

LogicalResult ReplicationInfo::analyse() const {
  isAnalysed = true;
  // Sparse analyses only visit ops that these two analyses find reachable.
  solver.load<DeadCodeAnalysis>();
  solver.load<SparseConstantPropagation>();
  solver.load<ReplicationAnalysis>(axes);
  return solver.initializeAndRun(root);
}

uint64_t ReplicationInfo::getVarying(Value value) const {
  if (!isAnalysed)
    (void)analyse(); // after a failure, no value is known
  if (auto it = created.find(value); it != created.end())
    return it->second;
  const auto *lattice = solver.lookupState<ReplicationLattice>(value);
  return lattice && lattice->varying ? *lattice->varying : axes.all();
}

bool ReplicationInfo::isReplicatedOver(Value value,
                                       GroupAttrInterface group) const {
  std::optional<uint64_t> bits = axes.getBits(group);
  return bits && (getVarying(value) & *bits) == 0;
}

void ReplicationInfo::notifyOperationInserted(Operation *op,
                                              OpBuilder::InsertPoint) {
  // A moved op keeps its results, and a new one derives them from its operands.
  // Patterns create no ops in regions, so there are none here.
  uint64_t bits = 0;
  for (Value operand : op->getOperands())
    bits |= getVarying(operand);
  bits = op->getNumRegions() == 0 ? transfer(axes, op, bits) : axes.all();
  for (Value result : op->getResults())
    if (!created.contains(result) &&
        !solver.lookupState<ReplicationLattice>(result))
      created[result] = bits;
}

void ReplicationInfo::notifyOperationErased(Operation *op) {
  // A later op may be allocated at the same address.
  for (Value result : op->getResults()) {
    created.erase(result);
    solver.eraseState(result);
  }
}
