// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the JSON that nccl-tests writes with -J.

#include "NcclRow.h"
#include "moe/Support/Json.h"
#include "moe/Support/ObjectReader.h"

#include <set>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

/// Returns the value of a command-line option: "-b 8K", "-b8K", "--minbytes 8K"
/// or "--minbytes=8K"; the last one counts. Returns nothing if it is missing or
/// not a size.
static std::optional<uint64_t>
findSizeOption(const std::vector<JsonValue> &args, char letter,
               std::string_view word) {
  const std::string brief = std::string("-") + letter,
                    full = "--" + std::string(word);
  std::optional<uint64_t> found;
  for (size_t i = 1; i < args.size(); ++i) {
    std::string_view text = args[i].text;
    if ((text == brief || text == full) && i + 1 < args.size())
      text = args[++i].text;
    else if (text.starts_with(full + "="))
      text.remove_prefix(full.size() + 1);
    else if (text.size() > brief.size() && text.starts_with(brief) &&
             !text.starts_with("--"))
      text.remove_prefix(brief.size());
    else
      continue;
    size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view unit = text.substr(end);
    size_t power =
        unit.empty()
            ? 0
            : std::string_view("KMG").find(char(unit.front() & ~0x20)) + 1;
    // Reject longer numbers, which are not sizes.
    if (end == 0 || end > 15 || unit.size() > 2 ||
        (!unit.empty() && power == 0))
      return std::nullopt;
    found = std::stoull(std::string(text.substr(0, end))) << (10 * power);
  }
  return found;
}

/// Returns the sizes that the options request, from the JSON or else from the
/// command line. Returns nothing if neither has all of them.
static std::optional<RequestedSizes>
findRequested(ObjectReader &config, const std::vector<JsonValue> &args) {
  constexpr int64_t kMost = int64_t(1) << 53;
  auto min = config.findInteger("minimum_bytes", 0, kMost),
       max = config.findInteger("maximum_bytes", 0, kMost),
       factor = config.findInteger("step_factor", 1, kMost),
       bytes = config.findInteger("step_bytes", 0, kMost);
  if (min && max && (factor || bytes))
    return RequestedSizes{uint64_t(*min), uint64_t(*max),
                          uint64_t(factor ? *factor : *bytes),
                          factor.has_value()};
  auto least = findSizeOption(args, 'b', "minbytes"),
       most = findSizeOption(args, 'e', "maxbytes"),
       step = findSizeOption(args, 'f', "stepfactor");
  const bool isFactor = step && *step > 1;
  if (!isFactor)
    step = findSizeOption(args, 'i', "stepbytes");
  if (!least || !most || !step || *least > *most)
    return std::nullopt;
  return RequestedSizes{*least, *most, *step, isFactor};
}

/// Compares rows with the sizes that the options request, if the JSON has them.
static void checkRequested(NcclLog &log, ObjectReader &config,
                           const std::vector<JsonValue> &args,
                           const std::vector<double> &sizes) {
  std::optional<RequestedSizes> requested = findRequested(config, args);
  if (!requested)
    return;
  std::optional<SizeProblem> wrong =
      checkSizes(*requested, sizes, log.numRanks);
  if (!wrong)
    return;
  // The test reduces the largest size to the device's memory only later.
  if (wrong->row == sizes.size())
    log.warnings.push_back(wrong->reason);
  else
    config.fail("minimum_bytes", wrong->reason + " in results[" +
                                     std::to_string(wrong->row) + "]");
}

namespace {

/// Reads only the required parts of the JSON because its other keys differ
/// between versions.
class JsonLogReader {
public:
  JsonLogReader(const JsonValue &root, const std::string &name)
      : root(root), context{name, ""}, reader(context, root, "") {
    log.file = name;
  }

  Result<NcclLog> run();

private:
  void fail(const JsonValue &at, const std::string &path,
            const std::string &reason) {
    context.fail(at.place, path, reason);
  }

