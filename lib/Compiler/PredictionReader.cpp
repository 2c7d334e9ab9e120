// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions from JSON.

#include "moe/Support/Fields.h"
#include "moe/Compiler/PredictionReport.h"
#include "moe/Support/ObjectReader.h"

using namespace mlir;
using namespace moe;
using support::JsonValue;
using support::ObjectReader;

/// What a double holds exactly.
static constexpr int64_t kMost = int64_t(1) << 53;

/// Calls `visit` with each item of an array and its path.
static void forEachItem(
    ObjectReader &reader, StringRef key,
    llvm::function_ref<void(const JsonValue &, const std::string &)> visit) {
  const std::vector<JsonValue> *items = reader.findArray(key);
  for (size_t i = 0; items && i < items->size(); ++i)
    visit((*items)[i], reader.getPath(key) + "[" + std::to_string(i) + "]");
}

/// Places below `limit`.
static std::vector<size_t> readPlaces(support::ReaderContext &context,
                                      const std::vector<JsonValue> &items,
                                      const std::string &path, size_t limit) {
  std::vector<size_t> places;
  for (const JsonValue &item : items) {
    if (item.kind != JsonValue::Kind::Number || !item.isInteger ||
        item.number < 0 || item.number >= double(limit))
      context.fail(item.place, path,
                   "expected integers in [0, " + std::to_string(limit) +
                       "), got " + item.describe());
    else
      places.push_back(static_cast<size_t>(item.number));
  }
  return places;
}

static std::vector<size_t> readPlaces(ObjectReader &reader, StringRef key,
                                      size_t limit) {
  const std::vector<JsonValue> *items = reader.findArray(key);
  if (!items)
    return {};
  return readPlaces(reader.getContext(), *items, reader.getPath(key), limit);
}

static ReportedSpread readSpread(support::ReaderContext &context,
                                 const JsonValue &object,
                                 const std::string &path) {
  ObjectReader reader(context, object, path);
  ReportedSpread spread;
  spread.file = reader.getText("file");
  spread.steps = reader.getInteger("steps", 1, kMost);
  spread.meanUs = reader.getNumber("mean_us", support::Range::NotNegative);
  spread.p95Us = reader.getNumber("p95_us", support::Range::NotNegative);
  spread.worstUs = reader.getNumber("worst_us", support::Range::NotNegative);
  spread.worstStep = reader.getInteger("worst_step", 0, kMost);
  reader.finish();
  return spread;
}

static std::vector<std::string> readTexts(ObjectReader &reader, StringRef key) {
  std::vector<std::string> texts;
  forEachItem(reader, key, [&](const JsonValue &item, const std::string &path) {
    if (item.kind != JsonValue::Kind::String)
      reader.getContext().fail(item.place, path,
                               "expected a text, got " + item.describe());
    texts.push_back(item.text);
  });
  return texts;
}

/// Rows of numbers of at least 0, all as long as the first.
static ReportedMatrix readMatrix(support::ReaderContext &context,
                                 const std::vector<JsonValue> &rows,
                                 const std::string &path) {
  ReportedMatrix matrix;
  for (const JsonValue &row : rows) {
    std::vector<double> &read = matrix.emplace_back();
    bool isRow = row.kind == JsonValue::Kind::Array &&
                 row.items.size() == rows.front().items.size();
    for (const JsonValue &item : row.items) {
      isRow = isRow && item.kind == JsonValue::Kind::Number && item.number >= 0;
      read.push_back(item.number);
    }
    if (!isRow)
      context.fail(row.place, path,
                   "expected rows of numbers of at least 0, as long as the "
                   "first, got " +
                       row.describe());
  }
  return matrix;
}

