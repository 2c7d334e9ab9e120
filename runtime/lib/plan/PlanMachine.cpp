// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines from plain numbers.

#include "plan/PlanMachine.h"
#include "core/AbiStructs.h"
#include <cmath>

using namespace moert;
namespace cost = moe::cost;

static_assert(
    int(MOERT_PLAN_ALL_TO_ALL) == int(cost::CollectiveKind::AllToAll) &&
    int(MOERT_PLAN_ALL_GATHER) == int(cost::CollectiveKind::AllGather) &&
    int(MOERT_PLAN_REDUCE_SCATTER) ==
        int(cost::CollectiveKind::ReduceScatter) &&
    int(MOERT_PLAN_ALL_REDUCE) == int(cost::CollectiveKind::AllReduce));
static_assert(int(MOERT_PLAN_RING) == int(cost::StepAlgorithm::Ring) &&
              int(MOERT_PLAN_TREE) == int(cost::StepAlgorithm::Tree) &&
              int(MOERT_PLAN_NVLS_TREE) == int(cost::StepAlgorithm::NvlsTree));
static_assert(int(MOERT_PLAN_INTER) == int(cost::Resource::Inter) &&
              int(MOERT_PLAN_INTRA) == int(cost::Resource::Intra) &&
              int(MOERT_PLAN_COPY) == int(cost::Resource::Copy) &&
              int(MOERT_PLAN_COMPUTE) == int(cost::Resource::Compute));

static Status verifyNumber(const std::string &name, double number,
                           double least) {
  if (number >= least && std::isfinite(number))
    return {};
  return error(MOERT_INVALID_ARGUMENT, "%s: expected a number >= %g, got %g",
               name.c_str(), least, number);
}

/// Checks a list of `count` entries at `pointer`.
static Status verifyList(const std::string &name, const void *pointer,
                         int32_t count) {
  if (count >= 0 && (count == 0 || pointer))
    return {};
  return error(MOERT_INVALID_ARGUMENT, "%s: expected a list, got %d at %p",
               name.c_str(), count, pointer);
}

static Status readCurve(const std::string &name, const moert_plan_point *points,
                        int32_t count, cost::EfficiencyCurve &curve) {
  Status status = verifyList(name, points, count);
  if (!status.ok())
    return status;
  std::vector<cost::CurvePoint> list;
  for (int32_t i = 0; i < count; ++i)
    list.push_back({points[i].bytes, points[i].ratio});
  if (auto problem = cost::EfficiencyCurve::check(list))
    return error(MOERT_INVALID_ARGUMENT, "%s[%zu]: %s", name.c_str(),
                 problem->first, problem->second.c_str());
  if (count > 0)
    curve = cost::EfficiencyCurve(std::move(list));
  return {};
}

static Status readFits(const std::string &name, const moert_plan_level &given,
                       cost::Level &level) {
  Status status = verifyList(name, given.fits, given.num_fits);
  if (!status.ok())
    return status;
  for (int32_t i = 0; i < given.num_fits; ++i) {
    const moert_plan_fit &fit = given.fits[i];
    std::string entry = name + "[" + std::to_string(i) + "]";
    int kind = static_cast<int>(fit.collective);
    bool isKind =
        kind >= 0 && kind < static_cast<int>(cost::kNumCollectiveKinds);
    // Fits of one collective differ in their groups.
    bool isTaken = false;
    if (isKind && level.fits[kind]) {
      auto isSame = [&](const cost::CollectiveFit &known) {
        return !known.groupRanks || fit.group_ranks < 2 ||
               (*known.groupRanks == fit.group_ranks &&
                known.ranksTogether.value_or(0) == fit.ranks_together);
      };
      const std::vector<cost::CollectiveFit> &others = level.fits[kind]->others;
      isTaken = isSame(*level.fits[kind]) ||
                std::any_of(others.begin(), others.end(), isSame);
    }
    if (!isKind || isTaken)
      return error(MOERT_INVALID_ARGUMENT,
                   "%s.collective: expected a collective that has no fit "
                   "before, or one of another group_ranks, got %d",
                   entry.c_str(), kind);
    if (fit.group_ranks < 0 || fit.group_ranks == 1)
      return error(MOERT_INVALID_ARGUMENT,
                   "%s.group_ranks: expected 0 or at least 2 ranks, got %lld",
                   entry.c_str(), static_cast<long long>(fit.group_ranks));
    if (fit.ranks_together < 0 || fit.ranks_together > fit.group_ranks)
      return error(MOERT_INVALID_ARGUMENT,
                   "%s.ranks_together: expected 0 to %lld ranks, those of the "
                   "group, got %lld",
                   entry.c_str(), static_cast<long long>(fit.group_ranks),
                   static_cast<long long>(fit.ranks_together));
    if (status = verifyNumber(entry + ".alpha_us", fit.alpha_us, 0);
        !status.ok())
      return status;
    if (status = verifyNumber(entry + ".us_per_byte", fit.us_per_byte, 0);
        !status.ok())
      return status;
    cost::CollectiveFit &made = level.fits[kind]
                                    ? level.fits[kind]->others.emplace_back()
                                    : level.fits[kind].emplace();
    made.alpha = cost::Microseconds(fit.alpha_us);
    made.beta = cost::MicrosecondsPerByte(fit.us_per_byte);
    if (fit.group_ranks > 0)
      made.groupRanks = fit.group_ranks;
    if (fit.ranks_together > 0)
      made.ranksTogether = fit.ranks_together;
  }
  return {};
}

