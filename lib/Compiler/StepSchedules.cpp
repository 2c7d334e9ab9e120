//===- StepSchedules.cpp - Passes of a step's schedule ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepSchedules.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Compiler/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace moe;

ArrayRef<ScheduleChoice> moe::getScheduleChoices() {
  static constexpr ScheduleChoice choices[] = {
      ScheduleChoice::Layers, ScheduleChoice::DeepSpeed,
      ScheduleChoice::Tutel,  ScheduleChoice::TutelImproved,
      ScheduleChoice::Lina,   ScheduleChoice::FSMoENoIIO,
      ScheduleChoice::FSMoE,  ScheduleChoice::Orders,
      ScheduleChoice::Sizes,  ScheduleChoice::Best};
  return choices;
}

StringRef moe::getName(ScheduleChoice choice) {
  switch (choice) {
  case ScheduleChoice::Layers:
    return "layers";
  case ScheduleChoice::DeepSpeed:
    return "deepspeed";
  case ScheduleChoice::Tutel:
    return "tutel";
  case ScheduleChoice::TutelImproved:
    return "tutel-improved";
  case ScheduleChoice::Lina:
    return "lina";
  case ScheduleChoice::FSMoENoIIO:
    return "fsmoe-no-iio";
  case ScheduleChoice::FSMoE:
    return "fsmoe";
  case ScheduleChoice::Orders:
    return "orders";
  case ScheduleChoice::Sizes:
    return "sizes";
  case ScheduleChoice::Best:
    return "best";
  }
  llvm_unreachable("unknown schedule");
}

std::optional<ScheduleChoice> moe::parseScheduleChoice(StringRef name) {
  for (ScheduleChoice choice : getScheduleChoices())
    if (getName(choice) == name)
      return choice;
  return std::nullopt;
}

namespace {

/// How a schedule is made, beside the drop of what is sent more than once,
/// which all of them get.
struct StepPasses {
  ChunkOrder order;
  DegreePhases phases = DegreePhases::Each;
  GradientMethod method = GradientMethod::Partition;
  GradientPlaces beside = GradientPlaces::All;
  bool pipelines = true, fills = false;
  ChunkSizes sizes = ChunkSizes::Even;

  /// All but FSMoE know one kind of links.
  CollectiveStreams getCollectives() const {
    return order == ChunkOrder::OneStream ? CollectiveStreams::One
                                          : CollectiveStreams::ByLinks;
  }
};

} // namespace

static StepPasses getStepPasses(ScheduleChoice choice) {
  constexpr ChunkOrder kOne = ChunkOrder::OneStream;
  constexpr DegreePhases kJoint = DegreePhases::Joint;
  switch (choice) {
  case ScheduleChoice::DeepSpeed:
    return {kOne, kJoint, GradientMethod::Whole, GradientPlaces::End,
            /*pipelines=*/false};
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
    StepPasses passes{ChunkOrder::Best};
    passes.fills = true;
    if (choice == ScheduleChoice::Sizes)
      passes.sizes = ChunkSizes::Best;
    return passes;
  }
  case ScheduleChoice::Layers:
  case ScheduleChoice::Best:
    break;
  }
  llvm_unreachable("expected a schedule of a step");
}

void moe::addStepPasses(OpPassManager &manager, ScheduleChoice choice) {
  StepPasses step = getStepPasses(choice);
  // Along the hidden dim: tokens stay free to cut.
  DecomposeAllToAllOptions drop;
  drop.dropDim = 3;
  manager.addPass(createDecomposeAllToAll(drop));
  PartitionGradientsOptions gradients;
  gradients.method = step.method;
  gradients.beside = step.beside;
  gradients.order = step.order;
  manager.addPass(createPartitionGradients(gradients));
  if (step.pipelines) {
    ChooseDegreeOptions degree;
    degree.order = step.order;
    degree.phases = step.phases;
    degree.sizes = step.sizes;
    manager.addPass(createChooseDegree(degree));
  }
  if (step.fills) {
    FillWeightGradientsOptions fill;
    fill.collectives = step.getCollectives();
    manager.addPass(createFillWeightGradients(fill));
  }
}

ScheduleOptions moe::getLaunch(ScheduleChoice choice) {
  ScheduleOptions launch;
  if (choice != ScheduleChoice::Layers) {
    launch.collectives = getStepPasses(choice).getCollectives();
    // Gradients are where the plan has them, among the all-to-alls.
    launch.priorities = {"ep"};
  }
  return launch;
}
