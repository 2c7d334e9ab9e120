// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests gradients and non-MoE compute.

#include "Operands.h"
#include <cmath>
#include <numeric>

using namespace conformance;

// Uses the formulas of the dialect's reference page, one element of a result at
// a time. Central differences of the forward kernels, in 64-bit floats, check
// that the results are gradients.

namespace {
double slope(moert_activation kind, double x) {
  if (kind == MOERT_RELU)
    return x > 0;
  if (kind == MOERT_RELU2)
    return x > 0 ? 2 * x : 0;
  if (kind == MOERT_SILU) {
    double s = 1 / (1 + std::exp(-x));
    return s * (1 + x * (1 - s));
  }
  if (kind == MOERT_QUICK_GELU) {
    double s = 1 / (1 + std::exp(-1.702 * x));
    return s * (1 + 1.702 * x * (1 - s));
  }
  double t = std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) +
         0.5 * x * (1 - t * t) *
             (0.79788456080286535588 * (1.0 + 3.0 * 0.044715 * x * x));
}
} // namespace

/// The intermediate results are recomputed by each gradient, or kept by the
/// forward pass and passed from one gradient to the other.
enum class Between { Again, Joined };

static void testExperts(Rank &rank, Stream &stream, moert_type type,
                        moert_experts_kind kind, moert_activation activation,
                        size_t E, size_t R, size_t M, size_t H,
                        bool biased = false, Between between = Between::Again,
                        bool isWide = false) {
  // Rows of the matrices; the last one may be a bias.
  size_t I = M + biased, J = H + biased;
  bool isGated = kind != MOERT_EXPERTS_GPT;
  bool clamps = kind == MOERT_EXPERTS_CLAMPED_SWIGLU;
  if (isGated)
    activation = clamps                        ? MOERT_QUICK_GELU
                 : kind == MOERT_EXPERTS_GEGLU ? MOERT_GELU
                                               : MOERT_SILU;
  Operand x(rank, stream, type, E * R * M, 71),
      dy(rank, stream, type, E * R * M, 72),
      w1(rank, stream, type, E * I * H, 73, 0.5),
      w2(rank, stream, type, E * I * H, 74, 0.5),
      w3(rank, stream, type, E * J * M, 75, 0.5);
  moert_type sumType = isWide ? MOERT_F32 : type;
  Result dx(rank, stream, type, E * R * M),
      dw1(rank, stream, sumType, E * I * H),
      dw2(rank, stream, sumType, E * I * H),
      dw3(rank, stream, sumType, E * J * M);
  moert_experts_grad_args args = {};
  args.size = sizeof(args);
  args.kind = kind;
  args.activation = activation;
  args.experts = E;
  args.rows = R;
  args.hidden = M;
  args.ffn = H;
  args.x = x.data();
  args.w1 = w1.data();
  args.w2 = isGated ? w2.data() : nullptr;
  args.w3 = w3.data();
  args.dy = dy.data();
  args.type = type;
  args.biased = biased;
  // Each call only writes its own results.
  moert_experts_grad_args of_weights = args;
  args.dx = dx.data();
  of_weights.dw1 = dw1.data();
  of_weights.dw2 = isGated ? dw2.data() : nullptr;
  of_weights.dw3 = dw3.data();
  of_weights.wide_gradients = isWide;
  size_t parts = isGated ? 2 : 1;
  Result unused(rank, stream, type, E * R * M),
      kept(rank, stream, type, parts * E * R * H),
      handed(rank, stream, type, (parts + 1) * E * R * H);
  if (between == Between::Joined) {
    moert_experts_args forward = {};
    forward.size = sizeof(forward);
    forward.kind = args.kind;
    forward.activation = args.activation;
    forward.experts = E;
    forward.rows = R;
    forward.hidden = M;
    forward.ffn = H;
    forward.x = args.x;
    forward.w1 = args.w1;
    forward.w2 = args.w2;
    forward.w3 = args.w3;
    forward.result = unused.data();
    forward.type = type;
    forward.biased = biased;
    forward.kept = kept.data();
    REQUIRE(rank, moert_experts(stream, &forward));
    args.kept = kept.data();
    args.handed = of_weights.handed = handed.data();
  }
  REQUIRE(rank, moert_experts_dgrad(stream, &args));
  REQUIRE(rank, moert_experts_wgrad(stream, &of_weights));

  // Per row and inner element: the two products, and the gradient after them.
  std::vector<double> a(E * R * H, 0), u(E * R * H, 1), d(E * R * H, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t row = i / H, h = i % H, e = row / R;
    double up = biased ? w2[(e * I + M) * H + h] : 0;
    a[i] = biased ? w1[(e * I + M) * H + h] : 0;
    for (size_t m = 0; m < M; ++m) {
      a[i] += x[row * M + m] * w1[(e * I + m) * H + h];
      up += x[row * M + m] * w2[(e * I + m) * H + h];
      d[i] += dy[row * M + m] * w3[(e * J + h) * M + m];
    }
    if (isGated)
      u[i] = roundFloat(type, up);
    a[i] = roundFloat(type, a[i]);
  }
  // The arguments of the activation and of the factor, and the ranges where
  // they are constant.
  auto of = [&](size_t i) { return clamps ? std::min(a[i], 7.0) : a[i]; };
  auto factor = [&](size_t i) {
    return clamps ? std::min(std::max(u[i], -7.0), 7.0) + 1 : u[i];
  };
  auto first = [&](size_t i) {
    double value = d[i] * factor(i) * slope(activation, of(i));
    return clamps && a[i] > 7 ? 0.0 : roundFloat(type, value);
  };
  auto second = [&](size_t i) {
    double value = d[i] * activate(activation, of(i));
    return clamps && std::abs(u[i]) > 7 ? 0.0 : roundFloat(type, value);
  };
  std::string name = "kind " + std::to_string(kind) + " " +
                     std::to_string(activation) + (biased ? " biased" : "") +
                     (between == Between::Joined ? " joined" : "") +
                     (isWide ? " wide" : "");
  // Intermediate results are rounded, too, on devices from other sums.
  double sums = 2 * rank.kernelTolerance(type);
  dx.check(
      "experts_dgrad " + name,
      [&](size_t i) {
        size_t row = i / M, m = i % M, e = row / R;
        double sum = 0;
        for (size_t h = 0; h < H; ++h)
          sum += first(row * H + h) * w1[(e * I + m) * H + h];
        for (size_t h = 0; isGated && h < H; ++h)
          sum += second(row * H + h) * w2[(e * I + m) * H + h];
        return sum;
      },
      2);
  auto ofInput = [&](const auto &inner) {
    return [&](size_t i) {
      size_t e = i / (I * H), m = i / H % I, h = i % H;
      double sum = 0;
      for (size_t row = e * R; row < (e + 1) * R; ++row)
        sum += (m < M ? x[row * M + m] : 1) * inner(row * H + h);
      return sum;
    };
  };
  dw1.check("experts_wgrad 1 " + name, ofInput(first), sums);
  if (isGated)
    dw2.check("experts_wgrad 2 " + name, ofInput(second), sums);
  dw3.check(
      "experts_wgrad 3 " + name,
      [&](size_t i) {
        size_t e = i / (J * M), h = i / M % J, m = i % M;
        double sum = 0;
        for (size_t row = e * R; row < (e + 1) * R; ++row) {
          size_t at = row * H + h;
          double gated = h < H ? activate(activation, of(at)) * factor(at) : 1;
          sum += roundFloat(type, gated) * dy[row * M + m];
        }
        return sum;
      },
      2);

  // The loss is the sum of dy times the result. Compares with its central
  // difference.
  if (type != MOERT_F64 || activation == MOERT_RELU || R * M == 0)
    return;
  Array perturbed(rank, stream, x.bytes.size());
  Result y(rank, stream, type, E * R * M);
  auto loss = [&](double step) {
    Bytes moved = x.bytes;
    storeFloat(type, moved, 1, x[1] + step);
    perturbed.write(moved);
    moert_experts_args forward = {};
    forward.size = sizeof(forward);
    forward.kind = kind;
    forward.activation = activation;
    forward.experts = E;
    forward.rows = R;
    forward.hidden = M;
    forward.ffn = H;
    forward.x = perturbed.data();
    forward.w1 = args.w1;
    forward.w2 = args.w2;
    forward.w3 = args.w3;
    forward.result = y.data();
    forward.type = type;
    forward.biased = biased;
    REQUIRE(rank, moert_experts(stream, &forward));
    std::vector<double> values = y.read();
    return std::inner_product(values.begin(), values.end(), dy.values.begin(),
                              0.0);
  };
  double difference = (loss(1e-5) - loss(-1e-5)) / 2e-5, got = dx.read()[1];
  ++rank.numCases;
  if (!(std::fabs(difference - got) < 1e-6 * (1 + std::fabs(got))))
    rank.fail("experts_dgrad " + name + ": a difference of the loss gives " +
              std::to_string(difference) + ", the kernel " +
              std::to_string(got));
}

