// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What links of a fabric carry, in tables.

#ifndef MOE_CIRCUITS_FABRICREPORT_H
#define MOE_CIRCUITS_FABRICREPORT_H

#include "moe/Fabric/LinkLoads.h"
#include "moe/Support/Report.h"

namespace moe {

/// A row for each sort of links: how many there are, bytes, and which part of
/// what they could have carried while exchanges ran.
support::Report makeClassReport(const fabric::LinkLoads &loads);

/// A row for each of the `count` busiest links.
support::Report makeBusiestReport(const fabric::LinkLoads &loads,
                                  int64_t count);

/// "fat-tree: 2 servers of 8 ranks and 8 NICs of 400 Gb/s".
std::string describeFabric(const fabric::FabricOptions &options);

} // namespace moe

#endif // MOE_CIRCUITS_FABRICREPORT_H
