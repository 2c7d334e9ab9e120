// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests experts with different numbers of rows.

#include "Operands.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace conformance;

// The result of experts with runs of rows must equal the result of each expert
// with only its rows, in consecutive order; other tests compare the latter with
// formulas. Rows outside of runs contain NaNs, because they must not be read or
// written.

namespace {
/// Sizes of runs: [runs][experts].
using Sizes = std::vector<std::vector<int64_t>>;

/// The operands of experts. Rows of the tokens and of the result's gradient
/// that are in no run contain NaNs.
struct Uneven {
  /// `gap` is the number of rows between runs; `seed` determines the order of
  /// the runs.
  Uneven(Rank &rank, Stream &stream, moert_type type, bool isSwiGLU,
         moert_activation activation, const Sizes &sizes, int64_t gap, size_t M,
         size_t H, uint64_t seed, bool biased)
      : rank(rank), stream(stream), type(type), isSwiGLU(isSwiGLU),
        activation(isSwiGLU ? MOERT_SILU : activation), G(sizes.size()),
        E(sizes[0].size()), M(M), H(H), biased(biased),
        rows(place(sizes, gap, seed)), x(rank, stream, type, rows * M, 171),
        dy(rank, stream, type, rows * M, 172),
        w1(rank, stream, type, E * getWeight(0), 173, 0.5),
        w2(rank, stream, type, E * getWeight(1), 174, 0.5),
        w3(rank, stream, type, E * getWeight(2), 175, 0.5) {
    std::vector<bool> isUsed(rows, false);
    for (const auto &own : rowsOf)
      for (int64_t row : own)
        isUsed[row] = true;
    for (size_t i = 0; i < static_cast<size_t>(rows) * M; ++i)
      if (!isUsed[i / M])
        for (Operand *all : {&x, &dy})
          storeFloat(type, all->bytes, i,
                     std::numeric_limits<double>::quiet_NaN());
    x.array.write(x.bytes);
    dy.array.write(dy.bytes);
  }

