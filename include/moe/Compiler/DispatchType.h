//===- DispatchType.h - As what tokens go to experts --------------*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_DISPATCHTYPE_H
#define MOE_COMPILER_DISPATCHTYPE_H

#include "moe/Support/ChoiceWords.h"

namespace moe {

/// As what tokens travel to their experts in layers that exchange rows. All but
/// `Keep` change results.
enum class DispatchType {
  /// As they are.
  Keep,
  /// As floats of 8 bits, where the program ends sooner with them.
  Auto,
  /// As floats of 8 bits.
  E4M3
};

template <> struct ChoiceWords<DispatchType> {
  static constexpr ChoiceWord<DispatchType> all[] = {
      {DispatchType::Keep, "keep", "the program's own type"},
      {DispatchType::Auto, "auto", "e4m3 if that is faster"},
      {DispatchType::E4M3, "e4m3", "8-bit floats"}};
};

} // namespace moe

#endif // MOE_COMPILER_DISPATCHTYPE_H
