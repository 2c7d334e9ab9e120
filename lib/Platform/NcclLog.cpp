// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads measurements from nccl-tests logs.
//
// A log contains the lines of one nccl-tests process, mixed with output of
// NCCL, the launcher and the shell. A line belongs to the test if it is one of
// the comments below, or if it begins with two numbers inside the table. All
// other lines are skipped. To detect lost rows, the rows are finally compared
// with the sizes that the log's first comment requests.

#include "moe/Platform/NcclLog.h"
#include "LauncherPrefix.h"
#include "NcclColumns.h"
#include "NcclRow.h"
#include "moe/Support/Json.h"
#include "moe/Support/TextFile.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <set>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {

/// The nccl-tests comments that are parsed.
enum class Comment {
  Version,
  Starting,
  Options,
  Devices,
  Rank,
  Reduced,
  Header,
  OutOfBounds,
  Mean,
  Concluded
};

struct CommentMark {
  Comment comment;
  std::string_view text;
};

constexpr CommentMark kMarks[] = {
    {Comment::Version, "nccl-tests version "},
    {Comment::Starting, "Collective test starting:"},
    {Comment::Options, "nThread "},
    {Comment::Devices, "Using devices"},
    {Comment::Rank, "Rank "},
    {Comment::Reduced, "Reducing maxBytes to "},
    {Comment::Header, "size "},
    {Comment::OutOfBounds, "Out of bounds values"},
    {Comment::Mean, "Avg bus bandwidth"},
    {Comment::Concluded, "Collective test concluded:"}};

/// Returns the comment at the start of `text`: "#   Rank  0 ...".
std::optional<Comment> getComment(std::string_view text) {
  if (!text.starts_with('#'))
    return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of(" \t", 1), text.size()));
  for (const CommentMark &mark : kMarks)
    if (text.starts_with(mark.text))
      return mark.comment;
  return std::nullopt;
}

/// Returns the first comment in a line and its position.
std::optional<std::pair<size_t, Comment>> findComment(std::string_view line) {
  for (size_t begin = line.find('#'); begin != line.npos;
       begin = line.find('#', begin + 1))
    if (std::optional<Comment> comment = getComment(line.substr(begin)))
      return std::pair(begin, *comment);
  return std::nullopt;
}

template <typename T> std::optional<T> parseWhole(std::string_view word) {
  T value{};
  auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    return std::nullopt;
  return value;
}

/// Parses the word after `key` as a number.
template <typename T>
std::optional<T> findNumber(const Words &words, std::string_view key) {
  auto at = std::find(words.begin(), words.end(), key);
  if (words.end() - at < 2)
    return std::nullopt;
  return parseWhole<T>(at[1]);
}

/// Returns true if the line contains output of NCCL itself.
bool hasNcclOutput(std::string_view line) {
  return line.find("NCCL INFO") != line.npos ||
         line.find("NCCL WARN") != line.npos;
}

