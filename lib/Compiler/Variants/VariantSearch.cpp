// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest variant of a layer.

#include "VariantSearch.h"
#include "ChunkRules.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Analysis/Replication.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Transforms/NodeDedup.h"
#include "moe/Transforms/Rules.h"
#include "moe/Transforms/ScheduleFunction.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Variants and their passes
//===----------------------------------------------------------------------===//

bool moe::isOf(const LayerVariant &form, StrategyChoice choice) {
  switch (choice) {
  case StrategyChoice::Auto:
    return true;
  case StrategyChoice::Baseline:
    return form.isBaseline();
  case StrategyChoice::Hierarchical:
    return form.exchange == AllToAllAlgorithm::Hierarchical ||
           form.exchange == AllToAllAlgorithm::HierarchicalLeader;
  case StrategyChoice::Nodes:
    return form.exchange == AllToAllAlgorithm::NodeDedup;
  case StrategyChoice::O1:
    return form.getName() == "o1";
  case StrategyChoice::O2:
    return form.getName() == "o2";
  case StrategyChoice::O3:
    return form.getName() == "o3";
  }
  llvm_unreachable("unknown choice");
}

void moe::addBasePasses(OpPassManager &manager, const LayerVariant &form,
                        const NodeBoundary *boundary) {
  if (form.exchange != AllToAllAlgorithm::Flat && boundary->cutsAxis())
    manager.addPass(boundary->createSplitPass());
  // Must precede the slice, so that the slice also applies to the rewritten
  // ops.
  if (form.exchange == AllToAllAlgorithm::NodeDedup) {
    DecomposeAllToAllOptions options;
    options.mode = DecomposeMode::Nodes;
    manager.addPass(createDecomposeAllToAll(options));
  }
  if (form.dropDim) {
    DecomposeAllToAllOptions options;
    options.dropDim = *form.dropDim;
    manager.addPass(createDecomposeAllToAll(options));
  }
}

void moe::addLatePasses(OpPassManager &manager, const LayerVariant &form) {
  if (form.scope && form.order.empty()) {
    PipelineOptions options;
    options.degree = form.chunks;
    options.sizes.assign(form.sizes.begin(), form.sizes.end());
    options.scope = *form.scope;
    options.copies = form.copies;
    manager.addPass(createPipeline(options));
  }
  // Must follow the pipelines, because reshapes would end their chains.
  if (form.exchange == AllToAllAlgorithm::Hierarchical ||
      form.exchange == AllToAllAlgorithm::HierarchicalLeader) {
    DecomposeAllToAllOptions options;
    options.mode = DecomposeMode::Hierarchical;
    options.variant = form.exchange == AllToAllAlgorithm::HierarchicalLeader
                          ? HierarchicalVariant::OneDimensional
                          : HierarchicalVariant::TwoDimensional;
    manager.addPass(createDecomposeAllToAll(options));
  }
}

SmallVector<LayerVariant> moe::listVariants(ArrayRef<int64_t> chunkCounts) {
  SmallVector<LayerVariant> forms;
  for (int64_t chunks : chunkCounts)
    for (AllToAllAlgorithm exchange :
         {AllToAllAlgorithm::Flat, AllToAllAlgorithm::Hierarchical,
          AllToAllAlgorithm::HierarchicalLeader, AllToAllAlgorithm::NodeDedup})
      for (std::optional<int64_t> dim :
           {std::optional<int64_t>(), std::optional<int64_t>(2),
            std::optional<int64_t>(3)}) {
        if (chunks == 1) {
          forms.push_back({exchange, dim, std::nullopt});
          continue;
        }
        for (ChainScope scope : {ChainScope::Communication, ChainScope::Layer})
          for (CopyPlacement copies :
               {CopyPlacement::Intra, CopyPlacement::Own})
            // Without a slice, no collective inside nodes alternates with the
            // copies.
            if (dim || copies == CopyPlacement::Own)
              forms.push_back({exchange, dim, scope, chunks, {}, {}, copies});
      }
  return forms;
}

