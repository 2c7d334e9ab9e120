// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platform descriptions to files.

#include "moe/Platform/Load.h"
#include "moe/Support/Json.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

namespace {

/// Writes JSON that people read: an object a paragraph, indented by two.
class Writer {
public:
  void open(char bracket) {
    text += bracket;
    isFirst = true;
    ++depth;
  }
  void close(char bracket) {
    --depth;
    if (!isFirst)
      breakLine();
    text += bracket;
    isFirst = false;
  }
  /// Begins the next item of an array.
  void item() {
    if (!isFirst)
      text += ',';
    breakLine();
    isFirst = false;
  }
  /// Begins the next member of an object.
  void key(std::string_view name) {
    item();
    text += quote(name) + ": ";
  }

  void number(std::string_view name, double value) {
    key(name);
    text += formatNumber(value);
  }
  void literal(std::string_view value) { text += value; }
  void string(std::string_view name, std::string_view value) {
    key(name);
    text += quote(value);
  }
  /// Leaves out what nobody stated.
  void origin(std::string_view name, std::string_view value) {
    if (!value.empty())
      string(name, value);
  }
  void curve(std::string_view name, const EfficiencyCurve &curve) {
    key(name);
    open('[');
    for (const CurvePoint &point : curve.getPoints()) {
      item();
      text += "[" + formatNumber(point.bytes) + ", " +
              formatNumber(point.ratio) + "]";
    }
    close(']');
  }

  std::string take() { return std::move(text) + "\n"; }

private:
  void breakLine() { text += "\n" + std::string(2 * depth, ' '); }

  std::string text;
  size_t depth = 0;
  bool isFirst = true;
};

} // namespace

static void writeFit(Writer &w, const CollectiveFit &fit) {
  w.open('{');
  w.number("alpha_us", fit.alpha.value());
  w.number("beta_us_per_byte", fit.beta.value());
  if (fit.groupRanks)
    w.number("group_ranks", double(*fit.groupRanks));
  if (fit.ranksTogether)
    w.number("ranks_together", double(*fit.ranksTogether));
  if (fit.minBytes)
    w.number("min_bytes", fit.minBytes->value());
  if (fit.maxBytes)
    w.number("max_bytes", fit.maxBytes->value());
  if (fit.rSquared)
    w.number("r_squared", *fit.rSquared);
  w.origin("origin", fit.origin);
  w.close('}');
}

static void writeLevel(Writer &w, const Level &level) {
  w.open('{');
  w.string("name", level.name);
  w.number("ranks", double(level.ranks));
  w.number("bandwidth_GBps", level.bandwidth.value());
  w.number("ranks_per_nic", double(level.ranksPerNic));
  w.origin("origin", level.origin);
  if (level.portRate) {
    w.number("port_GBps", level.portRate->value());
    w.origin("port_origin", level.portOrigin);
  }
  w.number("latency_us", level.latency.value());
  w.origin("latency_origin", level.latencyOrigin);
  if (!level.efficiency.isEmpty()) {
    w.curve("efficiency", level.efficiency);
    w.origin("efficiency_origin", level.efficiencyOrigin);
    if (level.isCurveLatencyFree) {
      w.key("efficiency_latency_free");
      w.literal("true");
    }
  }
  bool hasFit = false;
  for (unsigned i = 0; i < kNumCollectiveKinds; ++i) {
    if (!level.fits[i])
      continue;
    if (!hasFit) {
      w.key("collectives");
      w.open('{');
      hasFit = true;
    }
    w.key(getName(CollectiveKind(i)));
    if (level.fits[i]->others.empty()) {
      writeFit(w, *level.fits[i]);
      continue;
    }
    w.open('[');
    w.item();
    writeFit(w, *level.fits[i]);
    for (const CollectiveFit &other : level.fits[i]->others) {
      w.item();
      writeFit(w, other);
    }
    w.close(']');
  }
  if (hasFit)
    w.close('}');
  w.close('}');
}

static void writeNccl(Writer &w, const NcclSettings &nccl) {
  w.key("nccl");
  w.open('{');
  auto write = [&](std::string_view key, std::optional<int64_t> number) {
    if (number)
      w.number(key, double(*number));
  };
  write("min_ctas", nccl.minCtas);
  write("max_ctas", nccl.maxCtas);
  write("cga_cluster_size", nccl.cgaClusterSize);
  if (nccl.registerBuffers) {
    w.key("register_buffers");
    w.literal("true");
  }
  w.origin("origin", nccl.origin);
  w.close('}');
}

static void writeContention(Writer &w,
                            const std::vector<ContentionFactor> &factors) {
  if (factors.empty())
    return;
  w.key("contention");
  w.open('[');
  for (const ContentionFactor &factor : factors) {
    w.item();
    w.open('{');
    w.string("slowed", getName(factor.slowed));
    w.string("by", getName(factor.by));
    w.number("factor", factor.factor);
    w.origin("origin", factor.origin);
    w.close('}');
  }
  w.close(']');
}

