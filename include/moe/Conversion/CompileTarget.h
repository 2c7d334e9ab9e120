// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs are compiled for.

#ifndef MOE_CONVERSION_COMPILETARGET_H
#define MOE_CONVERSION_COMPILETARGET_H

#include "moe/Support/EnumNames.h"
#include <string>

namespace moe {

/// The backends of the runtime that a program is compiled for: what the bodies
/// of its tasks become.
enum class CompileTarget {
  /// Functions of the processor.
  Host,
  /// Kernels of a GPU, which the program has as PTX and as cubins.
  Nccl,
  /// The same kernels as functions that the driver stand-in calls.
  NcclStandIns
};

/// Which images of its kernels a program for `nccl` has. What is empty is as the
/// pass has it (convert-moert-to-llvm).
struct KernelImageOptions {
  /// The earliest architecture of a GPU that runs the program, such as sm_75,
  /// which its PTX is of.
  std::string chip;
  /// The architectures that it has machine code for, beside PTX: `auto`, `none`,
  /// or some such as sm_80,sm_90.
  std::string cubinChips;
  /// The folder of CUDA whose `bin/ptxas` makes it.
  std::string toolkit;
};

template <> struct EnumNames<CompileTarget> {
  static constexpr EnumName<CompileTarget> all[] = {
      {CompileTarget::Host, "host", "functions for the CPU"},
      {CompileTarget::Nccl, "nccl", "GPU kernels as PTX"},
      {CompileTarget::NcclStandIns, "nccl-stand-ins",
       "the same kernels for the CPU emulation of CUDA"}};
};

} // namespace moe

#endif // MOE_CONVERSION_COMPILETARGET_H
