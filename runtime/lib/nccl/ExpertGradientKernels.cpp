//===- ExpertGradientKernels.cpp - Expert gradients on a device -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

/// Computes again what is between the products, and the gradients there, as
/// `args` has them.
Status NcclStream::differentiateExperts(const moert_experts_grad_args &args,
                                        cuda::ActivateArgs &between) {
  int64_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  Matrix x = {args.x, args.type}, dy = {args.dy, args.type};
  Matrix first = {args.w1, args.type}, second = {args.w2, args.type};
  Matrix last = {args.w3, args.type};
  Status status = callBlas(x, first, between.inner, args.type, R, M, H, E,
                           /*adds=*/false);
  if (status.ok() && between.up)
    status = callBlas(x, second, between.up, args.type, R, M, H, E,
                      /*adds=*/false);
  if (status.ok())
    status = callBlas(dy, last.turned(), between.gated, args.type, R, M, H, E,
                      /*adds=*/false);
  void *parameters[] = {&between};
  if (status.ok())
    status = nccl.launch("moert_activate_gradient", getBlocks(between.count),
                         256, 0, stream, parameters);
  return status;
}

static bool isSwiGLU(const moert_experts_grad_args &args) {
  return args.kind == MOERT_EXPERTS_SWIGLU;
}

/// Bytes of one of the things that are between the products, and of all.
static size_t getInnerBytes(const moert_experts_grad_args &args) {
  return alignScratch(args.experts * args.rows * args.ffn *
                      moert_type_size(args.type));
}
static size_t getBetweenBytes(const moert_experts_grad_args &args) {
  return (isSwiGLU(args) ? 3 : 2) * getInnerBytes(args);
}

/// What is between the products, not yet in any place.
static cuda::ActivateArgs makeBetween(const moert_experts_grad_args &args) {
  cuda::ActivateArgs between = {};
  between.count = args.experts * args.rows * args.ffn;
  between.ffn = args.ffn;
  between.rows = {args.counts, args.rows, args.counts_type};
  between.activation = isSwiGLU(args) ? MOERT_SILU : args.activation;
  between.type = args.type;
  return between;
}

/// Gives it `getBetweenBytes` bytes.
static void placeBetween(const moert_experts_grad_args &args, char *space,
                         cuda::ActivateArgs &between) {
  size_t bytes = getInnerBytes(args);
  between.inner = space;
  between.gated = space + bytes;
  between.up = isSwiGLU(args) ? space + 2 * bytes : nullptr;
}

Status NcclStream::experts_dgrad(const moert_experts_grad_args &args) {
  Status status = begin();
  int64_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  if (!status.ok() || E == 0)
    return status;
  size_t elementBytes = moert_type_size(args.type);
  cuda::ActivateArgs between = makeBetween(args);
  size_t bytes = getBetweenBytes(args);
  auto finish = [&] {
    return args.counts
               ? useRows(between.rows, E, M * elementBytes, nullptr, args.dx)
               : Status();
  };
  if (R == 0 || M == 0 || H == 0) {
    if (size_t rowBytes = E * R * M * elementBytes)
      status = fillZero(args.dx, rowBytes);
    return status.ok() ? finish() : status;
  }
  return withScratch(bytes, [&](char *space) {
    placeBetween(args, space, between);
    Status status = differentiateExperts(args, between);
    Matrix dInner = {between.inner, args.type}, dUp = {between.up, args.type};
    Matrix first = {args.w1, args.type}, second = {args.w2, args.type};
    if (status.ok())
      status = callBlas(dInner, first.turned(), args.dx, args.type, R, H, M, E,
                        /*adds=*/false);
    if (status.ok() && between.up)
      status = callBlas(dUp, second.turned(), args.dx, args.type, R, H, M, E,
                        /*adds=*/true);
    return status.ok() ? finish() : status;
  });
}

Status NcclStream::experts_wgrad(const moert_experts_grad_args &args) {
  Status status = begin();
  int64_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  if (!status.ok() || E == 0)
    return status;
  size_t elementBytes = moert_type_size(args.type);
  cuda::ActivateArgs between = makeBetween(args);
  size_t bytes = getBetweenBytes(args);
  size_t rowsBytes = alignScratch(E * R * M * elementBytes);
  size_t used = args.counts ? 2 * rowsBytes : 0;
  return withScratch(bytes + used, [&](char *space) {
    placeBetween(args, space, between);
    Status status;
    moert_experts_grad_args own = args;
    // Rows that are not used may hold anything, of which 0 times is not 0.
    if (args.counts) {
      char *x = space + bytes, *dy = x + rowsBytes;
      status = useRows(between.rows, E, M * elementBytes, args.x, x);
      if (status.ok())
        status = useRows(between.rows, E, M * elementBytes, args.dy, dy);
      own.x = x;
      own.dy = dy;
    }
    if (status.ok() && E * R * M * H == 0) {
      for (void *gradient :
           {args.dw1, args.kind == MOERT_EXPERTS_SWIGLU ? args.dw2 : nullptr,
            args.dw3})
        if (status.ok() && gradient && M && H)
          status = fillZero(gradient, E * M * H * elementBytes);
      return status;
    }
    if (status.ok())
      status = differentiateExperts(own, between);
    auto multiply = [&](const void *rows, const void *gradients, void *result,
                        int64_t width, int64_t columns) {
      Matrix turned = {rows, args.type, /*isTurned=*/true};
      if (status.ok() && result)
        status = callBlas(turned, {gradients, args.type}, result, args.type,
                          width, R, columns, E, /*adds=*/false);
    };
    multiply(own.x, between.inner, args.dw1, M, H);
    multiply(own.x, between.up, between.up ? args.dw2 : nullptr, M, H);
    multiply(between.gated, own.dy, args.dw3, H, M);
    return status;
  });
}
