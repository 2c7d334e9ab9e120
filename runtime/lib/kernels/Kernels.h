// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules of a layer on the CPU.

#ifndef MOERT_KERNELS_KERNELS_H
#define MOERT_KERNELS_KERNELS_H

#include "core/Status.h"
#include "moert.h"

namespace moert {

// Reference kernels: sums are 64-bit floats in ascending order, rounded once,
// as in the compiler's interpreter, so that results agree bit for bit.
// `verify` checks what a caller can get wrong without looking into the data;
// `run` needs verified arguments and fails on data that are out of range.
// There is such a pair for each kernel of moert_calls.def.

#define MOERT_KERNEL(name, Name, args)                                         \
  Status verify##Name(const moert_##args##_args &arguments);                   \
  Status run##Name(const moert_##args##_args &arguments);
#include "moert_calls.def"

} // namespace moert

#endif // MOERT_KERNELS_KERNELS_H
