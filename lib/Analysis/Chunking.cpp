// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of ops that run in chunks.

#include "moe/Analysis/Chunking.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Analysis/AutomaticDims.h"
#include "moe/Analysis/OpsBetween.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/Text/Ops.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

static bool makesOneTensor(Operation *op) {
  return op->getNumResults() == 1 &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

/// Returns true for ops that can be part of a chain: a clone of the op with
/// other dim sizes is the same function of smaller tensors. Ops of other
/// dialects can be only between exchanges.
static bool mayChain(Operation *op, ChainScope scope) {
  if (!makesOneTensor(op))
    return false;
  if (isStructuredOfParts(op))
    return scope == ChainScope::Layer;
  if (op->getNumRegions() != 0 ||
      isTextDialect(op->getName().getDialectNamespace()))
    return false;
  if (auto chained = dyn_cast<ChainOpInterface>(op))
    return chained.getChainScope() <= scope;
  return scope == ChainScope::Layer &&
         OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op);
}

/// Returns true for ops that can be between two exchanges: ops that can be part
/// of a chain, and partwise functions of any dialect.
static bool mayStandBetween(Operation *op) {
  if (mayChain(op, ChainScope::Layer))
    return true;
  if (!makesOneTensor(op) || !isMemoryEffectFree(op))
    return false;
  std::optional<DimMap> map = getDimMap(op);
  return map && map->isPartwise;
}

/// Returns the use that continues the chain from `op`. This is the only use;
/// with taps, it is the only use by an op that is not elementwise, or, without
/// such a use, the only use by an op that can be part of a chain.
static OpOperand *findNextUse(Operation *op, ChainScope scope, bool taps) {
  if (!taps && !op->hasOneUse())
    return nullptr;
  OpOperand *next = nullptr;
  bool isUnique = true, isOfLayer = false;
  for (OpOperand &use : op->getResult(0).getUses()) {
    Operation *user = use.getOwner();
    // In a graph region, an op may read its own result or a later one.
    if (user->getBlock() != op->getBlock() || !op->isBeforeInBlock(user) ||
        !mayChain(user, scope))
      continue;
    bool other = !OpTrait::hasElementwiseMappableTraits(user);
    if (next && isOfLayer && !other)
      continue;
    isUnique = !next || (other && !isOfLayer);
    next = &use;
    isOfLayer = other;
  }
  return isUnique ? next : nullptr;
}

/// Extends a chain in both directions, one op after the other. In graph
/// regions, a chain stops before an op that it already contains.
static void extend(Chain &chain, ChainScope scope, bool taps) {
  // Upward along the chained operand of each op.
  Block *block = chain.ops.front()->getBlock();
  llvm::DenseSet<Operation *> inChain(chain.ops.begin(), chain.ops.end());
  SmallVector<Operation *> before;
  for (Operation *op = chain.ops.front();;) {
    OpOperand &operand = op->getOpOperand(getChainedOperand(op));
    Operation *def = operand.get().getDefiningOp();
    if (!def || def->getBlock() != block || !mayChain(def, scope) ||
        findNextUse(def, scope, taps) != &operand ||
        !inChain.insert(def).second)
      break;
    before.push_back(def);
    op = def;
  }
  for (Operation *op : before) {
    chain.ops.insert(chain.ops.begin(), op);
    chain.operands.insert(chain.operands.begin(), getChainedOperand(op));
  }
  while (OpOperand *use = findNextUse(chain.ops.back(), scope, taps)) {
    if (!inChain.insert(use->getOwner()).second)
      break;
    chain.ops.push_back(use->getOwner());
    chain.operands.push_back(use->getOperandNumber());
  }
}

static Chain followChain(Operation *seed, ChainScope scope, bool taps) {
  Chain chain;
  chain.ops.push_back(seed);
  chain.operands.push_back(getChainedOperand(seed));
  extend(chain, scope, taps);
  return chain;
}

SmallVector<Operation *> Chain::getTaps() const {
  llvm::DenseSet<Operation *> inChain(ops.begin(), ops.end());
  SmallVector<Operation *> taps;
  for (Operation *op : ArrayRef(ops).drop_back())
    if (llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return !inChain.contains(user); }))
      taps.push_back(op);
  return taps;
}

