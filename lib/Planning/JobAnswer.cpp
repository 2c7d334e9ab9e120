// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer of `job` as JSON, and its rows.

#include "Answers.h"
#include "moe/Planning/Job.h"

using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;

Report moe::planning::makeJobReport(const std::vector<JobRow> &rows) {
  using moe::support::Cell;
  using moe::support::Column;
  bool hasFailed = false;
  for (const JobRow &row : rows)
    hasFailed |= row.wholeUs.has_value();
  auto failureColumn = [&](const char *key, const char *title) {
    Column column = Column(key, title).fixed(3).orElse("no way");
    return hasFailed ? column : column.hidden();
  };
  auto scale = [](std::optional<double> value, double factor) -> Cell {
    return value ? Cell(*value * factor) : Cell(moe::support::Absent());
  };
  Report report(
      {Column("model", "model"),
       Column("gpus", "GPUs").fixed(0),
       Column("rate_gbps", "Gb/s").fixed(0),
       Column("fabric", "fabric"),
       Column("optical_nics", "optical").fixed(0).orElse("-"),
       Column("reconfiguration_us", "").hidden(),
       Column("policy", "policy").orElse("-"),
       Column("step_ms", "step ms").fixed(1).orElse("no way"),
       Column("worst_step_ms", "").hidden(),
       Column("before_failure_ms", "").hidden(),
       failureColumn("slowdown", "slowdown"),
       failureColumn("fat_tree_slowdown", "fat tree's"),
       Column("speed_of_fat_tree", "of fat tree").fixed(3).orElse("-"),
       Column("performance_per_dollar", "per usd").fixed(3).orElse("-"),
       Column("compute_ms", "compute").fixed(1).orElse("-"),
       Column("exchange_ms", "exchanges").fixed(1).orElse("-"),
       Column("change_ms", "changes").fixed(1).orElse("-"),
       Column("send_ms", "").hidden(),
       Column("gradient_ms", "gradients").fixed(1).orElse("-"),
       Column("exposed_ms", "behind").fixed(1).orElse("-"),
       Column("exchanges", "priced").fixed(0).orElse("-"),
       Column("flows", "").hidden(),
       Column("simulated_parts", "simulated").fixed(0).orElse("-"),
       Column("no_way", "").hidden()});
  for (const JobRow &row : rows) {
    bool hasCircuits = row.options.fabric.network.kind == FabricKind::MFabric;
    auto circuits = [&](Cell cell) -> Cell {
      return hasCircuits ? cell : Cell(moe::support::Unknown());
    };
    bool hasWay = row.noWay.empty();
    auto told = [&](Cell cell) -> Cell {
      return hasWay ? cell : Cell(moe::support::Unknown());
    };
    report.addRow(
        {row.options.model.name,
         row.options.gpus,
         row.rateGbps,
         std::string(fabric::getName(row.options.fabric.network.kind)),
         circuits(row.options.fabric.network.opticalNics),
         circuits(row.options.changeUs),
         circuits(told(getEnumName(row.time.policy).str())),
         told(row.time.stepUs / 1e3),
         told(row.time.worstUs / 1e3),
         scale(row.wholeUs, 1e-3),
         row.wholeUs ? told(row.time.stepUs / *row.wholeUs)
                     : Cell(moe::support::Absent()),
         scale(row.treeSlowdown, 1),
         told(row.speed),
         row.perDollar ? Cell(*row.perDollar) : Cell(moe::support::Unknown()),
         told(row.time.computeUs / 1e3),
         told(row.time.exchangeUs / 1e3),
         told(row.time.changeUs / 1e3),
         told(row.time.sendUs / 1e3),
         told(row.time.gradientUs / 1e3),
         told(row.time.exposedUs / 1e3),
         told(row.time.exchanges),
         told(row.time.flows),
         told(row.time.simulatedParts),
         hasWay ? Cell(moe::support::Absent()) : Cell(row.noWay)});
  }
  return report;
}

std::string moe::planning::getTitle(const JobAnswer &) {
  return "moe-fabric job";
}

void moe::planning::printJSON(llvm::json::OStream &out,
                              const JobAnswer &answer) {
  const ClusterJobOptions &base = answer.base;
  out.attribute("peak_tflops", base.peakTflops);
  out.attribute("utilisation", base.utilisation);
  out.attribute("micro_batches", base.microBatches);
  if (base.recorded.empty())
    out.attribute("exponent", base.exponent);
  else
    out.attribute("trace_steps", int64_t(base.recorded.size()));
  out.attribute("sums", answer.sums);
  out.attribute("prices", answer.pricesOrigin);
  out.attributeArray("steps",
                     [&] { makeJobReport(answer.rows).printItems(out); });
}