static Status readLevel(const std::string &name, const moert_plan_level &given,
                        cost::Level &level) {
  level.name = given.name ? given.name : name;
  level.ranks = given.ranks;
  level.bandwidth = cost::GBps(given.gigabytes_per_second);
  level.ranksPerNic = given.ranks_per_nic;
  level.latency = cost::Microseconds(given.latency_us);
  level.isCurveLatencyFree = given.curve_is_latency_free != 0;
  Status status = readCurve(name + ".efficiency", given.efficiency,
                            given.num_efficiency, level.efficiency);
  return status.ok() ? readFits(name + ".fits", given, level) : status;
}

static Status readProtocols(const moert_plan_machine_config &config,
                            cost::Machine &machine) {
  Status status =
      verifyList("protocols", config.protocols, config.num_protocols);
  for (int32_t i = 0; status.ok() && i < config.num_protocols; ++i) {
    const moert_plan_protocol &given = config.protocols[i];
    std::string name = "protocols[" + std::to_string(i) + "]";
    if (given.level < 0 || size_t(given.level) >= machine.levels.size())
      return error(MOERT_INVALID_ARGUMENT,
                   "%s.level: expected one of %zu levels, got %d", name.c_str(),
                   machine.levels.size(), given.level);
    int algorithm = static_cast<int>(given.algorithm);
    if (algorithm < MOERT_PLAN_RING || algorithm > MOERT_PLAN_NVLS_TREE)
      return error(MOERT_INVALID_ARGUMENT,
                   "%s.algorithm: expected a moert_plan_algorithm, got %d",
                   name.c_str(), algorithm);
    status = verifyNumber(name + ".max_gigabytes_per_second",
                          given.max_gigabytes_per_second, 0);
    cost::StepProtocol &made =
        machine.levels[size_t(given.level)].protocols.emplace_back();
    made.algorithm = cost::StepAlgorithm(algorithm);
    made.start = cost::Microseconds(given.start_us);
    made.innerStep = cost::Microseconds(given.inner_step_us);
    made.step = cost::Microseconds(given.step_us);
    made.share = given.bandwidth_share;
    if (given.max_gigabytes_per_second > 0)
      made.mostRate = cost::GBps(given.max_gigabytes_per_second);
    if (status.ok())
      status = readCurve(name + ".efficiency", given.efficiency,
                         given.num_efficiency, made.efficiency);
  }
  return status;
}

