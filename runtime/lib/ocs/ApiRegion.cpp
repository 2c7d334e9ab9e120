// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: circuits that follow demand.

#include "core/AbiStructs.h"
#include "extend/Call.h"
#include "ocs/Region.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

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

/// Reads the ports of the NICs and checks that no port has two.
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

bool RegionOptions::isLike(const RegionOptions &other) const {
  auto tie = [](const RegionOptions &own) {
    return std::tie(own.numServers, own.opticalDegree, own.epsNics,
                    own.numaNodes, own.isExclusive, own.nicBytesPerUs,
                    own.baseUs, own.perPairUs, own.uncertainty, own.ports);
  };
  return tie(*this) == tie(other);
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
    RegionWish wish;
    wish.bytes = bytes;
    wish.exchanges = exchanges;
    wish.slackUs = slack_us;
    return region->decide(wish, *decision);
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

//===----------------------------------------------------------------------===//
// Compiled programs
//===----------------------------------------------------------------------===//

static Status verifyMembers(const int32_t *members, int32_t num_members,
                            int32_t controller, int32_t servers,
                            int32_t regions, int64_t index) {
  if (!members)
    return missing("the ranks of the region");
  Status status = expectIn("servers", servers, 1, std::min(num_members, 1024));
  if (status.ok())
    status = expectIn("the controller's place", controller, 0,
                      int64_t(num_members) - 1);
  if (status.ok())
    status =
        expectIn("the number of the region", index, 0, int64_t(regions) - 1);
  if (status.ok() && num_members % servers != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected as many ranks in each of %d servers, got %d in all",
                 servers, num_members);
  return status;
}

/// Keeps a region with the context, or finds the kept one.
static Status keepRegion(moert_context *context, const std::string &name,
                         const moert_ocs_region_config &config,
                         moert_ocs_region *&region) {
  std::string key = "region of optical switch " + name;
  if (!moert_find_kept(context, key.c_str())) {
    moert_ocs_region *made = nullptr;
    moert_status status = moert_ocs_region_create(context, &config, &made);
    void *kept = nullptr;
    if (status == MOERT_OK)
      status = moert_keep(
          context, key.c_str(), made,
          [](void *object) {
            auto *own = static_cast<moert_ocs_region *>(object);
            own->report();
            delete own;
          },
          &kept);
    if (status != MOERT_OK)
      return Status(status, moert_last_error(context));
  }
  region =
      static_cast<moert_ocs_region *>(moert_find_kept(context, key.c_str()));
  moert_ocs_region_config read;
  RegionOptions options;
  Status status = readConfig(context, config, read, options);
  if (status.ok() && !region->isOf(options, config.controller, config.server))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected the region of switch '%s' to be what the programs "
                 "before took it for",
                 name.c_str());
  return status;
}

moert_status moert_ocs_region_find(
    moert_context *context, const char *name, const int32_t *members,
    int32_t num_members, int32_t controller, int32_t servers, int32_t regions,
    int64_t index, int32_t optical_degree, int32_t eps_nics, int32_t exclusive,
    double nic_bytes_per_us, double base_us, double per_pair_us,
    double uncertainty, moert_ocs_region **region) {
  return answer(context, __func__, [&]() -> Status {
    if (!context)
      return missing("a context");
    if (!name || !*name)
      return missing("the name of a switch");
    if (!region)
      return missing("a place for the region");
    Status status = verifyMembers(members, num_members, controller, servers,
                                  regions, index);
    if (status.ok())
      status = expectIn("optical_degree", optical_degree, 0, 4096);
    if (!status.ok())
      return status;
    const int32_t *own =
        std::find(members, members + num_members, moert_rank(context));
    // Each region has its own switch.
    std::string full = name;
    if (regions > 1)
      full += "." + std::to_string(index);
    moert_ocs_region_config config;
    moert_ocs_region_config_default(&config);
    std::vector<int32_t> ports(static_cast<size_t>(servers) *
                               static_cast<size_t>(optical_degree));
    std::iota(ports.begin(), ports.end(), 1);
    config.name = full.c_str();
    config.controller = members[controller];
    config.num_servers = servers;
    config.server =
        own == members + num_members
            ? -1
            : static_cast<int32_t>((own - members) / (num_members / servers));
    config.ports = ports.data();
    config.optical_degree = optical_degree;
    config.eps_nics = eps_nics;
    config.exclusive = exclusive;
    config.nic_bytes_per_us = nic_bytes_per_us;
    config.reconfiguration_base_us = base_us;
    config.reconfiguration_per_pair_us = per_pair_us;
    config.uncertainty = uncertainty;
    return keepRegion(context, full, config, *region);
  });
}
