// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization of rows on GPUs.

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

/// Returns the number of CUDA blocks with one warp per block of a row.
template <typename Args> static unsigned getBlocksOf(const Args &args) {
  int64_t blocks = (args.hidden - 1) / args.block + 1;
  return getWarpBlocks(args.rows * blocks, 8);
}

Status NcclStream::quantize(const moert_quantize_args &args) {
  Status status = begin();
  if (!status.ok() || args.rows == 0 || args.hidden == 0)
    return status;
  auto own = args;
  void *parameters[] = {&own};
  return nccl.launch("moert_quantize_kernel", getBlocksOf(args), 256, 0, stream,
                     parameters);
}

Status NcclStream::dequantize(const moert_dequantize_args &args) {
  Status status = begin();
  if (!status.ok() || args.rows == 0 || args.hidden == 0)
    return status;
  auto own = args;
  void *parameters[] = {&own};
  return nccl.launch("moert_dequantize_kernel", getBlocksOf(args), 256, 0,
                     stream, parameters);
}
