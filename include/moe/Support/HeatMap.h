// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix as a picture.

#ifndef MOE_SUPPORT_HEATMAP_H
#define MOE_SUPPORT_HEATMAP_H

#include "llvm/ADT/StringRef.h"
#include <functional>

namespace llvm {
class raw_ostream;
}

namespace moe::support {

/// A matrix as an SVG picture: a square a number, the darker the greater, with
/// its words when the pointer is over it. Reads without colours, too: small
/// matrices have their numbers printed.
struct HeatMap {
  /// What is shown, above it, and along its sides.
  std::string title, rowTitle, columnTitle;
  int64_t rows = 0, columns = 0;
  /// At least 0 and finite.
  std::function<double(int64_t row, int64_t column)> value;
  /// In words, of a square: "device 0 to 3: 512 tokens".
  std::function<std::string(int64_t row, int64_t column)> describe;

  void print(llvm::raw_ostream &os) const;
};

} // namespace moe::support

#endif // MOE_SUPPORT_HEATMAP_H
