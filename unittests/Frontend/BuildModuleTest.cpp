// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules built from models.

#include "moe/Frontend/BuildModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace moe;

namespace {

/// Returns a model with every feature that a layer can have.
ModelConfig everything(int64_t numLayers) {
  ModelConfig config;
  config.modelType = "deepseek_v3";
  config.hiddenSize = 16;
  config.expertFFNSize = 8;
  config.numExperts = 8;
  config.topK = 2;
  config.scores = ScoreFunction::Sigmoid;
  config.hasSelectionBias = true;
  config.groups = ExpertGroups{4, 2};
  config.sharedFFNSize = 8;
  for (int64_t i = 0; i < numLayers; ++i)
    config.moeLayers.push_back(i);
  return config;
}

/// All combinations of a model's and a job's features give a module that
/// verifies, for all degrees.
TEST(BuildModuleTest, EveryCombinationVerifies) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  for (bool sequenceParallel : {false, true})
    for (int64_t ep : {1, 2, 8})
      for (int64_t tp : {1, 2, 4})
        for (int64_t esp : {1, 2, 4})
          for (int shared : {0, 1, 2})
            for (ElementKind elements :
                 {ElementKind::BF16, ElementKind::F16, ElementKind::F32}) {
              if (tp % esp != 0)
                continue;
              ModelConfig config = everything(2);
              config.sharedFFNSize = shared ? 8 : 0;
              config.hasSharedGate = shared == 2;
              config.hasRouterBias = config.hasExpertBiases = shared == 1;
              config.weighsInputs = shared == 2;
              ImportOptions options;
              options.ep = ep;
              options.tp = tp;
              options.esp = esp;
              options.seqLen = 8;
              options.sequenceParallel = sequenceParallel;
              options.elements = elements;
              auto module = buildModule(context, config, options);
              if (!module) {
                ADD_FAILURE() << llvm::toString(module.takeError());
                continue;
              }
              int64_t numExperts = 0, numExchanges = 0;
              (*module)->walk([&](ExpertsOp) { ++numExperts; });
              (*module)->walk([&](AllToAllOp) { ++numExchanges; });
              EXPECT_EQ(numExperts, shared ? 4 : 2);
              EXPECT_EQ(numExchanges, 4);
            }
}

// Every training step verifies, with one gradient per weight and per dense
// part.
TEST(BuildModuleTest, TrainingSteps) {
  MLIRContext context;
  for (bool sequenceParallel : {false, true})
    for (int64_t dp : {1, 2})
      for (int64_t tp : {1, 2, 4})
        for (int64_t esp : {1, 2, 4})
          for (int shared : {0, 1, 2})
            for (ExpertNetwork network :
                 {ExpertNetwork::SwiGLU, ExpertNetwork::GPTRelu}) {
              if (tp % esp != 0)
                continue;
              ModelConfig config = everything(2);
              config.sharedFFNSize = shared ? 8 : 0;
              config.hasSharedGate = shared == 2;
              config.hasRouterBias = config.hasExpertBiases = shared == 1;
              config.weighsInputs = shared == 2;
              config.network = network;
              config.numLayers = config.moeLayers.back() + 2;
              config.denseFFNSize = 12;
              config.attention = AttentionWidths{16, 8, 16};
              ImportOptions options;
              options.dp = dp;
              options.ep = 2;
              options.tp = tp;
              options.esp = esp;
              options.seqLen = 8;
              options.sequenceParallel = sequenceParallel;
              options.train = true;
              auto module = buildModule(context, config, options);
              if (!module) {
                ADD_FAILURE() << llvm::toString(module.takeError());
                continue;
              }
              int64_t numDense = 0, numParameters = 0;
              (*module)->walk([&](DenseWgradOp) { ++numDense; });
              // One attention per layer, and the FFNs of the dense layers.
              EXPECT_EQ(numDense, 2 * config.numLayers - 2);
              auto main = *(*module)->getOps<func::FuncOp>().begin();
              for (Type type : main.getArgumentTypes())
                numParameters += cast<RankedTensorType>(type).getRank() > 1;
              // The tokens and the gradient of the result are not parameters.
              EXPECT_EQ(main.getNumResults(),
                        static_cast<size_t>(2 + numDense + numParameters - 2));
            }
}

} // namespace
