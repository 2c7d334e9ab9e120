// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits has no dialect of them.

#include "moe/Circuits/Register.h"

void moe::registerCircuitDialect(mlir::DialectRegistry &) {}
