// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a program.

#ifndef MOERT_CORE_PROGRAMIMAGES_H
#define MOERT_CORE_PROGRAMIMAGES_H

#include "core/Status.h"

namespace moert {

/// The same kernels in several forms; the driver loads one of them.
struct ProgramImages {
  /// Takes the images of a `moert_kernel_args` or `moert_program`.
  template <typename T>
  explicit ProgramImages(const T &given)
      : image(given.image), bytes(given.image_bytes), cubins(given.cubins),
        numCubins(given.num_cubins) {}

  /// Returns INVALID_ARGUMENT for sizes out of range and for NULL pointers.
  Status verify() const;
  /// Returns the cubin of the latest architecture that runs on the architecture
  /// `device`, or null.
  const moert_cubin *find(int32_t device) const;
  /// Lists the architectures, for example "8.0 and 9.0".
  std::string listArchitectures() const;

  const void *image;
  int64_t bytes;
  const moert_cubin *cubins;
  int64_t numCubins;
};

/// Prints a compute capability, for example "8.6".
std::string printArchitecture(int32_t architecture);

} // namespace moert

#endif // MOERT_CORE_PROGRAMIMAGES_H
