// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placeholders for dense parts on GPUs.

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::dense(const moert_dense_args &args) {
  Status status = begin();
  if (!status.ok() || args.count == 0)
    return status;
  auto own = args;
  void *parameters[] = {&own};
  return nccl.launch("moert_dense_kernel", getBlocks(args.count), 256, 0,
                     stream, parameters);
}

/// The sums are the product of the transposed gradient and the rows; parameters
/// beyond the product repeat it.
Status NcclStream::dense_wgrad(const moert_dense_wgrad_args &args) {
  Status status = begin();
  int64_t M = args.hidden, P = args.parameters;
  if (!status.ok() || P == 0)
    return status;
  if (M == 0 || args.tokens == 0)
    return fillZero(args.result, P * moert_type_size(args.result_type));
  scratch::DenseGradientLayout layout(args);
  moert_type sumType = layout.type;
  int64_t runs = layout.runs;
  return withScratch(layout.bytes, [&](char *sums) {
    Matrix dy = {args.dy, args.type, /*isTurned=*/true};
    Status status = callBlas(dy, {args.x, args.type}, sums, sumType, runs,
                             args.tokens, M, /*batches=*/1, /*adds=*/false,
                             /*lineA=*/M);
    long long period = runs * M, count = P;
    int from = sumType, to = args.result_type;
    void *result = args.result;
    void *parameters[] = {&sums, &from, &period, &result, &to, &count};
    if (status.ok())
      status = nccl.launch("moert_repeat", getBlocks(count), 256, 0, stream,
                           parameters);
    return status;
  });
}
