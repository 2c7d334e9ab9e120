// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows in slots, and gradients of slot weights.

#include "core/Types.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"
#include <vector>

using namespace moert;

Status moert::verifyScatter(const moert_scatter_args &args) {
  return firstError(
      {verifyFloat("rows", args.type), verifyInteger("slots", args.slots_type),
       args.weights ? verifyFloat("weights", args.weights_type) : Status(),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"top_k", args.top_k, 0},
                    {"rows", args.rows, 0}}),
       verifyVolume("the rows", {args.tokens, args.hidden}),
       verifyVolume("the slots", {args.tokens, args.top_k}),
       verifyVolume("the buffer", {args.rows, args.hidden}),
       verifyPointer("the rows", args.x, {args.tokens, args.hidden}),
       verifyPointer("the slots", args.slots, {args.tokens, args.top_k}),
       verifyPointer("the buffer", args.buffer, {args.rows, args.hidden})});
}

/// Reads the slot of assignment `at % topK` of token `at / topK`.
static Status readSlot(const char *kernel, moert_type type, const void *slots,
                       int64_t at, int64_t topK, int64_t rows, int64_t &slot) {
  slot = loadInteger(type, slots, at);
  if (slot >= -1 && slot < rows)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "%s: expected slots in [-1, %lld), got %lld as copy %lld of "
               "token %lld",
               kernel, static_cast<long long>(rows),
               static_cast<long long>(slot), static_cast<long long>(at % topK),
               static_cast<long long>(at / topK));
}

Status moert::runScatter(const moert_scatter_args &args) {
  size_t rowBytes = args.hidden * moert_type_size(args.type);
  auto *buffer = static_cast<char *>(args.buffer);
  std::vector<bool> seen(args.rows);
  std::vector<double> row(args.hidden);
  for (int64_t at = 0; at < args.tokens * args.top_k; ++at) {
    int64_t slot;
    Status status = readSlot("scatter", args.slots_type, args.slots, at,
                             args.top_k, args.rows, slot);
    if (!status.ok())
      return status;
    if (slot < 0)
      continue;
    if (seen[slot])
      return error(MOERT_INVALID_ARGUMENT,
                   "scatter: expected each slot at most once, got %lld again "
                   "as copy %lld of token %lld",
                   static_cast<long long>(slot),
                   static_cast<long long>(at % args.top_k),
                   static_cast<long long>(at / args.top_k));
    seen[slot] = true;
    if (rowBytes == 0)
      continue;
    const char *source =
        static_cast<const char *>(args.x) + at / args.top_k * rowBytes;
    if (!args.weights) {
      std::memcpy(buffer + slot * rowBytes, source, rowBytes);
      continue;
    }
    double weight;
    loadRow(args.weights_type,
            static_cast<const char *>(args.weights) +
                at * moert_type_size(args.weights_type),
            1, &weight);
    loadRow(args.type, source, args.hidden, row.data());
    for (double &value : row)
      value = weight * value;
    storeRow(args.type, row.data(), args.hidden, buffer + slot * rowBytes);
  }
  for (int64_t slot = 0; rowBytes && slot < args.rows; ++slot)
    if (!seen[slot])
      std::memset(buffer + slot * rowBytes, 0, rowBytes);
  return {};
}

Status moert::verifyUnpermuteWgrad(const moert_unorder_wgrad_args &args) {
  return firstError(
      {verifyFloat("a gradient", args.type),
       verifyInteger("slots", args.slots_type),
       verifyFloat("a result", args.result_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"top_k", args.top_k, 0},
                    {"rows", args.rows, 0}}),
       verifyVolume("the gradient", {args.tokens, args.hidden}),
       verifyVolume("the slots", {args.tokens, args.top_k}),
       verifyVolume("the buffer", {args.rows, args.hidden}),
       verifyPointer("the gradient", args.dy, {args.tokens, args.hidden}),
       verifyPointer("the buffer", args.buffer, {args.rows, args.hidden}),
       verifyPointer("the slots", args.slots, {args.tokens, args.top_k}),
       verifyPointer("the result", args.result, {args.tokens, args.top_k})});
}

Status moert::runUnpermuteWgrad(const moert_unorder_wgrad_args &args) {
  size_t rowBytes = args.hidden * moert_type_size(args.type);
  std::vector<double> dy(args.hidden), row(args.hidden);
  for (int64_t s = 0; s < args.tokens; ++s) {
    loadRow(args.type, static_cast<const char *>(args.dy) + s * rowBytes,
            args.hidden, dy.data());
    for (int64_t at = s * args.top_k; at < (s + 1) * args.top_k; ++at) {
      int64_t slot;
      Status status = readSlot("unorder_wgrad", args.slots_type, args.slots, at,
                               args.top_k, args.rows, slot);
      if (!status.ok())
        return status;
      double sum = 0;
      if (slot >= 0) {
        loadRow(args.type,
                static_cast<const char *>(args.buffer) + slot * rowBytes,
                args.hidden, row.data());
        for (int64_t m = 0; m < args.hidden; ++m)
          sum += dy[m] * row[m];
      }
      storeRow(args.result_type, &sum, 1,
               static_cast<char *>(args.result) +
                   at * moert_type_size(args.result_type));
    }
  }
  return {};
}
