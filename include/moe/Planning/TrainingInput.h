// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input of the planners of whole training jobs.
//
// `memory`, `step` and `sweep` plan for the same jobs. They share these options
// and their readers, so that the same options give the same job.

#ifndef MOE_PLANNING_TRAININGINPUT_H
#define MOE_PLANNING_TRAININGINPUT_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/RecomputeOptions.h"
#include "moe/Planning/StateOptions.h"
#include "moe/Planning/SweepLayouts.h"
#include "moe/Planning/SweepLoad.h"

/// The names that `cost::getName` returns.
template <> struct moe::EnumNames<moe::cost::Precision> {
  using Precision = cost::Precision;
  static constexpr EnumName<Precision> all[] = {
      {Precision::SixteenBit, "bf16",
       "16 bits, the type of --dtype, without quantization"},
      {Precision::FP8Delayed, "fp8",
       "8 bits, one scale per tensor, from earlier steps (Megatron's "
       "--fp8-recipe delayed)"},
      {Precision::FP8Tensorwise, "fp8-tensorwise",
       "8 bits, one scale per tensor, from its own values (tensorwise; current "
       "scaling)"},
      {Precision::FP8Blockwise, "fp8-blockwise",
       "8 bits, one scale per 128 values (blockwise; as DeepSeek-V3 trains)"},
      {Precision::MXFP8, "mxfp8", "8 bits, one scale per 32 values (mxfp8)"},
      {Precision::NVFP4, "nvfp4",
       "4 bits, one scale per 16 values (--fp4-recipe nvfp4)"}};
};

namespace moe::planning {

/// The options of a training job.
struct TrainingInput : Input {
  /// The planner. Some defaults depend on it.
  enum class Of { Memory, Step, Sweep };
  explicit TrainingInput(Of of);

  /// `memory` counts no activations without --seq-len.
  ConfigJob job;
  MachineOptions platform;
  IntegerOption ranks, virtualStages, zero, microBatches;
  IntegerOption globalBatch{
      table,
      "global-batch",
      "Sequences per step over all ranks, instead of --num-micro-batches; each "
      "layout splits them into micro-batches",
      {.unit = "sequences"}};
  IntegerOption mtpLayers{
      table,
      "mtp-layers",
      "Layers that predict further tokens, after the last layer (Megatron's "
      "--mtp-num-layers; default: 0). Each is a MoE layer and the output layer",
      {0, 64, "layers"}};
  StateOptions state{table};
  WordOption<cost::Precision> precision{
      table, "precision",
      "What linear layers and experts multiply in; attention, the router, the "
      "embedding and the output layer stay in 16 bits (default: bf16)",
      cost::Precision::SixteenBit};
  FlagOption fp8ParamGather{
      table, "fp8-param-gather",
      "Weights of linear layers and experts are kept, and gathered, only in "
      "--precision, without a 16-bit copy (Megatron's --fp8-param-gather, "
      "torchtitan's enable_fsdp_float8_all_gather)"};
  RecomputeOptions recompute;
  SweepLoadOptions load{table};
  NumberOption memoryGB{
      table,
      "memory-gb",
      "Memory per rank in GB, 1e9 bytes (default: the platform's)",
      {.unit = "GB"}};
  IntegerOption layers{
      table,
      "layers",
      "Use only the first N layers of the model (default: all)",
      {.unit = "layers"}};
  TextOption pipelineLayout{
      table, "pipeline-layout",
      "Layers of each part of the model, as Megatron's "
      "--pipeline-model-parallel-layout has them: \"Et|(tt|)*30mL\"",
      "TEXT"};
  TextOption overlap{
      table, "overlap",
      "Overlap of exchanges with experts: none (default); 1f1b, one "
      "micro-batch's forward with another's backward pass; 1f1b-delayed, the "
      "same with gradients of weights put off; dualpipe, DeepSeek's pipeline "
      "in two directions, and dualpipev, its half with two pieces a stage. A "
      "list with commas: the fastest of them; all: none,1f1b",
      "LIST", "none"};
  TextOption deepSpeedConfig{
      table, "deepspeed-config",
      "DeepSpeed's configuration of the job: batch sizes, ZeRO, type, degrees. "
      "Implies --parallelism=deepspeed; keys that are not modeled are named",
      "FILE"};
  /// Parts of the configuration that are not modelled, one phrase each.
  std::vector<std::string> notModelled;

  /// Returns true if the planner tries the degrees that are not given.
  bool triesLayouts() const { return of == Of::Sweep; }
  /// Returns the stage of ZeRO without a framework.
  int64_t getDefaultZero() const { return of == Of::Memory ? 0 : 1; }

private:
  Of of;
};

/// Reads all properties of a job except its layout; `dp` to `esp` of the
/// question are the given degrees. Without a platform, the job lacks the
/// platform's memory per rank and quantized products. Fails on --precision if
/// the platform does not state such products.
Result<SweepQuestion> readQuestion(TrainingInput &in,
                                   const platform::Platform *platform);

/// The options of a training job whose step is predicted.
struct TimedTrainingInput : TrainingInput {
  explicit TimedTrainingInput(Of of) : TrainingInput(of) {}

  TextOption dispatcher{
      table, "dispatcher",
      "What exchanges tokens: all-to-all (default), or a dispatcher that the "
      "platform states, as deepep or hybridep. A list with "
      "commas, or all: the fastest of them",
      "LIST", "all-to-all"};
  IntegerOption dispatcherSms{
      table,
      "dispatcher-sms",
      "Streaming multiprocessors that the dispatcher takes (default: 20)",
      {.unit = "SMs"}};
  IntegerOption dispatchBytes{
      table,
      "dispatch-bytes",
      "Bytes of each value that the forward pass sends to experts (default: 2; "
      "1 for jobs of 8 bits that quantize tokens before the dispatch)",
      {1, 2, "bytes"}};
  FlagOption cudaGraphs{table, "cuda-graphs",
                        "Parts of layers are replayed as CUDA graphs"};
  FlagOption fullGraph{
      table, "full-iteration-graph",
      "The whole step is replayed as one CUDA graph, so that the host adds no "
      "time (Megatron's --cuda-graph-impl full_iteration)"};
};

/// Reads the properties of a job, including its dispatchers.
Result<SweepQuestion> readTimedQuestion(TimedTrainingInput &in,
                                        const platform::Platform &platform);

} // namespace moe::planning

#endif // MOE_PLANNING_TRAININGINPUT_H
