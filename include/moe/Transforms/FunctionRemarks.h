//===- FunctionRemarks.h - Remarks that name a function ---------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TRANSFORMS_FUNCTIONREMARKS_H
#define MOE_TRANSFORMS_FUNCTIONREMARKS_H

#include "mlir/IR/Remarks.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace moe {

/// Options of a remark about an op inside of a function, which it names; `pass`
/// is its category.
mlir::remark::RemarkOpts getRemarkOptions(mlir::Operation *op,
                                          llvm::StringRef name,
                                          llvm::StringRef pass);

} // namespace moe

#endif // MOE_TRANSFORMS_FUNCTIONREMARKS_H
