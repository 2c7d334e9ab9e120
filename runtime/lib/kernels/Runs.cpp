// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of rows that belong to experts.

#include "kernels/Runs.h"
#include "core/Types.h"
#include "kernels/Verify.h"
#include <algorithm>

using namespace moert;

Status RunArrays::verify() const {
  if (counts && (offsets || sizes))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected runs or counts of rows, got both");
  if (counts)
    return verifyInteger("counts of rows", countsType);
  if (!offsets && !sizes)
    return {};
  if (!offsets || !sizes)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected offsets and sizes of runs, or neither, got %s only",
                 offsets ? "offsets" : "sizes");
  Status status = verifySizes({{"runs of an expert", runs, 1}});
  if (!status.ok())
    return status;
  struct Placed {
    int64_t begin, end, run, expert;
  };
  std::vector<Placed> placed;
  for (int64_t run = 0; run < runs; ++run)
    for (int64_t expert = 0; expert < experts; ++expert) {
      int64_t begin = offsets[run * experts + expert];
      int64_t count = sizes[run * experts + expert];
      if (begin < 0 || count < 0 || count > rows || begin > rows - count)
        return error(MOERT_INVALID_ARGUMENT,
                     "expected runs inside of %lld rows, got %lld rows from "
                     "row %lld on as run %lld of expert %lld",
                     static_cast<long long>(rows),
                     static_cast<long long>(count),
                     static_cast<long long>(begin), static_cast<long long>(run),
                     static_cast<long long>(expert));
      if (count)
        placed.push_back({begin, begin + count, run, expert});
    }
  std::sort(placed.begin(), placed.end(),
            [](const Placed &a, const Placed &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < placed.size(); ++i) {
    const Placed &one = placed[i - 1], &next = placed[i];
    if (next.begin < one.end)
      return error(
          MOERT_INVALID_ARGUMENT,
          "expected runs that do not overlap, got row %lld in run "
          "%lld of expert %lld and in run %lld of expert %lld",
          static_cast<long long>(next.begin), static_cast<long long>(one.run),
          static_cast<long long>(one.expert), static_cast<long long>(next.run),
          static_cast<long long>(next.expert));
  }
  return {};
}

Status CountedRuns::read(const RunArrays &arrays, const void *data) {
  int64_t end = 0;
  for (int64_t e = 0; e < arrays.experts; ++e) {
    int64_t count = loadInteger(arrays.countsType, data, e);
    if (count < 0 || count > arrays.rows - end)
      return error(MOERT_INVALID_ARGUMENT,
                   "experts: expected counts of at least 0 and at most %lld "
                   "rows in total, got %lld rows of expert %lld after %lld",
                   static_cast<long long>(arrays.rows),
                   static_cast<long long>(count), static_cast<long long>(e),
                   static_cast<long long>(end));
    offsets.push_back(end);
    sizes.push_back(count);
    end += count;
  }
  return {};
}

std::vector<Run> RunArrays::get(int64_t expert) const {
  std::vector<Run> own;
  auto add = [&](int64_t begin, int64_t count) {
    if (count == 0)
      return;
    if (!own.empty() && own.back().begin + own.back().count == begin)
      own.back().count += count;
    else
      own.push_back({begin, count});
  };
  if (!offsets)
    add(expert * rows, rows);
  else
    for (int64_t run = 0; run < runs; ++run)
      add(offsets[run * experts + expert], sizes[run * experts + expert]);
  return own;
}
