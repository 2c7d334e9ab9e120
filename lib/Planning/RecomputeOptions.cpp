// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Planning/RecomputeOptions.h"
#include "moe/Planning/Answers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// Module names of Megatron core's --recompute-modules, and of torchtitan's
/// policy.
static constexpr std::pair<RecomputeModule, StringLiteral> kModules[] = {
    {RecomputeModule::CoreAttention, "core_attn"},
    {RecomputeModule::UpProjection, "mla_up_proj"},
    {RecomputeModule::Norms, "layernorm"},
    {RecomputeModule::ExpertActivation, "moe_act"},
    {RecomputeModule::DenseNetwork, "mlp"},
    {RecomputeModule::SharedExperts, "shared_experts"},
    {RecomputeModule::MoELayer, "moe"},
    {RecomputeModule::UnsavedOps, "op"}};

std::optional<RecomputeModules>
moe::planning::getSelectiveModules(ParallelismPreset framework) {
  switch (framework) {
  case ParallelismPreset::None:
  case ParallelismPreset::Megatron:
    return RecomputeModules(RecomputeModule::CoreAttention);
  case ParallelismPreset::TorchTitan:
    return RecomputeModules(RecomputeModule::UnsavedOps);
  case ParallelismPreset::DeepSpeed:
    // deepspeed.checkpointing wraps whole functions of a model, that is its
    // layers.
    return std::nullopt;
  }
  return std::nullopt;
}

std::vector<StringRef>
moe::planning::listModules(const RecomputeModules &modules) {
  std::vector<StringRef> names;
  for (const auto &[module, name] : kModules)
    if (modules.has(module))
      names.push_back(name);
  return names;
}

std::string moe::planning::describeRecompute(Recompute recompute,
                                             const RecomputeModules &modules) {
  switch (recompute) {
  case Recompute::Nothing:
    return "nothing";
  case Recompute::Layers:
    return "all";
  case Recompute::Selective:
    return join(listModules(modules), ", ");
  }
  return "";
}

StringRef moe::planning::getRecomputeName(Recompute recompute) {
  switch (recompute) {
  case Recompute::Nothing:
    return "none";
  case Recompute::Selective:
    return "selective";
  case Recompute::Layers:
    return "full";
  }
  llvm_unreachable("unknown recomputation");
}

std::vector<Recomputation> RecomputeSettings::listAllowed() const {
  if (recompute)
    return {{*recompute, *recompute == Recompute::Selective
                             ? *modules
                             : RecomputeModules()}};
  std::vector<Recomputation> all = {{Recompute::Nothing, {}}};
  for (const RecomputeModules &set : sets)
    all.push_back({Recompute::Selective, set});
  all.push_back({Recompute::Layers, {}});
  return all;
}

/// Returns sets of Megatron's modules that free increasingly more memory: first
/// memory-bound kernels, then the projections of latent attention, attention
/// itself, and the MoE layer with its exchanges.
static std::vector<RecomputeModules> listSets(const ModelConfig &config,
                                              bool keepsQuantized) {
  bool hasLatent = config.attention && config.attention->latent > 0;
  std::vector<RecomputeModules> sets;
  // An MoE layer includes the activation of its experts.
  for (RecomputeModule experts :
       {RecomputeModule::ExpertActivation, RecomputeModule::MoELayer}) {
    bool isWhole = experts == RecomputeModule::MoELayer;
    RecomputeModules set;
    if (isWhole || !keepsQuantized) {
      set.add(experts);
      sets.push_back(set);
    }
    if (!keepsQuantized) {
      set.add(RecomputeModule::Norms);
      sets.push_back(set);
    }
    if (hasLatent) {
      set.add(RecomputeModule::UpProjection);
      sets.push_back(set);
    }
    if (config.attention) {
      set.add(RecomputeModule::CoreAttention);
      sets.push_back(set);
    }
  }
  return sets;
}

RecomputeOptions::RecomputeOptions(OptionTable &table, RecomputeChoice fallback)
    : recompute(table, "recompute",
                fallback == RecomputeChoice::Auto
                    ? "Activations that the backward pass recomputes "
                      "(default: auto)"
                    : "Activations that the backward pass recomputes "
                      "(default: none)",
                fallback),
      modules(table, "recompute-modules",
              "Parts that --recompute=selective recomputes, separated "
              "by commas: core_attn, mla_up_proj, layernorm, moe_act, "
              "mlp, shared_experts, moe, as in Megatron; or op, "
              "torchtitan's policy (default: op with "
              "--parallelism=torchtitan, else core_attn)",
              "LIST") {}