  /// Checks that the run ended, and without errors.
  void checkEnd();
  /// Reads the hosts, which must form one group of ranks.
  void readHosts(ObjectReader &config);
  /// Checks that all rows have one type and one operator.
  void checkTypes(const std::vector<JsonValue> &results);
  /// Reads the rows, until one of them is invalid.
  void readRows(const std::vector<JsonValue> &results);
  /// Reads the columns of a row, and returns the paths of its times.
  std::vector<std::string>
  readColumns(const JsonValue &item, const std::string &path, NcclRow &columns);
  /// Checks a row with a size above 0, and adds its time to the log.
  void addRow(const JsonValue &item, const std::string &path,
              const NcclRow &columns, const std::vector<std::string> &paths);

  const JsonValue &root;
  ReaderContext context;
  ObjectReader reader;
  NcclLog log;
  RowChecker checker;
  std::vector<double> sizes;
  std::vector<NcclTimes> times;
};

} // namespace

void JsonLogReader::checkEnd() {
  // The summary is written last, so a truncated run has none.
  const JsonValue *bounds = root.find("out_of_bounds");
  if (!bounds || !root.find("average_bus_bandwidth"))
    reader.fail("average_bus_bandwidth",
                "expected this at the end, got nothing: the log is truncated");
  else if (!root.find("end_time"))
    reader.fail("end_time",
                "expected this at the end, got nothing: the log is truncated");
  else if (const JsonValue *count = bounds->find("count");
           count && count->number != 0)
    fail(*count, "out_of_bounds.count",
         "expected a run without wrong values, got " + count->describe());

  if (const std::vector<JsonValue> *errors = reader.findArray("errors");
      errors && !errors->empty())
    fail(errors->front(), "errors[0]",
         "expected a run without errors, got " +
             (errors->front().kind == JsonValue::Kind::String
                  ? quote(errors->front().text)
                  : errors->front().describe()));
}

void JsonLogReader::readHosts(ObjectReader &config) {
  // A process is listed once for all its ranks.
  int64_t perProcess = config.getInteger("nthreads", 1, 1 << 20) *
                       config.getInteger("ngpus", 1, 1 << 20);
  std::map<std::string, int64_t> ranksOfHost;
  std::set<int64_t> groups, ranks;
  if (const std::vector<JsonValue> *devices = config.findArray("devices"))
    for (size_t i = 0; i < devices->size(); ++i) {
      ObjectReader device(context, (*devices)[i],
                          "config.devices[" + std::to_string(i) + "]");
      ranksOfHost[device.getText("hostname")] += perProcess;
      if (auto rank = device.findInteger("rank", 0, INT32_MAX);
          rank && !ranks.insert(*rank).second)
        device.fail("rank", "expected each rank once, got rank " +
                                std::to_string(*rank) + " again");
      if (auto group = device.findInteger("group", INT32_MIN, INT32_MAX))
        groups.insert(*group);
    }
  if (groups.size() > 1)
    config.fail("devices",
                "expected the ranks of one group, got several groups, by "
                "NCCL_TESTS_SPLIT: run the test without it");
  if (auto reason = setRanks(log, ranksOfHost))
    fail(*root.find("config"), "config.devices", *reason);
}

void JsonLogReader::checkTypes(const std::vector<JsonValue> &results) {
  // A row of another type would also contradict its count, but that message
  // would be less clear.
  std::string first;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string path = "results[" + std::to_string(i) + "]";
    ObjectReader row(context, results[i], path);
    std::string names = row.getText("type") + " " + row.getText("redop");
    if (i == 0)
      first = names;
    else if (names != first && !context.hasFailed())
      fail(results[i], path,
           "expected one type and operator a log, " + quote(first) + ", got " +
               quote(names) +
               "; run the test with one type (-d) and one "
               "operator (-o) per log");
  }
}