  /// Chooses an offset for each run; returns the rows of the buffer.
  int64_t place(const Sizes &sizes, int64_t gap, uint64_t seed) {
    offsets.resize(G * E);
    for (const auto &line : sizes)
      runSizes.insert(runSizes.end(), line.begin(), line.end());
    std::vector<size_t> order(G * E);
    std::iota(order.begin(), order.end(), 0);
    if (seed)
      std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return mix({seed, a}) < mix({seed, b});
      });
    int64_t next = gap;
    for (size_t run : order) {
      offsets[run] = next;
      next += runSizes[run] + gap;
    }
    rowsOf.resize(E);
    for (size_t run = 0; run < G * E; ++run)
      for (int64_t i = 0; i < runSizes[run]; ++i)
        rowsOf[run % E].push_back(offsets[run] + i);
    return next;
  }

  /// Returns the number of elements of a weight matrix; its last row may be a
  /// bias.
  size_t getWeight(int which) const {
    return which == 2 ? (H + biased) * M : (M + biased) * H;
  }

  /// Returns the rows of `expert`, consecutively.
  Bytes gather(const Bytes &all, size_t expert) const {
    size_t unit = M * moert_type_size(type);
    Bytes own;
    for (int64_t row : rowsOf[expert])
      own.insert(own.end(), all.begin() + row * unit,
                 all.begin() + (row + 1) * unit);
    return own;
  }

  /// Returns the arguments for all experts with their runs. The caller may
  /// reuse the arrays after the call.
  template <typename Args> Args getAll() const {
    Args args = get<Args>(E);
    args.rows = rows;
    args.x = x.array.data();
    args.w1 = w1.array.data();
    args.w2 = isSwiGLU ? w2.array.data() : nullptr;
    args.w3 = w3.array.data();
    if (counts) {
      args.row_counts = counts->data();
      args.row_counts_type = countsType;
      return args;
    }
    args.run_offsets = offsets.data();
    args.run_sizes = runSizes.data();
    args.runs = static_cast<int32_t>(G);
    return args;
  }
  /// Returns the arguments for one expert with its rows at `tokens`.
  template <typename Args>
  Args getOne(size_t expert, const void *tokens) const {
    auto ofExpert = [&](const Operand &all, int which) {
      return all.array.data(expert * getWeight(which) * moert_type_size(type));
    };
    Args args = get<Args>(1);
    args.rows = rowsOf[expert].size();
    args.x = tokens;
    args.w1 = ofExpert(w1, 0);
    args.w2 = isSwiGLU ? ofExpert(w2, 1) : nullptr;
    args.w3 = ofExpert(w3, 2);
    return args;
  }
  template <typename Args> Args get(size_t experts) const {
    Args args = {};
    args.size = sizeof(args);
    args.kind = isSwiGLU ? MOERT_EXPERTS_SWIGLU : MOERT_EXPERTS_GPT;
    args.activation = activation;
    args.experts = experts;
    args.hidden = M;
    args.ffn = H;
    args.type = type;
    args.biased = biased;
    return args;
  }

  void check(const std::string &name, const Bytes &expected, const Array &got) {
    rank.check("uneven " + name + (biased ? " biased" : "") +
                   (kept ? " joined" : "") + (counts ? " counted" : "") +
                   (isSwiGLU ? " swiglu of " : " gpt of ") + nameOf(type),
               type, expected, got.read(), 2 * rank.kernelTolerance(type));
  }

  /// Compares results per row. Rows outside of runs must not change.
  template <typename All, typename One>
  void compareRows(const char *name, const All &all, const One &one) {
    size_t unit = M * moert_type_size(type);
    Bytes expected(rows * unit);
    for (size_t i = 0; i < rows * M; ++i)
      storeFloat(type, expected, i, 0.25);
    Array together(rank, stream, expected.size());
    together.write(expected);
    all(together.data());
    for (size_t e = 0; e < E; ++e) {
      Bytes tokens = gather(x.bytes, e), gradients = gather(dy.bytes, e);
      Array ownX(rank, stream, tokens.size()),
          ownDy(rank, stream, gradients.size()),
          result(rank, stream, tokens.size());
      ownX.write(tokens);
      ownDy.write(gradients);
      one(e, ownX.data(), ownDy.data(), result.data());
      Bytes own = result.read();
      for (size_t i = 0; i < rowsOf[e].size(); ++i)
        std::copy_n(own.begin() + i * unit, unit,
                    expected.begin() + rowsOf[e][i] * unit);
    }
    check(name, expected, together);
  }

  /// Tests the same with intermediate results that are kept and passed on.
  void testJoined() {
    size_t parts = isSwiGLU ? 2 : 1, perPart = rows * H * moert_type_size(type);
    Array keptRows(rank, stream, parts * perPart),
        handedRows(rank, stream, (parts + 1) * perPart);
    keptRows.poison();
    handedRows.poison();
    kept = &keptRows;
    handed = &handedRows;
    test();
    kept = handed = nullptr;
  }

  /// Tests the same with counts of rows that the stream reads: `sizes` must be
  /// one run per expert, in order and without gaps.
  void testCounted(moert_type integerType) {
    Bytes bytes(E * moert_type_size(integerType));
    for (size_t e = 0; e < E; ++e)
      storeInteger(integerType, bytes, e, runSizes[e]);
    Array array(rank, stream, bytes.size());
    array.write(bytes);
    counts = &array;
    countsType = integerType;
    test();
    testJoined();
    counts = nullptr;
  }

  void compareWeights(int which) {
    size_t unit = moert_type_size(type), bytes = getWeight(which) * unit;
    size_t most = std::max(getWeight(0), getWeight(2)) * unit;
    auto point = [&](moert_experts_grad_args &args, void *result, void *other) {
      args.dw1 = which == 0 ? result : other;
      args.dw2 = which == 1 ? result : other;
      args.dw3 = which == 2 ? result : other;
    };
    Array together(rank, stream, E * bytes), other(rank, stream, E * most);
    together.poison();
    auto args = getAll<moert_experts_grad_args>();
    args.dy = dy.array.data();
    args.handed = handed ? handed->data() : nullptr;
    point(args, together.data(), other.data());
    REQUIRE(rank, moert_experts_wgrad(stream, &args));
    Bytes expected;
    for (size_t e = 0; e < E; ++e) {
      Bytes tokens = gather(x.bytes, e), gradients = gather(dy.bytes, e);
      Array ownX(rank, stream, tokens.size()),
          ownDy(rank, stream, gradients.size()), result(rank, stream, bytes);
      ownX.write(tokens);
      ownDy.write(gradients);
      auto one = getOne<moert_experts_grad_args>(e, ownX.data());
      one.dy = ownDy.data();
      point(one, result.data(), other.data());
      REQUIRE(rank, moert_experts_wgrad(stream, &one));
      Bytes own = result.read();
      expected.insert(expected.end(), own.begin(), own.end());
    }
    check("experts_wgrad", expected, together);
  }

  void test() {
    compareRows(
        "experts",
        [&](void *result) {
          auto args = getAll<moert_experts_args>();
          // The call reads the arrays before it returns.
          std::vector<int64_t> at = offsets, sizes = runSizes;
          args.run_offsets = counts ? nullptr : at.data();
          args.run_sizes = counts ? nullptr : sizes.data();
          args.result = result;
          args.kept = kept ? kept->data() : nullptr;
          REQUIRE(rank, moert_experts(stream, &args));
          std::fill(at.begin(), at.end(), -1);
          std::fill(sizes.begin(), sizes.end(), -1);
        },
        [&](size_t e, void *tokens, void *, void *result) {
          auto args = getOne<moert_experts_args>(e, tokens);
          args.result = result;
          REQUIRE(rank, moert_experts(stream, &args));
        });
    compareRows(
        "experts_dgrad",
        [&](void *result) {
          auto args = getAll<moert_experts_grad_args>();
          args.dy = dy.array.data();
          args.dx = result;
          args.kept = kept ? kept->data() : nullptr;
          args.handed = handed ? handed->data() : nullptr;
          REQUIRE(rank, moert_experts_dgrad(stream, &args));
        },
        [&](size_t e, void *tokens, void *gradients, void *result) {
          auto args = getOne<moert_experts_grad_args>(e, tokens);
          args.dy = gradients;
          args.dx = result;
          REQUIRE(rank, moert_experts_dgrad(stream, &args));
        });
    for (int which = 0; which < 3; ++which)
      if (which != 1 || isSwiGLU)
        compareWeights(which);
  }

  Rank &rank;
  Stream &stream;
  moert_type type;
  bool isSwiGLU;
  moert_activation activation;
  size_t G, E, M, H;
  bool biased;
  std::vector<int64_t> offsets, runSizes;
  std::vector<std::vector<int64_t>> rowsOf;
  int64_t rows;
  Operand x, dy, w1, w2, w3;
  Array *kept = nullptr, *handed = nullptr, *counts = nullptr;
  moert_type countsType = MOERT_I64;
};
} // namespace

