// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which schedule a step gets.

#ifndef MOE_COMPILER_SCHEDULECHOICE_H
#define MOE_COMPILER_SCHEDULECHOICE_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// What the phases Pipeline and Schedule make of a program.
enum class ScheduleChoice {
  /// Each layer as it is fastest alone, gradients as they stand.
  Layers,
  /// FSMoE's model of DeepSpeed-MoE, without any overlap (SPEC FS-11).
  DeepSpeed,
  /// Megatron-Core with --overlap-grad-reduce: the program as imported, layers
  /// in one chunk, all-reduces of gradient buckets overlapped with the backward
  /// pass.
  Megatron,
  /// A training step as these systems schedule it (SPEC FS-11).
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

template <> struct EnumNames<ScheduleChoice> {
  static constexpr EnumName<ScheduleChoice> all[] = {
      {ScheduleChoice::Layers, "layers",
       "the fastest variant of each layer on its own"},
      {ScheduleChoice::DeepSpeed, "deepspeed",
       "FSMoE's model of DeepSpeed, without overlap"},
      {ScheduleChoice::Megatron, "megatron",
       "Megatron-Core with --overlap-grad-reduce"},
      {ScheduleChoice::Tutel, "tutel", ""},
      {ScheduleChoice::TutelImproved, "tutel-improved", ""},
      {ScheduleChoice::Lina, "lina", ""},
      {ScheduleChoice::FSMoENoIIO, "fsmoe-no-iio", ""},
      {ScheduleChoice::FSMoE, "fsmoe", ""},
      {ScheduleChoice::Orders, "orders",
       "fsmoe with the fastest launch orders found"},
      {ScheduleChoice::Sizes, "sizes", "orders with unequal chunks if faster"},
      {ScheduleChoice::Best, "best",
       "the schedule with the shortest step time"}};
};

inline llvm::StringRef getName(ScheduleChoice choice) {
  return getEnumName(choice);
}

} // namespace moe

#endif // MOE_COMPILER_SCHEDULECHOICE_H
