// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization of rows.

#include "core/Types.h"
#include "kernels/E4M3.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <vector>

using namespace moert;

/// Checks the arguments that both kernels share.
template <typename Args>
static Status verifyBlocks(const Args &args, const char *what,
                           const void *rows) {
  Status status = firstError(
      {verifyFloat(what, args.type),
       verifySizes({{"rows", args.rows, 0},
                    {"a hidden size", args.hidden, 0},
                    {"a block", args.block, 1}}),
       verifyVolume("the rows", {args.rows, args.hidden}),
       verifyPointer(what, rows, {args.rows, args.hidden}),
       verifyPointer("the values", args.values, {args.rows, args.hidden}),
       verifyPointer("the scales", args.scales, {args.rows, args.hidden})});
  if (status.ok() && args.type == MOERT_F64)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected %s of f32, f16 or bf16, got f64", what);
  return status;
}

/// Calls `body(begin, end, number)` with the elements of each block and the
/// number of its scale.
template <typename Args, typename Body>
static void forBlocks(const Args &args, const Body &body) {
  int64_t number = 0;
  for (int64_t row = 0; row < args.rows; ++row)
    for (int64_t at = 0, size; at < args.hidden; at += size) {
      size = std::min(args.block, args.hidden - at);
      int64_t begin = row * args.hidden + at;
      body(begin, begin + size, number++);
    }
}

static const char *getElements(moert_type type, const void *data, int64_t at) {
  return static_cast<const char *>(data) + at * moert_type_size(type);
}

Status moert::verifyQuantize(const moert_quantize_args &args) {
  return verifyBlocks(args, "rows", args.x);
}

Status moert::runQuantize(const moert_quantize_args &args) {
  auto *values = static_cast<uint8_t *>(args.values);
  auto *scales = static_cast<float *>(args.scales);
  std::vector<double> own(std::min(args.block, args.hidden));
  forBlocks(args, [&](int64_t begin, int64_t end, int64_t number) {
    loadRow(args.type, getElements(args.type, args.x, begin), end - begin,
            own.data());
    uint32_t largest = 0;
    for (int64_t i = 0; i < end - begin; ++i)
      largest = std::max(largest, getMagnitude(static_cast<float>(own[i])));
    float scale = scales[number] = getE4M3Scale(largest);
    for (int64_t i = begin; i < end; ++i)
      values[i] = toE4M3(static_cast<float>(own[i - begin]), scale);
  });
  return {};
}

Status moert::verifyDequantize(const moert_dequantize_args &args) {
  return verifyBlocks(args, "the result", args.result);
}

Status moert::runDequantize(const moert_dequantize_args &args) {
  auto *values = static_cast<const uint8_t *>(args.values);
  auto *scales = static_cast<const float *>(args.scales);
  std::vector<double> own(std::min(args.block, args.hidden));
  forBlocks(args, [&](int64_t begin, int64_t end, int64_t number) {
    for (int64_t i = begin; i < end; ++i) {
      float product = fromE4M3(values[i]) * scales[number];
      own[i - begin] = product;
    }
    storeRow(args.type, own.data(), end - begin,
             const_cast<char *>(getElements(args.type, args.result, begin)));
  });
  return {};
}
