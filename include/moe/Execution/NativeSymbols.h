// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of this process that compiled programs call.

#ifndef MOE_EXECUTION_NATIVESYMBOLS_H
#define MOE_EXECUTION_NATIVESYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace moe {

/// A function of a runtime library other than libmoert.
struct NativeSymbol {
  llvm::StringRef name;
  void *address;
};

/// Sets the functions that programs may call in addition to those in libmoert.
/// Must be called before any program is compiled. A program that calls another
/// function reports the missing library.
void registerNativeSymbols(llvm::ArrayRef<NativeSymbol> symbols);

} // namespace moe

#endif // MOE_EXECUTION_NATIVESYMBOLS_H
