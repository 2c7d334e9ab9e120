// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routing traces: the experts of tokens per step and layer.

#include "moe/Traffic/Trace.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/ObjectReader.h"
#include "moe/Support/TextFile.h"
#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::traffic;
using namespace moe::support;
using cost::formatNumber;
using schedule::ExpertCounts;

ExpertCounts Trace::getTotal() const {
  auto total = ExpertCounts::of(numRanks, numExperts);
  for (const StepTraffic &step : steps)
    for (const LayerTraffic &layer : step.layers)
      add(total, layer.counts);
  return total;
}

//===----------------------------------------------------------------------===//
// Matrices of counts
//===----------------------------------------------------------------------===//

static void readRow(ReaderContext &context, const JsonValue &row,
                    const std::string &path, bool isOfAStep,
                    std::vector<double> &tokens) {
  double most = double(isOfAStep ? kMostRows : kMostOfRun), sum = 0;
  std::string limit = isOfAStep ? std::to_string(kMostRows) : "2^40 - 1";
  for (size_t i = 0; i < row.items.size() && !context.hasFailed(); ++i) {
    // Scripts that compute a count may write it as 1024.0.
    const JsonValue &item = row.items[i];
    if (item.kind != JsonValue::Kind::Number || item.number < 0 ||
        item.number != std::floor(item.number) || item.number > most)
      context.fail(item.place, path + "[" + std::to_string(i) + "]",
                   "expected a whole number in [0, " + limit + "], got " +
                       item.describe());
    sum += item.number;
    tokens.push_back(item.number);
  }
  if (sum > most)
    context.fail(row.place, path,
                 "expected numbers that add up to at most " + limit + ", got " +
                     formatNumber(sum));
}

static constexpr std::string_view kToRanks = "rank_counts";

/// Returns "rank_counts" if the object has that key, otherwise "counts".
static std::string_view getCountsKey(ObjectReader &reader) {
  return reader.has(kToRanks) ? kToRanks : "counts";
}

/// Reads "counts" or "rank_counts". `expected` is the shape of the previous
/// counts, or empty.
static ExpertCounts readCounts(ObjectReader &reader, bool isOfAStep,
                               const ExpertCounts *expected) {
  ReaderContext &context = reader.getContext();
  std::string_view key = getCountsKey(reader);
  size_t numExperts = 0;
  std::vector<double> tokens;
  if (key == kToRanks && reader.has("counts"))
    reader.fail("counts", "expected none beside \"rank_counts\"");
  const std::vector<JsonValue> *items =
      context.hasFailed() ? nullptr : reader.findArray(key);
  if (!context.hasFailed() && (!items || items->empty()))
    reader.fail(key,
                std::string("expected an array of tokens per expert, or of one "
                            "such array a source, got ") +
                    (items ? "an empty array" : "nothing: the key is missing"));
  if (context.hasFailed())
    return {};
  std::string name = reader.getPath(key);
  if (items->front().kind != JsonValue::Kind::Array) {
    JsonValue row;
    row.place = items->front().place;
    row.items = *items;
    numExperts = items->size();
    readRow(context, row, name, isOfAStep, tokens);
  } else {
    numExperts = items->front().items.size();
    for (size_t i = 0; i < items->size() && !context.hasFailed(); ++i) {
      const JsonValue &row = (*items)[i];
      std::string path = name + "[" + std::to_string(i) + "]";
      if (row.kind != JsonValue::Kind::Array || row.items.empty() ||
          row.items.size() != numExperts)
        context.fail(
            row.place, path,
            "expected an array of " +
                (numExperts ? std::to_string(numExperts) + " numbers"
                            : std::string("at least one number")) +
                " like the first, got " +
                (row.kind == JsonValue::Kind::Array
                     ? "an array of " + std::to_string(row.items.size())
                     : row.describe()));
      readRow(context, row, path, isOfAStep, tokens);
    }
  }
  if (context.hasFailed())
    return {};
  auto counts = ExpertCounts::fromValues(static_cast<int64_t>(numExperts),
                                         std::move(tokens));
  if (key == kToRanks && counts.getNumRows() != counts.getNumColumns())
    reader.fail(key, "expected as many rows as columns, a row a rank and in it "
                     "what goes to each rank, got " +
                         std::to_string(counts.getNumRows()) + " rows of " +
                         std::to_string(counts.getNumColumns()));
  std::span<const double> all = counts.getValues();
  if (std::all_of(all.begin(), all.end(),
                  [](double each) { return each == 0; }))
    reader.fail(key, "expected counts of which one is above 0, got zeros only");
  if (expected && (counts.getNumRows() != expected->getNumRows() ||
                   counts.getNumColumns() != expected->getNumColumns()))
    reader.fail(key, "expected " + std::to_string(expected->getNumRows()) +
                         " rows of " +
                         std::to_string(expected->getNumColumns()) +
                         " experts, as before, got " +
                         std::to_string(counts.getNumRows()) + " of " +
                         std::to_string(counts.getNumColumns()));
  return counts;
}

