// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a training step as a job runs it.

#ifndef MOE_PLANNING_STEP_H
#define MOE_PLANNING_STEP_H

#include "moe/Estimate/Step.h"
#include "moe/Options/PlatformOption.h"
#include "moe/Options/RoutingOptions.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/RecomputeOptions.h"
#include "moe/Planning/StateOptions.h"
#include "moe/Planning/SweepLayouts.h"

namespace moe::planning {

struct StepInput : Input {
  MachineOptions platform{table};
  ConfigJob job{table,
                {JobOptions::Missing::One, JobOptions::Missing::Command}};
  RoutingOptions routing{table};
  NumberOption imbalance{
      table, "imbalance",
      "With --routing=dropless: rows of the busiest rank over an even share "
      "(default: 1)"};
  IntegerOption ranks{table,
                      "ranks",
                      "Ranks of the job; --dp follows from them and the other "
                      "degrees (default: the product of all degrees)",
                      {.unit = "ranks"}};
  IntegerOption microBatches{table,
                             "num-micro-batches",
                             "Micro-batches per step (default: 1)",
                             {.unit = "micro-batches"}};
  IntegerOption globalBatch{
      table,
      "global-batch",
      "Sequences per step over all ranks, instead of --num-micro-batches",
      {.unit = "sequences"}};
  IntegerOption virtualStages{
      table,
      "virtual-stages",
      "Virtual stages (parts of the model) per stage (default: 1)",
      {.unit = "virtual stages"}};
  TextOption pipelineLayout{
      table, "pipeline-layout",
      "Layers of each part of the model, as Megatron's "
      "--pipeline-model-parallel-layout has them: \"Et|(tt|)*30mL\"",
      "TEXT"};
  IntegerOption layers{
      table,
      "layers",
      "Use only the first N layers of the model (default: all)",
      {.unit = "layers"}};
  IntegerOption zero{table,
                     "zero",
                     "ZeRO stage, 0 to 3 (default: 1; 0 with "
                     "--parallelism=deepspeed, 3 with torchtitan)",
                     {0, 3}};
  StateOptions state{table};
  TextOption recompute{
      table, "recompute",
      "Activations that the backward pass recomputes: none (default); "
      "selective, parts of layers (--recompute-modules); full, whole layers",
      "WHAT", "none"};
  RecomputeModulesOption recomputeModules{table};
  TextOption dispatcher{
      table, "dispatcher",
      "What exchanges tokens: all-to-all (default), or a dispatcher that the "
      "platform states, as deepep or hybridep",
      "NAME", "all-to-all"};
  IntegerOption dispatcherSms{
      table,
      "dispatcher-sms",
      "Streaming multiprocessors that the dispatcher takes (default: 20)",
      {.unit = "SMs"}};
  TextOption overlap{
      table, "overlap",
      "Overlap of exchanges with experts: none (default); 1f1b, one "
      "micro-batch's forward with another's backward pass; 1f1b-delayed, the "
      "same with gradients of weights put off",
      "WHAT", "none"};
  FlagOption cudaGraphs{table, "cuda-graphs",
                        "Parts of layers are replayed as CUDA graphs"};
  FlagOption compares{
      table, "compare",
      "Also predict the step with every dispatcher of the platform, with and "
      "without overlap, fastest first"};
  FlagOption allLayouts{
      table, "all-layouts",
      "Predict all layouts of --ranks that fit the memory, each with its "
      "fastest dispatcher and overlap, fastest first; degrees that are given "
      "are fixed"};
  NumberOption memoryGB{
      table,
      "memory-gb",
      "With --all-layouts: memory per rank in GB, 1e9 bytes (default: the "
      "platform's)",
      {.unit = "GB"}};
  IntegerOption rows{
      table,
      "rows",
      "With --all-layouts: largest number of layouts in the table (default: "
      "20)",
      {.unit = "layouts"}};
};

/// The job with another dispatcher or overlap.
struct StepAlternative {
  std::string dispatcher;
  estimate::Overlap overlap = estimate::Overlap::None;
  /// None if the job cannot have it, for the reason `whyNot`.
  std::optional<double> stepUs;
  /// Exchanges with experts that computing does not hide, of the busiest stage.
  double exchangeUs = 0, tokensPerSecond = 0;
  std::optional<double> utilisation;
  std::string whyNot;
};

/// A layout that fits, with its fastest dispatcher and overlap.
struct StepLayout {
  SweepLayout layout;
  StepAlternative best;
};

/// The layouts of so many ranks that fit, fastest first.
struct StepLayouts {
  int64_t ranks = 0;
  std::vector<StepLayout> ranked;
  /// Why none fits, and whether one would fit with more memory.
  std::string none;
  bool needsMemory = false;
  /// Most rows of a table.
  int64_t rows = 20;

  llvm::ArrayRef<StepLayout> getShown() const {
    return llvm::ArrayRef(ranked).take_front(size_t(rows));
  }
};

struct StepAnswer {
  static constexpr unsigned kJsonIndent = 2;

  /// Name of the platform.
  std::string machine;
  /// With --all-layouts; otherwise the members below are set.
  std::optional<StepLayouts> layouts;
  /// The job as it was priced.
  estimate::Job job;
  estimate::StepEstimate step;
  /// Fastest first, then those that the job cannot have; only with --compare.
  std::optional<std::vector<StepAlternative>> alternatives;
};

/// Fails on a platform without kernels, and on jobs that cannot be.
Result<StepAnswer> planStep(StepInput &in);

/// All dispatchers with and without overlap, fastest first, then those that the
/// job cannot have.
std::vector<StepAlternative>
listAlternatives(const estimate::Job &job, const platform::Platform &platform);

/// All layouts that fit, fastest first. `job` states all but the layout. Shows
/// progress.
Result<StepLayouts> rankStepLayouts(const estimate::Job &job,
                                    const SweepQuestion &question,
                                    const platform::Platform &platform);

std::string getTitle(const StepAnswer &answer);
void printJSON(llvm::json::OStream &out, const StepAnswer &answer);

/// Forward and backward microseconds of all parts, or of the experts' parts.
std::pair<double, double> sumParts(const estimate::PartList &parts,
                                   bool ofExperts);

} // namespace moe::planning

#endif // MOE_PLANNING_STEP_H
