// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements from logs of nccl-tests.

#include "NcclRow.h"
#include "moe/Platform/NcclLog.h"
#include "moe/Support/Json.h"
#include "moe/Support/TextFile.h"

#include <algorithm>
#include <charconv>
#include <map>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

/// Reads a text log line by line.
class TextLog {
public:
  TextLog(std::string_view text, const std::string &name,
          std::optional<CollectiveKind> said)
      : text(text), name(name), said(said) {
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
    NcclRow row;
    row.size = double(*size);
    row.count = double(*count);
    row.type = words[2];
    row.time = *time;
    row.algbw = PrintedNumber::parse(words[numRowNames + 1]);
    row.busbw = PrintedNumber::parse(words[numRowNames + 2]);
    if (numRowNames > 3 && !parse<int64_t>(words[3]))
      row.op = words[3];
    row.kind = log.kind ? log.kind : said;
    row.isKindSaid = !log.kind;
    for (const auto &[host, ranks] : ranksOfHost)
      row.numRanks += ranks;
    if (std::string wrongColumn = checkRow(row); !wrongColumn.empty()) {
      fail(wrongColumn);
      return;
    }
    if (words == lastRow) {
      fail("expected each row once, got that of the line before again");
      return;
    }
    lastRow = words;
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
  std::optional<CollectiveKind> said;
  std::vector<std::string_view> lastRow;
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
// Both
//===----------------------------------------------------------------------===//

Result<NcclLog>
moe::platform::parseNcclLog(std::string_view text, const std::string &name,
                            std::optional<CollectiveKind> said) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos)
    return Failure{name + ": expected a log of nccl-tests, got an empty file"};
  if (text[begin] == '{')
    return parseJsonLog(text, name);
  return TextLog(text, name, said).read();
}

Result<NcclLog>
moe::platform::readNcclLog(const std::string &path,
                           std::optional<CollectiveKind> said) {
  Result<std::string> text = readTextFile(path, "a log of nccl-tests");
  if (!text)
    return text.getFailure();
  return parseNcclLog(*text, path, said);
}
