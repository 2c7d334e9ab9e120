// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of an executed entry function.

#ifndef MOE_INTERPRETER_ARGUMENTS_H
#define MOE_INTERPRETER_ARGUMENTS_H

#include "moe/Interpreter/LocalTensor.h"
#include <functional>
#include <map>

namespace moe {

/// Fills the cells of an argument with the data that `rank` holds.
using GivenArgument =
    std::function<void(int64_t rank, llvm::MutableArrayRef<Cell> cells)>;

/// The source of the values of an entry function's arguments.
struct ArgumentOptions {
  /// Seed of the hash that arguments are drawn from.
  uint64_t seed = 0;
  /// If true, about one float in four is 0.0, -0.0, an infinity or NaN, as far
  /// as its type has these values.
  bool specialValues = false;
  /// Floats are drawn from [-magnitude, magnitude), rounded to their types.
  double magnitude = 1;
  /// Arguments, by number, that are given instead of drawn.
  std::map<unsigned, GivenArgument> given;
};

} // namespace moe

#endif // MOE_INTERPRETER_ARGUMENTS_H
