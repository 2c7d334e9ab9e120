// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of a training job.

#include "moe/Options/JobOptions.h"
#include "moe/Options/FrameworkFlags.h"
#include "moe/Support/TextFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace moe;

cost::Result<ParallelismPreset> JobOptions::readPreset() const {
  if (!preset.isSet())
    return ParallelismPreset::None;
  return parseParallelism(preset.get());
}

cost::Result<ParallelismPreset> moe::parseParallelism(llvm::StringRef word) {
  auto found = llvm::StringSwitch<std::optional<ParallelismPreset>>(word)
                   .Case("megatron", ParallelismPreset::Megatron)
                   .Case("deepspeed", ParallelismPreset::DeepSpeed)
                   .Case("torchtitan", ParallelismPreset::TorchTitan)
                   .Default(std::nullopt);
  if (!found)
    return cost::Failure{"--parallelism: expected megatron, deepspeed or "
                         "torchtitan, got '" +
                         word.str() + "'"};
  return *found;
}

void moe::applyPreset(ParallelismPreset preset, ImportOptions &options) {
  // All frameworks use this rank order.
  if (preset != ParallelismPreset::None && !options.stagesOutermost)
    options.stagesOutermost = true;
  switch (preset) {
  case ParallelismPreset::None:
    return;
  case ParallelismPreset::Megatron:
    // Experts are split like other layers (--expert-tensor-parallel-size
    // defaults to the tensor-parallel size); whole experts are distributed over
    // the tensor-parallel ranks.
    options.sequenceParallel |= options.tp > 1;
    if (options.esp == 1 && options.tp > 1)
      options.foldEp = true;
    return;
  case ParallelismPreset::DeepSpeed:
    // enable_expert_tensor_parallelism is off.
    if (!options.esp && !options.foldEp)
      options.esp = 1;
    return;
  case ParallelismPreset::TorchTitan:
    // Tensor parallelism splits the sequence; expert_tensor_parallel_degree
    // is 1.
    options.sequenceParallel |= options.tp > 1;
    if ((!options.esp || options.esp == 1) && options.tp > 1)
      options.foldEp = true;
    return;
  }
}

llvm::StringRef
JobOptions::findGiven(llvm::ArrayRef<llvm::StringRef> known) const {
  for (const IntegerOption *option :
       {&ep, &tp, &esp, &dp, &cp, &pp, &microBatch, &seqLen})
    if (option->isSet() && !llvm::is_contained(known, option->getName()))
      return option->getName();
  for (const Option *option : std::initializer_list<const Option *>{
           &stagesOutermost, &foldEp, &sequenceParallel, &dtype, &preset})
    if (option->isSet() && !llvm::is_contained(known, option->getName()))
      return option->getName();
  if (configMap.isSet() && !llvm::is_contained(known, configMap.getName()))
    return configMap.getName();
  return ignoredKeys.isSet() ? ignoredKeys.getName() : "";
}

std::optional<cost::Failure> JobOptions::read(ImportOptions &options) const {
  std::optional<int64_t> degree, size, one = 1;
  if (needs.degrees == Missing::One || needs.degrees == Missing::Tried)
    degree = 1;
  if (needs.sizes == Missing::One)
    size = 1;
  struct {
    const IntegerOption &option;
    int64_t *value;
    std::optional<int64_t> fallback;
  } integers[] = {{ep, &options.ep, degree},
                  {tp, &options.tp, degree},
                  {microBatch, &options.microBatch, size},
                  {seqLen, &options.seqLen, size},
                  {dp, &options.dp, one},
                  {cp, &options.cp, one},
                  {pp, &options.pp, one}};
  std::vector<std::string> missing;
  for (auto &[option, value, fallback] : integers)
    if (!option.isSet() && !fallback)
      missing.push_back("--" + option.getName().str());
  if (missing.size() > 1)
    return cost::Failure{llvm::join(missing, ", ") + " are required"};
  for (auto &[option, value, fallback] : integers) {
    cost::Result<int64_t> given = option.read(fallback);
    if (!given)
      return given.getFailure();
    *value = *given;
  }
  if (auto failure = esp.readIfSet(options.esp))
    return failure;
  if (stagesOutermost.isSet())
    options.stagesOutermost = stagesOutermost;
  options.foldEp = foldEp;
  auto elements = llvm::StringSwitch<std::optional<ElementKind>>(dtype.get())
                      .Case("bf16", ElementKind::BF16)
                      .Case("f16", ElementKind::F16)
                      .Case("f32", ElementKind::F32)
                      .Default(std::nullopt);
  if (!elements)
    return cost::Failure{"--dtype: expected bf16, f16 or f32, got '" +
                         dtype.get() + "'"};
  options.elements = *elements;
  cost::Result<ParallelismPreset> framework = readPreset();
  if (!framework)
    return framework.getFailure();
  applyPreset(*framework, options);
  if (std::string problem = checkFrameworkExperts(*framework, options);
      tp.isSet() && !problem.empty())
    return cost::Failure{problem};
  // The user's option takes precedence over the framework's default.
  if (sequenceParallel.isSet())
    options.sequenceParallel = sequenceParallel;
  return std::nullopt;
}

std::optional<int64_t> moe::getTypeBytes(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("f64", 8)
      .Case("f32", 4)
      .Cases({"bf16", "f16"}, 2)
      .Default(std::nullopt);
}

std::optional<cost::Failure> ConfigMapOption::read() {
  if (!isSet())
    return std::nullopt;
  cost::Result<std::string> found =
      support::readTextFile(option, "a JSON file that describes a family");
  if (!found)
    return cost::Failure{"--config-map: " + found.getFailure().message};
  text = std::move(*found);
  map = ConfigMap{text, option.get()};
  return std::nullopt;
}

static void addWarnings(const ModelConfig &config, OptionTable &table) {
  for (const auto &[place, message] : config.warnings)
    table.warnings.push_back(
        {place.file, int64_t(place.line), int64_t(place.column), message});
}

cost::Result<ModelConfig>
moe::readModelConfig(const std::string &file, const ConfigMap *map,
                     llvm::ArrayRef<std::string> ignoredKeys,
                     OptionTable &table) {
  cost::Result<std::string> text =
      support::readTextFile(file, "a model's config");
  if (!text)
    return text.getFailure();
  llvm::Expected<ModelConfig> config =
      parseHFConfig(*text, file, map, ignoredKeys);
  if (!config)
    return cost::Failure{llvm::toString(config.takeError())};
  if (llvm::Error error = applyOverrides(*config, SizeOverrides()))
    return cost::Failure{llvm::toString(std::move(error))};
  addWarnings(*config, table);
  return std::move(*config);
}

cost::Result<ModelSize>
moe::readModelSizeFile(const std::string &file, const ConfigMap *map,
                       llvm::ArrayRef<std::string> ignoredKeys,
                       OptionTable &table) {
  cost::Result<std::string> text =
      support::readTextFile(file, "a model's config");
  if (!text)
    return text.getFailure();
  llvm::Expected<ModelSize> size = readModelSize(*text, file, map, ignoredKeys);
  if (!size)
    return cost::Failure{llvm::toString(size.takeError())};
  addWarnings(size->config, table);
  return std::move(*size);
}