std::optional<SmallVector<Operation *>> Chain::getLaterOps() const {
  llvm::DenseSet<Operation *> inChain(ops.begin(), ops.end());
  llvm::DenseSet<Operation *> made = inChain;
  SmallVector<Operation *> later;
  for (Operation &op : llvm::make_range(ops.front()->getIterator(),
                                        ops.back()->getIterator())) {
    if (inChain.contains(&op) || !readsAny(&op, made))
      continue;
    if (!isMemoryEffectFree(&op) && !isa<CollectiveOpInterface>(op))
      return std::nullopt;
    later.push_back(&op);
    made.insert(&op);
  }
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          made.contains(def) && !inChain.contains(def))
        return std::nullopt;
  return later;
}

/// Returns the nearest exchange before or after an op in its block; null if
/// none.
static Operation *findExchange(Operation *from, bool behind) {
  for (Operation *op = from;
       (op = behind ? op->getNextNode() : op->getPrevNode());)
    if (isDivisibleAllToAll(op))
      return op;
  return nullptr;
}

/// Returns the ops on the paths from one exchange to a later one, including
/// both. Returns nullopt and sets `reason` if they cannot run in chunks;
/// `reason` remains empty if the later exchange does not depend on the first.
static std::optional<Chain> findEnclosed(Operation *first, Operation *last,
                                         std::string &reason) {
  OpsBetween between = findBetween(first, last);
  if (between.inside.empty())
    return std::nullopt;
  Chain chain;
  llvm::DenseSet<Operation *> made;
  for (Operation *op : between.inside) {
    if (op != first && !mayStandBetween(op)) {
      reason = op->getName().getStringRef().str() +
               " cannot run in chunks (no "
               "ChainOpInterface, and not a partwise function)";
      return std::nullopt;
    }
    unsigned chained = getChainedOperand(op);
    if (op != first)
      chained = llvm::find_if(op->getOperands(),
                              [&](Value operand) {
                                return made.contains(operand.getDefiningOp());
                              }) -
                op->operand_begin();
    chain.ops.push_back(op);
    chain.operands.push_back(chained);
    made.insert(op);
  }
  extend(chain, ChainScope::Layer, /*taps=*/true);
  if (!chain.getLaterOps()) {
    reason = "ops with effects read what it makes";
    return std::nullopt;
  }
  int64_t rank = cast<RankedTensorType>(chain.getInput().getType()).getRank();
  std::string why;
  for (int64_t dim = rank; dim-- > 0;) {
    std::string whyNot;
    if (findChunkDim(chain, dim, whyNot))
      return chain;
    why += (why.empty() ? "" : "; ") + whyNot;
  }
  reason = why;
  return std::nullopt;
}

/// If a chain ends before the experts, returns the chain enclosed by its last
/// exchange and the next one, or by its first exchange and the previous one;
/// otherwise, returns `chain`.
static Chain reachExperts(Chain chain) {
  SmallVector<Operation *> exchanges;
  llvm::copy_if(chain.ops, std::back_inserter(exchanges), isDivisibleAllToAll);
  if (exchanges.empty() || llvm::any_of(chain.ops, appliesExperts))
    return chain;
  for (bool behind : {true, false}) {
    Operation *near = behind ? exchanges.back() : exchanges.front();
    Operation *other = findExchange(near, behind);
    if (!other)
      continue;
    std::string reason;
    if (std::optional<Chain> enclosed =
            findEnclosed(behind ? near : other, behind ? other : near, reason))
      return *enclosed;
    if (chain.whyShort.empty())
      chain.whyShort = reason;
  }
  return chain;
}

Chain moe::findChain(Operation *seed, ChainScope scope) {
  if (scope == ChainScope::Communication)
    return followChain(seed, scope, /*taps=*/false);
  Chain chain = followChain(seed, scope, /*taps=*/true);
  if (!chain.getLaterOps())
    chain = followChain(seed, scope, /*taps=*/false);
  return reachExperts(std::move(chain));
}

