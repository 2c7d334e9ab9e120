// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of experts for products.

#ifndef MOERT_NCCL_EXPERTRUNS_H
#define MOERT_NCCL_EXPERTRUNS_H

#include "kernels/Runs.h"
#include "nccl/GroupedTiles.h"

namespace moert::nccl {

/// The place of experts' rows: in the caller's buffer, or packed contiguously,
/// expert by expert.
enum class RowPlace { Buffer, Packed };

/// The rows of each expert. A product requires contiguous rows per expert; if
/// they are several runs of a buffer, they are packed first.
class ExpertRuns {
public:
  /// Takes the runs of verified `moert_experts_args` or
  /// `moert_experts_grad_args`.
  template <typename Args>
  explicit ExpertRuns(const Args &args) : ExpertRuns(RunArrays(args)) {}

  /// Rows of experts that only the device knows, at most `rows`: `list` is in
  /// device memory. Functions below that return the rows of one expert do not
  /// apply.
  ExpertRuns(int64_t experts, int64_t rows, const cuda::GroupRows *list)
      : runs(experts), packed{rows}, isEven(false), list(list) {}

  /// Returns the list of rows that only the device knows, or null.
  const cuda::GroupRows *getList() const { return list; }
  int64_t getExperts() const { return static_cast<int64_t>(runs.size()); }
  /// Returns the rows of all experts.
  int64_t getRows() const { return packed.back(); }
  int64_t getRows(int64_t expert) const {
    return packed[expert + 1] - packed[expert];
  }
  /// Returns the place of the rows for products.
  RowPlace getPlace() const { return place; }
  /// Returns the first row of `expert`, which must have rows.
  int64_t getFirst(RowPlace at, int64_t expert) const {
    return at == RowPlace::Packed ? packed[expert] : runs[expert][0].begin;
  }
  /// Returns the row after the last row of all experts.
  int64_t getEnd(RowPlace at) const;
  const std::vector<Run> &getRuns(int64_t expert) const { return runs[expert]; }
  /// Returns all runs of a buffer, expert by expert.
  std::vector<Run> getRuns() const;
  /// Returns one run per expert, of the rows at `at`.
  std::vector<Run> getExpertRuns(RowPlace at) const;
  /// Returns true if all experts have equally many rows, in order and without
  /// gaps, so that one call computes all products.
  bool areEven() const { return isEven; }
  /// Returns the rows of each expert if they are even, else 0.
  int64_t getEvenRows() const {
    return isEven && getExperts() ? getRows(0) : 0;
  }

private:
  explicit ExpertRuns(const RunArrays &arrays);

  std::vector<std::vector<Run>> runs;
  /// First packed row of each expert, and the number of rows at the end.
  std::vector<int64_t> packed = {0};
  RowPlace place = RowPlace::Buffer;
  bool isEven = true;
  const cuda::GroupRows *list = nullptr;
};

/// The values that `moert_experts` keeps or dgrad hands on: packed parts with
/// as many rows as the buffer.
class KeptParts {
public:
  /// `data` may be null if there are no parts.
  template <typename Args>
  KeptParts(const Args &args, const void *data)
      : data(static_cast<char *>(const_cast<void *>(data))),
        partBytes(RunArrays(args).getBufferExperts() * args.rows * args.ffn *
                  static_cast<int64_t>(moert_type_size(args.type))) {}

  bool exists() const { return data != nullptr; }
  void *get(int64_t part) const { return data + part * partBytes; }

private:
  char *data;
  int64_t partBytes;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_EXPERTRUNS_H
