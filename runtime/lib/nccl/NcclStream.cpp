//===- NcclStream.cpp - Streams and events of a device ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclStream.h"
#include "core/StridedCopy.h"
#include "nccl/NcclComm.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

static cuda::Pointer toDevice(const void *pointer) {
  return reinterpret_cast<cuda::Pointer>(pointer);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

NcclEvent::~NcclEvent() {
  if (nccl.enter().ok())
    nccl.driver().EventDestroy(event);
}

Status NcclEvent::record(moert_stream &stream) {
  Status status = nccl.enter();
  if (!status.ok())
    return status;
  recordedOn.store(&stream);
  return nccl.driver().check(
      nccl.driver().EventRecord(event, static_cast<NcclStream &>(stream).get()),
      "cuEventRecord");
}

Status NcclEvent::query(bool &reached) {
  Status status = nccl.enter();
  if (!status.ok())
    return status;
  cuda::Result result = nccl.driver().EventQuery(event);
  reached = result == cuda::kSuccess;
  if (result == cuda::kNotReady)
    return {};
  status = nccl.getFailure();
  return status.ok() ? nccl.driver().check(result, "cuEventQuery") : status;
}

Status NcclEvent::synchronize(Deadline deadline) {
  auto explain = [&]() -> std::string {
    moert_stream *stream = recordedOn.load();
    std::lock_guard<std::mutex> lock(nccl.mutex);
    if (!nccl.streams.count(stream))
      return "its stream is gone";
    return "on stream '" + stream->name + "' " +
           static_cast<NcclStream *>(stream)->explainWait();
  };
  return nccl.wait([&] { return nccl.driver().EventQuery(event); }, deadline,
                   "the work before the event", explain);
}

Status NcclEvent::getElapsed(moert_event &end, double &elapsedUs) {
  Status status = nccl.enter();
  if (!status.ok())
    return status;
  float ms = 0;
  cuda::Result result = nccl.driver().EventElapsedTime(
      &ms, event, static_cast<NcclEvent &>(end).get());
  elapsedUs = static_cast<double>(ms) * 1e3;
  if (result == cuda::kSuccess)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "expected two events that were recorded and reached: %s",
               nccl.driver().describe(result).c_str());
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

NcclStream::~NcclStream() {
  if (!nccl.enter().ok())
    return;
  std::string reason;
  if (const Blas *blas = blasHandle ? loadBlas(reason) : nullptr)
    blas->Destroy(blasHandle);
  nccl.driver().StreamDestroy(stream);
}

Status NcclStream::begin() {
  Status status = nccl.getFailure();
  return status.ok() ? nccl.enter() : status;
}

Status NcclStream::synchronize(Deadline deadline) {
  return nccl.wait([&] { return nccl.driver().StreamQuery(stream); }, deadline,
                   "the work on stream '" + name + "'",
                   [&] {
                     std::lock_guard<std::mutex> lock(nccl.mutex);
                     return explainWait();
                   });
}

std::string NcclStream::describeCollective(bool &hasBegun) {
  std::string next;
  for (moert_comm *comm : nccl.comms) {
    if (comm->stream != this)
      continue;
    std::string own = static_cast<NcclComm *>(comm)->describeFlight(hasBegun);
    if (hasBegun)
      return own;
    if (next.empty())
      next = own;
  }
  hasBegun = false;
  return next;
}

std::string NcclStream::explainWait() {
  bool hasBegun;
  std::string own = describeCollective(hasBegun);
  if (hasBegun)
    return own + " is under way";
  std::string text = own.empty()
                         ? "a copy, a kernel or a wait for an event is under "
                           "way"
                         : own + " has not begun: what is before it is under "
                                 "way";
  // Events let streams wait for each other; which, the device knows.
  for (moert_stream *other : nccl.streams) {
    if (other == this)
      continue;
    std::string words =
        static_cast<NcclStream *>(other)->describeCollective(hasBegun);
    if (hasBegun)
      text +=
          format(", and on stream '%s' %s", other->name.c_str(), words.c_str());
  }
  return text;
}

bool NcclStream::drain(Deadline deadline) {
  (void)synchronize(deadline);
  return nccl.enter().ok() &&
         nccl.driver().StreamQuery(stream) != cuda::kNotReady;
}

Status NcclStream::waitEvent(moert_event &event) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(
      nccl.driver().StreamWaitEvent(stream,
                                    static_cast<NcclEvent &>(event).get(), 0),
      "cuStreamWaitEvent");
}

Status NcclStream::launch(const char *label, int (*)(void *), void *) {
  return error(MOERT_UNAVAILABLE,
               "functions of the processor do not run on streams of a device: "
               "'%s' needs a device kernel",
               label);
}

