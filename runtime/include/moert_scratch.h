// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory of GPU kernels.

#ifndef MOERT_SCRATCH_H
#define MOERT_SCRATCH_H

#include "moert.h"
#include <algorithm>
#include <initializer_list>

// The backend nccl lays out scratch memory with these structs, and the compiler
// reserves their sum in a program's workspace. The sizes do not depend on
// devices or data, so kernels may need less. C++17 and header-only, because the
// compiler does not link the runtime.

namespace moert::scratch {

/// Every part begins at a multiple of this many bytes.
inline constexpr int64_t kAlignment = 256;

inline constexpr int64_t align(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Returns `moert_type_size` of a valid type.
inline constexpr int64_t getTypeBytes(moert_type type) {
  switch (type) {
  case MOERT_F64:
  case MOERT_I64:
    return 8;
  case MOERT_F32:
  case MOERT_I32:
    return 4;
  case MOERT_F16:
  case MOERT_BF16:
  case MOERT_I16:
    return 2;
  case MOERT_I8:
    return 1;
  }
  return 0;
}

/// Consecutive parts of a piece of memory.
class Parts {
public:
  /// Appends a part of `bytes` bytes and returns its offset.
  int64_t add(int64_t bytes) {
    int64_t begin = end;
    end += align(bytes);
    return begin;
  }
  int64_t getBytes() const { return end; }

private:
  int64_t end = 0;
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns the type of logits, and of sums of products of two types.
inline constexpr moert_type getSumType(moert_type a, moert_type b) {
  return a == MOERT_F64 || b == MOERT_F64 ? MOERT_F64 : MOERT_F32;
}

/// A product of [rows, inner] and [inner, columns]. `turnsA` and `turnsB` mark
/// operands that are transposed in memory.
struct Product {
  moert_type a, b, result;
  int64_t rows, inner, columns;
  bool turnsA = false, turnsB = false;
};

/// The algorithm of a product if cuBLAS is present, and its scratch memory.
struct ProductLayout {
  explicit ProductLayout(const Product &product)
      : sums(getSumType(product.a, product.b)) {
    auto [a, b, result, rows, inner, columns, turnsA, turnsB] = product;
    if (rows == 0 || columns == 0)
      return;
    // A product with few or short sums ends before cuBLAS would have chosen an
    // algorithm.
    constexpr double kSmall = 1 << 22;
    isSmall = inner <= 512 && static_cast<double>(rows) *
                                      static_cast<double>(inner) *
                                      static_cast<double>(columns) <=
                                  kSmall;
    if (isSmall)
      return;
    isInThirds = a == MOERT_BF16 && b == MOERT_F32 && result == MOERT_F32 &&
                 !turnsA && !turnsB && inner;
    Parts parts;
    if (isInThirds) {
      // Round lines up to whole words.
      width = (3 * columns + 7) / 8 * 8;
      step = std::clamp<int64_t>((8 << 20) / width, 1, rows);
      partA = parts.add(inner * width * 2);
      partResult = parts.add(step * width * 4);
      bytes = parts.getBytes();
      return;
    }
    // cuBLAS requires operands of one type, and a result of this type or of the
    // type of the sums. Other operands are converted, a few rows of `a` at a
    // time.
    type = a == b ? a : sums;
    convertsA = a != type;
    convertsB = b != type;
    convertsResult = result != type && result != sums;
    slicesB = turnsA && !turnsB;
    length = turnsA ? inner : rows;
    width = turnsA ? rows : inner;
    step = length;
    // Rows can be cut unless both operands are transposed.
    if ((convertsA || convertsResult || (convertsB && slicesB)) &&
        !(turnsA && turnsB))
      step =
          std::clamp<int64_t>((8 << 20) / std::max(width, columns), 1, length);
    partA = parts.add(convertsA ? step * width * getTypeBytes(type) : 0);
    partB = parts.add(convertsB ? (slicesB ? step : inner) * columns *
                                      getTypeBytes(type)
                                : 0);
    partResult = parts.add(convertsResult ? (turnsA ? rows : step) * columns *
                                                getTypeBytes(sums)
                                          : 0);
    bytes = parts.getBytes();
  }

  /// Whether a kernel of the runtime, or three bf16 products, compute it.
  bool isSmall = true, isInThirds = false;
  /// The operand type for cuBLAS, and the type of its sums.
  moert_type type = MOERT_F32, sums;
  bool convertsA = false, convertsB = false, convertsResult = false;
  /// Whether the rows of `b` are cut like the rows of `a` in memory: [length,
  /// width], `step` rows at a time. In thirds, `width` is the width of a line
  /// of all three.
  bool slicesB = false;
  int64_t length = 0, width = 0, step = 0;
  int64_t partA = 0, partB = 0, partResult = 0;
  int64_t bytes = 0;
};

/// Returns the maximum scratch memory of products that run one after another.
inline int64_t getMostBytes(std::initializer_list<Product> products) {
  int64_t most = 0;
  for (const Product &product : products)
    most = std::max(most, ProductLayout(product).bytes);
  return most;
}

//===----------------------------------------------------------------------===//
// Assignments by expert
//===----------------------------------------------------------------------===//

/// Assignments of tokens in tiles, with a cursor for each tile and expert. The
/// number of tiles ensures enough warps.
struct SortLayout {
  SortLayout(int64_t parts, int64_t tokens, int64_t topK, int64_t experts) {
    constexpr int64_t kTiles = 256, kLeast = 128;
    int64_t copies = tokens * topK;
    tileSize =
        std::max(kLeast, ((copies + kTiles - 1) / kTiles + 31) / 32 * 32);
    tiles = std::max<int64_t>(1, (copies + tileSize - 1) / tileSize);
    cursorBytes = align(parts * experts * tiles * 8);
  }
  int64_t tileSize, tiles, cursorBytes;
};

inline int64_t order(const moert_order_args &args) {
  return SortLayout(1, args.tokens, args.top_k, args.experts).cursorBytes +
         align(args.experts * 8);
}

inline int64_t expert_counts(const moert_expert_counts_args &args) {
  return SortLayout(args.parts, args.tokens, args.top_k, args.experts)
      .cursorBytes;
}

inline int64_t order_rows(const moert_order_rows_args &args) {
  return SortLayout(1, args.tokens, args.top_k, args.experts).cursorBytes +
         align(args.experts * 8);
}

inline int64_t limit_choices(const moert_limit_choices_args &args) {
  return SortLayout(1, args.tokens, args.top_k, args.groups).cursorBytes;
}

/// Scratch memory for the source of each row.
inline int64_t scatter(const moert_scatter_args &args) {
  return align(std::max<int64_t>(args.rows, 1) * 8);
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

/// Returns the bytes of the addresses, or of the rows, of a grouped product.
inline int64_t getAddressBytes(int64_t experts) {
  return align(3 * experts * 8);
}

/// Scratch memory for `rows` rows of all experts.
struct ExpertsLayout {
  ExpertsLayout(const moert_experts_args &args, int64_t rows, bool packs) {
    int64_t typeBytes = getTypeBytes(args.type);
    bool isGated = args.kind != MOERT_EXPERTS_GPT;
    Parts parts;
    first = parts.add(rows * args.ffn * typeBytes);
    // If products are kept, only the operand of the last product is scratch.
    second = parts.add(isGated && !args.kept ? rows * args.ffn * typeBytes : 0);
    packed = parts.add(packs ? rows * args.hidden * typeBytes : 0);
    bytes = parts.getBytes();
  }
  int64_t first, second, packed, bytes;
};

/// Scratch memory of dgrad, and of wgrad if it does not get the `handed`
/// values.
struct ExpertGradientsLayout {
  ExpertGradientsLayout(const moert_experts_grad_args &args, int64_t rows,
                        bool packs) {
    int64_t typeBytes = getTypeBytes(args.type);
    Parts parts;
    int64_t numBetween = args.handed                      ? 0
                         : args.kind != MOERT_EXPERTS_GPT ? 3
                                                          : 2;
    for (int64_t i = 0; i < numBetween; ++i)
      between[i] = parts.add(rows * args.ffn * typeBytes);
    int64_t rowBytes = packs ? rows * args.hidden * typeBytes : 0;
    packedX = parts.add(rowBytes);
    packedDy = parts.add(rowBytes);
    bytes = parts.getBytes();
  }
  int64_t between[3] = {0, 0, 0}, packedX, packedDy, bytes;
};

/// Returns the maximum that a buffer's rows can need with any runs.
template <typename Layout, typename Args>
int64_t getExpertsBytes(const Args &args) {
  bool hasRuns = args.run_offsets || args.row_counts;
  int64_t rows = hasRuns ? args.rows : args.experts * args.rows;
  return Layout(args, rows, args.run_offsets && args.runs > 1).bytes +
         (hasRuns ? getAddressBytes(args.experts) : 0);
}

inline int64_t experts(const moert_experts_args &args) {
  return getExpertsBytes<ExpertsLayout>(args);
}
inline int64_t experts_dgrad(const moert_experts_grad_args &args) {
  return getExpertsBytes<ExpertGradientsLayout>(args);
}
inline int64_t experts_wgrad(const moert_experts_grad_args &args) {
  return getExpertsBytes<ExpertGradientsLayout>(args);
}

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

struct GateLayout {
  explicit GateLayout(const moert_gate_args &args) {
    int64_t S = args.tokens, E = args.experts;
    isWide = args.type == MOERT_F64 || args.router_type == MOERT_F64 ||
             (args.noise && args.noise_type == MOERT_F64) ||
             (args.projection && args.projection_type == MOERT_F64);
    // A warp needs the scores of the experts and groups and, with groups, a
    // byte per expert that marks closed groups.
    int64_t G = args.num_groups > 1 ? args.num_groups : 0;
    warpBytes = ((E + G) * 8 + (G ? E : 0) + 7) / 8 * 8;
    constexpr int64_t kSharedBytes = 48 << 10, kPreferredBytes = 24 << 10;
    isShared = warpBytes <= kSharedBytes;
    warps =
        isShared ? std::clamp<int64_t>(kPreferredBytes / warpBytes, 1, 8) : 4;
    blocks = std::clamp<int64_t>((S + warps - 1) / warps, 1,
                                 isShared ? 1 << 20 : 256);
    int64_t typeBytes = getTypeBytes(getType());
    Parts parts;
    logits = parts.add(S * E * typeBytes);
    noise = parts.add(args.noise ? S * E * typeBytes : 0);
    projected = parts.add(args.projection ? S * args.projected * typeBytes : 0);
    lengths = parts.add(args.projection ? E * 8 : 0);
    space = parts.add(isShared ? 0 : blocks * warps * warpBytes);
    bytes = parts.getBytes();
  }
  /// Returns the type of logits.
  moert_type getType() const { return isWide ? MOERT_F64 : MOERT_F32; }

  bool isWide, isShared;
  int64_t warpBytes, warps, blocks;
  int64_t logits, noise, projected, lengths, space, bytes;
};

/// Returns how many tokens with jitter a gate converts at a time: 8 Mi
/// elements.
inline int64_t getJitterStep(const moert_gate_args &args) {
  return std::clamp<int64_t>((8 << 20) / std::max<int64_t>(args.hidden, 1), 1,
                             std::max<int64_t>(args.tokens, 1));
}

inline int64_t gate(const moert_gate_args &args) {
  GateLayout layout(args);
  moert_type type = layout.getType();
  int64_t S = args.tokens, M = args.hidden, E = args.experts, most = 0;
  if (args.projection)
    most = getMostBytes(
        {{args.type, args.projection_type, type, S, M, args.projected},
         {type, args.router_type, type, S, args.projected, E}});
  else if (args.jitter == 0)
    most = getMostBytes({{args.type, args.router_type, type, S, M, E}});
  // The last step may be smaller and therefore use another algorithm.
  else if (S) {
    int64_t step = getJitterStep(args);
    most = align(std::max<int64_t>(step * M * getTypeBytes(type), 1)) +
           getMostBytes({{type, args.router_type, type, step, M, E},
                         {type, args.router_type, type, S % step, M, E}});
  }
  if (args.noise)
    most = std::max(
        most, getMostBytes({{args.type, args.noise_type, type, S, M, E}}));
  return layout.bytes + most;
}

struct GateGradientLayout {
  explicit GateGradientLayout(const moert_gate_grad_args &args)
      : type(getSumType(getSumType(args.type, args.router_type),
                        args.noise || args.projection ? args.further_type
                                                      : args.router_type)) {
    int64_t S = args.tokens, M = args.hidden, E = args.experts,
            D = args.projected, typeBytes = getTypeBytes(type);
    Parts parts;
    auto reserve = [&](bool isNeeded, int64_t elements, int64_t size) {
      return parts.add(isNeeded ? elements * size : 0);
    };
    bool isNoisy = args.noise, isCosine = args.projection;
    logits = reserve(true, S * E, typeBytes);
    dLogits = reserve(true, S * E, typeBytes);
    noise = reserve(isNoisy, S * E, typeBytes);
    dNoise = reserve(isNoisy, S * E, typeBytes);
    rows = reserve(isNoisy || args.jitter != 0, S * M, typeBytes);
    otherRows = reserve(isNoisy, S * M, typeBytes);
    projected = reserve(isCosine, S * D, typeBytes);
    dProjected = reserve(isCosine, S * D, typeBytes);
    along = reserve(isCosine, S * E, typeBytes);
    dRouter = reserve(isCosine, D * E, typeBytes);
    lengths = reserve(isCosine, E, 8);
    ofTokens = reserve(isCosine, S, 8);
    bytes = std::max<int64_t>(parts.getBytes(), kAlignment);
  }
  moert_type type;
  int64_t logits, dLogits, noise, dNoise, rows, otherRows, projected,
      dProjected, along, dRouter, lengths, ofTokens, bytes;
};

inline int64_t gate_grad(const moert_gate_grad_args &args) {
  GateGradientLayout layout(args);
  int64_t S = args.tokens, M = args.hidden, E = args.experts,
          D = args.projected;
  moert_type type = layout.type, x = args.type, router = args.router_type,
             further = args.further_type;
  constexpr bool kTurned = true;
  if (args.projection)
    return layout.bytes +
           getMostBytes({{x, further, type, S, M, D},
                         {type, router, type, S, D, E},
                         {type, router, type, S, E, D, false, kTurned},
                         {type, further, x, S, D, M, false, kTurned},
                         {x, type, further, M, S, D, kTurned},
                         {type, type, type, D, S, E, kTurned}});
  moert_type tokens = args.jitter != 0 ? type : x;
  int64_t most = getMostBytes({{tokens, router, type, S, M, E},
                               {tokens, type, router, M, S, E, kTurned},
                               {type, router, type, S, E, M, false, kTurned},
                               {type, router, x, S, E, M, false, kTurned}});
  if (args.noise)
    most = std::max(
        most, getMostBytes({{x, further, type, S, M, E},
                            {type, further, type, S, E, M, false, kTurned},
                            {x, type, further, M, S, E, kTurned}}));
  return layout.bytes + most;
}

/// Logits of tokens [S, M] and a router [M, N], and their gradients.
struct LogitGradientsLayout {
  LogitGradientsLayout(moert_type x, moert_type router, int64_t S, int64_t N)
      : type(getSumType(x, router)) {
    Parts parts;
    logits = parts.add(S * N * getTypeBytes(type));
    dLogits = parts.add(S * N * getTypeBytes(type));
    bytes = std::max<int64_t>(parts.getBytes(), kAlignment);
  }
  /// Returns the bytes including the scratch memory of the products.
  int64_t getBytes(moert_type x, moert_type router, int64_t S, int64_t M,
                   int64_t N) const {
    return bytes + getMostBytes({{x, router, type, S, M, N},
                                 {type, router, x, S, N, M, false, true},
                                 {x, type, router, M, S, N, true}});
  }
  moert_type type;
  int64_t logits, dLogits, bytes;
};

inline int64_t expert_choice_grad(const moert_expert_choice_grad_args &args) {
  return LogitGradientsLayout(args.type, args.router_type, args.tokens,
                              args.experts)
      .getBytes(args.type, args.router_type, args.tokens, args.hidden,
                args.experts);
}

inline int64_t soft_gate_grad(const moert_soft_gate_grad_args &args) {
  return LogitGradientsLayout(args.type, args.router_type, args.tokens,
                              args.slots)
      .getBytes(args.type, args.router_type, args.tokens, args.hidden,
                args.slots);
}

struct ExpertChoiceLayout {
  /// Bytes of a score with its token number.
  static constexpr int64_t kRankedBytes = 16;

  explicit ExpertChoiceLayout(const moert_expert_choice_args &args)
      : type(getSumType(args.type, args.router_type)) {
    int64_t S = args.tokens, E = args.experts;
    if (S == 0 || E == 0)
      return;
    // Process as many experts at a time as their token lists fit in 256 MiB.
    constexpr int64_t kMemory = 256 << 20;
    int64_t listBytes = S * kRankedBytes;
    blocks = std::clamp<int64_t>(kMemory / listBytes, 1, E);
    if (args.capacity == 0)
      return;
    Parts parts;
    logits = parts.add(S * E * getTypeBytes(type));
    tops = parts.add(S * 8);
    sums = parts.add(S * 8);
    lists = parts.add(blocks * listBytes);
    bytes = parts.getBytes();
  }
  moert_type type;
  int64_t blocks = 0, logits = 0, tops = 0, sums = 0, lists = 0, bytes = 0;
};

inline int64_t expert_choice(const moert_expert_choice_args &args) {
  ExpertChoiceLayout layout(args);
  return layout.bytes
             ? layout.bytes +
                   getMostBytes({{args.type, args.router_type, layout.type,
                                  args.tokens, args.hidden, args.experts}})
             : 0;
}

struct SoftGateLayout {
  explicit SoftGateLayout(const moert_soft_gate_args &args)
      : type(getSumType(args.type, args.router_type)),
        slabs(std::clamp<int64_t>(args.tokens / 256, 1, 64)) {
    Parts parts;
    logits = parts.add(args.tokens * args.slots * getTypeBytes(type));
    tops = parts.add(args.slots * 8);
    sums = parts.add(args.slots * 8);
    partial = parts.add(slabs * args.slots * 8);
    bytes = parts.getBytes();
  }
  moert_type type;
  /// Number of row ranges with separate partial sums.
  int64_t slabs;
  int64_t logits, tops, sums, partial, bytes;
};

inline int64_t soft_gate(const moert_soft_gate_args &args) {
  SoftGateLayout layout(args);
  return layout.bytes + getMostBytes({{args.type, args.router_type, layout.type,
                                       args.tokens, args.hidden, args.slots}});
}

inline int64_t soft_order(const moert_soft_mix_args &args) {
  return getMostBytes({{args.weights_type, args.type, args.type, args.slots,
                        args.tokens, args.hidden, true}});
}

inline int64_t soft_unorder(const moert_soft_mix_args &args) {
  return getMostBytes({{args.weights_type, args.type, args.type, args.tokens,
                        args.slots, args.hidden}});
}

inline int64_t soft_wgrad(const moert_soft_wgrad_args &args) {
  return getMostBytes({{args.type, args.type, args.result_type, args.tokens,
                        args.hidden, args.slots, false, true}});
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// The sums before they are repeated: `runs` of the gradient's columns with
/// each of the rows' columns.
struct DenseGradientLayout {
  explicit DenseGradientLayout(const moert_dense_wgrad_args &args)
      : type(getSumType(args.type, args.type)) {
    int64_t M = args.hidden, P = args.parameters;
    if (M == 0 || P == 0 || args.tokens == 0)
      return;
    runs = std::min((P - 1) / M + 1, M);
    bytes = align(runs * M * getTypeBytes(type));
  }
  moert_type type;
  int64_t runs = 0, bytes = 0;
};

inline int64_t dense_wgrad(const moert_dense_wgrad_args &args) {
  return DenseGradientLayout(args).bytes;
}

/// Returns the bytes for the blocks of all `members`, each of `count` 16-bit
/// integers, which NCCL does not reduce.
inline int64_t reduceSmallIntegers(int64_t members, int64_t count) {
  return align(members * count * 2);
}

inline int64_t unorder(const moert_unorder_args &) { return 0; }
inline int64_t unorder_wgrad(const moert_unorder_wgrad_args &) { return 0; }
inline int64_t quantize(const moert_quantize_args &) { return 0; }
inline int64_t dequantize(const moert_dequantize_args &) { return 0; }
inline int64_t distinct_nodes(const moert_distinct_nodes_args &) { return 0; }
inline int64_t dense(const moert_dense_args &) { return 0; }

} // namespace moert::scratch

#endif // MOERT_SCRATCH_H