static void writeCircuits(Writer &w, const Circuits &circuits) {
  w.key("circuits");
  w.open('{');
  w.number("server_ranks", double(circuits.serverRanks));
  w.number("optical_degree", double(circuits.opticalDegree));
  w.number("eps_nics", double(circuits.epsNics));
  w.number("nic_rate_GBps", circuits.nicRate.value());
  w.number("reconfiguration_base_us", circuits.reconfigurationBase.value());
  w.number("reconfiguration_per_pair_us",
           circuits.reconfigurationPerPair.value());
  if (circuits.reconfigurationP99)
    w.number("reconfiguration_p99_us", circuits.reconfigurationP99->value());
  w.number("link_up_us", circuits.linkUp.value());
  if (circuits.ports)
    w.number("ports", double(*circuits.ports));
  w.origin("origin", circuits.origin);
  w.close('}');
}

static void writeProducts(Writer &w, std::string_view key,
                          const ProductRates &rates) {
  w.key(key);
  w.open('{');
  w.number("tflops", rates.tflops);
  w.number("tile_rows", double(rates.tileRows));
  w.number("tile_columns", double(rates.tileColumns));
  w.number("fill", rates.fill);
  w.number("partial_wave", rates.partialWave);
  w.number("start_us", rates.start.value());
  w.origin("origin", rates.origin);
  w.close('}');
}

static void writeKernels(Writer &w, const Kernels &kernels) {
  w.key("kernels");
  w.open('{');
  w.number("sms", double(kernels.sms));
  writeProducts(w, "products", kernels.products);
  writeProducts(w, "grouped_products", kernels.groupedProducts);
  w.key("attention");
  w.open('[');
  for (const AttentionRate &rate : kernels.attention) {
    w.item();
    w.open('{');
    w.number("head_width", double(rate.headWidth));
    w.number("seq_len", double(rate.seqLen));
    w.number("forward_tflops", rate.forwardTflops);
    w.number("backward_tflops", rate.backwardTflops);
    w.close('}');
  }
  w.close(']');
  w.origin("attention_origin", kernels.attentionOrigin);
  w.number("memory_GBps", kernels.memory.value());
  w.number("memory_start_us", kernels.memoryStart.value());
  w.origin("memory_origin", kernels.memoryOrigin);
  w.number("overlap_cost", kernels.overlapCost);
  w.number("overlap_cost_one_wave", kernels.overlapCostOfOneWave);
  w.origin("overlap_origin", kernels.overlapOrigin);
  w.close('}');
}

static void writeDispatcher(Writer &w, const Dispatcher &dispatcher) {
  w.open('{');
  w.string("name", dispatcher.name);
  if (dispatcher.permutes) {
    w.key("permutes");
    w.literal("true");
  }
  if (dispatcher.maxRanks)
    w.number("max_ranks", double(*dispatcher.maxRanks));
  w.origin("origin", dispatcher.origin);
  w.key("lines");
  w.open('[');
  for (const DispatcherLine &line : dispatcher.lines) {
    w.item();
    w.open('{');
    w.number("nodes", double(line.nodes));
    w.number("sms", double(line.sms));
    w.number("dispatch_start_us", line.dispatch.start.value());
    w.number("dispatch_GBps", line.dispatch.rate.value());
    w.number("combine_start_us", line.combine.start.value());
    w.number("combine_GBps", line.combine.rate.value());
    w.close('}');
  }
  w.close(']');
  w.close('}');
}

static void writeHost(Writer &w, const HostCost &host) {
  w.open('{');
  w.string("framework", host.framework);
  if (host.cudaGraphs) {
    w.key("cuda_graphs");
    w.literal("true");
  }
  w.key("layers");
  w.open('[');
  for (const HostCost::OfLayer &entry : host.layers) {
    w.item();
    w.open('{');
    w.number("tp", double(entry.tp));
    w.number("layer_us", entry.layer.value());
    w.close('}');
  }
  w.close(']');
  w.number("step_us", host.step.value());
  w.origin("origin", host.origin);
  w.close('}');
}

static void writeRates(Writer &w, const MeasuredRates &rates) {
  if (rates.kernels)
    writeKernels(w, *rates.kernels);
  auto writeAll = [&](std::string_view key, const auto &items, auto write) {
    if (items.empty())
      return;
    w.key(key);
    w.open('[');
    for (const auto &item : items) {
      w.item();
      write(w, item);
    }
    w.close(']');
  };
  writeAll("dispatchers", rates.dispatchers, writeDispatcher);
  writeAll("hosts", rates.hosts, writeHost);
  if (rates.hiddenExchanges) {
    w.number("hidden_exchanges", rates.hiddenExchanges->value);
    w.origin("hidden_exchanges_origin", rates.hiddenExchanges->origin);
  }
}

