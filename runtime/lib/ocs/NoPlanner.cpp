// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions in builds without planners.

#include "ocs/Planner.h"

using namespace moert;

bool moert::hasPlanners() { return false; }

Status moert::planRegion(const RegionOptions &, const std::vector<double> &,
                         const std::vector<RegionLink> &, double, double,
                         double, RegionPlan &) {
  return error(MOERT_UNAVAILABLE, "libmoert_ocs was built without planners");
}

Status moert::placeRegion(const RegionOptions &, const int32_t *,
                          const std::vector<RegionLink> &, double,
                          RegionPlan &) {
  return error(MOERT_UNAVAILABLE, "libmoert_ocs was built without planners");
}

Status moert::fitShares(const std::vector<ShareSample> &,
                        const std::vector<double> &, std::vector<double> &) {
  return error(MOERT_UNAVAILABLE, "libmoert_ocs was built without planners");
}

Status moert::planDelegates(const DelegateRequest &, int64_t *, int64_t *,
                            int64_t *, int64_t *) {
  return error(MOERT_UNAVAILABLE, "libmoert_ocs was built without planners");
}
