//===- LinkSensitivity.h - What other links would change --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_COMPILER_LINKSENSITIVITY_H
#define MOE_LIB_COMPILER_LINKSENSITIVITY_H

#include "mlir/Support/LLVM.h"
#include "moe/Cost/Machine.h"
#include <optional>
#include <string>

namespace moe {

/// What would be chosen on a machine in place of what is: its name; none where
/// the choice stays. Fails with errors that were emitted.
using FindOther =
    llvm::function_ref<mlir::FailureOr<std::optional<std::string>>(
        const cost::Machine &)>;

/// How far links are made faster and slower, and how exactly it is said.
struct LinkRange {
  /// Up to 2^maxPower times as fast, and as slow.
  int maxPower = 6;
  /// To 1 part in so many.
  double precision = 1000;
  /// The links inside the innermost level in place of those beyond it.
  bool isInside = false;
};

/// The speeds of the links beyond the innermost level, or inside of it, below
/// and above the machine's, that are nearest to it and at which another choice is as good:
/// "OTHER is as fast with LINKS (NOTE)", parts behind each other with "; ". All
/// links are scaled alike. Empty where there is one level.
mlir::FailureOr<std::string>
describeLinkSensitivity(const cost::Machine &machine, llvm::StringRef note,
                        FindOther findOther, LinkRange range = {});

} // namespace moe

#endif // MOE_LIB_COMPILER_LINKSENSITIVITY_H
