//===- FrameworkFlags.cpp - Flags of training frameworks --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Tools/FrameworkFlags.h"
#include "moe/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr FrameworkFlag kMegatron[] = {
    {"--tensor-model-parallel-size", "N", "`--tp=N`"},
    {"--sequence-parallel", "", "`--sequence-parallel`"},
    {"--context-parallel-size", "N", "`--cp=N`"},
    {"--pipeline-model-parallel-size", "N", "`--pp=N`"},
    {"--expert-model-parallel-size", "N",
     "`--ep=N`; with `--expert-tensor-parallel-size 1` beside tensor or context "
     "parallelism `--fold-ep`, too"},
    {"--expert-tensor-parallel-size", "1", "`--fold-ep`"},
    {"--expert-tensor-parallel-size", "N",
     "nothing: experts are split over the ranks of `--tp`"},
    {"--world-size", "N",
     "`--ranks=N` of `moe-plan sweep`; else the product of all degrees"},
    {"--micro-batch-size", "N", "`--micro-batch=N`"},
    {"--seq-length", "N", "`--seq-len=N`"},
    {"--global-batch-size", "N",
     "`--global-batch=N` of `moe-plan sweep`; of `moe-sim` `--micro-batches`, "
     "N / (micro-batch x D x e)"},
    {"--num-layers-per-virtual-pipeline-stage", "N",
     "`--virtual-stages`, layers / P / N"},
    {"--num-virtual-stages-per-pipeline-rank", "N", "`--virtual-stages=N`"},
    {"--decoder-first-pipeline-num-layers", "N",
     "what `moe-plan memory` and `sweep` take where stages do not divide the "
     "layers"},
    {"--decoder-last-pipeline-num-layers", "N", "the same"},
    {"--use-tp-pp-dp-mapping", "",
     "no `--stages-outermost`, which is Megatron's own order"},
    {"--use-distributed-optimizer", "",
     "`--zero=1` of `moe-plan memory` and `sweep`"},
    {"--grad-reduce-in-bf16", "", "`--gradient-bytes=2` of these"},
    {"--use-precision-aware-optimizer", "",
     "`--optimizer-bytes=8` of these, with 16-bit moments"},
    {"--recompute-granularity", "full", "`--recompute=full` of these"},
    {"--moe-expert-capacity-factor", "N",
     "`--capacity-factor=N`, with `--moe-pad-expert-input-to-capacity`; "
     "without the flag `--routing=dropless`"},
    {"--moe-pad-expert-input-to-capacity", "",
     "nothing: slots of padded layers travel"},
    {"--moe-token-dispatcher-type", "alltoall", "nothing: so are all layers"},
    {"--moe-router-topk", "N", "of the config"},
    {"--num-layers", "N", "of the config; `--layers=N` takes the first N"},
    {"--bf16", "", "`--dtype=bf16`, the default"},
    {"--fp16", "", "`--dtype=f16`"},
};

static constexpr FrameworkFlag kDeepSpeed[] = {
    {"ep_size", "N", "`--ep=N`"},
    {"--tensor-model-parallel-size", "N", "`--tp=N` (Megatron-DeepSpeed)"},
    {"--pipeline-model-parallel-size", "N", "`--pp=N` (Megatron-DeepSpeed)"},
    {"enable_expert_tensor_parallelism", "false",
     "`--esp=1` (the default): experts are whole, the same on the ranks of "
     "`--tp`"},
    {"enable_expert_tensor_parallelism", "true",
     "no `--esp`: split over these"},
    {"capacity_factor", "N", "`--capacity-factor=N`"},
    {"drop_tokens", "false", "`--routing=dropless`"},
    {"zero_optimization.stage", "N",
     "`--zero=N` of `moe-plan memory` and `sweep`"},
    {"train_micro_batch_size_per_gpu", "N", "`--micro-batch=N`"},
    {"train_batch_size", "N", "`--global-batch=N` of `moe-plan sweep`"},
};

