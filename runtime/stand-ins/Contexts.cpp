// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and contexts of the emulated driver.

// Runs the backend 'nccl' on machines without a GPU. A stream is a thread;
// kernels are the library's own kernels, compiled for the CPU (shim/). This
// checks the order of calls, the end of calls when the job fails, and the
// results of kernels, but not the speed.

#include "Capture.h"
#include "Driver.h"
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

using namespace moert;
using namespace moert::cuda;
using namespace moert::standin;

STAND_IN_API Result cuInit(unsigned) {
  CALL();
  return kSuccess;
}
STAND_IN_API Result cuDriverGetVersion(int *version) {
  CALL();
  *version = static_cast<int>(getNumber("MOERT_STAND_IN_CUDA_VERSION", 12000));
  return kSuccess;
}

STAND_IN_API Result cuGetErrorName(Result result, const char **text) {
  static const std::map<Result, const char *> names = {
      {kSuccess, "CUDA_SUCCESS"},
      {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE"},
      {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
      {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
      {kNoBinary, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {218, "CUDA_ERROR_INVALID_PTX"},
      {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE"},
      {kNotFound, "CUDA_ERROR_NOT_FOUND"},
      {kNotReady, "CUDA_ERROR_NOT_READY"},
      {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
      {kNotSupported, "CUDA_ERROR_NOT_SUPPORTED"},
      {kCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
      {kCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
      {kCaptureMerge, "CUDA_ERROR_STREAM_CAPTURE_MERGE"},
      {kCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
      {kCaptureUnjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
      {kCaptureIsolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
      {kCapturedEvent, "CUDA_ERROR_CAPTURED_EVENT"},
      {kCaptureWrongThread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD"},
  };
  auto it = names.find(result);
  *text = it == names.end() ? nullptr : it->second;
  return *text ? kSuccess : kInvalidValue;
}
STAND_IN_API Result cuGetErrorString(Result result, const char **text) {
  if (cuGetErrorName(result, text) != kSuccess)
    *text = "an error of the stand-in";
  return kSuccess;
}

static int getDevices() {
  return static_cast<int>(getNumber("MOERT_STAND_IN_DEVICES", 64));
}

int standin::getCapability() {
  return static_cast<int>(getNumber("MOERT_STAND_IN_CAPABILITY", 80));
}

STAND_IN_API Result cuDeviceGetCount(int *count) {
  CALL();
  *count = getDevices();
  return kSuccess;
}
STAND_IN_API Result cuDeviceGet(Device *device, int ordinal) {
  CALL();
  if (ordinal < 0 || ordinal >= getDevices())
    return kInvalidDevice;
  *device = ordinal;
  return kSuccess;
}
STAND_IN_API Result cuDeviceGetName(char *name, int size, Device) {
  CALL();
  std::snprintf(name, static_cast<size_t>(size), "a stand-in");
  return kSuccess;
}
/// Supports the compute capability, and the number of multiprocessors as on an
/// H100.
STAND_IN_API Result cuDeviceGetAttribute(int *value, int attribute, Device) {
  CALL();
  constexpr int kMultiprocessorCount = 16, kMajor = 75, kMinor = 76;
  if (attribute == kMultiprocessorCount) {
    *value = 132;
    return kSuccess;
  }
  if (attribute != kMajor && attribute != kMinor)
    return kInvalidValue;
  int capability = getCapability();
  *value = attribute == kMajor ? capability / 10 : capability % 10;
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// The stack of contexts, the current one last; null stands for none.
static thread_local std::vector<ContextState *> contexts;

static ContextState &getPrimary(Device device) {
  static auto *mutex = new std::mutex;
  static auto *primaries = new std::map<Device, std::unique_ptr<ContextState>>;
  std::lock_guard<std::mutex> lock(*mutex);
  std::unique_ptr<ContextState> &entry = (*primaries)[device];
  if (!entry)
    entry = std::make_unique<ContextState>(device);
  return *entry;
}

static Context toHandle(ContextState *context) {
  return reinterpret_cast<Context>(context);
}

Context standin::getContext() {
  return toHandle(contexts.empty() ? nullptr : contexts.back());
}

Result standin::getCurrent(ContextState *&context) {
  context = get(getContext());
  if (!context)
    return kInvalidContext;
  {
    std::lock_guard<std::mutex> lock(context->mutex);
    if (context->retained == 0)
      return kInvalidContext;
  }
  return context->error.load();
}

STAND_IN_API Result cuDevicePrimaryCtxRetain(Context *context, Device device) {
  CALL();
  if (device < 0 || device >= getDevices())
    return kInvalidDevice;
  ContextState &primary = getPrimary(device);
  std::lock_guard<std::mutex> lock(primary.mutex);
  if (++primary.retained == 1)
    primary.error.store(kSuccess);
  *context = toHandle(&primary);
  return kSuccess;
}
STAND_IN_API Result cuDevicePrimaryCtxRelease_v2(Device device) {
  CALL();
  if (device < 0 || device >= getDevices())
    return kInvalidDevice;
  ContextState &primary = getPrimary(device);
  std::lock_guard<std::mutex> lock(primary.mutex);
  if (primary.retained == 0)
    return kInvalidContext;
  --primary.retained;
  return kSuccess;
}
STAND_IN_API Result cuCtxSetCurrent(Context context) {
  CALL();
  if (contexts.empty())
    contexts.push_back(nullptr);
  contexts.back() = get(context);
  return kSuccess;
}
STAND_IN_API Result cuCtxGetCurrent(Context *context) {
  CALL();
  *context = getContext();
  return kSuccess;
}
STAND_IN_API Result cuCtxPushCurrent_v2(Context context) {
  CALL();
  if (!context)
    return kInvalidContext;
  contexts.push_back(get(context));
  return kSuccess;
}
STAND_IN_API Result cuCtxPopCurrent_v2(Context *context) {
  CALL();
  if (contexts.empty() || !contexts.back())
    return kInvalidContext;
  if (context)
    *context = getContext();
  contexts.pop_back();
  return kSuccess;
}
STAND_IN_API Result cuCtxGetDevice(Device *device) {
  CALL();
  NEEDS_CONTEXT;
  *device = context->device;
  return kSuccess;
}
STAND_IN_API Result cuCtxSynchronize() {
  CALL();
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  synchronize(toHandle(context));
  return context->error.load();
}