static ReportedTraffic readTraffic(support::ReaderContext &context,
                                   const JsonValue &object) {
  ObjectReader reader(context, object, "traffic");
  ReportedTraffic traffic;
  traffic.file = reader.getText("file");
  traffic.steps = reader.getInteger("steps", 1, kMost);
  traffic.step = reader.findInteger("step", 0, kMost);
  traffic.layers = readTexts(reader, "layers");
  traffic.paddedLayers = readTexts(reader, "padded_layers");
  traffic.isRankToRank = reader.findText("columns") == "ranks";
  traffic.whyNoCounts = reader.findText("why_no_counts").value_or("");
  reader.forEachObject("counts", [&](ObjectReader &counts, size_t) {
    ReportedTraffic::Counts &read = traffic.counts.emplace_back();
    read.step = counts.getInteger("step", 0, kMost);
    read.layer = counts.getText("layer");
    if (const auto *rows = counts.findArray("rows"))
      read.rows = readMatrix(context, *rows, counts.getPath("rows"));
  });
  reader.finish();
  return traffic;
}

/// [from, to, circuits, carried bytes, all bytes].
static fabric::CircuitLoad readLoad(support::ReaderContext &context,
                                    const JsonValue &row,
                                    const std::string &path) {
  fabric::CircuitLoad load;
  bool isRow = row.kind == JsonValue::Kind::Array && row.items.size() == 5;
  for (size_t i = 0; isRow && i < 5; ++i) {
    const JsonValue &item = row.items[i];
    isRow = item.kind == JsonValue::Kind::Number && item.number >= 0 &&
            (i > 2 || (item.isInteger && item.number <= INT32_MAX));
  }
  if (!isRow) {
    context.fail(row.place, path,
                 "expected [from, to, circuits, carried, bytes], numbers of at "
                 "least 0, got " +
                     row.describe());
    return load;
  }
  load.from = static_cast<int64_t>(row.items[0].number);
  load.to = static_cast<int64_t>(row.items[1].number);
  load.circuits = static_cast<int32_t>(row.items[2].number);
  load.carried = row.items[3].number;
  load.demand = row.items[4].number;
  return load;
}

static ReportedExchange readExchange(ObjectReader &reader) {
  ReportedExchange exchange;
  exchange.kind = reader.getText("kind");
  exchange.axes = reader.getText("axes");
  exchange.bytes = reader.findInteger("bytes", 0, kMost);
  exchange.bound = reader.getText("bound");
  reader.forEachObject("levels", [&](ObjectReader &level, size_t) {
    ReportedExchange::Level &read = exchange.levels.emplace_back();
    read.name = level.getText("name");
    read.rankBytes = level.getNumber("rank_bytes", support::Range::NotNegative);
    read.endpointBytes =
        level.getNumber("endpoint_bytes", support::Range::NotNegative);
    read.us = level.getNumber("us", support::Range::NotNegative);
  });
  if (reader.has("slowest"))
    exchange.slowest = reader.getInteger(
        "slowest", 0, static_cast<int64_t>(exchange.levels.size()) - 1);
  exchange.extrapolation = reader.findText("extrapolated").value_or("");
  forEachItem(
      reader, "circuits", [&](const JsonValue &row, const std::string &path) {
        exchange.circuits.push_back(readLoad(reader.getContext(), row, path));
      });
  return exchange;
}

static ReportedKind readKind(ObjectReader &reader,
                             const ReportedProgram &program) {
  ReportedKind kind;
  kind.name = reader.getText("name");
  kind.phase = reader.getText("phase");
  kind.stream = reader.getInteger(
      "stream", 0, static_cast<int64_t>(program.streams.size()) - 1);
  kind.chunks = reader.getInteger("chunks", 1, kMost);
  kind.us = reader.findNumber("us", support::Range::NotNegative);
  kind.exchanges = readPlaces(reader, "exchanges", program.exchanges.size());
  kind.isExtrapolated = reader.findFlag("extrapolated");
  kind.isRouted = reader.findFlag("routed");
  kind.isOverCircuits = reader.findFlag("over_circuits");
  return kind;
}

