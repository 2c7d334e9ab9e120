// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass moert-check-orders.

#include "StreamAccesses.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

namespace moe {
#define GEN_PASS_DEF_CHECKORDERS
#include "moe/Conversion/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;
using schedule::StreamProgram;
using schedule::StreamStep;

namespace {

/// Results of removing single steps from a program.
struct Removals {
  unsigned tried = 0, caught = 0, redundant = 0;
};

struct CheckOrders : public moe::impl::CheckOrdersBase<CheckOrders> {
  using CheckOrdersBase::CheckOrdersBase;

  /// Removes each wait and each record in turn. A step is redundant if no race
  /// results, which proves all orders equal, or caught if some order differs.
  /// The two must agree.
  LogicalResult tryRemovals(const StreamFunction &streams, Removals &removals) {
    const std::vector<StreamStep> &steps = streams.program.steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].kind != StreamStep::Kind::Wait &&
          steps[i].kind != StreamStep::Kind::Record)
        continue;
      StreamProgram without = streams.program;
      without.steps.erase(without.steps.begin() + i);
      bool isRedundant = !findRace(without);
      bool isCaught = checkOrders(without, orders, seed).has_value();
      if (isRedundant == isCaught)
        return streams.steps[i]->emitOpError()
               << "removed, makes " << (isRedundant ? "no race" : "a race")
               << ", and "
               << (isCaught ? "an order differs" : "no order differs");
      ++removals.tried;
      ++(isCaught ? removals.caught : removals.redundant);
    }
    return success();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(rt::MoERTDialect::getInputsAttrName()))
        continue;
      FailureOr<StreamFunction> streams = readStreams(function);
      if (failed(streams))
        return signalPassFailure();
      std::optional<schedule::OrderDifference> difference =
          checkOrders(streams->program, orders, seed);
      if (difference) {
        InFlightDiagnostic diag =
            difference->work
                ? streams->works[*difference->work]->emitOpError()
                      << "reads something else in another legal order, after "
                      << difference->order.size() - 1 << " other ops have run"
                : function.emitOpError()
                      << "leaves something else in memory in another legal "
                         "order";
        return signalPassFailure();
      }
      size_t numWaits =
          llvm::count_if(streams->program.steps, [](const StreamStep &step) {
            return step.kind == StreamStep::Kind::Wait;
          });
      llvm::outs() << "@" << function.getSymName() << ": "
                   << streams->works.size() << " ops, " << numWaits
                   << " waits: all orders equal\n";
      if (!removeEvents)
        continue;
      Removals removals;
      if (failed(tryRemovals(*streams, removals)))
        return signalPassFailure();
      llvm::outs() << "@" << function.getSymName() << ": " << removals.tried
                   << " waits and records removed: " << removals.caught
                   << " caught, " << removals.redundant << " redundant\n";
    }
  }
};

} // namespace
