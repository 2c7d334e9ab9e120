// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of a function's arguments and results.

#ifndef MOE_DIALECT_MOE_NAMEATTR_H
#define MOE_DIALECT_MOE_NAMEATTR_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace moe {

/// Name of the attribute that names an argument or a result of a function. Its
/// value is a string of letters, digits, '_' and '.'. Compiled programs report
/// it to their callers. In a backward function, the result `dX` is the gradient
/// of the argument `X`.
inline constexpr llvm::StringLiteral kNameAttrName = "moe.name";

/// Returns true if `name` is allowed. Names are printed into C comments.
inline bool isValidName(llvm::StringRef name) {
  return !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  });
}

} // namespace moe

#endif // MOE_DIALECT_MOE_NAMEATTR_H
