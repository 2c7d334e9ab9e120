// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests slots and experts.

#include "Operands.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace conformance;

// Plain transcriptions of the dialect's reference page. Devices compute in
// 32-bit floats and in another order, so their results have a tolerance.

static std::vector<double> loadAll(moert_type type, const Bytes &bytes) {
  std::vector<double> values(bytes.size() / moert_type_size(type));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = loadFloat(type, bytes, i);
  return values;
}

static Bytes randomSmall(moert_type type, size_t count, uint64_t seed,
                         double scale) {
  Bytes bytes(count * moert_type_size(type));
  for (size_t i = 0; i < count; ++i)
    storeFloat(type, bytes, i,
               scale * (static_cast<double>(mix({seed, i}) % 2048) - 1023.5) /
                   1024);
  return bytes;
}

/// Tests the slots of a placement, and the buffer it fills.
static void testOrder(Rank &rank, Stream &stream, moert_type type,
                      moert_order_kind kind, size_t S, size_t k, size_t E,
                      size_t C, size_t M) {
  moert_type idsType = kind == MOERT_ORDER_TOKEN ? MOERT_I64 : MOERT_I32;
  size_t unit = M * moert_type_size(type);
  Bytes x = randomBits(type, S * M, 31);
  Bytes ids(S * k * moert_type_size(idsType)), slots = ids;
  for (size_t i = 0; i < S * k; ++i) {
    // Some experts are chosen more often.
    uint64_t hash = mix({41, i});
    storeInteger(idsType, ids, i, hash % 3 ? hash % E : hash % (E / 2 + 1));
  }
  Bytes buffer(E * C * unit, 0);
  std::vector<size_t> used(E, 0);
  for (size_t step = 0; step < S * k; ++step) {
    size_t s = kind == MOERT_ORDER_CHOICE ? step % S : step / k;
    size_t j = kind == MOERT_ORDER_CHOICE ? step / S : step % k;
    size_t expert = loadInteger(idsType, ids, s * k + j);
    int64_t slot = -1;
    if (used[expert] < C) {
      slot = expert * C + used[expert]++;
      std::copy_n(x.begin() + s * unit, unit, buffer.begin() + slot * unit);
    }
    storeInteger(idsType, slots, s * k + j, slot);
  }
  Array dx(rank, stream, x.size()), dids(rank, stream, ids.size()),
      dbuffer(rank, stream, buffer.size()), dslots(rank, stream, slots.size());
  dx.write(x);
  dids.write(ids);
  moert_order_args args = {};
  args.size = sizeof(args);
  args.kind = kind;
  args.tokens = S;
  args.hidden = M;
  args.top_k = k;
  args.experts = E;
  args.capacity = C;
  args.x = dx.data();
  args.ids = dids.data();
  args.buffer = dbuffer.data();
  args.slots = dslots.data();
  args.type = type;
  args.ids_type = idsType;
  REQUIRE(rank, moert_order(stream, &args));
  std::string name = std::string("order ") +
                     (kind == MOERT_ORDER_CHOICE ? "choice" : "token") +
                     " of " + std::to_string(S) + " tokens of " + nameOf(type);
  rank.check(name + ": slots", idsType, slots, dslots.read());
  rank.check(name + ": buffer", type, buffer, dbuffer.read());
  if (!isFloat(type))
    return;

  // Tests the way back, with other rows.
  Bytes rows = randomSmall(type, E * C * M, 51, 1);
  moert_type weightsType = kind == MOERT_ORDER_TOKEN ? type : MOERT_F32;
  Bytes weights = randomSmall(weightsType, S * k, 52, 1);
  Bytes result(S * unit);
  for (size_t s = 0; s < S; ++s)
    for (size_t m = 0; m < M; ++m) {
      double sum = 0;
      for (size_t j = 0; j < k; ++j)
        if (int64_t slot = loadInteger(idsType, slots, s * k + j); slot >= 0)
          sum += loadFloat(weightsType, weights, s * k + j) *
                 loadFloat(type, rows, slot * M + m);
      storeFloat(type, result, s * M + m, sum);
    }
  Array dweights(rank, stream, weights.size()),
      dresult(rank, stream, result.size());
  dbuffer.write(rows);
  dweights.write(weights);
  moert_unorder_args back = {};
  back.size = sizeof(back);
  back.tokens = S;
  back.hidden = M;
  back.top_k = k;
  back.rows = E * C;
  back.buffer = dbuffer.data();
  back.slots = dslots.data();
  back.weights = dweights.data();
  back.result = dresult.data();
  back.type = type;
  back.slots_type = idsType;
  back.weights_type = weightsType;
  REQUIRE(rank, moert_unorder(stream, &back));
  rank.check("un" + name, type, result, dresult.read(),
             rank.kernelTolerance(type));
}

