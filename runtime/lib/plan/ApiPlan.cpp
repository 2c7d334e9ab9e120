// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: planners.

#include "core/AbiStructs.h"
#include "extend/Call.h"
#include "moe/Schedule/DegreePlanner.h"
#include "moe/Schedule/MachineExchange.h"
#include "moe/Schedule/MachinePhase.h"
#include "plan/PlanMachine.h"
#include <cmath>
#include <cstdio>

using namespace moert;
namespace cost = moe::cost;
namespace schedule = moe::schedule;

static_assert(MOERT_PLAN_NUM_STRATEGIES == schedule::kNumStrategies);
static_assert(int(MOERT_PLAN_O3) == int(schedule::Strategy::O3));

struct moert_plan_machine {
  cost::Machine machine;
};

moert_status moert_plan_machine_default_sized(moert_plan_machine_config *config,
                                              size_t size) {
  return answer(nullptr, "moert_plan_machine_default", [&]() -> Status {
    if (!config)
      return missing("a configuration");
    moert_plan_machine_config own = {};
    own.struct_size = size;
    return giveSized(own, size, "moert_plan_machine_config", *config);
  });
}

// The parentheses prevent expansion of the header's macro.
moert_status(moert_plan_machine_default)(moert_plan_machine_config *config) {
  return moert_plan_machine_default_sized(
      config, kFirstSize<moert_plan_machine_config>);
}

moert_status moert_plan_machine_create(const moert_plan_machine_config *config,
                                       moert_plan_machine **machine) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!config)
      return missing("a configuration");
    if (!machine)
      return missing("a place for the machine");
    auto made = std::make_unique<moert_plan_machine>();
    Status status = readMachine(*config, made->machine);
    if (status.ok())
      *machine = made.release();
    return status;
  });
}

moert_status moert_plan_machine_destroy(moert_plan_machine *machine) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!machine)
      return missing("a machine");
    delete machine;
    return {};
  });
}

moert_status moert_plan_collective_time(const moert_plan_machine *machine,
                                        moert_plan_collective collective,
                                        const int64_t *ranks,
                                        int64_t group_size, int64_t num_groups,
                                        double bytes, double *time_us) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!machine)
      return missing("a machine");
    if (!time_us)
      return missing("a place for the time");
    int kind = static_cast<int>(collective);
    if (kind < 0 || kind >= static_cast<int>(cost::kNumCollectiveKinds))
      return error(MOERT_INVALID_ARGUMENT, "expected a collective, got %d",
                   kind);
    int64_t numRanks = machine->machine.getNumRanks();
    // Divide, because the product may overflow.
    if (group_size < 1 || num_groups < 1 || group_size > numRanks / num_groups)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected groups of at most %lld ranks together, got %lld "
                   "groups of %lld",
                   static_cast<long long>(numRanks),
                   static_cast<long long>(num_groups),
                   static_cast<long long>(group_size));
    if (!ranks)
      return missing("the ranks of the groups");
    if (!(bytes >= 0) || !std::isfinite(bytes))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a number of bytes of at least 0, got %g", bytes);
    auto groups = cost::RankGroups::fromLists(
        std::vector<int64_t>(ranks, ranks + group_size * num_groups),
        group_size);
    if (!groups)
      return Status(MOERT_INVALID_ARGUMENT, groups.getError());
    auto plan = cost::CollectivePlan::create(machine->machine, *groups,
                                             cost::CollectiveKind(kind));
    if (!plan)
      return Status(MOERT_INVALID_ARGUMENT, plan.getError());
    *time_us = plan->getTime(cost::Bytes(bytes)).value();
    return {};
  });
}

static void write(const schedule::StrategyTime &time,
                  moert_plan_strategy_time &result) {
  result.possible = time.possible;
  std::snprintf(result.why_not, sizeof(result.why_not), "%s",
                time.whyNot.c_str());
  if (!time.possible)
    return;
  result.chunks = time.chunks;
  result.time_us = time.timeUs;
  result.all_to_all_us = time.stages.allToAllUs;
  result.all_gather_us = time.stages.allGatherUs;
  result.copy_us = time.stages.copyUs;
}

