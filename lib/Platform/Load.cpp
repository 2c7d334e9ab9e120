// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platform descriptions from files.

#include "moe/Platform/Load.h"
#include "LoadParts.h"
#include "moe/Dispatch/Topology.h"
#include "moe/Support/ObjectReader.h"
#include "moe/Support/TextFile.h"

#include <algorithm>
#include <cstdio>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

using Kind = JsonValue::Kind;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static std::optional<CopyEngine> readCopy(ObjectReader &reader) {
  CopyEngine copy;
  auto rate = reader.findNumber("copy_bandwidth_GBps", Range::Positive);
  copy.origin = readOrigin(reader, "copy_origin");
  copy.latency = Microseconds(
      reader.findNumber("copy_latency_us", Range::NotNegative).value_or(0));
  if (auto curve = readCurve(reader, "copy_efficiency"))
    copy.efficiency = std::move(*curve);
  copy.efficiencyOrigin = readOrigin(reader, "copy_efficiency_origin");
  if (rate) {
    copy.bandwidth = GBps(*rate);
    return copy;
  }
  for (std::string_view key : {"copy_origin", "copy_latency_us",
                               "copy_efficiency", "copy_efficiency_origin"})
    if (reader.has(key))
      reader.fail(key, "expected this only beside 'copy_bandwidth_GBps'");
  return std::nullopt;
}

static std::optional<GemmCost> readGemm(ObjectReader &reader) {
  auto alpha = reader.findNumber("gemm_alpha_us", Range::NotNegative);
  auto beta = reader.findNumber("gemm_beta_us_per_mac", Range::Positive);
  std::string origin = readOrigin(reader, "gemm_origin");
  if (alpha && beta)
    return GemmCost{Microseconds(*alpha), MicrosecondsPerMac(*beta), origin};
  if (alpha || beta || !origin.empty())
    reader.fail(alpha ? "gemm_beta_us_per_mac" : "gemm_alpha_us",
                "expected both 'gemm_alpha_us' and 'gemm_beta_us_per_mac', or "
                "neither, got nothing");
  return std::nullopt;
}

static std::vector<ContentionFactor> readContention(ObjectReader &reader) {
  std::vector<ContentionFactor> factors;
  reader.forEachObject("contention", [&](ObjectReader &item, size_t) {
    ContentionFactor factor{};
    for (auto [key, resource] :
         {std::pair("slowed", &factor.slowed), std::pair("by", &factor.by)}) {
      std::string name = item.getText(key);
      if (auto parsed = parseResource(name))
        *resource = *parsed;
      else if (item.has(key))
        item.fail(key, "expected inter, intra, copy, or compute, got " +
                           quote(name));
    }
    if (item.has("slowed") && item.has("by") && factor.slowed == factor.by)
      item.fail("by", "expected another resource than the slowed one, got " +
                          quote(getName(factor.by)) + " twice");
    factor.factor = item.getNumber("factor", Range::AtLeastOne);
    if (factor.factor > 1e6)
      item.fail("factor",
                "expected at most 1000000, got " + formatNumber(factor.factor));
    factor.origin = readOrigin(item, "origin");
    factors.push_back(std::move(factor));
  });
  return factors;
}

static Circuits readCircuits(ObjectReader &reader) {
  Circuits circuits;
  circuits.serverRanks = reader.getInteger("server_ranks", 1, kMaxRanks);
  circuits.opticalDegree = reader.getInteger("optical_degree", 1, 4096);
  circuits.epsNics = reader.getInteger("eps_nics", 0, 4096);
  circuits.nicRate = GBps(reader.getNumber("nic_rate_GBps", Range::Positive));
  auto getTime = [&](std::string_view key) {
    return Microseconds(reader.getNumber(key, Range::NotNegative));
  };
  circuits.reconfigurationBase = getTime("reconfiguration_base_us");
  circuits.reconfigurationPerPair = getTime("reconfiguration_per_pair_us");
  if (auto us = reader.findNumber("reconfiguration_p99_us", Range::NotNegative))
    circuits.reconfigurationP99 = Microseconds(*us);
  circuits.linkUp = getTime("link_up_us");
  circuits.ports = reader.findInteger("ports", 1, 1 << 20);
  circuits.origin = readOrigin(reader, "origin");
  return circuits;
}

/// The section `nccl`.
static NcclSettings readNccl(ObjectReader &reader) {
  // More than any device has; NCCL's clusters have 8 blocks at most
  // (NCCL_CGA_CLUSTER_SIZE).
  constexpr int64_t kMostCtas = 1024, kMostOfCluster = 8;
  NcclSettings nccl;
  nccl.minCtas = reader.findInteger("min_ctas", 1, kMostCtas);
  nccl.maxCtas = reader.findInteger("max_ctas", 1, kMostCtas);
  if (nccl.minCtas && nccl.maxCtas && *nccl.maxCtas < *nccl.minCtas)
    reader.fail("max_ctas", "expected at least min_ctas, " +
                                std::to_string(*nccl.minCtas) + ", got " +
                                std::to_string(*nccl.maxCtas));
  nccl.cgaClusterSize =
      reader.findInteger("cga_cluster_size", 1, kMostOfCluster);
  nccl.registerBuffers = reader.findFlag("register_buffers");
  nccl.origin = readOrigin(reader, "origin");
  return nccl;
}

