// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of an nccl-tests table.

#include "NcclColumns.h"

#include <algorithm>

using namespace moe;
using namespace moe::platform;

Words platform::splitWords(std::string_view line) {
  Words words;
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

std::string NcclColumns::read(const Words &header) {
  const std::string kWrongColumns =
      "expected the columns size count type redop [root] and twice time algbw "
      "busbw #wrong (or error), got other columns";
  if (header.size() < kLeastNames || header[0] != "size" ||
      header[1] != "count" || header[2] != "type")
    return kWrongColumns;
  size_t i = kLeastNames;
  if (i < header.size() && header[i] == "redop") {
    hasOperator = true;
    ++i;
  }
  if (i < header.size() && header[i] == "root") {
    hasRoot = true;
    ++i;
  }
  numNames = i;
  bool hasError = false;
  for (; i < header.size(); ++i) {
    std::string_view column = header[i];
    size_t offset = i - numNames;
    if (column == "cputime")
      return "expected a column time, got cputime, which is how long the CPU "
             "took to launch: run the test without --report_cputime (-C)";
    if (column == "time" && i + 2 < header.size() && header[i + 1] == "algbw" &&
        header[i + 2] == "busbw") {
      places.push_back({offset, offset + 1, offset + 2, std::nullopt});
      i += 2;
    } else if (places.empty()) {
      return kWrongColumns;
    } else if (column == "#wrong" || column == "error") {
      // Before 2022-08 this column was the largest error, which need not be 0.
      if (column == "#wrong")
        places.back().wrong = offset;
      hasError = true;
    } else if (column == "timestamp" && i + 1 == header.size()) {
      // The value consists of a date and a time of day.
      ++numValues;
    } else if (!column.starts_with("i_")) {
      return kWrongColumns;
    }
  }
  numValues += header.size() - numNames;
  if (places.empty() || places.size() > 2 || !hasError)
    return kWrongColumns;
  return "";
}
