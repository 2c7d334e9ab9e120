//===- MoERTDialect.h - The moert dialect -----------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_IR_MOERTDIALECT_H
#define MOE_IR_MOERTDIALECT_H

#include "mlir/IR/Dialect.h"
#include "moe/IR/MoEDialect.h"

#include "moe/IR/MoERTDialect.h.inc"

#endif // MOE_IR_MOERTDIALECT_H