Status NcclStream::delay(double durationUs) {
  Status status = begin();
  auto nanoseconds = static_cast<long long>(durationUs * 1e3);
  void *parameters[] = {&nanoseconds};
  return status.ok()
             ? nccl.launch("moert_delay_ns", 1, 1, 0, stream, parameters)
             : status;
}

Status NcclStream::createComm(const std::vector<int32_t> &ranks,
                              int32_t position, uint64_t key, Deadline deadline,
                              moert_comm **comm) {
  auto made = std::make_unique<NcclComm>(nccl, stream);
  made->stream = this;
  made->ranks = ranks;
  made->key = key;
  made->position = position;
  Status status = made->connect(ranks, position, key, deadline);
  if (status.ok())
    *comm = made.release();
  return status;
}

Status NcclStream::copy(void *target, const void *source, size_t bytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(nccl.driver().MemcpyAsync(toDevice(target),
                                                       toDevice(source), bytes,
                                                       stream),
                             "cuMemcpyAsync");
}

/// Blocks of 256 threads for so many elements, as many as fill a device.
static unsigned getBlocks(long long count) {
  return static_cast<unsigned>(
      std::clamp<long long>((count + 255) / 256, 1, 4096));
}

Status NcclStream::copyStrided(void *target,
                               const std::vector<int64_t> &targetStrides,
                               const void *source,
                               const std::vector<int64_t> &sourceStrides,
                               const std::vector<int64_t> &sizes,
                               size_t elementBytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  Box box = normalizeBox(sizes, targetStrides, sourceStrides);
  if (box.isEmpty)
    return {};
  // What is contiguous on both sides needs no kernel.
  bool contiguous = box.sizes.empty() ||
                    (box.sizes.size() == 1 && box.targetStrides[0] == 1 &&
                     box.sourceStrides[0] == 1);
  if (contiguous)
    return copy(target, source,
                (box.sizes.empty() ? 1 : box.sizes[0]) * elementBytes);
  cuda::BoxArgs args{};
  args.target = target;
  args.source = source;
  args.count = 1;
  args.dims = static_cast<int>(box.sizes.size());
  args.elementBytes = static_cast<int>(elementBytes);
  for (int d = 0; d < args.dims; ++d) {
    args.sizes[d] = box.sizes[d];
    args.targetStrides[d] = box.targetStrides[d];
    args.sourceStrides[d] = box.sourceStrides[d];
    args.count *= box.sizes[d];
  }
  void *parameters[] = {&args};
  return nccl.launch("moert_copy_box", getBlocks(args.count), 256, 0, stream,
                     parameters);
}

Status NcclStream::fillZero(void *target, size_t bytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(
      nccl.driver().MemsetD8Async(toDevice(target), 0, bytes, stream),
      "cuMemsetD8Async");
}

//===----------------------------------------------------------------------===//
// Modules of a layer
//===----------------------------------------------------------------------===//

Status NcclStream::gate(const moert_gate_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0)
    return status;
  if (args.kind == MOERT_GATE_GSHARD || args.projection || args.jitter != 0)
    return error(MOERT_UNAVAILABLE,
                 "the device's gates are of kind softmax and sigmoid, without "
                 "projection and jitter");
  // Scores, choice, and the groups' scores of one token.
  size_t bytes = static_cast<size_t>(2 * args.experts + args.num_groups) *
                 (args.type == MOERT_F64 ? 8 : 4);
  constexpr size_t kShared = 48 << 10;
  if (bytes > kShared || args.tokens > INT32_MAX)
    return error(MOERT_UNAVAILABLE,
                 "the device's gate takes up to %zu bytes of scores a token "
                 "and 2^31 - 1 tokens, got %zu and %lld",
                 kShared, bytes, static_cast<long long>(args.tokens));
  auto own = args;
  void *parameters[] = {&own};
  return nccl.launch("moert_gate_kernel", static_cast<unsigned>(args.tokens),
                     args.experts <= 64 ? 64 : 256, bytes, stream, parameters);
}

Status NcclStream::order(const moert_order_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  const cuda::Driver &driver = nccl.driver();
  long long rows = args.experts * args.capacity;
  cuda::Pointer sources = 0;
  status = driver.check(
      driver.MemAllocAsync(&sources, std::max<long long>(rows, 1) * 8, stream),
      "cuMemAllocAsync");
  if (!status.ok())
    return status;
  auto own = args;
  cuda::Error *problem = nccl.getError();
  void *slotParameters[] = {&own, &sources, &problem};
  status = nccl.launch("moert_order_slots", static_cast<unsigned>(args.experts),
                       1024, 0, stream, slotParameters);
  long long rowBytes = args.hidden * moert_type_size(args.type);
  void *rowParameters[] = {&sources, &rows, &rowBytes, &own.x, &own.buffer};
  if (status.ok() && rows && rowBytes)
    status =
        nccl.launch("moert_order_rows",
                    static_cast<unsigned>(std::min<long long>(rows, 1 << 20)),
                    256, 0, stream, rowParameters);
  Status freed =
      driver.check(driver.MemFreeAsync(sources, stream), "cuMemFreeAsync");
  return status.ok() ? freed : status;
}

