// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that belong to an expert.

#ifndef MOERT_KERNELS_RUNS_H
#define MOERT_KERNELS_RUNS_H

#include "core/Status.h"
#include "moert.h"
#include <vector>

namespace moert {

/// `count` rows of a buffer, from row `begin` on.
struct Run {
  int64_t begin, count;
  bool operator==(const Run &other) const = default;
};

/// The runs of each expert as callers give them: arrays [runs, experts], or
/// null where the buffer is [experts, rows].
struct RunArrays {
  const int64_t *offsets, *sizes;
  int64_t runs, experts, rows;

  /// Of `moert_experts_args` and `moert_experts_grad_args`.
  template <typename Args>
  explicit RunArrays(const Args &args)
      : offsets(args.run_offsets), sizes(args.run_sizes), runs(args.runs),
        experts(args.experts), rows(args.rows) {}

  /// Numbers of experts and rows that a buffer is made of.
  int64_t getBufferExperts() const { return offsets ? 1 : experts; }
  /// Checks the arrays: both or neither, runs inside of the buffer that do not
  /// overlap.
  Status verify() const;
  /// Rows of one expert in their order, without runs that are empty; those that
  /// follow on each other are one.
  std::vector<Run> get(int64_t expert) const;
};

/// A kernel's arguments as its work keeps them, with what they point to that is
/// the caller's again when the call returns.
template <typename Args> class KeptArgs {
public:
  explicit KeptArgs(const Args &given) : args(given) {
    if constexpr (requires { given.run_offsets; }) {
      if (!given.run_offsets)
        return;
      auto count = static_cast<size_t>(given.experts * given.runs);
      numbers.assign(given.run_offsets, given.run_offsets + count);
      numbers.insert(numbers.end(), given.run_sizes, given.run_sizes + count);
    }
  }
  /// Points into this.
  Args get() const {
    Args own = args;
    if constexpr (requires { own.run_offsets; }) {
      if (own.run_offsets) {
        own.run_offsets = numbers.data();
        own.run_sizes = numbers.data() + numbers.size() / 2;
      }
    }
    return own;
  }

private:
  Args args;
  std::vector<int64_t> numbers;
};

} // namespace moert

#endif // MOERT_KERNELS_RUNS_H