static constexpr FrameworkFlag kTorchTitan[] = {
    {"parallelism.tensor_parallel_degree", "N",
     "`--tp=N`, with `--sequence-parallel`"},
    {"parallelism.context_parallel_degree", "N", "`--cp=N`"},
    {"parallelism.pipeline_parallel_degree", "N", "`--pp=N`"},
    {"parallelism.expert_parallel_degree", "N",
     "`--ep=N`, with `--fold-ep` where an expert is whole"},
    {"parallelism.expert_tensor_parallel_degree", "1", "`--fold-ep`"},
    {"parallelism.expert_tensor_parallel_degree", "N",
     "no `--fold-ep`: experts are split over the ranks of `--tp`"},
    {"parallelism.data_parallel_shard_degree", "N",
     "D x e with `--zero=3` of `moe-plan memory` and `sweep`, whose gathers of "
     "weights are not in the programs"},
    {"parallelism.data_parallel_replicate_degree", "N",
     "a factor of D: `--dp`"},
    {"training.local_batch_size", "N",
     "`--micro-batch`, N over the micro-batches of a step"},
    {"training.global_batch_size", "N",
     "`--global-batch=N` of `moe-plan sweep`"},
    {"training.seq_len", "N", "`--seq-len=N`"},
    {"activation_checkpoint.mode", "full",
     "`--recompute=full` of `moe-plan memory` and `sweep`"},
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

//===----------------------------------------------------------------------===//
// From a framework's flags
//===----------------------------------------------------------------------===//

/// A name without its section, with dashes for underscores.
static std::string normalize(StringRef name) {
  std::string plain = name.ltrim('-').rsplit('.').second.empty()
                          ? name.ltrim('-').str()
                          : name.rsplit('.').second.str();
  llvm::replace(plain, '_', '-');
  return plain;
}

/// Whether a flag has what is ours as its name: "--seq-len" for `--seq-len=N`.
static bool isOurs(StringRef given, const FrameworkFlag &flag) {
  StringRef ours = flag.ours;
  return given.starts_with("-") && ours.consume_front("`--") &&
         ours.take_until([](char c) { return c == '=' || c == '`'; }) ==
             given.ltrim('-');
}

/// The row that a flag with a value is of; null where it is of none.
static const FrameworkFlag *findFlag(StringRef given, StringRef value,
                                     ParallelismPreset &framework) {
  for (ParallelismPreset of :
       {ParallelismPreset::Megatron, ParallelismPreset::DeepSpeed,
        ParallelismPreset::TorchTitan})
    for (const FrameworkFlag &flag : getFrameworkFlags(of))
      if (normalize(flag.name) == normalize(given) && !isOurs(given, flag) &&
          (flag.value.empty() || flag.value == "N" || flag.value == value)) {
        framework = of;
        return &flag;
      }
  return nullptr;
}

/// What stands for a flag, with its value.
static std::string translate(const FrameworkFlag &flag, StringRef value) {
  if (flag.value != "N" || value.empty())
    return flag.ours.str();
  std::string text;
  for (auto [i, c] : enumerate(flag.ours)) {
    auto isWord = [&](size_t at) {
      return at < flag.ours.size() && isAlpha(flag.ours[at]);
    };
    text += c == 'N' && !isWord(i + 1) && (i == 0 || !isWord(i - 1))
                ? value.str()
                : std::string(1, c);
  }
  return text;
}

std::string moe::checkFrameworkFlags(int argc, const char *const *argv) {
  std::vector<std::string> found;
  SmallVector<StringRef> names;
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (!word.starts_with("--"))
      continue;
    auto [name, value] = word.split('=');
    if (value.empty() && i + 1 < argc && argv[i + 1][0] != '-')
      value = argv[i + 1];
    ParallelismPreset framework = ParallelismPreset::None;
    const FrameworkFlag *flag = findFlag(name, value, framework);
    if (!flag)
      continue;
    StringRef of = getFrameworkName(framework).split(' ').first;
    if (!is_contained(names, of))
      names.push_back(of);
    found.push_back((name + (flag->value.empty() ? "" : "=" + value) + ": " +
                     translate(*flag, value))
                        .str());
  }
  if (found.empty())
    return "";
  return "expected options of this tool, got those of " + join(names, " and ") +
         "; here they are\n  " + join(found, "\n  ") +
         "\n(docs/Frameworks.md, or moe-plan flags)";
}

//===----------------------------------------------------------------------===//
// To a framework's flags
//===----------------------------------------------------------------------===//

std::string moe::checkFrameworkLayout(ParallelismPreset framework,
                                      const ModelConfig &config,
                                      const ImportOptions &options) {
  if (framework == ParallelismPreset::Megatron && config.attention &&
      config.attention->keyValueHeads % options.tp != 0)
    return "--tp: expected a divisor of the " +
           std::to_string(config.attention->keyValueHeads) +
           " heads of keys and values, which Megatron-LM requires "
           "(num_query_groups)";
  return "";
}

