// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of frameworks' flags and their equivalents among our options.

#include "moe/Options/FrameworkFlags.h"

using namespace llvm;
using namespace moe;

static constexpr FrameworkFlag kMegatron[] = {
    {"--tensor-model-parallel-size", "N", "`--tp=N`"},
    {"--sequence-parallel", "", "`--sequence-parallel`"},
    {"--context-parallel-size", "N", "`--cp=N`"},
    {"--pipeline-model-parallel-size", "N", "`--pp=N`"},
    {"--expert-model-parallel-size", "N",
     "`--ep=N`; also `--fold-ep` if the job has tensor or context parallelism "
     "and `--expert-tensor-parallel-size 1`"},
    {"--expert-tensor-parallel-size", "1", "`--fold-ep`"},
    {"--expert-tensor-parallel-size", "N",
     "nothing if `--tp` is N too, because experts are then split over these "
     "ranks; otherwise not supported"},
    {"--world-size", "N",
     "`--ranks=N` of `moe-plan sweep` and `memory`; else the product of all "
     "degrees"},
    {"--micro-batch-size", "N", "`--micro-batch=N`"},
    {"--seq-length", "N", "`--seq-len=N`"},
    {"--global-batch-size", "N",
     "`--global-batch=N` of `moe-plan memory`, `step` and `sweep`; of "
     "`moe-sim` "
     "`--num-micro-batches`, N / (micro-batch x D x e)"},
    {"--num-layers-per-virtual-pipeline-stage", "N",
     "`--virtual-stages`, layers / P / N"},
    {"--num-virtual-stages-per-pipeline-rank", "N", "`--virtual-stages=N`"},
    {"--decoder-first-pipeline-num-layers", "N",
     "nothing: `moe-plan memory` and `sweep` choose it if the stages do not "
     "divide the layers"},
    {"--decoder-last-pipeline-num-layers", "N", "the same"},
    {"--use-tp-pp-dp-mapping", "",
     "`--stages-outermost=false` with `--parallelism=megatron`; otherwise the "
     "default"},
    {"--use-distributed-optimizer", "",
     "`--zero=1` of `moe-plan memory` and `sweep`"},
    {"--grad-reduce-in-bf16", "", "`--gradient-bytes=2` of these"},
    {"--use-precision-aware-optimizer", "",
     "`--optimizer-bytes=8` of these, with 16-bit moments"},
    {"--recompute-granularity", "full", "`--recompute=full` of these"},
    {"--recompute-granularity", "selective",
     "`--recompute=selective` of `moe-plan memory` and `sweep`"},
    {"--recompute-activations", "",
     "`--recompute=selective` of `moe-plan memory` and `sweep`"},
    {"--recompute-modules", "N",
     "`--recompute-modules=N` of these, separated by commas"},
    {"--moe-expert-capacity-factor", "N",
     "`--capacity-factor=N`, with `--moe-pad-expert-input-to-capacity`; "
     "without the flag `--routing=dropless`"},
    {"--moe-pad-expert-input-to-capacity", "",
     "nothing: padded layers send all slots"},
    {"--moe-token-dispatcher-type", "alltoall",
     "nothing: all layers dispatch by all-to-alls"},
    {"--moe-token-dispatcher-type", "allgather",
     "nothing: dispatch by all-gathers is not modeled"},
    {"--moe-token-dispatcher-type", "flex", "see `--moe-enable-deepep`"},
    {"--moe-enable-deepep", "",
     "`--dispatcher=deepep` of `moe-plan step` and `sweep`; "
     "`strategy=node-dedup` of `moe-opt --moe-compile` sends tokens once per "
     "node"},
    {"--moe-router-load-balancing-type", "N",
     "nothing: tokens are spread by `--imbalance` of `moe-plan memory`, `step` "
     "and `sweep`"},
    {"--moe-aux-loss-coeff", "N",
     "nothing: losses of the router take no time in predictions"},
    {"--moe-z-loss-coeff", "N",
     "nothing: losses of the router take no time in predictions"},
    {"--moe-router-dtype", "fp32", "nothing: DeepEP requires it"},
    {"--overlap-moe-expert-parallel-comm", "",
     "`--overlap=1f1b` of `moe-plan memory`, `step` and `sweep`; a program's "
     "overlap is "
     "chosen (`degree=`, `schedule=` of `moe-opt --moe-compile`)"},
    {"--delay-wgrad-compute", "",
     "`--overlap=1f1b-delayed` of `moe-plan memory`, `step` and `sweep`, "
     "priced "
     "as `1f1b`, so the step may be predicted too long"},
    {"--moe-shared-expert-overlap", "",
     "nothing: shared experts run after the exchanges, so the step of a model "
     "with shared experts is predicted too long"},
    {"--overlap-grad-reduce", "",
     "`schedule=megatron` of `moe-opt --moe-compile`; other schedules overlap "
     "gradients in other ways"},
    {"--overlap-param-gather", "",
     "nothing: `moe-plan step` and `sweep` overlap weight gathers; without the "
     "flag the step is predicted too short"},
    {"--overlap-param-gather-with-optimizer-step", "",
     "nothing: gathers of weights do not overlap the optimizer, so the step is "
     "predicted too long"},
    {"--tp-comm-overlap", "",
     "nothing: exchanges of tensor parallelism are exposed, so the step is "
     "predicted too long"},
    {"--mtp-num-layers", "N",
     "`--mtp-layers=N` of `moe-plan memory`, `step` and `sweep`"},
    {"--moe-grouped-gemm", "",
     "nothing: all experts of a rank are one grouped product; without the flag "
     "the step is predicted too short"},
    {"--moe-router-fusion", "",
     "nothing: the router's scores are priced as a few kernels, so the step "
     "may "
     "be predicted too long"},
    {"--moe-permute-fusion", "",
     "nothing: permutations are priced as single kernels; without the flag the "
     "step is predicted too short"},
    {"--cross-entropy-loss-fusion", "",
     "nothing: the loss is priced as separate kernels on 32-bit logits, so the "
     "step and memory are predicted too large"},
    {"--moe-shared-expert-intermediate-size", "N", "of the config"},
    {"--moe-flex-dispatcher-backend", "N",
     "`--dispatcher=N` of `moe-plan step` and `sweep` (core 0.15 or later)"},
    {"--recompute-method", "N",
     "nothing: `--recompute=full` recomputes all layers; `block` recomputes "
     "fewer, so the step is predicted too long and memory too small"},
    {"--recompute-num-layers", "N",
     "nothing: `--recompute=full` keeps the input of each layer, as with 1"},
    {"--pipeline-model-parallel-layout", "N",
     "`--pipeline-layout=N` of `moe-plan memory`, `step` and `sweep`"},
    {"--exp-avg-dtype", "N",
     "`--optimizer-bytes=8` with 16-bit moments, see "
     "`--use-precision-aware-optimizer`"},
    {"--exp-avg-sq-dtype", "N", "the same"},
    {"--fp8-param-gather", "", "`--fp8-param-gather` of these"},
    {"--moe-router-topk", "N", "of the config"},
    {"--num-layers", "N", "of the config; `--layers=N` takes the first N"},
    {"--bf16", "", "`--dtype=bf16`, the default"},
    {"--fp16", "", "`--dtype=f16`"},
    {"--fp8-format", "N",
     "the `--precision` of `--fp8-recipe`; without that flag "
     "`--precision=fp8`"},
    {"--fp8-recipe", "delayed",
     "`--precision=fp8` of `moe-plan memory`, `step` and `sweep`"},
    {"--fp8-recipe", "tensorwise", "`--precision=fp8-tensorwise` of these"},
    {"--fp8-recipe", "blockwise",
     "`--precision=fp8-blockwise` of these (core 0.13 or later)"},
    {"--fp8-recipe", "mxfp8", "`--precision=mxfp8` of these"},
    {"--fp4-format", "N", "`--precision=nvfp4` of these (core 0.15 or later)"},
    {"--fp4-recipe", "nvfp4", "`--precision=nvfp4` of these"},
    {"--fp4-param-gather", "", "`--fp8-param-gather` of these"},
    {"--cuda-graph-impl", "full_iteration",
     "`--full-iteration-graph` of `moe-plan step` and `sweep`"},
    {"--cuda-graph-impl", "N",
     "`--cuda-graphs` of `moe-plan step` and `sweep`, if parts of layers are "
     "graphs"},
};

