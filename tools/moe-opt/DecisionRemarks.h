// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks on a terminal.

#ifndef MOE_TOOLS_MOE_OPT_DECISIONREMARKS_H
#define MOE_TOOLS_MOE_OPT_DECISIONREMARKS_H

#include "mlir/IR/Remarks.h"

namespace moe {

/// Prints the remarks of `categories` for people: decisions without their JSON,
/// and with `shortens` as a few lines instead of a long one. For programs, also
/// writes remarks and warnings to `records`, each as a line of JSON, unless
/// `records` is null.
void printRemarks(mlir::MLIRContext &context,
                  const mlir::remark::RemarkCategories &categories,
                  bool shortens, llvm::raw_ostream *records);

} // namespace moe

#endif // MOE_TOOLS_MOE_OPT_DECISIONREMARKS_H
