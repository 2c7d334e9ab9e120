// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes logs of nccl-tests and reads them again.
//
//   usage: moe-vary-logs --count=N FILE...
//
// A log is wrapped as launchers and log collectors do, which must change nothing, and
// then damaged. A damaged log must be refused, unless it gives the same measurements as
// far as the digits of the log tell. A changed measurement needs at least a warning,
// because users do not look for a wrong row in an accepted log. If a file is named
// KIND.* and does not name its test, it is read as a log of that collective. Variations
// are drawn from a seed, so a failure repeats.

#include "moe/Platform/NcclLog.h"
#include "moe/Support/TextFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <random>

using namespace moe::platform;
using namespace moe::cost;

namespace cl = llvm::cl;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("FILE..."));
static cl::opt<unsigned> count("count", cl::init(100), cl::value_desc("N"),
                               cl::desc("Variations of each file (default "
                                        "100)"));

namespace {

using Lines = std::vector<std::string>;
using Logs = Result<std::vector<NcclLog>>;

Lines splitLines(const std::string &text) {
  Lines lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string join(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

/// Prefixes of lines; "%" is replaced by two digits of seconds.
constexpr const char *kLabels[] = {"[1,0]<stdout>:",
                                   " 0: ",
                                   "[0] ",
                                   "node-0.example: ",
                                   "trainer-1  | ",
                                   "[pod/nccl-x7/main] ",
                                   "2025-10-02T20:23:%.120481233Z ",
                                   "2025-10-02T20:23:%.1Z [1,0]<stdout>:",
                                   "Thu Oct  2 20:23:% 2025[1,0]<stdout>:",
                                   "[2025/10/02 20:23:%] ",
                                   "Oct  2 20:23:% node0 nccl[71]: ",
                                   "[17594366%.25] ",
                                   "\x1b[32m[default0]:\x1b[0m",
                                   "> "};

/// Lines of other programs.
constexpr const char *kOthers[] = {
    "srun: job 12345 queued and waiting for resources",
    "Warning: Permanently added 'node1' (ED25519) to the list of known hosts.",
    "NCCL version 2.26.6+cuda12.8",
    "node0:17:17 [0] NCCL INFO Channel 00/24 : 0 1 2 3 4 5 6 7",
    "node0:17:17 [0] NCCL WARN NET/Plugin : no plugin found",
    "[1,9]<stderr>:16 of 32",
    "rccl-tests: Version HEAD:e1b8a3a",
    "",
    "real 0m12s"};

/// Replacements for a word of a log.
constexpr const char *kWords[] = {"0",
                                  "1",
                                  "-1",
                                  "2",
                                  "3",
                                  "16",
                                  "7.5",
                                  "1e9",
                                  "nan",
                                  "inf",
                                  "N/A",
                                  "float",
                                  "half",
                                  "double",
                                  "sum",
                                  "none",
                                  "on",
                                  "#",
                                  "Rank",
                                  "nThread",
                                  "size",
                                  "time",
                                  "algbw",
                                  "busbw",
                                  "#wrong",
                                  "redop",
                                  "2(factor)",
                                  "4(factor)",
                                  "64(bytes)",
                                  "FAILED",
                                  "OK",
                                  "node0",
                                  "4294967296",
                                  "1073741824",
                                  "2147483648",
                                  "99999999999999999999999",
                                  "all_reduce_perf",
                                  "all_gather_perf",
                                  "alltoall_perf",
                                  "reduce_scatter_perf",
                                  "sendrecv_perf"};

class Variator {
public:
  explicit Variator(unsigned seed) : random(seed) {}

  /// Wraps a text as launchers do.
  Lines wrap(Lines lines) {
    if (below(3) == 0)
      return lines;
    std::string label = below(3) ? pick(kLabels) : "";
    bool hasReturns = below(4) == 0;
    bool isLong = label.size() >= 6 && label.find('%') == label.npos &&
                  label.find('\x1b') == label.npos;
    for (std::string &line : lines) {
      std::string own = label;
      if (size_t at = own.find('%'); at != own.npos)
        own.replace(at, 1, std::to_string(10 + below(50)));
      // A launcher that reads in blocks also labels the middle of a line.
      if (isLong && below(20) == 0 && &line != &lines.front())
        line.insert(below(line.size() + 1), own);
      line = own + line + (hasReturns ? "\r" : "");
    }
    for (size_t i = below(6); i > 0; --i)
      lines.insert(lines.begin() + ptrdiff_t(below(lines.size() + 1)),
                   pick(kOthers));
    return lines;
  }

  std::string damage(Lines lines) {
    std::string text;
    for (size_t i = 1 + (below(4) == 0); i > 0 && !lines.empty(); --i)
      if (below(10) < 7)
        damageLine(lines[below(lines.size())]);
      else
        damageLines(lines);
    text = join(lines);
    isCut = below(12) == 0;
    if (isCut)
      text.resize(below(text.size() + 1));
    return text;
  }

  /// Set if the damaged text ends early.
  bool isCut = false;

private:
  void damageLine(std::string &line) {
    if (line.empty())
      return;
    // The word at a random position, or the next one.
    size_t begin = line.find_first_not_of(" \t", below(line.size()));
    if (begin == line.npos)
      return;
    size_t space = line.find_last_of(" \t", begin);
    begin = space == line.npos ? 0 : space + 1;
    size_t size =
        std::min(line.find_first_of(" \t", begin), line.size()) - begin;
    std::string word = line.substr(begin, size);
    switch (below(9)) {
    case 0:
    case 1:
    case 2:
      changeDigit(word);
      break;
    case 3:
      word = pick(kWords);
      break;
    case 4:
      word = "";
      break;
    case 5:
      word += " " + word;
      break;
    case 6:
      word[below(word.size())] = char(below(256));
      break;
    case 7:
      word.insert(below(word.size() + 1), 1, char('0' + below(10)));
      break;
    case 8:
      word.erase(below(word.size()), 1);
      break;
    }
    line.replace(begin, size, word);
  }

  void changeDigit(std::string &word) {
    for (int tries = 0; tries < 20; ++tries) {
      char &c = word[below(word.size())];
      if (c < '0' || c > '9')
        continue;
      c = char('0' + below(10));
      return;
    }
  }

  void damageLines(Lines &lines) {
    size_t at = below(lines.size()), other = below(lines.size());
    switch (below(4)) {
    case 0:
      lines.erase(lines.begin() + ptrdiff_t(at));
      break;
    case 1:
      lines.insert(lines.begin() + ptrdiff_t(other), lines[at]);
      break;
    case 2:
      std::swap(lines[at], lines[other]);
      break;
    case 3:
      lines[at] = lines[other];
      break;
    }
  }

  template <size_t n> std::string pick(const char *const (&list)[n]) {
    return list[below(n)];
  }
  /// Returns a number from 0 to n - 1; n is at least 1.
  size_t below(size_t n) { return random() % n; }

  std::mt19937 random;
};

/// Returns true if two times are equal within the precision of an algbw with
/// two digits.
bool isSameTime(const Sample &a, const Sample &b) {
  double first = a.size.value() / a.time.value() / 1e3,
         second = b.size.value() / b.time.value() / 1e3;
  // Half of the last digit, and one rounding in each direction.
  return std::abs(first - second) <= 0.011 + 0.0025 * first;
}

/// Returns true if two logs contain the same measurements; `exactly` compares
/// times to the last digit.
bool isSame(std::vector<NcclLog> a, std::vector<NcclLog> b, bool exactly) {
  if (a.size() != b.size())
    return false;
  // Cycles are averaged, so their order does not matter.
  auto isBefore = [](const Sample &x, const Sample &y) {
    return std::pair(x.size, x.time) < std::pair(y.size, y.time);
  };
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].kind != b[i].kind || a[i].numRanks != b[i].numRanks ||
        a[i].numHosts != b[i].numHosts ||
        a[i].samples.size() != b[i].samples.size())
      return false;
    std::sort(a[i].samples.begin(), a[i].samples.end(), isBefore);
    std::sort(b[i].samples.begin(), b[i].samples.end(), isBefore);
    for (size_t j = 0; j < a[i].samples.size(); ++j)
      if (a[i].samples[j].size != b[i].samples[j].size ||
          (exactly ? a[i].samples[j].time != b[i].samples[j].time
                   : !isSameTime(a[i].samples[j], b[i].samples[j])))
        return false;
  }
  return true;
}

