// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces that routers write.

#include "moe/Cost/FormatNumber.h"
#include "moe/Support/ObjectReader.h"
#include "moe/Traffic/Trace.h"
#include <algorithm>
#include <map>

using namespace moe;
using namespace moe::traffic;
using namespace moe::support;
using cost::formatNumber;

/// Maximum number of counts in one layer, and in all layers of one step,
/// because a line of a few bytes can request a matrix of this size.
static constexpr int64_t kMostCounts = int64_t(1) << 24;
static constexpr int64_t kMostCountsOfAStep = int64_t(1) << 26;

namespace {

/// Reads line after line and stops at the first problem.
class LinesReader {
public:
  explicit LinesReader(const std::string &name) : context{name, ""} {}

  cost::Result<Trace> read(std::string_view text) {
    size_t number = 0;
    while (!text.empty() && !context.hasFailed()) {
      size_t end = std::min(text.find('\n'), text.size());
      readLine(text.substr(0, end), ++number);
      bool isWhole = end < text.size();
      text.remove_prefix(isWhole ? end + 1 : end);
    }
    if (!context.hasFailed() && !hasHeader)
      context.fail({1, 1}, "experts",
                   "expected a first line {\"experts\": E, \"ranks\": R, "
                   "\"top_k\": k}, got an empty file");
    if (!context.hasFailed())
      finishStep({number, 1});
    if (!context.hasFailed() && trace.steps.empty())
      context.fail({number, 1}, "step",
                   "expected lines of at least one step, "
                   "got none");
    if (context.hasFailed())
      return cost::Failure{context.problem};
    return trace;
  }

private:
  /// The lines of the layer's ranks so far.
  struct Open {
    LayerTraffic traffic;
    Place place;
    std::vector<bool> seen;
    int64_t numSeen = 0;
  };

  void readLine(std::string_view line, size_t number) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      return;
    JsonValue value;
    if (std::optional<JsonProblem> problem = parseJson(line, value)) {
      context.fail({number, problem->place.column}, "", problem->reason);
      return;
    }
    setLine(value, number);
    ObjectReader reader(context, value, "");
    if (context.hasFailed())
      return;
    if (hasHeader)
      readRank(reader, value);
    else
      readHeader(reader);
    reader.finish();
  }

  /// Makes places relative to the file instead of the line.
  static void setLine(JsonValue &value, size_t number) {
    value.place.line = number;
    for (JsonValue &item : value.items)
      setLine(item, number);
    for (JsonValue::Member &member : value.members) {
      member.keyPlace.line = number;
      setLine(member.value, number);
    }
  }

  void readHeader(ObjectReader &reader) {
    trace.numExperts = reader.getInteger("experts", 1, kMostCounts);
    trace.numRanks = reader.getInteger("ranks", 1, kMostCounts);
    trace.topK = reader.getInteger("top_k", 1, kMostCounts);
    if (!context.hasFailed() && *trace.topK > trace.numExperts)
      reader.fail("top_k", "expected at most the " +
                               std::to_string(trace.numExperts) +
                               " experts, got " + std::to_string(*trace.topK));
    if (!context.hasFailed() && trace.numExperts > kMostCounts / trace.numRanks)
      reader.fail("ranks", "expected at most 2^24 counts of a layer, got " +
                               std::to_string(trace.numRanks) + " ranks of " +
                               std::to_string(trace.numExperts) + " experts");
    hasHeader = true;
  }

  void readRank(ObjectReader &reader, const JsonValue &line) {
    int64_t step = reader.getInteger("step", 0, (int64_t(1) << 53) - 1);
    std::string layer = reader.getText("layer");
    int64_t rank = reader.getInteger("rank", 0, trace.numRanks - 1);
    const std::vector<JsonValue> *indices = reader.findArray("indices");
    if (!context.hasFailed() && !indices)
      reader.fail("indices", "expected the experts of each token, got nothing: "
                             "the key is missing");
    if (!context.hasFailed() && (!current || *current != step)) {
      if (current && step < *current)
        reader.fail("step", "expected at least the step before, " +
                                std::to_string(*current) + ", got " +
                                std::to_string(step));
      finishStep(line.place);
      current = step;
    }
    if (context.hasFailed())
      return;
    int64_t perLayer = trace.numRanks * trace.numExperts;
    if (!places.count(layer) &&
        static_cast<int64_t>(opened.size()) >= kMostCountsOfAStep / perLayer) {
      reader.fail("layer", "expected layers of at most 2^26 counts at a step, "
                           "got more with " +
                               quote(layer));
      return;
    }
    Open &open = getOpen(layer, line.place);
    if (open.seen[static_cast<size_t>(rank)]) {
      reader.fail("rank", "expected each rank of layer " + quote(layer) +
                              " at step " + std::to_string(step) +
                              " once, got " + std::to_string(rank) + " again");
      return;
    }
    open.seen[static_cast<size_t>(rank)] = true;
    ++open.numSeen;
    for (size_t t = 0; t < indices->size() && !context.hasFailed(); ++t)
      countToken((*indices)[t], t, rank, open.traffic);
  }