cost::Result<RecomputeSettings>
RecomputeOptions::read(const TextOption &framework, ParallelismPreset preset,
                       const ModelConfig &config,
                       cost::Precision precision) const {
  RecomputeSettings settings;
  switch (RecomputeChoice(recompute)) {
  case RecomputeChoice::None:
    settings.recompute = Recompute::Nothing;
    break;
  case RecomputeChoice::Selective:
    settings.recompute = Recompute::Selective;
    break;
  case RecomputeChoice::Full:
    settings.recompute = Recompute::Layers;
    break;
  case RecomputeChoice::Auto:
    break;
  }
  auto read = readModules(preset, config);
  if (!read)
    return read.getFailure();
  settings.modules = *read;
  bool isChosen = !modules.isSet() && settings.modules &&
                  !settings.modules->has(RecomputeModule::UnsavedOps);
  // Megatron core 0.14, megatron/core/transformer/transformer_config.py.
  bool keepsQuantized = preset == ParallelismPreset::Megatron &&
                        precision == cost::Precision::FP8Delayed;
  if (keepsQuantized && modules.isSet() &&
      (settings.modules->has(RecomputeModule::ExpertActivation) ||
       settings.modules->has(RecomputeModule::Norms)))
    return makeFailure("--recompute-modules: Megatron-LM does not recompute "
                       "moe_act and layernorm with --precision=fp8, which has "
                       "delayed scaling; use --precision=fp8-tensorwise");
  if (isChosen)
    settings.sets = listSets(config, keepsQuantized);
  else if (settings.modules)
    settings.sets = {*settings.modules};
  bool mayBeParts =
      !settings.recompute || settings.recompute == Recompute::Selective;
  if (modules.isSet() && !mayBeParts)
    return makeFailure(
        "--recompute-modules requires --recompute=selective or auto, got '" +
        getRecomputeName(*settings.recompute) + "'");
  if (settings.recompute == Recompute::Selective && !settings.modules)
    return makeFailure("--recompute=selective is not supported with "
                       "--parallelism=" +
                       framework.get() +
                       ", which recomputes whole layers: use --recompute=full");
  return settings;
}

cost::Result<std::optional<RecomputeModules>>
RecomputeOptions::readModules(ParallelismPreset framework,
                              const ModelConfig &config) const {
  std::optional<RecomputeModules> ofFramework = getSelectiveModules(framework);
  if (!modules.isSet())
    return ofFramework;
  if (!ofFramework)
    return makeFailure(
        "--recompute-modules is not supported with "
        "--parallelism=deepspeed, which recomputes whole layers");
  RecomputeModules read;
  for (StringRef word : split(modules.get(), ',')) {
    if (!word.trim().empty() && all_of(word.trim(), isDigit))
      return makeFailure(
          "--recompute-modules: expected names of modules, or op, "
          "got '" +
          word.trim() +
          "'; torchtitan's selective_ac_option=N, which "
          "recomputes every N-th layer, is not modeled");
    auto known = find_if(kModules, [&](const auto &module) {
      return module.second == word.trim();
    });
    if (known == std::end(kModules)) {
      std::vector<StringRef> names;
      for (const auto &module : kModules)
        names.push_back(module.second);
      return makeFailure("--recompute-modules: expected some of " +
                         join(names, ", ") + ", separated by commas, got '" +
                         word + "'");
    }
    read.add(known->first);
  }
  bool hasOps = read.has(RecomputeModule::UnsavedOps);
  if (hasOps && listModules(read).size() > 1)
    return makeFailure("--recompute-modules: expected op alone, because it "
                       "recomputes by ops and not by modules, got '" +
                       Twine(modules) + "'");
  if (framework == ParallelismPreset::Megatron && hasOps)
    return makeFailure(
        "--recompute-modules: expected modules of Megatron, such "
        "as core_attn or moe_act, got 'op'");
  if (framework == ParallelismPreset::TorchTitan && !hasOps)
    return makeFailure("--recompute-modules: expected op with "
                       "--parallelism=torchtitan, which recomputes by ops, "
                       "got '" +
                       Twine(modules) + "'");
  if (read.has(RecomputeModule::UpProjection) &&
      (!config.attention || config.attention->latent == 0))
    return makeFailure("--recompute-modules: mla_up_proj requires a model with "
                       "latent attention (kv_lora_rank)");
  bool hasDenseLayers = config.numLayers > int64_t(config.moeLayers.size()) ||
                        any_of(config.parts, [](const LayerParts &parts) {
                          return parts.denseFFNs > 0;
                        });
  if (read.has(RecomputeModule::DenseNetwork) && !hasDenseLayers)
    return makeFailure("--recompute-modules: mlp requires a model with dense "
                       "layers; all " +
                       Twine(config.numLayers) + " layers are MoE layers");
  if (read.has(RecomputeModule::SharedExperts) && config.sharedFFNSize == 0)
    return makeFailure("--recompute-modules: shared_experts requires a model "
                       "with a shared expert");
  bool hasMoELayers = !config.moeLayers.empty();
  for (auto [module, name] : kModules)
    if (!hasMoELayers && read.has(module) &&
        (module == RecomputeModule::MoELayer ||
         module == RecomputeModule::ExpertActivation))
      return makeFailure("--recompute-modules: " + name +
                         " requires a model with MoE layers");
  if (read.has(RecomputeModule::CoreAttention) && !config.attention)
    return makeFailure("--recompute-modules: core_attn requires a model that "
                       "states the heads of its attention");
  return std::optional<RecomputeModules>(read);
}