static void writeFitted(Writer &w, const FittedParameters &fitted) {
  w.key("fitted");
  w.open('{');
  if (fitted.pipelineStall) {
    w.number("pipeline_stall_us", fitted.pipelineStall->value.value());
    w.origin("pipeline_stall_origin", fitted.pipelineStall->origin);
  }
  writeContention(w, fitted.contention);
  if (!fitted.levels.empty()) {
    w.key("levels");
    w.open('[');
    for (const FittedParameters::LevelParameters &level : fitted.levels) {
      w.item();
      w.open('{');
      w.string("name", level.level);
      if (level.latency) {
        w.number("latency_us", level.latency->value.value());
        w.origin("latency_origin", level.latency->origin);
      }
      if (level.efficiency) {
        w.curve("efficiency", level.efficiency->value);
        w.origin("efficiency_origin", level.efficiency->origin);
      }
      w.close('}');
    }
    w.close(']');
  }
  w.close('}');
}

std::string moe::platform::formatPlatform(const Platform &platform) {
  const Machine &machine = platform.stated;
  Writer w;
  w.open('{');
  w.string("name", machine.name);
  w.origin("origin", platform.origin);
  w.key("levels");
  w.open('[');
  for (const Level &level : machine.levels) {
    w.item();
    writeLevel(w, level);
  }
  w.close(']');
  if (machine.copy) {
    w.number("copy_bandwidth_GBps", machine.copy->bandwidth.value());
    w.origin("copy_origin", machine.copy->origin);
    if (machine.copy->latency > Microseconds(0))
      w.number("copy_latency_us", machine.copy->latency.value());
    if (!machine.copy->efficiency.isEmpty())
      w.curve("copy_efficiency", machine.copy->efficiency);
    w.origin("copy_efficiency_origin", machine.copy->efficiencyOrigin);
  }
  if (machine.gemm) {
    w.number("gemm_alpha_us", machine.gemm->alpha.value());
    w.number("gemm_beta_us_per_mac", machine.gemm->beta.value());
    w.origin("gemm_origin", machine.gemm->origin);
  }
  if (machine.minimumMessage.value > Bytes(0)) {
    w.number("minimum_message_bytes", machine.minimumMessage.value.value());
    w.origin("minimum_message_origin", machine.minimumMessage.origin);
  }
  if (machine.memoryPerRank) {
    w.number("memory_per_rank_bytes", machine.memoryPerRank->value.value());
    w.origin("memory_origin", machine.memoryPerRank->origin);
  }
  if (machine.uncertainty.value > 0) {
    w.number("uncertainty", machine.uncertainty.value);
    w.origin("uncertainty_origin", machine.uncertainty.origin);
  }
  if (platform.peakTflops) {
    w.number("peak_tflops", platform.peakTflops->value);
    w.origin("peak_origin", platform.peakTflops->origin);
  }
  writeContention(w, machine.contention);
  if (machine.circuits)
    writeCircuits(w, *machine.circuits);
  if (!platform.nccl.isEmpty())
    writeNccl(w, platform.nccl);
  writeRates(w, platform.rates);
  if (platform.topology.starts_with("[")) {
    w.key("topology");
    w.literal(platform.topology);
  } else {
    w.origin("topology", platform.topology);
  }
  if (!platform.fitted.isEmpty())
    writeFitted(w, platform.fitted);
  w.close('}');
  return w.take();
}

std::optional<Failure> moe::platform::savePlatform(const Platform &platform,
                                                   const std::string &path) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << formatPlatform(platform) << std::flush;
  if (stream)
    return std::nullopt;
  std::string reason = errno ? std::strerror(errno) : "an error";
  // Half of a platform is none; a device or a pipe stays.
  bool wasOpen = stream.is_open();
  stream.close();
  std::error_code ignored;
  if (wasOpen && std::filesystem::is_regular_file(path, ignored))
    std::filesystem::remove(path, ignored);
  return Failure{path +
                 ": expected a file that can be written, got: " + reason};
}

std::vector<std::string> Platform::describeFitted() const {
  std::vector<std::string> lines;
  auto add = [&](const std::string &what, const std::string &value,
                 const std::string &origin) {
    lines.push_back(what + " = " + value + " (" + origin + ")");
  };
  if (fitted.pipelineStall)
    add("pipeline_stall_us", formatNumber(fitted.pipelineStall->value.value()),
        fitted.pipelineStall->origin);
  for (const ContentionFactor &factor : fitted.contention)
    add("contention of " + std::string(getName(factor.slowed)) + " by " +
            std::string(getName(factor.by)),
        formatNumber(factor.factor), factor.origin);
  for (const FittedParameters::LevelParameters &level : fitted.levels) {
    if (level.latency)
      add(level.level + ".latency_us",
          formatNumber(level.latency->value.value()), level.latency->origin);
    if (level.efficiency)
      add(level.level + ".efficiency",
          "a curve of " +
              std::to_string(level.efficiency->value.getPoints().size()) +
              " points",
          level.efficiency->origin);
  }
  return lines;
}
