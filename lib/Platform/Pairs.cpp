// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured links between pairs of ranks.

#include "moe/Platform/Pairs.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/ObjectReader.h"
#include "moe/Support/TextFile.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace moe;
using namespace moe::platform;
using namespace moe::support;
using dispatch::Link;
using dispatch::Links;
using dispatch::Topology;

static constexpr std::string_view kAlpha = "alpha_us",
                                  kBeta = "beta_us_per_byte";

/// Reads one matrix. Its values must be positive unless `mayBeZero` is set.
static void readMatrix(ObjectReader &reader, std::string_view key, Links &links,
                       double Link::*member, bool mayBeZero) {
  ReaderContext &context = reader.getContext();
  const std::vector<JsonValue> *rows =
      context.hasFailed() ? nullptr : reader.findArray(key);
  auto size = static_cast<size_t>(links.getNumDevices());
  std::string expected = "expected " + std::to_string(size) +
                         " rows of as many numbers " +
                         (mayBeZero ? ">= 0" : "> 0") + ", got ";
  if (!context.hasFailed() && !rows)
    reader.fail(key, expected + "nothing: the key is missing");
  if (!context.hasFailed() && rows->size() != size)
    reader.fail(key, expected + std::to_string(rows->size()) + " rows");
  for (size_t i = 0; i < size && !context.hasFailed(); ++i) {
    const JsonValue &row = (*rows)[i];
    std::string path = reader.getPath(key) + "[" + std::to_string(i) + "]";
    if (row.kind != JsonValue::Kind::Array || row.items.size() != size) {
      context.fail(row.place, path,
                   expected + (row.kind == JsonValue::Kind::Array
                                   ? std::to_string(row.items.size()) + " in it"
                                   : row.describe()));
      return;
    }
    for (size_t j = 0; j < size && !context.hasFailed(); ++j) {
      const JsonValue &item = row.items[j];
      if (item.kind != JsonValue::Kind::Number || !(item.number >= 0) ||
          !std::isfinite(item.number) || (item.number == 0 && !mayBeZero))
        context.fail(item.place, path + "[" + std::to_string(j) + "]",
                     expected + item.describe());
      links.at(int64_t(i), int64_t(j)).*member = item.number;
    }
  }
}

cost::Result<MeasuredPairs> moe::platform::loadPairs(const std::string &path) {
  cost::Result<std::string> text = readTextFile(path, "a file of pairs");
  if (!text)
    return text.getFailure();
  cost::Result<JsonValue> root = parseJson(*text, path);
  if (!root)
    return root.getFailure();
  ReaderContext context{path, ""};
  ObjectReader reader(context, *root, "");
  std::string origin, tree;
  if (!context.hasFailed())
    origin = reader.getText("origin");
  if (!context.hasFailed())
    tree = reader.getText("topology");
  if (context.hasFailed())
    return cost::Failure{context.problem};
  cost::Result<Topology> topology = Topology::parse(tree);
  if (!topology) {
    reader.fail("topology", topology.getError());
    return cost::Failure{context.problem};
  }
  MeasuredPairs pairs{origin, *topology, Links(topology->getNumDevices())};
  readMatrix(reader, kAlpha, pairs.links, &Link::alphaUs, /*mayBeZero=*/true);
  readMatrix(reader, kBeta, pairs.links, &Link::betaUsPerByte,
             /*mayBeZero=*/false);
  reader.finish();
  if (context.hasFailed())
    return cost::Failure{context.problem};
  return pairs;
}

std::string moe::platform::printPairs(const MeasuredPairs &pairs) {
  std::string text = "{\"origin\": " + quote(pairs.origin) +
                     ",\n \"topology\": " + quote(pairs.topology.print());
  for (auto [key, member] : {std::pair(kAlpha, &Link::alphaUs),
                             std::pair(kBeta, &Link::betaUsPerByte)}) {
    text += ",\n \"" + std::string(key) + "\": [";
    for (int64_t i = 0; i < pairs.links.getNumDevices(); ++i) {
      text += i ? ",\n  [" : "\n  [";
      for (int64_t j = 0; j < pairs.links.getNumDevices(); ++j)
        text += (j ? ", " : "") + formatNumber(pairs.links.at(i, j).*member);
      text += "]";
    }
    text += "]";
  }
  return text + "}\n";
}

cost::Result<LinkFit> moe::platform::fitLink(std::span<const Sample> samples) {
  if (samples.size() < 3)
    return cost::Failure{"expected messages of at least 3 lengths, got " +
                         std::to_string(samples.size())};
  // The time per byte between a message and the next longer one.
  auto getSlope = [&](size_t i) {
    return (samples[i + 1].time - samples[i].time).value() /
           (samples[i + 1].size - samples[i].size).value();
  };
  size_t last = samples.size() - 2;
  double beta = getSlope(last);
  if (!(beta > 0) || !std::isfinite(beta))
    return cost::Failure{
        "expected messages of " + formatNumber(samples.back().size.value()) +
        " bytes to take longer than those of " +
        formatNumber(samples[last].size.value()) + ", got " +
        formatNumber(samples.back().time.value()) + " us after " +
        formatNumber(samples[last].time.value())};
  double first = std::clamp(getSlope(0), 0.0, beta);
  double alpha = samples[0].time.value() - first * samples[0].size.value();
  constexpr double kMostChange = 0.15;
  return LinkFit{{std::max(alpha, 0.0), beta},
                 std::abs(getSlope(last - 1) / beta - 1) <= kMostChange};
}

std::vector<std::pair<int64_t, Link>>
moe::platform::getLevelLinks(const MeasuredPairs &pairs) {
  Links smooth = pairs.links.smooth(pairs.topology);
  std::map<int64_t, Link> levels;
  for (int64_t i = 0; i < smooth.getNumDevices(); ++i)
    for (int64_t j = 0; j <= i; ++j)
      levels[pairs.topology.getLevel(i, j)] = smooth.at(i, j);
  return {levels.begin(), levels.end()};
}
