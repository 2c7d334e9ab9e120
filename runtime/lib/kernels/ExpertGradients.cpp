// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of the expert networks.

#include "core/Types.h"
#include "kernels/Activation.h"
#include "kernels/BiasedRows.h"
#include "kernels/Gemm.h"
#include "kernels/Kernels.h"
#include "kernels/PackedRows.h"
#include "kernels/Runs.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <cstring>

using namespace moert;

static Status verifyInputs(const moert_experts_grad_args &args) {
  moert_experts_args forward = {};
  forward.kind = args.kind;
  forward.activation = args.activation;
  forward.experts = args.experts;
  forward.rows = args.rows;
  forward.hidden = args.hidden;
  forward.ffn = args.ffn;
  forward.x = args.x;
  forward.w1 = args.w1;
  forward.w2 = args.w2;
  forward.w3 = args.w3;
  // The forward check needs a result of the same type and shape; it is not
  // written.
  forward.result = const_cast<void *>(args.dy);
  forward.type = args.type;
  forward.run_offsets = args.run_offsets;
  forward.runs = args.runs;
  forward.run_sizes = args.run_sizes;
  forward.biased = args.biased;
  forward.row_counts = args.row_counts;
  forward.row_counts_type = args.row_counts_type;
  return firstError({verifyPointer("the result's gradient", args.dy,
                                   {RunArrays(args).getBufferExperts(),
                                    args.rows, args.hidden}),
                     verifyExperts(forward),
                     verifyVolume("what is handed on",
                                  {args.kind == MOERT_EXPERTS_GPT ? 2 : 3,
                                   RunArrays(args).getBufferExperts(),
                                   args.rows, args.ffn})});
}

Status moert::verifyExpertsDgrad(const moert_experts_grad_args &args) {
  return firstError(
      {verifyInputs(args), verifyPointer("the tokens' gradient", args.dx,
                                         {RunArrays(args).getBufferExperts(),
                                          args.rows, args.hidden})});
}

Status moert::verifyExpertsWgrad(const moert_experts_grad_args &args) {
  int64_t biases = args.biased != 0;
  if (args.wide_gradients && args.type != MOERT_F16 && args.type != MOERT_BF16)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected f16 or bf16 with wide gradients, got type %d",
                 args.type);
  auto verify = [&](const char *name, const void *pointer) {
    return verifyPointer(name, pointer,
                         {args.experts, args.hidden + biases, args.ffn});
  };
  return firstError(
      {verifyInputs(args), verify("the gradient of w1", args.dw1),
       args.kind != MOERT_EXPERTS_GPT ? verify("the gradient of w2", args.dw2)
                                      : Status(),
       verifyPointer("the gradient of w3", args.dw3,
                     {args.experts, args.ffn + biases, args.hidden})});
}

namespace {

/// One expert's values for a block of rows and the gradient of its results: the
/// inputs and gradients of each GEMM.
class Block {
public:
  static constexpr int64_t kRows = 64;

  /// `kept` and `handed` may be null. `handed` is written or, if `takes` is
  /// set, read instead of computing the values.
  Block(const moert_experts_grad_args &args, const void *kept, void *handed,
        bool takes)
      : args(args), kept(args, kept), handed(args, handed), takes(takes),
        gating(args.kind, args.activation),
        elementBytes(moert_type_size(args.type)),
        maxRows(std::min(kRows, args.rows)),
        x(maxRows, args.hidden, args.biased),
        gated(maxRows, args.ffn, args.biased) {
    dy.resize(maxRows * args.hidden);
    sums.resize(dy.size());
    for (auto *values : {&inner, &up, &dGated, &dInner, &dUp, &last})
      values->resize(maxRows * args.ffn);
    // In gpt, `gated` is only the activation.
    std::fill(up.begin(), up.end(), 1.0);
  }

  /// Computes the values for rows of the buffer, starting at `begin`.
  void compute(int64_t expert, int64_t begin, int64_t count) {
    e = expert;
    at = begin * args.hidden * elementBytes;
    numRows = count;
    int64_t hidden = args.hidden, ffn = args.ffn;
    x.load(args.type, static_cast<const char *>(args.x) + at, count);
    loadRow(args.type, static_cast<const char *>(args.dy) + at, count * hidden,
            dy.data());
    if (takes)
      return take(count);
    multiplyInner(count);
    std::fill(dGated.begin(), dGated.end(), 0.0);
    product.addTransposed(dy.data(), count, hidden, args.type, lastMatrix(),
                          ffn, dGated.data());
    for (int64_t i = 0; i < count * ffn; ++i) {
      double value = gating.activate(inner[i]);
      double factor = gating.getFactor(up[i]);
      last[i] = value * factor;
      dInner[i] = dGated[i] * factor * gating.differentiate(inner[i]);
      dUp[i] = gating.passesFactor(up[i]) ? dGated[i] * value : 0.0;
    }
    int part = 0;
    for (std::vector<double> *values : {&last, &dInner, &dUp})
      if (values != &dUp || gating.hasFactor()) {
        roundRow(args.type, values->data(), count * ffn);
        handed.store(part++, values->data(), count);
      }
    handed.advance(count);
    placeLast(count);
  }

