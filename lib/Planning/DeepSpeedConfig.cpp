// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads jobs from DeepSpeed configuration files.

#include "moe/Planning/DeepSpeedConfig.h"
#include "moe/Planning/Answers.h"
#include "moe/Support/Json.h"
#include "moe/Support/TextFile.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using moe::support::JsonValue;

namespace {

/// A key that changes times or memory, and its effect.
struct NamedKey {
  StringLiteral key;
  /// A missing value, false, 0, 1 and "none" have no effect.
  StringLiteral effect;
};

} // namespace

static constexpr NamedKey kNamed[] = {
    {"zero_optimization.offload_optimizer.device",
     "states stay on the device here, so memory is predicted too large and the "
     "step too short"},
    {"zero_optimization.offload_param.device",
     "weights stay on the device here, so memory is predicted too large and "
     "the step too short"},
    {"zero_optimization.cpu_offload",
     "states stay on the device here, so memory is predicted too large and the "
     "step too short"},
    {"zero_optimization.zero_hpz_partition_size",
     "weights are gathered over all ranks here, so gathers are predicted too "
     "long and memory too small"},
    {"zero_optimization.zero_quantized_weights",
     "weights are gathered in 16 bits here, so gathers are predicted too long"},
    {"zero_optimization.zero_quantized_gradients",
     "gradients are scattered in 16 bits here, so these are predicted too "
     "long"},
    {"zero_optimization.mics_shard_size",
     "states are sharded over all ranks here, so gathers are predicted too "
     "long and memory too small"},
    {"activation_checkpointing.partition_activations",
     "recomputed layers keep their whole inputs here, so memory is predicted "
     "too large"},
    {"activation_checkpointing.cpu_checkpointing",
     "inputs of recomputed layers stay on the device here, so memory is "
     "predicted too large and the step too short"},
    {"sparse_gradients", "gradients are dense here"},
    {"sparse_attention",
     "attention is dense here, so the step is predicted too long"},
    {"wall_clock_breakdown",
     "its synchronizations take no time here, so the step is predicted too "
     "short"},
    {"communication_data_type",
     "gradients are reduced in 16 bits here; with 32 bits the step is "
     "predicted too short"},
    {"compile.enabled", "fused kernels are not modeled"},
    {"torch_autocast.enabled", "casts take no time here"},
};

/// Keys, or sections with all their keys, that change neither the step time nor
/// its memory, except for buffers.
static constexpr StringLiteral kWithoutEffect[] = {
    "gradient_clipping",
    "steps_per_print",
    "scheduler",
    "tensorboard",
    "wandb",
    "comet",
    "csv_monitor",
    "dump_state",
    "prescale_gradients",
    "gradient_predivide_factor",
    "zero_allow_untested_optimizer",
    "zero_force_ds_cpu_optimizer",
    "checkpoint",
    "seed",
    "comms_logger",
    "memory_breakdown",
    "disable_allgather",
    "optimizer.params",
    "optimizer.legacy_fusion",
    "bf16.auto_cast",
    "bf16.loss_scale",
    "bf16.immediate_grad_update",
    "fp16.auto_cast",
    "fp16.loss_scale",
    "fp16.loss_scale_window",
    "fp16.initial_scale_power",
    "fp16.hysteresis",
    "fp16.consecutive_hysteresis",
    "fp16.min_loss_scale",
    "zero_optimization.allgather_partitions",
    "zero_optimization.allgather_bucket_size",
    "zero_optimization.reduce_scatter",
    "zero_optimization.reduce_bucket_size",
    "zero_optimization.contiguous_gradients",
    "zero_optimization.round_robin_gradients",
    "zero_optimization.elastic_checkpoint",
    "zero_optimization.sub_group_size",
    "zero_optimization.load_from_fp32_weights",
    "zero_optimization.ignore_unused_parameters",
    "zero_optimization.stage3_max_live_parameters",
    "zero_optimization.stage3_max_reuse_distance",
    "zero_optimization.stage3_prefetch_bucket_size",
    "zero_optimization.stage3_param_persistence_threshold",
    "zero_optimization.stage3_gather_16bit_weights_on_model_save",
    "zero_optimization.offload_optimizer",
    "zero_optimization.offload_param",
    "activation_checkpointing",
    "aio",
    "compile",
    "torch_autocast"};

