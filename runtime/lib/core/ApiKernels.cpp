// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: local work on streams.

#include "core/AbiStructs.h"
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

/// Checks the arguments of a kernel and calls `run` to put it on the stream.
template <typename Args, typename Run>
static moert_status start(moert_stream *stream, const char *call,
                          const Args *args, const char *name,
                          Status (*verify)(const Args &), Run run) {
  return guard(stream ? stream->context : nullptr, call, [&] {
    if (!stream || !args)
      return missing(stream ? "arguments" : "a stream");
    Args own;
    Status status = takeSized(*args, args->size, name, own);
    if (status.ok())
      status = verify(own);
    return status.ok() ? run(own) : status;
  });
}

// Kernels that all backends have are methods of their streams; the others run
// on data in host memory.
/// Checks a launch against the limits of all supported devices.
static Status verifyLaunch(const moert_kernel_args &kernel) {
  if (!kernel.name || !*kernel.name)
    return missing("a kernel's name");
  const auto &[x, y, z] = kernel.block;
  Status status = firstError({
      ProgramImages(kernel).verify(),
      verifySizes({{"grid[0]", kernel.grid[0], 1, INT32_MAX},
                   {"grid[1]", kernel.grid[1], 1, 65535},
                   {"grid[2]", kernel.grid[2], 1, 65535},
                   {"block[0]", x, 1, 1024},
                   {"block[1]", y, 1, 1024},
                   {"block[2]", z, 1, 64},
                   {"a number of arguments", kernel.num_arguments, 0, 512},
                   {"shared bytes", kernel.shared_bytes, 0, 48 << 10}}),
      verifyPointer("the arguments", kernel.arguments, {kernel.num_arguments}),
  });
  if (status.ok())
    status = verifySizes({{"threads of a block", x * y * z, 1, 1024}});
  for (int32_t i = 0; status.ok() && i < kernel.num_arguments; ++i)
    if (!kernel.arguments[i])
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a pointer to the value of argument %d, got NULL",
                   i);
  if (status.ok())
    return status;
  return error(status.getCode(), "kernel '%s': %s", kernel.name,
               status.getMessage().c_str());
}

moert_status moert_launch_kernel(moert_stream *stream,
                                 const moert_kernel_args *args) {
  return start(
      stream, __func__, args, "moert_kernel_args", verifyLaunch,
      [&](const moert_kernel_args &own) { return stream->launchKernel(own); });
}

#define MOERT_DEVICE_KERNEL(name, Name, args)                                  \
  moert_status moert_##name(moert_stream *stream,                              \
                            const moert_##args##_args *arguments) {            \
    return start(                                                              \
        stream, __func__, arguments, "moert_" #args "_args", verify##Name,     \
        [&](const moert_##args##_args &own) { return stream->name(own); });    \
  }
#define MOERT_KERNEL(name, Name, args)                                         \
  moert_status moert_##name(moert_stream *stream,                              \
                            const moert_##args##_args *arguments) {            \
    return start(stream, __func__, arguments, "moert_" #args "_args",          \
                 verify##Name, [&](const moert_##args##_args &own) {           \
                   return stream->runOnHost([own] { return run##Name(own); }); \
                 });                                                           \
  }
#include "moert_calls.def"
