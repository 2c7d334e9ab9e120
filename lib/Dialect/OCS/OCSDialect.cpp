// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ocs dialect.

#include "moe/Dialect/OCS/OCSDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "moe/Dialect/MoE/ExtensionDialect.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe::ocs;

#include "moe/Dialect/OCS/OCSDialect.cpp.inc"
#include "moe/Dialect/OCS/OCSEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "moe/Dialect/OCS/OCSAttrs.cpp.inc"

namespace {
struct CircuitExtension : public moe::ExtensionDialectInterface {
  using ExtensionDialectInterface::ExtensionDialectInterface;

  StringRef getPlacement() const override {
    return "expected plans and changes of circuits outside of loops and "
           "branches";
  }
};
} // namespace

void OCSDialect::initialize() {
  addInterfaces<CircuitExtension>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "moe/Dialect/OCS/OCSAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "moe/Dialect/OCS/OCSOps.cpp.inc"
      >();
}
