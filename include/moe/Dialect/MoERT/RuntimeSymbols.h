// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the runtime's functions.
//
// Files that include this header need `runtime/include`, the folder of
// moert_calls.def, in their include path.

#ifndef MOE_DIALECT_MOERT_RUNTIMESYMBOLS_H
#define MOE_DIALECT_MOERT_RUNTIMESYMBOLS_H

#include "llvm/ADT/StringRef.h"

namespace moe::rt {

/// The names of the functions in moert_calls.def as compiled programs call
/// them: `symbols::buffer_data` is "moert_buffer_data".
namespace symbols {
#define MOERT_CALL(name)                                                       \
  inline constexpr llvm::StringLiteral name("moert_" #name);
#define MOERT_WORK(name) MOERT_CALL(name)
#define MOERT_KERNEL(name, Name, args) MOERT_CALL(name)
#include "moert_calls.def"
} // namespace symbols

/// Returns the library of a function that is not in libmoert, or an empty
/// string. A program refers to such a function weakly and tests whether it is
/// present.
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

/// Returns true if a function of the runtime enqueues work on a stream.
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
