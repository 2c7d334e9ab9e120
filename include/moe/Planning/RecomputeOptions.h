// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of selective recomputation, and the time that it takes.

#ifndef MOE_PLANNING_RECOMPUTEOPTIONS_H
#define MOE_PLANNING_RECOMPUTEOPTIONS_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"
#include "moe/Options/JobOptions.h"
#include "moe/Planning/MemoryFit.h"

namespace moe::planning {

enum class RecomputeChoice : uint8_t { None, Selective, Full, Auto };

} // namespace moe::planning

template <> struct moe::EnumNames<moe::planning::RecomputeChoice> {
  using Choice = planning::RecomputeChoice;
  static constexpr EnumName<Choice> all[] = {
      {Choice::None, "none", "recompute nothing"},
      {Choice::Selective, "selective",
       "recompute parts of layers (--recompute-modules)"},
      {Choice::Full, "full", "recompute whole layers from their inputs"},
      {Choice::Auto, "auto",
       "the first that fits: nothing, sets of parts, whole layers"}};
};

namespace moe::planning {

/// "none", "selective" or "full".
llvm::StringRef getRecomputeName(schedule::Recompute recompute);

/// The parts that a framework recomputes selectively unless told otherwise;
/// none if it recomputes whole layers only. Megatron core's default is the core
/// attention (TransformerConfig.recompute_modules), and so is ours without a
/// framework.
std::optional<schedule::RecomputeModules>
getSelectiveModules(ParallelismPreset framework);

/// Names of parts: "core_attn", "moe_act".
std::vector<llvm::StringRef>
listModules(const schedule::RecomputeModules &modules);

/// "all", "nothing" or "core_attn, moe_act".
std::string describeRecompute(schedule::Recompute recompute,
                              const schedule::RecomputeModules &modules);

/// What a job recomputes.
/// What the backward pass of a job recomputes.
struct Recomputation {
  schedule::Recompute recompute = schedule::Recompute::Nothing;
  /// The parts, if it is selective.
  schedule::RecomputeModules modules{};
};

struct RecomputeSettings {
  /// None for the first of nothing, sets of parts and layers that fits.
  std::optional<schedule::Recompute> recompute;
  /// The parts that the job can recompute selectively; none if it cannot.
  std::optional<schedule::RecomputeModules> modules;
  /// Sets of parts to try, about the one that takes least time first.
  std::vector<schedule::RecomputeModules> sets;

  /// What a job may recompute, in the order in which it is tried.
  std::vector<Recomputation> listAllowed() const;
};

/// `--recompute` and `--recompute-modules`.
class RecomputeOptions {
public:
  RecomputeOptions(OptionTable &table, RecomputeChoice fallback);

  bool isSet() const { return recompute.isSet(); }

  /// Fails on modules without selective recomputation, on names that it does
  /// not know, and on parts that the framework or the model does not have.
  cost::Result<RecomputeSettings> read(const TextOption &framework,
                                       ParallelismPreset preset,
                                       const ModelConfig &config,
                                       cost::Precision precision) const;

private:
  /// The parts that the option or else the framework has, none if the framework
  /// recomputes whole layers only.
  cost::Result<std::optional<schedule::RecomputeModules>>
  readModules(ParallelismPreset framework, const ModelConfig &config) const;

  WordOption<RecomputeChoice> recompute;
  TextOption modules;
};

/// Time in us in which a rank recomputes the parts of a piece's layers for a
/// micro-batch: their products at the rate of GEMMs, and one copy of the rest
/// of what they make. `exchangeUs` is the time of the exchanges of its forward
/// pass that computing does not hide, which a recomputed MoE layer has again.
double getSelectiveUs(const ModelSize &model, const TrainingJob &job,
                      const LayerCount &layers, double exchangeUs,
                      const cost::Machine &machine);

} // namespace moe::planning

#endif // MOE_PLANNING_RECOMPUTEOPTIONS_H