namespace {

/// The dim to cut in some op of the chain.
struct CutDim {
  int64_t dim;
  /// Number of parts that it is folded by.
  int64_t fold;
  bool operator==(const CutDim &) const = default;
};

} // namespace

/// Returns the result dim of a reshape with the cut dim of `size` as its
/// innermost elements.
static std::optional<CutDim> followReshape(RankedTensorType from,
                                           RankedTensorType to, int64_t dim,
                                           int64_t size) {
  if (!from.hasStaticShape() || !to.hasStaticShape() ||
      from.getNumElements() == 0)
    return std::nullopt;
  int64_t inner =
      ShapedType::getNumElements(from.getShape().drop_front(dim + 1));
  int64_t behind = 1;
  for (int64_t d = to.getRank(); d-- > 0; behind *= to.getDimSize(d))
    if (behind == inner && to.getDimSize(d) % size == 0)
      return CutDim{d, to.getDimSize(d) / size};
  return std::nullopt;
}

/// Returns the cut of the result for a cut of an operand; nullopt if the op
/// does not propagate it.
static std::optional<CutDim> followCut(Operation *op,
                                       const std::optional<DimMap> &map,
                                       unsigned operand, CutDim from,
                                       int64_t size) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<CutDim> to;
  auto gather = dyn_cast<AllGatherOp>(op);
  auto scatter = dyn_cast<ReduceScatterOp>(op);
  auto exchange = dyn_cast<AllToAllOp>(op);
  if (exchange && exchange.getSplitDim() == exchange.getConcatDim())
    exchange = nullptr;
  auto source = dyn_cast<RankedTensorType>(op->getOperand(operand).getType());
  bool joins = (gather && int64_t(gather.getDim()) == from.dim) ||
               (exchange && int64_t(exchange.getConcatDim()) == from.dim);
  bool splits = (scatter && int64_t(scatter.getDim()) == from.dim) ||
                (exchange && int64_t(exchange.getSplitDim()) == from.dim);
  if (joins && from.fold == 1 && !type.isDynamicDim(from.dim))
    to = CutDim{from.dim, type.getDimSize(from.dim) / size};
  else if (splits && from.fold > 1)
    to = CutDim{from.dim, 1};
  else if (isTextReshape(op) && source)
    to = followReshape(source, type, from.dim, size);
  else if (std::optional<unsigned> next =
               map ? map->getResultDim(operand, from.dim, 0) : std::nullopt)
    to = CutDim{*next, from.fold};
  if (to && type.getDimSize(to->dim) != size * to->fold)
    return std::nullopt;
  return to;
}

/// Returns why a cut along these dims would move data between ranks, because
/// XLA shards one of them; empty if it would not.
static std::string findAutomaticDim(const Chain &chain, const ChunkDim &dim) {
  SmallVector<StringRef> axes = AutomaticDims::getAxes(chain.ops.front());
  if (axes.empty())
    return "";
  AutomaticDims dims(chain.ops.front()->getParentOfType<FunctionOpInterface>());
  auto describe = [&](Value value, int64_t cut) -> std::string {
    SmallVector<StringRef> over = dims.find(value, cut, axes);
    return over.empty() ? ""
                        : "dim " + std::to_string(dim.inputDim) +
                              " is sharded automatically over " +
                              llvm::join(over, ", ") +
                              ", and a cut would move data between ranks";
  };
  std::string why = describe(chain.getInput(), dim.inputDim);
  for (auto [op, cut] : llvm::zip_equal(chain.ops, dim.resultDims))
    if (why.empty())
      why = describe(op->getResult(0), cut);
  return why;
}