/// The section `fitted`: each parameter says how it was fitted.
static FittedParameters readFitted(ObjectReader &reader,
                                   const std::vector<Level> &levels) {
  FittedParameters fitted;
  auto requireOrigin = [](ObjectReader &of, std::string_view key,
                          std::string_view origin) {
    if (of.has(key) && !of.has(origin))
      of.fail(origin, "expected a text that says how " + quote(key) +
                          " was fitted, got nothing");
  };
  if (auto us = reader.findNumber("pipeline_stall_us", Range::NotNegative))
    fitted.pipelineStall = {Microseconds(*us), ""};
  std::string origin = readOrigin(reader, "pipeline_stall_origin");
  requireOrigin(reader, "pipeline_stall_us", "pipeline_stall_origin");
  if (fitted.pipelineStall)
    fitted.pipelineStall->origin = origin;
  else if (reader.has("pipeline_stall_origin"))
    reader.fail("pipeline_stall_origin",
                "expected this only beside 'pipeline_stall_us'");

  fitted.contention = readContention(reader);
  for (size_t i = 0; i < fitted.contention.size(); ++i)
    if (fitted.contention[i].origin.empty())
      reader.fail("contention", "expected an 'origin' in every entry, got "
                                "none in entry " +
                                    std::to_string(i));

  reader.forEachObject("levels", [&](ObjectReader &item, size_t) {
    FittedParameters::LevelParameters level;
    level.level = item.getText("name");
    if (item.has("name") &&
        std::none_of(levels.begin(), levels.end(), [&](const Level &known) {
          return known.name == level.level;
        })) {
      std::string names;
      for (const Level &known : levels)
        names += (names.empty() ? "" : ", ") + known.name;
      item.fail("name", "expected the name of a level (" + names + "), got " +
                            quote(level.level));
    }
    auto latency = item.findNumber("latency_us", Range::NotNegative);
    std::string latencyOrigin = readOrigin(item, "latency_origin");
    auto curve = readCurve(item, "efficiency");
    std::string curveOrigin = readOrigin(item, "efficiency_origin");
    requireOrigin(item, "latency_us", "latency_origin");
    requireOrigin(item, "efficiency", "efficiency_origin");
    if (latency)
      level.latency = {Microseconds(*latency), latencyOrigin};
    if (curve)
      level.efficiency = {std::move(*curve), curveOrigin};
    fitted.levels.push_back(std::move(level));
  });
  return fitted;
}

