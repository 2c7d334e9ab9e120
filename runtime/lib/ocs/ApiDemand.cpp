// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: circuits for the demand of programs.

#include "extend/Call.h"
#include "ocs/Region.h"
#include <algorithm>

using namespace moert;

/// Reads a demand [servers, servers] of one of two types.
static Status readDemand(const moert_ocs_region &region, const void *demand,
                         moert_type type, std::vector<double> &bytes) {
  if (!demand)
    return missing("a demand");
  if (type != MOERT_I32 && type != MOERT_I64)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a demand of MOERT_I32 or MOERT_I64, got type %d",
                 static_cast<int>(type));
  auto n = static_cast<size_t>(region.getOptions().numServers);
  bytes.resize(n * n);
  for (size_t k = 0; k < bytes.size(); ++k)
    bytes[k] =
        type == MOERT_I32
            ? static_cast<double>(static_cast<const int32_t *>(demand)[k])
            : static_cast<double>(static_cast<const int64_t *>(demand)[k]);
  return {};
}

static Status planFor(moert_ocs_region &region,
                      const std::vector<double> &bytes, double exchanges,
                      double slackUs) {
  if (!(exchanges >= 0 && slackUs >= 0))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected at least 0 exchanges and 0 us, got %g and %g",
                 exchanges, slackUs);
  RegionWish wish;
  wish.demand = &bytes;
  wish.exchanges = exchanges;
  wish.slackUs = slackUs;
  moert_ocs_decision decision;
  return region.decide(wish, decision);
}

static Status setTo(moert_ocs_region &region, const int32_t *circuits,
                    int64_t index) {
  if (!circuits)
    return missing("circuits");
  int64_t n = region.getOptions().numServers;
  RegionWish wish;
  wish.circuits = circuits + index * n * n;
  moert_ocs_decision decision;
  return region.decide(wish, decision);
}

moert_status moert_ocs_region_plan(moert_ocs_region *region, const void *demand,
                                   moert_type type, double exchanges,
                                   double slack_us) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    std::vector<double> bytes;
    Status status = readDemand(*region, demand, type, bytes);
    return status.ok() ? planFor(*region, bytes, exchanges, slack_us) : status;
  });
}

moert_status moert_ocs_region_set(moert_ocs_region *region,
                                  const int32_t *circuits, int64_t index) {
  return answer(nullptr, __func__, [&]() -> Status {
    return region ? setTo(*region, circuits, index) : missing("a region");
  });
}

moert_status moert_ocs_region_note(moert_ocs_region *region, const char *key,
                                   const void *demand, moert_type type) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    if (!key || !*key)
      return missing("a name of the demand");
    std::vector<double> bytes;
    Status status = readDemand(*region, demand, type, bytes);
    if (status.ok())
      region->getHistory().note(key, std::move(bytes));
    return status;
  });
}

moert_status moert_ocs_region_predict(moert_ocs_region *region, const char *key,
                                      const int32_t *circuits, int64_t index,
                                      double exchanges, double slack_us) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    if (!key || !*key)
      return missing("a name of the demand");
    auto expected = region->getHistory().predict(key);
    return expected ? planFor(*region, *expected, exchanges, slack_us)
                    : setTo(*region, circuits, index);
  });
}

moert_status moert_ocs_region_recall(moert_ocs_region *region, const char *key,
                                     const void *demand, moert_type type,
                                     int64_t times, int64_t *sum) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    if (!key || !*key)
      return missing("a name of the demand");
    if (!sum)
      return missing("a place for the sum");
    if (times < 1)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a demand at least once, got %lld times",
                   static_cast<long long>(times));
    std::vector<double> bytes;
    Status status = readDemand(*region, demand, type, bytes);
    if (!status.ok())
      return status;
    const std::vector<double> *noted = region->getHistory().findLast(key);
    for (size_t k = 0; k < bytes.size(); ++k) {
      double all = noted ? bytes[k] + (*noted)[k]
                         : bytes[k] * static_cast<double>(times);
      // The largest double below 2^63.
      constexpr double kMost = 0x1.fffffffffffffp62;
      sum[k] = static_cast<int64_t>(std::clamp(all, -kMost, kMost));
    }
    return status;
  });
}

moert_status moert_ocs_region_wait(moert_ocs_region *region) {
  return answer(nullptr, __func__, [&]() -> Status {
    if (!region)
      return missing("a region");
    auto n = static_cast<size_t>(region->getOptions().numServers);
    std::vector<int32_t> circuits(n * n);
    moert_ocs_decision decision;
    return region->settle(circuits.data(), decision);
  });
}
