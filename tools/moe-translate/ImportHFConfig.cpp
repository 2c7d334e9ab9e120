// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translation --import-hf-config.

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
#include "moe/Options/RoutingOptions.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/GivenOnce.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace moe;
namespace cl = llvm::cl;

namespace {

enum class ImportPhase { Forward, Train, Layer };

} // namespace

template <> struct moe::EnumNames<ImportPhase> {
  static constexpr EnumName<ImportPhase> all[] = {
      {ImportPhase::Forward, "fwd", "the forward pass"},
      {ImportPhase::Train, "train",
       "the forward and backward pass, with the non-MoE compute between the "
       "layers"},
      {ImportPhase::Layer, "layer",
       "the first MoE layer alone, as one function for its forward pass and "
       "one, "
       "NAME_backward, for its backward pass (docs/how-to/pytorch.md)"}};
};

namespace {

/// The command line of the translation.
struct ImportCommandLine {
  cl::OptionCategory category{"--import-hf-config options"};

  cl::opt<bool> hooks{"hooks",
                      cl::desc("Mark the six points of each forward layer "
                               "where you can insert your own ops (moe.hook)"),
                      cl::cat(category)};
  OptionTable table;
  JobOptions job{table, {}};
  IntegerOption layers{table, "layers",
                       "Import only the first N MoE layers (default: all)"};
  cl::opt<std::string> stageLayers{
      "stage-layers",
      cl::desc("With --pp: import a stage of D dense layers (default: 0) "
               "followed by M MoE layers, for models whose stages differ"),
      cl::value_desc("M[+D]"), cl::cat(category)};
  cl::opt<ImportPhase> phase{"phase",
                             cl::desc("Part of the training step to import"),
                             EnumValues<ImportPhase>(),
                             cl::init(ImportPhase::Forward), cl::cat(category)};
  cl::opt<std::string> entry{"entry",
                             cl::desc("Name of the function (default: main); "
                                      "the compiled function is moe_NAME"),
                             cl::value_desc("NAME"), cl::init("main"),
                             cl::cat(category)};
  RoutingOptions routing{table};
  cl::opt<GateModule> gate{"gate", cl::desc("Replace the gate of the config"),
                           EnumValues<GateModule>(), cl::cat(category)};
  cl::opt<double> gateJitter{
      "gate-jitter",
      cl::desc("With --gate=switch: multiply each element of a token by a "
               "random factor in [1 - F, 1 + F], with a seed per layer "
               "(default: no jitter)"),
      cl::value_desc("F"), cl::cat(category)};
  cl::opt<double> gateTemperature{
      "gate-temperature",
      cl::desc("With --gate=xmoe: temperature that divides the cosines "
               "(default: 0.07)"),
      cl::value_desc("T"), cl::cat(category)};
  IntegerOption gateProjection{table, "gate-projection",
                               "With --gate=xmoe: size of the projected tokens "
                               "(default: half the number of experts)"};

  IntegerOption hiddenSize{table, "hidden-size",
                           "Replace the hidden size of the config"};
  IntegerOption expertFFNSize{table, "expert-ffn-size",
                              "Replace the hidden size of an expert's FFN"};
  IntegerOption sharedFFNSize{
      table, "shared-ffn-size",
      "Replace the hidden size of the shared expert's FFN"};
  IntegerOption numExperts{table, "num-experts",
                           "Replace the number of experts"};
  IntegerOption topK{table, "top-k", "Replace the number of experts per token"};
  IntegerOption numGroups{table, "num-groups",
                          "Replace the number of expert groups"};
  IntegerOption topGroups{
      table, "top-groups",
      "Replace the number of expert groups that the gate selects per token"};
  BoundOptions bound{table, category};

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
  options.layer = phase == ImportPhase::Layer;
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

/// Replaces the layers by the layers of one stage.
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

/// Reports an error at its location in the config or, if it is about an option,
/// as the tool's own message.
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
      parseHFConfig(buffer.getBuffer(), buffer.getBufferIdentifier(), map.get(),
                    commandLine.job.ignoredKeys.get());
  if (!config)
    return config.takeError();
  for (const auto &[place, message] : config->warnings)
    emitWarning(
        FileLineColLoc::get(context, place.file, place.line, place.column))
        << message;
  if (commandLine.gate.getNumOccurrences() > 0)
    applyGate(*config, commandLine.gate);
  if (llvm::Error error = applyOverrides(*config, overrides))
    return error;
  if (auto failure = commandLine.readStage(options, *config))
    return makeImportError(failure->message);
  llvm::Expected<OwningOpRef<ModuleOp>> module =
      buildModule(*context, *config, options);
  std::vector<std::string> leftOut = listLeftOut(*config, options);
  if (module && !leftOut.empty())
    emitRemark(FileLineColLoc::get(context, buffer.getBufferIdentifier(), 1, 1))
        << "of " << config->modelType << " the module leaves out "
        << llvm::join(leftOut, "; ");
  if (module && options.tp > 1 && !options.sequenceParallel)
    llvm::WithColor::warning(llvm::errs(), "import-hf-config")
        << "--tp " << options.tp
        << " without --sequence-parallel: all ranks of a tensor-parallel group "
           "route the same tokens, and most of the predicted speedup comes "
           "from removing this redundancy; Megatron requires sequence "
           "parallelism for MoE layers with tensor parallelism "
           "(docs/how-to/import-a-model.md)\n";
  return module;
}

void moe::registerImportHFConfig() {
  static ImportCommandLine commandLine;
  TranslateToMLIRRegistration registration(
      "import-hf-config",
      "Import the MoE layers of a Hugging Face config.json as a baseline "
      "forward pass or training step",
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