bool isWholeNumber(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Reads the text log of one run line by line.
class TextLog {
public:
  /// `before` is the prefix of the previous run, which this run probably
  /// shares.
  TextLog(const std::string &name, std::optional<CollectiveKind> said,
          const LauncherPrefix &before = {})
      : name(name), said(said), prefix(before) {
    log.file = name;
  }

  const LauncherPrefix &getPrefix() const { return prefix; }
  /// Returns the comment of a line, with the run's prefix or another one.
  std::optional<Comment> findCommentOf(std::string_view line) const;

  const std::string &getProblem() const { return problem; }
  bool hasEnded() const { return footerLine != 0; }
  /// Returns true after a comment of nccl-tests was read.
  bool hasBegun() const { return firstLine != 0; }

  /// Reads one line. `isCut` means that the file ends in this line.
  void readLine(const std::string &line, size_t number, bool isCut);

  /// Checks that the run is complete.
  void finish();

  NcclLog log;
  /// Line of the run's first comment; 0 before it is read.
  size_t firstLine = 0;

private:
  void fail(const std::string &reason) { failAt(lineNumber, reason); }
  void failAt(size_t line, const std::string &reason) {
    if (problem.empty())
      problem = name + ":" + std::to_string(line) + ": " + reason;
  }

  /// Returns the line without its prefix, or nothing if it belongs to another
  /// task. The first comment sets the prefix.
  std::optional<std::string> stripPrefix(std::string_view line);
  void passOver(std::string_view line);
  void readComment(Comment comment, const std::string &line,
                   const Words &words);
  void readOptions(const Words &words);
  void readName(const Words &words);
  void readRank(const Words &words);
  void readHeader(const Words &words);
  void readRow(const std::string &line, const Words &words, bool isCut);
  void readOutOfBounds(const Words &words);
  void readMean(const Words &words);
  void checkRanks();
  bool looksLikeRow(const Words &words) const;

  const std::string &name;
  std::optional<CollectiveKind> said;
  std::string problem;
  size_t lineNumber = 0, optionsLine = 0, headerLine = 0, footerLine = 0;

  LauncherPrefix prefix;
  size_t numPassedOver = 0, firstPassedOver = 0;
  std::string firstPassedOverText;

  std::optional<RequestedSizes> requested;
  /// Ranks per process according to the options.
  int64_t ranksPerProcess = 0;
  std::map<std::string, int64_t> ranksOfHost;
  std::set<int64_t> ranks, groups;
  std::set<std::pair<std::string, std::string>> processes;

  NcclColumns columns;
  RowChecker checker;
  /// Type, operator and root of the first row.
  std::string rowNames;
  size_t rowNamesLine = 0;
  /// The previous row, without the spaces between words.
  std::string lastRow;
  std::map<std::string, size_t> rowLines;
  std::vector<double> sizes;
  std::vector<size_t> sizeLines;
  std::vector<NcclTimes> times;
  std::optional<PrintedNumber> mean;
};

/// Returns the comment of a line if the line has the prefix.
static std::optional<Comment> findComment(const LauncherPrefix &prefix,
                                          std::string_view line) {
  std::optional<std::string> text = prefix.strip(line);
  size_t begin = text ? text->find_first_not_of(" \t") : std::string::npos;
  return begin == std::string::npos
             ? std::nullopt
             : getComment(std::string_view(*text).substr(begin));
}

std::optional<Comment> TextLog::findCommentOf(std::string_view line) const {
  if (std::optional<Comment> comment = findComment(prefix, line))
    return comment;
  auto found = findComment(line);
  return found ? std::optional(found->second) : std::nullopt;
}

std::optional<std::string> TextLog::stripPrefix(std::string_view line) {
  auto comment = findComment(line);
  bool hasPrefix = findComment(prefix, line).has_value();
  if (!hasBegun()) {
    if (!hasPrefix && !comment)
      return std::string(line);
    firstLine = lineNumber;
    if (!hasPrefix)
      prefix = LauncherPrefix(line.substr(0, comment->first));
  } else if (comment && comment->second == Comment::Options && !hasPrefix &&
             !hasEnded()) {
    fail("expected lines of one task, got another that prints a table, too; "
         "the first begins at line " +
         std::to_string(firstLine) +
         ": log each task into its own file, and check that the test was "
         "built with MPI=1");
    return std::nullopt;
  }
  return prefix.strip(line);
}

void TextLog::passOver(std::string_view line) {
  if (numPassedOver++ > 0)
    return;
  firstPassedOver = lineNumber;
  constexpr size_t kMostShown = 60;
  firstPassedOverText = line.size() > kMostShown
                            ? std::string(line.substr(0, kMostShown)) + "..."
                            : std::string(line);
}

/// Returns true if the line is a row or may be one. Rows begin with two whole
/// numbers, but a file may end after the first one. Outside the table, a row
/// must have at least the mandatory columns.
bool TextLog::looksLikeRow(const Words &words) const {
  constexpr size_t kLeastValues = 4;
  if (!isWholeNumber(words[0]))
    return false;
  if (headerLine != 0 && !hasEnded())
    return words.size() == 1 || isWholeNumber(words[1]);
  return hasBegun() &&
         words.size() >= NcclColumns::kLeastNames + kLeastValues &&
         isWholeNumber(words[1]) &&
         (words.back() == "N/A" ||
          isWholeNumber(words.back().substr(words.back().size() - 1)));
}

void TextLog::readLine(const std::string &line, size_t number, bool isCut) {
  lineNumber = number;
  if (splitWords(line).empty())
    return;
  std::optional<std::string> text = stripPrefix(line);
  Words words = text ? splitWords(*text) : Words();
  if (text && words.empty())
    return;
  if (!text) {
    passOver(line);
    return;
  }
  if (words[0].starts_with('#')) {
    std::string_view comment = std::string_view(*text).substr(text->find('#'));
    if (std::optional<Comment> known = getComment(comment))
      readComment(*known, line, splitWords(comment.substr(1)));
    return;
  }
  if (looksLikeRow(words))
    readRow(line, words, isCut);
  else
    passOver(line);
}

void TextLog::readComment(Comment comment, const std::string &line,
                          const Words &words) {
  switch (comment) {
  case Comment::Version:
  case Comment::Devices:
    return;
  case Comment::Starting:
  case Comment::Concluded:
    return readName(words);
  case Comment::Options:
    return readOptions(words);
  case Comment::Rank:
    return readRank(words);
  case Comment::Reduced:
    if (std::optional<uint64_t> most = findNumber<uint64_t>(words, "to");
        most && requested) {
      requested->max = *most;
      requested->min = std::min(requested->min, *most);
    }
    return;
  case Comment::Header:
    return readHeader(words);
  case Comment::OutOfBounds:
    return readOutOfBounds(words);
  case Comment::Mean:
    return readMean(words);
  }
}

/// "nThread 1 nGpus 1 minBytes 8 maxBytes 1024 step: 2(factor) ..."
void TextLog::readOptions(const Words &words) {
  if (optionsLine != 0)
    return fail("expected one run a log, got another; the first begins at "
                "line " +
                std::to_string(optionsLine));
  optionsLine = lineNumber;
  auto threads = findNumber<int64_t>(words, "nThread"),
       devices = findNumber<int64_t>(words, "nGpus");
  RequestedSizes sizes;
  auto min = findNumber<uint64_t>(words, "minBytes"),
       max = findNumber<uint64_t>(words, "maxBytes");
  auto at = std::find(words.begin(), words.end(), "step:");
  std::string_view step = words.end() - at >= 2 ? at[1] : "";
  size_t unit = std::min(step.find('('), step.size());
  std::optional<uint64_t> number = parseWhole<uint64_t>(step.substr(0, unit));
  sizes.isFactor = step.substr(unit) == "(factor)";
  if (!threads || !devices || *threads < 1 || *devices < 1 ||
      *threads > (1 << 20) || *devices > (1 << 20) || !min || !max ||
      *min > *max || !number ||
      (!sizes.isFactor && step.substr(unit) != "(bytes)"))
    return fail("expected '# nThread N nGpus N minBytes N maxBytes N step: "
                "N(factor) ...' or '(bytes)', got another line");
  sizes.min = *min;
  sizes.max = *max;
  sizes.step = *number;
  requested = sizes;
  ranksPerProcess = *threads * *devices;
}

void TextLog::readName(const Words &words) {
  Result<CollectiveKind> kind = parseTestName(words.back());
  if (!kind)
    fail(kind.getError());
  else if (log.kind && *log.kind != *kind)
    fail("expected one test a log, got another");
  else if (headerLine == 0)
    // A name after the table comes too late to check the rows.
    log.kind = *kind;
}

/// "Rank  0 [Group 0] Pid 12 on host device 0 [0x07] NVIDIA ..."
void TextLog::readRank(const Words &words) {
  auto on = std::find(words.begin(), words.end(), "on");
  auto rank = findNumber<int64_t>(words, "Rank");
  if (words.end() - on < 2 || !rank)
    return fail("expected '# Rank N ... on HOST ...', got another line");
  if (headerLine != 0)
    return fail(
        "expected all ranks before the table, whose header is in line " +
        std::to_string(headerLine));
  if (!ranks.insert(*rank).second)
    return fail("expected each rank once, got rank " + std::to_string(*rank) +
                " again");
  std::string host(on[1]);
  ++ranksOfHost[host];
  auto pid = std::find(words.begin(), on, "Pid");
  if (on - pid >= 2)
    processes.emplace(host, pid[1]);
  if (std::optional<int64_t> group = findNumber<int64_t>(words, "Group"))
    groups.insert(*group);
  if (groups.size() > 1)
    fail("expected the ranks of one group, got several groups, by "
         "NCCL_TESTS_SPLIT: run the test without it");
}

void TextLog::readHeader(const Words &words) {
  if (headerLine != 0)
    return fail("expected one table a log, got another; the first begins at "
                "line " +
                std::to_string(headerLine));
  headerLine = lineNumber;
  if (std::string problem = columns.read(words); !problem.empty())
    return fail(problem);
  checker.kind = log.kind ? log.kind : said;
  checker.isKindSaid = !log.kind;
  checker.numRanks = int64_t(ranks.size());
  // all_gather_perf had no column redop before 51af557 (2022-08-19);
  // alltoall_perf and the two reducing tests have always had one.
  if (!columns.hasOperator && checker.kind &&
      *checker.kind != CollectiveKind::AllGather)
    fail("expected a column redop in a log of " +
         std::string(getName(*checker.kind)) + ", got none");
}

void TextLog::readRow(const std::string &line, const Words &words, bool isCut) {
  if (headerLine == 0)
    return fail("expected the table's header, got a row");
  if (footerLine != 0)
    return fail("expected no row after the table's end in line " +
                std::to_string(footerLine) + ", got one of " +
                std::string(words[0]) + " bytes");
  size_t numValues = columns.numValues;
  if (words.size() < NcclColumns::kLeastNames + numValues ||
      words.size() > columns.numNames + numValues)
    return fail(
        "expected a row of " +
        (columns.numNames == NcclColumns::kLeastNames
             ? ""
             : std::to_string(NcclColumns::kLeastNames + numValues) + " to ") +
        std::to_string(columns.numNames + numValues) + " columns, got " +
        std::to_string(words.size()) +
        (isCut                 ? ": the log ends here"
         : hasNcclOutput(line) ? ": NCCL printed into the row; set "
                                 "NCCL_DEBUG_FILE to keep it apart"
                               : ""));
  size_t numRowNames = words.size() - numValues;
  std::string names;
  for (size_t i = 2; i < numRowNames; ++i)
    names += (names.empty() ? "" : " ") + std::string(words[i]);
  if (rowNamesLine == 0) {
    rowNames = names;
    rowNamesLine = lineNumber;
  } else if (names != rowNames) {
    return fail("expected one type and operator a log, " + quote(rowNames) +
                " as in line " + std::to_string(rowNamesLine) + ", got " +
                quote(names) +
                "; run the test with one type (-d) and one "
                "operator (-o) per log");
  }
  auto size = parseWhole<int64_t>(words[0]),
       count = parseWhole<int64_t>(words[1]);
  if (!size || !count)
    return fail("expected a size and a count, got " + quote(words[0]) +
                " and " + quote(words[1]));

  NcclRow row;
  row.size = double(*size);
  row.count = double(*count);
  row.type = words[2];
  if (numRowNames > NcclColumns::kLeastNames && !parseWhole<int64_t>(words[3]))
    row.op = words[3];
  for (const NcclColumns::Place &place : columns.places) {
    auto get = [&](size_t offset) { return words[numRowNames + offset]; };
    NcclTimes values;
    auto time = PrintedNumber::parse(get(place.time));
    if (!time || !(time->value > 0 || (time->value == 0 && *size == 0)))
      return fail("expected a time > 0 us, got " + quote(get(place.time)));
    values.time = *time;
    values.algbw = PrintedNumber::parse(get(place.algbw));
    values.busbw = PrintedNumber::parse(get(place.busbw));
    if (!values.algbw || !values.busbw)
      return fail("expected bandwidths in GB/s, got " +
                  quote(get(place.algbw)) + " and " + quote(get(place.busbw)));
    if (place.wrong && get(*place.wrong) != "N/A" &&
        parseWhole<double>(get(*place.wrong)) != 0.0)
      return fail("expected results that are right, got " +
                  std::string(get(*place.wrong)) + " wrong elements");
    row.places.push_back(values);
    times.push_back(values);
  }
  sizes.push_back(row.size);
  sizeLines.push_back(lineNumber);
  if (*size == 0)
    return;
  if (std::string wrongColumn = checker.check(row); !wrongColumn.empty())
    return fail(wrongColumn);
  std::string joined;
  for (std::string_view word : words)
    joined += std::string(word) + " ";
  if (joined == lastRow)
    return fail("expected each row once, got that of the line before again");
  lastRow = joined;
  // Two cycles rarely have the same times to the last digit.
  if (auto [before, isNew] = rowLines.emplace(joined, lineNumber); !isNew)
    log.warnings.push_back("line " + std::to_string(lineNumber) +
                           " repeats the row of line " +
                           std::to_string(before->second));
  // A run with several cycles (-N) starts again; `checkSizes` requires complete
  // cycles.
  bool isNewCycle = requested && !log.samples.empty() &&
                    Bytes(row.size) == log.samples.front().size;
  if (auto reason = isNewCycle ? std::nullopt : checkOrder(log, row.size))
    return fail(*reason);
  log.samples.push_back(
      {Bytes(row.size), Microseconds(row.places.front().time.value)});
}

/// "Out of bounds values : 0 OK"
void TextLog::readOutOfBounds(const Words &words) {
  size_t last = words.size() - 1;
  if (words.back() != "OK" || words[last - 1] != "0")
    fail("expected a run without wrong values, got one with");
}

/// "Avg bus bandwidth    : 121.902 [OK]"
void TextLog::readMean(const Words &words) {
  if (footerLine != 0)
    return fail("expected one run a log, got another end; the first is at "
                "line " +
                std::to_string(footerLine));
  footerLine = lineNumber;
  auto colon = std::find(words.begin(), words.end(), ":");
  if (words.end() - colon >= 2)
    mean = PrintedNumber::parse(colon[1]);
  if (!mean)
    fail("expected 'Avg bus bandwidth : N', got another line");
}

void TextLog::checkRanks() {
  if (*ranks.begin() != 0 || *ranks.rbegin() != log.numRanks - 1)
    return failAt(headerLine, "expected the ranks 0 to " +
                                  std::to_string(log.numRanks - 1) +
                                  " under 'Using devices', got " +
                                  std::to_string(*ranks.begin()) + " to " +
                                  std::to_string(*ranks.rbegin()));
  if (ranksPerProcess == 0)
    return;
  // Processes in containers may share a number, so this is a lower bound.
  if (log.numRanks % ranksPerProcess != 0 ||
      int64_t(processes.size()) * ranksPerProcess > log.numRanks)
    log.warnings.push_back(
        "nThread times nGpus is " + std::to_string(ranksPerProcess) +
        " ranks per process, but " + std::to_string(log.numRanks) +
        " ranks of " + std::to_string(processes.size()) +
        (processes.size() == 1 ? " process are" : " processes are") +
        " listed: the listed ranks are taken, as counts agree with them");
}

void TextLog::finish() {
  if (!problem.empty())
    return;
  if (headerLine == 0)
    return fail("expected a log of nccl-tests, got a file without its table");
  if (footerLine == 0)
    return fail("expected the line 'Avg bus bandwidth' at the end, got none: "
                "the log is truncated");
  if (log.samples.empty())
    return fail("expected rows in the table, got none");
  if (auto reason = setRanks(log, ranksOfHost))
    return fail(*reason);
  checkRanks();
  if (requested)
    if (auto wrong = checkSizes(*requested, sizes, log.numRanks))
      failAt(wrong->row < sizes.size() ? sizeLines[wrong->row] : footerLine,
             wrong->reason);
  checkMeanBusbw(log, *mean, times);
  if (columns.places.size() == 1)
    log.warnings.push_back("it has times of the operation in place only");
  if (numPassedOver > 0)
    log.remark = "passed over " + std::to_string(numPassedOver) +
                 (numPassedOver == 1 ? " line that is not of nccl-tests, "
                                     : " lines that are not of nccl-tests, "
                                       "the first in ") +
                 "line " + std::to_string(firstPassedOver) + ": " +
                 quote(firstPassedOverText);
}

/// Reads the consecutive runs of a text.
Result<std::vector<NcclLog>> parseTextLogs(std::string_view text,
                                           const std::string &name,
                                           std::optional<CollectiveKind> said) {
  std::deque<TextLog> runs;
  runs.emplace_back(name, said);
  size_t lineNumber = 0;
  for (std::string_view rest = text;
       !rest.empty() && runs.back().getProblem().empty();) {
    size_t end = rest.find('\n');
    // The last line of a truncated log has no newline.
    bool isCut = end == rest.npos;
    std::string line = cleanLine(rest.substr(0, end));
    rest.remove_prefix(isCut ? rest.size() : end + 1);
    ++lineNumber;
    // A finished run is followed by another run or by other programs.
    const TextLog &last = runs.back();
    if (last.hasEnded()) {
      std::optional<Comment> comment = last.findCommentOf(line);
      if (comment == Comment::Version || comment == Comment::Starting ||
          comment == Comment::Options)
        runs.emplace_back(name, said, last.getPrefix());
    }
    runs.back().readLine(line, lineNumber, isCut);
  }
  std::vector<NcclLog> logs;
  for (TextLog &run : runs) {
    run.finish();
    if (!run.getProblem().empty())
      return Failure{run.getProblem()};
    if (runs.size() > 1)
      run.log.file = name + ":" + std::to_string(run.firstLine);
    logs.push_back(std::move(run.log));
  }
  return logs;
}

} // namespace

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

Result<std::vector<NcclLog>>
moe::platform::parseNcclLogs(std::string_view text, const std::string &name,
                             std::optional<CollectiveKind> said) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos)
    return Failure{name + ": expected a log of nccl-tests, got an empty file"};
  if (text[begin] != '{')
    return parseTextLogs(text, name, said);
  Result<NcclLog> log = parseJsonLog(text, name);
  if (!log)
    return log.getFailure();
  return std::vector<NcclLog>{std::move(*log)};
}

Result<std::vector<NcclLog>>
moe::platform::readNcclLogs(const std::string &path,
                            std::optional<CollectiveKind> said) {
  Result<std::string> text = readTextFile(path, "a log of nccl-tests");
  if (!text)
    return text.getFailure();
  return parseNcclLogs(*text, path, said);
}
