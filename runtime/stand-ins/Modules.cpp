//===- Modules.cpp - Kernels of the stand-in driver -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include "Driver.h"
#include "Kernels.h"
#include "moert_cpu_image.h"
#include "shim/Block.h"
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

using namespace moert;
using namespace moert::cuda;
using namespace moert::standin;

namespace {

/// A kernel of a module that was loaded.
struct FunctionState {
  std::string name;
  ContextState *context;
  /// Of each parameter, in bytes.
  std::vector<size_t> sizes;
  /// Runs the thread that shim::place says.
  std::function<void(void *const *parameters)> run;
};

struct ModuleState {
  ContextState *context;
  /// Null for the library's own kernels.
  const moert_cpu_image *image = nullptr;
  std::mutex mutex;
  std::map<std::string, FunctionState> functions;
};

/// The values of a kernel's parameters when it was launched, with its pointers
/// where the stand-ins reach device memory.
class Parameters {
public:
  Parameters(const std::vector<size_t> &sizes, void **values) {
    for (size_t size : sizes) {
      // Aligned for any type.
      auto &copy =
          copies.emplace_back((size + sizeof(Word) - 1) / sizeof(Word));
      std::memcpy(copy.data(), *values++, size);
      reachAll(copy.data(), size);
    }
    for (auto &copy : copies)
      pointers.push_back(copy.data());
  }
  Parameters(const Parameters &) = delete;
  void *const *data() const { return pointers.data(); }

private:
  using Word = std::max_align_t;
  std::vector<std::vector<Word>> copies;
  std::vector<void *> pointers;
};

} // namespace

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

/// What an image is by its first bytes. A fat binary is taken for the
/// library's own kernels, which are here as functions; other machine code and
/// PTX are nothing that a CPU can run.
static Result recognize(const void *image, ModuleState &module) {
  auto *bytes = static_cast<const char *>(image);
  if (std::strncmp(bytes, MOERT_CPU_IMAGE_MAGIC,
                   sizeof(MOERT_CPU_IMAGE_MAGIC)) == 0) {
    module.image = static_cast<const moert_cpu_image *>(image);
    return kSuccess;
  }
  if (std::strncmp(bytes, "\x50\xed\x55\xba", 4) == 0)
    return kSuccess;
  bool isElf = std::strncmp(bytes,
                            "\x7f"
                            "ELF",
                            4) == 0;
  while (*bytes == ' ' || *bytes == '\n' || *bytes == '\t')
    ++bytes;
  bool isPtx = std::strncmp(bytes, "//", 2) == 0 ||
               std::strncmp(bytes, ".version", 8) == 0;
  return isElf || isPtx ? kNoBinary : kInvalidImage;
}

/// What generated code calls a thread's place.
static void runThread(const moert_cpu_kernel &kernel, void *const *parameters) {
  const shim::Place &at = shim::place;
  const uint32_t ids[12] = {at.block.x,     at.block.y,     at.block.z,
                            at.thread.x,    at.thread.y,    at.thread.z,
                            at.gridSize.x,  at.gridSize.y,  at.gridSize.z,
                            at.blockSize.x, at.blockSize.y, at.blockSize.z};
  kernel.run(const_cast<void **>(parameters), ids);
}

static bool find(const ModuleState &module, FunctionState &function) {
  if (!module.image) {
    const Kernel *kernel = findKernel(function.name);
    if (!kernel)
      return false;
    function.sizes = kernel->sizes;
    function.run = kernel->run;
    return true;
  }
  auto *kernels = reinterpret_cast<const moert_cpu_kernel *>(module.image + 1);
  for (uint64_t i = 0; i < module.image->count; ++i) {
    const moert_cpu_kernel &kernel = kernels[i];
    if (function.name != kernel.name)
      continue;
    function.sizes.assign(kernel.num_arguments, sizeof(void *));
    function.run = [&kernel](void *const *parameters) {
      runThread(kernel, parameters);
    };
    return true;
  }
  return false;
}

/// The library's kernels for a build of it that has no image of them, because
/// nvcc was not there; the library asks a driver for it.
STAND_IN_API const void *moert_driver_kernel_image() {
  static const char fatBinary[] = "\x50\xed\x55\xba";
  return getNumber("MOERT_STAND_IN_KERNELS", 1) ? fatBinary : nullptr;
}

/// As the driver's: may wait for everything on the device.
STAND_IN_API Result cuModuleLoadData(Module *module, const void *image) {
  CALL();
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  auto made = std::make_unique<ModuleState>();
  made->context = context;
  if (Result wrong = recognize(image, *made))
    return wrong;
  synchronize(getContext());
  *module = reinterpret_cast<Module>(made.release());
  return kSuccess;
}
STAND_IN_API Result cuModuleUnload(Module module) {
  CALL();
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  synchronize(getContext());
  delete reinterpret_cast<ModuleState *>(module);
  return kSuccess;
}
STAND_IN_API Result cuModuleGetFunction(Function *function, Module handle,
                                        const char *name) {
  CALL(nullptr, std::string("kernel=") + name);
  NEEDS_CONTEXT;
  auto *module = reinterpret_cast<ModuleState *>(handle);
  std::lock_guard<std::mutex> lock(module->mutex);
  auto known = module->functions.find(name);
  if (known == module->functions.end()) {
    FunctionState made;
    made.name = name;
    made.context = module->context;
    if (!find(*module, made))
      return kNotFound;
    known = module->functions.emplace(name, std::move(made)).first;
  }
  *function = reinterpret_cast<Function>(&known->second);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// As the devices that there are.
static bool isPossible(const shim::Dim3 &grid, const shim::Dim3 &block,
                       unsigned sharedBytes) {
  return grid.count() && block.count() && grid.x <= INT32_MAX &&
         grid.y <= 65535 && grid.z <= 65535 && block.count() <= 1024 &&
         block.z <= 64 && sharedBytes <= (48 << 10);
}

STAND_IN_API Result cuLaunchKernel(Function function, unsigned gridX,
                                   unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes,
                                   Stream stream, void **parameters, void **) {
  auto *kernel = reinterpret_cast<const FunctionState *>(function);
  CALL(stream, "kernel=" + kernel->name);
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context))
    return wrong;
  if (kernel->context != context)
    return kInvalidHandle;
  shim::Launch launch;
  launch.name = kernel->name;
  launch.grid = {gridX, gridY, gridZ};
  launch.block = {blockX, blockY, blockZ};
  launch.sharedBytes = sharedBytes;
  launch.seed = static_cast<uint64_t>(getNumber("MOERT_STAND_IN_SEED", 1));
  if (!isPossible(launch.grid, launch.block, sharedBytes))
    return kInvalidValue;
  count(kernel->name);
  auto values = std::make_shared<Parameters>(kernel->sizes, parameters);
  get(stream)->enqueue([=]() mutable {
    launch.shared = getSharedMemory();
    std::string problem =
        shim::run(launch, [&] { kernel->run(values->data()); });
    if (problem.empty())
      return;
    std::fprintf(stderr, "stand-in for CUDA: %s\n", problem.c_str());
    context->error.store(kLaunchFailed);
  });
  return kSuccess;
}