void conformance::testUneven(Rank &rank) {
  Stream stream(rank, "uneven");
  auto test = [&](moert_type type, bool isSwiGLU, moert_activation activation,
                  const Sizes &sizes, int64_t gap, size_t M, size_t H,
                  uint64_t seed) {
    for (bool biased : {false, true}) {
      Uneven uneven(rank, stream, type, isSwiGLU, activation, sizes, gap, M, H,
                    seed, biased);
      uneven.test();
      uneven.testJoined();
      if (sizes.size() == 1 && gap == 0)
        uneven.testCounted(H % 16 ? MOERT_I32 : MOERT_I64);
    }
  };
  for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16}) {
    // One run per expert; several runs in any order; one expert with all rows;
    // no rows.
    test(type, false, MOERT_GELU, {{3, 0, 19, 70}}, 0, 24, 40, 0);
    test(type, true, MOERT_SILU, {{9, 1, 0}, {0, 66, 2}, {5, 0, 0}}, 2, 7, 13,
         5);
    test(type, false, MOERT_RELU, {{0, 17, 0}, {0, 4, 0}}, 1, 8, 3, 6);
    test(type, true, MOERT_SILU, {{0, 0}, {0, 0}}, 3, 8, 3, 0);
    // Runs of equal sizes without gaps, and runs of size 0.
    test(type, true, MOERT_SILU, {{4, 4}}, 0, 8, 5, 0);
    test(type, false, MOERT_GELU, {{1, 2}, {2, 0}}, 1, 8, 0, 0);
    test(type, false, MOERT_GELU, {{1, 2}, {2, 0}}, 1, 0, 8, 0);
  }
  // More runs than fit in one launch.
  Sizes many(150, {1, 0});
  many[7][1] = 3;
  test(MOERT_BF16, true, MOERT_SILU, many, 1, 8, 8, 9);
}
