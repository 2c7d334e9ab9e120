// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection of the best scores, and softmax.

#ifndef MOERT_KERNELS_CHOOSE_H
#define MOERT_KERNELS_CHOOSE_H

#include "kernels/Scores.h"
#include <algorithm>
#include <limits>
#include <vector>

namespace moert {

/// Keeps the `count` numbers with the best scores, best first; the lower number
/// wins a tie.
inline void keepBest(std::vector<int64_t> &list,
                     const std::vector<double> &scores, int64_t count) {
  std::partial_sort(list.begin(), list.begin() + count, list.end(),
                    [&](int64_t a, int64_t b) {
                      return comesBefore(scores[a], a, scores[b], b);
                    });
  list.resize(count);
}

/// Computes the softmax in place. All results are NaN if a value is NaN or plus
/// infinity, or all values are minus infinity.
inline void softmax(double *values, int64_t count) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t i = 0; i < count; ++i)
    top = std::max(top, values[i]);
  for (int64_t i = 0; i < count; ++i)
    sum += values[i] = std::exp(values[i] - top);
  for (int64_t i = 0; i < count; ++i)
    values[i] /= sum;
}

} // namespace moert

#endif // MOERT_KERNELS_CHOOSE_H