Status NcclStream::unorder(const moert_unorder_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0 || args.hidden == 0)
    return status;
  auto own = args;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &problem};
  return nccl.launch(
      "moert_unorder_kernel",
      static_cast<unsigned>(std::min<int64_t>(args.tokens, 1 << 20)), 256, 0,
      stream, parameters);
}

/// result[b] = x[b] times matrix[b], all row-major: as cuBLAS counts columns
/// first, the transposed product of the operands in the other order.
Status NcclStream::multiply(const void *x, const void *matrix, void *result,
                            int64_t rows, int64_t inner, int64_t columns,
                            int64_t batches, moert_type type) {
  std::string reason;
  const Blas *blas = loadBlas(reason);
  if (!blas)
    return error(MOERT_UNAVAILABLE, "experts need cuBLAS: %s", reason.c_str());
  if (!blasHandle &&
      (blas->Create(&blasHandle) != 0 || blas->SetStream(blasHandle, stream)))
    return error(MOERT_BACKEND_ERROR, "cuBLAS could not be set up");
  if (std::max({rows, inner, columns, batches}) > INT32_MAX)
    return error(MOERT_UNAVAILABLE, "cuBLAS takes sizes up to 2^31 - 1");
  // Numbers of CUDA's and cuBLAS's element and computation types.
  static const int cudaTypes[] = {1, 0, 2, 14};
  constexpr int kCompute32 = 68, kCompute64 = 70, kDefaultAlgorithm = -1;
  double one64 = 1, zero64 = 0;
  float one32 = 1, zero32 = 0;
  bool wide = type == MOERT_F64;
  const void *one = wide ? static_cast<void *>(&one64) : &one32;
  const void *zero = wide ? static_cast<void *>(&zero64) : &zero32;
  int element = cudaTypes[type];
  int code = blas->GemmStridedBatchedEx(
      blasHandle, 0, 0, static_cast<int>(columns), static_cast<int>(rows),
      static_cast<int>(inner), one, matrix, element, static_cast<int>(columns),
      inner * columns, x, element, static_cast<int>(inner), rows * inner, zero,
      result, element, static_cast<int>(columns), rows * columns,
      static_cast<int>(batches), wide ? kCompute64 : kCompute32,
      kDefaultAlgorithm);
  if (code == 0)
    return {};
  return error(MOERT_BACKEND_ERROR, "cublasGemmStridedBatchedEx: error %d",
               code);
}

Status NcclStream::experts(const moert_experts_args &args) {
  Status status = begin();
  int64_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  if (!status.ok() || E == 0 || R == 0 || M == 0)
    return status;
  const cuda::Driver &driver = nccl.driver();
  size_t elementBytes = moert_type_size(args.type);
  if (H == 0)
    return fillZero(args.result, E * R * M * elementBytes);
  bool isSwiGLU = args.kind == MOERT_EXPERTS_SWIGLU;
  long long count = E * R * H;
  cuda::Pointer space = 0;
  status = driver.check(
      driver.MemAllocAsync(&space, (isSwiGLU ? 2 : 1) * count * elementBytes,
                           stream),
      "cuMemAllocAsync");
  if (!status.ok())
    return status;
  void *inner = reinterpret_cast<void *>(space);
  void *up = isSwiGLU ? reinterpret_cast<void *>(space + count * elementBytes)
                      : nullptr;
  status = multiply(args.x, args.w1, inner, R, M, H, E, args.type);
  if (status.ok() && isSwiGLU)
    status = multiply(args.x, args.w2, up, R, M, H, E, args.type);
  int activation = isSwiGLU ? MOERT_SILU : args.activation, type = args.type;
  void *parameters[] = {&inner, &up, &count, &activation, &type};
  if (status.ok())
    status = nccl.launch("moert_activate", getBlocks(count), 256, 0, stream,
                         parameters);
  if (status.ok())
    status = multiply(inner, args.w3, args.result, R, H, M, E, args.type);
  Status freed =
      driver.check(driver.MemFreeAsync(space, stream), "cuMemFreeAsync");
  return status.ok() ? freed : status;
}

Status NcclStream::runOnHost(std::function<Status()>) {
  return error(MOERT_UNAVAILABLE, "this backend has no such kernel: expected "
                                  "backend host or mpi, got nccl");
}
