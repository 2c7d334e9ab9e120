// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of matrices.

#ifndef MOE_SUPPORT_HEATMAP_H
#define MOE_SUPPORT_HEATMAP_H

#include "llvm/ADT/StringRef.h"
#include <functional>

namespace llvm {
class raw_ostream;
}

namespace moe::support {

/// A matrix as an SVG picture with one square per number. Greater numbers are
/// darker, and a tooltip describes each square. It is legible without colors,
/// too: small matrices have their numbers printed.
struct HeatMap {
  /// Titles of the picture and of its sides.
  std::string title, rowTitle, columnTitle;
  int64_t rows = 0, columns = 0;
  /// Returns a value, which is finite and at least 0.
  std::function<double(int64_t row, int64_t column)> value;
  /// Describes a square: "device 0 to 3: 512 tokens".
  std::function<std::string(int64_t row, int64_t column)> describe;

  void print(llvm::raw_ostream &os) const;
};

} // namespace moe::support

#endif // MOE_SUPPORT_HEATMAP_H
