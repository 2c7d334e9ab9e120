// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ocs dialect with the interfaces that the core requires.

#include "moe/Circuits/Register.h"
#include "ConvertCircuits.h"
#include "InterpretCircuits.h"
#include "VerifyCircuits.h"
#include "mlir/IR/DialectRegistry.h"
#include "moe/Dialect/OCS/OCSDialect.h"

using namespace mlir;
using namespace moe;

void moe::registerCircuitDialect(DialectRegistry &registry) {
  registry.insert<ocs::OCSDialect>();
  registry.addExtension(+[](MLIRContext *, ocs::OCSDialect *dialect) {
    addCircuitVerifier(dialect);
    addCircuitInterpreter(dialect);
    addCircuitConversion(dialect);
  });
}
