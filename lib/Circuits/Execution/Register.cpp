// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libmoert_ocs for programs in this process.

#include "moe/Circuits/Register.h"
#include "moe/Execution/NativeSymbols.h"
#include "moert_ocs.h"

void moe::registerCircuitRuntime() {
  static const NativeSymbol kSymbols[] = {
#define MOERT_CALL(name)
#define MOERT_WORK(name)
#define MOERT_KERNEL(name, Name, args)
#define MOERT_OCS_CALL(name)                                                   \
  {"moert_" #name, reinterpret_cast<void *>(&moert_##name)},
#include "moert_calls.def"
  };
  registerNativeSymbols(kSymbols);
}