  Open &getOpen(const std::string &layer, Place place) {
    auto [it, isNew] = places.try_emplace(layer, opened.size());
    if (isNew) {
      Open &open = opened.emplace_back();
      open.traffic.layer = layer;
      open.place = place;
      open.traffic.counts =
          schedule::ExpertCounts::of(trace.numRanks, trace.numExperts);
      open.traffic.choices.resize(static_cast<size_t>(trace.numRanks));
      open.seen.resize(static_cast<size_t>(trace.numRanks));
    }
    return opened[it->second];
  }

  void countToken(const JsonValue &token, size_t number, int64_t rank,
                  LayerTraffic &traffic) {
    std::string path = "indices[" + std::to_string(number) + "]";
    auto topK = static_cast<size_t>(*trace.topK);
    if (token.kind != JsonValue::Kind::Array || token.items.size() != topK) {
      context.fail(token.place, path,
                   "expected an array of " + std::to_string(topK) +
                       " experts, got " +
                       (token.kind == JsonValue::Kind::Array
                            ? "one of " + std::to_string(token.items.size())
                            : token.describe()));
      return;
    }
    for (size_t j = 0; j < topK; ++j) {
      const JsonValue &item = token.items[j];
      std::string place = path + "[" + std::to_string(j) + "]";
      if (item.kind != JsonValue::Kind::Number || !item.isInteger ||
          item.number < 0 || item.number >= double(trace.numExperts)) {
        context.fail(item.place, place,
                     "expected an expert in [0, " +
                         std::to_string(trace.numExperts) + "), got " +
                         item.describe());
        return;
      }
      for (size_t other = 0; other < j; ++other)
        if (token.items[other].number == item.number) {
          context.fail(item.place, place,
                       "expected different experts of a token, got " +
                           formatNumber(item.number) + " twice");
          return;
        }
      ++traffic.counts.at(rank, static_cast<int64_t>(item.number));
      traffic.choices[static_cast<size_t>(rank)].push_back(
          static_cast<int32_t>(item.number));
    }
  }

  /// Completes the current step if all ranks were read.
  void finishStep(Place place) {
    if (!current || context.hasFailed())
      return;
    StepTraffic step;
    step.step = *current;
    for (Open &open : opened) {
      if (open.numSeen < trace.numRanks) {
        size_t missing = 0;
        while (open.seen[missing])
          ++missing;
        context.fail(place, "rank",
                     "expected all " + std::to_string(trace.numRanks) +
                         " ranks of layer " + quote(open.traffic.layer) +
                         " at step " + std::to_string(*current) +
                         " before here, got none of rank " +
                         std::to_string(missing));
        return;
      }
      if (std::all_of(open.traffic.choices.begin(), open.traffic.choices.end(),
                      [](const auto &choices) { return choices.empty(); })) {
        context.fail(open.place, "indices",
                     "expected a token on one of the ranks of layer " +
                         quote(open.traffic.layer) + " at step " +
                         std::to_string(*current) + ", got none on any");
        return;
      }
      step.layers.push_back(std::move(open.traffic));
    }
    trace.steps.push_back(std::move(step));
    opened.clear();
    places.clear();
  }

  ReaderContext context;
  Trace trace;
  bool hasHeader = false;
  /// The step that is being read, and its layers.
  std::optional<int64_t> current;
  std::vector<Open> opened;
  std::map<std::string, size_t> places;
};

} // namespace

cost::Result<Trace> moe::traffic::parseTraceLines(std::string_view text,
                                                  const std::string &name) {
  return LinesReader(name).read(text);
}
