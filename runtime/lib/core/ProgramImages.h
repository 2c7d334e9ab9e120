// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a program has.

#ifndef MOERT_CORE_PROGRAMIMAGES_H
#define MOERT_CORE_PROGRAMIMAGES_H

#include "core/Status.h"

namespace moert {

/// The same kernels in several forms, of which a device's driver loads one.
struct ProgramImages {
  /// Of a `moert_kernel_args` or `moert_program`.
  template <typename T>
  explicit ProgramImages(const T &given)
      : image(given.image), bytes(given.image_bytes), cubins(given.cubins),
        numCubins(given.num_cubins) {}

  /// INVALID_ARGUMENT for sizes out of range and what is NULL.
  Status verify() const;
  /// The one of the latest architecture that runs on devices of another one;
  /// null where none does.
  const moert_cubin *find(int32_t device) const;
  /// The architectures, as "8.0 and 9.0".
  std::string listArchitectures() const;

  const void *image;
  int64_t bytes;
  const moert_cubin *cubins;
  int64_t numCubins;
};

/// A compute capability in words, as "8.6".
std::string printArchitecture(int32_t architecture);

} // namespace moert

#endif // MOERT_CORE_PROGRAMIMAGES_H
