// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of rows on GPUs.

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::forRuns(
    const std::vector<Run> &runs, cuda::RunsArgs args,
    const std::function<Status(cuda::RunsArgs &args, long long rows)> &launch) {
  Status status;
  for (size_t first = 0; first < runs.size() && status.ok();
       first += args.kMost) {
    args.runs =
        static_cast<int>(std::min<size_t>(args.kMost, runs.size() - first));
    long long rows = 0;
    for (int r = 0; r < args.runs; ++r) {
      args.begins[r] = runs[first + r].begin;
      args.ends[r] = rows += runs[first + r].count;
    }
    status = launch(args, rows);
    args.packed =
        static_cast<char *>(args.packed) +
        (args.biasStep ? args.runs * args.biasStep : rows * args.rowBytes);
  }
  return status;
}

Status NcclStream::moveRuns(const std::vector<Run> &runs,
                            const cuda::RunsArgs &args) {
  if (args.rowBytes == 0)
    return {};
  return forRuns(runs, args, [&](cuda::RunsArgs &own, long long rows) {
    void *parameters[] = {&own};
    return nccl.launch("moert_copy_runs", getWarpBlocks(rows, 8), 256, 0,
                       stream, parameters);
  });
}

Status NcclStream::copyRuns(const ExpertRuns &rows, int64_t rowBytes,
                            const void *buffer, void *packed, bool unpacks) {
  cuda::RunsArgs args = {};
  args.unpacks = unpacks;
  args.rowBytes = rowBytes;
  args.buffer = const_cast<void *>(buffer);
  args.packed = packed;
  return moveRuns(rows.getRuns(), args);
}

Status NcclStream::fillRuns(const std::vector<Run> &runs, void *rows,
                            moert_type type, int64_t columns,
                            const void *biases, int64_t step) {
  cuda::RunsArgs args = {};
  args.unpacks = true;
  args.rowBytes = columns * static_cast<int64_t>(moert_type_size(type));
  args.biasStep = step * args.rowBytes;
  args.buffer = rows;
  args.packed = const_cast<void *>(biases);
  return moveRuns(runs, args);
}

Status NcclStream::sumRuns(const std::vector<Run> &runs, const void *rows,
                           moert_type type, int64_t columns, void *biases,
                           moert_type biasType, int64_t step) {
  cuda::RunsArgs args = {};
  args.biasStep =
      step * columns * static_cast<int64_t>(moert_type_size(biasType));
  args.buffer = const_cast<void *>(rows);
  args.packed = biases;
  if (columns == 0)
    return {};
  return forRuns(runs, args, [&](cuda::RunsArgs &own, long long) {
    int from = type, to = biasType;
    long long width = columns;
    void *parameters[] = {&own, &from, &to, &width};
    return nccl.launch("moert_sum_runs",
                       getWarpBlocks(own.runs * ((columns + 31) / 32), 1), 256,
                       0, stream, parameters);
  });
}

Status NcclStream::clearRuns(const std::vector<Run> &runs, void *rows,
                             size_t rowBytes) {
  Status status;
  for (const Run &run : runs)
    if (status.ok())
      status = setBytes(static_cast<char *>(rows) + run.begin * rowBytes, 0,
                        run.count * rowBytes);
  return status;
}

Status NcclStream::addBias(void *product, moert_type type, const void *bias,
                           moert_type biasType, int64_t rows, int64_t columns) {
  int isWide = type == MOERT_F64, own = biasType;
  long long height = rows, width = columns;
  void *parameters[] = {&product, &isWide, &bias, &own, &height, &width};
  return nccl.launch("moert_add_bias", getBlocks(rows * columns), 256, 0,
                     stream, parameters);
}