/// Returns true if a log lost the name of its test, which moe-profile requires.
bool isNameLost(const std::vector<NcclLog> &before,
                const std::vector<NcclLog> &after) {
  auto isUnnamed = [](const NcclLog &log) { return !log.kind; };
  return std::none_of(before.begin(), before.end(), isUnnamed) &&
         std::any_of(after.begin(), after.end(), isUnnamed);
}

size_t countWarnings(const std::vector<NcclLog> &logs) {
  size_t number = 0;
  for (const NcclLog &log : logs)
    number += log.warnings.size();
  return number;
}

std::optional<CollectiveKind> getSaidKind(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path).split('.').first;
  for (CollectiveKind kind :
       {CollectiveKind::AllToAll, CollectiveKind::AllGather,
        CollectiveKind::ReduceScatter, CollectiveKind::AllReduce})
    if (name == llvm::StringRef(getName(kind)))
      return kind;
  return std::nullopt;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv);
  size_t numRefused = 0, numSame = 0, numDigits = 0, numWarned = 0, numBad = 0;
  auto complain = [&](const std::string &file, unsigned seed,
                      const std::string &what, const std::string &text) {
    ++numBad;
    llvm::errs() << "moe-vary-logs: " << file << ", seed " << seed << ": "
                 << what << "\n"
                 << text << "\n";
  };
  for (const std::string &file : files) {
    Result<std::string> text = moe::support::readTextFile(file, "a log");
    std::optional<CollectiveKind> said = getSaidKind(file);
    Logs original = text ? parseNcclLogs(*text, file, said) : text.getFailure();
    if (!original) {
      llvm::errs() << "moe-vary-logs: error: " << original.getError() << "\n";
      return 2;
    }
    bool isJson = text->starts_with("{");
    for (unsigned seed = 0; seed < count; ++seed) {
      Variator variator(seed);
      Lines lines = splitLines(*text);
      if (!isJson)
        lines = variator.wrap(lines);
      Logs wrapped = parseNcclLogs(join(lines), "log", said);
      if (!wrapped)
        complain(file, seed, "wrapped: " + wrapped.getError(), join(lines));
      else if (!isSame(*original, *wrapped, /*exactly=*/true) ||
               countWarnings(*wrapped) != countWarnings(*original))
        complain(file, seed, "wrapped: reads another measurement", join(lines));

      std::string damaged = variator.damage(lines);
      Logs again = parseNcclLogs(damaged, "log", said);
      // A file that ends between two runs contains the first.
      if (again && variator.isCut && again->size() < original->size())
        again->insert(again->end(),
                      original->begin() + ptrdiff_t(again->size()),
                      original->end());
      if (!again || isNameLost(*original, *again))
        ++numRefused;
      else if (isSame(*original, *again, /*exactly=*/true))
        ++numSame;
      else if (isSame(*original, *again, /*exactly=*/false))
        ++numDigits;
      else if (countWarnings(*again) > countWarnings(*original))
        ++numWarned;
      else
        complain(file, seed, "damaged: reads another measurement", damaged);
    }
  }
  llvm::outs() << numRefused + numSame + numDigits + numWarned + numBad
               << " damaged logs: " << numRefused << " refused, " << numSame
               << " read the same, " << numDigits
               << " read the same but for digits, " << numWarned
               << " read with a warning, " << numBad << " wrong\n";
  return numBad ? 1 : 0;
}
