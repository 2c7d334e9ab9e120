// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifies schedules.

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Cost/MeshShape.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/ScheduleVerifier.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Compiler.h"
#include <map>

namespace moe {
#define GEN_PASS_DEF_VERIFYSCHEDULE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// The same launch order on every rank
//===----------------------------------------------------------------------===//

/// Limit on the launches of a sequence, because nested calls may multiply them.
/// Later launches are not checked.
static constexpr size_t kMaxLaunches = 1 << 17;

/// Limit on the regions of one branch that are compared with each other.
static constexpr size_t kMaxWays = 64;

/// Returns true for an op that runs at most one of its regions, once.
static bool isBranch(Operation *op) {
  return op->getNumRegions() > 1 && isKnownControlFlow(op) &&
         !isa<LoopLikeOpInterface>(op);
}

namespace {

/// A collective in the launch sequence of a program.
struct Launch {
  Operation *op;
  /// Equal for collectives that may meet: see `OrderChecker::getKind`.
  unsigned kind;
};
using Launches = SmallVector<Launch>;

/// Two launches in different order in two sequences.
struct Conflict {
  /// The first launch of one sequence.
  Operation *first;
  /// The second launch of that sequence, as found in the other one.
  Operation *second;
  /// Two ranks that take part in both; nullopt if the ranks are not listed.
  std::optional<std::pair<int64_t, int64_t>> ranks;
};

class OrderChecker {
public:
  OrderChecker(ModuleOp module, const ReplicationInfo &replication)
      : module(module), replication(replication) {}

  LogicalResult run() {
    bool failedAny = false;
    module.walk([&](Operation *op) {
      if (isBranch(op))
        failedAny |= failed(check(op));
    });
    return failure(failedAny);
  }

private:
  /// The groups of a collective: for each rank, the number of its group.
  struct Groups {
    GroupAttrInterface attr;
    /// Empty if there are too many ranks to list.
    SmallVector<int64_t> groupOf;
  };

  //===--------------------------------------------------------------------===//
  // Sequences of launches
  //===--------------------------------------------------------------------===//

  unsigned getGroups(CollectiveOpInterface op) {
    GroupAttrInterface attr = op.getGroup();
    auto [it, inserted] = groupNumbers.try_emplace(attr, groups.size());
    if (!inserted)
      return it->second;
    Groups found{attr, {}};
    FailureOr<SmallVector<SmallVector<int64_t>>> lists = attr.getRankLists(op);
    if (succeeded(lists)) {
      // The order of ranks inside a group matters to the collective, so two
      // attributes are one group only if their lists are equal.
      auto [known, isNew] = listNumbers.try_emplace(*lists, groups.size());
      if (!isNew)
        return it->second = known->second;
      found.groupOf.resize(lists->size() * lists->front().size());
      for (auto [i, list] : llvm::enumerate(*lists))
        for (int64_t rank : list)
          found.groupOf[rank] = i;
    }
    groups.push_back(std::move(found));
    return it->second;
  }

