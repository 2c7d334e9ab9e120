// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs are compiled for.

#ifndef MOE_CONVERSION_COMPILETARGET_H
#define MOE_CONVERSION_COMPILETARGET_H

#include "moe/Support/EnumNames.h"

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

template <> struct EnumNames<CompileTarget> {
  static constexpr EnumName<CompileTarget> all[] = {
      {CompileTarget::Host, "host", "functions for the CPU"},
      {CompileTarget::Nccl, "nccl", "GPU kernels as PTX"},
      {CompileTarget::NcclStandIns, "nccl-stand-ins",
       "the same kernels for the CPU emulation of CUDA"}};
};

} // namespace moe

#endif // MOE_CONVERSION_COMPILETARGET_H