  void writeTokenGradient() {
    int64_t hidden = args.hidden, ffn = args.ffn;
    std::fill(sums.begin(), sums.end(), 0.0);
    product.addTransposed(dInner.data(), numRows, ffn, args.type,
                          innerMatrix(args.w1), hidden, sums.data());
    if (gating.hasFactor())
      product.addTransposed(dUp.data(), numRows, ffn, args.type,
                            innerMatrix(args.w2), hidden, sums.data());
    storeRow(args.type, sums.data(), numRows * hidden,
             static_cast<char *>(args.dx) + at);
  }

  /// Adds to the gradients of w1, w2 and w3.
  void addWeightGradients(double *first, double *second, double *last) {
    int64_t hidden = args.hidden, ffn = args.ffn;
    addOuterProducts(x.data(), dInner.data(), numRows, x.width(), ffn, first);
    if (gating.hasFactor())
      addOuterProducts(x.data(), dUp.data(), numRows, x.width(), ffn, second);
    addOuterProducts(gated.data(), dy.data(), numRows, gated.width(), hidden,
                     last);
  }

private:
  /// Computes or loads the inner products, rounded as when they are kept.
  void multiplyInner(int64_t count) {
    int64_t ffn = args.ffn;
    auto multiply = [&](int part, const void *weights,
                        std::vector<double> &result) {
      if (kept.exists())
        return kept.load(part, result.data(), count);
      product.multiply(x.data(), count, x.width(), args.type,
                       innerMatrix(weights), ffn, result.data());
      roundRow(args.type, result.data(), count * ffn);
    };
    multiply(0, args.w1, inner);
    if (gating.hasFactor())
      multiply(1, args.w2, up);
    kept.advance(count);
  }

  void take(int64_t count) {
    handed.load(0, last.data(), count);
    handed.load(1, dInner.data(), count);
    if (gating.hasFactor())
      handed.load(2, dUp.data(), count);
    handed.advance(count);
    placeLast(count);
  }

  void placeLast(int64_t count) {
    for (int64_t r = 0; r < count; ++r)
      std::copy_n(last.data() + r * args.ffn, args.ffn, gated.row(r));
  }

  const void *innerMatrix(const void *weights) const {
    return static_cast<const char *>(weights) +
           e * x.width() * args.ffn * elementBytes;
  }
  const void *lastMatrix() const {
    return static_cast<const char *>(args.w3) +
           e * gated.width() * args.hidden * elementBytes;
  }

  const moert_experts_grad_args &args;
  PackedRows kept, handed;
  bool takes;
  Gating gating;
  size_t elementBytes;
  int64_t maxRows, e = 0, at = 0, numRows = 0;
  /// The operands of the first matrices and of the last one.
  BiasedRows x, gated;
  std::vector<double> dy, sums, inner, up, dGated, dInner, dUp, last;
  RowTimesMatrix product;
};

} // namespace

/// Computes one expert's rows block by block, and calls `use` after each block.
template <typename Use>
static void forBlocks(const moert_experts_grad_args &args, int64_t expert,
                      Block &block, const Use &use) {
  for (const Run &run : RunArrays(args).get(expert))
    for (int64_t begin = 0; begin < run.count; begin += Block::kRows) {
      block.compute(expert, run.begin + begin,
                    std::min(Block::kRows, run.count - begin));
      use();
    }
}

Status moert::runExpertsDgrad(const moert_experts_grad_args &args) {
  if (args.row_counts)
    return runCounted(args, runExpertsDgrad);
  Block block(args, args.kept, args.handed, /*takes=*/false);
  for (int64_t e = 0; e < args.experts; ++e)
    forBlocks(args, e, block, [&] { block.writeTokenGradient(); });
  return {};
}

Status moert::runExpertsWgrad(const moert_experts_grad_args &args) {
  if (args.row_counts)
    return runCounted(args, runExpertsWgrad);
  bool isGated = args.kind != MOERT_EXPERTS_GPT;
  int64_t biases = args.biased != 0;
  int64_t volume = (args.hidden + biases) * args.ffn;
  moert_type type = args.wide_gradients ? MOERT_F32 : args.type;
  std::vector<double> first(volume), second(isGated ? volume : 0),
      last((args.ffn + biases) * args.hidden);
  Block block(args, /*kept=*/nullptr, args.handed, args.handed != nullptr);
  for (int64_t e = 0; e < args.experts; ++e) {
    for (auto *sums : {&first, &second, &last})
      std::fill(sums->begin(), sums->end(), 0.0);
    forBlocks(args, e, block, [&] {
      block.addWeightGradients(first.data(), second.data(), last.data());
    });
    auto store = [&](const std::vector<double> &sums, void *target) {
      auto count = static_cast<int64_t>(sums.size());
      storeRow(type, sums.data(), count,
               static_cast<char *>(target) + e * count * moert_type_size(type));
    };
    store(first, args.dw1);
    if (isGated)
      store(second, args.dw2);
    store(last, args.dw3);
  }
  return {};
}
