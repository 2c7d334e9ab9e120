// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile targets of programs.

#ifndef MOE_CONVERSION_COMPILETARGET_H
#define MOE_CONVERSION_COMPILETARGET_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// The runtime backends that a program is compiled for. They determine the form
/// of task bodies.
enum class CompileTarget {
  /// Functions for the CPU.
  Host,
  /// GPU kernels, included as PTX and as cubins.
  Nccl,
  /// The same kernels as functions that the CPU emulation of CUDA calls.
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
