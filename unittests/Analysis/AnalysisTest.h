// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixture shared by the tests of analyses.

#ifndef MOE_UNITTESTS_ANALYSIS_ANALYSISTEST_H
#define MOE_UNITTESTS_ANALYSIS_ANALYSISTEST_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "moe/Analysis/Timing.h"
#include "gtest/gtest.h"

namespace moe::test {

/// A fixture with a context, a module and a machine. Nodes hold 2 ranks at 100
/// GB/s with 10 GB/s between nodes, copies run at 50 GB/s, and a GEMM takes 1
/// us plus 1e-6 us per multiply-accumulate.
class AnalysisTest : public ::testing::Test {
protected:
  AnalysisTest() {
    context
        .loadDialect<MoEDialect, mlir::func::FuncDialect,
                     mlir::arith::ArithDialect, mlir::tensor::TensorDialect>();
    machine.name = "pairs";
    for (auto [name, ranks, gbps] :
         {std::tuple("node", 2, 100.0), std::tuple("network", 8, 10.0)}) {
      cost::Level level;
      level.name = name;
      level.ranks = ranks;
      level.bandwidth = cost::GBps(gbps);
      machine.levels.push_back(level);
    }
    machine.copy = cost::CopyEngine{cost::GBps(50), {}, {}, "", ""};
    machine.gemm = cost::GemmCost{cost::Microseconds(1),
                                  cost::MicrosecondsPerMac(1e-6), ""};
  }

  /// Parses `source` as the module under test, which must succeed.
  void parse(llvm::StringRef source) {
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    ASSERT_TRUE(module) << source.str();
  }

  /// Returns the first op with that name in the module under test.
  mlir::Operation *find(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      if (!found && op->getName().getStringRef() == name)
        found = op;
    });
    return found;
  }

  /// Returns the time in us of the first op with that name. On an error,
  /// returns -1 and stores the text in `error`.
  double getTime(llvm::StringRef name) {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
      error = d.str();
      return mlir::success();
    });
    OpTimer timer(machine);
    mlir::FailureOr<cost::Microseconds> time = timer.getTime(find(name));
    return mlir::failed(time) ? -1 : time->value();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  cost::Machine machine;
  std::string error;
};

} // namespace moe::test

#endif // MOE_UNITTESTS_ANALYSIS_ANALYSISTEST_H
