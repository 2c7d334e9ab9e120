// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a program.

#include "core/ProgramImages.h"

using namespace moert;

std::string moert::printArchitecture(int32_t architecture) {
  return format("%d.%d", architecture / 10, architecture % 10);
}

Status ProgramImages::verify() const {
  if (!image)
    return missing("a kernel's image");
  if (bytes < 1)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected an image of kernels of at least 1 byte, got %lld",
                 static_cast<long long>(bytes));
  constexpr int64_t kMostCubins = 64;
  if (numCubins < 0 || numCubins > kMostCubins)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a number of cubins in [0, %lld], got %lld",
                 static_cast<long long>(kMostCubins),
                 static_cast<long long>(numCubins));
  if (numCubins > 0 && !cubins)
    return missing("the cubins");
  for (int64_t i = 0; i < numCubins; ++i)
    if (cubins[i].architecture < 10 || !cubins[i].image || cubins[i].bytes < 1)
      return error(MOERT_INVALID_ARGUMENT,
                   "cubin %lld: expected an architecture of at least 10, a "
                   "pointer and at least 1 byte, got %d, %p and %lld",
                   static_cast<long long>(i), cubins[i].architecture,
                   cubins[i].image, static_cast<long long>(cubins[i].bytes));
  return {};
}

const moert_cubin *ProgramImages::find(int32_t device) const {
  const moert_cubin *found = nullptr;
  for (int64_t i = 0; i < numCubins; ++i) {
    const moert_cubin &cubin = cubins[i];
    if (cubin.architecture / 10 == device / 10 &&
        cubin.architecture <= device &&
        (!found || found->architecture < cubin.architecture))
      found = &cubin;
  }
  return found;
}

std::string ProgramImages::listArchitectures() const {
  std::string list;
  for (int64_t i = 0; i < numCubins; ++i)
    list += (i == 0               ? ""
             : i + 1 == numCubins ? " and "
                                  : ", ") +
            printArchitecture(cubins[i].architecture);
  return list;
}
