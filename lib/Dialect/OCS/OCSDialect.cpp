// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ocs dialect.

#include "moe/Dialect/OCS/OCSDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe::ocs;

#include "moe/Dialect/OCS/OCSDialect.cpp.inc"
#include "moe/Dialect/OCS/OCSEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "moe/Dialect/OCS/OCSAttrs.cpp.inc"

void OCSDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "moe/Dialect/OCS/OCSAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "moe/Dialect/OCS/OCSOps.cpp.inc"
      >();
}