namespace {

/// Collects flags with their values.
class FlagWriter {
public:
  void add(StringRef name) { text += (text.empty() ? "" : " ") + name.str(); }
  void add(StringRef name, StringRef value) {
    add(name);
    text += " " + value.str();
  }
  void add(StringRef name, int64_t value) { add(name, std::to_string(value)); }
  /// Leaves away what is 1, as all have it unless told otherwise.
  void addDegree(StringRef name, int64_t value) {
    if (value > 1)
      add(name, value);
  }
  std::string take() { return std::move(text); }

private:
  std::string text;
};

} // namespace

static std::string formatFactor(const CapacityFactor &factor) {
  return moe::support::formatNumber(double(factor.numerator) /
                                    double(factor.denominator));
}

/// What a step of all ranks takes; none where nothing is said of it.
static std::optional<int64_t> getGlobalBatch(const FrameworkJob &job) {
  if (!job.microBatches)
    return std::nullopt;
  return job.options.microBatch * job.dataRanks * *job.microBatches;
}

/// How the layers lie on stages that hold so many pieces.
static void addMegatronStages(const FrameworkJob &job, FlagWriter &flags) {
  int64_t pp = job.options.pp;
  flags.addDegree("--pipeline-model-parallel-size", pp);
  if (pp == 1 || job.pieces.empty())
    return;
  std::vector<int64_t> layers(static_cast<size_t>(pp), 0);
  for (auto [i, count] : enumerate(job.pieces))
    layers[i % layers.size()] += count;
  if (!all_equal(layers)) {
    flags.add("--decoder-first-pipeline-num-layers", layers.front());
    flags.add("--decoder-last-pipeline-num-layers", layers.back());
  }
  int64_t pieces = int64_t(job.pieces.size()) / pp;
  if (pieces > 1 && all_equal(job.pieces))
    flags.add("--num-layers-per-virtual-pipeline-stage", job.pieces.front());
  else
    flags.addDegree("--num-virtual-stages-per-pipeline-rank", pieces);
  if (!job.options.stagesOutermost.value_or(false))
    flags.add("--use-tp-pp-dp-mapping");
}

/// Why a framework does not have an optimizer or gradients of so many bytes a
/// parameter.
static std::optional<cost::Failure> checkBytes(const FrameworkJob &job,
                                               ArrayRef<double> optimizer,
                                               ArrayRef<double> gradients) {
  auto check = [](StringRef option, double bytes, ArrayRef<double> known)
      -> std::optional<cost::Failure> {
    if (is_contained(known, bytes))
      return std::nullopt;
    std::vector<std::string> numbers;
    for (double number : known)
      numbers.push_back(moe::support::formatNumber(number));
    return cost::Failure{"--" + option.str() + ": expected " +
                         join(numbers, " or ") + " there, got " +
                         moe::support::formatNumber(bytes)};
  };
  if (auto failure = check("optimizer-bytes", job.optimizerBytes, optimizer))
    return failure;
  return check("gradient-bytes", job.gradientBytes, gradients);
}

static cost::Result<std::string> writeMegatron(const FrameworkJob &job) {
  const ImportOptions &options = job.options;
  if (options.cp > 1 && options.ep > 1 &&
      !(options.foldEp && options.ep % (options.tp * options.cp) == 0))
    return cost::Failure{"experts are spread over context-parallel ranks there "
                         "(--fold-ep with --ep a multiple of tp x cp)"};
  if (!options.foldEp && options.esp && *options.esp != options.tp)
    return cost::Failure{"experts that are the same on several tensor-parallel "
                         "ranks are not known there"};
  if (options.tp > 1 && !options.sequenceParallel)
    return cost::Failure{"layers of experts want sequence parallelism there "
                         "where tp > 1 (--sequence-parallel)"};
  if (job.zero > 1)
    return cost::Failure{"gradients and weights are not sharded there (--zero "
                         "of 0 or 1)"};
  if (job.optimizerBytes == 8 && job.zero == 0)
    return cost::Failure{"moments of 16 bits want the distributed optimizer "
                         "there (--zero=1)"};
  if (auto failure = checkBytes(job, {8, 12}, {2, 4}))
    return *failure;
  FlagWriter flags;
  flags.addDegree("--tensor-model-parallel-size", options.tp);
  if (options.sequenceParallel)
    flags.add("--sequence-parallel");
  flags.addDegree("--context-parallel-size", options.cp);
  addMegatronStages(job, flags);
  flags.addDegree("--expert-model-parallel-size", options.ep);
  if (options.tp > 1)
    flags.add("--expert-tensor-parallel-size", options.foldEp ? 1 : options.tp);
  flags.add("--moe-token-dispatcher-type", "alltoall");
  if (options.routing == Routing::Padded) {
    flags.add("--moe-expert-capacity-factor",
              formatFactor(options.capacityFactor));
    flags.add("--moe-pad-expert-input-to-capacity");
  }
  flags.add("--micro-batch-size", options.microBatch);
  if (auto batch = getGlobalBatch(job))
    flags.add("--global-batch-size", *batch);
  flags.add("--seq-length", options.seqLen);
  flags.add(options.elements == ElementKind::F16 ? "--fp16" : "--bf16");
  if (job.zero == 1)
    flags.add("--use-distributed-optimizer");
  if (job.gradientBytes == 2 && options.elements == ElementKind::BF16)
    flags.add("--grad-reduce-in-bf16");
  if (job.optimizerBytes == 8) {
    flags.add("--use-precision-aware-optimizer");
    flags.add("--exp-avg-dtype", "fp16");
    flags.add("--exp-avg-sq-dtype", "fp16");
  }
  if (job.recomputes) {
    flags.add("--recompute-granularity", "full");
    flags.add("--recompute-method", "uniform");
    flags.add("--recompute-num-layers", 1);
  }
  return flags.take();
}

