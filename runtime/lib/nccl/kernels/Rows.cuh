// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of rows.

#ifndef MOERT_NCCL_KERNELS_ROWS_CUH
#define MOERT_NCCL_KERNELS_ROWS_CUH

#include "nccl/kernels/Warps.cuh"

template <typename Word>
__device__ void copyWords(void *to, const void *from, long long words) {
  auto *__restrict__ target = static_cast<Word *>(to);
  const auto *__restrict__ source = static_cast<const Word *>(from);
#pragma unroll 4
  for (long long i = getLane(); i < words; i += 32)
    target[i] = source ? source[i] : Word{};
}

/// Copies a row with one warp, or clears it if there is no source, in the
/// widest words that its address and size allow.
__device__ void copyRow(void *to, const void *from, long long bytes) {
  unsigned long long bits = reinterpret_cast<unsigned long long>(to) |
                            reinterpret_cast<unsigned long long>(from) |
                            static_cast<unsigned long long>(bytes);
  if (bits % 16 == 0)
    copyWords<uint4>(to, from, bytes / 16);
  else if (bits % 4 == 0)
    copyWords<unsigned>(to, from, bytes / 4);
  else if (bits % 2 == 0)
    copyWords<unsigned short>(to, from, bytes / 2);
  else
    copyWords<unsigned char>(to, from, bytes);
}

/// Copies rows of runs with one warp per row. If `packed` has one row per run,
/// it is copied to all rows of the run.
extern "C" __global__ void moert_copy_runs(RunsArgs args) {
  long long rows = args.ends[args.runs - 1];
  for (long long row = firstWarp(); row < rows; row += warpStep()) {
    // Find the first run that ends after the row.
    int low = 0, high = args.runs - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (row < args.ends[middle])
        high = middle;
      else
        low = middle + 1;
    }
    long long before = low ? args.ends[low - 1] : 0;
    char *one = static_cast<char *>(args.buffer) +
                (args.begins[low] + row - before) * args.rowBytes;
    char *other = static_cast<char *>(args.packed) +
                  (args.biasStep ? low * args.biasStep : row * args.rowBytes);
    copyRow(args.unpacks ? one : other, args.unpacks ? other : one,
            args.rowBytes);
  }
}

/// Computes the sum of each run's rows, of `columns` elements, as one row.
extern "C" __global__ void moert_sum_runs(RunsArgs args, int type, int sumType,
                                          long long columns) {
  long long across = (columns + 31) / 32;
  for (long long unit = blockIdx.x; unit < args.runs * across;
       unit += gridDim.x) {
    long long run = unit / across, column = unit % across * 32 + getLane();
    long long rows = args.ends[run] - (run ? args.ends[run - 1] : 0);
    bool isThere = column < columns;
    double sum = sumOfColumn(isThere ? rows : 0, [&](long long row) {
      return load<double>(type, args.buffer,
                          (args.begins[run] + row) * columns + column);
    });
    char *target = static_cast<char *>(args.packed) + run * args.biasStep;
    if (isThere && threadIdx.x < 32)
      store<double>(sumType, target, column, sum);
  }
}

/// Adds a bias to each row of a product, which is f64 if `isWide`, else f32.
extern "C" __global__ void moert_add_bias(void *product, int isWide,
                                          const void *bias, int biasType,
                                          long long rows, long long columns) {
  int type = isWide ? MOERT_F64 : MOERT_F32;
  for (long long i = firstIndex(); i < rows * columns; i += indexStep())
    store<double>(type, product, i,
                  load<double>(type, product, i) +
                      load<double>(biasType, bias, i % columns));
}

#endif // MOERT_NCCL_KERNELS_ROWS_CUH
