// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of selective recomputation, and the time that it takes.

#ifndef MOE_PLANNING_RECOMPUTEOPTIONS_H
#define MOE_PLANNING_RECOMPUTEOPTIONS_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Precision.h"
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

/// Returns "none", "selective" or "full".
llvm::StringRef getRecomputeName(schedule::Recompute recompute);

/// Returns the parts that a framework recomputes selectively by default;
/// nullopt if it recomputes only whole layers. Megatron core's default is the
/// core attention (TransformerConfig.recompute_modules), which is also our
/// default without a framework.
std::optional<schedule::RecomputeModules>
getSelectiveModules(ParallelismPreset framework);

/// Returns the names of parts, for example "core_attn" and "moe_act".
std::vector<llvm::StringRef>
listModules(const schedule::RecomputeModules &modules);

/// Returns, for example, "all", "nothing" or "core_attn, moe_act".
std::string describeRecompute(schedule::Recompute recompute,
                              const schedule::RecomputeModules &modules);

/// The recomputation in the backward pass of a job.
struct Recomputation {
  schedule::Recompute recompute = schedule::Recompute::Nothing;
  /// The parts that selective recomputation recomputes.
  schedule::RecomputeModules modules{};
};

struct RecomputeSettings {
  /// The recomputation; nullopt for the first of nothing, the sets of parts,
  /// and whole layers that fits.
  std::optional<schedule::Recompute> recompute;
  /// The parts that the job can recompute selectively; nullopt if it cannot.
  std::optional<schedule::RecomputeModules> modules;
  /// Sets of parts to try, approximately in the order of their time.
  std::vector<schedule::RecomputeModules> sets;

  /// Lists the recomputations that a job may have, in the order of trial.
  std::vector<Recomputation> listAllowed() const;
};

/// `--recompute` and `--recompute-modules`.
class RecomputeOptions {
public:
  RecomputeOptions(OptionTable &table, RecomputeChoice fallback);

  bool isSet() const { return recompute.isSet(); }

  /// Reads the options. Fails for modules without selective recomputation, for
  /// unknown names, and for parts that the framework or the model lacks.
  cost::Result<RecomputeSettings> read(const TextOption &framework,
                                       ParallelismPreset preset,
                                       const ModelConfig &config,
                                       cost::Precision precision) const;

private:
  /// Returns the parts that the option gives, or else the framework's parts;
  /// nullopt if the framework recomputes only whole layers.
  cost::Result<std::optional<schedule::RecomputeModules>>
  readModules(ParallelismPreset framework, const ModelConfig &config) const;

  WordOption<RecomputeChoice> recompute;
  TextOption modules;
};

/// Returns the time in us for which a rank recomputes the parts of a piece's
/// layers per micro-batch: their products at the rate of GEMMs, and one copy of
/// their other results. `exchangeUs` is the time of exchanges in the forward
/// pass that computing does not hide, which a recomputed MoE layer repeats.
double getSelectiveUs(const ModelSize &model, const TrainingJob &job,
                      const LayerCount &layers, double exchangeUs,
                      const cost::Machine &machine);

} // namespace moe::planning

#endif // MOE_PLANNING_RECOMPUTEOPTIONS_H
