// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: plans of circuits.

#include "core/AbiStructs.h"
#include "extend/Call.h"
#include "moe/Fabric/NicAssignment.h"
#include "moe/Fabric/Plan.h"
#include "moert_plan.h"

using namespace moert;
namespace fabric = moe::fabric;

namespace moert {
template <> inline constexpr size_t kFirstSize<moert_plan_circuits_args> = 64;
static_assert(sizeof(moert_plan_circuits_args) >= 64);
} // namespace moert

static_assert(int(MOERT_PLAN_EXCLUSIVE) == int(fabric::Routing::Exclusive));
static_assert(int(MOERT_PLAN_THOROUGH) == int(fabric::Effort::Thorough));

moert_status moert_plan_circuits_default_sized(moert_plan_circuits_args *args,
                                               size_t size) {
  return answer(nullptr, "moert_plan_circuits_default", [&]() -> Status {
    if (!args)
      return missing("arguments");
    moert_plan_circuits_args own = {};
    own.struct_size = size;
    own.effort = MOERT_PLAN_FAST;
    own.numa_nodes = 1;
    return giveSized(own, size, "moert_plan_circuits_args", *args);
  });
}

namespace {

/// The arguments in the form of the planner.
struct PlanInput {
  std::vector<fabric::WeightedDemand> demands;
  fabric::Ports ports;
  fabric::NicLayout layout;
  fabric::PlanOptions options;
};

} // namespace

template <typename T>
static cost::Matrix<T> readMatrix(const T *values, int64_t size) {
  cost::Matrix<T> matrix(size);
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j < size; ++j)
      matrix.at(i, j) = values[i * size + j];
  return matrix;
}

static Status readArgs(const moert_plan_circuits_args &given,
                       PlanInput &input) {
  moert_plan_circuits_args args;
  Status status =
      takeSized(given, given.struct_size, "moert_plan_circuits_args", args);
  struct {
    const char *what;
    int64_t number, least, most;
  } numbers[] = {
      {"num_servers", args.num_servers, 1, 1024},
      {"optical_degree", args.optical_degree, 0, 4096},
      {"eps_nics", args.eps_nics, 0, 4096},
      {"routing", args.routing, MOERT_PLAN_SPLIT, MOERT_PLAN_EXCLUSIVE},
      {"effort", args.effort, MOERT_PLAN_GREEDY, MOERT_PLAN_THOROUGH}};
  for (auto &[what, number, least, most] : numbers)
    if (status.ok())
      status = expectIn(what, number, least, most);
  if (!status.ok())
    return status;
  if (!args.demand)
    return missing("the demand");
  if (!(args.uncertainty >= 0 && args.uncertainty < 1))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected an uncertainty of at least 0 and below 1, got %g",
                 args.uncertainty);

  int64_t n = args.num_servers;
  input.demands.push_back({readMatrix(args.demand, n), 1});
  input.ports.opticalDegree = args.optical_degree;
  input.ports.epsNics = args.eps_nics;
  input.ports.routing = fabric::Routing(args.routing);
  input.layout.opticalDegree = args.optical_degree;
  input.layout.numaNodes = args.numa_nodes;
  int64_t nics = int64_t(args.optical_degree) + args.eps_nics;
  if (args.failed) {
    input.ports.failedEps.assign(static_cast<size_t>(n), 0);
    for (int64_t server = 0; server < n; ++server)
      for (int64_t nic = 0; nic < nics; ++nic)
        if (args.failed[server * nics + nic] && nic < args.optical_degree)
          input.layout.failed.push_back({server, nic});
        else if (args.failed[server * nics + nic])
          ++input.ports.failedEps[static_cast<size_t>(server)];
    input.ports.failedOptical = fabric::countFailed(input.layout, n);
  }
  if (std::string wrong = fabric::checkLayout(input.layout, n); !wrong.empty())
    return Status(MOERT_INVALID_ARGUMENT, wrong);
  input.options.effort = fabric::Effort(args.effort);
  input.options.uncertainty = args.uncertainty;
  if (args.keep)
    input.options.keep = readMatrix(args.keep, n);
  return {};
}

moert_status moert_plan_circuits(const moert_plan_circuits_args *args,
                                 int32_t *circuits, moert_plan_link *links,
                                 int32_t *num_links,
                                 moert_plan_circuits_result *result) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!args)
      return missing("arguments");
    if (!circuits)
      return missing("a place for the circuits");
    if (links && !num_links)
      return missing("a place for the number of links");
    PlanInput input;
    Status status = readArgs(*args, input);
    if (!status.ok())
      return status;
    auto plan = fabric::planCircuits(input.demands, input.ports, input.options);
    if (!plan)
      return Status(MOERT_INVALID_ARGUMENT, plan.getError());
    int64_t n = plan->circuits.getSize();
    if (links) {
      auto mapping = fabric::mapNics(plan->circuits, input.layout);
      if (!mapping)
        return Status(MOERT_BACKEND_ERROR, mapping.getError());
      *num_links = 0;
      for (const auto &[first, second] : mapping->links)
        links[(*num_links)++] = {static_cast<int32_t>(first.server),
                                 static_cast<int32_t>(first.nic),
                                 static_cast<int32_t>(second.server),
                                 static_cast<int32_t>(second.nic)};
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        circuits[i * n + j] = plan->circuits.at(i, j);
    if (!result)
      return {};
    const fabric::Demand &demand = input.demands.front().demand;
    fabric::Circuits kept(n);
    if (input.options.keep)
      kept = fabric::trimCircuits(*input.options.keep, demand, input.ports);
    *result = {plan->time, plan->bound, plan->greedyTime,
               fabric::getTime(demand, kept, input.ports), plan->changedPorts};
    return {};
  });
}