//===----------------------------------------------------------------------===//
// One JSON object
//===----------------------------------------------------------------------===//

static constexpr int64_t kMostStep = (int64_t(1) << 53) - 1;

namespace {
/// Reads the form with steps.
class StepsReader {
public:
  StepsReader(ObjectReader &root, Trace &trace) : root(root), trace(trace) {}

  void read() {
    trace.topK = root.findInteger("top_k", 1, kMostRows);
    tokens = root.findInteger("tokens", 1, kMostRows);
    if (tokens && !trace.topK)
      root.fail("tokens", "expected \"top_k\" beside it, got none");
    root.forEachObject("steps",
                       [&](ObjectReader &step, size_t) { readStep(step); });
    if (!root.getContext().hasFailed() && trace.steps.empty())
      root.fail("steps", "expected at least one step, got an empty array");
  }

private:
  void readStep(ObjectReader &reader) {
    StepTraffic step;
    step.step = reader.getInteger("step", 0, kMostStep);
    if (!trace.steps.empty() && step.step <= trace.steps.back().step)
      reader.fail("step", "expected more than the step before, " +
                              std::to_string(trace.steps.back().step) +
                              ", got " + std::to_string(step.step));
    reader.forEachObject(
        "layers", [&](ObjectReader &layer, size_t) { readLayer(layer, step); });
    if (!reader.getContext().hasFailed() && step.layers.empty())
      reader.fail("layers", "expected at least one layer, got an empty array");
    trace.steps.push_back(std::move(step));
  }

  void readLayer(ObjectReader &reader, StepTraffic &step) {
    LayerTraffic layer;
    layer.layer = reader.getText("layer");
    for (const LayerTraffic &other : step.layers)
      if (other.layer == layer.layer)
        reader.fail("layer", "expected each layer of a step once, got " +
                                 quote(layer.layer) + " again");
    bool isRankToRank = reader.has(kToRanks);
    if (first && isRankToRank != trace.isRankToRank)
      reader.fail(getCountsKey(reader),
                  std::string("expected \"") +
                      (isRankToRank ? "counts" : "rank_counts") +
                      "\", as before");
    trace.isRankToRank = isRankToRank;
    layer.counts =
        readCounts(reader, /*isOfAStep=*/true, first ? &*first : nullptr);
    if (reader.getContext().hasFailed())
      return;
    if (!first)
      first = layer.counts;
    checkSums(reader, layer.counts);
    step.layers.push_back(std::move(layer));
  }

