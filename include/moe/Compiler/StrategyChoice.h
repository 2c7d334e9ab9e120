//===- StrategyChoice.h - Which strategies to choose from -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_STRATEGYCHOICE_H
#define MOE_COMPILER_STRATEGYCHOICE_H

#include "llvm/ADT/StringRef.h"

namespace moe {

/// Which forms of a layer `moe-select-strategy` chooses from (SPEC MO-3, MO-4).
enum class StrategyChoice { Auto, Baseline, O1, O2, O3, Hierarchical };

/// What a user calls a choice: "auto", "baseline", "o1" and so on.
llvm::StringRef stringifyStrategy(StrategyChoice choice);

} // namespace moe

#endif // MOE_COMPILER_STRATEGYCHOICE_H
