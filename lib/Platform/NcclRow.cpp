// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of a log of nccl-tests.

#include "NcclRow.h"
#include "moe/Support/Json.h"

#include <charconv>
#include <cmath>
#include <utility>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using support::formatNumber;

Result<CollectiveKind>
moe::platform::parseTestName(std::string_view name) {
  if (size_t slash = name.find_last_of("/\\"); slash != name.npos)
    name.remove_prefix(slash + 1);
  if (name == "alltoall_perf")
    return CollectiveKind::AllToAll;
  if (name == "all_gather_perf")
    return CollectiveKind::AllGather;
  if (name == "reduce_scatter_perf")
    return CollectiveKind::ReduceScatter;
  if (name == "all_reduce_perf")
    return CollectiveKind::AllReduce;
  return Failure{"expected alltoall_perf, all_gather_perf, "
                 "reduce_scatter_perf, or all_reduce_perf, got " +
                 support::quote(name)};
}

std::optional<PrintedNumber> PrintedNumber::parse(std::string_view text) {
  PrintedNumber number;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(number.value))
    return std::nullopt;
  size_t point = text.find('.');
  auto digits = point == text.npos ? 0 : int(text.size() - point - 1);
  number.error = 0.5 * std::pow(10.0, -digits);
  return number;
}

bool moe::platform::isOfOtherProgram(std::string_view line) {
  for (std::string_view mark :
       {" NCCL INFO ", " NCCL WARN ", "NCCL version ", "srun: ", "pyxis: ",
        "slurmstepd: "})
    if (line.find(mark) != line.npos)
      return true;
  return false;
}

static int64_t getTypeBytes(std::string_view type) {
  static constexpr std::pair<std::string_view, int64_t> kTypes[] = {
      {"int8", 1},   {"uint8", 1},  {"f8e4m3", 1}, {"f8e5m2", 1},
      {"half", 2},   {"bfloat16", 2}, {"int32", 4}, {"uint32", 4},
      {"float", 4},  {"int64", 8},  {"uint64", 8}, {"double", 8}};
  for (auto [name, bytes] : kTypes)
    if (type == name)
      return bytes;
  return 0;
}

static std::string describe(double number) {
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof(text), number,
                                    std::chars_format::general, 4);
  return error == std::errc() ? std::string(text, end) : formatNumber(number);
}

/// Whether a bandwidth is `factor` times size over time.
static std::string checkBandwidth(const char *name, const char *of,
                                  const PrintedNumber &printed, double factor,
                                  const NcclRow &row) {
  auto getRate = [&](double us) { return factor * row.size / us / 1e3; };
  // Beside the digits, what a float of the test itself rounds.
  constexpr double kRounding = 1e-3;
  double longest = row.time.value + row.time.error,
         shortest = row.time.value - row.time.error;
  double least = getRate(longest) * (1 - kRounding) - printed.error;
  double most =
      shortest > 0 ? getRate(shortest) * (1 + kRounding) + printed.error
                   : HUGE_VAL;
  if (printed.value >= least && printed.value <= most)
    return "";
  return std::string("expected ") + name + " of " +
         describe(getRate(row.time.value)) + " GB/s, " + of + ", got " +
         formatNumber(printed.value);
}

/// What a row says against what it is said to be of.
static std::string getReason(const NcclRow &row) {
  return row.isKindSaid ? ": the log does not name its test, which is said to "
                          "be of " +
                              std::string(getName(*row.kind))
                        : "";
}

/// Sums print an operator, what only moves data prints none.
static std::string checkOperator(const NcclRow &row) {
  if (!row.kind || row.op.empty())
    return "";
  bool isSum = *row.kind == CollectiveKind::AllReduce ||
               *row.kind == CollectiveKind::ReduceScatter;
  if (row.op == "none" ? !isSum : isSum)
    return "";
  return std::string("expected ") + (isSum ? "an operator" : "no operator") +
         " in column redop, got " + support::quote(row.op) + getReason(row);
}

std::string moe::platform::checkRow(const NcclRow &row) {
  double ranks = double(row.numRanks);
  if (double bytes = double(getTypeBytes(row.type)); bytes > 0 && ranks > 0) {
    // By some versions counts are of one rank's part.
    double all = row.size / bytes, part = all / ranks;
    if (std::abs(row.count - all) >= 1 && std::abs(row.count - part) >= 1)
      return "expected a count of " + formatNumber(all) + ", or " +
             formatNumber(std::floor(part)) + " a rank of the " +
             std::to_string(row.numRanks) + " listed, as the size is " +
             formatNumber(row.size) + " bytes of " + std::string(row.type) +
             ", got " + formatNumber(row.count);
  }
  if (std::string problem = checkOperator(row); !problem.empty())
    return problem;
  if (row.algbw)
    if (std::string problem =
            checkBandwidth("algbw", "size / time", *row.algbw, 1, row);
        !problem.empty())
      return problem;
  if (!row.busbw || !row.kind || ranks < 2)
    return "";
  double factor = (ranks - 1) / ranks;
  bool isSum = *row.kind == cost::CollectiveKind::AllReduce;
  std::string of = std::string("size / time x ") + (isSum ? "2 " : "") +
                   "(n - 1) / n of the " + std::to_string(row.numRanks) +
                   " ranks listed";
  std::string problem = checkBandwidth("busbw", of.c_str(), *row.busbw,
                                       isSum ? 2 * factor : factor, row);
  return problem.empty() ? "" : problem + getReason(row);
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
