//===- GroupedRemarks.h - Remarks for people --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOE_OPT_GROUPEDREMARKS_H
#define MOE_TOOLS_MOE_OPT_GROUPEDREMARKS_H

#include "mlir/IR/Remarks.h"

namespace mlir {
class PassManager;
}

namespace moe {

/// Prints the remarks of `categories`, in place of what prints them now: what
/// is said of several layers alike once, and where it `shortens` them, choices
/// without what was weighed and lost. All is printed by the time that `passes`
/// are gone.
void groupRemarks(mlir::PassManager &passes,
                  const mlir::remark::RemarkCategories &categories,
                  bool shortens);

} // namespace moe

#endif // MOE_TOOLS_MOE_OPT_GROUPEDREMARKS_H
