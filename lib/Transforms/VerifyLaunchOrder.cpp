// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One order on every rank.

#include "VerifyLaunchOrder.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "moe/Analysis/ControlFlow.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;
using namespace moe;

/// More launches than any program has: calls of calls may multiply them, and
/// what comes later is not looked at.
static constexpr size_t kMaxLaunches = 1 << 17;

/// Ways of one branch that are compared with each other.
static constexpr size_t kMaxWays = 64;

/// True for an op that runs one of its regions, or none, once.
static bool isBranch(Operation *op) {
  return op->getNumRegions() > 1 && isKnownControlFlow(op) &&
         !isa<LoopLikeOpInterface>(op);
}

namespace {

/// A collective on the way through a program.
struct Launch {
  Operation *op;
  /// Equal for what may meet: see `OrderChecker::getKind`.
  unsigned kind;
};
using Launches = SmallVector<Launch>;

/// Two launches, the first in front on one way and behind on another.
struct Conflict {
  /// In the order of the one way.
  Operation *first;
  /// The second, as the other way has it.
  Operation *second;
  /// Two of the ranks that share both; none when they are not listed.
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
  /// Ranks that some group of a collective joins: for each rank its group.
  struct Groups {
    GroupAttrInterface attr;
    /// Empty when the ranks are too many to list.
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
      // Order inside a group is part of what the collective does, so the lists
      // as they are tell whether two spellings are one group.
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

  /// Numbers collectives: equal for equal op, attributes, types and ranks.
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

  /// The launches of a called function; of one that is being called, none.
  const Launches &getLaunches(Operation *function) {
    auto [it, inserted] = functions.try_emplace(function);
    if (!inserted)
      return it->second;
    Launches launches;
    for (Region &region : function->getRegions())
      collect(region, /*branch=*/nullptr, 0, launches);
    return functions[function] = std::move(launches);
  }

  /// Appends what `region` launches when `branch` goes into its region `way`
  /// and every other branch into all of its own.
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

  /// What tells ranks apart that a value varying over `bits` may tell apart.
  int64_t project(int64_t rank, uint64_t bits) {
    MeshOp mesh = replication.getAxes().getMesh();
    if (!mesh)
      return rank;
    int64_t projected = 0, stride = 1;
    for (int64_t i = mesh.getShape().size() - 1; i >= 0; --i) {
      int64_t size = mesh.getShape()[i];
      if (bits & (uint64_t(1) << i))
        projected += rank / stride % size * stride;
      stride *= size;
    }
    return projected;
  }

  /// Fills `ranks` with two ranks that take part in both kinds and may go
  /// different ways; false when there are none.
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

  /// Places of each kind in a sequence.
  using Places = std::map<unsigned, SmallVector<size_t>>;

  static Places getPlaces(const Launches &launches) {
    Places places;
    for (auto [i, launch] : llvm::enumerate(launches))
      places[launch.kind].push_back(i);
    return places;
  }

  /// True when what both sequences launch stands in one order: the usual case.
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

  /// The first two launches of two kinds that change places.
  static std::optional<Conflict>
  findSwap(const Launches &one, const Launches &other, ArrayRef<size_t> oneA,
           ArrayRef<size_t> otherA, ArrayRef<size_t> oneB,
           ArrayRef<size_t> otherB) {
    size_t countA = std::min(oneA.size(), otherA.size());
    size_t countB = std::min(oneB.size(), otherB.size());
    // Launches of one kind never change places, so it is enough to look at
    // neighbours of different kinds.
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
    // Ways that launch the same are one.
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
  /// Per kind the number of its groups.
  SmallVector<unsigned> kindGroups;
  /// Of two groups and the axes a branch varies over: see `share`.
  std::map<std::tuple<unsigned, unsigned, uint64_t>,
           std::pair<bool, std::optional<std::pair<int64_t, int64_t>>>>
      shared;
  llvm::DenseMap<Operation *, Launches> functions;
};

} // namespace

LogicalResult moe::verifyLaunchOrder(ModuleOp module) {
  // Where nothing branches around a collective there is one order: most
  // programs need no analysis.
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