/// Keys that `Reader` handles.
static constexpr StringLiteral kRead[] = {"train_batch_size",
                                          "train_micro_batch_size_per_gpu",
                                          "gradient_accumulation_steps",
                                          "zero_optimization.stage",
                                          "zero_optimization.overlap_comm",
                                          "bf16.enabled",
                                          "fp16.enabled",
                                          "optimizer.type",
                                          "tensor_parallel.autotp_size",
                                          "tensor_parallel.tp_size",
                                          "pipeline.stages",
                                          "moe.ep_size",
                                          "moe.enabled",
                                          "data_types.grad_accum_dtype"};

namespace {

class Reader {
public:
  Reader(TrainingInput &in, const JsonValue &root)
      : in(in), file(in.deepSpeedConfig.get()), root(root) {}

  std::optional<Failure> run();

private:
  const JsonValue *find(StringRef key) const;
  /// Returns a whole number of at least `least`, or nothing if the file lacks
  /// it or has "auto".
  std::optional<int64_t> getInteger(StringRef key, int64_t least = 1);
  bool isTrue(StringRef key) const {
    const JsonValue *value = find(key);
    return value && value->boolean;
  }
  bool isAuto(StringRef key) const {
    const JsonValue *value = find(key);
    return value && value->text == "auto";
  }
  Failure fail(StringRef key, const Twine &reason) const;
  /// Sets an option; fails if the user gave it another value.
  void give(Option &option, const Twine &text, StringRef key);
  void readBatch();
  void readTypes();
  void nameKeys(const JsonValue &object, StringRef path);
  void checkBatch(int64_t train, int64_t micro, int64_t steps, int64_t ranks);

  TrainingInput &in;
  const std::string &file;
  const JsonValue &root;
  std::optional<Failure> failure;
};

} // namespace

const JsonValue *Reader::find(StringRef key) const {
  const JsonValue *value = &root;
  SmallVector<StringRef> names;
  key.split(names, '.');
  for (StringRef name : names)
    if (value)
      value = value->find(std::string_view(name));
  return value;
}

Failure Reader::fail(StringRef key, const Twine &reason) const {
  const JsonValue *value = find(key);
  return makeFailure(Twine(moe::support::formatPlace(
                         file, value ? value->place : root.place)) +
                     "'" + key + "': " + reason);
}

std::optional<int64_t> Reader::getInteger(StringRef key, int64_t least) {
  const JsonValue *value = find(key);
  if (!value || isAuto(key) || value->kind == JsonValue::Kind::Null)
    return std::nullopt;
  if (value->kind == JsonValue::Kind::Number && value->isInteger &&
      value->number >= double(least) && value->number <= 0x1p31)
    return int64_t(value->number);
  if (!failure)
    failure = fail(key, "expected an integer of at least " + Twine(least) +
                            " or \"auto\", got " + value->describe());
  return std::nullopt;
}

void Reader::give(Option &option, const Twine &text, StringRef key) {
  std::string value = text.str();
  if (option.isSet()) {
    std::vector<std::string> given = option.listTexts();
    if (!failure && given != std::vector<std::string>{value})
      failure = makeFailure(
          "--" + option.getName() + ": expected " + value +
          (key.empty() ? Twine(" with --deepspeed-config").str()
                       : (", as '" + key + "' of " + file + " has it").str()) +
          ", got " + given.front());
    return;
  }
  if (auto refused = option.give(value); refused && !failure)
    failure = refused;
}

