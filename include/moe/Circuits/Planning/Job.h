// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps of whole clusters (SPEC MF-15 to MF-19).

#ifndef MOE_CIRCUITS_PLANNING_JOB_H
#define MOE_CIRCUITS_PLANNING_JOB_H

#include "moe/Circuits/FabricOption.h"
#include "moe/Circuits/Planning/ClusterJob.h"
#include "moe/Planning/Planner.h"
#include "moe/Support/Report.h"

namespace moe::planning {

struct JobInput : Input {
  TextOption models{table, "model", "Comma-separated models, or all (default)",
                    "NAMES", "all"};
  TextOption fabrics{table, "fabric",
                     "Comma-separated network fabrics (default: "
                     "fat-tree,rail,topoopt,mfabric)",
                     "KINDS", "fat-tree,rail,topoopt,mfabric"};
  TextOption gpus{table, "gpus",
                  "Comma-separated numbers of GPUs (default: 1024)", "NUMBERS",
                  "1024"};
  TextOption rates{table, "rate-gbps",
                   "Comma-separated rates per NIC in Gb/s (default: 400)",
                   "NUMBERS", "400"};
  TextOption opticalNics{
      table, "optical-nics",
      "mfabric: comma-separated numbers of NICs, of 8 per server, on "
      "the optical circuit switch (default: 6)",
      "NUMBERS", "6"};
  TextOption changes{
      table, "reconfiguration-us",
      "mfabric: comma-separated times of a circuit reconfiguration in "
      "microseconds (default: 25000)",
      "NUMBERS", "25000"};
  WordOption<JobPolicy> policy{table, "policy",
                               "mfabric: optical circuits that a layer's "
                               "first forward exchange uses",
                               JobPolicy::Auto};
  IntegerOption microBatches{table,
                             "num-micro-batches",
                             "Micro-batches per step (default: 16)",
                             {.unit = "micro-batches"}};
  IntegerOption virtualStages{
      table,
      "virtual-stages",
      "Virtual stages (parts of the model) per pipeline stage (default: 1)",
      {.unit = "virtual stages"}};
  WordOption<JobPlacement> placement{table, "placement",
                                     "Placement of each expert-parallel group",
                                     JobPlacement::Dense};
  TextOption nicUse{
      table, "nic-use",
      "fat-tree and rail: shared, ranks use all NICs of their server "
      "(default); own, each rank uses one NIC, by its position in the "
      "server",
      "USE", "shared"};
  TextOption sums{
      table, "sums",
      "Gradient all-reduce: beside, overlapped with the last backward "
      "passes (default); after, after these passes",
      "WHEN", "beside"};
  TextOption trafficFile{
      table, "traffic",
      "Routing trace to use instead of random tokens; the answer is "
      "the mean over its iterations",
      "TRACE"};
  TextOption failed{table, "failed", kFailedHelp, "LIST"};
  NumberOption utilisation{table, "utilisation",
                           "Share of a GPU's peak of 312 TFLOP/s that compute "
                           "reaches (default: 0.45)"};
  NumberOption exponent{table,
                        "exponent",
                        "Skew of random tokens: the expert of popularity rank "
                        "p gets a share proportional to p^-X (default: 0.5)",
                        {/*mayBeZero=*/true}};
  TextOption demands{table, "demands",
                     "Random tokens of replicas: shared, equal to the first "
                     "replica's (default); each, drawn per replica",
                     "WHOSE", "shared"};
  FlagOption costEquivalent{
      table, "cost-equivalent",
      "Run fat trees and rails at the NIC rate at which they cost as "
      "much as mfabric with 6 optical NICs; set the rate of the "
      "packet NICs of other mfabrics in the same way (SPEC MF-17)"};
};

/// One combination of the values in all lists.
struct JobRow {
  ClusterJobOptions options;
  double rateGbps = 0;
  JobTime time;
  /// Time before failures, and the slowdown of a fat tree with the same number
  /// of failed NICs.
  std::optional<double> wholeUs, treeSlowdown;
  /// Why the failures permit no step; only `wholeUs` is then valid.
  std::string noWay;
  /// The fat tree's step time relative to this one's, with the same NICs.
  double speed = 1;
  std::optional<double> perDollar;
};

struct JobAnswer {
  static constexpr unsigned kJsonIndent = 2;

  /// The options that all rows share, and --sums.
  ClusterJobOptions base;
  std::string sums;
  std::string pricesOrigin;
  std::vector<JobModel> models;
  std::vector<JobRow> rows;
};

Result<JobAnswer> planJob(JobInput &in);

support::Report makeJobReport(const std::vector<JobRow> &rows);

std::string getTitle(const JobAnswer &answer);
void printJSON(llvm::json::OStream &out, const JobAnswer &answer);

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_JOB_H
