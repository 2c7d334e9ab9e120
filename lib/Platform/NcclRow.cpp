// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of an nccl-tests table.

#include "NcclRow.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using cost::formatNumber;

Result<CollectiveKind> moe::platform::parseTestName(std::string_view name) {
  static constexpr std::pair<std::string_view, CollectiveKind> kTests[] = {
      {"alltoall_perf", CollectiveKind::AllToAll},
      {"all_gather_perf", CollectiveKind::AllGather},
      {"reduce_scatter_perf", CollectiveKind::ReduceScatter},
      {"all_reduce_perf", CollectiveKind::AllReduce}};
  std::string_view file = name;
  if (size_t slash = file.find_last_of("/\\"); slash != file.npos)
    file.remove_prefix(slash + 1);
  auto isWord = [&](size_t i) {
    return i < file.size() && std::isalnum((unsigned char)file[i]);
  };
  for (auto [test, kind] : kTests) {
    size_t begin = file.find(test);
    if (begin != file.npos && !isWord(begin - 1) &&
        !isWord(begin + test.size()))
      return kind;
  }
  return Failure{"expected alltoall_perf, all_gather_perf, "
                 "reduce_scatter_perf, or all_reduce_perf, got " +
                 support::quote(file)};
}

std::optional<PrintedNumber> PrintedNumber::parse(std::string_view text) {
  PrintedNumber number;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(number.value))
    return std::nullopt;
  std::string_view mantissa = text.substr(0, text.find_first_of("eE"));
  int exponent = 0;
  if (mantissa.size() < text.size()) {
    std::string_view digits = text.substr(mantissa.size() + 1);
    if (digits.starts_with('+'))
      digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  size_t point = mantissa.find('.');
  auto digits = point == mantissa.npos ? 0 : int(mantissa.size() - point - 1);
  number.error = 0.5 * std::pow(10.0, exponent - digits);
  return number;
}

/// Returns the bytes of an element, or 0 for a type that nccl-tests and
/// rccl-tests do not print.
static int64_t getTypeBytes(std::string_view type) {
  static constexpr std::pair<std::string_view, int64_t> kTypes[] = {
      {"int8", 1},     {"uint8", 1},    {"char", 1},     {"f8e4m3", 1},
      {"f8e5m2", 1},   {"fp8_e4m3", 1}, {"fp8_e5m2", 1}, {"half", 2},
      {"bfloat16", 2}, {"int32", 4},    {"uint32", 4},   {"int", 4},
      {"float", 4},    {"int64", 8},    {"uint64", 8},   {"double", 8}};
  for (auto [name, bytes] : kTypes)
    if (type == name)
      return bytes;
  return 0;
}

/// Returns true if a printed bandwidth agrees with `bytes` over the time,
/// within the printed digits.
static bool isRate(const PrintedNumber &printed, double bytes,
                   const PrintedNumber &time) {
  // The test itself rounds in single precision, in addition to the printed
  // digits.
  constexpr double kRounding = 1e-3;
  double longest = time.value + time.error, shortest = time.value - time.error;
  double least = bytes / longest / 1e3 * (1 - kRounding) - printed.error;
  double most = shortest > 0
                    ? bytes / shortest / 1e3 * (1 + kRounding) + printed.error
                    : HUGE_VAL;
  return printed.value >= least && printed.value <= most;
}

static std::string describeRate(const std::string &name, double bytes,
                                const std::string &of,
                                const PrintedNumber &printed,
                                const PrintedNumber &time) {
  return "expected " + name + " of " +
         cost::formatDigits(bytes / time.value / 1e3, 4) + " GB/s, " + of +
         ", got " + formatNumber(printed.value);
}

std::string RowChecker::getSaidKind() const {
  return isKindSaid ? ": the log does not name its test, which is said to be "
                      "of " +
                          std::string(getName(*kind))
                    : "";
}

/// Checks that reducing tests print an operator and other tests print none.
std::string RowChecker::checkOperator(const NcclRow &row) const {
  if (!kind || row.op.empty())
    return "";
  bool isSum = *kind == CollectiveKind::AllReduce ||
               *kind == CollectiveKind::ReduceScatter;
  if (row.op == "none" ? !isSum : isSum)
    return "";
  return std::string("expected ") + (isSum ? "an operator" : "no operator") +
         " in column redop, got " + support::quote(row.op) + getSaidKind();
}

std::string RowChecker::checkCount(const NcclRow &row) const {
  auto bytes = double(getTypeBytes(row.type));
  if (row.type.empty() || numRanks < 1)
    return "";
  if (bytes == 0)
    return "expected a type of nccl-tests, such as float, half or bfloat16, "
           "got " +
           support::quote(row.type);
  double all = row.size / bytes;
  // Tests that divide their buffer count one rank's part, and their sizes are
  // whole multiples of it.
  double part = std::floor(all / double(numRanks));
  if (row.count == all || row.count * double(numRanks) == all)
    return "";
  return "expected a count of " + formatNumber(all) + ", or " +
         formatNumber(part) + " a rank of the " + std::to_string(numRanks) +
         " listed, as the size is " + formatNumber(row.size) + " bytes of " +
         std::string(row.type) + ", got " + formatNumber(row.count);
}

