// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions are executed on.

#ifndef MOE_INTERPRETER_ARGUMENTS_H
#define MOE_INTERPRETER_ARGUMENTS_H

#include "moe/Interpreter/LocalTensor.h"
#include <functional>
#include <map>

namespace moe {

/// Fills the cells of an argument with what a rank holds of it.
using GivenArgument =
    std::function<void(int64_t rank, llvm::MutableArrayRef<Cell> cells)>;

/// Where the numbers of an entry function's arguments come from.
struct ArgumentOptions {
  /// What they are drawn from.
  uint64_t seed = 0;
  /// Whether about every fourth float is 0.0, -0.0, an infinity or NaN, as far
  /// as its type has them.
  bool specialValues = false;
  /// Floats are drawn from [-magnitude, magnitude), rounded to their types.
  double magnitude = 1;
  /// Arguments, by their numbers, that are given and not drawn.
  std::map<unsigned, GivenArgument> given;
};

} // namespace moe

#endif // MOE_INTERPRETER_ARGUMENTS_H