std::vector<std::string> JsonLogReader::readColumns(const JsonValue &item,
                                                    const std::string &path,
                                                    NcclRow &columns) {
  ObjectReader row(context, item, path);
  columns.size = row.getNumber("size", Range::NotNegative);
  columns.count = row.getNumber("count", Range::NotNegative);
  std::vector<std::string> paths;
  for (std::string_view place : {"out_of_place", "in_place"}) {
    const JsonValue *object = row.findObject(place);
    if (!object) {
      if (place == "out_of_place")
        row.fail(place, "expected an object, got nothing");
      break;
    }
    paths.push_back(path + "." + std::string(place));
    ObjectReader values(context, *object, paths.back());
    if (object->find("cpu_time"))
      values.fail("cpu_time",
                  "expected time, got how long the CPU took to launch: run "
                  "the test without --report_cputime (-C)");
    NcclTimes read;
    read.time = {values.getNumber("time", Range::Positive), 0.005};
    if (auto rate = values.findNumber("alg_bw", Range::NotNegative))
      read.algbw = PrintedNumber{*rate, 0.005};
    if (auto rate = values.findNumber("bus_bw", Range::NotNegative))
      read.busbw = PrintedNumber{*rate, 0.005};
    if (const JsonValue *wrong = object->find("nwrong");
        wrong && wrong->kind != JsonValue::Kind::Null &&
        !(wrong->kind == JsonValue::Kind::Number && wrong->number == 0))
      values.fail("nwrong",
                  "expected results that are right, got " + wrong->describe());
    columns.places.push_back(read);
    times.push_back(read);
  }
  return paths;
}

void JsonLogReader::addRow(const JsonValue &item, const std::string &path,
                           const NcclRow &columns,
                           const std::vector<std::string> &paths) {
  if (std::string problem = checker.check(columns); !problem.empty()) {
    bool isInPlace = problem.find(" in place") != problem.npos;
    std::string key = problem.starts_with("expected algbw")   ? "alg_bw"
                      : problem.starts_with("expected busbw") ? "bus_bw"
                                                              : "";
    return fail(item, key.empty() ? path : paths[isInPlace] + "." + key,
                problem);
  }
  ObjectReader row(context, item, path);
  if (auto reason = checkOrder(log, columns.size))
    return row.fail("size", *reason);
  Sample sample{Bytes(columns.size),
                Microseconds(columns.places.front().time.value)};
  if (!log.samples.empty() && log.samples.back() == sample)
    return row.fail("size", "expected each row once, got the one before again");
  log.samples.push_back(sample);
}

void JsonLogReader::readRows(const std::vector<JsonValue> &results) {
  checker.kind = log.kind;
  checker.numRanks = log.numRanks;
  for (size_t i = 0; i < results.size() && !context.hasFailed(); ++i) {
    const JsonValue &item = results[i];
    std::string path = "results[" + std::to_string(i) + "]";
    ObjectReader row(context, item, path);
    std::string type = row.getText("type"), op = row.getText("redop");
    NcclRow columns;
    columns.type = type;
    columns.op = op;
    std::vector<std::string> paths = readColumns(item, path, columns);
    if (context.hasFailed())
      return;
    sizes.push_back(columns.size);
    if (columns.size > 0)
      addRow(item, path, columns, paths);
  }
}

Result<NcclLog> JsonLogReader::run() {
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
  checkEnd();
  ObjectReader configReader(context, *config, "config");
  readHosts(configReader);
  if (context.hasFailed())
    return Failure{context.problem};
  checkTypes(*results);
  readRows(*results);
  if (log.samples.empty())
    reader.fail("results", "expected rows, got none");
  checkRequested(log, configReader, *args, sizes);
  if (const JsonValue *mean =
          root.find("average_bus_bandwidth")->find("bandwidth");
      mean && mean->kind == JsonValue::Kind::Number)
    checkMeanBusbw(log, {mean->number, 0.005}, times);
  if (context.hasFailed())
    return Failure{context.problem};
  return std::move(log);
}

Result<NcclLog> moe::platform::parseJsonLog(std::string_view text,
                                            const std::string &name) {
  Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  return JsonLogReader(*root, name).run();
}
