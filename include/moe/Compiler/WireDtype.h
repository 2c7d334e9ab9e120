// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As what tokens go to experts.

#ifndef MOE_COMPILER_WIREDTYPE_H
#define MOE_COMPILER_WIREDTYPE_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// As what tokens travel to their experts in layers that exchange rows. All but
/// `Keep` change results.
enum class WireDtype {
  /// As they are.
  Keep,
  /// As floats of 8 bits, where the program ends sooner with them.
  Auto,
  /// As floats of 8 bits.
  E4M3
};

template <> struct EnumNames<WireDtype> {
  static constexpr EnumName<WireDtype> all[] = {
      {WireDtype::Keep, "keep", "the program's own type"},
      {WireDtype::Auto, "auto", "e4m3 if that is faster"},
      {WireDtype::E4M3, "e4m3", "8-bit floats"}};
};

} // namespace moe

#endif // MOE_COMPILER_WIREDTYPE_H
