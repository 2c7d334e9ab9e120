// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that choose experts, on a device.

#include "nccl/GateArgs.h"
#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

static bool
isWide(std::initializer_list<std::pair<const void *, moert_type>> operands) {
  return std::any_of(operands.begin(), operands.end(), [](const auto &operand) {
    return operand.first && operand.second == MOERT_F64;
  });
}

/// Jitter is not rounded to the tokens' type: it comes in with a conversion.
Status NcclStream::multiplyJittered(const moert_gate_args &args,
                                    moert_type logitType, void *logits) {
  // As many tokens at a time as 32 MiB hold.
  int64_t step = std::clamp<int64_t>(
      (8 << 20) / std::max<int64_t>(args.hidden, 1), 1, args.tokens);
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
  choose.isWide = isWide({{args.x, args.type},
                          {args.router, args.router_type},
                          {args.noise, args.noise_type},
                          {args.projection, args.projection_type}});
  moert_type type = choose.isWide ? MOERT_F64 : MOERT_F32;
  if (args.projection)
    D = args.projected;
  // A warp needs the scores of the experts, those of the groups, and a byte an
  // expert for groups that are closed.
  int64_t G = args.num_groups > 1 ? args.num_groups : 0;
  choose.spaceBytes = ((E + G) * 8 + (G ? E : 0) + 7) / 8 * 8;
  constexpr int64_t kSharedBytes = 48 << 10, kPreferredBytes = 24 << 10;
  bool isShared = choose.spaceBytes <= kSharedBytes;
  int64_t warps =
      isShared ? std::clamp<int64_t>(kPreferredBytes / choose.spaceBytes, 1, 8)
               : 4;
  unsigned blocks = getWarpBlocks(S, warps, isShared ? 1 << 20 : 256);

  int64_t typeBytes = moert_type_size(type);
  int64_t logitBytes = alignScratch(S * E * typeBytes);
  int64_t noiseBytes = args.noise ? logitBytes : 0;
  int64_t projectedBytes = alignScratch(S * D * typeBytes);
  int64_t lengthBytes = args.projection ? alignScratch(E * 8) : 0;
  int64_t spaceBytes = isShared ? 0 : blocks * warps * choose.spaceBytes;
  return withScratch(
      logitBytes + noiseBytes + projectedBytes + lengthBytes + spaceBytes,
      [&](char *space) {
        char *logits = space, *noise = logits + logitBytes,
             *projected = noise + noiseBytes,
             *lengths = projected + projectedBytes;
        choose.logits = logits;
        if (!isShared)
          choose.space = lengths + lengthBytes;
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
