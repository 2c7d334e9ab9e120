// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of gates on GPUs.

#include "nccl/GateArgs.h"
#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

//===----------------------------------------------------------------------===//
// Gates that choose experts
//===----------------------------------------------------------------------===//

Status NcclStream::gate_grad(const moert_gate_grad_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  int64_t S = args.tokens, M = args.hidden, E = args.experts;
  int64_t D = args.projection ? args.projected : 0;
  scratch::GateGradientLayout layout(args);
  moert_type type = layout.type;
  Matrix x{args.x, args.type}, router{args.router, args.router_type};
  Matrix further{args.noise ? args.noise : args.projection, args.further_type};
  cuda::GateGradArgs own{};
  own.gate = args;
  own.error = nccl.getError();
  own.isWide = type == MOERT_F64;

  return withScratch(layout.bytes, [&](char *space) {
    own.logits = space + layout.logits;
    own.dLogits = space + layout.dLogits;
    if (args.noise) {
      own.noise = space + layout.noise;
      own.dNoise = space + layout.dNoise;
    }
    if (args.projection) {
      own.projected = space + layout.projected;
      own.lengths = reinterpret_cast<double *>(space + layout.lengths);
      own.along = space + layout.along;
      own.ofTokens = reinterpret_cast<double *>(space + layout.ofTokens);
    }
    Matrix ofLogits{own.dLogits, type}, ofNoise{own.dNoise, type},
        ofProjected{space + layout.dProjected, type}, tokens = x;
    Jitter jitter{args.jitter, args.seed, 0, M};
    Status status;
    auto run = [&](auto &&step) {
      if (status.ok())
        status = step();
    };
    auto product = [&](const Matrix &a, const Matrix &b, void *result,
                       moert_type resultType, int64_t height, int64_t inner,
                       int64_t width) {
      run([&] {
        return multiply(a, b, result, resultType, height, inner, width);
      });
    };
    auto launch = [&](const char *kernel, int64_t blocks, auto &arguments) {
      void *parameters[] = {&arguments};
      run([&] {
        return nccl.launch(kernel, static_cast<unsigned>(blocks), 256, 0,
                           stream, parameters);
      });
    };

    if (args.projection) {
      run([&] { return findLengths(router, D, E, own.lengths); });
      product(x, further, space + layout.projected, type, S, M, D);
      product({own.projected, type}, router, space + layout.logits, type, S, D,
              E);
    } else {
      // Jitter is not rounded to the type of the tokens.
      if (args.jitter != 0) {
        tokens = {space + layout.rows, type};
        if (S && M)
          run([&] {
            return convert(args.x, args.type, space + layout.rows, type, S * M,
                           jitter);
          });
      }
      product(tokens, router, space + layout.logits, type, S, M, E);
      if (args.biased && S)
        run([&] {
          return addBias(space + layout.logits, type, router.getBias(M, E),
                         router.type, S, E);
        });
      if (args.noise)
        product(x, further, space + layout.noise, type, S, M, E);
    }
    if (S)
      launch("moert_differentiate_gate", getWarpBlocks(S, 8), own);

    if (args.projection) {
      cuda::CosineArgs cosines{own, space + layout.dProjected,
                               space + layout.dRouter};
      product(ofLogits, router.turned(), space + layout.dProjected, type, S, E,
              D);
      if (S && D)
        launch("moert_leave_projected", getBlocks(S * D), cosines);
      product(ofProjected, further.turned(), args.dx, args.type, S, D, M);
      product(x.turned(), ofProjected, args.dfurther, args.further_type, M, S,
              D);
      product(Matrix{own.projected, type}.turned(), ofLogits,
              space + layout.dRouter, type, D, S, E);
      if (D)
        launch("moert_leave_columns", getWarpBlocks(E, 32), cosines);
      return status;
    }
    product(tokens.turned(), ofLogits, args.drouter, args.router_type, M, S, E);
    if (args.biased)
      run([&] {
        Matrix ofRouter{args.drouter, args.router_type};
        return sumRuns({{0, S}}, own.dLogits, type, E,
                       const_cast<void *>(ofRouter.getBias(M, E)),
                       ofRouter.type, /*step=*/1);
      });
    if (args.noise) {
      product(ofLogits, router.turned(), space + layout.rows, type, S, E, M);
      product(ofNoise, further.turned(), space + layout.otherRows, type, S, E,
              M);
      cuda::AddArgs sum{space + layout.rows,
                        space + layout.otherRows,
                        args.dx,
                        S * M,
                        args.type,
                        own.isWide};
      if (S && M)
        launch("moert_add", getBlocks(S * M), sum);
      product(x.turned(), ofNoise, args.dfurther, args.further_type, M, S, E);
    } else if (args.jitter != 0) {
      // The tokens are no longer needed; apply the jitter to the gradient.
      product(ofLogits, router.turned(), space + layout.rows, type, S, E, M);
      if (S && M)
        run([&] {
          return convert(space + layout.rows, type, args.dx, args.type, S * M,
                         jitter);
        });
    } else {
      product(ofLogits, router.turned(), args.dx, args.type, S, E, M);
    }
    return status;
  });
}

