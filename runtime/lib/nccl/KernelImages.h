// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that come with programs.

#ifndef MOERT_NCCL_KERNELIMAGES_H
#define MOERT_NCCL_KERNELIMAGES_H

#include "core/ProgramImages.h"
#include "nccl/CudaDriver.h"
#include <map>
#include <mutex>

namespace moert::nccl {

/// The images of programs that a device's context has loaded, by their
/// addresses. Its methods are for a thread that has entered the context.
class KernelImages {
public:
  /// `architecture` is the device's compute capability.
  KernelImages(const cuda::Driver &driver, int architecture)
      : driver(driver), architecture(architecture) {}

  /// Loads the image that fits, at the first call. UNAVAILABLE, in the driver's
  /// words, when none can be.
  Status load(const ProgramImages &images);
  /// Puts a kernel on a stream; its arguments are checked. UNAVAILABLE, in the
  /// driver's words, when no image can be loaded or it does not have it.
  Status launch(const moert_kernel_args &kernel, cuda::Stream stream);
  /// Nothing uses the kernels any more.
  void unload();

private:
  struct Image {
    cuda::Module module = nullptr;
    std::map<std::string, cuda::Function> functions;
  };
  /// The mutex is held.
  Status load(const ProgramImages &images, Image *&image);
  Status find(const moert_kernel_args &kernel, cuda::Function &function);

  const cuda::Driver &driver;
  const int architecture;
  std::mutex mutex;
  /// By the address of what is loaded where no cubin fits.
  std::map<const void *, Image> loaded;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_KERNELIMAGES_H