/// Repeats DeepSpeed's check of its three sizes
/// (DeepSpeedConfig._batch_assertion).
void Reader::checkBatch(int64_t train, int64_t micro, int64_t steps,
                        int64_t ranks) {
  if (failure || multiplyCapped({micro, steps, ranks}) == train)
    return;
  failure = fail(
      find("train_batch_size") ? "train_batch_size"
                               : "train_micro_batch_size_per_gpu",
      "expected train_micro_batch_size_per_gpu x "
      "gradient_accumulation_steps x data-parallel ranks (ranks / tp / pp), "
      "got " +
          Twine(train) + " for " + Twine(micro) + " x " + Twine(steps) + " x " +
          Twine(ranks) +
          "; leave one of the three keys out, which DeepSpeed then computes, "
          "or change --ranks");
}

void Reader::readBatch() {
  auto train = getInteger("train_batch_size");
  auto micro = getInteger("train_micro_batch_size_per_gpu");
  auto steps = getInteger("gradient_accumulation_steps");
  if (failure)
    return;
  const JobOptions &job = in.job.job;
  // A sweep tries degrees, so the number of data-parallel ranks varies.
  if (in.triesLayouts()) {
    if (micro)
      give(in.job.job.microBatch, Twine(*micro),
           "train_micro_batch_size_per_gpu");
    if (train)
      give(in.globalBatch, Twine(*train), "train_batch_size");
    else if (steps)
      give(in.microBatches, Twine(*steps), "gradient_accumulation_steps");
    return;
  }
  auto read = [&](const IntegerOption &option) {
    Result<int64_t> number = option.read(1);
    if (!number && !failure)
      failure = number.getFailure();
    return number ? *number : 1;
  };
  int64_t tp = read(job.tp), pp = read(job.pp), ep = read(job.ep);
  int64_t ranks = multiplyCapped({read(job.dp), ep});
  if (failure)
    return;
  if (in.ranks.isSet()) {
    int64_t all = read(in.ranks);
    if (failure)
      return;
    int64_t others = multiplyCapped({tp, pp});
    if (all % others != 0) {
      failure = makeFailure("--ranks: expected a multiple of tp x pp = " +
                            Twine(others) + ", got " + Twine(all));
      return;
    }
    ranks = all / others;
  } else if (!job.dp.isSet() && train && micro && steps &&
             *train % (*micro * *steps) == 0) {
    ranks = *train / (*micro * *steps);
    give(in.ranks, Twine(multiplyCapped({ranks, tp, pp})), "train_batch_size");
  }
  if (train && !micro && job.microBatch.isSet())
    micro = read(job.microBatch);
  if (train) {
    if (micro && !steps)
      steps = std::max<int64_t>(*train / multiplyCapped({*micro, ranks}), 1);
    else if (!micro) {
      steps = steps.value_or(1);
      micro = std::max<int64_t>(*train / multiplyCapped({*steps, ranks}), 1);
    }
    checkBatch(*train, *micro, *steps, ranks);
  }
  if (micro)
    give(in.job.job.microBatch, Twine(*micro),
         "train_micro_batch_size_per_gpu");
  if (!steps && !micro)
    return;
  if (in.globalBatch.isSet() && micro)
    checkBatch(read(in.globalBatch), *micro, steps.value_or(1), ranks);
  else
    give(in.microBatches, Twine(steps.value_or(1)),
         "gradient_accumulation_steps");
}

void Reader::readTypes() {
  bool isBF16 = isTrue("bf16.enabled"), isF16 = isTrue("fp16.enabled");
  if (isBF16 && isF16) {
    failure = fail("fp16.enabled", "bf16 is not supported with fp16, as in "
                                   "DeepSpeed; enable one of them");
    return;
  }
  if (!isBF16 && !isF16 && !isAuto("bf16.enabled") && !isAuto("fp16.enabled")) {
    failure = makeFailure(
        file + ": expected bf16.enabled or fp16.enabled, because training in "
               "32 bits is not modeled, got neither");
    return;
  }
  if (isBF16 || isF16)
    give(in.job.job.dtype, isF16 ? "f16" : "bf16",
         isF16 ? "fp16.enabled" : "bf16.enabled");
  const JsonValue *sums = find("data_types.grad_accum_dtype");
  if (sums && sums->text == "fp32")
    give(in.state.gradientBytes, "4", "data_types.grad_accum_dtype");
  const JsonValue *optimizer = find("optimizer.type");
  if (optimizer && !StringRef(optimizer->text).equals_insensitive("adam") &&
      !StringRef(optimizer->text).equals_insensitive("adamw") &&
      !StringRef(optimizer->text).equals_insensitive("fusedadam"))
    in.notModelled.push_back(file + ": optimizer.type " + optimizer->text +
                             ": priced as Adam (--optimizer-bytes)");
}

