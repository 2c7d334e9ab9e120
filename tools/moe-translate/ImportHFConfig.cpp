//===- ImportHFConfig.cpp - The translation --import-hf-config --*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportHFConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Frontend/BuildModule.h"
#include "moe/Frontend/GateWords.h"
#include "moe/Tools/RoutingOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace moe;
namespace cl = llvm::cl;

namespace {

enum class ImportPhase { Forward, Train };

} // namespace

template <> struct moe::ChoiceWords<ImportPhase> {
  static constexpr ChoiceWord<ImportPhase> all[] = {
      {ImportPhase::Forward, "fwd", "forward pass"},
      {ImportPhase::Train, "train",
       "forward and backward pass, with the dense parts between the layers"}};
};

namespace {

/// The command line of the translation.
struct ImportCommandLine {
  cl::OptionCategory category{"--import-hf-config options"};

  cl::opt<bool> hooks{
      "hooks",
      cl::desc("mark the six points of each forward layer at which ops of your "
               "own may stand (moe.hook)"),
      cl::cat(category)};
  JobOptions job{category, {}};
  IntegerOption layers{"layers", "first MoE layers to take (default: all)",
                       category};
  cl::opt<std::string> stageLayers{
      "stage-layers",
      cl::desc("with --pp: the program of a stage of M MoE layers behind D "
               "dense ones (default: 0), of a model whose stages differ"),
      cl::value_desc("M[+D]"), cl::cat(category)};
  cl::opt<ImportPhase> phase{
      "phase", cl::desc("phases of a training step to import"),
      ChoiceValues<ImportPhase>(), cl::init(ImportPhase::Forward), cl::cat(category)};
  cl::opt<std::string> entry{
      "entry",
      cl::desc("name of the function (default: main); compiled code is called "
               "moe_NAME"),
      cl::value_desc("NAME"), cl::init("main"), cl::cat(category)};
  RoutingOptions routing{category};
  cl::opt<GateModule> gate{
      "gate", cl::desc("another gate in the place of the config's"),
      ChoiceValues<GateModule>(), cl::cat(category)};
  cl::opt<double> gateJitter{
      "gate-jitter",
      cl::desc("of --gate=switch: factors of a token's elements lie between "
               "1 - F and 1 + F, drawn from a seed a layer (default: none)"),
      cl::value_desc("F"), cl::cat(category)};
  cl::opt<double> gateTemperature{
      "gate-temperature",
      cl::desc("of --gate=xmoe: what cosines are divided by (default: 0.07)"),
      cl::value_desc("T"), cl::cat(category)};
  IntegerOption gateProjection{
      "gate-projection",
      "of --gate=xmoe: the size that tokens are projected to (default: half "
      "the experts)",
      category};

  IntegerOption hiddenSize{"hidden-size", "replaces the config's hidden size",
                           category};
  IntegerOption expertFFNSize{
      "expert-ffn-size", "replaces the hidden size of an expert", category};
  IntegerOption sharedFFNSize{"shared-ffn-size",
                              "replaces the hidden size of the shared expert",
                              category};
  IntegerOption numExperts{"num-experts", "replaces the number of experts",
                           category};
  IntegerOption topK{"top-k", "replaces the number of experts per token",
                     category};
  IntegerOption numGroups{"num-groups", "replaces the number of expert groups",
                          category};
  IntegerOption topGroups{
      "top-groups", "replaces the number of groups experts are chosen from",
      category};

  std::optional<cost::Failure> read(ImportOptions &options) const;
  std::optional<cost::Failure> read(SizeOverrides &overrides) const;
  std::optional<cost::Failure> readStage(const ImportOptions &options,
                                         ModelConfig &config) const;
};

} // namespace

std::optional<cost::Failure>
ImportCommandLine::read(ImportOptions &options) const {
  if (auto failure = job.read(options))
    return failure;
  if (auto failure = layers.readIfSet(options.numLayers))
    return failure;
  if (gateJitter.getNumOccurrences() > 0)
    options.gateJitter = gateJitter;
  if (gateTemperature.getNumOccurrences() > 0)
    options.gateTemperature = gateTemperature;
  if (auto failure = gateProjection.readIfSet(options.gateProjection))
    return failure;
  if (auto failure = routing.read(options))
    return failure;
  options.hooks = hooks;
  options.entry = entry;
  options.train = phase == ImportPhase::Train;
  return std::nullopt;
}