Machine moe::platform::applyFitted(Machine machine,
                                   const FittedParameters &fitted) {
  if (fitted.pipelineStall)
    machine.pipelineStall = *fitted.pipelineStall;
  machine.contention.insert(machine.contention.end(), fitted.contention.begin(),
                            fitted.contention.end());
  for (const FittedParameters::LevelParameters &parameters : fitted.levels) {
    for (Level &level : machine.levels) {
      if (level.name != parameters.level)
        continue;
      if (parameters.latency) {
        level.latency = parameters.latency->value;
        level.latencyOrigin = parameters.latency->origin;
      }
      if (parameters.efficiency) {
        level.efficiency = parameters.efficiency->value;
        level.efficiencyOrigin = parameters.efficiency->origin;
      }
    }
  }
  return machine;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// A nested list of numbers, as the text of a topology.
static std::optional<std::string> printList(const JsonValue &value) {
  if (value.kind == Kind::Number)
    return formatNumber(value.number);
  if (value.kind != Kind::Array)
    return std::nullopt;
  std::string text;
  for (const JsonValue &item : value.items) {
    std::optional<std::string> inner = printList(item);
    if (!inner)
      return std::nullopt;
    text += (text.empty() ? "[" : ",") + *inner;
  }
  return (text.empty() ? "[" : text) + "]";
}

/// A nested list of switches, or a text as `dispatch::Topology` reads it.
static std::string readTopology(ObjectReader &reader, std::string_view key,
                                const JsonValue &value) {
  std::optional<std::string> text =
      value.kind == Kind::Array ? printList(value) : reader.findText(key);
  if (value.kind == Kind::Array)
    reader.findArray(key);
  if (!text) {
    reader.fail(key, "expected a nested list of numbers such as [[2,2],[2]]");
    return "";
  }
  cost::Result<dispatch::Topology> tree = dispatch::Topology::parse(*text);
  if (!tree) {
    // It begins with the key.
    std::string problem = tree.getError();
    reader.fail(key, problem.substr(problem.find(' ') + 1));
    return "";
  }
  return tree->print();
}

static void readPlatform(ObjectReader &reader, const JsonValue &root,
                         Platform &platform) {
  Machine &machine = platform.stated;
  machine.name = reader.getText("name");
  platform.origin = readOrigin(reader, "origin");
  reader.forEachObject("levels", [&](ObjectReader &item, size_t) {
    machine.levels.push_back(readLevel(item));
  });
  if (!reader.has("levels"))
    reader.fail("levels", "expected an array of levels, got nothing: the key "
                          "is missing");
  machine.copy = readCopy(reader);
  machine.gemm = readGemm(reader);
  auto readStated =
      [&](std::string_view key,
          std::string_view originKey) -> std::optional<Stated<Bytes>> {
    auto bytes = reader.findNumber(key, Range::NotNegative);
    std::string origin = readOrigin(reader, originKey);
    if (bytes)
      return Stated<Bytes>{Bytes(*bytes), origin};
    if (reader.has(originKey))
      reader.fail(originKey,
                  "expected this only beside '" + std::string(key) + "'");
    return std::nullopt;
  };
  if (auto bytes =
          readStated("minimum_message_bytes", "minimum_message_origin"))
    machine.minimumMessage = *bytes;
  machine.memoryPerRank = readStated("memory_per_rank_bytes", "memory_origin");
  auto uncertainty = reader.findNumber("uncertainty", Range::NotNegative);
  std::string uncertaintyOrigin = readOrigin(reader, "uncertainty_origin");
  if (uncertainty && *uncertainty >= 1)
    reader.fail("uncertainty", "expected a fraction below 1, got " +
                                   formatNumber(*uncertainty));
  if (uncertainty)
    machine.uncertainty = {*uncertainty, uncertaintyOrigin};
  else if (reader.has("uncertainty_origin"))
    reader.fail("uncertainty_origin",
                "expected this only beside 'uncertainty'");
  auto peak = reader.findNumber("peak_tflops", Range::Positive);
  std::string peakOrigin = readOrigin(reader, "peak_origin");
  if (peak)
    platform.peakTflops = Stated<double>{*peak, peakOrigin};
  else if (reader.has("peak_origin"))
    reader.fail("peak_origin", "expected this only beside 'peak_tflops'");
  machine.contention = readContention(reader);
  if (const JsonValue *object = reader.findObject("circuits")) {
    ObjectReader circuits(reader.getContext(), *object, "circuits");
    machine.circuits = readCircuits(circuits);
    circuits.finish();
  }
  if (const JsonValue *object = reader.findObject("nccl")) {
    ObjectReader nccl(reader.getContext(), *object, "nccl");
    platform.nccl = readNccl(nccl);
    nccl.finish();
  }
  platform.rates = readRates(reader);
  if (const JsonValue *value = root.find("topology"))
    platform.topology = readTopology(reader, "topology", *value);
  else
    reader.findText("topology");
  if (const JsonValue *object = reader.findObject("fitted")) {
    ObjectReader fitted(reader.getContext(), *object, "fitted");
    platform.fitted = readFitted(fitted, machine.levels);
    fitted.finish();
  }
  reader.finish();
}

std::optional<Stated<double>> Platform::getPeakTflops() const {
  if (peakTflops)
    return peakTflops;
  if (!machine.gemm)
    return std::nullopt;
  // Two operations a multiply-accumulate, microseconds to seconds.
  return Stated<double>{2e-6 / machine.gemm->beta.value(),
                        "what large GEMMs come close to, 2 / "
                        "gemm_beta_us_per_mac: no 'peak_tflops' is stated"};
}

/// Reports what is wrong with the levels together at the key that is.
static void checkLevelsOf(const JsonValue &root, const Machine &machine,
                          ReaderContext &context) {
  auto problem = checkLevels(machine.levels);
  if (!problem)
    return;
  const JsonValue *levels = root.find("levels");
  if (!problem->level) {
    context.fail(levels->place, "levels", problem->reason);
    return;
  }
  const JsonValue &level = levels->items[*problem->level];
  const JsonValue *value = level.find(problem->key);
  context.fail(value ? value->place : level.place,
               "levels[" + std::to_string(*problem->level) + "]." +
                   problem->key,
               problem->reason);
}

Result<Platform> moe::platform::parsePlatform(std::string_view text,
                                              const std::string &name,
                                              const LoadOptions &options) {
  Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  ReaderContext context{name, ""};
  Platform platform;
  platform.file = name;
  platform.hash = hashText(text);
  ObjectReader reader(context, *root, "");
  if (!context.hasFailed())
    readPlatform(reader, *root, platform);
  if (!context.hasFailed())
    checkLevelsOf(*root, platform.stated, context);
  if (context.hasFailed())
    return Failure{context.problem};
  platform.machine = options.ignoreFitted
                         ? platform.stated
                         : applyFitted(platform.stated, platform.fitted);
  return platform;
}

Result<Platform> moe::platform::loadPlatform(const std::string &path,
                                             const LoadOptions &options) {
  Result<std::string> text = readTextFile(path, "a platform's file");
  if (!text)
    return text.getFailure();
  return parsePlatform(*text, path, options);
}

std::string moe::platform::hashText(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 1099511628211u;
  char buffer[17];
  std::snprintf(buffer, sizeof(buffer), "%016llx", (unsigned long long)hash);
  return buffer;
}
