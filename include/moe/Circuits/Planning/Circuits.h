// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning of optical circuits between servers (SPEC MF-1 to MF-5).

#ifndef MOE_CIRCUITS_PLANNING_CIRCUITS_H
#define MOE_CIRCUITS_PLANNING_CIRCUITS_H

#include "moe/Fabric/CircuitExchange.h"
#include "moe/Fabric/NicAssignment.h"
#include "moe/Fabric/Plan.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

struct CircuitsInput : Input {
  static constexpr int64_t kMostPorts = 4096;

  TextOption demand{
      table, "demand",
      "Traffic between servers, in any unit: JSON with \"matrix\", or "
      "\"matrices\" that share one plan (required unless --config is "
      "given)",
      "FILE"};
  /// Alternative to `demand`: a layer's dispatch under even routing.
  ConfigJob job{table};
  IntegerOption serverRanks{table,
                            "ranks-per-server",
                            "With --config: ranks per server (default: 8)",
                            {.unit = "ranks"}};
  IntegerOption opticalDegree{
      table,
      "optical-degree",
      "NICs per server on the optical circuit switch (required)",
      {0, kMostPorts, "NICs"}};
  IntegerOption epsNics{
      table,
      "eps-nics",
      "NICs per server on the packet-switched network (required)",
      {0, kMostPorts, "NICs"}};
  TextOption routing{
      table, "routing",
      "split: use circuits and packets concurrently (default); "
      "exclusive: use circuits only for server pairs that have one",
      "HOW", "split"};
  TextOption algorithm{
      table, "algorithm",
      "auto: search from several starts (default); greedy: mFabric's "
      "Algorithm 1",
      "HOW", "auto"};
  TextOption effort{table, "effort",
                    "Search effort: thorough takes milliseconds for 8 servers "
                    "(default), fast takes tens of microseconds",
                    "HOW", "thorough"};
  TextOption keep{table, "keep",
                  "JSON answer with the current circuits; of all plans within "
                  "--uncertainty of the best, choose the plan that changes the "
                  "fewest ports",
                  "FILE"};
  NumberOption uncertainty{table,
                           "uncertainty",
                           "With --keep: relative difference below which times "
                           "count as equal (default: 0)",
                           {/*mayBeZero=*/true}};
  IntegerOption numaNodes{
      table,
      "numa-nodes",
      "NUMA nodes per server; also assign circuits to NICs, with the circuits "
      "of a server pair on different NUMA nodes",
      {1, kMostPorts, "nodes"}};
  FlagOption planes{table, "planes",
                    "Also assign circuits to NICs if each NIC of a "
                    "server is on its own switch"};
  TextOption failed{
      table, "failed",
      "Failed NICs, a comma-separated list of SERVER:NIC; NICs count "
      "from 0, starting with the NICs on the circuit switch",
      "LIST"};
};

/// The plan and, if requested, its assignment to NICs or the reason why there
/// is none.
struct CircuitsAnswer {
  static constexpr unsigned kJsonIndent = 0;

  fabric::CircuitPlan plan;
  bool comparesPorts = false;
  std::optional<fabric::NicMapping> nics;
  std::string whyNoNics;
  /// The demand of a job's dispatch in bytes, if no file has the demand.
  std::optional<fabric::Demand> demand;
  /// Loads of the circuits over all demands, weighted.
  std::vector<fabric::CircuitLoad> loads;

  void addLoads(const std::vector<fabric::WeightedDemand> &demands,
                const fabric::Ports &ports);
};

Result<CircuitsAnswer> planCircuits(CircuitsInput &in);

std::string getTitle(const CircuitsAnswer &answer);
void printJSON(llvm::json::OStream &out, const CircuitsAnswer &answer);

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_CIRCUITS_H
