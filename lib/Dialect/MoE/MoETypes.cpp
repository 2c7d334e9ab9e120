//===- MoETypes.cpp - Types of the moe dialect ------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
