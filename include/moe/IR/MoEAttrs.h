//===- MoEAttrs.h - Attributes of the moe dialect ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_IR_MOEATTRS_H
#define MOE_IR_MOEATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "moe/IR/MoEInterfaces.h"

#include "moe/IR/MoEEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "moe/IR/MoEAttrs.h.inc"

#endif // MOE_IR_MOEATTRS_H