void Reader::nameKeys(const JsonValue &object, StringRef path) {
  for (const JsonValue::Member &member : object.members) {
    std::string key =
        (path.empty() ? Twine(member.key) : path + "." + member.key).str();
    const JsonValue &value = member.value;
    const auto *named = llvm::find_if(
        kNamed, [&](const NamedKey &one) { return one.key == key; });
    if (named != std::end(kNamed)) {
      bool changes = value.kind == JsonValue::Kind::Object || value.boolean ||
                     value.number > 1 ||
                     (!value.text.empty() && value.text != "none");
      if (changes)
        in.notModelled.push_back(file + ": " + key + ": " +
                                 named->effect.str());
      continue;
    }
    if (value.kind == JsonValue::Kind::Object && path.empty() &&
        !is_contained(kWithoutEffect, StringRef(key))) {
      nameKeys(value, key);
      continue;
    }
    if (is_contained(kRead, StringRef(key)))
      continue;
    if (!is_contained(kWithoutEffect, StringRef(key))) {
      in.notModelled.push_back(file + ": " + key +
                               ": not known here, and not modeled");
      continue;
    }
    // For a section, handle only its keys in the list.
    for (const JsonValue::Member &inner : value.members)
      for (const NamedKey &one : kNamed)
        if (one.key == key + "." + inner.key) {
          JsonValue section;
          section.kind = JsonValue::Kind::Object;
          section.members = {inner};
          nameKeys(section, key);
        }
  }
}

std::optional<Failure> Reader::run() {
  if (root.kind != JsonValue::Kind::Object)
    return makeFailure(Twine(moe::support::formatPlace(file, root.place)) +
                       "expected an object, got " + root.describe());
  give(in.job.job.preset, "deepspeed", "");
  for (StringRef key :
       {"tensor_parallel.autotp_size", "tensor_parallel.tp_size"})
    if (auto tp = getInteger(key, 0); tp && *tp > 0)
      give(in.job.job.tp, Twine(*tp), key);
  if (auto pp = getInteger("pipeline.stages"))
    give(in.job.job.pp, Twine(*pp), "pipeline.stages");
  if (auto ep = getInteger("moe.ep_size"))
    give(in.job.job.ep, Twine(*ep), "moe.ep_size");
  int64_t stage = getInteger("zero_optimization.stage", 0).value_or(0);
  give(in.zero, Twine(stage), "zero_optimization.stage");
  // DeepSpeed overlaps by default only in stage 3.
  const JsonValue *overlaps = find("zero_optimization.overlap_comm");
  bool isAsked =
      overlaps ? overlaps->boolean || !overlaps->text.empty() : stage == 3;
  if (!isAsked && stage > 0)
    in.notModelled.push_back(
        file + ": zero_optimization.overlap_comm=false: communication of " +
        "gradients overlaps the backward pass here, so the step is predicted "
        "too short");
  readTypes();
  if (find("activation_checkpointing") && !in.recompute.isSet())
    in.notModelled.push_back(
        file + ": activation_checkpointing: recomputed if the model asks for "
               "it, which --recompute states");
  readBatch();
  nameKeys(root, "");
  return failure;
}

std::optional<Failure> moe::planning::readDeepSpeedConfig(TrainingInput &in) {
  if (!in.deepSpeedConfig.isSet())
    return std::nullopt;
  const std::string &file = in.deepSpeedConfig.get();
  auto text = moe::support::readTextFile(file, "a DeepSpeed configuration");
  if (!text)
    return text.getFailure();
  auto root = moe::support::parseJson(*text, file);
  if (!root)
    return root.getFailure();
  return Reader(in, *root).run();
}
