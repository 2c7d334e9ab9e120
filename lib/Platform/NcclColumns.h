// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The columns of a table of nccl-tests.

#ifndef MOE_LIB_PLATFORM_NCCLCOLUMNS_H
#define MOE_LIB_PLATFORM_NCCLCOLUMNS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

using Words = std::vector<std::string_view>;

/// The words of a line, without the blanks between them.
Words splitWords(std::string_view line);

/// Where the values of a row are. Columns of text may be blank, so all are
/// counted from the right.
struct NcclColumns {
  /// Before the first time: size, count, type, perhaps redop and root.
  size_t numNames = 0;
  bool hasOperator = false, hasRoot = false;
  /// Behind the names.
  size_t numValues = 0;
  /// Offsets behind the names, for each operation.
  struct Place {
    size_t time = 0, algbw = 0, busbw = 0;
    std::optional<size_t> wrong;
  };
  std::vector<Place> places;

  static constexpr size_t kLeastNames = 3;

  /// Reads the header of a table. Returns why it cannot; empty if it can.
  std::string read(const Words &header);
};

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_NCCLCOLUMNS_H
