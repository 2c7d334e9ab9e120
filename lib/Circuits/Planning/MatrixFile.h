// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files with matrices between servers.

#ifndef MOE_LIB_CIRCUITS_PLANNING_MATRIXFILE_H
#define MOE_LIB_CIRCUITS_PLANNING_MATRIXFILE_H

#include "moe/Fabric/Circuits.h"
#include "moe/Planning/Planner.h"
#include "moe/Support/ObjectReader.h"
#include <type_traits>

namespace moe::planning {

/// Maximum number of servers in a file.
constexpr size_t kMostServers = 1024;

/// Reads a square matrix of numbers >= 0 into `matrix`.
template <typename T>
void readMatrix(support::ReaderContext &context,
                const support::JsonValue &value, const std::string &path,
                cost::Matrix<T> &matrix) {
  size_t n = value.items.size();
  if (value.kind != support::JsonValue::Kind::Array || n == 0 ||
      n > kMostServers)
    return context.fail(value.place, path,
                        "expected a square matrix, an array of 1 to " +
                            std::to_string(kMostServers) +
                            " rows, one per server, got " + value.describe());
  matrix = cost::Matrix<T>(int64_t(n));
  for (size_t i = 0; i < n && !context.hasFailed(); ++i) {
    const support::JsonValue &row = value.items[i];
    std::string rowPath = path + "[" + std::to_string(i) + "]";
    if (row.kind != support::JsonValue::Kind::Array || row.items.size() != n)
      return context.fail(row.place, rowPath,
                          "expected " + std::to_string(n) +
                              " numbers, as many as rows, got " +
                              (row.kind == support::JsonValue::Kind::Array
                                   ? std::to_string(row.items.size())
                                   : row.describe()));
    for (size_t j = 0; j < n && !context.hasFailed(); ++j) {
      const support::JsonValue &item = row.items[j];
      bool isFine = item.kind == support::JsonValue::Kind::Number &&
                    item.number >= 0 &&
                    (std::is_floating_point_v<T> ||
                     (item.isInteger && item.number <= 4096));
      if (!isFine)
        context.fail(item.place, rowPath + "[" + std::to_string(j) + "]",
                     std::string("expected ") +
                         (std::is_floating_point_v<T>
                              ? "a number of at least 0"
                              : "an integer in [0, 4096]") +
                         ", got " + item.describe());
      matrix.at(int64_t(i), int64_t(j)) = T(item.number);
    }
  }
}

/// Reads a file of one object with `read`. A failure is one line with file,
/// position, allowed values and actual value.
std::optional<Failure>
readObjectFile(const std::string &path, const std::string &what,
               llvm::function_ref<void(support::ReaderContext &,
                                       const support::JsonValue &)>
                   read);

} // namespace moe::planning

#endif // MOE_LIB_CIRCUITS_PLANNING_MATRIXFILE_H
