//===- ApiRegion.cpp - Circuits that follow demand, for callers -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Sized.h"
#include "extend/Call.h"
#include "ocs/Region.h"
#include <cmath>

using namespace moert;

namespace moert {
template <> inline constexpr size_t kFirstSize<moert_ocs_region_config> = 88;
static_assert(sizeof(moert_ocs_region_config) >= 88);
} // namespace moert

moert_status
moert_ocs_region_config_default_sized(moert_ocs_region_config *config,
                                      size_t size) {
  return answer(nullptr, "moert_ocs_region_config_default", [&]() -> Status {
    if (!config)
      return missing("a configuration");
    moert_ocs_region_config own = {};
    own.struct_size = size;
    own.server = -1;
    own.numa_nodes = 1;
    return giveSized(own, size, "moert_ocs_region_config", *config);
  });
}

static Status expectNumber(const char *what, double number, double below) {
  if (number >= 0 && number < below)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "expected %s of at least 0 and below %g, got %g", what, below,
               number);
}

/// Each NIC has a port of its own.
static Status readPorts(const moert_ocs_region_config &config,
                        RegionOptions &options) {
  int32_t count = config.num_servers * config.optical_degree;
  if (count > 0 && !config.ports)
    return missing("the ports of NICs");
  std::set<int32_t> seen;
  for (int32_t k = 0; k < count; ++k) {
    int32_t port = config.ports[k];
    if (port < 0 || (port > 0 && !seen.insert(port).second))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected ports from 1 on, each of one NIC, or 0 for none, "
                   "got %d of NIC %d of server %d",
                   port, k % config.optical_degree, k / config.optical_degree);
    options.ports.push_back(port);
  }
  return {};
}

static Status readConfig(moert_context *context,
                         const moert_ocs_region_config &given,
                         moert_ocs_region_config &config,
                         RegionOptions &options) {
  Status status =
      takeSized(given, given.struct_size, "moert_ocs_region_config", config);
  if (!status.ok())
    return status;
  if (!config.name || !*config.name)
    return missing("the name of a switch");
  constexpr int32_t kMostServers = 1024, kMostNics = 4000;
  struct {
    const char *what;
    int64_t number, least, most;
  } integers[] = {
      {"a controlling rank", config.controller, 0,
       moert_world_size(context) - 1},
      {"num_servers", config.num_servers, 1, kMostServers},
      {"the server of this rank", config.server, -1,
       int64_t(config.num_servers) - 1},
      {"optical_degree", config.optical_degree, 0,
       kMostNics / std::max(config.num_servers, 1)},
      {"eps_nics", config.eps_nics, 0, kMostNics},
      {"exclusive", config.exclusive, 0, 1},
      {"numa_nodes", config.numa_nodes, 1, std::max(config.optical_degree, 1)}};
  for (auto &[what, number, least, most] : integers)
    if (status.ok())
      status = expectIn(what, number, least, most);
  if (!status.ok())
    return status;
  if (!(config.nic_bytes_per_us > 0) || !std::isfinite(config.nic_bytes_per_us))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a finite nic_bytes_per_us above 0, got %g",
                 config.nic_bytes_per_us);
  constexpr double kMostUs = 3.6e9;
  struct {
    const char *what;
    double number, below;
  } numbers[] = {
      {"reconfiguration_base_us", config.reconfiguration_base_us, kMostUs},
      {"reconfiguration_per_pair_us", config.reconfiguration_per_pair_us,
       kMostUs},
      {"uncertainty", config.uncertainty, 1}};
  for (auto &[what, number, below] : numbers)
    if (status.ok())
      status = expectNumber(what, number, below);
  if (!status.ok())
    return status;
  options.numServers = config.num_servers;
  options.opticalDegree = config.optical_degree;
  options.epsNics = config.eps_nics;
  options.numaNodes = config.numa_nodes;
  options.isExclusive = config.exclusive;
  options.nicBytesPerUs = config.nic_bytes_per_us;
  options.baseUs = config.reconfiguration_base_us;
  options.perPairUs = config.reconfiguration_per_pair_us;
  options.uncertainty = config.uncertainty;
  return readPorts(config, options);
}

moert_status moert_ocs_region_create(moert_context *context,
                                     const moert_ocs_region_config *given,
                                     moert_ocs_region **region) {
  return answer(context, __func__, [&]() -> Status {
    if (!context)
      return missing("a context");
    if (!given)
      return missing("a configuration");
    if (!region)
      return missing("a place for the region");
    if (!hasPlanners())
      return error(MOERT_UNAVAILABLE,
                   "this libmoert_ocs was built without the planners, which "
                   "are the compiler's");
    moert_ocs_region_config config;
    RegionOptions options;
    Status status = readConfig(context, *given, config, options);
    if (status.ok())
      *region = new moert_ocs_region(context, std::move(options), config.name,
                                     config.controller, config.server);
    return status;
  });
}

moert_status moert_ocs_region_destroy(moert_ocs_region *region) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    delete region;
    return {};
  });
}

moert_status moert_ocs_region_fail(moert_ocs_region *region, int32_t server,
                                   int32_t nic) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    const RegionOptions &options = region->getOptions();
    Status status =
        expectIn("a server", server, 0, int64_t(options.numServers) - 1);
    if (status.ok())
      status = expectIn("a NIC", nic, 0, int64_t(options.getNics()) - 1);
    if (status.ok())
      region->takeOut(server, nic);
    return status;
  });
}

moert_status moert_ocs_decide(moert_ocs_region *region, const double *bytes,
                              double exchanges, double slack_us,
                              moert_ocs_decision *decision) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    if (!decision)
      return missing("a place for the decision");
    if (!(exchanges >= 0 && slack_us >= 0))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected at least 0 exchanges and 0 us, got %g and %g",
                   exchanges, slack_us);
    return region->decide(bytes, exchanges, slack_us, *decision);
  });
}

moert_status moert_ocs_settle(moert_ocs_region *region, int32_t *circuits,
                              moert_ocs_decision *decision) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    if (!circuits)
      return missing("a place for the circuits");
    if (!decision)
      return missing("a place for the decision");
    return region->settle(circuits, *decision);
  });
}
