// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-to-alls of another dialect.
//
// Patterns that query interfaces must rewrite unregistered ops, too.

#include "../Analysis/ForeignDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace moe;
using namespace mlir;

namespace {

struct ForeignExchangeTest : public ::testing::Test {
  ForeignExchangeTest() {
    context.loadDialect<MoEDialect, func::FuncDialect, tensor::TensorDialect,
                        arith::ArithDialect, test::ForeignDialect>();
  }

  void run(llvm::StringRef source, std::unique_ptr<Pass> pass) {
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    PassManager manager(&context);
    manager.addPass(std::move(pass));
    ASSERT_TRUE(succeeded(manager.run(*module)));
  }

  /// Returns the names and types of the ops in the function, in order.
  std::vector<std::string> list() {
    std::vector<std::string> ops;
    module->walk([&](func::FuncOp function) {
      for (Operation &op : function.getBody().front().without_terminator()) {
        llvm::raw_string_ostream text(ops.emplace_back());
        text << op.getName() << " " << op.getResult(0).getType();
      }
    });
    return ops;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// foreign.shift exchanges along dim 0 and leaves the others alone.
constexpr llvm::StringLiteral source = R"(
  moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
  func.func @f(%x: tensor<4x10x50xf32> {moe.varying = ["ep"]})
      -> tensor<4x10x50xf32> {
    %0 = "foreign.shift"(%x) {group = #moe.group<@mesh, ["ep"]>}
       : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
    %1 = "foreign.scale"(%0) : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
    return %1 : tensor<4x10x50xf32>
  }
)";

TEST_F(ForeignExchangeTest, IsDeduplicated) {
  run(source, createDecomposeAllToAll());
  // The gather moves past ops that compute parts the same way as the whole.
  std::vector<std::string> expected = {"moe.drop tensor<4x10x25xf32>",
                                       "foreign.shift tensor<4x10x25xf32>",
                                       "foreign.scale tensor<4x10x25xf32>",
                                       "moe.all_gather tensor<4x10x50xf32>"};
  EXPECT_EQ(list(), expected);
}

TEST_F(ForeignExchangeTest, IsNotDroppedAlongItsDim) {
  DecomposeAllToAllOptions options;
  options.dropDim = 0;
  run(source, createDecomposeAllToAll(options));
  std::vector<std::string> expected = {"foreign.shift tensor<4x10x50xf32>",
                                       "foreign.scale tensor<4x10x50xf32>"};
  EXPECT_EQ(list(), expected);
}

TEST_F(ForeignExchangeTest, RunsInChunks) {
  PipelineOptions options;
  options.degree = 2;
  run(source, createPipeline(options));
  ASSERT_EQ(list().size(), 2u);
  EXPECT_EQ(list().front(), "moe.pipeline tensor<4x10x50xf32>");
}

} // namespace
