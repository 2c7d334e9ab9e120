// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placeholders for the dense parts of a model.

#include "core/Types.h"
#include "kernels/Gemm.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"
#include <algorithm>

using namespace moert;

Status moert::verifyDense(const moert_dense_args &args) {
  return firstError(
      {verifyFloat("an operand", args.type),
       verifySizes({{"a count", args.count, 0}, {"parts", args.parts, 1}}),
       verifyVolume("the operand", {args.count}),
       verifyPointer("the operand", args.x, {args.count}),
       verifyPointer("the result", args.result, {args.count})});
}

Status moert::runDense(const moert_dense_args &args) {
  constexpr int64_t kBlock = 1024;
  std::vector<double> values(kBlock);
  double parts = static_cast<double>(args.parts);
  size_t elementBytes = moert_type_size(args.type);
  for (int64_t begin = 0; begin < args.count; begin += kBlock) {
    int64_t count = std::min(kBlock, args.count - begin);
    loadRow(args.type, static_cast<const char *>(args.x) + begin * elementBytes,
            count, values.data());
    for (double &value : values)
      value /= parts;
    storeRow(args.type, values.data(), count,
             static_cast<char *>(args.result) + begin * elementBytes);
  }
  return {};
}

Status moert::verifyDenseWgrad(const moert_dense_wgrad_args &args) {
  return firstError(
      {verifyFloat("rows", args.type),
       verifyFloat("a result", args.result_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"parameters", args.parameters, 0}}),
       verifyVolume("the rows", {args.tokens, args.hidden}),
       verifyVolume("the result", {args.parameters}),
       verifyPointer("the rows", args.x, {args.tokens, args.hidden}),
       verifyPointer("the gradient", args.dy, {args.tokens, args.hidden}),
       verifyPointer("the result", args.result, {args.parameters})});
}

Status moert::runDenseWgrad(const moert_dense_wgrad_args &args) {
  int64_t hidden = args.hidden;
  std::vector<double> x(args.tokens * hidden), dy(x.size()), sums(hidden);
  loadRow(args.type, args.x, x.size(), x.data());
  loadRow(args.type, args.dy, dy.size(), dy.data());
  auto *result = static_cast<char *>(args.result);
  size_t elementBytes = moert_type_size(args.result_type);
  // A run of `hidden` parameters shares one element of `dy` per row.
  int64_t run = std::max<int64_t>(hidden, 1);
  sums.resize(run);
  for (int64_t begin = 0; begin < args.parameters; begin += run) {
    int64_t count = std::min(run, args.parameters - begin);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t s = 0; hidden > 0 && s < args.tokens; ++s) {
      double factor = dy[s * hidden + begin / hidden % hidden];
      for (int64_t m = 0; m < count; ++m)
        sums[m] += x[s * hidden + m] * factor;
    }
    storeRow(args.result_type, sums.data(), count,
             result + begin * elementBytes);
  }
  return {};
}
