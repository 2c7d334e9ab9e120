// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys of a platform's file, for reading and writing.

#include "PlatformKeys.h"
#include "KeyVisitors.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Dispatch/Topology.h"

#include <algorithm>

using namespace moe;
using namespace moe::cost;
using namespace moe::support;

using Kind = JsonValue::Kind;

namespace moe::platform {

void KeyWriter::curve(std::string_view name, const EfficiencyCurve &curve) {
  if (curve.isEmpty())
    return;
  key(name);
  open('[');
  for (const CurvePoint &point : curve.getPoints()) {
    item();
    literal("[" + formatNumber(point.bytes) + ", " + formatNumber(point.ratio) +
            "]");
  }
  close(']');
}

/// Reads a curve as [[bytes, ratio], ...].
void KeyReader::curve(std::string_view key, EfficiencyCurve &curve) {
  const std::vector<JsonValue> *items = object.findArray(key);
  if (!items)
    return;
  if (items->empty()) {
    object.fail(key, "expected at least one point [bytes, ratio], got none");
    return;
  }
  auto getPath = [&](size_t i) {
    return object.getPath(key) + "[" + std::to_string(i) + "]";
  };
  std::vector<CurvePoint> points;
  for (size_t i = 0; i < items->size(); ++i) {
    const JsonValue &item = (*items)[i];
    if (item.kind != Kind::Array || item.items.size() != 2 ||
        item.items[0].kind != Kind::Number ||
        item.items[1].kind != Kind::Number) {
      object.getContext().fail(
          item.place, getPath(i),
          "expected a point [bytes, ratio] of two numbers, got " +
              item.describe());
      return;
    }
    points.push_back({item.items[0].number, item.items[1].number});
  }
  if (auto problem = EfficiencyCurve::check(points))
    object.getContext().fail((*items)[problem->first].place,
                             getPath(problem->first), problem->second);
  else
    curve = EfficiencyCurve(std::move(points));
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// Reads the slope per byte, or per element together with the element's size,
/// because a file may state a line in the elements in which it was measured.
static void readSlope(ObjectReader &reader, CollectiveFit &fit) {
  auto perElement = reader.findNumber("beta_us_per_element", Range::Positive);
  auto elementBytes = reader.findNumber("element_bytes", Range::Positive);
  auto perByte = reader.findNumber("beta_us_per_byte", Range::Positive);
  if (perElement && perByte)
    reader.fail("beta_us_per_element",
                "expected a slope per byte or per element, got both");
  else if (perElement && !elementBytes)
    reader.fail("element_bytes", "expected the bytes of an element beside "
                                 "'beta_us_per_element', got nothing");
  else if (elementBytes && !perElement)
    reader.fail("element_bytes",
                "expected this only beside 'beta_us_per_element'");
  else if (!perElement && !perByte)
    reader.fail("beta_us_per_byte",
                "expected a number > 0, got nothing: the key is missing");
  if (perElement && elementBytes)
    fit.beta =
        MicrosecondsPerElement(*perElement) / BytesPerElement(*elementBytes);
  else if (perByte)
    fit.beta = MicrosecondsPerByte(*perByte);
}

/// A measured model of one collective.
template <typename IO> static void visitKeys(IO &io, CollectiveFit &fit) {
  io.number("alpha_us", fit.alpha, Range::NotNegative);
  if constexpr (IO::kReads)
    readSlope(io.getObject(), fit);
  else
    io.number("beta_us_per_byte", fit.beta, Range::Positive);
  io.optional("group_ranks", fit.groupRanks, 2, kMaxRanks);
  io.optional("ranks_together", fit.ranksTogether, 1,
              fit.groupRanks.value_or(kMaxRanks));
  io.only("ranks_together", "group_ranks");
  io.optional("min_bytes", fit.minBytes, Range::NotNegative);
  io.optional("max_bytes", fit.maxBytes, Range::NotNegative);
  io.check([&](ObjectReader &reader) {
    if (fit.minBytes && fit.maxBytes && *fit.maxBytes < *fit.minBytes)
      reader.fail("max_bytes", "expected at least min_bytes, " +
                                   formatNumber(fit.minBytes->value()) +
                                   ", got " +
                                   formatNumber(fit.maxBytes->value()));
  });
  io.optional("r_squared", fit.rSquared, Range::UpToOne);
  io.origin("origin", fit.origin);
}

/// Orders lines by their ranks, then by the number of ranks in an instance of
/// the previous level; lines without this number come last.
static bool comesBefore(const CollectiveFit &line, const CollectiveFit &next) {
  auto getKey = [](const CollectiveFit &of) {
    return std::pair(*of.groupRanks, of.ranksTogether.value_or(kMaxRanks));
  };
  return getKey(line) < getKey(next);
}

static void checkLine(ObjectReader &item, const CollectiveFit &line,
                      const CollectiveFit *before) {
  if (!line.groupRanks)
    item.fail("group_ranks", "expected the ranks of the group of each of "
                             "several lines, got nothing");
  else if (before && before->groupRanks && !comesBefore(*before, line))
    item.fail("group_ranks",
              "expected more ranks than the line before, " +
                  std::to_string(*before->groupRanks) +
                  ", or as many of which more lie together, got " +
                  std::to_string(*line.groupRanks));
}

/// Visits an object for one line, or an array for lines of several groups.
template <typename IO>
static void visitFit(IO &io, std::string_view key,
                     std::optional<CollectiveFit> &fit, bool isList) {
  if (!isList) {
    io.record(key, fit);
    return;
  }
  std::vector<CollectiveFit> lines;
  if (fit) {
    lines.push_back(*fit);
    lines.insert(lines.end(), fit->others.begin(), fit->others.end());
  }
  io.list(key, lines,
          [&](ObjectReader &item, const CollectiveFit &line, size_t at) {
            checkLine(item, line, at ? &lines[at - 1] : nullptr);
          });
  io.check([&](ObjectReader &reader) {
    if (lines.empty())
      reader.fail(key, "expected a line, or several by group_ranks, got none");
  });
  if (lines.empty())
    return;
  fit = lines.front();
  fit->others.assign(lines.begin() + 1, lines.end());
}

namespace {
/// The section `collectives` of a level.
struct Lines {
  decltype(Level::fits) fits;
};
} // namespace

template <typename IO> static void visitKeys(IO &io, Lines &lines) {
  for (unsigned i = 0; i < kNumCollectiveKinds; ++i) {
    std::string_view key = getName(CollectiveKind(i));
    std::optional<CollectiveFit> &fit = lines.fits[i];
    bool isList = fit && !fit->others.empty();
    io.check([&](ObjectReader &reader) { isList = reader.isArray(key); });
    visitFit(io, key, fit, isList);
  }
}

/// Visits a protocol; `checkLevels` checks the ranges.
template <typename IO> static void visitKeys(IO &io, StepProtocol &protocol) {
  std::string algorithm(getName(protocol.algorithm));
  io.text("algorithm", algorithm);
  std::optional<StepAlgorithm> parsed = parseStepAlgorithm(algorithm);
  io.check([&](ObjectReader &reader) {
    if (!parsed && reader.has("algorithm"))
      reader.fail("algorithm",
                  "expected ring, tree or nvls-tree, got " + quote(algorithm));
  });
  protocol.algorithm = parsed.value_or(protocol.algorithm);
  io.text("name", protocol.name);
  io.number("start_us", protocol.start, Range::NotNegative);
  io.number("inner_step_us", protocol.innerStep, Range::NotNegative);
  io.number("step_us", protocol.step, Range::NotNegative);
  std::optional<double> share;
  if (protocol.share != 1)
    share = protocol.share;
  io.optional("bandwidth_share", share, Range::Positive);
  if (share)
    checkShare(io, "bandwidth_share", *share);
  protocol.share = share.value_or(1);
  io.optional("max_GBps", protocol.mostRate, Range::Positive);
  io.curve("efficiency", protocol.efficiency);
}

template <typename IO> static void visitKeys(IO &io, Level &level) {
  io.text("name", level.name);
  io.integer("ranks", level.ranks, 1, kMaxRanks);
  io.number("bandwidth_GBps", level.bandwidth, Range::Positive);
  io.integer("ranks_per_nic", level.ranksPerNic, 1, kMaxRanks);
  io.origin("origin", level.origin);
  io.optional("port_GBps", level.portRate, Range::Positive);
  io.origin("port_origin", level.portOrigin);
  io.only("port_origin", "port_GBps");
  io.number("latency_us", level.latency, Range::NotNegative);
  io.origin("latency_origin", level.latencyOrigin);
  io.curve("efficiency", level.efficiency);
  io.origin("efficiency_origin", level.efficiencyOrigin);
  io.flag("efficiency_latency_free", level.isCurveLatencyFree);
  io.only("efficiency_origin", "efficiency");
  io.only("efficiency_latency_free", "efficiency");
  std::optional<Lines> lines;
  if (std::any_of(level.fits.begin(), level.fits.end(),
                  [](const auto &fit) { return fit.has_value(); }))
    lines.emplace(Lines{level.fits});
  io.record("collectives", lines);
  if (lines)
    level.fits = std::move(lines->fits);
  io.list("protocols", level.protocols, kAnyItem);
  io.origin("protocols_origin", level.protocolsOrigin);
  io.only("protocols_origin", "protocols");
}

//===----------------------------------------------------------------------===//
// Parts of a machine
//===----------------------------------------------------------------------===//

template <typename IO>
static void visitCopy(IO &io, std::optional<CopyEngine> &engine) {
  CopyEngine copy = engine.value_or(CopyEngine());
  std::optional<GBps> rate;
  if (engine)
    rate = copy.bandwidth;
  io.optional("copy_bandwidth_GBps", rate, Range::Positive);
  io.origin("copy_origin", copy.origin);
  io.orZero("copy_latency_us", copy.latency, Range::NotNegative);
  io.curve("copy_efficiency", copy.efficiency);
  io.origin("copy_efficiency_origin", copy.efficiencyOrigin);
  for (std::string_view key : {"copy_origin", "copy_latency_us",
                               "copy_efficiency", "copy_efficiency_origin"})
    io.only(key, "copy_bandwidth_GBps");
  if (!rate)
    return;
  copy.bandwidth = *rate;
  engine = std::move(copy);
}

template <typename IO>
static void visitGemm(IO &io, std::optional<GemmCost> &gemm) {
  std::optional<Microseconds> alpha;
  std::optional<MicrosecondsPerMac> beta;
  std::string origin;
  if (gemm)
    alpha = gemm->alpha, beta = gemm->beta, origin = gemm->origin;
  io.optional("gemm_alpha_us", alpha, Range::NotNegative);
  io.optional("gemm_beta_us_per_mac", beta, Range::Positive);
  io.origin("gemm_origin", origin);
  if (alpha && beta)
    gemm = GemmCost{*alpha, *beta, origin};
  io.check([&](ObjectReader &reader) {
    if (!(alpha && beta) && (alpha || beta || !origin.empty()))
      reader.fail(alpha ? "gemm_beta_us_per_mac" : "gemm_alpha_us",
                  "expected both 'gemm_alpha_us' and 'gemm_beta_us_per_mac', "
                  "or neither, got nothing");
  });
}

template <typename IO>
static void visitResource(IO &io, std::string_view key, Resource &resource) {
  std::string name(getName(resource));
  io.text(key, name);
  std::optional<Resource> parsed = parseResource(name);
  io.check([&](ObjectReader &reader) {
    if (!parsed && reader.has(key))
      reader.fail(key, "expected inter, intra, copy, or compute, got " +
                           quote(name));
  });
  resource = parsed.value_or(resource);
}

template <typename IO> static void visitKeys(IO &io, ContentionFactor &factor) {
  visitResource(io, "slowed", factor.slowed);
  visitResource(io, "by", factor.by);
  io.number("factor", factor.factor, Range::AtLeastOne);
  io.origin("origin", factor.origin);
  io.check([&](ObjectReader &reader) {
    if (reader.has("slowed") && reader.has("by") && factor.slowed == factor.by)
      reader.fail("by", "expected another resource than the slowed one, got " +
                            quote(getName(factor.by)) + " twice");
    if (factor.factor > 1e6)
      reader.fail("factor", "expected at most 1000000, got " +
                                formatNumber(factor.factor));
  });
}

template <typename IO> static void visitKeys(IO &io, Circuits &circuits) {
  io.integer("server_ranks", circuits.serverRanks, 1, kMaxRanks);
  io.integer("optical_degree", circuits.opticalDegree, 1, 4096);
  io.integer("eps_nics", circuits.epsNics, 0, 4096);
  io.number("nic_rate_GBps", circuits.nicRate, Range::Positive);
  io.number("reconfiguration_base_us", circuits.reconfigurationBase,
            Range::NotNegative);
  io.number("reconfiguration_per_pair_us", circuits.reconfigurationPerPair,
            Range::NotNegative);
  io.optional("reconfiguration_p99_us", circuits.reconfigurationP99,
              Range::NotNegative);
  io.number("link_up_us", circuits.linkUp, Range::NotNegative);
  io.optional("ports", circuits.ports, 1, 1 << 20);
  io.origin("origin", circuits.origin);
}

template <typename IO> static void visitKeys(IO &io, NcclSettings &nccl) {
  // More than any device has; NCCL's clusters have 8 blocks at most
  // (NCCL_CGA_CLUSTER_SIZE).
  constexpr int64_t kMostCtas = 1024, kMostOfCluster = 8;
  io.optional("min_ctas", nccl.minCtas, 1, kMostCtas);
  io.optional("max_ctas", nccl.maxCtas, 1, kMostCtas);
  io.check([&](ObjectReader &reader) {
    if (nccl.minCtas && nccl.maxCtas && *nccl.maxCtas < *nccl.minCtas)
      reader.fail("max_ctas", "expected at least min_ctas, " +
                                  std::to_string(*nccl.minCtas) + ", got " +
                                  std::to_string(*nccl.maxCtas));
  });
  io.optional("cga_cluster_size", nccl.cgaClusterSize, 1, kMostOfCluster);
  io.flag("register_buffers", nccl.registerBuffers);
  io.origin("origin", nccl.origin);
}

//===----------------------------------------------------------------------===//
// Fitted parameters
//===----------------------------------------------------------------------===//

/// Requires that a fitted parameter has an origin.
template <typename IO>
static void requireOrigin(IO &io, std::string_view key,
                          std::string_view originKey) {
  io.check([&](ObjectReader &reader) {
    if (reader.has(key) && !reader.has(originKey))
      reader.fail(originKey, "expected a text that says how " + quote(key) +
                                 " was fitted, got nothing");
  });
}

template <typename IO>
static void visitKeys(IO &io, FittedParameters::LevelParameters &level) {
  io.text("name", level.level);
  visitStated(io, "latency_us", "latency_origin", level.latency,
              Range::NotNegative);
  requireOrigin(io, "latency_us", "latency_origin");
  Stated<EfficiencyCurve> curve;
  if (level.efficiency)
    curve = *level.efficiency;
  io.curve("efficiency", curve.value);
  io.origin("efficiency_origin", curve.origin);
  io.only("efficiency_origin", "efficiency");
  requireOrigin(io, "efficiency", "efficiency_origin");
  if (!curve.value.isEmpty())
    level.efficiency = std::move(curve);
}

template <typename IO> static void visitKeys(IO &io, FittedParameters &fitted) {
  visitStated(io, "pipeline_stall_us", "pipeline_stall_origin",
              fitted.pipelineStall, Range::NotNegative);
  requireOrigin(io, "pipeline_stall_us", "pipeline_stall_origin");
  io.list("contention", fitted.contention, kAnyItem);
  io.check([&](ObjectReader &reader) {
    for (size_t i = 0; i < fitted.contention.size(); ++i)
      if (fitted.contention[i].origin.empty())
        reader.fail("contention", "expected an 'origin' in every entry, got "
                                  "none in entry " +
                                      std::to_string(i));
  });
  io.list("levels", fitted.levels, kAnyItem);
}

/// Rejects fitted parameters of levels that the machine lacks.
static void checkFittedLevels(ReaderContext &context, const JsonValue &fitted,
                              const Platform &platform) {
  const std::vector<Level> &levels = platform.stated.levels;
  const JsonValue *items = fitted.find("levels");
  for (size_t i = 0; i < platform.fitted.levels.size(); ++i) {
    const std::string &name = platform.fitted.levels[i].level;
    if (std::any_of(levels.begin(), levels.end(),
                    [&](const Level &level) { return level.name == name; }))
      continue;
    std::string names;
    for (const Level &level : levels)
      names += (names.empty() ? "" : ", ") + level.name;
    if (const JsonValue *value = items->items[i].find("name"))
      context.fail(
          value->place, "fitted.levels[" + std::to_string(i) + "].name",
          "expected the name of a level (" + names + "), got " + quote(name));
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Prints a nested list of numbers as the text of a topology.
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

/// Reads a nested list of switches, or a text for `dispatch::Topology`.
static void visitTopology(KeyReader &io, std::string &topology) {
  constexpr std::string_view key = "topology";
  ObjectReader &reader = io.getObject();
  std::optional<std::string> text;
  bool isThere = reader.has(key);
  if (reader.isArray(key)) {
    JsonValue list;
    list.kind = Kind::Array;
    list.items = *reader.findArray(key);
    text = printList(list);
  } else {
    text = reader.findText(key);
  }
  if (!isThere)
    return;
  if (!text) {
    reader.fail(key, "expected a nested list of numbers such as [[2,2],[2]]");
    return;
  }
  Result<dispatch::Topology> tree = dispatch::Topology::parse(*text);
  if (tree) {
    topology = tree->print();
    return;
  }
  // It begins with the key.
  std::string problem = tree.getError();
  reader.fail(key, problem.substr(problem.find(' ') + 1));
}

static void visitTopology(KeyWriter &io, const std::string &topology) {
  if (!topology.starts_with("[")) {
    io.origin("topology", topology);
    return;
  }
  io.key("topology");
  io.literal(topology);
}

template <typename IO> static void visitKeys(IO &io, Platform &platform) {
  Machine &machine = platform.stated;
  io.text("name", machine.name);
  io.origin("origin", platform.origin);
  io.list("levels", machine.levels, kAnyItem);
  io.check([&](ObjectReader &reader) {
    if (!reader.has("levels"))
      reader.fail("levels", "expected an array of levels, got nothing: the "
                            "key is missing");
  });
  visitCopy(io, machine.copy);
  visitGemm(io, machine.gemm);
  visitStated(io, "minimum_message_bytes", "minimum_message_origin",
              machine.minimumMessage, Range::NotNegative);
  visitStated(io, "memory_per_rank_bytes", "memory_origin",
              machine.memoryPerRank, Range::NotNegative);
  visitStated(io, "uncertainty", "uncertainty_origin", machine.uncertainty,
              Range::NotNegative);
  io.check([&](ObjectReader &reader) {
    if (machine.uncertainty.value >= 1)
      reader.fail("uncertainty", "expected a fraction below 1, got " +
                                     formatNumber(machine.uncertainty.value));
  });
  visitStated(io, "peak_tflops", "peak_origin", platform.peakTflops,
              Range::Positive);
  io.list("contention", machine.contention, kAnyItem);
  io.record("circuits", machine.circuits);
  std::optional<NcclSettings> nccl;
  if (!platform.nccl.isEmpty())
    nccl = platform.nccl;
  io.record("nccl", nccl);
  platform.nccl = nccl.value_or(NcclSettings());
  visitRates(io, platform.rates);
  visitTopology(io, platform.topology);
  std::optional<FittedParameters> fitted;
  if (!platform.fitted.isEmpty())
    fitted = platform.fitted;
  io.record("fitted", fitted);
  platform.fitted = fitted.value_or(FittedParameters());
}

void readKeys(ObjectReader &reader, Platform &platform) {
  KeyReader io(reader);
  visitKeys(io, platform);
  if (const JsonValue *fitted = reader.findObject("fitted"))
    checkFittedLevels(reader.getContext(), *fitted, platform);
}

std::string formatPlatform(const Platform &platform) {
  KeyWriter io;
  Platform copy = platform;
  io.object(copy);
  return io.take();
}

} // namespace moe::platform
