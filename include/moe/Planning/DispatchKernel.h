// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times of a dispatcher's kernels.

#ifndef MOE_PLANNING_DISPATCHKERNEL_H
#define MOE_PLANNING_DISPATCHKERNEL_H

#include "moe/Cost/Dispatchers.h"
#include "moe/Options/PlatformOption.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

struct DispatchKernelInput : Input {
  MachineOptions platform{table};
  TextOption dispatcher{table, "dispatcher",
                        "A dispatcher that the platform states (required)",
                        "NAME"};
  IntegerOption ranks{
      table, "ranks", "Ranks of the group (required)", {.unit = "ranks"}};
  IntegerOption tokens{
      table, "tokens", "Tokens of a rank (required)", {.unit = "tokens"}};
  IntegerOption hidden{table,
                       "hidden-size",
                       "Elements of a token (required)",
                       {.unit = "elements"}};
  IntegerOption experts{
      table, "experts", "Experts on all ranks (required)", {.unit = "experts"}};
  IntegerOption topK{
      table, "top-k", "Experts of a token (required)", {.unit = "experts"}};
  IntegerOption groups{
      table,
      "groups",
      "Groups of experts that a token chooses some of (default: 1)",
      {.unit = "groups"}};
  IntegerOption topGroups{table,
                          "top-groups",
                          "How many groups a token chooses (default: all)",
                          {.unit = "groups"}};
  IntegerOption dispatchBytes{
      table,
      "dispatch-bytes",
      "Bytes of an element on its way to experts: 2 (default), or 1 with a "
      "32-bit scale for 128 elements",
      {1, 2, "bytes"}};
  IntegerOption sms{table,
                    "sms",
                    "Streaming multiprocessors that it takes (default: 20)",
                    {.unit = "SMs"}};
};

struct DispatchKernelAnswer {
  static constexpr unsigned kJsonIndent = 2;

  /// Names of the platform and of the dispatcher.
  std::string machine, dispatcher;
  cost::DispatcherTime time;
  /// Rates as DeepEP's tests count them, without scales: in one node from the
  /// bytes that ranks receive; with several nodes from the bytes that nodes
  /// receive, including the own node.
  double dispatchGBps = 0, combineGBps = 0;
  /// Nodes of the group.
  int64_t nodes = 1;
};

/// Fails if the platform has no such dispatcher or if the dispatcher does not
/// support the group.
Result<DispatchKernelAnswer> planDispatchKernel(DispatchKernelInput &in);

std::string getTitle(const DispatchKernelAnswer &answer);
void printJSON(llvm::json::OStream &out, const DispatchKernelAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_DISPATCHKERNEL_H
