// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of optical circuits, alone and in the phase schedule.

#include "moe/Circuits/Register.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Circuits/Passes.h"
#include "moe/Compiler/Compile.h"

using namespace mlir;
using namespace moe;

/// Circuits are inserted after streams are known, and move the streams' tasks.
static void addCircuits(OpPassManager &manager, const CompileOptions &options) {
  InsertCircuitsOptions insert;
  insert.ifAny = true;
  switch (options.circuits) {
  case CircuitUse::Off:
    return;
  case CircuitUse::Auto:
    insert.policy = CircuitPolicy::Auto;
    break;
  case CircuitUse::Keep:
    insert.policy = CircuitPolicy::Keep;
    break;
  case CircuitUse::Block:
    insert.policy = CircuitPolicy::Block;
    break;
  case CircuitUse::Predict:
    insert.policy = CircuitPolicy::Predict;
    break;
  case CircuitUse::Counts:
    insert.policy = CircuitPolicy::Block;
    insert.rule = CircuitRule::Counts;
    break;
  }
  manager.addPass(createInsertCircuits(insert));
}

void moe::registerCircuitPhase() {
  registerPhaseExtension({CompilePhase::Schedule, addCircuits,
                          /*plansCircuits=*/true, registerCircuitDialect});
}

void moe::registerCircuitPasses() {
  registerMoECircuitsPasses();
  registerCircuitPhase();
}
