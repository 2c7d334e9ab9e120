// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models from C.

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "moe/Frontend/BuildModule.h"
#include "moe/Frontend/GateWords.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace moe;

/// Converts the options of an import to the frontend's.
static llvm::Error readOptions(const MoeImportOptions &given,
                               ImportOptions &options,
                               SizeOverrides &overrides) {
  struct {
    const char *name;
    int64_t value;
    int64_t *size;
    bool isRequired;
  } sizes[] = {{"ep", given.ep, &options.ep, true},
               {"tp", given.tp, &options.tp, true},
               {"micro_batch", given.micro_batch, &options.microBatch, true},
               {"seq_len", given.seq_len, &options.seqLen, true},
               {"dp", given.dp, &options.dp, false},
               {"cp", given.cp, &options.cp, false},
               {"pp", given.pp, &options.pp, false}};
  for (auto &[name, value, size, isRequired] : sizes) {
    if (value < 0 || value > kMaxSize || (isRequired && value == 0))
      return makeImportError(Twine(name) + ": expected an integer in [1, " +
                             Twine(kMaxSize) + "], got " + Twine(value));
    if (value)
      *size = value;
  }
  struct {
    const char *name;
    int64_t value;
    std::optional<int64_t> *size;
  } optional[] = {
      {"esp", given.esp, &options.esp},
      {"layers", given.layers, &options.numLayers},
      {"hidden_size", given.hidden_size, &overrides.hiddenSize},
      {"expert_ffn_size", given.expert_ffn_size, &overrides.expertFFNSize},
      {"shared_ffn_size", given.shared_ffn_size, &overrides.sharedFFNSize},
      {"num_experts", given.num_experts, &overrides.numExperts},
      {"top_k", given.top_k, &overrides.topK},
      {"num_groups", given.num_groups, &overrides.numGroups},
      {"top_groups", given.top_groups, &overrides.topGroups}};
  for (auto &[name, value, size] : optional) {
    if (value < 0 || value > kMaxSize)
      return makeImportError(Twine(name) + ": expected an integer in [1, " +
                             Twine(kMaxSize) + "], got " + Twine(value));
    if (value)
      *size = value;
  }
  options.sequenceParallel = given.sequence_parallel;
  options.foldEp = given.fold_ep;
  options.train = given.train;
  options.layer = given.layer;
  if (given.dropless)
    options.routing = Routing::Dropless;
  if (given.dtype) {
    auto kind = llvm::StringSwitch<std::optional<ElementKind>>(given.dtype)
                    .Case("bf16", ElementKind::BF16)
                    .Case("f16", ElementKind::F16)
                    .Case("f32", ElementKind::F32)
                    .Default(std::nullopt);
    if (!kind)
      return makeImportError("dtype: expected bf16, f16 or f32, got '" +
                             Twine(given.dtype) + "'");
    options.elements = *kind;
  }
  if (given.capacity_factor && given.dropless)
    return makeImportError("capacity_factor is not supported with dropless, "
                           "which drops no tokens");
  if (given.receive_factor && !given.dropless)
    return makeImportError("receive_factor: expected with dropless alone");
  if (given.capacity_factor) {
    auto factor =
        CapacityFactor::parse(given.capacity_factor, "capacity_factor");
    if (!factor)
      return factor.takeError();
    options.capacityFactor = *factor;
  }
  if (given.receive_factor) {
    auto factor = CapacityFactor::parse(given.receive_factor, "receive_factor");
    if (!factor)
      return factor.takeError();
    options.receiveFactor = *factor;
  }
  return llvm::Error::success();
}

static llvm::Expected<OwningOpRef<ModuleOp>>
import(MoeContext &context, StringRef text, StringRef name,
       const MoeImportOptions &given) {
  ImportOptions options;
  SizeOverrides overrides;
  if (llvm::Error error = readOptions(given, options, overrides))
    return error;
  ConfigMap map{given.config_map ? given.config_map : "", "config_map"};
  llvm::SmallVector<StringRef> words;
  StringRef(given.ignore_keys ? given.ignore_keys : "")
      .split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<std::string> ignored;
  for (StringRef word : words)
    ignored.push_back(word.trim().str());
  llvm::Expected<ModelConfig> config =
      parseHFConfig(text, name, given.config_map ? &map : nullptr, ignored);
  if (!config)
    return config.takeError();
  for (const auto &[place, message] : config->warnings)
    emitWarning(
        FileLineColLoc::get(&context.context, name, place.line, place.column))
        << message;
  if (given.gate) {
    auto gate = parseEnumName<GateModule>(given.gate);
    if (!gate)
      return makeImportError("gate: expected one of " +
                             listEnumNames<GateModule>() + ", got '" +
                             Twine(given.gate) + "'");
    applyGate(*config, *gate);
  }
  if (llvm::Error error = applyOverrides(*config, overrides))
    return error;
  auto module = buildModule(context.context, *config, options);
  std::vector<std::string> leftOut = listLeftOut(*config, options);
  if (module && !leftOut.empty())
    emitRemark(FileLineColLoc::get(&context.context, name, 1, 1))
        << "of " << config->modelType << " the module leaves out "
        << llvm::join(leftOut, "; ");
  return module;
}

MoeModule *moeModuleImportConfig(MoeContext *context, const char *text,
                                 size_t length, const char *name,
                                 const MoeImportOptions *options) {
  if (!options || options->size != sizeof(MoeImportOptions)) {
    context->fail("expected import options of " +
                  llvm::Twine(sizeof(MoeImportOptions)) + " bytes, got " +
                  llvm::Twine(options ? options->size : 0));
    return nullptr;
  }
  if (!text) {
    context->fail("expected the text of a config.json, got NULL");
    return nullptr;
  }
  llvm::Expected<OwningOpRef<ModuleOp>> module =
      import(*context, {text, length}, name ? name : "", *options);
  if (module)
    return new MoeModule{*context, std::move(*module)};
  llvm::handleAllErrors(module.takeError(), [&](const ImportError &error) {
    if (error.hasPlace())
      context->tell(MOE_ERROR, error.getMessage().str(),
                    FileLineColLoc::get(&context->context, error.getFile(),
                                        error.getLine(), error.getColumn()));
    else
      context->fail(error.getMessage());
  });
  return nullptr;
}
