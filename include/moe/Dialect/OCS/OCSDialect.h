//===- OCSDialect.h - The ocs dialect ---------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_DIALECT_OCS_OCSDIALECT_H
#define MOE_DIALECT_OCS_OCSDIALECT_H

#include "mlir/IR/Dialect.h"
#include "moe/Dialect/MoE/MoEDialect.h"

#include "moe/Dialect/OCS/OCSDialect.h.inc"

#endif // MOE_DIALECT_OCS_OCSDIALECT_H
