// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the moe dialect.

#include "moe/Dialect/MoE/MoETypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

#define GET_TYPEDEF_CLASSES
#include "moe/Dialect/MoE/MoETypes.cpp.inc"

void MoEDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "moe/Dialect/MoE/MoETypes.cpp.inc"
      >();
}
