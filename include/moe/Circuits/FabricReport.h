// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of link loads of a fabric.

#ifndef MOE_CIRCUITS_FABRICREPORT_H
#define MOE_CIRCUITS_FABRICREPORT_H

#include "moe/Fabric/LinkLoads.h"
#include "moe/Support/Report.h"

namespace moe {

/// Makes one row for each kind of links: their number, bytes, and utilization
/// during the exchanges.
support::Report makeClassReport(const fabric::LinkLoads &loads);

/// Makes one row for each of the `count` busiest links.
support::Report makeBusiestReport(const fabric::LinkLoads &loads,
                                  int64_t count);

/// Returns a description, for example "fat-tree: 2 servers of 8 ranks and 8
/// NICs of 400 Gb/s".
std::string describeFabric(const fabric::FabricOptions &options);

} // namespace moe

#endif // MOE_CIRCUITS_FABRICREPORT_H
