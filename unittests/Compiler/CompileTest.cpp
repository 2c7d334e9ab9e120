// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver, called from C++.

#include "moe/Compiler/Compile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "moe/Compiler/Register.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace moe;

namespace {

/// Ops of several dialects, in bodies that upstream passes bufferize and lower.
constexpr llvm::StringLiteral kProgram = R"mlir(
  moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
  #map = affine_map<(d0) -> (d0)>
  func.func @main(%x: tensor<4xf32> {moe.varying = ["ep"]},
                  %y: tensor<4xbf16>)
      -> (tensor<4xf32>, tensor<4xbf16>, tensor<2xf32>) {
    %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
       : tensor<4xf32> -> tensor<4xf32>
    %c = arith.constant 2.0 : f32
    %empty = tensor.empty() : tensor<4xf32>
    %g = linalg.generic {indexing_maps = [#map, #map],
                         iterator_types = ["parallel"]}
        ins(%r : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %e = math.exp %a : f32
      %p = arith.mulf %e, %c : f32
      linalg.yield %p : f32
    } -> tensor<4xf32>
    %h = arith.addf %y, %y : tensor<4xbf16>
    %s = tensor.extract_slice %g[1] [2] [1]
       : tensor<4xf32> to tensor<2xf32>
    return %g, %h, %s : tensor<4xf32>, tensor<4xbf16>, tensor<2xf32>
  }
  func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %loop = scf.for %i = %zero to %two step %one iter_args(%t = %x)
        -> tensor<4xf32> {
      %v = tensor.extract %t[%i] : tensor<4xf32>
      %n = tensor.insert %v into %t[%one] : tensor<4xf32>
      scf.yield %n : tensor<4xf32>
    }
    return %loop : tensor<4xf32>
  }
)mlir";

class CompileTest : public ::testing::Test {
protected:
  CompileTest() : context(makeRegistry()) {
    context.getDiagEngine().registerHandler([&](Diagnostic &diag) {
      if (messages.empty())
        messages = diag.str();
      return success();
    });
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerProgramDialects(registry);
    return registry;
  }

  OwningOpRef<ModuleOp> parse(StringRef text = kProgram) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  MLIRContext context;
  /// The first diagnostic.
  std::string messages;
};

TEST_F(CompileTest, GoesAllTheWayInAContextOfItsOwn) {
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module) << messages;
  EXPECT_EQ(findPhase(*module), CompilePhase::Import);
  CompileOptions options;
  options.platform = "dgx-h100";
  ASSERT_TRUE(succeeded(compileTo(*module, CompilePhase::Schedule, options)))
      << messages;
  EXPECT_EQ(findPhase(*module), CompilePhase::Schedule);
  options = {};
  for (CompilePhase phase : {CompilePhase::Runtime, CompilePhase::LLVM}) {
    options.from = phase;
    ASSERT_TRUE(succeeded(compileTo(*module, phase, options))) << messages;
    EXPECT_EQ(findPhase(*module), phase);
  }
}

TEST_F(CompileTest, FindsPipelines) {
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    moe.mesh @mesh axes ["ep"] shape [2]
    func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %r = moe.pipeline degree 2 (%c = %x split 1 : tensor<2x4xf32> as tensor<2x2xf32>) {
        %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
           : tensor<2x2xf32> -> tensor<2x2xf32>
        moe.yield %a : tensor<2x2xf32>
      } -> concat 1 : tensor<2x4xf32>
      return %r : tensor<2x4xf32>
    }
  )mlir");
  ASSERT_TRUE(module) << messages;
  EXPECT_EQ(findPhase(*module), CompilePhase::Pipeline);
}

