// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, which is loaded at run time.

#ifndef MOERT_NCCL_CUDADRIVER_H
#define MOERT_NCCL_CUDADRIVER_H

#include "core/Status.h"
#include <cstddef>
#include <cstdint>

// We declare the few required functions ourselves, so that the build does not
// need CUDA. Only the driver of CUDA is required at run time, because this
// library contains an image of its kernels.

namespace moert::cuda {

using Result = int;
using Device = int;
using Pointer = unsigned long long;
inline Pointer toDevice(const void *pointer) {
  return reinterpret_cast<Pointer>(pointer);
}
struct ContextHandle;
struct StreamHandle;
struct EventHandle;
struct ModuleHandle;
struct FunctionHandle;
using Context = ContextHandle *;
using Stream = StreamHandle *;
using Event = EventHandle *;
using Module = ModuleHandle *;
using Function = FunctionHandle *;
struct GraphHandle;
struct GraphExecHandle;
using Graph = GraphHandle *;
using GraphExec = GraphExecHandle *;

constexpr Result kSuccess = 0, kOutOfMemory = 2, kNotReady = 600;
constexpr unsigned kStreamNonBlocking = 1, kEventWithoutTime = 2;

/// The driver's functions, named without "cu".
struct Driver {
  Result (*Init)(unsigned flags);
  Result (*DriverGetVersion)(int *version);
  Result (*GetErrorString)(Result result, const char **text);
  Result (*DeviceGetCount)(int *count);
  Result (*DeviceGet)(Device *device, int ordinal);
  Result (*DeviceGetName)(char *name, int size, Device device);
  Result (*DeviceGetAttribute)(int *value, int attribute, Device device);
  Result (*DevicePrimaryCtxRetain)(Context *context, Device device);
  Result (*DevicePrimaryCtxRelease)(Device device);
  Result (*CtxSetCurrent)(Context context);
  Result (*CtxGetCurrent)(Context *context);
  Result (*CtxGetStreamPriorityRange)(int *least, int *greatest);
  Result (*MemAlloc)(Pointer *pointer, size_t bytes);
  Result (*MemFree)(Pointer pointer);
  Result (*MemAllocAsync)(Pointer *pointer, size_t bytes, Stream stream);
  Result (*MemFreeAsync)(Pointer pointer, Stream stream);
  Result (*MemAllocHost)(void **pointer, size_t bytes);
  Result (*MemFreeHost)(void *pointer);
  Result (*MemcpyAsync)(Pointer to, Pointer from, size_t bytes, Stream stream);
  Result (*MemsetD8Async)(Pointer to, unsigned char value, size_t bytes,
                          Stream stream);
  Result (*StreamCreateWithPriority)(Stream *stream, unsigned flags,
                                     int priority);
  Result (*StreamDestroy)(Stream stream);
  Result (*StreamQuery)(Stream stream);
  Result (*StreamIsCapturing)(Stream stream, int *status);
  Result (*ThreadExchangeStreamCaptureMode)(int *mode);
  Result (*StreamWaitEvent)(Stream stream, Event event, unsigned flags);
  Result (*EventCreate)(Event *event, unsigned flags);
  Result (*EventDestroy)(Event event);
  Result (*EventRecord)(Event event, Stream stream);
  Result (*EventQuery)(Event event);
  Result (*EventElapsedTime)(float *ms, Event start, Event end);
  Result (*ModuleLoadData)(Module *module, const void *image);
  Result (*ModuleUnload)(Module module);
  Result (*ModuleGetFunction)(Function *function, Module module,
                              const char *name);
  Result (*FuncSetAttribute)(Function function, int attribute, int value);
  Result (*LaunchKernel)(Function function, unsigned gridX, unsigned gridY,
                         unsigned gridZ, unsigned blockX, unsigned blockY,
                         unsigned blockZ, unsigned sharedBytes, Stream stream,
                         void **parameters, void **extra);
  /// Null before CUDA 11.4, either all or none; see `hasGraphs`.
  Result (*StreamBeginCapture)(Stream stream, int mode);
  Result (*StreamEndCapture)(Stream stream, Graph *graph);
  Result (*GraphInstantiate)(GraphExec *executable, Graph graph,
                             unsigned long long flags);
  Result (*GraphDestroy)(Graph graph);
  Result (*GraphLaunch)(GraphExec executable, Stream stream);
  Result (*GraphExecDestroy)(GraphExec executable);
  /// Null before CUDA 12.0; see `cuTensorMapEncodeTiled`.
  Result (*TensorMapEncodeTiled)(void *map, int type, unsigned rank,
                                 void *address, const uint64_t *sizes,
                                 const uint64_t *strides, const unsigned *box,
                                 const unsigned *steps, int interleave,
                                 int swizzle, int promotion, int fill);
  /// Null with a real driver; the emulated driver provides the kernels of this
  /// library, and on devices of capability 9.0 the kernels for sm_90a.
  const void *(*KernelImage)();
  const void *(*GroupedImage)();
  /// Version of the library, for example 13000 for 13.0, and its path.
  int version = 0;
  std::string path;

  std::string describe(Result result) const;
  bool hasGraphs() const { return GraphInstantiate != nullptr; }
  /// Returns true if graphs run each node at the priority of its captured
  /// stream, as since CUDA 11.7.
  bool hasNodePriorities() const { return version >= 11070; }
  /// Prevents calls of this thread, for example frees, allocations and queries,
  /// from ending captures of other threads' streams.
  void tolerateCaptures() const;
  /// Returns the compute capability of `device`, 10 * major + minor.
  Status findArchitecture(Device device, int &architecture) const;
  /// Returns OK, or an error that names the failed operation.
  Status check(Result result, const char *what) const;
};

/// Returns the device's priority for a stream of this library, if the
/// priorities of the device range from `least` down to `greatest`: 0 and less
/// urgent ones map to `least`, and -1 to -5 are increasingly urgent, on as many
/// levels as the device has.
int getDevicePriority(int32_t priority, int least, int greatest);

/// Loads the driver once. Returns null and a reason if it is missing, too old,
/// or finds no device.
const Driver *loadDriver(std::string &reason);

/// Explains why a driver for a CUDA version, for example 12020 for 12.2, does
/// not accept the output of an nvcc version, and the remedy; "" if it accepts
/// it.
std::string explainImageVersion(int nvcc, int driver);

/// Loads the kernels of this library into the current context. Returns null and
/// a reason in a build without nvcc, or if the driver or the device cannot load
/// their image.
Module loadKernels(const Driver &driver, std::string &reason);

/// Loads the kernels of grouped products (grouped.cu) into the current context.
/// `module` is null if this build or the driver lacks them, or if the device of
/// this architecture does not run them. An image that should run but cannot be
/// loaded is an error.
Status loadGroupedKernels(const Driver &driver, int architecture,
                          Module &module);

} // namespace moert::cuda

#endif // MOERT_NCCL_CUDADRIVER_H