double moe::planning::getSelectiveUs(const ModelSize &model,
                                     const TrainingJob &job,
                                     const LayerCount &layers,
                                     double exchangeUs,
                                     const cost::Machine &machine) {
  const RecomputeModules &modules = job.step.modules;
  const ParallelDegrees &degrees = job.degrees;
  ModelShape shape = getShape(model);
  double tokens = double(job.step.microBatch) * double(job.step.seqLen) /
                  double(degrees.cp);
  double t = double(degrees.tp);
  /// Multiply-accumulates and matrix products per layer.
  struct Work {
    double macs = 0;
    int64_t products = 0;
  };
  auto getWork = [&](bool isMoE) {
    Work work;
    auto add = [&](double macsOfToken, int64_t products) {
      if (macsOfToken == 0)
        return;
      work.macs += tokens * macsOfToken;
      work.products += products;
    };
    LayerWeights weights = getLayerWeights(model, degrees);
    bool isSplit = job.step.sequenceParallel || degrees.foldEp;
    double experts = job.step.expertLoad * double(shape.topK) *
                     double(shape.numMatrices) * double(shape.hidden) *
                     double(shape.expertFFN) /
                     (isSplit ? t : double(degrees.getExpertShards()));
    double router = double(shape.hidden) * double(shape.experts) / t;
    if (modules.has(RecomputeModule::UnsavedOps)) {
      for (const LayerProduct &product :
           listProducts(shape, degrees, job.step, isMoE))
        if (!product.isKept)
          add(product.macs, 1);
      if (isMoE) {
        add(router, 1);
        add(experts, shape.numMatrices);
      }
      return work;
    }
    // On average, tokens attend to half of their sequence.
    if (modules.has(RecomputeModule::CoreAttention))
      add((double(job.step.seqLen) + 1) / 2 *
              double(shape.queries + shape.output) / t,
          2);
    if (modules.has(RecomputeModule::UpProjection))
      add((double(shape.queryLatents) * double(shape.queries) +
           double(model.config.attention->latent) *
               double(shape.keysAndValues)) /
              t,
          shape.queryLatents > 0 ? 2 : 1);
    if (!isMoE) {
      if (modules.has(RecomputeModule::DenseNetwork))
        add(weights.dense, shape.numMatrices);
      return work;
    }
    double shared = weights.beside - router;
    if (modules.has(RecomputeModule::MoELayer)) {
      add(router, 1);
      add(experts, shape.numMatrices);
      add(shared, shape.sharedFFN > 0 ? shape.numMatrices : 0);
    } else if (modules.has(RecomputeModule::SharedExperts) &&
               shape.sharedFFN > 0) {
      add(shared, shape.numMatrices);
    }
    return work;
  };
  LayerActivations made = getLayerActivations(shape, degrees, job.step);
  LayerActivations kept = getKeptActivations(shape, degrees, job.step);
  double us = modules.has(RecomputeModule::MoELayer) ? exchangeUs : 0;
  for (bool isMoE : {false, true}) {
    auto number = double(isMoE ? layers.moe : layers.dense);
    if (number == 0)
      continue;
    Work work = getWork(isMoE);
    double bytes = std::max(
        0.0, made.attention - kept.attention +
                 (isMoE ? made.moe - kept.moe : made.dense - kept.dense));
    double layerUs = 0;
    if (machine.gemm && work.macs > 0)
      layerUs +=
          cost::getGemmTime(*machine.gemm, cost::Macs(work.macs), work.products)
              .value();
    if (machine.copy && bytes > 0)
      layerUs +=
          cost::getCopyTime(*machine.copy, cost::Bytes(tokens * bytes)).value();
    us += number * layerUs;
  }
  return us;
}
