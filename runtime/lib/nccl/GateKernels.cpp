// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that choose experts, on GPUs.

#include "nccl/GateArgs.h"
#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

/// Jitter is not rounded to the type of the tokens, so it is applied during a
/// conversion.
Status NcclStream::multiplyJittered(const moert_gate_args &args,
                                    moert_type logitType, void *logits) {
  int64_t step = scratch::getJitterStep(args);
  size_t tokenBytes = args.hidden * moert_type_size(logitType);
  return withScratch(std::max<size_t>(step * tokenBytes, 1), [&](char *space) {
    Status status;
    for (int64_t begin = 0; begin < args.tokens && status.ok(); begin += step) {
      int64_t count = std::min(step, args.tokens - begin);
      const char *x = static_cast<const char *>(args.x) +
                      begin * args.hidden *
                          static_cast<int64_t>(moert_type_size(args.type));
      if (args.hidden)
        status = convert(x, args.type, space, logitType, count * args.hidden,
                         {args.jitter, args.seed, begin, args.hidden});
      if (status.ok())
        status =
            multiply({space, logitType}, {args.router, args.router_type},
                     static_cast<char *>(logits) +
                         begin * args.experts *
                             static_cast<int64_t>(moert_type_size(logitType)),
                     logitType, count, args.hidden, args.experts);
    }
    return status;
  });
}

Status NcclStream::findLengths(const Matrix &matrix, int64_t rows,
                               int64_t columns, const double *lengths) {
  const void *elements = matrix.data;
  int type = matrix.type;
  long long height = rows, width = columns;
  void *parameters[] = {&elements, &type, &height, &width, &lengths};
  return nccl.launch("moert_column_lengths", getWarpBlocks(columns, 32), 256, 0,
                     stream, parameters);
}

Status NcclStream::gate(const moert_gate_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0)
    return status;
  int64_t S = args.tokens, M = args.hidden, E = args.experts, D = 0;
  cuda::ChooseArgs choose{};
  choose.gate = args;
  scratch::GateLayout layout(args);
  choose.isWide = layout.isWide;
  moert_type type = layout.getType();
  if (args.projection)
    D = args.projected;
  choose.spaceBytes = layout.warpBytes;
  bool isShared = layout.isShared;
  int64_t warps = layout.warps;
  auto blocks = static_cast<unsigned>(layout.blocks);
  return withScratch(
      layout.bytes, [&](char *space) {
        char *logits = space + layout.logits, *noise = space + layout.noise,
             *projected = space + layout.projected,
             *lengths = space + layout.lengths;
        choose.logits = logits;
        if (!isShared)
          choose.space = space + layout.space;
        Status status;
        Matrix x{args.x, args.type}, router{args.router, args.router_type};
        if (args.projection) {
          choose.projected = projected;
          choose.lengths = reinterpret_cast<double *>(lengths);
          status = findLengths(router, D, E, choose.lengths);
          if (status.ok())
            status = multiply(x, {args.projection, args.projection_type},
                              projected, type, S, M, D);
          if (status.ok())
            status = multiply({projected, type}, router, logits, type, S, D, E);
        } else if (args.jitter != 0) {
          status = multiplyJittered(args, type, logits);
        } else {
          status = multiply(x, router, logits, type, S, M, E);
          if (status.ok() && args.biased)
            status =
                addBias(logits, type, router.getBias(M, E), router.type, S, E);
        }
        if (status.ok() && args.noise) {
          choose.noise = noise;
          status =
              multiply(x, {args.noise, args.noise_type}, noise, type, S, M, E);
        }
        void *parameters[] = {&choose};
        return status.ok()
                   ? nccl.launch("moert_choose_experts", blocks,
                                 static_cast<unsigned>(32 * warps),
                                 isShared ? warps * choose.spaceBytes : 0,
                                 stream, parameters)
                   : status;
      });
}