static cost::Result<std::string> writeDeepSpeed(const FrameworkJob &job) {
  const ImportOptions &options = job.options;
  if (options.foldEp || options.cp > 1)
    return cost::Failure{"neither folded experts nor context parallelism are "
                         "known there"};
  if (options.esp && *options.esp != 1 && *options.esp != options.tp)
    return cost::Failure{"experts are split over all tensor-parallel ranks "
                         "there, or over none (--esp of 1 or " +
                         std::to_string(options.tp) + ")"};
  if (auto failure = checkBytes(job, {12}, {2, 4}))
    return *failure;
  FlagWriter flags;
  flags.addDegree("--tensor-model-parallel-size", options.tp);
  flags.addDegree("--pipeline-model-parallel-size", options.pp);
  flags.add("ep_size=" + std::to_string(options.ep));
  if (options.tp > 1)
    flags.add(std::string("enable_expert_tensor_parallelism=") +
              (options.esp == 1 ? "false" : "true"));
  if (options.routing == Routing::Dropless)
    flags.add("drop_tokens=false");
  else
    flags.add("capacity_factor=" + formatFactor(options.capacityFactor));
  flags.add("zero_optimization.stage=" + std::to_string(job.zero));
  if (job.gradientBytes == 4)
    flags.add("data_types.grad_accum_dtype=fp32");
  flags.add("train_micro_batch_size_per_gpu=" +
            std::to_string(options.microBatch));
  if (auto batch = getGlobalBatch(job))
    flags.add("train_batch_size=" + std::to_string(*batch));
  return flags.take();
}

static cost::Result<std::string> writeTorchTitan(const FrameworkJob &job) {
  const ImportOptions &options = job.options;
  if (job.zero != 0 && job.zero != 3)
    return cost::Failure{"what is sharded is sharded whole there (--zero of 0 "
                         "or 3)"};
  if (auto failure = checkBytes(job, {12}, {2, 4}))
    return *failure;
  FlagWriter flags;
  auto addDegree = [&](StringRef name, int64_t value) {
    flags.addDegree(("--parallelism." + name).str(), value);
  };
  addDegree("tensor_parallel_degree", options.tp);
  addDegree("context_parallel_degree", options.cp);
  addDegree("pipeline_parallel_degree", options.pp);
  addDegree("expert_parallel_degree", options.ep);
  if (!options.foldEp)
    addDegree("expert_tensor_parallel_degree", options.esp.value_or(options.tp));
  addDegree(job.zero == 0 ? "data_parallel_replicate_degree"
                          : "data_parallel_shard_degree",
            job.dataRanks);
  int64_t local = options.pp > 1 ? job.microBatches.value_or(1) : 1;
  flags.add("--training.local_batch_size", options.microBatch * local);
  if (auto batch = getGlobalBatch(job))
    flags.add("--training.global_batch_size", *batch);
  flags.add("--training.seq_len", options.seqLen);
  if (job.recomputes)
    flags.add("--activation_checkpoint.mode", "full");
  return flags.take();
}

cost::Result<std::string>
moe::writeFrameworkFlags(ParallelismPreset framework, const FrameworkJob &job) {
  switch (framework) {
  case ParallelismPreset::None:
    break;
  case ParallelismPreset::Megatron:
    return writeMegatron(job);
  case ParallelismPreset::DeepSpeed:
    return writeDeepSpeed(job);
  case ParallelismPreset::TorchTitan:
    return writeTorchTitan(job);
  }
  return cost::Failure{"expected a framework, got none"};
}
