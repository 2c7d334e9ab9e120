// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: exchanges through delegates.

#include "extend/Call.h"
#include "ocs/Planner.h"
#include <algorithm>

using namespace moert;

moert_status moert_ocs_delegates(moert_context *context, int64_t position,
                                 int32_t num_servers, int32_t places,
                                 int64_t experts, int32_t optical_degree,
                                 int32_t eps_nics, int32_t exclusive,
                                 int32_t numa_nodes, int64_t turns,
                                 const void *counts, moert_type type,
                                 int64_t *gather, int64_t *between,
                                 int64_t *scatter, int64_t *own) {
  return answer(context, __func__, [&]() -> Status {
    if (!context)
      return missing("a context");
    if (!counts)
      return missing("the counts");
    if (!gather || !between || !scatter || !own)
      return missing("a place for offsets and sizes");
    if (type != MOERT_I32 && type != MOERT_I64)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected counts of MOERT_I32 or MOERT_I64, got type %d",
                   static_cast<int>(type));
    constexpr int64_t kMostServers = 1024, kMostNics = 4096;
    struct {
      const char *what;
      int64_t number, least, most;
    } numbers[] = {
        {"num_servers", num_servers, 1, kMostServers},
        {"places", places, 1, kMostServers},
        {"optical_degree", optical_degree, 0, kMostNics},
        {"eps_nics", eps_nics, 1, kMostNics},
        {"exclusive", exclusive, 0, 1},
        {"numa_nodes", numa_nodes, 1, std::max(optical_degree, 1)},
        {"turns", turns, int64_t(num_servers) - 1, kMostServers * kMostServers},
        {"the position", position, 0, int64_t(num_servers) * places - 1}};
    Status status;
    for (auto &[what, number, least, most] : numbers)
      if (status.ok())
        status = expectIn(what, number, least, most);
    if (!status.ok())
      return status;
    int64_t ranks = int64_t(num_servers) * places;
    if (experts < ranks || experts % ranks != 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected experts that divide by the %lld ranks, got %lld",
                   static_cast<long long>(ranks),
                   static_cast<long long>(experts));
    DelegateRequest request{num_servers, places,     optical_degree,
                            eps_nics,    numa_nodes, exclusive == 1,
                            turns,       position,   {}};
    request.counts.reserve(static_cast<size_t>(ranks * experts));
    for (int64_t k = 0; k < ranks * experts; ++k)
      request.counts.push_back(type == MOERT_I32
                                   ? static_cast<const int32_t *>(counts)[k]
                                   : static_cast<const int64_t *>(counts)[k]);
    return planDelegates(request, gather, between, scatter, own);
  });
}