static constexpr FrameworkFlag kDeepSpeed[] = {
    {"ep_size", "N", "`--ep=N`"},
    {"--tensor-model-parallel-size", "N", "`--tp=N` (Megatron-DeepSpeed)"},
    {"--pipeline-model-parallel-size", "N", "`--pp=N` (Megatron-DeepSpeed)"},
    {"enable_expert_tensor_parallelism", "false",
     "`--esp=1`, which `--parallelism=deepspeed` has: experts are whole, the "
     "same on the ranks of `--tp`"},
    {"enable_expert_tensor_parallelism", "true",
     "`--esp` of as many as `--tp`: split over these"},
    {"capacity_factor", "N", "`--capacity-factor=N`"},
    {"drop_tokens", "false", "`--routing=dropless`"},
    {"zero_optimization.stage", "N",
     "`--zero=N` of `moe-plan memory` and `sweep`"},
    {"train_micro_batch_size_per_gpu", "N", "`--micro-batch=N`"},
    {"train_batch_size", "N",
     "`--global-batch=N` of `moe-plan memory`, `step` and `sweep`"},
    {"gradient_accumulation_steps", "N", "`--num-micro-batches=N` of these"},
    {"tensor_parallel.autotp_size", "N", "`--tp=N`"},
    {"data_types.grad_accum_dtype", "fp32", "`--gradient-bytes=4` of these"},
    {"--deepspeed_config", "N",
     "`--deepspeed-config=N` of these, which reads the file"},
    {"--checkpoint-activations", "",
     "`--recompute=full` of `moe-plan memory` and `sweep` "
     "(Megatron-DeepSpeed)"},
    {"--deepspeed-activation-checkpointing", "",
     "nothing: it selects the code that recomputes (Megatron-DeepSpeed)"},
};