  void checkSums(ObjectReader &reader, const ExpertCounts &counts) {
    for (int64_t i = 0; trace.topK && i < counts.getNumRows(); ++i) {
      int64_t sum = 0;
      for (int64_t e = 0; e < counts.getNumColumns(); ++e)
        sum += static_cast<int64_t>(counts.at(i, e));
      std::string row = "row " + std::to_string(i) + " to add up to ";
      if (tokens && sum != *tokens * *trace.topK)
        reader.fail(getCountsKey(reader),
                    "expected " + row + std::to_string(*tokens) +
                        " tokens times top_k " + std::to_string(*trace.topK) +
                        ", got " + std::to_string(sum));
      else if (sum % *trace.topK != 0)
        reader.fail(getCountsKey(reader), "expected " + row +
                                              "a multiple of top_k " +
                                              std::to_string(*trace.topK) +
                                              ", got " + std::to_string(sum));
    }
  }

  ObjectReader &root;
  Trace &trace;
  std::optional<int64_t> tokens;
  /// The shape of all counts.
  std::optional<ExpertCounts> first;
};
} // namespace

cost::Result<Trace> moe::traffic::parseTrace(std::string_view text,
                                             const std::string &name) {
  cost::Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  ReaderContext context{name, ""};
  ObjectReader reader(context, *root, "");
  Trace trace;
  if (!context.hasFailed() && reader.has("steps")) {
    StepsReader(reader, trace).read();
  } else {
    StepTraffic &step = trace.steps.emplace_back();
    trace.isRankToRank = reader.has(kToRanks);
    step.layers.emplace_back().counts =
        readCounts(reader, /*isOfAStep=*/false, nullptr);
  }
  reader.finish();
  if (context.hasFailed())
    return cost::Failure{context.problem};
  const ExpertCounts &counts = trace.steps.front().layers.front().counts;
  trace.numRanks = counts.getNumRows();
  trace.numExperts = counts.getNumColumns();
  return trace;
}

cost::Result<Trace> moe::traffic::loadTrace(const std::string &path) {
  cost::Result<std::string> text =
      readTextFile(path, "a file of tokens per expert");
  if (!text)
    return text.getFailure();
  return parseTraceFile(*text, path);
}

cost::Result<Trace> moe::traffic::parseTraceFile(std::string_view text,
                                                 const std::string &path) {
  return path.ends_with(".jsonl") ? parseTraceLines(text, path)
                                  : parseTrace(text, path);
}

cost::Result<size_t> moe::traffic::findStep(const Trace &trace,
                                            const std::string &name,
                                            int64_t step) {
  for (size_t place = 0; place < trace.steps.size(); ++place)
    if (trace.steps[place].step == step)
      return place;
  return cost::Failure{"expected a step of " + name + ", which has " +
                       std::to_string(trace.steps.size()) + " from " +
                       std::to_string(trace.steps.front().step) + " to " +
                       std::to_string(trace.steps.back().step) + ", got " +
                       std::to_string(step)};
}

static std::string printCounts(const Trace &trace, const LayerTraffic &layer) {
  std::string text =
      quote(std::string(trace.isRankToRank ? kToRanks : "counts")) + ": [";
  for (int64_t i = 0; i < trace.numRanks; ++i) {
    text += i ? ",\n    [" : "[";
    for (int64_t e = 0; e < trace.numExperts; ++e)
      text += (e ? ", " : "") + formatNumber(layer.counts.at(i, e));
    text += "]";
  }
  return text + "]";
}

std::string moe::traffic::printTrace(const Trace &trace) {
  const LayerTraffic &first = trace.steps.front().layers.front();
  if (first.layer.empty())
    return "{" + printCounts(trace, first) + "}\n";
  std::string text = "{";
  if (trace.topK)
    text += "\"top_k\": " + std::to_string(*trace.topK) + ", ";
  text += "\"steps\": [";
  std::string separator = "\n";
  for (const StepTraffic &step : trace.steps) {
    text += separator + "{\"step\": " + std::to_string(step.step) +
            ", \"layers\": [";
    separator = "\n  ";
    for (const LayerTraffic &layer : step.layers) {
      text += separator + "{\"layer\": " + quote(layer.layer) + ", " +
              printCounts(trace, layer) + "}";
      separator = ",\n  ";
    }
    text += "]}";
    separator = ",\n";
  }
  return text + "]}\n";
}
