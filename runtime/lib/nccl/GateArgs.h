// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of gate kernels.

#ifndef MOERT_NCCL_GATEARGS_H
#define MOERT_NCCL_GATEARGS_H

#include "nccl/KernelArgs.h"

// Logits and related values are f64 if an operand is (`isWide`), else f32.

namespace moert::cuda {

/// result = a times b, all row-major. `a` is [rows, inner], or [inner, rows]
/// and transposed; `b` is [inner, columns], or [columns, inner] and transposed.
struct ProductArgs {
  const void *a, *b;
  void *result;
  long long rows, inner, columns;
  int typeA, typeB, typeResult;
  int turnA, turnB;
};

/// Converts elements of one float type to another, with the jitter of a gate's
/// tokens if there is any.
struct ConvertArgs {
  const void *source;
  void *target;
  long long count;
  int sourceType, targetType;
  double jitter;
  const void *seed;
  long long firstToken, hidden;
};

/// Splits an f32 matrix into three bf16 matrices with this sum, side by side in
/// [rows, width] and followed by zeros; or joins the products with them to the
/// product with the matrix.
struct ThirdsArgs {
  const void *source;
  void *target;
  long long rows, columns, width;
};

/// Arguments of the choice of experts.
struct ChooseArgs {
  moert_gate_args gate;
  /// [tokens, experts]; `noise` is the product of the tokens and the gate's
  /// noise, or null.
  const void *logits, *noise;
  /// [tokens, projected] or null, and the lengths of the router's columns.
  const void *projected;
  const double *lengths;
  /// Scratch memory of a warp: `spaceBytes` of shared memory or, if that is too
  /// little, of `space`, which has one part per warp.
  char *space;
  long long spaceBytes;
  int isWide;
};

/// Arguments of the gradient of the logits, [tokens, experts]. Products are as
/// in `ChooseArgs`.
struct GateGradArgs {
  moert_gate_grad_args gate;
  const void *logits, *noise, *projected;
  const double *lengths;
  /// For cosines, the gradient divided by both lengths.
  void *dLogits;
  /// Gradient of the product with the noise.
  void *dNoise;
  /// The gradients of cosines times the cosines, and for each token their sum
  /// divided by the square of its length.
  void *along;
  double *ofTokens;
  Error *error;
  int isWide;
};

/// The component along a projected token, and along a router's column, does not
/// contribute to the gradient of a cosine.
struct CosineArgs {
  GateGradArgs grad;
  /// [tokens, projected], updated in place.
  void *dProjected;
  /// [projected, experts], before rounding to the router's type.
  const void *dRouter;
};

/// Computes result[i] = a[i] + b[i], rounded once.
struct AddArgs {
  const void *a, *b;
  void *result;
  long long count;
  int resultType, isWide;
};

/// Converts gradients of softmaxes along lines of a logit matrix to gradients
/// of the logits. Element j of line i is at i * lineStep + j * step.
struct DifferentiateLinesArgs {
  const void *logits;
  void *dLogits;
  const void *gradient;
  long long lines, length, lineStep, step;
  int gradientType;
  /// Null, or slots: if a slot is negative, the gradient is 0 and, with
  /// `onlyTaken`, the element does not take part in the softmax.
  const void *slots;
  int slotsType, onlyTaken;
  /// Whether to add to `dLogits`.
  int adds;
  int isWide;
};

/// Softmaxes of a matrix [rows, columns] along one dim: the largest element of
/// each line, then the sum of the exponentials of the differences to it.
struct LinesArgs {
  const void *matrix;
  long long rows, columns;
  /// Partial results of columns, which are divided into `slabs` in order,
  /// [slabs, columns].
  long long slabs;
  double *partial, *tops, *sums;
  int isWide;
};

struct SoftGateArgs {
  moert_soft_gate_args gate;
  const void *logits;
  /// Results for the columns.
  const double *tops, *sums;
  int isWide;
};

/// A token with its score for one expert.
struct Ranked {
  double score;
  long long token;
};

struct ExpertChoiceArgs {
  moert_expert_choice_args choice;
  /// Null if nothing is chosen.
  const void *logits;
  /// Results for the rows, or null if scores are logits.
  const double *tops, *sums;
  /// [blocks, tokens].
  Ranked *space;
  int isWide;
};

} // namespace moert::cuda

#endif // MOERT_NCCL_GATEARGS_H
