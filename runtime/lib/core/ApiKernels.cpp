//===- ApiKernels.cpp - The interface: local work on streams ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Guard.h"
#include "core/Types.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"
#include <vector>

using namespace moert;

moert_status moert_copy(moert_stream *stream, void *target, const void *source,
                        size_t bytes) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream)
      return missing("a stream");
    if (bytes && (!target || !source))
      return missing(target ? "a source" : "a target");
    return bytes ? stream->copy(target, source, bytes) : Status();
  });
}

moert_status moert_copy_strided(moert_stream *stream, void *target,
                                const int64_t *target_strides,
                                const void *source,
                                const int64_t *source_strides,
                                const int64_t *sizes, int32_t dims,
                                moert_type type) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream)
      return missing("a stream");
    if (dims < 0 || dims > MOERT_MAX_DIMS)
      return error(MOERT_INVALID_ARGUMENT, "expected 0 to %d dims, got %d",
                   MOERT_MAX_DIMS, dims);
    if (dims && (!target_strides || !source_strides || !sizes))
      return missing("sizes and strides");
    size_t elementBytes = moert_type_size(type);
    if (elementBytes == 0)
      return error(MOERT_INVALID_ARGUMENT, "expected a known type, got %d",
                   static_cast<int>(type));
    bool isEmpty = false;
    for (int32_t d = 0; d < dims; ++d) {
      if (sizes[d] < 0)
        return error(MOERT_INVALID_ARGUMENT,
                     "expected sizes of at least 0, got %lld at dim %d",
                     static_cast<long long>(sizes[d]), d);
      isEmpty |= sizes[d] == 0;
    }
    for (int32_t d = 0; d < dims; ++d)
      if (sizes[d] > 1 && target_strides[d] == 0)
        return error(MOERT_INVALID_ARGUMENT,
                     "expected target elements that do not overlap, got "
                     "stride 0 at dim %d",
                     d);
    if (isEmpty)
      return Status();
    if (!target || !source)
      return missing(target ? "a source" : "a target");
    return stream->copyStrided(target, {target_strides, target_strides + dims},
                               source, {source_strides, source_strides + dims},
                               {sizes, sizes + dims}, elementBytes);
  });
}

moert_status moert_fill_zero(moert_stream *stream, void *target, int64_t count,
                             moert_type type) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream)
      return missing("a stream");
    Status status = firstError(
        {verifySizes({{"a count", count, 0}}),
         verifyVolume("the target", {count}),
         verifyPointer("the target", target, {count}),
         moert_type_size(type)
             ? Status()
             : error(MOERT_INVALID_ARGUMENT, "expected a known type, got %d",
                     static_cast<int>(type))});
    if (!status.ok() || count == 0)
      return status;
    return stream->fillZero(target, count * moert_type_size(type));
  });
}

/// Checks the arguments of a kernel and puts it on the stream.
template <typename Args>
static moert_status start(moert_stream *stream, const char *call,
                          const Args *args, Status (*verify)(const Args &),
                          Status (moert_stream::*run)(const Args &)) {
  return guard(stream ? stream->context : nullptr, call, [&] {
    if (!stream || !args)
      return missing(stream ? "arguments" : "a stream");
    Status status = verify(*args);
    return status.ok() ? (stream->*run)(*args) : status;
  });
}

moert_status moert_gate(moert_stream *stream, const moert_gate_args *args) {
  return start(stream, __func__, args, verifyGate, &moert_stream::gate);
}
moert_status moert_order(moert_stream *stream, const moert_order_args *args) {
  return start(stream, __func__, args, verifyOrder, &moert_stream::order);
}
moert_status moert_unorder(moert_stream *stream,
                           const moert_unorder_args *args) {
  return start(stream, __func__, args, verifyUnorder, &moert_stream::unorder);
}
moert_status moert_experts(moert_stream *stream,
                           const moert_experts_args *args) {
  return start(stream, __func__, args, verifyExperts, &moert_stream::experts);
}

/// The same for a kernel that only CPU backends have.
template <typename Args>
static moert_status
startOnHost(moert_stream *stream, const char *call, const Args *args,
            Status (*verify)(const Args &), Status (*run)(const Args &)) {
  return guard(stream ? stream->context : nullptr, call, [&] {
    if (!stream || !args)
      return missing(stream ? "arguments" : "a stream");
    Status status = verify(*args);
    if (!status.ok())
      return status;
    return stream->runOnHost([run, own = *args] { return run(own); });
  });
}

moert_status moert_experts_dgrad(moert_stream *stream,
                                 const moert_experts_grad_args *args) {
  return startOnHost(stream, __func__, args, verifyExpertsDgrad,
                     runExpertsDgrad);
}
moert_status moert_experts_wgrad(moert_stream *stream,
                                 const moert_experts_grad_args *args) {
  return startOnHost(stream, __func__, args, verifyExpertsWgrad,
                     runExpertsWgrad);
}
moert_status moert_scatter(moert_stream *stream,
                           const moert_scatter_args *args) {
  return startOnHost(stream, __func__, args, verifyScatter, runScatter);
}
moert_status moert_unorder_wgrad(moert_stream *stream,
                                 const moert_unorder_wgrad_args *args) {
  return startOnHost(stream, __func__, args, verifyUnorderWgrad,
                     runUnorderWgrad);
}
moert_status moert_gate_grad(moert_stream *stream,
                             const moert_gate_grad_args *args) {
  return startOnHost(stream, __func__, args, verifyGateGrad, runGateGrad);
}
moert_status moert_dense(moert_stream *stream, const moert_dense_args *args) {
  return startOnHost(stream, __func__, args, verifyDense, runDense);
}
moert_status moert_dense_wgrad(moert_stream *stream,
                               const moert_dense_wgrad_args *args) {
  return startOnHost(stream, __func__, args, verifyDenseWgrad, runDenseWgrad);
}
moert_status moert_expert_choice(moert_stream *stream,
                                 const moert_expert_choice_args *args) {
  return startOnHost(stream, __func__, args, verifyExpertChoice,
                     runExpertChoice);
}
moert_status moert_soft_gate(moert_stream *stream,
                             const moert_soft_gate_args *args) {
  return startOnHost(stream, __func__, args, verifySoftGate, runSoftGate);
}
moert_status moert_soft_order(moert_stream *stream,
                              const moert_soft_mix_args *args) {
  return startOnHost(stream, __func__, args, verifySoftOrder, runSoftOrder);
}
moert_status moert_soft_unorder(moert_stream *stream,
                                const moert_soft_mix_args *args) {
  return startOnHost(stream, __func__, args, verifySoftUnorder, runSoftUnorder);
}
