//===- StepPlanner.h - Plans for a step as a whole --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_COMPILER_STEPPLANNER_H
#define MOE_LIB_COMPILER_STEPPLANNER_H

#include "Degree/ChunkedLayer.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "moe/Compiler/ScheduleChoice.h"

namespace moe {

/// Plans schedules of a step (see `getRecipe`). Keeps what the plans of one
/// program have in common: the program as imported and after the drop of what
/// is sent more than once, and what its layers take in chunks. Where layers
/// that drop nothing may send their tokens once a node, they all do or none, as
/// the step ends first.
class StepPlanner {
public:
  /// Both outlive the planner, and the ops of the module are not changed while
  /// it lives.
  StepPlanner(mlir::ModuleOp module, const cost::Machine &machine)
      : module(module), machine(machine) {}

  /// Writes the plan of a schedule on the module or a copy of it. Made on a
  /// copy, each choice for what the ones before it make of the program, and
  /// said in remarks. Emits an error and fails where a choice does.
  llvm::LogicalResult plan(ScheduleChoice choice, mlir::ModuleOp onto);

private:
  /// The program as imported, or with what is sent more than once dropped.
  struct Base {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    /// Why there is none; empty before it is made.
    std::string obstacle;
  };

  /// Plans with tokens sent once a node, or each copy on its own.
  llvm::LogicalResult plan(ScheduleChoice choice, mlir::ModuleOp onto,
                           bool onceANode);
  llvm::LogicalResult makeBase(Base &base, bool drops, bool onceANode);
  /// Whether the step ends sooner so, and it can be; says what it found.
  mlir::FailureOr<bool> paysOnceANode(ScheduleChoice choice);

  mlir::ModuleOp module;
  const cost::Machine &machine;
  Base asImported, dropped, ofNodes;
  KnownLayers known;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPPLANNER_H
