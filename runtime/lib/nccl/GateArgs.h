// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of the kernels of gates.

#ifndef MOERT_NCCL_GATEARGS_H
#define MOERT_NCCL_GATEARGS_H

#include "nccl/KernelArgs.h"

// Logits and what goes with them are f32, or f64 where an operand is: `isWide`.

namespace moert::cuda {

/// result = a times b, all row-major: `a` is [rows, inner], or [inner, rows]
/// and turned; `b` is [inner, columns], or [columns, inner] and turned.
struct ProductArgs {
  const void *a, *b;
  void *result;
  long long rows, inner, columns;
  int typeA, typeB, typeResult;
  int turnA, turnB;
};

/// Elements of one float type to another; with jitter those of a gate's tokens.
struct ConvertArgs {
  const void *source;
  void *target;
  long long count;
  int sourceType, targetType;
  double jitter;
  const void *seed;
  long long firstToken, hidden;
};

/// A matrix of f32 as three of bf16 side by side, [rows, width], whose sum it
/// is, and behind them zeros; or products with these, joined to the products
/// with the matrix.
struct ThirdsArgs {
  const void *source;
  void *target;
  long long rows, columns, width;
};

/// The choice of experts.
struct ChooseArgs {
  moert_gate_args gate;
  /// [tokens, experts]; `noise`, or null, is the tokens times the gate's noise.
  const void *logits, *noise;
  /// [tokens, projected] or null, and the lengths of the router's columns.
  const void *projected;
  const double *lengths;
  /// What a warp works in: `spaceBytes` of shared memory, or where that does
  /// not hold it of `space`, one after another for all warps.
  char *space;
  long long spaceBytes;
  int isWide;
};

/// The gradient of the logits, [tokens, experts]. Products are those that the
/// gate chooses by (`ChooseArgs`).
struct GateGradArgs {
  moert_gate_grad_args gate;
  const void *logits, *noise, *projected;
  const double *lengths;
  /// Of cosines what the lengths leave of it: the gradient over both lengths.
  void *dLogits;
  /// Of the products with the noise.
  void *dNoise;
  /// The gradient of cosines times the cosines, and of each token the sum of
  /// those over the square of its length.
  void *along;
  double *ofTokens;
  Error *error;
  int isWide;
};

/// What is along a projected token, and along a router's column, has no part in
/// the gradient of a cosine.
struct CosineArgs {
  GateGradArgs grad;
  /// [tokens, projected], in place.
  void *dProjected;
  /// [projected, experts], before it is rounded to the router's type.
  const void *dRouter;
};

/// result[i] = a[i] + b[i], rounded once.
struct AddArgs {
  const void *a, *b;
  void *result;
  long long count;
  int resultType, isWide;
};

/// Gradients of softmaxes along lines of a matrix of logits, to what they run
/// over. Element j of line i is at i * lineStep + j * step.
struct DifferentiateLinesArgs {
  const void *logits;
  void *dLogits;
  const void *gradient;
  long long lines, length, lineStep, step;
  int gradientType;
  /// Null, or slots: where one is below 0 the gradient is 0, and with
  /// `onlyTaken` the element has no part in the softmax.
  const void *slots;
  int slotsType, onlyTaken;
  /// To what is in `dLogits`.
  int adds;
  int isWide;
};

/// Softmaxes of a matrix [rows, columns] along one of its dims: the largest
/// element of each line, then the sum of exponentials of what is below it.
struct LinesArgs {
  const void *matrix;
  long long rows, columns;
  /// Of columns, which are cut into `slabs`, in order: what is in each of them,
  /// [slabs, columns].
  long long slabs;
  double *partial, *tops, *sums;
  int isWide;
};

struct SoftGateArgs {
  moert_soft_gate_args gate;
  const void *logits;
  /// Of the columns.
  const double *tops, *sums;
  int isWide;
};

/// A token as an expert sees it.
struct Ranked {
  double score;
  long long token;
};

struct ExpertChoiceArgs {
  moert_expert_choice_args choice;
  /// Null where nothing is chosen.
  const void *logits;
  /// Of the rows, or null where a token's scores are its logits.
  const double *tops, *sums;
  /// [blocks, tokens].
  Ranked *space;
  int isWide;
};

} // namespace moert::cuda

#endif // MOERT_NCCL_GATEARGS_H