static Status readCopies(const moert_plan_machine_config &config,
                         cost::Machine &machine) {
  double rate = config.copy_gigabytes_per_second;
  Status status = verifyNumber("copy_gigabytes_per_second", rate, 0);
  if (!status.ok())
    return status;
  if (rate == 0) {
    if (config.copy_latency_us == 0 && config.num_copy_efficiency == 0)
      return {};
    return error(MOERT_INVALID_ARGUMENT,
                 "copy_gigabytes_per_second: expected a number > 0 beside a "
                 "latency or a curve, got 0");
  }
  cost::CopyEngine copy;
  copy.bandwidth = cost::GBps(rate);
  copy.latency = cost::Microseconds(config.copy_latency_us);
  status = verifyNumber("copy_latency_us", config.copy_latency_us, 0);
  if (status.ok())
    status = readCurve("copy_efficiency", config.copy_efficiency,
                       config.num_copy_efficiency, copy.efficiency);
  if (status.ok())
    machine.copy = std::move(copy);
  return status;
}

static Status readGemms(const moert_plan_machine_config &config,
                        cost::Machine &machine) {
  double alpha = config.gemm_alpha_us, slope = config.gemm_us_per_mac;
  Status status = verifyNumber("gemm_alpha_us", alpha, 0);
  if (status.ok())
    status = verifyNumber("gemm_us_per_mac", slope, 0);
  if (!status.ok() || (alpha == 0 && slope == 0))
    return status;
  if (slope == 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "gemm_us_per_mac: expected a number > 0 beside gemm_alpha_us, "
                 "got 0");
  cost::GemmCost &gemm = machine.gemm.emplace();
  gemm.alpha = cost::Microseconds(alpha);
  gemm.beta = cost::MicrosecondsPerMac(slope);
  return {};
}

static Status readContention(const moert_plan_machine_config &config,
                             cost::Machine &machine) {
  Status status =
      verifyList("contention", config.contention, config.num_contention);
  for (int32_t i = 0; status.ok() && i < config.num_contention; ++i) {
    const moert_plan_contention &entry = config.contention[i];
    std::string name = "contention[" + std::to_string(i) + "]";
    for (int resource :
         {static_cast<int>(entry.slowed), static_cast<int>(entry.by)})
      if (resource < 0 || resource >= static_cast<int>(cost::kNumResources))
        return error(MOERT_INVALID_ARGUMENT, "%s: expected resources, got %d",
                     name.c_str(), resource);
    status = verifyNumber(name + ".factor", entry.factor, 1);
    machine.contention.push_back({cost::Resource(entry.slowed),
                                  cost::Resource(entry.by), entry.factor, ""});
  }
  return status;
}

Status moert::readMachine(const moert_plan_machine_config &given,
                          cost::Machine &machine) {
  moert_plan_machine_config config;
  Status status =
      takeSized(given, given.struct_size, "moert_plan_machine_config", config);
  if (!status.ok())
    return status;
  machine.name = config.name ? config.name : "the machine";
  status = verifyList("levels", config.levels, config.num_levels);
  for (int32_t i = 0; status.ok() && i < config.num_levels; ++i)
    status = readLevel("levels[" + std::to_string(i) + "]", config.levels[i],
                       machine.levels.emplace_back());
  if (status.ok())
    status = readProtocols(config, machine);
  if (!status.ok())
    return status;
  if (auto problem = cost::checkLevels(machine.levels)) {
    std::string place = problem->level ? format("[%zu].%s", *problem->level,
                                                problem->key.c_str())
                                       : "";
    return error(MOERT_INVALID_ARGUMENT, "levels%s: %s", place.c_str(),
                 problem->reason.c_str());
  }
  status = readCopies(config, machine);
  if (status.ok())
    status = readGemms(config, machine);
  if (status.ok())
    status = readContention(config, machine);
  if (status.ok())
    status =
        verifyNumber("minimum_message_bytes", config.minimum_message_bytes, 0);
  if (status.ok())
    status = verifyNumber("pipeline_stall_us", config.pipeline_stall_us, 0);
  if (status.ok())
    status = verifyNumber("uncertainty", config.uncertainty, 0);
  if (status.ok() && config.uncertainty >= 1)
    return error(MOERT_INVALID_ARGUMENT,
                 "uncertainty: expected a fraction below 1, got %.17g",
                 config.uncertainty);
  machine.uncertainty.value = config.uncertainty;
  machine.minimumMessage.value = cost::Bytes(config.minimum_message_bytes);
  machine.pipelineStall.value = cost::Microseconds(config.pipeline_stall_us);
  return status;
}
