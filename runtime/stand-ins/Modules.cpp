// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and kernels of the emulated driver.

#include "Capture.h"
#include "Driver.h"
#include "Kernels.h"
#include "TensorMaps.h"
#include "moert_cpu_image.h"
#include "shim/Block.h"
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

using namespace moert;
using namespace moert::cuda;
using namespace moert::standin;

namespace {

struct FunctionState {
  std::string name;
  ContextState *context;
  /// The bytes of each parameter.
  std::vector<size_t> sizes;
  /// The most dynamic shared memory of a launch; cuFuncSetAttribute allows more
  /// than 48 KB.
  std::atomic<unsigned> sharedBytes{48 << 10};
  /// Runs the thread that shim::place identifies.
  std::function<void(void *const *parameters)> run;
};

struct ModuleState {
  ContextState *context;
  /// Null for the library's own kernels.
  const moert_cpu_image *image = nullptr;
  std::mutex mutex;
  std::map<std::string, FunctionState> functions;
};

/// The parameters of a kernel at its launch, with pointers to device memory
/// converted to the emulation's addresses.
class Parameters {
public:
  Parameters(const std::vector<size_t> &sizes, void **values) {
    for (size_t size : sizes) {
      // Words are aligned for any type.
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

namespace {
struct Recognized {
  enum Kind { Cpu, FatBinary, Cubin, Ptx, Other };
  Kind kind;
  /// The kind in the log, for example "cubin:sm_90".
  std::string words;
};
} // namespace

/// Returns the architecture in the header of a cubin: the first byte of its
/// flags, or the second byte since version 8 of the layout.
static int findArchitecture(const unsigned char *cubin) {
  constexpr size_t kVersion = 8, kFlags = 48;
  return cubin[kFlags + (cubin[kVersion] >= 8 ? 1 : 0)];
}

/// Recognizes an image by its first bytes.
static Recognized recognize(const void *image) {
  auto *bytes = static_cast<const char *>(image);
  auto begins = [&](std::string_view with) {
    return std::strncmp(bytes, with.data(), with.size()) == 0;
  };
  if (begins(MOERT_CPU_IMAGE_MAGIC))
    return {Recognized::Cpu, "cpu"};
  if (begins("\x50\xed\x55\xba"))
    return {Recognized::FatBinary, "fatbin"};
  if (begins("\x7f"
             "ELF"))
    return {Recognized::Cubin,
            "cubin:sm_" + std::to_string(findArchitecture(
                              static_cast<const unsigned char *>(image)))};
  while (*bytes == ' ' || *bytes == '\n' || *bytes == '\t')
    ++bytes;
  if (!begins("//") && !begins(".version"))
    return {Recognized::Other, "unknown"};
  std::string_view text = bytes, target = ".target ";
  size_t at = text.find(target);
  text.remove_prefix(at == text.npos ? text.size() : at + target.size());
  return {Recognized::Ptx,
          "ptx:" + std::string(text.substr(0, text.find_first_of(", \n")))};
}

/// A fat binary is assumed to be the library's own kernels, which are available
/// as functions. A CPU cannot run other machine code and PTX.
static Result take(const Recognized &found, const void *image,
                   ModuleState &module) {
  switch (found.kind) {
  case Recognized::Cpu:
    module.image = static_cast<const moert_cpu_image *>(image);
    return kSuccess;
  case Recognized::FatBinary:
    return kSuccess;
  case Recognized::Cubin:
  case Recognized::Ptx:
    return kNoBinary;
  case Recognized::Other:
    return kInvalidImage;
  }
  return kInvalidImage;
}

/// Runs one thread of generated code, which gets its place in an array.
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

/// Returns the image of the library's kernels if the library was built without
/// nvcc and therefore has none. The library asks the driver for it.
STAND_IN_API const void *moert_driver_kernel_image() {
  static const char fatBinary[] = "\x50\xed\x55\xba";
  return getNumber("MOERT_STAND_IN_KERNELS", 1) ? fatBinary : nullptr;
}

/// Returns the image of the kernels of grouped products, which exists for
/// devices of capability 9.0.
STAND_IN_API const void *moert_driver_grouped_image() {
  return getCapability() == 90 ? moert_driver_kernel_image() : nullptr;
}

/// May wait for all work on the device, as the driver does.
STAND_IN_API Result cuModuleLoadData(Module *module, const void *image) {
  Recognized found = recognize(image);
  CALL(nullptr, "image=" + found.words);
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  auto made = std::make_unique<ModuleState>();
  made->context = context;
  if (Result wrong = take(found, image, *made))
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
    FunctionState &made = module->functions[name];
    made.name = name;
    made.context = module->context;
    known = module->functions.find(name);
    if (!find(*module, made)) {
      module->functions.erase(known);
      return kNotFound;
    }
  }
  *function = reinterpret_cast<Function>(&known->second);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Returns true if current devices support these sizes.
static bool isPossible(const shim::Dim3 &grid, const shim::Dim3 &block,
                       unsigned sharedBytes, unsigned allowedBytes) {
  return grid.count() && block.count() && grid.x <= INT32_MAX &&
         grid.y <= 65535 && grid.z <= 65535 && block.count() <= 1024 &&
         block.z <= 64 && sharedBytes <= allowedBytes;
}

STAND_IN_API Result cuFuncSetAttribute(Function function, int attribute,
                                       int value) {
  CALL();
  NEEDS_CONTEXT;
  constexpr int kMaxDynamicSharedSizeBytes = 8;
  if (attribute != kMaxDynamicSharedSizeBytes || value < 0 ||
      value > static_cast<int>(kMaxSharedBytes))
    return kInvalidValue;
  reinterpret_cast<FunctionState *>(function)->sharedBytes =
      static_cast<unsigned>(value);
  return kSuccess;
}

/// Accepts maps of matrices with 16-bit elements and swizzled lines of 128
/// bytes, under the driver's conditions.
STAND_IN_API Result cuTensorMapEncodeTiled(
    void *map, int type, unsigned rank, void *address, const uint64_t *sizes,
    const uint64_t *strides, const unsigned *box, const unsigned *steps,
    int interleave, int swizzle, int, int) {
  CALL();
  constexpr int kF16 = 6, kBF16 = 9, kSwizzle128B = 3;
  constexpr uint64_t kMostSize = uint64_t{1} << 32;
  if ((type != kF16 && type != kBF16) || rank != 3 || interleave != 0 ||
      swizzle != kSwizzle128B || reinterpret_cast<uintptr_t>(map) % 64 ||
      reinterpret_cast<uintptr_t>(address) % 16 || box[0] * 2 > 128)
    return kInvalidValue;
  for (unsigned d = 0; d < rank; ++d)
    if (sizes[d] == 0 || sizes[d] > kMostSize || box[d] == 0 || box[d] > 256 ||
        steps[d] != 1)
      return kInvalidValue;
  for (unsigned d = 0; d + 1 < rank; ++d)
    if (strides[d] % 16 || strides[d] >= uint64_t{1} << 40)
      return kInvalidValue;
  TiledMatrix matrix = {static_cast<const char *>(address),
                        {sizes[0], sizes[1], sizes[2]},
                        {strides[0], strides[1]},
                        box[0],
                        box[1],
                        static_cast<uint64_t>(type)};
  std::memcpy(map, &matrix, sizeof(matrix));
  return kSuccess;
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
  if (!isPossible(launch.grid, launch.block, sharedBytes, kernel->sharedBytes))
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