// The compiler itself has no pass that plans circuits; a component adds one.
TEST_F(CompileTest, PlansCircuitsOnlyWithTheirComponent) {
  CompileOptions options;
  EXPECT_EQ(checkOptions(CompilePhase::Schedule, options), "");
  options.circuits = CircuitUse::Block;
  EXPECT_EQ(checkOptions(CompilePhase::Schedule, options),
            "circuits=block requires optical circuits: a build with "
            "MOE_ENABLE_CIRCUITS, and in a program of your own a call of "
            "registerCircuitPasses");
  registerPhaseExtension({CompilePhase::Schedule,
                          [](OpPassManager &, const CompileOptions &) {},
                          /*plansCircuits=*/true});
  EXPECT_EQ(checkOptions(CompilePhase::Schedule, options), "");
}

TEST_F(CompileTest, SaysWhatIsWrongWithOptions) {
  CompileOptions options;
  options.from = CompilePhase::Schedule;
  EXPECT_EQ(checkOptions(CompilePhase::Import, options),
            "expected 'from' not to come after 'to', got schedule and import");
  EXPECT_EQ(checkOptions(CompilePhase::LLVM, options), "");
  options.degree = 2;
  EXPECT_EQ(checkOptions(CompilePhase::LLVM, options),
            "strategy, degree, ignore-fitted, schedule, sub-batches, padding, "
            "dispatch-type and expert-products require the phase 'choose', got "
            "from=schedule to=llvm");
  options.degree = {};
  options.padding = PaddingChoice::Rows;
  EXPECT_NE(checkOptions(CompilePhase::LLVM, options), "");
  options.padding = PaddingChoice::Default;
  options.dispatchType = WireDtype::Auto;
  EXPECT_NE(checkOptions(CompilePhase::LLVM, options), "");
  options.dispatchType = WireDtype::Keep;
  options.degree = 2;
  options.from = CompilePhase::Import;
  EXPECT_EQ(checkOptions(CompilePhase::LLVM, options), "");
  options.schedule = ScheduleChoice::FSMoE;
  EXPECT_EQ(
      checkOptions(CompilePhase::LLVM, options),
      "strategy, degree and ignore-fitted are not supported with a schedule, "
      "which chooses them itself");

  // The driver reports the same error.
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module) << messages;
  EXPECT_TRUE(failed(compileTo(*module, CompilePhase::LLVM, options)));
  EXPECT_EQ(messages, checkOptions(CompilePhase::LLVM, options));
}

TEST_F(CompileTest, ChecksWhatThePhaseBelowPromises) {
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    moe.mesh @mesh axes ["ep"] shape [2]
    func.func @main(%c: i1, %x: tensor<2xf32>) -> tensor<2xf32> {
      %r = scf.if %c -> tensor<2xf32> {
        %a = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2xf32>
        scf.yield %a : tensor<2xf32>
      } else {
        scf.yield %x : tensor<2xf32>
      }
      return %r : tensor<2xf32>
    }
  )mlir");
  ASSERT_TRUE(module) << messages;
  CompileOptions options;
  options.from = CompilePhase::Runtime;
  EXPECT_TRUE(failed(compileTo(*module, CompilePhase::LLVM, options)));
  EXPECT_NE(messages.find("may not meet here"), std::string::npos) << messages;
}

template <typename EnumT> static void expectWordsReadBack() {
  for (const EnumName<EnumT> &choice : EnumNames<EnumT>::all)
    EXPECT_EQ(parseEnumName<EnumT>(getEnumName(choice.value)), choice.value);
  EXPECT_EQ(parseEnumName<EnumT>("fastest"), std::nullopt);
}

TEST(EnumNames, AreReadBack) {
  expectWordsReadBack<ScheduleChoice>();
  expectWordsReadBack<StrategyChoice>();
  expectWordsReadBack<CompilePhase>();
  EXPECT_EQ(listEnumNames<StrategyChoice>(),
            "auto, baseline, o1, o2, o3, hierarchical, node-dedup");
  // The previous release's spelling.
  EXPECT_EQ(parseEnumName<StrategyChoice>("nodes"), StrategyChoice::Nodes);
  EXPECT_EQ(parseEnumName<StrategyChoice>(""), std::nullopt);
}

} // namespace
