// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of an nccl-tests table.

#ifndef MOE_LIB_PLATFORM_NCCLCOLUMNS_H
#define MOE_LIB_PLATFORM_NCCLCOLUMNS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

using Words = std::vector<std::string_view>;

/// Splits a line into words at blanks.
Words splitWords(std::string_view line);

/// The positions of a row's values. They are counted from the right because
/// text columns may be blank.
struct NcclColumns {
  /// The columns before the first time: size, count, type, and optionally redop
  /// and root.
  size_t numNames = 0;
  bool hasOperator = false, hasRoot = false;
  /// The number of columns after the names.
  size_t numValues = 0;
  /// Offsets after the names for each operation.
  struct Place {
    size_t time = 0, algbw = 0, busbw = 0;
    std::optional<size_t> wrong;
  };
  std::vector<Place> places;

  static constexpr size_t kLeastNames = 3;

  /// Reads the header of a table. Returns the reason if it cannot, else an
  /// empty string.
  std::string read(const Words &header);
};

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_NCCLCOLUMNS_H
