// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Compiler/ScheduleEvaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "moe/Compiler/VariantChoice.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace moe;

namespace {

/// Returns a machine of two levels: nodes of two ranks, 1 GB/s inside and 0.1
/// GB/s between them. A byte inside a node therefore takes 0.001 us.
cost::Machine makeMachine() {
  cost::Machine machine;
  machine.name = "toy";
  cost::Level inside, between;
  inside.name = "inside";
  inside.ranks = 2;
  inside.bandwidth = cost::GBps(1);
  between.name = "between";
  between.ranks = 4;
  between.bandwidth = cost::GBps(0.1);
  machine.levels = {inside, between};
  machine.copy.emplace().bandwidth = cost::GBps(100);
  return machine;
}

class ScheduleEvaluatorTest : public ::testing::Test {
protected:
  ScheduleEvaluatorTest() : machine(makeMachine()) {
    context.loadDialect<MoEDialect, func::FuncDialect, tensor::TensorDialect,
                        arith::ArithDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &body) {
    return parseSourceString<ModuleOp>(
        "moe.mesh @mesh axes [\"ep\", \"tp\"] shape [2, 2]\n"
        "func.func @main(%x: tensor<2x1x4x8xf32> {moe.varying = [\"ep\"]})"
        " -> tensor<2x1x4x8xf32> {\n" +
            body + "}\n",
        &context);
  }
  OwningOpRef<ModuleOp> parseLayer() {
    return parse(R"(
      %r = moe.layer "0" phase "fwd" {
        %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
            : tensor<2x1x4x8xf32> -> tensor<2x1x4x8xf32>
        moe.yield %d : tensor<2x1x4x8xf32>
      } : tensor<2x1x4x8xf32>
      return %r : tensor<2x1x4x8xf32>
    )");
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    return text;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  cost::Machine machine;
};

TEST_F(ScheduleEvaluatorTest, SaysTimeAndMemory) {
  OwningOpRef<ModuleOp> module = parseLayer();
  ASSERT_TRUE(module);
  ScheduleEvaluator evaluator(machine);
  ASSERT_TRUE(succeeded(evaluator.schedule(*module)));
  FailureOr<Evaluation> evaluation = evaluator.evaluate(*module);
  ASSERT_TRUE(succeeded(evaluation));
  EXPECT_TRUE(*evaluation) << evaluation->problem;
  EXPECT_GT(evaluation->us, 0);
  // Only the outputs count, because no task allocates the inputs.
  EXPECT_EQ(evaluation->peakBytes, 2 * 1 * 4 * 8 * 4);
  FailureOr<Evaluation> timeOnly =
      evaluator.evaluate(*module, /*withMemory=*/false);
  EXPECT_EQ(timeOnly->us, evaluation->us);
  EXPECT_EQ(timeOnly->peakBytes, 0);
}

TEST_F(ScheduleEvaluatorTest, SaysWhyItCannot) {
  OwningOpRef<ModuleOp> module = parse("return %x : tensor<2x1x4x8xf32>\n");
  ASSERT_TRUE(module);
  ScheduleEvaluator evaluator(machine);
  ASSERT_TRUE(succeeded(evaluator.schedule(*module)));
  FailureOr<Evaluation> evaluation = evaluator.evaluate(*module);
  ASSERT_TRUE(succeeded(evaluation));
  EXPECT_FALSE(*evaluation);
  EXPECT_EQ(evaluation->problem,
            "no function could be scheduled: @main: it has no collectives");
}

/// Finding variants changes nothing; applying them makes the found changes.
TEST_F(ScheduleEvaluatorTest, FormsAreFoundAndThenMade) {
  OwningOpRef<ModuleOp> module = parseLayer();
  ASSERT_TRUE(module);
  std::string before = print(*module);
  VariantLimits limits;
  limits.choice = StrategyChoice::O1;
  auto forms = chooseStrategies(*module, machine, limits, /*usesFitted=*/false);
  ASSERT_TRUE(succeeded(forms));
  EXPECT_EQ(print(*module), before);
  ASSERT_EQ(forms->size(), 1u);
  EXPECT_EQ(forms->front().form.getName(), "o1");
  ASSERT_TRUE(succeeded(applyVariants(*module, *forms, machine)));
  EXPECT_NE(print(*module).find("moe.drop"), std::string::npos);
  EXPECT_NE(print(*module).find("moe.all_gather"), std::string::npos);
}

/// A variant that a layer cannot take is an error that names both.
TEST_F(ScheduleEvaluatorTest, ImpossibleFormsAreErrors) {
  OwningOpRef<ModuleOp> module = parseLayer();
  ASSERT_TRUE(module);
  std::string error;
  context.getDiagEngine().registerHandler(
      [&](Diagnostic &diag) { error = diag.str(); });
  LayerOp layer;
  module->walk([&](LayerOp op) { layer = op; });
  LayerVariant form;
  form.exchange = AllToAllAlgorithm::Hierarchical;
  EXPECT_TRUE(failed(applyVariants(*module, {{layer, form}}, machine)));
  EXPECT_NE(error.find("layer 0: expected a possible variant, got "
                       "exchange=2dh: "),
            std::string::npos)
      << error;
  form = LayerVariant();
  form.scope = ChainScope::Layer;
  form.chunks = 2;
  form.order = "DADARRCC";
  EXPECT_TRUE(failed(applyVariants(*module, {{layer, form}}, machine)));
  EXPECT_NE(error.find("expected a chain from an all-to-all over experts"),
            std::string::npos)
      << error;
}

} // namespace