moert_status moert_plan_all_to_all(const moert_plan_machine *machine,
                                   int64_t bytes, int64_t ep, int64_t tp,
                                   int64_t chunks, int64_t max_chunks,
                                   moert_plan_all_to_all_result *result) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!machine)
      return missing("a machine");
    if (!result)
      return missing("a place for the result");
    // Larger numbers of bytes are not exact in floating point.
    constexpr int64_t kMostBytes = int64_t(1) << 53;
    constexpr int64_t kMostChunks = 65536;
    if (bytes < 1 || bytes > kMostBytes)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected bytes in [1, 2^53], got %lld",
                   static_cast<long long>(bytes));
    if (max_chunks < 1 || max_chunks > kMostChunks)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected max_chunks in [1, %lld], got %lld",
                   static_cast<long long>(kMostChunks),
                   static_cast<long long>(max_chunks));
    if (chunks < 0 || chunks > max_chunks)
      return error(
          MOERT_INVALID_ARGUMENT, "expected chunks in [0, %lld], got %lld",
          static_cast<long long>(max_chunks), static_cast<long long>(chunks));
    auto exchange = schedule::MachineExchange::create(
        machine->machine, cost::Bytes(static_cast<double>(bytes)), ep, tp);
    if (!exchange)
      return Status(MOERT_INVALID_ARGUMENT, exchange.getError());
    schedule::ChunkLimits limits;
    limits.maxChunks = max_chunks;
    if (chunks > 0)
      limits.chunks = chunks;
    limits.minMessageBytes = exchange->getMinMessageBytes();
    schedule::StrategyPlanner planner;
    schedule::StrategyPlan plan = planner.plan(*exchange, limits);
    *result = {};
    result->chosen = static_cast<moert_plan_strategy>(plan.chosen);
    for (size_t i = 0; i < schedule::kNumStrategies; ++i)
      write(plan.strategies[i], result->strategies[i]);
    result->chunks = plan.get(plan.chosen).chunks;
    result->time_us = plan.get(plan.chosen).timeUs;
    return {};
  });
}

moert_status moert_plan_degree(const moert_plan_machine *machine,
                               const moert_plan_layer *layer,
                               double gradient_us, int64_t max_degree,
                               moert_plan_degree_result *result) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!machine)
      return missing("a machine");
    if (!layer)
      return missing("a layer");
    if (!result)
      return missing("a place for the result");
    constexpr int64_t kMostDegree = 64;
    if (max_degree < 1 || max_degree > kMostDegree)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected max_degree in [1, %lld], got %lld",
                   static_cast<long long>(kMostDegree),
                   static_cast<long long>(max_degree));
    // An upper limit, so that sums of such times stay exact enough.
    constexpr double kMostUs = 1e15;
    if (!(gradient_us >= 0 && gradient_us <= kMostUs))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected gradient_us in [0, %g], got %g", kMostUs,
                   gradient_us);
    if (!(layer->element_bytes > 0) || !std::isfinite(layer->element_bytes))
      return error(MOERT_INVALID_ARGUMENT, "expected element_bytes > 0, got %g",
                   layer->element_bytes);
    if (!(layer->capacity_factor >= 0) ||
        !std::isfinite(layer->capacity_factor))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected capacity_factor >= 0, got %g",
                   layer->capacity_factor);
    schedule::LayerShape shape;
    shape.microBatch = layer->micro_batch;
    shape.seqLen = layer->seq_len;
    shape.hidden = layer->hidden;
    shape.ffnHidden = layer->ffn_hidden;
    shape.topK = layer->top_k;
    if (layer->capacity_factor > 0)
      shape.capacityFactor = layer->capacity_factor;
    shape.gemms = layer->gemms;
    shape.tp = layer->tp;
    shape.esp = layer->esp;
    auto phase = schedule::MachinePhase::create(
        machine->machine, shape,
        layer->backward ? schedule::TrainingPhase::Backward
                        : schedule::TrainingPhase::Forward,
        cost::BytesPerElement(layer->element_bytes));
    if (!phase)
      return Status(MOERT_INVALID_ARGUMENT, phase.getError());
    // A chunk has at least one token. Limit the factors to 64, because more has
    // no effect.
    int64_t most = std::min(phase->getMaxDegree(max_degree),
                            std::min(layer->micro_batch, kMostDegree) *
                                std::min(layer->seq_len, kMostDegree));
    schedule::DegreePlanner planner;
    schedule::DegreePlan plan = planner.plan(
        *phase, most, gradient_us, machine->machine.uncertainty.value);
    *result = {};
    result->degree = plan.degree;
    result->time_us = plan.timeUs;
    result->degree_one_us = plan.get(1).timeUs;
    result->lower_bound_us = plan.lowerBoundUs;
    return {};
  });
}