//===----------------------------------------------------------------------===//
// Gates that mix or choose tokens
//===----------------------------------------------------------------------===//

/// Computes the logits of tokens [S, M] and a router [M, N], calls
/// `differentiate` to set the arguments for their gradients, and computes the
/// gradients of tokens and router.
Status NcclStream::differentiateProduct(
    const Matrix &x, const Matrix &router, void *dx, void *dRouter, int64_t S,
    int64_t M, int64_t N,
    const std::function<Status(cuda::DifferentiateLinesArgs &lines)>
        &differentiate) {
  scratch::LogitGradientsLayout layout(x.type, router.type, S, N);
  moert_type type = layout.type;
  return withScratch(layout.bytes, [&](char *space) {
    cuda::DifferentiateLinesArgs lines{};
    char *logits = space + layout.logits;
    lines.logits = logits;
    lines.dLogits = space + layout.dLogits;
    lines.isWide = type == MOERT_F64;
    Matrix dLogits{lines.dLogits, type};
    Status status = multiply(x, router, logits, type, S, M, N);
    if (status.ok() && S && N)
      status = differentiate(lines);
    if (status.ok())
      status = multiply(dLogits, router.turned(), dx, x.type, S, N, M);
    if (status.ok())
      status = multiply(x.turned(), dLogits, dRouter, router.type, M, S, N);
    return status;
  });
}

/// Selects the rows or the columns of a matrix [S, N] as lines.
static void setLines(cuda::DifferentiateLinesArgs &lines, int64_t S, int64_t N,
                     bool ofRows) {
  lines.lines = ofRows ? S : N;
  lines.length = ofRows ? N : S;
  lines.lineStep = ofRows ? N : 1;
  lines.step = ofRows ? 1 : N;
}

Status
NcclStream::expert_choice_grad(const moert_expert_choice_grad_args &args) {
  Status status = begin();
  int64_t S = args.tokens, E = args.experts;
  if (!status.ok())
    return status;
  return differentiateProduct(
      {args.x, args.type}, {args.router, args.router_type}, args.dx,
      args.drouter, S, args.hidden, E,
      [&](cuda::DifferentiateLinesArgs &lines) {
        setLines(lines, S, E, args.scores == MOERT_CHOICE_EXPERTS);
        lines.gradient = args.dw;
        lines.gradientType = args.dw_type;
        lines.slots = args.slots;
        lines.slotsType = args.slots_type;
        lines.onlyTaken = args.scores == MOERT_CHOICE_TOKENS;
        void *parameters[] = {&lines};
        return nccl.launch("moert_differentiate_lines",
                           getWarpBlocks(lines.lines, 8), 256, 0, stream,
                           parameters);
      });
}

Status NcclStream::soft_gate_grad(const moert_soft_gate_grad_args &args) {
  Status status = begin();
  int64_t S = args.tokens, N = args.slots;
  if (!status.ok())
    return status;
  return differentiateProduct(
      {args.x, args.type}, {args.router, args.router_type}, args.dx,
      args.drouter, S, args.hidden, N,
      [&](cuda::DifferentiateLinesArgs &lines) {
        Status status;
        for (bool ofRows : {false, true}) {
          setLines(lines, S, N, ofRows);
          lines.gradient = ofRows ? args.dcombine : args.ddispatch;
          lines.gradientType =
              ofRows ? args.dcombine_type : args.ddispatch_type;
          lines.adds = ofRows;
          void *parameters[] = {&lines};
          if (status.ok())
            status = nccl.launch("moert_differentiate_lines",
                                 getWarpBlocks(lines.lines, 8), 256, 0, stream,
                                 parameters);
        }
        return status;
      });
}

Status NcclStream::soft_wgrad(const moert_soft_wgrad_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  return multiply({args.x, args.type}, Matrix{args.buffer, args.type}.turned(),
                  args.result, args.result_type, args.tokens, args.hidden,
                  args.slots);
}
