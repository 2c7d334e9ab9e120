// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes for step schedules.

#include "StepSchedules.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace moe;

StepRecipe moe::getRecipe(ScheduleChoice choice) {
  constexpr ChunkOrder kOne = ChunkOrder::OneStream;
  constexpr DegreePhases kJoint = DegreePhases::Joint;
  switch (choice) {
  case ScheduleChoice::DeepSpeed:
    return {kOne, kJoint, GradientMethod::Whole, GradientPlaces::End,
            /*pipelines=*/false};
  case ScheduleChoice::Megatron: {
    StepRecipe recipe{kOne, kJoint, GradientMethod::Buckets,
                      GradientPlaces::Dense, /*pipelines=*/false};
    // Megatron requires sequence parallelism for MoE layers with tensor
    // parallelism (Megatron-LM, megatron/core/transformer/moe/moe_layer.py), so
    // its ranks never hold the same tokens, and it has no local slice.
    recipe.drops = false;
    recipe.sendsApart = true;
    return recipe;
  }
  case ScheduleChoice::Tutel:
    return {kOne, kJoint, GradientMethod::Whole, GradientPlaces::End};
  case ScheduleChoice::TutelImproved:
    return {kOne, kJoint, GradientMethod::Whole, GradientPlaces::Dense};
  case ScheduleChoice::Lina:
    return {kOne, kJoint, GradientMethod::Fixed, GradientPlaces::All};
  case ScheduleChoice::FSMoENoIIO:
    return {kOne};
  case ScheduleChoice::FSMoE:
    return {ChunkOrder::Fixed};
  case ScheduleChoice::Orders:
  case ScheduleChoice::Sizes: {
    StepRecipe recipe{ChunkOrder::Best};
    recipe.fills = true;
    if (choice == ScheduleChoice::Sizes)
      recipe.sizes = ChunkSizes::Best;
    return recipe;
  }
  case ScheduleChoice::Merged: {
    // Exchanges run during products of the other pass, so layers need no
    // chunks.
    StepRecipe recipe{kOne, kJoint, GradientMethod::Buckets,
                      GradientPlaces::Dense, /*pipelines=*/false};
    recipe.sendsApart = true;
    recipe.merges = true;
    return recipe;
  }
  case ScheduleChoice::Layers:
  case ScheduleChoice::Best:
    break;
  }
  llvm_unreachable("expected a schedule of a step");
}
