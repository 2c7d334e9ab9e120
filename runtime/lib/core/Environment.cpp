// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment variables of launchers.

#include "core/Environment.h"
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>

using namespace moert;

namespace {
/// The variables of one launcher; the most explicit launcher is first.
struct Launcher {
  const char *rank;
  const char *worldSize;
  const char *localRank;
};
} // namespace

static const Launcher launchers[] = {
    {"MOERT_RANK", "MOERT_WORLD_SIZE", "MOERT_LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
};

static Status readNumber(const char *name, int32_t &number) {
  const char *text = std::getenv(name);
  char *end = nullptr;
  errno = 0;
  long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < 0 ||
      value > INT32_MAX)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a number in the variable %s, got '%s'", name, text);
  number = static_cast<int32_t>(value);
  return {};
}

/// Returns a copy of a variable that lives as long as the process, because the
/// variable itself may change.
static const char *keep(const char *text) {
  static std::mutex *mutex = new std::mutex;
  static std::set<std::string> *texts = new std::set<std::string>;
  std::lock_guard<std::mutex> lock(*mutex);
  return texts->insert(text).first->c_str();
}

Status moert::readEnvironment(moert_config &config) {
  for (const Launcher &launcher : launchers) {
    if (!std::getenv(launcher.rank) || !std::getenv(launcher.worldSize))
      continue;
    Status status = readNumber(launcher.rank, config.rank);
    if (status.ok())
      status = readNumber(launcher.worldSize, config.world_size);
    // Use only the local rank of the same launcher. An outer launcher, for
    // example the srun that starts torchrun once per node, counts other
    // processes.
    if (status.ok() && std::getenv(launcher.localRank) && hasLocalRank(config))
      status = readNumber(launcher.localRank, config.local_rank);
    if (!status.ok())
      return status;
    break;
  }
  const char *address = std::getenv("MOERT_ADDRESS");
  const char *host = std::getenv("MASTER_ADDR");
  if (address) {
    config.address = keep(address);
  } else if (host && std::getenv("MASTER_PORT")) {
    int32_t port = 0;
    constexpr int32_t kLastPort = 65535;
    Status status = readNumber("MASTER_PORT", port);
    if (status.ok() && (port < 1 || port > kLastPort))
      status = error(MOERT_INVALID_ARGUMENT,
                     "expected a port from 1 to %d in the variable "
                     "MASTER_PORT, got %d",
                     kLastPort, port);
    if (!status.ok())
      return status;
    // The launcher's own store listens at the port itself.
    port += port < kLastPort ? 1 : -1;
    config.address =
        keep((std::string(host) + ":" + std::to_string(port)).c_str());
  }
  if (const char *token = std::getenv("MOERT_TOKEN"))
    config.token = keep(token);
  return {};
}
