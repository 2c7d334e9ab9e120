// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nccl-tests writes with -J.

#include "NcclRow.h"
#include "moe/Support/Json.h"
#include "moe/Support/ObjectReader.h"

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

/// Reads the parts of the JSON that matter; it has many more keys, which
/// differ between versions.
Result<NcclLog> moe::platform::parseJsonLog(std::string_view text,
                                            const std::string &name) {
  Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  NcclLog log;
  log.file = name;
  ReaderContext context{name, ""};
  auto fail = [&](const JsonValue &at, const std::string &path,
                  const std::string &reason) {
    context.fail(at.place, path, reason);
  };

  ObjectReader reader(context, *root, "");
  const std::vector<JsonValue> *args = reader.findArray("args");
  if (!args || args->empty() || args->front().kind != JsonValue::Kind::String) {
    reader.fail("args", "expected the command line of a test of nccl-tests, "
                        "got none");
    return Failure{context.problem};
  }
  Result<CollectiveKind> kind = parseTestName(args->front().text);
  if (!kind)
    fail(args->front(), "args[0]", kind.getError());
  else
    log.kind = *kind;

  const JsonValue *config = reader.findObject("config");
  const std::vector<JsonValue> *results = reader.findArray("results");
  if (!config)
    reader.fail("config", "expected an object, got nothing");
  if (!results)
    reader.fail("results", "expected an array, got nothing: the log is "
                           "truncated");
  if (context.hasFailed())
    return Failure{context.problem};
  // The sum comes last; a run that was cut has none.
  const JsonValue *bounds = root->find("out_of_bounds");
  if (!bounds || !root->find("average_bus_bandwidth"))
    reader.fail("average_bus_bandwidth",
                "expected this at the end, got nothing: the log is truncated");
  else if (const JsonValue *count = bounds->find("count");
           count && count->number != 0)
    fail(*count, "out_of_bounds.count",
         "expected a run without wrong values, got " + count->describe());

  // A process is listed once, whatever ranks it has.
  ObjectReader configReader(context, *config, "config");
  int64_t perProcess = configReader.getInteger("nthreads", 1, 1 << 20) *
                       configReader.getInteger("ngpus", 1, 1 << 20);
  std::map<std::string, int64_t> ranksOfHost;
  if (const std::vector<JsonValue> *devices = configReader.findArray("devices"))
    for (size_t i = 0; i < devices->size(); ++i) {
      ObjectReader device(context, (*devices)[i],
                          "config.devices[" + std::to_string(i) + "]");
      ranksOfHost[device.getText("hostname")] += perProcess;
    }

  std::string first;
  for (size_t i = 0; i < results->size(); ++i) {
    const JsonValue &item = (*results)[i];
    std::string path = "results[" + std::to_string(i) + "]";
    ObjectReader row(context, item, path);
    std::string names = row.getText("type") + " " + row.getText("redop");
    if (i == 0)
      first = names;
    else if (names != first && !context.hasFailed())
      fail(item, path,
           "expected one type and operator a log, " + quote(first) + ", got " +
               quote(names));
    double size = row.getNumber("size", Range::NotNegative);
    const JsonValue *outOfPlace = row.findObject("out_of_place");
    if (!outOfPlace) {
      row.fail("out_of_place", "expected an object, got nothing");
      break;
    }
    ObjectReader values(context, *outOfPlace, path + ".out_of_place");
    double time = values.getNumber("time", Range::Positive);
    if (const JsonValue *wrong = outOfPlace->find("nwrong");
        wrong && wrong->kind != JsonValue::Kind::Null &&
        !(wrong->kind == JsonValue::Kind::Number && wrong->number == 0))
      values.fail("nwrong",
                  "expected results that are right, got " + wrong->describe());
    if (context.hasFailed())
      break;
    if (size <= 0)
      continue;
    NcclRow columns;
    columns.size = size;
    columns.time = {time, 0.005};
    if (const JsonValue *bandwidth = outOfPlace->find("alg_bw");
        bandwidth && bandwidth->kind == JsonValue::Kind::Number)
      columns.algbw = PrintedNumber{bandwidth->number, 0.005};
    if (std::string problem = checkRow(columns); !problem.empty()) {
      values.fail("alg_bw", problem);
      break;
    }
    if (auto reason = checkOrder(log, size)) {
      row.fail("size", *reason);
      break;
    }
    Sample sample{Bytes(size), Microseconds(time)};
    if (!log.samples.empty() && log.samples.back() == sample) {
      row.fail("size", "expected each row once, got the one before again");
      break;
    }
    log.samples.push_back(sample);
  }
  if (log.samples.empty())
    reader.fail("results", "expected rows, got none");
  if (auto reason = setRanks(log, ranksOfHost))
    fail(*config, "config.devices", *reason);
  if (context.hasFailed())
    return Failure{context.problem};
  return log;
}