/// [kind, layer, chunk, start, end, after].
static ReportedTask readTask(support::ReaderContext &context,
                             const JsonValue &row, const std::string &path,
                             size_t numKinds, size_t numTasks) {
  using Kind = JsonValue::Kind;
  constexpr Kind kKinds[] = {Kind::Number, Kind::String, Kind::Number,
                             Kind::Number, Kind::Number, Kind::Array};
  ReportedTask task;
  bool isRow = row.kind == Kind::Array && row.items.size() == std::size(kKinds);
  for (size_t i = 0; isRow && i < std::size(kKinds); ++i)
    isRow = row.items[i].kind == kKinds[i];
  isRow = isRow && row.items[0].isInteger && row.items[0].number >= 0 &&
          row.items[0].number < double(numKinds) && row.items[2].isInteger &&
          row.items[3].number >= 0 &&
          row.items[4].number >= row.items[3].number;
  if (!isRow) {
    context.fail(row.place, path,
                 "expected [kind, layer, chunk, start_us, end_us, after], the "
                 "kind in [0, " +
                     std::to_string(numKinds) +
                     ") and no end before its start, got " + row.describe());
    return task;
  }
  task.kind = static_cast<size_t>(row.items[0].number);
  task.layer = row.items[1].text;
  task.chunk = static_cast<int64_t>(row.items[2].number);
  task.startUs = row.items[3].number;
  task.endUs = row.items[4].number;
  task.after = readPlaces(context, row.items[5].items, path, numTasks);
  return task;
}

static void readTimeline(support::ReaderContext &context,
                         const JsonValue &object, const std::string &path,
                         ReportedProgram &program) {
  ObjectReader reader(context, object, path);
  reader.forEachObject("kinds", [&](ObjectReader &kind, size_t) {
    program.kinds.push_back(readKind(kind, program));
  });
  auto numTasks = static_cast<size_t>(program.numTasks);
  forEachItem(
      reader, "tasks", [&](const JsonValue &row, const std::string &rowPath) {
        program.tasks.push_back(
            readTask(context, row, rowPath, program.kinds.size(), numTasks));
      });
  if (program.tasks.size() != numTasks)
    reader.fail("tasks", "expected " + std::to_string(numTasks) +
                             " of them, got " +
                             std::to_string(program.tasks.size()));
  program.criticalPath = readPlaces(reader, "critical_path", numTasks);
  forEachItem(
      reader, "memory", [&](const JsonValue &use, const std::string &usePath) {
        if (use.kind != JsonValue::Kind::Array || use.items.size() != 2 ||
            !use.items[1].isInteger)
          return context.fail(use.place, usePath,
                              "expected [us, bytes], got " + use.describe());
        program.bytesOverTime.push_back(
            {use.items[0].number, static_cast<int64_t>(use.items[1].number)});
      });
  reader.finish();
}

static ReportedStages readStages(support::ReaderContext &context,
                                 const JsonValue &object,
                                 const std::string &path) {
  ObjectReader reader(context, object, path);
  ReportedStages stages;
  stages.stages = reader.getInteger("stages", 1, kMost);
  stages.virtualStages = reader.getInteger("virtual_stages", 1, kMost);
  stages.microBatches = reader.getInteger("micro_batches", 1, kMost);
  stages.order = reader.getText("order");
  stages.waitsForSends = reader.findFlag("waits_for_sends");
  for (auto [key, us] :
       {std::pair("forward_us", &stages.forwardUs),
        std::pair("backward_us", &stages.backwardUs),
        std::pair("send_us", &stages.sendUs),
        std::pair("gradients_us", &stages.gradientsUs),
        std::pair("step_us", &stages.stepUs),
        std::pair("bubble_us", &stages.bubbleUs),
        std::pair("held_micro_batches", &stages.heldMicroBatches)})
    *us = reader.getNumber(key, support::Range::NotNegative);
  reader.finish();
  return stages;
}

