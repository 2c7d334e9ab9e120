// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, loaded at run time.

#ifndef MOERT_NCCL_CUDADRIVER_H
#define MOERT_NCCL_CUDADRIVER_H

#include "core/Status.h"
#include <cstddef>
#include <cstdint>

// Own declarations of the few functions that are used, so that building needs
// no CUDA. Of CUDA only the driver is needed: kernels are an image inside of
// this library.

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

/// The driver's functions under their names without "cu".
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
  Result (*LaunchKernel)(Function function, unsigned gridX, unsigned gridY,
                         unsigned gridZ, unsigned blockX, unsigned blockY,
                         unsigned blockZ, unsigned sharedBytes, Stream stream,
                         void **parameters, void **extra);
  /// Null before CUDA 11.4, all or none; see `hasGraphs`.
  Result (*StreamBeginCapture)(Stream stream, int mode);
  Result (*StreamEndCapture)(Stream stream, Graph *graph);
  Result (*GraphInstantiate)(GraphExec *executable, Graph graph,
                             unsigned long long flags);
  Result (*GraphDestroy)(Graph graph);
  Result (*GraphLaunch)(GraphExec executable, Stream stream);
  Result (*GraphExecDestroy)(GraphExec executable);
  /// Null with a real driver; a stand-in brings the kernels of this library.
  const void *(*KernelImage)();
  /// Of the library, e.g. 13000 for 13.0, and where it was found.
  int version = 0;
  std::string path;

  std::string describe(Result result) const;
  bool hasGraphs() const { return GraphInstantiate != nullptr; }
  /// Graphs run each node at the priority of the stream that it was captured
  /// from: CUDA 11.7.
  bool hasNodePriorities() const { return version >= 11070; }
  /// From now on no call of this thread ends captures of streams by others,
  /// which frees, allocations and queries do otherwise.
  void tolerateCaptures() const;
  /// A device's compute capability, 10 * major + minor.
  Status findArchitecture(Device device, int &architecture) const;
  /// OK, or an error that says what was tried.
  Status check(Result result, const char *what) const;
};

/// The device's priority for a stream of this library's, of a device whose
/// priorities go from `least` down to `greatest`: 0 and less urgent ones are
/// the least, -1 to -5 are more and more urgent, on as many levels as there
/// are.
int getDevicePriority(int32_t priority, int least, int greatest);

/// Loads the driver once. Null, with the reason, when it is missing, too old,
/// or finds no device.
const Driver *loadDriver(std::string &reason);

/// Why a driver for a version of CUDA, e.g. 12020 for 12.2, does not take what
/// an nvcc of a version has made, and what to do; empty if it takes it.
std::string explainImageVersion(int nvcc, int driver);

/// Loads the kernels of this library into the current context. Null, with the
/// reason, in a build without nvcc, or when the driver or the device cannot
/// take their image.
Module loadKernels(const Driver &driver, std::string &reason);

} // namespace moert::cuda

#endif // MOERT_NCCL_CUDADRIVER_H
