// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits does not have their dialect.

#include "moe/Circuits/Register.h"

void moe::registerCircuitDialect(mlir::DialectRegistry &) {}
