// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of experts for products.

#ifndef MOERT_NCCL_EXPERTRUNS_H
#define MOERT_NCCL_EXPERTRUNS_H

#include "kernels/Runs.h"

namespace moert::nccl {

/// Where rows of experts lie: in the caller's buffer, or packed, one behind the
/// other and expert by expert.
enum class RowPlace { Buffer, Packed };

/// The rows of each expert. A product takes an expert's rows from one piece of
/// memory: where they are several runs of a buffer, they are packed before.
class ExpertRuns {
public:
  /// Of `moert_experts_args` and `moert_experts_grad_args`, verified.
  template <typename Args>
  explicit ExpertRuns(const Args &args) : ExpertRuns(RunArrays(args)) {}

  int64_t getExperts() const { return static_cast<int64_t>(runs.size()); }
  /// Rows of all experts.
  int64_t getRows() const { return packed.back(); }
  int64_t getRows(int64_t expert) const {
    return packed[expert + 1] - packed[expert];
  }
  /// Where a product finds them.
  RowPlace getPlace() const { return place; }
  /// The first row of an expert that has some.
  int64_t getFirst(RowPlace at, int64_t expert) const {
    return at == RowPlace::Packed ? packed[expert] : runs[expert][0].begin;
  }
  const std::vector<Run> &getRuns(int64_t expert) const { return runs[expert]; }
  /// All runs of a buffer, expert by expert.
  std::vector<Run> getRuns() const;
  /// One run for each expert, of rows that products find at `at`.
  std::vector<Run> getExpertRuns(RowPlace at) const;
  /// Whether all experts have as many rows, in their order and without gaps:
  /// one call takes all products.
  bool areEven() const { return isEven; }

private:
  explicit ExpertRuns(const RunArrays &arrays);

  std::vector<std::vector<Run>> runs;
  /// Of each expert, and behind the last.
  std::vector<int64_t> packed = {0};
  RowPlace place = RowPlace::Buffer;
  bool isEven = true;
};

/// What `moert_experts` keeps, or its dgrad hands on: parts of as many rows as
/// the buffer has, packed.
class KeptParts {
public:
  /// `data` may be null: there are none.
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