static void testSlots(Rank &rank, Stream &stream, moert_type type,
                      moert_type weightsType, moert_type slotsType,
                      bool isWeighted, size_t M) {
  constexpr size_t S = 37, k = 3, rows = 90;
  // A permutation of the slots; some assignments have none.
  Bytes slots(S * k * moert_type_size(slotsType));
  std::vector<int64_t> numbers(S * k), owner(rows, -1);
  for (size_t i = 0; i < S * k; ++i) {
    numbers[i] = i * 7 % 113 < rows ? static_cast<int64_t>(i * 7 % 113) : -1;
    storeInteger(slotsType, slots, i, numbers[i]);
    if (numbers[i] >= 0)
      owner[numbers[i]] = i;
  }
  Operand x(rank, stream, type, S * M, 81),
      w(rank, stream, weightsType, S * k, 82),
      b(rank, stream, type, rows * M, 83);
  Array slotArray(rank, stream, slots.size());
  slotArray.write(slots);
  Result buffer(rank, stream, type, rows * M),
      dw(rank, stream, weightsType, S * k);
  moert_scatter_args args = {};
  args.size = sizeof(args);
  args.tokens = S;
  args.hidden = M;
  args.top_k = k;
  args.rows = rows;
  args.x = x.data();
  args.slots = slotArray.data();
  args.weights = isWeighted ? w.data() : nullptr;
  args.buffer = buffer.data();
  args.type = type;
  args.slots_type = slotsType;
  args.weights_type = weightsType;
  REQUIRE(rank, moert_scatter(stream, &args));
  buffer.check(
      isWeighted ? "scatter weighted" : "scatter",
      [&](size_t i) {
        int64_t copy = owner[i / M];
        return copy < 0
                   ? 0.0
                   : (isWeighted ? w[copy] : 1.0) * x[copy / k * M + i % M];
      },
      isWeighted ? rank.kernelTolerance(type) : 0);

  moert_unorder_wgrad_args back = {};
  back.size = sizeof(back);
  back.tokens = S;
  back.hidden = M;
  back.top_k = k;
  back.rows = rows;
  back.dy = x.data();
  back.buffer = b.data();
  back.slots = slotArray.data();
  back.result = dw.data();
  back.type = type;
  back.slots_type = slotsType;
  back.result_type = weightsType;
  REQUIRE(rank, moert_unorder_wgrad(stream, &back));
  dw.check(
      "unorder_wgrad",
      [&](size_t i) {
        double sum = 0;
        for (size_t m = 0; numbers[i] >= 0 && m < M; ++m)
          sum += x[i / k * M + m] * b[numbers[i] * M + m];
        return sum;
      },
      rank.kernelTolerance(weightsType));
}

