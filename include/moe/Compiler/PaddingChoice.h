// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Padded buffers or rows.

#ifndef MOE_COMPILER_PADDINGCHOICE_H
#define MOE_COMPILER_PADDINGCHOICE_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// What layers exchange whose experts have a capacity.
enum class PaddingChoice {
  /// `Auto` for a program with traffic, or with the schedule Best; else `Keep`.
  Default,
  /// Rows, where the program ends sooner with them.
  Auto,
  /// Buffers of as many slots as they have.
  Keep,
  /// The rows there are.
  Rows
};

template <> struct EnumNames<PaddingChoice> {
  static constexpr EnumName<PaddingChoice> all[] = {
      {PaddingChoice::Default, "default",
       "auto with a routing trace or schedule=best, else keep"},
      {PaddingChoice::Auto, "auto", "rows if that is faster"},
      {PaddingChoice::Keep, "keep", "padded buffers with all capacity slots"},
      {PaddingChoice::Rows, "rows", "ragged exchanges of the filled slots"}};
};

} // namespace moe

#endif // MOE_COMPILER_PADDINGCHOICE_H