SmallVector<int64_t> moe::listChunkCounts(int64_t most) {
  SmallVector<int64_t> counts = {1};
  for (int64_t base = 2; base <= most; base *= 2) {
    counts.push_back(base);
    if (base + base / 2 <= most)
      counts.push_back(base + base / 2);
  }
  return counts;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

VariantSearch::VariantSearch(ModuleOp alone, const cost::Machine &machine,
                             const VariantLimits &limits,
                             std::string pipelineObstacle, bool keepsSchedules)
    : alone(alone), limits(limits),
      pipelineObstacle(std::move(pipelineObstacle)),
      keepsSchedules(keepsSchedules),
      evaluator(std::make_unique<ScheduleEvaluator>(machine)),
      boundary(findNodeBoundary(alone, machine, whyNoBoundary)) {
  this->alone.walk([&](RaggedPlanOp) { hasPlan = true; });
}

/// Runs passes on a discarded copy. The chosen variant is verified when it is
/// applied.
static LogicalResult runOnCopy(ModuleOp module,
                               function_ref<void(OpPassManager &)> add) {
  return ScheduleEvaluator::runSilently(module, add, /*verifies=*/false);
}

/// Joins reasons with " and ", without duplicates.
static std::string joinReasons(ArrayRef<std::string> reasons) {
  SmallVector<StringRef> texts;
  for (StringRef reason : reasons)
    if (!llvm::is_contained(texts, reason))
      texts.push_back(reason);
  return llvm::join(texts, " and ");
}

void VariantSearch::note(const std::string &what, const std::string &why,
                         bool isVariant) {
  auto *it = llvm::find_if(
      notes, [&](const auto &entry) { return entry.first == what; });
  if (it == notes.end())
    notes.push_back({what, why});
  else if (isVariant)
    // A reason for a variant that was built but does not fit is more specific.
    it->second = why;
}

static uint64_t countExchanged(ModuleOp module) {
  uint64_t count = 0;
  module.walk([&](CollectiveOpInterface op) {
    if (!isAllToAll(op))
      return;
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (type && type.hasStaticShape())
      count = llvm::SaturatingAdd<uint64_t>(count, type.getNumElements());
  });
  return count;
}

std::string VariantSearch::explainDrop(int64_t dim) {
  SmallVector<std::string> reasons;
  auto replication = ReplicationInfo::compute(alone);
  if (succeeded(replication)) {
    RuleContext context(**replication);
    context.dropDim = dim;
    alone.walk([&](CollectiveOpInterface op) {
      std::string reason;
      if (isDivisibleAllToAll(op) && !findDeduplication(op, context, reason))
        reasons.push_back(reason);
    });
  }
  return reasons.empty() ? "nothing is sent more than once"
                         : joinReasons(reasons);
}

std::string VariantSearch::explainNodes() {
  if (!hasPlan)
    return "expected rows of uneven runs by a moe.ragged_plan, got buffers of "
           "slots (moe-translate --routing=dropless imports such rows)";
  if (!boundary)
    return whyNoBoundary;
  OwningOpRef<ModuleOp> split(alone.clone());
  if (boundary->cutsAxis() &&
      failed(runOnCopy(*split, [&](OpPassManager &manager) {
        manager.addPass(boundary->createSplitPass());
      })))
    return "the mesh axis cannot be split";
  std::string reason;
  RowProvenance rows(*split);
  split->walk([&](RaggedPlanOp plan) {
    return findNodeDedup(plan, rows, reason) ? WalkResult::advance()
                                             : WalkResult::interrupt();
  });
  return reason;
}

std::string VariantSearch::explainPipeline(ModuleOp base,
                                           const LayerVariant &form) {
  SmallVector<std::string> reasons;
  bool ofTokens = false;
  if (*form.scope == ChainScope::Layer) {
    RowProvenance rows(base);
    base.walk([&](Operation *plan) {
      if (!isRowPlan(plan))
        return;
      std::string reason;
      ofTokens = true;
      if (!findTokenChunks(plan, rows, form.chunks, reason))
        reasons.push_back(reason);
    });
  }
  base.walk([&](Operation *op) {
    std::string reason;
    if (isDivisibleAllToAll(op) && !ofTokens &&
        !chooseChunkDim(findChain(op, *form.scope), /*dim=*/std::nullopt,
                        form.chunks, reason))
      reasons.push_back(reason);
  });
  return joinReasons(reasons);
}

FailureOr<ModuleOp> VariantSearch::getBase(const LayerVariant &form) {
  bool onceANode = form.exchange == AllToAllAlgorithm::NodeDedup;
  bool splits =
      form.exchange != AllToAllAlgorithm::Flat && boundary->cutsAxis();
  auto [it, isNew] = bases.try_emplace(
      {onceANode ? 2 : int(splits), form.dropDim.value_or(-1)});
  if (!isNew)
    return it->second ? *it->second : ModuleOp();
  OwningOpRef<ModuleOp> base(alone.clone());
  if (failed(runOnCopy(*base, [&](OpPassManager &manager) {
        addBasePasses(manager, form, getBoundary());
      })))
    return failure();
  // A slice must reduce the exchanged elements; moving gathers does not. If
  // nothing remains because all-to-alls invert each other or have one rank
  // each, no variant can be faster.
  if (form.dropDim) {
    ModuleOp undropped = alone;
    if (onceANode) {
      LayerVariant whole;
      whole.exchange = AllToAllAlgorithm::NodeDedup;
      FailureOr<ModuleOp> made = getBase(whole);
      if (failed(made))
        return failure();
      undropped = *made;
    }
    uint64_t count = countExchanged(*base);
    bool folds = count == 0;
    if (folds || count >= countExchanged(undropped)) {
      note("slice along dim " + std::to_string(*form.dropDim),
           folds ? "the layer's all-to-alls fold away"
                 : explainDrop(*form.dropDim));
      return ModuleOp();
    }
  }
  it->second = std::move(base);
  return *it->second;
}

FailureOr<OwningOpRef<ModuleOp>>
VariantSearch::build(const LayerVariant &form) {
  OwningOpRef<ModuleOp> none;
  if (form.exchange == AllToAllAlgorithm::NodeDedup) {
    if (!whyNoNodes)
      whyNoNodes = explainNodes();
    if (!whyNoNodes->empty()) {
      // Layers with a capacity need no reason, because users do not expect
      // node-dedup there.
      if (hasPlan || limits.choice == StrategyChoice::Nodes)
        note("node-dedup", *whyNoNodes);
      return std::move(none);
    }
  }
  if (form.exchange != AllToAllAlgorithm::Flat && !boundary) {
    note("2dh and 1dh", whyNoBoundary);
    return std::move(none);
  }
  FailureOr<ModuleOp> base = getBase(form);
  if (failed(base))
    return failure();
  if (!*base)
    return std::move(none);
  OwningOpRef<ModuleOp> copy(base->clone());
  if (failed(runOnCopy(*copy, [&](OpPassManager &manager) {
        addLatePasses(manager, form);
      })))
    return failure();
  if (form.scope) {
    bool hasPipeline = false;
    copy->walk([&](PipelineOp) { hasPipeline = true; });
    if (!hasPipeline) {
      note(form.describeRow(), explainPipeline(*base, form));
      return std::move(none);
    }
  }
  if (form.exchange != AllToAllAlgorithm::Flat) {
    std::string reason;
    copy->walk([&](AllToAllOp op) {
      if (isCutByNodes(op, getMachine().levels.front().ranks) &&
          !findAxisSplit(op,
                         form.exchange == AllToAllAlgorithm::HierarchicalLeader,
                         reason) &&
          form.scope)
        reason += " (chunks of one size)";
      return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
    });
    copy->walk([&](RaggedAllToAllOp op) {
      if (isCutByNodes(op, getMachine().levels.front().ranks))
        reason = form.exchange == AllToAllAlgorithm::HierarchicalLeader
                     ? "expected blocks of equal sizes, got rows of uneven runs"
                 : form.scope ? "expected rows of a layer in one chunk"
                              : "expected rows by a plan that only exchanges "
                                "read";
    });
    if (!reason.empty()) {
      note(form.describeRow(), reason);
      return std::move(none);
    }
  }
  // A variant may have obstacles that the layer does not have, for example
  // pipelines over empty tensors.
  for (auto function : copy->getOps<func::FuncOp>())
    if (std::string obstacle = findObstacle(function); !obstacle.empty()) {
      note(form.describeRow(), obstacle);
      return std::move(none);
    }
  if (failed(evaluator->schedule(*copy, /*verifies=*/false)))
    return failure();
  return std::move(copy);
}

/// Returns the bytes of a chunk's message below the machine's minimum; nullopt
/// if all are large enough. Ops without chunks, for example the all-reduce of a
/// router's gradients, are exempt.
static std::optional<int64_t> findTooSmall(ModuleOp module,
                                           const cost::Machine &machine) {
  std::optional<int64_t> tooSmall;
  module.walk([&](CollectiveOpInterface op) {
    auto task = op->getParentOfType<TaskOp>();
    if (!task || task.getChunks() < 2)
      return;
    if (std::optional<int64_t> bytes = getTooSmallMessage(op, machine))
      tooSmall = bytes;
  });
  return tooSmall;
}

FailureOr<ModuleOp> VariantSearch::getSchedule(const LayerVariant &form) {
  if (!keepsSchedules)
    schedules.clear();
  auto [it, isNew] = schedules.try_emplace(form.str());
  if (isNew) {
    FailureOr<OwningOpRef<ModuleOp>> built = build(form);
    if (failed(built))
      return failure();
    it->second = std::move(*built);
    std::optional<int64_t> tooSmall;
    if (it->second && form.chunks > 1)
      tooSmall = findTooSmall(*it->second, getMachine());
    if (tooSmall) {
      note(form.describeRow(),
           cost::explainTooSmall(*tooSmall, form.chunks,
                                 getMachine().minimumMessage.value.value()),
           /*isVariant=*/true);
      it->second = nullptr;
    }
  }
  return it->second ? *it->second : ModuleOp();
}

FailureOr<std::optional<EvaluatedVariant>>
VariantSearch::evaluate(const LayerVariant &form) {
  FailureOr<ModuleOp> module = getSchedule(form);
  if (failed(module))
    return failure();
  if (!*module)
    return std::optional<EvaluatedVariant>();
  const cost::Machine &machine = getMachine();
  // At other speeds, the memory is computed only if it is limited.
  FailureOr<Evaluation> found =
      evaluator->evaluate(*module, speed == 1 || machine.memoryPerRank);
  if (failed(found))
    return failure();
  if (!*found) {
    note(form.describeRow(), found->problem);
    return std::optional<EvaluatedVariant>();
  }
  if (std::string problem = checkMemory(machine, "values", found->peakBytes);
      !problem.empty()) {
    note(form.describeRow(), problem, /*isVariant=*/true);
    return std::optional<EvaluatedVariant>();
  }
  if (keepsSchedules)
    times[form.str()][speed] = found->us;
  return std::optional<EvaluatedVariant>(
      {form, found->us, found->peakBytes, found->numExtrapolated});
}

bool VariantSearch::isHopeless(const LayerVariant &form) const {
  auto known = times.find(form.str());
  if (known == times.end())
    return false;
  auto faster = known->second.lower_bound(speed);
  return faster != known->second.end() && faster->second > enoughUs;
}

LogicalResult VariantSearch::tryVariant(const LayerVariant &form,
                                        SearchResult &result) {
  bool isEligible = isOf(form, limits.choice) &&
                    form.chunks == limits.degree.value_or(form.chunks);
  if (!isEligible && !form.isBaseline())
    return success();
  if (isHopeless(form))
    return success();
  if (form.scope && !pipelineObstacle.empty()) {
    note(form.describeRow(), pipelineObstacle);
    return success();
  }
  FailureOr<std::optional<EvaluatedVariant>> found = evaluate(form);
  if (failed(found))
    return failure();
  if (!*found)
    return success();
  ++result.numSimulated;
  EvaluatedVariant candidate = **found;
  if (form.isBaseline())
    result.baseline = candidate;
  if (!isEligible)
    return success();
  auto *row = llvm::find_if(result.rows, [&](const EvaluatedVariant &other) {
    return other.form.describeRow() == form.describeRow();
  });
  // Rows may be found in another order if links differ.
  candidate.order =
      orders.try_emplace(form.describeRow(), orders.size()).first->second;
  if (row == result.rows.end())
    result.rows.push_back(candidate);
  else if (std::pair(candidate.us, form.chunks) <
           std::pair(row->us, row->form.chunks))
    *row = candidate;
  eligible.push_back(candidate);
  return success();
}

void VariantSearch::choose(SearchResult &result) const {
  const EvaluatedVariant *simplest = cost::pickWithinTolerance(
      eligible, getMachine().uncertainty.value,
      [](const EvaluatedVariant &candidate) { return candidate.us; },
      [](const EvaluatedVariant &a, const EvaluatedVariant &b) {
        return a.isSimplerThan(b);
      });
  auto *row = llvm::find_if(result.rows, [&](const EvaluatedVariant &other) {
    return other.order == simplest->order;
  });
  *row = *simplest;
  std::rotate(result.rows.begin(), row, row + 1);
}

FailureOr<SearchResult> VariantSearch::run() {
  SearchResult result;
  for (auto function : alone.getOps<func::FuncOp>())
    if (result.obstacle = findObstacle(function); !result.obstacle.empty())
      return result;
  SmallVector<int64_t> counts = limits.degree
                                    ? SmallVector<int64_t>{*limits.degree}
                                    : listChunkCounts(limits.maxChunks);
  SmallVector<LayerVariant> forms = listVariants(counts);
  // Every choice is compared with the baseline.
  if (limits.degree.value_or(1) != 1)
    forms.insert(forms.begin(), LayerVariant());
  for (const LayerVariant &form : forms)
    if (failed(tryVariant(form, result)))
      return failure();
  // Tries the remaining counts around the best one of each row: times first
  // fall and then rise with the number of chunks, except for small steps.
  if (!limits.degree)
    for (const EvaluatedVariant &row : llvm::to_vector(result.rows)) {
      const int64_t *it = llvm::find(counts, row.form.chunks);
      if (row.form.chunks == 1)
        continue;
      int64_t last = it + 1 == counts.end() ? limits.maxChunks : it[1] - 1;
      LayerVariant form = row.form;
      for (form.chunks = it[-1] + 1; form.chunks <= last; ++form.chunks)
        if (form.chunks != row.form.chunks && failed(tryVariant(form, result)))
          return failure();
    }
  // Among equal times, the simpler variant comes first.
  llvm::sort(result.rows,
             [](const EvaluatedVariant &a, const EvaluatedVariant &b) {
               return std::tuple(a.us, a.form.chunks, a.order) <
                      std::tuple(b.us, b.form.chunks, b.order);
             });
  if (!result.rows.empty()) {
    result.leastUs = result.rows.front().us;
    choose(result);
    if (const LayerVariant &form = result.rows.front().form;
        !llvm::is_contained(winners, form))
      winners.push_back(form);
  }
  for (const auto &[what, why] : notes)
    if (llvm::none_of(result.rows, [&](const EvaluatedVariant &row) {
          return row.form.describeRow() == what;
        }))
      result.impossible.push_back({what, why});
  return result;
}

FailureOr<SearchResult> VariantSearch::runOn(const cost::Machine &other,
                                             double speed) {
  auto there = std::make_unique<ScheduleEvaluator>(other);
  std::swap(evaluator, there);
  this->speed = speed;
  auto notesHere = std::exchange(notes, {});
  auto eligibleHere = std::exchange(eligible, {});
  auto search = [&]() -> FailureOr<SearchResult> {
    // Intermediate chunk counts are rarely 10 % faster than both neighbors.
    constexpr double kMuch = 1.1;
    for (const LayerVariant &form : winners) {
      FailureOr<std::optional<EvaluatedVariant>> found = evaluate(form);
      if (failed(found))
        return failure();
      if (*found)
        enoughUs = std::min(enoughUs, (*found)->us * kMuch *
                                          (1 + other.uncertainty.value));
    }
    return run();
  };
  FailureOr<SearchResult> found = search();
  std::swap(evaluator, there);
  this->speed = 1;
  enoughUs = std::numeric_limits<double>::infinity();
  notes = std::move(notesHere);
  eligible = std::move(eligibleHere);
  return found;
}