  /// Returns equal numbers for equal op, attributes, types and ranks.
  unsigned getKind(CollectiveOpInterface op) {
    auto [known, isNew] = kindOf.try_emplace(op, 0);
    if (!isNew)
      return known->second;
    unsigned group = getGroups(op);
    SmallVector<NamedAttribute> attributes;
    if (auto all =
            dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
      for (NamedAttribute attribute : all)
        if (attribute.getValue() != op.getGroup())
          attributes.push_back(attribute);
    MLIRContext *context = op->getContext();
    auto key = std::tuple(
        op->getName().getAsOpaquePointer(), group,
        DictionaryAttr::get(context, attributes).getAsOpaquePointer(),
        FunctionType::get(context, op->getOperandTypes(), op->getResultTypes())
            .getAsOpaquePointer());
    auto [it, inserted] = kinds.try_emplace(key, kindGroups.size());
    if (inserted)
      kindGroups.push_back(group);
    return known->second = it->second;
  }

  /// Returns the launches of a called function; empty during a recursive call.
  const Launches &getLaunches(Operation *function) {
    auto [it, inserted] = functions.try_emplace(function);
    if (!inserted)
      return it->second;
    Launches launches;
    for (Region &region : function->getRegions())
      collect(region, /*branch=*/nullptr, 0, launches);
    return functions[function] = std::move(launches);
  }

  /// Appends the launches of `region`, where `branch` runs only its region
  /// `way` and every other branch runs all of its regions.
  void collect(Region &region, Operation *branch, unsigned way,
               Launches &launches) {
    for (Operation &op : region.getOps()) {
      if (launches.size() > kMaxLaunches)
        return;
      if (auto collective = dyn_cast<CollectiveOpInterface>(op))
        launches.push_back({&op, getKind(collective)});
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (Operation *callee = call.resolveCallableInTable(&symbols))
          if (isa<FunctionOpInterface>(callee))
            llvm::append_range(launches, getLaunches(callee));
      for (auto [i, nested] : llvm::enumerate(op.getRegions()))
        if (&op != branch || i == way)
          collect(nested, branch, way, launches);
    }
  }

  //===--------------------------------------------------------------------===//
  // Shared ranks
  //===--------------------------------------------------------------------===//

  /// Returns equal numbers for ranks that a value varying over `bits` cannot
  /// distinguish.
  int64_t project(int64_t rank, uint64_t bits) {
    MeshOp mesh = replication.getAxes().getMesh();
    return mesh ? cost::projectRank(mesh.getShape(), rank, bits) : rank;
  }

  /// Sets `ranks` to two ranks that take part in both kinds and may take
  /// different regions; returns false if there are none.
  bool share(unsigned kind, unsigned other, uint64_t bits,
             std::optional<std::pair<int64_t, int64_t>> &ranks) {
    auto [it, inserted] =
        shared.try_emplace({kindGroups[kind], kindGroups[other], bits});
    if (inserted)
      it->second.first =
          findShared(groups[kindGroups[kind]], groups[kindGroups[other]], bits,
                     it->second.second);
    ranks = it->second.second;
    return it->second.first;
  }

  bool findShared(const Groups &a, const Groups &b, uint64_t bits,
                  std::optional<std::pair<int64_t, int64_t>> &ranks) {
    if (a.groupOf.empty() || a.groupOf.size() != b.groupOf.size()) {
      const MeshAxes &axes = replication.getAxes();
      return bits & axes.getBits(a.attr).value_or(axes.all()) &
             axes.getBits(b.attr).value_or(axes.all());
    }
    llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> seen;
    for (int64_t rank = 0, e = a.groupOf.size(); rank < e; ++rank) {
      auto [it, inserted] =
          seen.try_emplace({a.groupOf[rank], b.groupOf[rank]}, rank);
      if (inserted || project(it->second, bits) == project(rank, bits))
        continue;
      ranks = {it->second, rank};
      return true;
    }
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Orders
  //===--------------------------------------------------------------------===//

  /// Indices of each kind in a sequence.
  using Places = std::map<unsigned, SmallVector<size_t>>;

  static Places getPlaces(const Launches &launches) {
    Places places;
    for (auto [i, launch] : llvm::enumerate(launches))
      places[launch.kind].push_back(i);
    return places;
  }

  /// Returns true if both sequences launch their common kinds in the same
  /// order.
  static bool isOrdered(const Launches &one, const Places &other) {
    llvm::DenseMap<unsigned, size_t> counts;
    size_t last = 0;
    for (const Launch &launch : one) {
      size_t count = counts[launch.kind]++;
      auto it = other.find(launch.kind);
      if (it == other.end() || count >= it->second.size())
        continue;
      if (it->second[count] < last)
        return false;
      last = it->second[count];
    }
    return true;
  }

  /// Returns the first two launches of two kinds that are in opposite order.
  static std::optional<Conflict>
  findSwap(const Launches &one, const Launches &other, ArrayRef<size_t> oneA,
           ArrayRef<size_t> otherA, ArrayRef<size_t> oneB,
           ArrayRef<size_t> otherB) {
    size_t countA = std::min(oneA.size(), otherA.size());
    size_t countB = std::min(oneB.size(), otherB.size());
    // The order of launches of one kind is always the same, so it suffices to
    // compare neighbours of different kinds.
    for (size_t a = 0, b = 0; a < countA && b < countB;) {
      bool isAFirst = oneA[a] < oneB[b];
      if (isAFirst != (otherA[a] < otherB[b]))
        return isAFirst ? Conflict{one[oneA[a]].op, other[otherB[b]].op, {}}
                        : Conflict{one[oneB[b]].op, other[otherA[a]].op, {}};
      ++(isAFirst ? a : b);
    }
    return std::nullopt;
  }

  std::optional<Conflict> compare(const Launches &one, const Launches &other,
                                  uint64_t bits) {
    Places onePlaces = getPlaces(one), otherPlaces = getPlaces(other);
    if (isOrdered(one, otherPlaces))
      return std::nullopt;
    for (auto a = onePlaces.begin(); a != onePlaces.end(); ++a) {
      auto otherA = otherPlaces.find(a->first);
      if (otherA == otherPlaces.end())
        continue;
      for (auto b = std::next(a); b != onePlaces.end(); ++b) {
        auto otherB = otherPlaces.find(b->first);
        if (otherB == otherPlaces.end())
          continue;
        std::optional<Conflict> conflict = findSwap(
            one, other, a->second, otherA->second, b->second, otherB->second);
        if (conflict && share(a->first, b->first, bits, conflict->ranks))
          return conflict;
      }
    }
    return std::nullopt;
  }

  LogicalResult check(Operation *branch) {
    uint64_t bits = ControlInfo(replication).getControlAxes(branch);
    if (bits == 0)
      return success();
    // Regions with the same launches count as one.
    llvm::MapVector<SmallVector<unsigned>, unsigned> ways;
    for (auto [i, region] : llvm::enumerate(branch->getRegions())) {
      Launches launches;
      collect(region, nullptr, 0, launches);
      auto kinds = llvm::map_to_vector(
          launches, [](const Launch &launch) { return launch.kind; });
      ways.try_emplace(std::move(kinds), i);
    }
    if (ways.size() < 2)
      return success();

    Operation *root = branch->getParentOp();
    while (!root->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
           root->getParentOp())
      root = root->getParentOp();
    SmallVector<Launches> sequences;
    for (const auto &way : ways) {
      if (sequences.size() == kMaxWays)
        break;
      Launches &launches = sequences.emplace_back();
      for (Region &region : root->getRegions())
        collect(region, branch, way.second, launches);
    }
    for (size_t i = 0; i < sequences.size(); ++i)
      for (size_t j = i + 1; j < sequences.size(); ++j)
        if (auto conflict = compare(sequences[i], sequences[j], bits))
          return report(*conflict, branch, bits);
    return success();
  }

  LogicalResult report(const Conflict &conflict, Operation *branch,
                       uint64_t bits) {
    InFlightDiagnostic diag = conflict.first->emitError();
    diag << "some ranks launch this collective before, and others after, "
            "another one ";
    if (conflict.ranks)
      diag << "that ranks " << conflict.ranks->first << " and "
           << conflict.ranks->second << " take part in too";
    else
      diag << "with which it shares ranks";
    diag.attachNote(conflict.second->getLoc())
        << "the other collective, where it is launched before";
    SmallVector<StringRef> names = replication.getAxes().getNames(bits);
    Diagnostic &note = diag.attachNote(branch->getLoc());
    note << branch->getName() << " may go different ways on ranks";
    if (!names.empty()) {
      note << " that differ in axis ";
      llvm::interleave(
          names, [&](StringRef name) { note << '"' << name << '"'; },
          [&] { note << " or "; });
    }
    return diag;
  }

  ModuleOp module;
  const ReplicationInfo &replication;
  SymbolTableCollection symbols;
  /// Groups in order of appearance, and their numbers.
  SmallVector<Groups> groups;
  llvm::DenseMap<Attribute, unsigned> groupNumbers;
  std::map<SmallVector<SmallVector<int64_t>>, unsigned> listNumbers;
  std::map<std::tuple<const void *, unsigned, const void *, const void *>,
           unsigned>
      kinds;
  llvm::DenseMap<Operation *, unsigned> kindOf;
  /// The group number of each kind.
  SmallVector<unsigned> kindGroups;
  /// Results of `share`, by two groups and the axes that a branch varies over.
  std::map<std::tuple<unsigned, unsigned, uint64_t>,
           std::pair<bool, std::optional<std::pair<int64_t, int64_t>>>>
      shared;
  llvm::DenseMap<Operation *, Launches> functions;
};

} // namespace

/// Checks that ranks which take different regions of a branch launch their
/// common collectives in the same order. Two launches are the same collective
/// if op, attributes, types and ranks are equal, and if both are the n-th such
/// launch. Two collectives in opposite order are an error if at least two ranks
/// that take different regions take part in both. Emits at most one error per
/// branch, at one collective, with notes at the other collective and at the
/// branch. Nested branches count with all their regions, so not every wrong
/// order below nested branches is found. `moe-verify-collectives` checks that
/// all ranks reach each collective.
// Not inlined, so that a call trace shows it (test/docs/lives.test).
LLVM_ATTRIBUTE_NOINLINE static LogicalResult
verifyLaunchOrder(ModuleOp module) {
  // Most programs need no analysis, because no branch is around a collective.
  bool mayDiffer = false;
  module.walk([&](Operation *op) {
    if (!isa<CollectiveOpInterface, CallOpInterface>(op))
      return WalkResult::advance();
    for (Operation *parent = op->getParentOp(); parent && !mayDiffer;
         parent = parent->getParentOp())
      mayDiffer = isBranch(parent);
    return mayDiffer ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!mayDiffer)
    return success();
  auto replication = ReplicationInfo::compute(module);
  if (failed(replication))
    return failure();
  return OrderChecker(module, **replication).run();
}

/// Rejects a `moe.assemble` that joins a value of one chunk twice.
static LogicalResult checkAssemble(AssembleOp op) {
  llvm::SmallDenseMap<Value, unsigned> seen;
  for (auto [i, part] : llvm::enumerate(op->getOperands())) {
    auto task = part.getDefiningOp<TaskOp>();
    if (!task || task.getChunks() == 1)
      continue;
    auto [it, inserted] = seen.try_emplace(part, i);
    if (inserted)
      continue;
    InFlightDiagnostic diag = op.emitOpError()
                              << "expected each chunk once, got chunk "
                              << task.getChunk() << " of \"" << task.getName()
                              << "\" as operand " << it->second
                              << " and as operand " << i;
    diag.attachNote(task.getLoc()) << "the chunk comes from here";
    return diag;
  }
  return success();
}

/// Rejects tasks of one family if only some chunks' values are used, because
/// the joined value then lacks a chunk.
static LogicalResult checkUses(ArrayRef<TaskOp> family) {
  for (unsigned i = 0; i < TaskOp(family.front()).getValues().size(); ++i) {
    TaskOp used, unused;
    for (TaskOp task : family)
      if (i < task.getValues().size())
        (task.getValues()[i].use_empty() ? unused : used) = task;
    if (!used || !unused)
      continue;
    InFlightDiagnostic diag = unused.emitOpError()
                              << "expected a use of value " << i << " of chunk "
                              << unused.getChunk() << " of \""
                              << unused.getName() << "\", got none";
    diag.attachNote(used.getValues()[i].user_begin()->getLoc())
        << "that of chunk " << used.getChunk() << " is used here";
    return diag;
  }
  return success();
}

/// Checks that no chunk is missing or repeated between its task and its uses.
static LogicalResult checkChunks(ScheduleOp schedule) {
  bool failedAny = false;
  schedule.walk([&](AssembleOp op) { failedAny |= failed(checkAssemble(op)); });
  // A chunk that is joined twice replaces another one, so one error is enough.
  if (failedAny)
    return failure();
  using Key = std::tuple<StringRef, StringRef, Phase>;
  llvm::MapVector<Key, SmallVector<TaskOp>> families;
  for (TaskOp task : schedule.getBody().getOps<TaskOp>())
    if (task.getChunks() > 1)
      families[{task.getName(), task.getLayer(), task.getPhase()}].push_back(
          task);
  for (auto &[key, tasks] : families)
    failedAny |= failed(checkUses(tasks));
  return failure(failedAny);
}

/// Returns the tasks of the schedule that a task waits for because of values,
/// tokens and its stream.
static llvm::SmallPtrSet<Operation *, 8> listAwaited(TaskOp task) {
  llvm::SmallPtrSet<Operation *, 8> awaited;
  task->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (auto maker = operand.getDefiningOp<TaskOp>())
        awaited.insert(maker);
  });
  for (Operation *op = task->getPrevNode(); op; op = op->getPrevNode())
    if (auto other = dyn_cast<TaskOp>(op);
        other && other.getStreamAttr() == task.getStreamAttr()) {
      awaited.insert(other);
      break;
    }
  return awaited;
}

/// Returns true if all tasks of `awaited` have ended before `task` starts.
static bool startsAfter(TaskOp task,
                        const llvm::SmallPtrSetImpl<Operation *> &awaited) {
  llvm::SmallPtrSet<Operation *, 8> own = listAwaited(task);
  return llvm::all_of(awaited, [&](Operation *op) {
    return own.contains(op) ||
           (cast<TaskOp>(op).getStreamAttr() == task.getStreamAttr() &&
            op->isBeforeInBlock(task));
  });
}

/// Checks that the order of tasks matches the start that each collective
/// specifies.
static LogicalResult checkOverlap(ScheduleOp schedule) {
  bool failedAny = false;
  auto isProduct = [](Operation *op) {
    auto task = dyn_cast<TaskOp>(op);
    return task && !task->walk([](CollectiveOpInterface) {
                          return WalkResult::interrupt();
                        })
                        .wasInterrupted();
  };
  for (TaskOp task : schedule.getBody().getOps<TaskOp>()) {
    std::optional<CollectiveStart> start = getOverlap(task).start;
    if (!start)
      continue;
    auto refuse = [&](StringRef expected) {
      failedAny = true;
      task.emitOpError() << "'" << kOverlapAttrName << "': expected "
                         << expected << ", got none";
    };
    Block *block = task->getBlock();
    switch (*start) {
    case CollectiveStart::Before: {
      llvm::SmallPtrSet<Operation *, 8> awaited = listAwaited(task);
      if (llvm::none_of(
              llvm::make_range(std::next(task->getIterator()), block->end()),
              [&](Operation &op) {
                return isProduct(&op) && startsAfter(cast<TaskOp>(op), awaited);
              }))
        refuse("a task of products behind it that waits for what it waits for");
      break;
    }
    case CollectiveStart::Behind:
      if (llvm::none_of(task.getAfter(), [&](Value token) {
            return isProduct(token.getDefiningOp());
          }))
        refuse("the token of a task of products in 'after'");
      break;
    case CollectiveStart::Concurrent:
      if (llvm::none_of(block->without_terminator(), [](Operation &op) {
            return getOverlap(&op).freeSms != 0;
          }))
        refuse("a task of the schedule that leaves SMs free");
      break;
    }
  }
  return failure(failedAny);
}

namespace {

struct VerifySchedule : public moe::impl::VerifyScheduleBase<VerifySchedule> {
  using VerifyScheduleBase::VerifyScheduleBase;

  void runOnOperation() override {
    bool failedAny = failed(verifyLaunchOrder(getOperation()));
    for (Dialect *dialect : getContext().getLoadedDialects())
      if (auto *rules =
              dialect->getRegisteredInterface<ScheduleVerifierInterface>())
        failedAny |= failed(rules->verifySchedules(getOperation()));
    getOperation()->walk([&](ScheduleOp schedule) {
      failedAny |= failed(checkChunks(schedule));
      failedAny |= failed(checkOverlap(schedule));
    });
    if (failedAny)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
