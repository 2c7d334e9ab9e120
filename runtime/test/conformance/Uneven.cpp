//===- Uneven.cpp - Experts with rows of their own number -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace conformance;

// What experts with counts of rows give is what each of them gives with just
// those rows, which other tests compare with formulas; and rows that are not
// used are not read: they hold NaNs.

namespace {
/// The operands of experts, with NaNs in unused rows of the tokens and of the
/// result's gradient, and the counts.
struct Uneven {
  Uneven(Rank &rank, Stream &stream, moert_type type, bool isSwiGLU,
         moert_activation activation, std::vector<int64_t> used,
         moert_type countsType, size_t R, size_t M, size_t H)
      : rank(rank), stream(stream), type(type), isSwiGLU(isSwiGLU),
        activation(isSwiGLU ? MOERT_SILU : activation), E(used.size()), R(R),
        M(M), H(H), used(used), x(rank, stream, type, E * R * M, 171),
        dy(rank, stream, type, E * R * M, 172),
        w1(rank, stream, type, E * M * H, 173, 0.5),
        w2(rank, stream, type, E * M * H, 174, 0.5),
        w3(rank, stream, type, E * H * M, 175, 0.5),
        counts(rank, stream, E * moert_type_size(countsType)),
        countsType(countsType) {
    Bytes numbers(E * moert_type_size(countsType));
    for (size_t e = 0; e < E; ++e) {
      storeInteger(countsType, numbers, e, used[e]);
      for (size_t i = (e * R + used[e]) * M; i < (e + 1) * R * M; ++i)
        for (Operand *rows : {&x, &dy})
          storeFloat(type, rows->bytes, i,
                     std::numeric_limits<double>::quiet_NaN());
    }
    counts.write(numbers);
    x.array.write(x.bytes);
    dy.array.write(dy.bytes);
  }

  /// Of all experts with their counts, or of expert `e` and its rows.
  template <typename Args> Args get(int64_t e) const {
    size_t bytes = moert_type_size(type);
    size_t row = e < 0 ? 0 : e * R * M * bytes;
    size_t weight = e < 0 ? 0 : e * M * H * bytes;
    Args args = {};
    args.size = sizeof(args);
    args.kind = isSwiGLU ? MOERT_EXPERTS_SWIGLU : MOERT_EXPERTS_GPT;
    args.activation = activation;
    args.experts = e < 0 ? E : 1;
    args.rows = e < 0 ? R : used[e];
    args.hidden = M;
    args.ffn = H;
    args.x = x.array.data(row);
    args.w1 = w1.array.data(weight);
    args.w2 = isSwiGLU ? w2.array.data(weight) : nullptr;
    args.w3 = w3.array.data(weight);
    args.type = type;
    if (e < 0) {
      args.counts = counts.data();
      args.counts_type = countsType;
    }
    return args;
  }

  /// Compares what one call leaves in `size` elements for each expert with what
  /// a call for each leaves in the first `mine(e)` of them: the rest is zero.
  template <typename Call, typename Mine>
  void compare(const char *name, size_t size, const Mine &mine,
               const Call &call) {
    Result together(rank, stream, type, E * size),
        apart(rank, stream, type, E * size);
    call(-1, together.data());
    size_t bytes = moert_type_size(type);
    Bytes expected(E * size * bytes, 0);
    for (size_t e = 0; e < E; ++e) {
      call(e, apart.array.data(e * size * bytes));
      Bytes all = apart.array.read();
      std::copy_n(all.begin() + e * size * bytes, mine(e) * bytes,
                  expected.begin() + e * size * bytes);
    }
    rank.check(std::string("uneven ") + name +
                   (isSwiGLU ? " swiglu of " : " gpt of ") + nameOf(type),
               type, expected, together.array.read(),
               2 * rank.kernelTolerance(type));
  }

  void test() {
    auto ofRows = [&](size_t e) { return used[e] * M; };
    auto ofWeight = [&](size_t) { return M * H; };
    compare("experts", R * M, ofRows, [&](int64_t e, void *result) {
      auto args = get<moert_experts_args>(e);
      args.result = result;
      REQUIRE(rank, moert_experts(stream, &args));
    });
    compare("experts_dgrad", R * M, ofRows, [&](int64_t e, void *result) {
      auto args = get<moert_experts_grad_args>(e);
      args.dy = dy.array.data(e < 0 ? 0 : e * R * M * moert_type_size(type));
      args.dx = result;
      REQUIRE(rank, moert_experts_dgrad(stream, &args));
    });
    for (int which = 0; which < 3; ++which) {
      if (which == 1 && !isSwiGLU)
        continue;
      Result other(rank, stream, type, E * M * H);
      compare("experts_wgrad", M * H, ofWeight, [&](int64_t e, void *result) {
        auto args = get<moert_experts_grad_args>(e);
        args.dy = dy.array.data(e < 0 ? 0 : e * R * M * moert_type_size(type));
        args.dw1 = which == 0 ? result : other.data();
        args.dw2 = which == 1 ? result : other.data();
        args.dw3 = which == 2 ? result : other.data();
        REQUIRE(rank, moert_experts_wgrad(stream, &args));
      });
    }
  }

  Rank &rank;
  Stream &stream;
  moert_type type;
  bool isSwiGLU;
  moert_activation activation;
  size_t E, R, M, H;
  std::vector<int64_t> used;
  Operand x, dy, w1, w2, w3;
  Array counts;
  moert_type countsType;
};
} // namespace

void conformance::testUneven(Rank &rank) {
  Stream stream(rank, "uneven");
  for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16}) {
    Uneven(rank, stream, type, false, MOERT_GELU, {3, 0, 19, 70}, MOERT_I32, 70,
           24, 40)
        .test();
    Uneven(rank, stream, type, true, MOERT_SILU, {9, 1, 0}, MOERT_I64, 9, 7, 13)
        .test();
    Uneven(rank, stream, type, false, MOERT_RELU, {0, 0}, MOERT_I16, 5, 8, 3)
        .test();
    Uneven(rank, stream, type, true, MOERT_SILU, {0}, MOERT_I8, 0, 8, 3).test();
    Uneven(rank, stream, type, true, MOERT_SILU, {1, 2}, MOERT_I8, 3, 8, 0)
        .test();
  }
}
