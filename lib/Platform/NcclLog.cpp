//===- NcclLog.cpp - Measurements from logs of nccl-tests -----------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcclRow.h"
#include "moe/Platform/NcclLog.h"
#include "moe/Support/Json.h"
#include "moe/Support/ObjectReader.h"
#include "moe/Support/TextFile.h"

#include <algorithm>
#include <charconv>
#include <map>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

/// Sets ranks and hosts from the number of ranks of each host, or says why
/// that cannot be.
static std::optional<std::string>
setRanks(NcclLog &log, const std::map<std::string, int64_t> &ranksOfHost) {
  if (ranksOfHost.empty())
    return "expected the ranks under 'Using devices', got none";
  log.numHosts = int64_t(ranksOfHost.size());
  for (const auto &[host, ranks] : ranksOfHost) {
    log.numRanks += ranks;
    if (ranks != ranksOfHost.begin()->second)
      return "expected equally many ranks on all hosts, got " +
             std::to_string(ranksOfHost.begin()->second) + " on " +
             ranksOfHost.begin()->first + " and " + std::to_string(ranks) +
             " on " + host;
  }
  if (log.numRanks < 2)
    return "expected at least two ranks, got one: nothing was communicated";
  return std::nullopt;
}

/// A test goes from its smallest size to its largest; says so where a row does
/// not.
static std::optional<std::string> checkOrder(const NcclLog &log, double size) {
  if (log.samples.empty() || Bytes(size) >= log.samples.back().size)
    return std::nullopt;
  return "expected rows as the test prints them, by size, got " +
         formatNumber(size) + " bytes behind " +
         formatNumber(log.samples.back().size.value());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

/// Reads a text log line by line.
class TextLog {
public:
  TextLog(std::string_view text, const std::string &name)
      : text(text), name(name) {
    log.file = name;
  }

  Result<NcclLog> read() {
    for (std::string_view rest = text; !rest.empty() && problem.empty();) {
      size_t end = rest.find('\n');
      // The last line of a log that was cut has no end.
      isLastCut = end == rest.npos;
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(isLastCut ? rest.size() : end + 1);
      ++lineNumber;
      readLine(line);
    }
    if (problem.empty())
      finish();
    if (!problem.empty())
      return Failure{problem};
    return std::move(log);
  }

private:
  void fail(const std::string &reason) {
    if (problem.empty())
      problem = name + ":" + std::to_string(lineNumber) + ": " + reason;
  }

  static std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
      size_t begin = line.find_first_not_of(" \t\r");
      if (begin == line.npos)
        return words;
      line.remove_prefix(begin);
      size_t end = std::min(line.find_first_of(" \t\r"), line.size());
      words.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }

  template <typename T> static std::optional<T> parse(std::string_view word) {
    T value{};
    auto [end, error] =
        std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      return std::nullopt;
    return value;
  }

  /// Takes away the number that `srun --label` puts in front of what a task
  /// prints: "  0: ". False for lines of another task than the first one's,
  /// which prints the table.
  bool dropLabel(std::vector<std::string_view> &words) {
    std::string_view first = words.front();
    if (first.size() < 2 || first.back() != ':' ||
        !parse<int64_t>(first.substr(0, first.size() - 1)))
      return true;
    if (task.empty() && words.size() > 1 && words[1][0] == '#')
      task = first;
    bool isTable = task.empty() || task == first;
    words.erase(words.begin());
    return isTable;
  }

  void readLine(std::string_view line) {
    std::vector<std::string_view> words = split(line);
    if (words.empty() || !dropLabel(words) || words.empty() ||
        (words[0][0] != '#' && isOfOtherProgram(line)))
      return;
    if (words[0][0] != '#') {
      readRow(words);
      return;
    }
    if (words.size() >= 3 && words[1] == "nThread")
      beginRun();
    else if (words.size() >= 2 && words[1] == "Rank")
      readRank(words);
    else if (words.size() >= 2 && words[1] == "size")
      readHeader(words);
    else if (line.find("Collective test starting:") != line.npos)
      readName(words.back());
    else if (line.find("Out of bounds values") != line.npos)
      readOutOfBounds(words);
    else if (line.find("Avg bus bandwidth") != line.npos)
      readFooter();
  }

  void beginRun() {
    if (runLine != 0)
      fail("expected one run a log, got another; the first begins at line " +
           std::to_string(runLine));
    runLine = lineNumber;
  }

  void readName(std::string_view program) {
    Result<CollectiveKind> kind = parseTestName(program);
    if (!kind)
      fail(kind.getError());
    else if (log.kind && *log.kind != *kind)
      fail("expected one test a log, got another");
    else
      log.kind = *kind;
  }

  /// "#  Rank  0 [Group 0] Pid 12 on host device 0 [0x07] NVIDIA ..."
  void readRank(const std::vector<std::string_view> &words) {
    auto on = std::find(words.begin(), words.end(), "on");
    if (words.end() - on < 2 || !parse<int64_t>(words[2])) {
      fail("expected '# Rank N ... on HOST ...', got another line");
      return;
    }
    ++ranksOfHost[std::string(on[1])];
  }

  void readHeader(const std::vector<std::string_view> &words) {
    if (headerLine != 0) {
      fail("expected one table a log, got another; the first begins at line " +
           std::to_string(headerLine));
      return;
    }
    headerLine = lineNumber;
    std::vector<std::string_view> columns(words.begin() + 1, words.end());
    for (bool withRoot : {true, false}) {
      std::vector<std::string_view> layout = {"size", "count", "type", "redop"};
      if (withRoot)
        layout.push_back("root");
      numNames = layout.size();
      for (int i = 0; i < 2; ++i)
        for (std::string_view column : {"time", "algbw", "busbw"}) {
          layout.push_back(column);
          if (column == "busbw")
            layout.push_back("#wrong");
        }
      if (columns.size() != layout.size())
        continue;
      // What is now the number of wrong elements was the largest error.
      bool isLegacy = columns.back() == "error";
      if (isLegacy)
        layout.back() = layout[layout.size() - 5] = "error";
      hasWrongColumn = !isLegacy;
      if (columns == layout)
        return;
    }
    fail("expected the columns size count type redop [root] and twice time "
         "algbw busbw #wrong (or error), got other columns");
  }

  void readRow(const std::vector<std::string_view> &words) {
    if (headerLine == 0) {
      fail("expected a log of nccl-tests, got " + quote(words[0]) +
           " before any table");
      return;
    }
    if (footerLine != 0) {
      fail("expected nothing behind the table's end in line " +
           std::to_string(footerLine) + ", got " + quote(words[0]));
      return;
    }
    // Columns of text may be blank, so values count from the right.
    constexpr size_t kValues = 8, kLeastNames = 3;
    if (words.size() < kLeastNames + kValues ||
        words.size() > numNames + kValues) {
      fail("expected a row of " + std::to_string(kLeastNames + kValues) +
           " to " + std::to_string(numNames + kValues) + " columns, got " +
           std::to_string(words.size()) +
           (isLastCut ? ": the log ends here" : ""));
      return;
    }
    std::string names;
    size_t numRowNames = words.size() - kValues;
    for (size_t i = 2; i < numRowNames; ++i)
      names += (names.empty() ? "" : " ") + std::string(words[i]);
    if (log.samples.empty() && rowNames.empty()) {
      rowNames = names;
      rowNamesLine = lineNumber;
    } else if (names != rowNames) {
      fail("expected one type and operator a log, " + quote(rowNames) +
           " as in line " + std::to_string(rowNamesLine) + ", got " +
           quote(names));
      return;
    }
    auto size = parse<int64_t>(words[0]), count = parse<int64_t>(words[1]);
    auto time = PrintedNumber::parse(words[numRowNames]);
    if (!size || *size < 0 || !count) {
      fail("expected a size and a count, got " + quote(words[0]) + " and " +
           quote(words[1]));
      return;
    }
    if (!time || !(time->value > 0)) {
      fail("expected a time > 0 us, got " + quote(words[numRowNames]));
      return;
    }
    std::string_view wrong = words[numRowNames + 3];
    if (hasWrongColumn && wrong != "N/A" && parse<double>(wrong) != 0.0) {
      fail("expected results that are right, got " + std::string(wrong) +
           " wrong elements");
      return;
    }
    if (*size == 0)
      return;
    NcclRow row{double(*size), double(*count), words[2],
                *time,
                PrintedNumber::parse(words[numRowNames + 1]),
                PrintedNumber::parse(words[numRowNames + 2]), log.kind};
    for (const auto &[host, ranks] : ranksOfHost)
      row.numRanks += ranks;
    if (std::string wrongColumn = checkRow(row); !wrongColumn.empty()) {
      fail(wrongColumn);
      return;
    }
    addSample(row.size, time->value);
  }

  void addSample(double size, double us) {
    if (auto reason = checkOrder(log, size))
      fail(*reason);
    log.samples.push_back({Bytes(size), Microseconds(us)});
  }

  /// "# Out of bounds values : 0 OK"
  void readOutOfBounds(const std::vector<std::string_view> &words) {
    if (words.back() != "OK")
      fail("expected a run without wrong values, got one with");
  }

  void readFooter() {
    if (footerLine != 0)
      fail("expected one run a log, got another end; the first is at line " +
           std::to_string(footerLine));
    footerLine = lineNumber;
  }

  void finish() {
    if (headerLine == 0)
      fail("expected a log of nccl-tests, got a file without its table");
    else if (footerLine == 0)
      fail("expected the line 'Avg bus bandwidth' at the end, got none: the "
           "log is truncated");
    else if (log.samples.empty())
      fail("expected rows in the table, got none");
    else if (auto reason = setRanks(log, ranksOfHost))
      fail(*reason);
  }

  std::string_view text;
  const std::string &name;
  size_t lineNumber = 0, runLine = 0, headerLine = 0, footerLine = 0;
  /// The label of the task that prints the table; empty without labels.
  std::string_view task;
  bool isLastCut = false;
  /// Columns before the values, and whether #wrong is among the values.
  size_t numNames = 0;
  bool hasWrongColumn = true;
  /// Type, operator and root of the first row.
  std::string rowNames;
  size_t rowNamesLine = 0;
  std::map<std::string, int64_t> ranksOfHost;
  NcclLog log;
  std::string problem;
};

} // namespace

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Reads the parts of the JSON that matter; it has many more keys, which
/// differ between versions.
static Result<NcclLog> parseJsonLog(std::string_view text,
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
    log.samples.push_back({Bytes(size), Microseconds(time)});
  }
  if (log.samples.empty())
    reader.fail("results", "expected rows, got none");
  if (auto reason = setRanks(log, ranksOfHost))
    fail(*config, "config.devices", *reason);
  if (context.hasFailed())
    return Failure{context.problem};
  return log;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

Result<NcclLog> moe::platform::parseNcclLog(std::string_view text,
                                            const std::string &name) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos)
    return Failure{name + ": expected a log of nccl-tests, got an empty file"};
  if (text[begin] == '{')
    return parseJsonLog(text, name);
  return TextLog(text, name).read();
}

Result<NcclLog> moe::platform::readNcclLog(const std::string &path) {
  Result<std::string> text = readTextFile(path, "a log of nccl-tests");
  if (!text)
    return text.getFailure();
  return parseNcclLog(*text, path);
}
