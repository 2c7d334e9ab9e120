//===- ImportHFConfig.cpp - The translation --import-hf-config --*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Frontend/BuildModule.h"
#include "moe/Frontend/Register.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace moe;
namespace cl = llvm::cl;

namespace {

enum class ImportPhase { Forward, Train };

/// An option that takes a size. Kept as text, so that what is no size gets a
/// message that says what is expected, like every other wrong value.
class SizeOption {
public:
  SizeOption(StringRef name, StringRef description,
             cl::OptionCategory &category)
      : option(name, cl::desc(description), cl::value_desc("N"),
               cl::cat(category)) {}

  bool isSet() const { return option.getNumOccurrences() > 0; }

  /// Writes the value to `size` if the option is given; fails when it is no
  /// integer in [1, kMaxSize].
  llvm::Error read(std::optional<int64_t> &size) const {
    if (!isSet())
      return llvm::Error::success();
    int64_t value;
    if (StringRef(option).getAsInteger(10, value) || value < 1 ||
        value > kMaxSize)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "--" + option.ArgStr + ": expected an integer in [1, " +
              Twine(kMaxSize) + "], got '" + option.getValue() + "'");
    size = value;
    return llvm::Error::success();
  }

  llvm::Error read(int64_t &size) const {
    std::optional<int64_t> value;
    llvm::Error error = read(value);
    if (value)
      size = *value;
    return error;
  }

  llvm::Error readRequired(int64_t &size) const {
    if (!isSet())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "--" + option.ArgStr +
                                         ": expected this option, got none");
    return read(size);
  }

private:
  cl::opt<std::string> option;
};

/// The command line of the translation.
struct ImportCommandLine {
  cl::OptionCategory category{"Options of --import-hf-config"};

  SizeOption ep{"ep", "expert-parallel ranks (required)", category};
  SizeOption tp{"tp", "tensor-parallel ranks (required)", category};
  SizeOption esp{"esp", "ranks an expert is sharded over (default: tp)",
                 category};
  SizeOption dp{"dp", "data-parallel ranks (default: 1)", category};
  cl::opt<bool> hooks{
      "hooks",
      cl::desc("mark the six points of each forward layer at which ops of your "
               "own may stand (moe.hook)"),
      cl::cat(category)};
  cl::opt<bool> sequenceParallel{
      "sequence-parallel",
      cl::desc("split a layer's tokens over the tensor-parallel ranks"),
      cl::cat(category)};
  SizeOption microBatch{"micro-batch", "sequences per rank (required)",
                        category};
  SizeOption seqLen{"seq-len", "tokens per sequence (required)", category};
  SizeOption layers{"layers", "first MoE layers to take (default: all)",
                    category};
  cl::opt<ImportPhase> phase{
      "phase", cl::desc("phases of a training step to import"),
      cl::values(clEnumValN(ImportPhase::Forward, "fwd", "forward pass"),
                 clEnumValN(ImportPhase::Train, "train",
                            "forward and backward pass, with the dense "
                            "parts between the layers")),
      cl::init(ImportPhase::Forward), cl::cat(category)};
  cl::opt<ElementKind> dtype{
      "dtype", cl::desc("element type of tokens and weights"),
      cl::values(clEnumValN(ElementKind::BF16, "bf16", "bfloat16 (default)"),
                 clEnumValN(ElementKind::F16, "f16", "half precision"),
                 clEnumValN(ElementKind::F32, "f32", "single precision")),
      cl::init(ElementKind::BF16), cl::cat(category)};
  cl::opt<std::string> entry{
      "entry",
      cl::desc("name of the function (default: main); compiled code is called "
               "moe_NAME"),
      cl::value_desc("NAME"), cl::init("main"), cl::cat(category)};
  cl::opt<std::string> capacityFactor{
      "capacity-factor",
      cl::desc("slots of an expert over its even share of tokens, a decimal "
               "(default: 1)"),
      cl::value_desc("F"), cl::init("1"), cl::cat(category)};

  SizeOption hiddenSize{"hidden-size", "replaces the config's hidden size",
                        category};
  SizeOption expertFFNSize{"expert-ffn-size",
                           "replaces the hidden size of an expert", category};
  SizeOption sharedFFNSize{"shared-ffn-size",
                           "replaces the hidden size of the shared expert",
                           category};
  SizeOption numExperts{"num-experts", "replaces the number of experts",
                        category};
  SizeOption topK{"top-k", "replaces the number of experts per token",
                  category};
  SizeOption numGroups{"num-groups", "replaces the number of expert groups",
                       category};
  SizeOption topGroups{"top-groups",
                       "replaces the number of groups experts are chosen from",
                       category};

  llvm::Error read(ImportOptions &options) const;
  llvm::Error read(SizeOverrides &overrides) const;
};

} // namespace

llvm::Error ImportCommandLine::read(ImportOptions &options) const {
  if (llvm::Error error = ep.readRequired(options.ep))
    return error;
  if (llvm::Error error = tp.readRequired(options.tp))
    return error;
  if (llvm::Error error = microBatch.readRequired(options.microBatch))
    return error;
  if (llvm::Error error = seqLen.readRequired(options.seqLen))
    return error;
  if (llvm::Error error = dp.read(options.dp))
    return error;
  if (llvm::Error error = esp.read(options.esp))
    return error;
  if (llvm::Error error = layers.read(options.numLayers))
    return error;
  llvm::Expected<CapacityFactor> factor = CapacityFactor::parse(capacityFactor);
  if (!factor)
    return factor.takeError();
  options.capacityFactor = *factor;
  options.sequenceParallel = sequenceParallel;
  options.hooks = hooks;
  options.entry = entry;
  options.elements = dtype;
  options.train = phase == ImportPhase::Train;
  return llvm::Error::success();
}

llvm::Error ImportCommandLine::read(SizeOverrides &overrides) const {
  std::pair<const SizeOption *, std::optional<int64_t> *> sizes[] = {
      {&hiddenSize, &overrides.hiddenSize},
      {&expertFFNSize, &overrides.expertFFNSize},
      {&sharedFFNSize, &overrides.sharedFFNSize},
      {&numExperts, &overrides.numExperts},
      {&topK, &overrides.topK},
      {&numGroups, &overrides.numGroups},
      {&topGroups, &overrides.topGroups}};
  for (auto [option, size] : sizes)
    if (llvm::Error error = option->read(*size))
      return error;
  return llvm::Error::success();
}

/// Reports an error where it belongs: at its place in the config, or, when it
/// is about an option, as the tool's own message.
static void report(llvm::Error error, MLIRContext *context) {
  llvm::handleAllErrors(
      std::move(error),
      [&](const ConfigError &error) {
        emitError(FileLineColLoc::get(context, error.getFile(), error.getLine(),
                                      error.getColumn()))
            << error.getMessage();
      },
      [&](const llvm::ErrorInfoBase &error) {
        llvm::WithColor::error(llvm::errs(), "import-hf-config")
            << error.message() << "\n";
      });
}

static llvm::Expected<OwningOpRef<ModuleOp>>
import(const ImportCommandLine &commandLine, const llvm::MemoryBuffer &buffer,
       MLIRContext *context) {
  ImportOptions options;
  if (llvm::Error error = commandLine.read(options))
    return error;
  SizeOverrides overrides;
  if (llvm::Error error = commandLine.read(overrides))
    return error;
  llvm::Expected<ModelConfig> config =
      parseHFConfig(buffer.getBuffer(), buffer.getBufferIdentifier());
  if (!config)
    return config.takeError();
  if (llvm::Error error = applyOverrides(*config, overrides))
    return error;
  return buildModule(*context, *config, options);
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
