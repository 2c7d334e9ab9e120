// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the runtime's functions.
//
// Whoever includes this needs the folder of moert_calls.def,
// `runtime/include`.

#ifndef MOE_DIALECT_MOERT_RUNTIMESYMBOLS_H
#define MOE_DIALECT_MOERT_RUNTIMESYMBOLS_H

#include "llvm/ADT/StringRef.h"

namespace moe::rt {

/// The functions of moert_calls.def by the names that compiled programs call:
/// `symbols::buffer_data` is "moert_buffer_data".
namespace symbols {
#define MOERT_CALL(name)                                                       \
  inline constexpr llvm::StringLiteral name("moert_" #name);
#define MOERT_WORK(name) MOERT_CALL(name)
#define MOERT_KERNEL(name, Name, args) MOERT_CALL(name)
#include "moert_calls.def"
} // namespace symbols

/// The library that a function is of where that is not libmoert: a program
/// refers to it weakly, and asks whether it is there.
inline llvm::StringRef getLibrary(llvm::StringRef symbol) {
  static constexpr llvm::StringLiteral switches[] = {
#define MOERT_OCS_CALL(name) symbols::name,
#include "moert_calls.def"
  };
  for (llvm::StringRef call : switches)
    if (symbol == call)
      return "libmoert_ocs";
  return {};
}

/// Whether a function of the runtime puts work on a stream.
inline bool isWork(llvm::StringRef symbol) {
  static constexpr llvm::StringLiteral works[] = {
#define MOERT_WORK(name) symbols::name,
#define MOERT_KERNEL(name, Name, args) MOERT_WORK(name)
#include "moert_calls.def"
  };
  for (llvm::StringRef work : works)
    if (symbol == work)
      return true;
  return false;
}

} // namespace moe::rt

#endif // MOE_DIALECT_MOERT_RUNTIMESYMBOLS_H