static ReportedFabric readFabric(support::ReaderContext &context,
                                 const JsonValue &object,
                                 const std::string &path) {
  ObjectReader reader(context, object, path);
  ReportedFabric fabric;
  fabric::NetworkOptions &network = fabric.options.network;
  std::string kind = reader.getText("kind");
  if (auto known = fabric::parseFabricKind(kind))
    network.kind = *known;
  else
    reader.fail("kind", "expected a kind of fabric, got '" + kind + "'");
  network.servers = reader.getInteger("servers", 1, kMost);
  fabric.options.serverRanks = reader.getInteger("ranks_per_server", 1, kMost);
  network.nics = reader.getInteger("nics_per_server", 1, kMost);
  network.nicRate =
      125 * reader.getNumber("rate_gbps", support::Range::Positive);
  network.oversubscription =
      reader.getNumber("oversubscription", support::Range::Positive);
  fabric.copies = reader.getInteger("copies", 1, kMost);
  fabric.circuits = reader.findText("circuits").value_or("");
  fabric.beforeFailureUs =
      reader.findNumber("before_failure_us", support::Range::NotNegative);
  auto getMost = [](double bytes, double part) {
    return part > 0 ? bytes / part : 0;
  };
  reader.forEachObject("classes", [&](ObjectReader &own, size_t) {
    fabric::ClassLoad &load = fabric.loads.classes.emplace_back();
    load.name = own.getText("class");
    load.links = own.getInteger("links", 1, kMost);
    load.bytes = own.getNumber("bytes", support::Range::NotNegative);
    load.most = getMost(load.bytes, own.getNumber("mean_utilisation",
                                                  support::Range::NotNegative));
    load.busiest =
        own.getNumber("busiest_utilisation", support::Range::NotNegative);
  });
  reader.forEachObject("busiest", [&](ObjectReader &own, size_t) {
    fabric::LinkLoad &load = fabric.loads.links.emplace_back();
    load.name = own.getText("link");
    load.bytes = own.getNumber("bytes", support::Range::NotNegative);
    load.most = getMost(
        load.bytes, own.getNumber("utilisation", support::Range::NotNegative));
  });
  reader.finish();
  return fabric;
}

static ReportedProgram readProgram(ObjectReader &reader) {
  support::ReaderContext &context = reader.getContext();
  ReportedProgram program;
  program.file = reader.getText("file");
  program.numTasks = reader.getInteger("tasks", 0, 1 << 28);
  program.makespanUs =
      reader.getNumber("makespan_us", support::Range::NotNegative);
  program.lowerBoundUs =
      reader.getNumber("lower_bound_us", support::Range::NotNegative);
  program.longestChainUs =
      reader.getNumber("critical_path_us", support::Range::NotNegative);
  program.peakBytes = reader.getInteger("peak_bytes", 0, kMost);
  program.rowRoom =
      reader.findNumber("row_room", support::Range::Positive).value_or(1);
  program.numExtrapolated =
      reader.findInteger("extrapolated_tasks", 0, program.numTasks).value_or(0);
  program.numCircuitChanges =
      reader.findInteger("circuit_changes", 0, program.numTasks).value_or(0);
  if (const JsonValue *orders = reader.findObject("orders")) {
    ObjectReader nested(context, *orders, reader.getPath("orders"));
    ReportedOrders &read = program.orders.emplace();
    read.bestUs = nested.getNumber("best_us", support::Range::NotNegative);
    read.boundUs = nested.getNumber("bound_us", support::Range::NotNegative);
    read.isExact = nested.findFlag("exact");
    nested.finish();
  }
  if (const JsonValue *stages = reader.findObject("stages"))
    program.stages = readStages(context, *stages, reader.getPath("stages"));
  if (const JsonValue *fabric = reader.findObject("fabric"))
    program.fabric = readFabric(context, *fabric, reader.getPath("fabric"));
  if (reader.has("step_tokens")) {
    ModelWork &work = program.work.emplace();
    work.tokens = reader.getInteger("step_tokens", 1, kMost);
    work.flops = reader.getNumber("model_flops", support::Range::Positive);
    // What follows from these.
    reader.findNumber("tokens_per_s", support::Range::NotNegative);
    reader.findNumber("mfu", support::Range::NotNegative);
    reader.findNumber("peak_tflops", support::Range::Positive);
    if (reader.has("peak_origin"))
      reader.getText("peak_origin");
  }
  if (const JsonValue *over = reader.findObject("over_trace"))
    program.overTrace =
        readSpread(context, *over, reader.getPath("over_trace"));
  reader.forEachObject("streams", [&](ObjectReader &stream, size_t) {
    ReportedStream &read = program.streams.emplace_back();
    read.name = stream.getText("name");
    read.resource = stream.getText("resource");
    read.busyUs = stream.getNumber("busy_us", support::Range::NotNegative);
  });
  reader.forEachObject("exchanges", [&](ObjectReader &exchange, size_t) {
    program.exchanges.push_back(readExchange(exchange));
  });
  if (const JsonValue *timeline = reader.findObject("timeline"))
    readTimeline(context, *timeline, reader.getPath("timeline"), program);
  else
    reader.fail("timeline", "expected an object, got none");
  reader.forEachObject("circuits", [&](ObjectReader &circuits, size_t) {
    ReportedCircuits &read = program.circuits.emplace_back();
    read.task = circuits.getInteger("task", 0, program.numTasks - 1);
    read.isExpected = circuits.findFlag("expected");
    forEachItem(circuits, "regions",
                [&](const JsonValue &region, const std::string &path) {
                  read.regions.push_back(
                      readMatrix(context, region.items, path));
                });
  });
  reader.forEachObject("limits", [&](ObjectReader &limits, size_t) {
    ReportedLimits &read = program.limits.emplace_back();
    read.layers = readTexts(limits, "layers");
    read.copies = limits.getInteger("copies", 1, kMost);
    if (const auto *rows = limits.findArray("rows"))
      read.limits = readMatrix(context, *rows, limits.getPath("rows"));
  });
  return program;
}