static constexpr FrameworkFlag kTorchTitan[] = {
    {"parallelism.tensor_parallel_degree", "N",
     "`--tp=N`, with `--sequence-parallel`"},
    {"parallelism.context_parallel_degree", "N", "`--cp=N`"},
    {"parallelism.pipeline_parallel_degree", "N", "`--pp=N`"},
    {"parallelism.pipeline_parallel_schedule", "1F1B", "the default"},
    {"parallelism.pipeline_parallel_schedule", "Interleaved1F1B",
     "`--virtual-stages`, two with torchtitan's defaults"},
    {"parallelism.pipeline_parallel_schedule", "DualPipeV",
     "`--overlap=dualpipev --virtual-stages=2` of `moe-plan memory`, `step` "
     "and "
     "`sweep`"},
    {"parallelism.pipeline_parallel_layers_per_stage", "N",
     "`--virtual-stages`, the model's layers over `--pp` and N"},
    {"parallelism.expert_parallel_degree", "N",
     "`--ep=N`, with `--fold-ep` if experts are whole"},
    {"parallelism.expert_tensor_parallel_degree", "1", "`--fold-ep`"},
    {"parallelism.expert_tensor_parallel_degree", "N",
     "`--esp` of as many as `--tp`: experts are split over these"},
    {"parallelism.data_parallel_shard_degree", "N",
     "D x e with `--zero=3` of `moe-plan memory` and `sweep`, whose gathers of "
     "weights are not in the programs"},
    {"parallelism.data_parallel_replicate_degree", "N",
     "a factor of D: `--dp`"},
    {"training.local_batch_size", "N",
     "`--micro-batch`, N over the micro-batches of a step"},
    {"training.global_batch_size", "N",
     "`--global-batch=N` of `moe-plan memory`, `step` and `sweep`"},
    {"training.seq_len", "N", "`--seq-len=N`"},
    {"activation_checkpoint.mode", "full",
     "`--recompute=full` of `moe-plan memory` and `sweep`"},
    {"activation_checkpoint.mode", "selective",
     "`--recompute=selective` of `moe-plan memory` and `sweep`, if "
     "`selective_ac_option` is `op`"},
    {"activation_checkpoint.selective_ac_option", "op",
     "`--recompute-modules=op` of these, the default with "
     "`--parallelism=torchtitan`"},
    {"activation_checkpoint.selective_ac_option", "N",
     "nothing: recomputation of one layer of N is not modeled; "
     "`--recompute=full` is the most that it saves, `--recompute=none` the "
     "least"},
    {"activation_checkpoint.mode", "none", "`--recompute=none` of these"},
    {"quantize.linear.float8.recipe_name", "tensorwise",
     "`--precision=fp8-tensorwise` of `moe-plan memory`, `step` and `sweep`, "
     "if "
     "`model.converters` has `quantize.linear.float8`"},
    {"quantize.linear.float8.enable_fsdp_float8_all_gather", "",
     "`--fp8-param-gather` of these"},
    {"quantize.linear.mx.recipe_name", "N",
     "`--precision=mxfp8` of these, if `model.converters` has "
     "`quantize.linear.mx`"},
};

ArrayRef<FrameworkFlag> moe::getFrameworkFlags(ParallelismPreset framework) {
  switch (framework) {
  case ParallelismPreset::None:
    return {};
  case ParallelismPreset::Megatron:
    return kMegatron;
  case ParallelismPreset::DeepSpeed:
    return kDeepSpeed;
  case ParallelismPreset::TorchTitan:
    return kTorchTitan;
  }
  llvm_unreachable("unknown framework");
}

StringRef moe::getFrameworkName(ParallelismPreset framework) {
  switch (framework) {
  case ParallelismPreset::None:
    return "";
  case ParallelismPreset::Megatron:
    return "Megatron-LM (core 0.12)";
  case ParallelismPreset::DeepSpeed:
    return "DeepSpeed (0.16)";
  case ParallelismPreset::TorchTitan:
    return "torchtitan (0.2)";
  }
  llvm_unreachable("unknown framework");
}