static void testDense(Rank &rank, Stream &stream, moert_type type, size_t S,
                      size_t M, size_t P) {
  Operand x(rank, stream, type, S * M, 95), dy(rank, stream, type, S * M, 96);
  Result y(rank, stream, type, S * M), dw(rank, stream, MOERT_F32, P);
  moert_dense_args args = {};
  args.size = sizeof(args);
  args.count = S * M;
  args.parts = 3;
  args.x = x.data();
  args.result = y.data();
  args.type = type;
  REQUIRE(rank, moert_dense(stream, &args));
  y.check(
      "dense", [&](size_t i) { return x[i] / 3; }, rank.kernelTolerance(type));
  moert_dense_wgrad_args back = {};
  back.size = sizeof(back);
  back.tokens = S;
  back.hidden = M;
  back.parameters = P;
  back.x = x.data();
  back.dy = dy.data();
  back.result = dw.data();
  back.type = type;
  back.result_type = MOERT_F32;
  REQUIRE(rank, moert_dense_wgrad(stream, &back));
  dw.check(
      "dense_wgrad from " + nameOf(type),
      [&](size_t i) {
        double sum = 0;
        for (size_t s = 0; s < S; ++s)
          sum += x[s * M + i % M] * dy[s * M + i / M % M];
        return sum;
      },
      rank.kernelTolerance(MOERT_F32));
}