static ReportedChoice readChoice(ObjectReader &reader) {
  ReportedChoice choice;
  choice.pass = reader.getText("pass");
  choice.isMissed = reader.findFlag("missed");
  // The decision has them, too.
  readTexts(reader, "layers");
  choice.text = reader.getText("text");
  if (const JsonValue *decision = reader.findObject("decision")) {
    ObjectReader nested(reader.getContext(), *decision,
                        reader.getPath("decision"));
    support::FieldReader fields(nested);
    visitFields(fields, choice.decision.emplace());
    nested.finish();
  }
  if (const JsonValue *metrics = reader.findObject("metrics"))
    for (const JsonValue::Member &metric : metrics->members)
      choice.metrics.emplace_back(metric.key,
                                  metric.value.kind == JsonValue::Kind::String
                                      ? metric.value.text
                                      : support::formatJson(metric.value));
  return choice;
}

cost::Result<PredictionReport> moe::readReport(StringRef json,
                                               const std::string &name) {
  cost::Result<JsonValue> root = support::parseJson(json, name);
  if (!root)
    return root.getFailure();
  support::ReaderContext context;
  context.name = name;
  if (root->kind == JsonValue::Kind::Object && !root->find("timeline"))
    return cost::Failure{name + ": expected what moe-sim says of a program, "
                                "got no timeline"};
  ObjectReader reader(context, *root, "");
  PredictionReport report;
  reader.getText("platform");
  report.ranks = reader.getInteger("ranks", 1, kMost);
  report.program = readProgram(reader);
  if (const JsonValue *traffic = reader.findObject("traffic"))
    report.traffic = readTraffic(context, *traffic);
  reader.forEachObject("baselines", [&](ObjectReader &baseline, size_t) {
    report.baselines.push_back(readProgram(baseline));
  });
  if (const JsonValue *measured = reader.findObject("measured")) {
    ObjectReader nested(context, *measured, "measured");
    report.measured = readProgram(nested);
    nested.finish();
  }
  reader.forEachObject("choices", [&](ObjectReader &choice, size_t) {
    report.choices.push_back(readChoice(choice));
  });
  const JsonValue *machine = reader.findObject("machine");
  // What is said of the first baseline again.
  reader.findNumber("baseline_us", support::Range::NotNegative);
  reader.findNumber("speedup", support::Range::NotNegative);
  reader.findObject("baseline_over_trace");
  reader.finish();
  if (!machine)
    reader.fail("machine", "expected an object, got none");
  if (context.hasFailed())
    return cost::Failure{context.problem};
  cost::Result<platform::Platform> platform = platform::parsePlatform(
      support::formatJson(*machine), name + ": machine");
  if (!platform)
    return platform.getFailure();
  report.platform = std::move(*platform);
  return report;
}