/// Returns the operand of the last product of experts, from the results of the
/// other products.
static double combine(const moert_experts_args &args, double gate, double up) {
  switch (args.kind) {
  case MOERT_EXPERTS_SWIGLU:
    return activate(MOERT_SILU, gate) * up;
  case MOERT_EXPERTS_GEGLU:
    return activate(MOERT_GELU, gate) * up;
  case MOERT_EXPERTS_CLAMPED_SWIGLU:
    return activate(MOERT_QUICK_GELU, std::min(gate, 7.0)) *
           (std::clamp(up, -7.0, 7.0) + 1);
  default:
    return activate(args.activation, gate);
  }
}

static void testExperts(Rank &rank, Stream &stream, moert_experts_args args) {
  size_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  // Rows of the matrices; the last one may be a bias.
  size_t inner1 = M + (args.biased ? 1 : 0), inner3 = H + (args.biased ? 1 : 0);
  moert_type type = args.type;
  bool isGated = args.kind != MOERT_EXPERTS_GPT;
  // Some products exceed the limits of clamped experts.
  Bytes x = randomSmall(type, E * R * M, 61, 1);
  Bytes w1 = randomSmall(type, E * inner1 * H, 62, 0.5);
  Bytes w2 = randomSmall(type, E * inner1 * H, 63, 0.5);
  Bytes w3 = randomSmall(type, E * inner3 * M, 64, 0.5);
  std::vector<double> vx = loadAll(type, x), v1 = loadAll(type, w1),
                      v2 = loadAll(type, w2), v3 = loadAll(type, w3);
  Bytes expected(x.size());
  for (size_t e = 0; e < E; ++e)
    for (size_t r = 0; r < R; ++r) {
      const double *row = &vx[(e * R + r) * M];
      std::vector<double> inner(H);
      for (size_t h = 0; h < H; ++h) {
        double gate = 0, up = 0;
        for (size_t m = 0; m < inner1; ++m) {
          double factor = m < M ? row[m] : 1;
          gate += factor * v1[(e * inner1 + m) * H + h];
          up += factor * v2[(e * inner1 + m) * H + h];
        }
        // Products are rounded, and so are the operands of the last one.
        inner[h] = roundFloat(
            type, combine(args, roundFloat(type, gate), roundFloat(type, up)));
      }
      for (size_t m = 0; m < M; ++m) {
        double sum = 0;
        for (size_t h = 0; h < inner3; ++h)
          sum += (h < H ? inner[h] : 1) * v3[(e * inner3 + h) * M + m];
        storeFloat(type, expected, (e * R + r) * M + m, sum);
      }
    }
  Array dx(rank, stream, x.size()), d1(rank, stream, w1.size()),
      d2(rank, stream, w2.size()), d3(rank, stream, w3.size()),
      dresult(rank, stream, x.size());
  dx.write(x);
  d1.write(w1);
  d2.write(w2);
  d3.write(w3);
  args.x = dx.data();
  args.w1 = d1.data();
  args.w2 = isGated ? d2.data() : nullptr;
  args.w3 = d3.data();
  args.result = dresult.data();
  REQUIRE(rank, moert_experts(stream, &args));
  // Devices round different sums, so their rounded results differ.
  rank.check("experts of kind " + std::to_string(args.kind) +
                 (args.biased ? " with biases of " : " of ") + nameOf(type),
             type, expected, dresult.read(), 2 * rank.kernelTolerance(type));
}

void conformance::testKernels(Rank &rank) {
  Stream stream(rank, "kernels");
  for (moert_type type : allTypes())
    for (moert_order_kind kind : {MOERT_ORDER_CHOICE, MOERT_ORDER_TOKEN}) {
      testOrder(rank, stream, type, kind, 90, 2, 8, 20, 40);
      testOrder(rank, stream, type, kind, 1, 1, 3, 1, 1);
      testOrder(rank, stream, type, kind, 64, 4, 5, 300, 257);
    }
  for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16})
    for (int variant = 0; variant < 7; ++variant) {
      moert_experts_args args = {};
      args.size = sizeof(args);
      // All activations of the first kind, then the other kinds.
      args.kind = static_cast<moert_experts_kind>(std::max(variant - 3, 0));
      args.activation = static_cast<moert_activation>(variant % 4);
      args.experts = 2;
      args.rows = variant == 0 ? 1 : 67;
      args.hidden = 48;
      args.ffn = variant == 2 ? 130 : 40;
      args.type = type;
      testExperts(rank, stream, args);
      args.biased = 1;
      testExperts(rank, stream, args);
    }
}