std::string RowChecker::checkTimes(const NcclTimes &times, double size,
                                   const std::string &place) {
  double ranks = double(numRanks);
  bool isSum = kind == CollectiveKind::AllReduce;
  double sent = size * (ranks - 1) / ranks;
  if (times.algbw) {
    bool mayBeOld = ranks > 1 && (!kind || *kind == CollectiveKind::AllGather ||
                                  *kind == CollectiveKind::ReduceScatter);
    bool isNew = isRate(*times.algbw, size, times.time);
    bool isOld = mayBeOld && isRate(*times.algbw, sent, times.time);
    if (isNew != isOld && !isOldAlgbw)
      isOldAlgbw = isOld;
    if (isOldAlgbw.value_or(false) ? !isOld : !isNew)
      return isOldAlgbw.value_or(false)
                 ? describeRate("algbw" + place, sent,
                                "size / time x (n - 1) / n as in the rows "
                                "before",
                                *times.algbw, times.time)
                 : describeRate("algbw" + place, size, "size / time",
                                *times.algbw, times.time);
  }
  if (!times.busbw || !kind || ranks < 2)
    return "";
  double bytes = isSum ? 2 * sent : sent;
  if (isRate(*times.busbw, bytes, times.time))
    return "";
  return describeRate("busbw" + place, bytes,
                      std::string("size / time x ") + (isSum ? "2 " : "") +
                          "(n - 1) / n of the " + std::to_string(numRanks) +
                          " ranks listed",
                      *times.busbw, times.time) +
         getSaidKind();
}

std::string RowChecker::check(const NcclRow &row) {
  std::string problem = checkCount(row);
  if (problem.empty())
    problem = checkOperator(row);
  for (size_t i = 0; i < row.places.size() && problem.empty(); ++i)
    problem = checkTimes(row.places[i], row.size, i == 0 ? "" : " in place");
  return problem;
}

std::optional<uint64_t> RequestedSizes::getNext(uint64_t size) const {
  uint64_t next = 0;
  bool isPast = isFactor ? __builtin_mul_overflow(size, step, &next)
                         : __builtin_add_overflow(size, step, &next);
  if (isPast || next > max || next <= size)
    return std::nullopt;
  return next;
}

std::optional<SizeProblem>
moe::platform::checkSizes(const RequestedSizes &requested,
                          const std::vector<double> &sizes, int64_t numRanks) {
  // Parts of a buffer are whole multiples of 16 bytes, or of a smaller element.
  double mostLost = 16.0 * double(numRanks);
  std::string options = "as minBytes is " + std::to_string(requested.min) +
                        ", maxBytes " + std::to_string(requested.max) +
                        " and step " + std::to_string(requested.step) +
                        (requested.isFactor ? " (factor)" : " (bytes)");
  std::optional<uint64_t> expected = requested.min;
  for (size_t i = 0; i < sizes.size(); ++i) {
    // A run with several cycles (-N) starts again.
    if (!expected)
      expected = requested.min;
    if (sizes[i] > double(*expected) ||
        (sizes[i] <= double(*expected) - mostLost))
      return SizeProblem{i, "expected a row of " + std::to_string(*expected) +
                                " bytes, " + options + ", got " +
                                formatNumber(sizes[i])};
    expected = requested.getNext(*expected);
  }
  if (expected)
    return SizeProblem{sizes.size(), "expected a row of " +
                                         std::to_string(*expected) +
                                         " bytes, " + options + ", got none"};
  return std::nullopt;
}

void moe::platform::checkMeanBusbw(NcclLog &log, const PrintedNumber &stated,
                                   const std::vector<NcclTimes> &rows) {
  double sum = 0, error = 0;
  size_t number = 0;
  for (const NcclTimes &times : rows)
    if (times.busbw) {
      sum += times.busbw->value;
      error += times.busbw->error;
      ++number;
    }
  if (number == 0)
    return;
  double mean = sum / double(number);
  // The mean is printed with six digits.
  double tolerance = error / double(number) + 1e-5 * std::abs(stated.value);
  if (std::abs(mean - stated.value) <= tolerance)
    return;
  log.warnings.push_back(
      "the mean of busbw is " + cost::formatDigits(mean, 4) +
      " GB/s, but the log ends with 'Avg bus bandwidth' of " +
      formatNumber(stated.value) + ": check that no row was changed");
}

std::optional<std::string>
moe::platform::setRanks(NcclLog &log, const std::map<std::string, int64_t> &ranksOfHost) {
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

std::optional<std::string>
moe::platform::checkOrder(const NcclLog &log, double size) {
  if (log.samples.empty() || Bytes(size) >= log.samples.back().size)
    return std::nullopt;
  return "expected rows as the test prints them, by size, got " +
         formatNumber(size) + " bytes behind " +
         formatNumber(log.samples.back().size.value());
}
