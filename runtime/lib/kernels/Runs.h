// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of rows that belong to experts.

#ifndef MOERT_KERNELS_RUNS_H
#define MOERT_KERNELS_RUNS_H

#include "core/Status.h"
#include "moert.h"
#include <vector>

namespace moert {

/// `count` rows of a buffer, starting at row `begin`.
struct Run {
  int64_t begin, count;
  bool operator==(const Run &other) const = default;
};

/// The runs of each expert in the form of the C interface: arrays [runs,
/// experts]; counts of rows that the stream reads; or null if the buffer is
/// [experts, rows].
struct RunArrays {
  const int64_t *offsets, *sizes;
  int64_t runs, experts, rows;
  const void *counts;
  moert_type countsType;

  /// Takes the arrays of `moert_experts_args` or `moert_experts_grad_args`.
  template <typename Args>
  explicit RunArrays(const Args &args)
      : offsets(args.run_offsets), sizes(args.run_sizes), runs(args.runs),
        experts(args.experts), rows(args.rows), counts(args.row_counts),
        countsType(args.row_counts_type) {}

  /// Returns `experts` for a buffer [experts, rows], and 1 for a buffer with
  /// runs.
  int64_t getBufferExperts() const { return offsets || counts ? 1 : experts; }
  /// Checks that both arrays or none are given, and that runs are inside of the
  /// buffer and do not overlap.
  Status verify() const;
  /// Returns the nonempty runs of one expert in order, merging contiguous ones;
  /// not for counts (`CountedRuns`).
  std::vector<Run> get(int64_t expert) const;
};

/// The runs that counts of rows stand for. The counts must be readable.
class CountedRuns {
public:
  /// Reads counts of a type at `data`.
  Status read(const RunArrays &arrays, const void *data);
  /// Returns the rows of each expert.
  const int64_t *getSizes() const { return sizes.data(); }
  /// Returns the arguments with the runs instead of counts. The result points
  /// into this object.
  template <typename Args> Args get(Args args) const {
    args.row_counts = nullptr;
    args.run_offsets = offsets.data();
    args.run_sizes = sizes.data();
    args.runs = 1;
    return args;
  }

private:
  std::vector<int64_t> offsets, sizes;
};

/// Calls `run` with the runs of arguments with counts, whose time to be read
/// has come.
template <typename Args>
Status runCounted(const Args &args, Status (*run)(const Args &)) {
  CountedRuns runs;
  Status status = runs.read(RunArrays(args), args.row_counts);
  return status.ok() ? run(runs.get(args)) : status;
}

/// A copy of a kernel's arguments and of the arrays that the caller may reuse
/// after the call.
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
  /// The result points into this object.
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
