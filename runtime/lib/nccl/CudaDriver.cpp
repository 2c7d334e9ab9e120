// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, which is loaded at run time.

#include "nccl/CudaDriver.h"
#include "core/LoadLibrary.h"
#include "moert.h"
#include <algorithm>
#include <mutex>

using namespace moert;
using namespace moert::cuda;

std::string Driver::describe(Result result) const {
  const char *text = nullptr;
  if (GetErrorString(result, &text) != kSuccess || !text)
    return format("CUDA error %d", result);
  return format("CUDA error %d (%s)", result, text);
}

void Driver::tolerateCaptures() const {
  constexpr int kRelaxed = 2;
  int mode = kRelaxed;
  ThreadExchangeStreamCaptureMode(&mode);
}

Status Driver::findArchitecture(Device device, int &architecture) const {
  constexpr int kMajor = 75, kMinor = 76;
  int major = 0, minor = 0;
  Result result = DeviceGetAttribute(&major, kMajor, device);
  if (result == kSuccess)
    result = DeviceGetAttribute(&minor, kMinor, device);
  architecture = 10 * major + minor;
  return check(result, "cuDeviceGetAttribute of its compute capability");
}

Status Driver::check(Result result, const char *what) const {
  if (result == kSuccess)
    return {};
  return error(result == kOutOfMemory ? MOERT_OUT_OF_MEMORY
                                      : MOERT_BACKEND_ERROR,
               "%s: %s", what, describe(result).c_str());
}

/// Functions that changed their meaning have a version in their symbol.
static bool findFunctions(void *library, Driver &driver, std::string &missing) {
  auto find = [&](auto &function, const char *symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        findSymbol(library, symbol));
    if (!function && missing.empty())
      missing = symbol;
  };
  find(driver.Init, "cuInit");
  find(driver.DriverGetVersion, "cuDriverGetVersion");
  find(driver.GetErrorString, "cuGetErrorString");
  find(driver.DeviceGetCount, "cuDeviceGetCount");
  find(driver.DeviceGet, "cuDeviceGet");
  find(driver.DeviceGetName, "cuDeviceGetName");
  find(driver.DeviceGetAttribute, "cuDeviceGetAttribute");
  find(driver.DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  find(driver.DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  find(driver.CtxSetCurrent, "cuCtxSetCurrent");
  find(driver.CtxGetCurrent, "cuCtxGetCurrent");
  find(driver.CtxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange");
  find(driver.MemAlloc, "cuMemAlloc_v2");
  find(driver.MemFree, "cuMemFree_v2");
  find(driver.MemAllocAsync, "cuMemAllocAsync");
  find(driver.MemFreeAsync, "cuMemFreeAsync");
  find(driver.MemAllocHost, "cuMemAllocHost_v2");
  find(driver.MemFreeHost, "cuMemFreeHost");
  find(driver.MemcpyAsync, "cuMemcpyAsync");
  find(driver.MemsetD8Async, "cuMemsetD8Async");
  find(driver.StreamCreateWithPriority, "cuStreamCreateWithPriority");
  find(driver.StreamDestroy, "cuStreamDestroy_v2");
  find(driver.StreamQuery, "cuStreamQuery");
  find(driver.StreamIsCapturing, "cuStreamIsCapturing");
  find(driver.ThreadExchangeStreamCaptureMode,
       "cuThreadExchangeStreamCaptureMode");
  find(driver.StreamWaitEvent, "cuStreamWaitEvent");
  find(driver.EventCreate, "cuEventCreate");
  find(driver.EventDestroy, "cuEventDestroy_v2");
  find(driver.EventRecord, "cuEventRecord");
  find(driver.EventQuery, "cuEventQuery");
  find(driver.EventElapsedTime, "cuEventElapsedTime");
  find(driver.ModuleLoadData, "cuModuleLoadData");
  find(driver.ModuleUnload, "cuModuleUnload");
  find(driver.ModuleGetFunction, "cuModuleGetFunction");
  find(driver.FuncSetAttribute, "cuFuncSetAttribute");
  find(driver.LaunchKernel, "cuLaunchKernel");
  bool isComplete = missing.empty();
  find(driver.StreamBeginCapture, "cuStreamBeginCapture_v2");
  find(driver.StreamEndCapture, "cuStreamEndCapture");
  find(driver.GraphInstantiate, "cuGraphInstantiateWithFlags");
  find(driver.GraphDestroy, "cuGraphDestroy");
  find(driver.GraphLaunch, "cuGraphLaunch");
  find(driver.GraphExecDestroy, "cuGraphExecDestroy");
  find(driver.TensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  find(driver.KernelImage, "moert_driver_kernel_image");
  find(driver.GroupedImage, "moert_driver_grouped_image");
  return isComplete;
}

int cuda::getDevicePriority(int32_t priority, int least, int greatest) {
  // The number of priorities in compiled programs, see MOERT_MOST_URGENT.
  constexpr int kLevels = -MOERT_MOST_URGENT;
  int own = std::min(std::max(-priority, 0), kLevels),
      levels = least - greatest;
  if (levels < kLevels)
    own = (own * levels + kLevels - 1) / kLevels;
  return least - own;
}

static const Driver *load(std::string &reason) {
  // Stream-ordered allocation requires CUDA 11.2.
  constexpr int kLeastVersion = 11020;
  static Driver driver;
  std::string said;
  void *library = loadLibrary({"libcuda.so.1"}, driver.path, said);
  if (!library) {
    reason = "no CUDA driver: " + said;
    return nullptr;
  }
  std::string missing;
  int (*getVersion)(int *) = reinterpret_cast<int (*)(int *)>(
      findSymbol(library, "cuDriverGetVersion"));
  if (!getVersion || getVersion(&driver.version) != kSuccess ||
      driver.version < kLeastVersion) {
    reason = format("expected a CUDA driver for CUDA 11.2 or later, got %d.%d "
                    "in %s",
                    driver.version / 1000, driver.version % 1000 / 10,
                    driver.path.c_str());
    return nullptr;
  }
  if (!findFunctions(library, driver, missing)) {
    reason = format("the CUDA driver %s has no function %s",
                    driver.path.c_str(), missing.c_str());
    return nullptr;
  }
  int count = 0;
  Result result = driver.Init(0);
  if (result == kSuccess)
    result = driver.DeviceGetCount(&count);
  if (result != kSuccess || count == 0) {
    reason =
        format("the CUDA driver %s finds no device: %s", driver.path.c_str(),
               result ? driver.describe(result).c_str() : "none is there");
    return nullptr;
  }
  return &driver;
}

const Driver *cuda::loadDriver(std::string &reason) {
  static std::mutex mutex;
  static const Driver *driver = nullptr;
  static std::string why;
  static bool tried = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (!tried)
    driver = load(why);
  tried = true;
  reason = why;
  return driver;
}