void conformance::testGradients(Rank &rank) {
  Stream stream(rank, "gradients");
  for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16}) {
    for (moert_activation activation :
         {MOERT_GELU, MOERT_RELU, MOERT_SILU, MOERT_QUICK_GELU, MOERT_RELU2})
      testExperts(rank, stream, type, MOERT_EXPERTS_GPT, activation, 2, 67, 33,
                  40);
    testExperts(rank, stream, type, MOERT_EXPERTS_SWIGLU, MOERT_SILU, 2, 67, 40,
                33);
    for (moert_experts_kind kind :
         {MOERT_EXPERTS_GPT, MOERT_EXPERTS_SWIGLU, MOERT_EXPERTS_GEGLU,
          MOERT_EXPERTS_CLAMPED_SWIGLU})
      for (bool biased : {false, true})
        testExperts(rank, stream, type, kind, MOERT_GELU, 2, 67, 14, 9, biased,
                    Between::Joined);
    for (moert_experts_kind kind :
         {MOERT_EXPERTS_GEGLU, MOERT_EXPERTS_CLAMPED_SWIGLU})
      testExperts(rank, stream, type, kind, MOERT_GELU, 2, 35, 40, 33);
    for (moert_experts_kind kind : {MOERT_EXPERTS_GPT, MOERT_EXPERTS_SWIGLU,
                                    MOERT_EXPERTS_CLAMPED_SWIGLU})
      testExperts(rank, stream, type, kind, MOERT_GELU, 2, 67, 14, 9,
                  /*biased=*/true);
    // Sums of narrow products that are not rounded to their type.
    for (bool biased : {false, true})
      for (Between between : {Between::Again, Between::Joined})
        if (type == MOERT_F16 || type == MOERT_BF16)
          testExperts(rank, stream, type, MOERT_EXPERTS_SWIGLU, MOERT_SILU, 2,
                      67, 14, 9, biased, between, /*isWide=*/true);
    // Only biases: no rows, no hidden elements, and no inner elements.
    for (auto [rows, hidden, ffn] :
         std::vector<std::array<size_t, 3>>{{0, 4, 3}, {67, 0, 3}, {67, 4, 0}})
      for (Between between : {Between::Again, Between::Joined})
        testExperts(rank, stream, type, MOERT_EXPERTS_SWIGLU, MOERT_SILU, 2,
                    rows, hidden, ffn, /*biased=*/true, between);
    testExperts(rank, stream, type, MOERT_EXPERTS_SWIGLU, MOERT_SILU, 2, 0, 4,
                3);
    testExperts(rank, stream, type, MOERT_EXPERTS_GPT, MOERT_GELU, 1, 3, 5,
                300);
    for (size_t hidden : {19, 264, 0}) {
      testSlots(rank, stream, type, MOERT_F32, MOERT_I32, true, hidden);
      testSlots(rank, stream, type, type, MOERT_I64, false, hidden);
    }
    testDense(rank, stream, type, 11, 130, 3 * 130 + 5);
    // No separate sums are left for some parameters; one run that is not full;
    // and no tokens.
    testDense(rank, stream, type, 5, 6, 100);
    testDense(rank, stream, type, 4, 8, 3);
    testDense(rank, stream, type, 0, 4, 9);
  }
}
