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

/// --recompute-modules.
class RecomputeModulesOption {
public:
  explicit RecomputeModulesOption(OptionTable &table);

  bool isSet() const { return modules.isSet(); }

  /// The parts that the option or else the framework has, none if the framework
  /// recomputes whole layers only. Fails on names that it does not know and on
  /// parts that the framework or the model does not have.
  cost::Result<std::optional<schedule::RecomputeModules>>
  read(ParallelismPreset framework, const ModelConfig &config) const;

private:
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
