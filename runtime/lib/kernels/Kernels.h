// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU kernels of MoE layers.

#ifndef MOERT_KERNELS_KERNELS_H
#define MOERT_KERNELS_KERNELS_H

#include "core/Status.h"
#include "moert.h"

namespace moert {

// Reference kernels: sums are 64-bit floats in ascending order, rounded once as
// in the compiler's interpreter, so that results agree bit for bit. `verify`
// checks arguments without reading the data. `run` requires verified arguments
// and fails if data are out of range. Each kernel of moert_calls.def has such a
// pair.

#define MOERT_KERNEL(name, Name, args)                                         \
  Status verify##Name(const moert_##args##_args &arguments);                   \
  Status run##Name(const moert_##args##_args &arguments);
#include "moert_calls.def"

} // namespace moert

#endif // MOERT_KERNELS_KERNELS_H
