// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels of links from files.

#include "LoadParts.h"

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

using Kind = JsonValue::Kind;

std::string moe::platform::readOrigin(ObjectReader &reader,
                                      std::string_view key) {
  return reader.findText(key).value_or("");
}

std::optional<EfficiencyCurve> moe::platform::readCurve(ObjectReader &reader,
                                                        std::string_view key) {
  const std::vector<JsonValue> *items = reader.findArray(key);
  if (!items)
    return std::nullopt;
  if (items->empty()) {
    reader.fail(key, "expected at least one point [bytes, ratio], got none");
    return std::nullopt;
  }
  auto getPath = [&](size_t i) {
    return reader.getPath(key) + "[" + std::to_string(i) + "]";
  };
  std::vector<CurvePoint> points;
  for (size_t i = 0; i < items->size(); ++i) {
    const JsonValue &item = (*items)[i];
    if (item.kind != Kind::Array || item.items.size() != 2 ||
        item.items[0].kind != Kind::Number ||
        item.items[1].kind != Kind::Number) {
      reader.getContext().fail(
          item.place, getPath(i),
          "expected a point [bytes, ratio] of two numbers, got " +
              item.describe());
      return std::nullopt;
    }
    points.push_back({item.items[0].number, item.items[1].number});
  }
  if (auto problem = EfficiencyCurve::check(points)) {
    reader.getContext().fail((*items)[problem->first].place,
                             getPath(problem->first), problem->second);
    return std::nullopt;
  }
  return EfficiencyCurve(std::move(points));
}

/// A measured model of one collective. The slope is given a byte, or a
/// element together with the element's size: what was measured in elements is
/// written down as it was.
static CollectiveFit readFit(ObjectReader &reader) {
  CollectiveFit fit;
  fit.alpha = Microseconds(reader.getNumber("alpha_us", Range::NotNegative));
  auto perElement = reader.findNumber("beta_us_per_element", Range::Positive);
  auto elementBytes = reader.findNumber("element_bytes", Range::Positive);
  auto perByte = reader.findNumber("beta_us_per_byte", Range::Positive);
  if (perElement && perByte)
    reader.fail("beta_us_per_element",
                "expected a slope a byte or a element, got both");
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

  fit.groupRanks = reader.findInteger("group_ranks", 2, kMaxRanks);
  fit.ranksTogether =
      reader.findInteger("ranks_together", 1, fit.groupRanks.value_or(kMaxRanks));
  if (fit.ranksTogether && !fit.groupRanks)
    reader.fail("ranks_together", "expected this only beside 'group_ranks'");
  if (auto bytes = reader.findNumber("min_bytes", Range::NotNegative))
    fit.minBytes = Bytes(*bytes);
  if (auto bytes = reader.findNumber("max_bytes", Range::NotNegative))
    fit.maxBytes = Bytes(*bytes);
  if (fit.minBytes && fit.maxBytes && *fit.maxBytes < *fit.minBytes)
    reader.fail("max_bytes", "expected at least min_bytes, " +
                                 formatNumber(fit.minBytes->value()) +
                                 ", got " +
                                 formatNumber(fit.maxBytes->value()));
  fit.rSquared = reader.findNumber("r_squared", Range::UpToOne);
  fit.origin = readOrigin(reader, "origin");
  return fit;
}

/// By their ranks, then by how many of them lie together; all that fit last.
static bool comesBefore(const CollectiveFit &line, const CollectiveFit &next) {
  auto getKey = [](const CollectiveFit &of) {
    return std::pair(*of.groupRanks, of.ranksTogether.value_or(kMaxRanks));
  };
  return getKey(line) < getKey(next);
}

/// Lines of one collective on groups of several sizes.
static std::optional<CollectiveFit> readFits(ObjectReader &reader,
                                             std::string_view key) {
  std::vector<CollectiveFit> lines;
  reader.forEachObject(key, [&](ObjectReader &item, size_t) {
    CollectiveFit line = readFit(item);
    if (!line.groupRanks)
      item.fail("group_ranks", "expected the ranks of the group of each of "
                               "several lines, got nothing");
    else if (!lines.empty() && !comesBefore(lines.back(), line))
      item.fail("group_ranks", "expected more ranks than the line before, " +
                                   std::to_string(*lines.back().groupRanks) +
                                   ", or as many of which more lie together, "
                                   "got " +
                                   std::to_string(*line.groupRanks));
    else
      lines.push_back(std::move(line));
  });
  if (lines.empty()) {
    reader.fail(key, "expected a line, or several by group_ranks, got none");
    return std::nullopt;
  }
  CollectiveFit fit = lines.front();
  fit.others.assign(lines.begin() + 1, lines.end());
  return fit;
}

Level moe::platform::readLevel(ObjectReader &reader) {
  Level level;
  level.name = reader.getText("name");
  level.ranks = reader.getInteger("ranks", 1, kMaxRanks);
  level.bandwidth = GBps(reader.getNumber("bandwidth_GBps", Range::Positive));
  level.ranksPerNic = reader.getInteger("ranks_per_nic", 1, kMaxRanks);
  if (auto rate = reader.findNumber("port_GBps", Range::Positive))
    level.portRate = GBps(*rate);
  level.portOrigin = readOrigin(reader, "port_origin");
  if (reader.has("port_origin") && !reader.has("port_GBps"))
    reader.fail("port_origin", "expected this only beside 'port_GBps'");
  level.latency =
      Microseconds(reader.getNumber("latency_us", Range::NotNegative));
  level.origin = readOrigin(reader, "origin");
  level.latencyOrigin = readOrigin(reader, "latency_origin");
  if (auto curve = readCurve(reader, "efficiency"))
    level.efficiency = std::move(*curve);
  level.efficiencyOrigin = readOrigin(reader, "efficiency_origin");
  level.isCurveLatencyFree = reader.findFlag("efficiency_latency_free");
  for (std::string_view key : {"efficiency_origin", "efficiency_latency_free"})
    if (reader.has(key) && !reader.has("efficiency"))
      reader.fail(key, "expected this only beside 'efficiency'");

  if (const JsonValue *object = reader.findObject("collectives")) {
    ObjectReader fits(reader.getContext(), *object,
                      reader.getPath("collectives"));
    for (unsigned i = 0; i < kNumCollectiveKinds; ++i) {
      std::string_view key = getName(CollectiveKind(i));
      const JsonValue *found = object->find(key);
      if (found && found->kind == JsonValue::Kind::Array) {
        level.fits[i] = readFits(fits, key);
      } else if (const JsonValue *value = fits.findObject(key)) {
        ObjectReader fit(reader.getContext(), *value, fits.getPath(key));
        level.fits[i] = readFit(fit);
        fit.finish();
      }
    }
    fits.finish();
  }
  return level;
}
