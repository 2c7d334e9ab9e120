//===- ScheduleChoice.h - Which schedule a step gets ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_SCHEDULECHOICE_H
#define MOE_COMPILER_SCHEDULECHOICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace moe {

/// What the phases Pipeline and Schedule make of a program.
enum class ScheduleChoice {
  /// Each layer as it is fastest alone, gradients as they stand.
  Layers,
  /// A training step as these systems schedule it (SPEC FS-11).
  DeepSpeed,
  Tutel,
  TutelImproved,
  Lina,
  FSMoENoIIO,
  FSMoE,
  /// As FSMoE, but chunks in the best order found, and weight gradients beside
  /// combines.
  Orders,
  /// As Orders, with chunks of unequal sizes where these are faster.
  Sizes,
  /// That of all others that ends first.
  Best
};

/// All of them, in the order above.
llvm::ArrayRef<ScheduleChoice> getScheduleChoices();

/// "layers", "deepspeed", "tutel", "tutel-improved", "lina", "fsmoe-no-iio",
/// "fsmoe", "orders", "sizes", "best".
llvm::StringRef getName(ScheduleChoice choice);
std::optional<ScheduleChoice> parseScheduleChoice(llvm::StringRef name);

} // namespace moe

#endif // MOE_COMPILER_SCHEDULECHOICE_H
