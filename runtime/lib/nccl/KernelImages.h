// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of programs.

#ifndef MOERT_NCCL_KERNELIMAGES_H
#define MOERT_NCCL_KERNELIMAGES_H

#include "core/ProgramImages.h"
#include "nccl/CudaDriver.h"
#include <map>
#include <mutex>

namespace moert::nccl {

/// The loaded images of programs, by address. The calling thread must have
/// entered the context.
class KernelImages {
public:
  /// `architecture` is the compute capability of the device.
  KernelImages(const cuda::Driver &driver, int architecture)
      : driver(driver), architecture(architecture) {}

  /// Loads the matching image at the first call. UNAVAILABLE with the driver's
  /// message if none can be loaded.
  Status load(const ProgramImages &images);
  /// Puts a kernel on a stream; its arguments have been checked. UNAVAILABLE
  /// with the driver's message if no image can be loaded or the image does not
  /// contain the kernel.
  Status launch(const moert_kernel_args &kernel, cuda::Stream stream);
  /// Unloads the kernels, which must not be in use.
  void unload();

private:
  struct Image {
    cuda::Module module = nullptr;
    std::map<std::string, cuda::Function> functions;
  };
  /// These functions require the mutex.
  Status load(const ProgramImages &images, Image *&image);
  Status find(const moert_kernel_args &kernel, cuda::Function &function);

  const cuda::Driver &driver;
  const int architecture;
  std::mutex mutex;
  /// By the address of the image that is loaded if no cubin fits.
  std::map<const void *, Image> loaded;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_KERNELIMAGES_H