std::optional<cost::Failure>
ImportCommandLine::read(SizeOverrides &overrides) const {
  std::pair<const IntegerOption *, std::optional<int64_t> *> sizes[] = {
      {&hiddenSize, &overrides.hiddenSize},
      {&expertFFNSize, &overrides.expertFFNSize},
      {&sharedFFNSize, &overrides.sharedFFNSize},
      {&numExperts, &overrides.numExperts},
      {&topK, &overrides.topK},
      {&numGroups, &overrides.numGroups},
      {&topGroups, &overrides.topGroups}};
  for (auto [option, size] : sizes)
    if (auto failure = option->readIfSet(*size))
      return failure;
  return std::nullopt;
}

/// Takes the layers of one stage for those of all.
std::optional<cost::Failure>
ImportCommandLine::readStage(const ImportOptions &options,
                             ModelConfig &config) const {
  if (stageLayers.getNumOccurrences() == 0)
    return std::nullopt;
  if (options.pp == 1)
    return cost::Failure{"--stage-layers requires --pp of at least 2, got 1"};
  if (layers.isSet())
    return cost::Failure{"--stage-layers is not supported with --layers"};
  auto [first, second] = llvm::StringRef(stageLayers).split('+');
  IntegerRange range{1, config.numLayers};
  int64_t moe = 0, dense = 0;
  bool isRight = range.parse(first, moe);
  range.min = 0;
  if (llvm::StringRef(stageLayers).contains('+'))
    isRight &= range.parse(second, dense);
  if (!isRight || moe + dense > config.numLayers)
    return cost::Failure{"--stage-layers: expected M or M+D with M at least 1 "
                         "and at most the " +
                         std::to_string(config.numLayers) +
                         " layers of the model together, got '" + stageLayers +
                         "'"};
  setStageLayers(config, options.pp, moe, dense);
  return std::nullopt;
}

/// Reports an error where it belongs: at its place in the config, or, when it
/// is about an option, as the tool's own message.
static void report(llvm::Error error, MLIRContext *context) {
  llvm::handleAllErrors(std::move(error), [&](const ImportError &error) {
    if (error.hasPlace())
      emitError(FileLineColLoc::get(context, error.getFile(), error.getLine(),
                                    error.getColumn()))
          << error.getMessage();
    else
      llvm::WithColor::error(llvm::errs(), "import-hf-config")
          << error.getMessage() << "\n";
  });
}

static llvm::Expected<OwningOpRef<ModuleOp>>
import(ImportCommandLine &commandLine, const llvm::MemoryBuffer &buffer,
       MLIRContext *context) {
  if (std::string problem = checkGivenOnce(); !problem.empty())
    return makeImportError(problem);
  ImportOptions options;
  if (auto failure = commandLine.read(options))
    return makeImportError(failure->message);
  SizeOverrides overrides;
  if (auto failure = commandLine.read(overrides))
    return makeImportError(failure->message);
  ConfigMapOption &map = commandLine.job.configMap;
  if (auto failure = map.read())
    return makeImportError(failure->message);
  llvm::Expected<ModelConfig> config =
      parseHFConfig(buffer.getBuffer(), buffer.getBufferIdentifier(),
                    map.get());
  if (!config)
    return config.takeError();
  if (commandLine.gate.getNumOccurrences() > 0)
    applyGate(*config, commandLine.gate);
  if (llvm::Error error = applyOverrides(*config, overrides))
    return error;
  if (auto failure = commandLine.readStage(options, *config))
    return makeImportError(failure->message);
  llvm::Expected<OwningOpRef<ModuleOp>> module =
      buildModule(*context, *config, options);
  if (module && !config->leavesOut.empty())
    emitRemark(
        FileLineColLoc::get(context, buffer.getBufferIdentifier(), 1, 1))
        << "of " << config->modelType << " the module leaves out "
        << llvm::join(config->leavesOut, "; ");
  if (module && options.tp > 1 && !options.sequenceParallel)
    llvm::WithColor::warning(llvm::errs(), "import-hf-config")
        << "--tp " << options.tp
        << " without --sequence-parallel: all ranks of a tensor-parallel group "
           "route the same tokens, which gives the compiler most of what it "
           "gains; Megatron requires sequence parallelism of MoE layers with "
           "tensor parallelism (docs/Frontend.md)\n";
  return module;
}

void moe::registerImportHFConfig() {
  static ImportCommandLine commandLine;
  TranslateToMLIRRegistration registration(
      "import-hf-config",
      "a model's Hugging Face config.json to the forward pass of its MoE "
      "layers, or to a training step, as the plain baseline",
      [](llvm::SourceMgr &sourceMgr,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer =
            sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
        llvm::Expected<OwningOpRef<ModuleOp>> module =
            import(commandLine, *buffer, context);
        if (module)
          return std::move(*module);
        report(module.takeError(), context);
        return nullptr;
      },
      [](DialectRegistry &registry) {
        registry.insert<MoEDialect, arith::ArithDialect, func::FuncDialect,
                        tensor::TensorDialect>();
      });
}