/// Returns the dims of a cut through the chain along a dim of the input,
/// regardless of XLA's sharding.
static std::optional<ChunkDim>
findPassingDim(const Chain &chain, int64_t inputDim, std::string &reason) {
  auto inputType = cast<RankedTensorType>(chain.getInput().getType());
  if (inputDim < 0 || inputDim >= inputType.getRank()) {
    reason = "expected a dim below rank " +
             std::to_string(inputType.getRank()) + ", got " +
             std::to_string(inputDim);
    return std::nullopt;
  }
  ChunkDim result;
  result.inputDim = inputDim;
  result.size = inputType.getDimSize(inputDim);
  if (ShapedType::isDynamic(result.size)) {
    reason = "dim " + std::to_string(inputDim) + " is dynamic";
    return std::nullopt;
  }
  // In a pipeline, only the size of the chunk is unknown.
  for (Operation *op : chain.ops)
    for (Type type :
         llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                  llvm::to_vector(op->getResultTypes())))
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && !tensor.hasStaticShape()) {
        reason = "expected tensors of known shapes, got one of " +
                 op->getName().getStringRef().str() +
                 " whose size is only known at run time";
        return std::nullopt;
      }
  llvm::DenseSet<Operation *> inChain(chain.ops.begin(), chain.ops.end());
  llvm::DenseMap<Operation *, CutDim> made;
  for (auto [op, chained] : llvm::zip_equal(chain.ops, chain.operands)) {
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          inChain.contains(def) && !made.contains(def)) {
        reason = op->getName().getStringRef().str() +
                 " reads what is made behind it";
        return std::nullopt;
      }
    std::optional<DimMap> map = getDimMap(op);
    SmallVector<int64_t> dims(op->getNumOperands(), -1);
    std::optional<CutDim> to;
    bool passes = true;
    for (unsigned i = 0; i < dims.size() && passes; ++i) {
      CutDim from{inputDim, 1};
      if (op != chain.ops.front()) {
        auto it = made.find(op->getOperand(i).getDefiningOp());
        if (it == made.end())
          continue;
        from = it->second;
      } else if (i != chained) {
        continue;
      }
      std::optional<CutDim> next = followCut(op, map, i, from, result.size);
      passes = next && (!to || *to == *next);
      to = next;
      dims[i] = from.dim;
    }
    if (!passes) {
      reason = "dim " + std::to_string(inputDim) + " does not pass " +
               op->getName().getStringRef().str() + " one to one";
      return std::nullopt;
    }
    for (auto [i, dim] : llvm::enumerate(dims))
      if (std::optional<unsigned> cut =
              map && dim < 0 ? map->getOperandDim(0, to->dim, i) : std::nullopt)
        dim = *cut;
    result.operandDims.push_back(dims);
    result.resultDims.push_back(to->dim);
    result.folds.push_back(to->fold);
    made.try_emplace(op, *to);
  }
  return result;
}

std::optional<ChunkDim> moe::findChunkDim(const Chain &chain, int64_t inputDim,
                                          std::string &reason) {
  std::optional<ChunkDim> found = findPassingDim(chain, inputDim, reason);
  std::string why = found ? findAutomaticDim(chain, *found) : "";
  if (why.empty())
    return found;
  reason = why;
  return std::nullopt;
}

std::optional<ChunkDim> moe::chooseChunkDim(const Chain &chain,
                                            std::optional<int64_t> dim,
                                            int64_t degree,
                                            std::string &reason) {
  auto type = cast<RankedTensorType>(chain.getInput().getType());
  SmallVector<int64_t> dims;
  if (dim)
    dims.push_back(*dim);
  else
    llvm::append_range(dims,
                       llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  std::string avoided;
  for (int64_t candidate : dims) {
    std::string why;
    std::optional<ChunkDim> found = findPassingDim(chain, candidate, why);
    bool isEven = found && (!found->isFolded() || found->size % degree == 0);
    if (found && found->size >= degree && isEven) {
      why = findAutomaticDim(chain, *found);
      if (why.empty()) {
        found->avoided = avoided;
        return found;
      }
      avoided += (avoided.empty() ? "" : "; ") + why;
      reason += (reason.empty() ? "" : "; ") + why;
      continue;
    }
    if (found && found->size >= degree)
      why = "dim " + std::to_string(candidate) + " of size " +
            std::to_string(found->size) +
            ", which is gathered and needs chunks of one size, does not "
            "divide by the degree";
    else if (found)
      why = "dim " + std::to_string(candidate) + " of size " +
            std::to_string(found->size) + " is shorter than the degree";
    if (!StringRef(reason).contains(why))
      reason += (reason.empty() ? "" : "; ") + why;
  }
  return std::nullopt;
}
