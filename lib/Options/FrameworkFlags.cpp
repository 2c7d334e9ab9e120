// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of training frameworks.

#include "moe/Options/FrameworkFlags.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;

//===----------------------------------------------------------------------===//
// From a framework's flags
//===----------------------------------------------------------------------===//

/// Returns a name without its section, with dashes instead of underscores.
static std::string normalize(StringRef name) {
  std::string plain = name.ltrim('-').rsplit('.').second.empty()
                          ? name.ltrim('-').str()
                          : name.rsplit('.').second.str();
  llvm::replace(plain, '_', '-');
  return plain;
}

/// Returns true if a flag has the name of its equivalent option, for example
/// "--seq-len" for `--seq-len=N`.
static bool isOurs(StringRef given, const FrameworkFlag &flag) {
  StringRef ours = flag.ours;
  return given.starts_with("-") && ours.consume_front("`--") &&
         ours.take_until([](char c) { return c == '=' || c == '`'; }) ==
             given.ltrim('-');
}

/// Returns the table row of a flag with a value, or null.
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

/// Returns the equivalent of a flag with its value.
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

/// Returns the value of one of our options on a command line; nullopt if it is
/// not given.
static std::optional<StringRef> findGiven(int argc, const char *const *argv,
                                          StringRef option) {
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (!word.consume_front("-"))
      continue;
    word.consume_front("-");
    auto [name, value] = word.split('=');
    if (name == option)
      return value.empty() && i + 1 < argc ? StringRef(argv[i + 1]) : value;
  }
  return std::nullopt;
}

/// Returns a description if the command line gives our option another value
/// than the translated flag, for example "`--tp=4`". Otherwise returns an empty
/// string.
static std::string describeContradiction(int argc, const char *const *argv,
                                         StringRef translated) {
  if (!translated.consume_front("`--"))
    return "";
  auto [name, value] =
      translated.take_until([](char c) { return c == '`'; }).split('=');
  std::optional<StringRef> given = findGiven(argc, argv, name);
  if (value.empty() || !given || *given == value)
    return "";
  return (" (and --" + name + "=" + *given + " was given)").str();
}

std::string moe::checkFrameworkFlags(int argc, const char *const *argv,
                                     function_ref<bool(StringRef)> isOption) {
  std::vector<std::string> found, unknown;
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
    if (!flag) {
      if (StringRef plain = name.drop_front(2);
          !plain.empty() && !isOption(plain))
        unknown.push_back((name + ": unknown flag").str());
      continue;
    }
    StringRef of = getFrameworkName(framework).split(' ').first;
    if (!is_contained(names, of))
      names.push_back(of);
    std::string ours = translate(*flag, value);
    found.push_back((name + (flag->value.empty() ? "" : "=" + value) + ": " +
                     ours + describeContradiction(argc, argv, ours))
                        .str());
  }
  // Without a framework's flag, the parser reports unknown options.
  if (found.empty())
    return "";
  append_range(found, unknown);
  return "expected options of this tool, got options of " +
         join(names, " and ") + "; the corresponding options are\n  " +
         join(found, "\n  ") +
         "\n(docs/how-to/frameworks.md, or moe-plan flags)";
}

//===----------------------------------------------------------------------===//
// To a framework's flags
//===----------------------------------------------------------------------===//

std::string moe::checkFrameworkExperts(ParallelismPreset framework,
                                       const ImportOptions &options) {
  int64_t esp = options.esp.value_or(1);
  if (framework == ParallelismPreset::None || options.foldEp || esp == 1 ||
      esp == options.tp)
    return "";
  return "--esp: expected 1, for whole experts, or the " +
         std::to_string(options.tp) +
         " ranks of --tp, because no other sharding of " +
         getFrameworkName(framework).str() + " jobs is modeled, got " +
         std::to_string(esp);
}

std::string moe::checkFrameworkLayout(ParallelismPreset framework,
                                      const ModelConfig &config,
                                      const ImportOptions &options) {
  if (std::string problem = checkFrameworkExperts(framework, options);
      !problem.empty())
    return problem;
  if (!config.attention)
    return "";
  int64_t heads = config.attention->keyValueHeads;
  bool divides = heads % options.tp == 0;
  // Megatron's TransformerConfig (num_query_groups) has accepted multiples
  // since core 0.16, torchtitan's Decoder (n_kv_heads) refuses them.
  if (framework == ParallelismPreset::Megatron && !divides &&
      options.tp % heads != 0)
    return "--tp: expected a divisor or a multiple of the " +
           std::to_string(heads) +
           " key-value heads, as Megatron-LM requires (num_query_groups)";
  if (framework == ParallelismPreset::TorchTitan && !divides)
    return "--tp: expected a divisor of the " + std::to_string(heads) +
           " key-value heads, as torchtitan requires (n_kv_heads)";
  return "";
}

bool moe::sharesKeyValueHeads(const ModelConfig &config,
                              const ImportOptions &options) {
  return config.attention && options.tp > config.attention->keyValueHeads;
}

std::string moe::getFrameworkRelease(ParallelismPreset framework,
                                     const ModelConfig &config,
                                     const ImportOptions &options,
                                     StringRef flags) {
  // Releases of Megatron core that brought flags, by its CHANGELOG.md.
  static constexpr std::pair<StringLiteral, int> kSince[] = {
      {"--pipeline-model-parallel-layout", 13},
      {"--fp8-recipe blockwise", 13},
      {"shared_experts", 14},
      {"--overlap-moe-expert-parallel-comm", 14},
      {"--fp4-format", 15},
      {"--moe-flex-dispatcher-backend", 15},
      {"--cuda-graph-impl full_iteration", 18}};
  int release = 12;
  for (const auto &[flag, since] : kSince)
    if (flags.contains(flag))
      release = std::max(release, since);
  // Earlier releases had grouped products of experts only in bf16.
  bool groupsF16 =
      flags.contains("--moe-grouped-gemm") && flags.contains("--fp16");
  if (groupsF16 || sharesKeyValueHeads(config, options))
    release = std::max(release, 16);
  if (framework == ParallelismPreset::Megatron && release > 12)
    return "Megatron-LM (core 0." + std::to_string(release) + " or later)";
  return getFrameworkName(framework).str();
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
  void addPositive(StringRef name, int64_t value) {
    if (value > 0)
      add(name, value);
  }
  /// Omits a degree of 1, because it is the default of all frameworks.
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
  return moe::cost::formatNumber(double(factor.numerator) /
                                 double(factor.denominator));
}

/// Returns the sequences per step on all ranks; nullopt if they are not stated.
static std::optional<int64_t> getGlobalBatch(const FrameworkJob &job) {
  if (!job.microBatches)
    return std::nullopt;
  return job.options.microBatch * job.dataRanks * *job.microBatches;
}

/// Returns the layers of each stage, summed over its pieces.
static std::vector<int64_t> countStageLayers(const FrameworkJob &job) {
  std::vector<int64_t> layers(static_cast<size_t>(job.options.pp), 0);
  for (auto [i, count] : enumerate(job.pieces))
    layers[i % layers.size()] += count;
  return layers;
}

/// Returns true if the flags of the first and the last stage suffice to state
/// the pieces. Megatron divides the layers of each stage evenly into its
/// pieces, and all other layers evenly into the stages between.
static bool isStatedByEnds(const FrameworkJob &job) {
  std::vector<int64_t> layers = countStageLayers(job);
  for (auto [i, count] : enumerate(job.pieces))
    if (count * int64_t(job.pieces.size()) !=
        layers[i % layers.size()] * job.options.pp)
      return false;
  return layers.size() <= 2 || all_equal(ArrayRef(layers).slice(1).drop_back());
}

/// Returns the pieces as Megatron's layout, for example "Et*3|(t*4|)*6t*3L",
/// with layers of further tokens (m) before the output layer.
static std::string writePipelineLayout(ArrayRef<int64_t> pieces,
                                       int64_t mtpLayers) {
  auto repeat = [](char letter, int64_t count) {
    return count > 1 ? std::string(1, letter) + "*" + std::to_string(count)
                     : std::string(size_t(count), letter);
  };
  auto write = [&](int64_t count) { return repeat('t', count); };
  std::string text = "E" + write(pieces.front());
  for (ArrayRef<int64_t> rest = pieces.drop_front(); !rest.empty();) {
    // The last piece also has the output layer.
    ArrayRef<int64_t> alike =
        rest.drop_back().take_while([&](int64_t n) { return n == rest[0]; });
    text += "|";
    if (alike.size() < 3) {
      text += write(rest.front());
      rest = rest.drop_front();
      continue;
    }
    text += "(" + write(rest.front()) + "|)*" + std::to_string(alike.size());
    rest = rest.drop_front(alike.size());
    text += write(rest.front());
    rest = rest.drop_front();
  }
  return text + repeat('m', mtpLayers) + "L";
}

/// Adds the stages and the division of layers into their pieces.
static void addMegatronStages(const FrameworkJob &job, FlagWriter &flags) {
  int64_t pp = job.options.pp;
  flags.addDegree("--pipeline-model-parallel-size", pp);
  if (pp == 1 || job.pieces.empty())
    return;
  int64_t pieces = int64_t(job.pieces.size()) / pp;
  if (!job.pipelineLayout.empty()) {
    flags.add("--pipeline-model-parallel-layout",
              "'" + job.pipelineLayout + "'");
  } else if (!isStatedByEnds(job)) {
    flags.add("--pipeline-model-parallel-layout",
              "'" + writePipelineLayout(job.pieces, job.mtpLayers) + "'");
  } else {
    std::vector<int64_t> layers = countStageLayers(job);
    if (!all_equal(layers)) {
      flags.add("--decoder-first-pipeline-num-layers", layers.front());
      flags.add("--decoder-last-pipeline-num-layers", layers.back());
    }
    if (pieces > 1 && all_equal(job.pieces))
      flags.add("--num-layers-per-virtual-pipeline-stage", job.pieces.front());
    else
      flags.addDegree("--num-virtual-stages-per-pipeline-rank", pieces);
  }
  if (!job.options.stagesOutermost.value_or(false))
    flags.add("--use-tp-pp-dp-mapping");
}

/// Returns the reason if a framework has no optimizer or gradients with these
/// bytes per parameter; otherwise an empty string.
static std::optional<cost::Failure> checkBytes(const FrameworkJob &job,
                                               ArrayRef<double> optimizer,
                                               ArrayRef<double> gradients) {
  auto check = [](StringRef option, double bytes,
                  ArrayRef<double> known) -> std::optional<cost::Failure> {
    if (is_contained(known, bytes))
      return std::nullopt;
    std::vector<std::string> numbers;
    for (double number : known)
      numbers.push_back(moe::cost::formatNumber(number));
    return cost::Failure{"--" + option.str() + ": expected " +
                         join(numbers, " or ") + " for this framework, got " +
                         moe::cost::formatNumber(bytes)};
  };
  if (auto failure = check("optimizer-bytes", job.optimizerBytes, optimizer))
    return failure;
  return check("gradient-bytes", job.gradientBytes, gradients);
}

/// Adds the flags that predicted times assume, and the flags that these
/// require. Megatron recomputes `moe_act` only for grouped products, and
/// HybridEP's kernels permute (Megatron's validate_args and TransformerConfig).
static void addMegatronAssumed(const FrameworkJob &job, FlagWriter &flags) {
  if (job.isTimed || is_contained(job.recomputedModules, "moe_act"))
    flags.add("--moe-grouped-gemm");
  if (job.isTimed && job.dispatcher != "hybridep")
    flags.add("--moe-permute-fusion");
  if (job.fullGraph)
    flags.add("--cuda-graph-impl", "full_iteration");
}

/// Adds the flags of the dispatcher. DeepEP requires the gate's weights in 32
/// bits.
static void addMegatronDispatcher(const FrameworkJob &job, FlagWriter &flags) {
  if (job.dispatcher == "all-to-all") {
    flags.add("--moe-token-dispatcher-type", "alltoall");
    return;
  }
  flags.add("--moe-token-dispatcher-type", "flex");
  if (job.dispatcher == "deepep")
    flags.add("--moe-enable-deepep");
  else
    flags.add("--moe-flex-dispatcher-backend", job.dispatcher);
  flags.add("--moe-router-dtype", "fp32");
}

/// Returns the reason if Megatron has no such dispatcher or overlap.
static std::optional<cost::Failure>
checkMegatronDispatcher(const FrameworkJob &job) {
  if (job.dispatcher == "all-to-all")
    return std::nullopt;
  if (job.dispatcher != "deepep" && job.dispatcher != "hybridep")
    return cost::Failure{"Megatron-LM has no dispatcher '" + job.dispatcher +
                         "'; use all-to-all, deepep or hybridep"};
  if (job.options.routing == Routing::Padded)
    return cost::Failure{"Megatron-LM has capacity factors with its all-to-all "
                         "alone; use --routing=dropless with --dispatcher=" +
                         job.dispatcher};
  return std::nullopt;
}

/// Adds the recipe of products with quantized operands.
static void addMegatronPrecision(const FrameworkJob &job, FlagWriter &flags) {
  using cost::Precision;
  switch (job.precision) {
  case Precision::SixteenBit:
    return;
  case Precision::FP8Delayed:
  case Precision::FP8Tensorwise:
    flags.add("--fp8-format", "hybrid");
    break;
  case Precision::FP8Blockwise:
  case Precision::MXFP8:
    flags.add("--fp8-format", "e4m3");
    break;
  case Precision::NVFP4:
    flags.add("--fp4-format", "e2m1");
    flags.add("--fp4-recipe", "nvfp4");
    if (job.keepsQuantizedWeights)
      flags.add("--fp4-param-gather");
    return;
  }
  StringRef recipe = cost::getName(job.precision);
  recipe.consume_front("fp8-");
  flags.add("--fp8-recipe",
            job.precision == Precision::FP8Delayed ? "delayed" : recipe);
  if (job.keepsQuantizedWeights)
    flags.add("--fp8-param-gather");
}

static cost::Result<std::string> writeMegatron(const FrameworkJob &job) {
  const ImportOptions &options = job.options;
  if (options.cp > 1 && options.ep > 1 &&
      !(options.foldEp && options.ep % (options.tp * options.cp) == 0))
    return cost::Failure{
        "Megatron-LM spreads experts over context-parallel ranks; use "
        "--fold-ep with --ep a multiple of tp x cp"};
  if (!options.foldEp && options.esp && *options.esp != options.tp)
    return cost::Failure{
        "Megatron-LM does not replicate experts over tensor-parallel ranks"};
  if (job.overlap.starts_with("dualpipe"))
    return cost::Failure{
        ("Megatron-LM has no " + job.overlap + "; use --overlap=1f1b").str()};
  if (options.tp > 1 && !options.sequenceParallel)
    return cost::Failure{
        "Megatron-LM requires --sequence-parallel for MoE layers with tp > 1"};
  if (auto failure = checkMegatronDispatcher(job))
    return *failure;
  if (job.zero > 1)
    return cost::Failure{
        "Megatron-LM does not shard gradients or weights; use --zero=0 or 1"};
  if (job.keepsQuantizedWeights && job.zero == 0)
    return cost::Failure{"Megatron-LM requires the distributed optimizer for "
                         "--fp8-param-gather; use --zero=1"};
  if (job.optimizerBytes == 8 && job.zero == 0)
    return cost::Failure{"Megatron-LM requires the distributed optimizer for "
                         "16-bit moments; use --zero=1"};
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
  addMegatronDispatcher(job, flags);
  addMegatronAssumed(job, flags);
  flags.addPositive("--mtp-num-layers", job.mtpLayers);
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
  addMegatronPrecision(job, flags);
  if (job.zero == 1)
    flags.add("--use-distributed-optimizer");
  if (job.hidesSums)
    flags.add("--overlap-grad-reduce");
  if (job.hidesSums && job.isTimed && job.zero == 1)
    flags.add("--overlap-param-gather");
  if (job.overlap != "none")
    flags.add("--overlap-moe-expert-parallel-comm");
  if (job.overlap == "1f1b-delayed")
    flags.add("--delay-wgrad-compute");
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
  } else if (!job.recomputedModules.empty()) {
    if (is_contained(job.recomputedModules, "op"))
      return cost::Failure{"Megatron-LM recomputes modules and not ops; use "
                           "--recompute-modules=core_attn, for example"};
    flags.add("--recompute-granularity", "selective");
    flags.add("--recompute-modules", join(job.recomputedModules, " "));
  }
  return flags.take();
}

/// Returns the reason if a framework whose dispatcher is an all-to-all cannot
/// have this dispatcher.
static std::optional<cost::Failure> checkDispatcher(const FrameworkJob &job,
                                                    StringRef framework) {
  if (job.dispatcher != "all-to-all")
    return cost::Failure{("flags of " + framework +
                          " for a dispatcher are not known here; use "
                          "--dispatcher=all-to-all, not " +
                          job.dispatcher)
                             .str()};
  return std::nullopt;
}

static cost::Result<std::string> writeDeepSpeed(const FrameworkJob &job) {
  const ImportOptions &options = job.options;
  if (auto failure = checkDispatcher(job, "DeepSpeed"))
    return *failure;
  if (job.overlap != "none")
    return cost::Failure{"DeepSpeed does not overlap exchanges with experts "
                         "with another micro-batch; use --overlap=none"};
  if (job.precision != cost::Precision::SixteenBit)
    return cost::Failure{"DeepSpeed has no setting for quantized products; use "
                         "--precision=bf16"};
  if (!job.recomputedModules.empty())
    return cost::Failure{
        "DeepSpeed recomputes whole layers only; use --recompute=full"};
  if (options.foldEp || options.cp > 1)
    return cost::Failure{
        "DeepSpeed supports neither --fold-ep nor context parallelism"};
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
  if (job.recomputes) {
    flags.add("--checkpoint-activations");
    flags.add("--deepspeed-activation-checkpointing");
  }
  return flags.take();
}

/// Several pieces per stage: two by default, else as many as it takes to have
/// at most N layers each, where the embedding and the output layer count as one
/// (torchtitan/distributed/pipeline_parallel.py, v0.2.0).
static std::optional<cost::Failure> addTorchTitanPieces(const FrameworkJob &job,
                                                        FlagWriter &flags) {
  auto pieces = int64_t(job.pieces.size());
  if (pieces <= job.options.pp)
    return std::nullopt;
  flags.add("--parallelism.pipeline_parallel_schedule",
            job.overlap == "dualpipev" ? "DualPipeV" : "Interleaved1F1B");
  if (pieces == 2 * job.options.pp)
    return std::nullopt;
  int64_t layers = 2;
  for (int64_t piece : job.pieces)
    layers += piece;
  int64_t most = llvm::divideCeil(layers, pieces);
  if (int64_t(llvm::divideCeil(layers, most)) != pieces)
    return cost::Failure{"torchtitan cuts " + std::to_string(layers - 2) +
                         " layers into no " + std::to_string(pieces) +
                         " pieces; use --virtual-stages=2"};
  flags.add("--parallelism.pipeline_parallel_layers_per_stage", most);
  return std::nullopt;
}

static cost::Result<std::string> writeTorchTitan(const FrameworkJob &job) {
  const ImportOptions &options = job.options;
  if (auto failure = checkDispatcher(job, "torchtitan"))
    return *failure;
  if (job.overlap != "none" && job.overlap != "dualpipev")
    return cost::Failure{"torchtitan overlaps exchanges with experts only in "
                         "DualPipeV; use --overlap=none or dualpipev"};
  bool hasScaleOfTensor = job.precision == cost::Precision::FP8Tensorwise;
  if (job.precision != cost::Precision::SixteenBit && !hasScaleOfTensor &&
      job.precision != cost::Precision::MXFP8)
    return cost::Failure{"torchtitan quantizes with one scale per tensor or in "
                         "MXFP8; use --precision=fp8-tensorwise or mxfp8"};
  if (job.keepsQuantizedWeights && !hasScaleOfTensor)
    return cost::Failure{"torchtitan gathers quantized weights with one scale "
                         "per tensor only; use --precision=fp8-tensorwise with "
                         "--fp8-param-gather"};
  if (hasScaleOfTensor && (options.pp > 1 || options.cp > 1))
    return cost::Failure{"torchtitan has no experts in 8 bits with pipeline or "
                         "context parallelism; use --pp=1 --cp=1"};
  if (job.zero != 0 && job.zero != 3)
    return cost::Failure{"torchtitan shards either nothing or the whole "
                         "training state; use --zero=0 or 3"};
  if (auto failure = checkBytes(job, {12}, {2, 4}))
    return *failure;
  FlagWriter flags;
  auto addDegree = [&](StringRef name, int64_t value) {
    flags.addDegree(("--parallelism." + name).str(), value);
  };
  addDegree("tensor_parallel_degree", options.tp);
  addDegree("context_parallel_degree", options.cp);
  addDegree("pipeline_parallel_degree", options.pp);
  if (auto failure = addTorchTitanPieces(job, flags))
    return *failure;
  addDegree("expert_parallel_degree", options.ep);
  if (!options.foldEp)
    addDegree("expert_tensor_parallel_degree",
              options.esp.value_or(options.tp));
  addDegree(job.zero == 0 ? "data_parallel_replicate_degree"
                          : "data_parallel_shard_degree",
            job.dataRanks);
  int64_t local = options.pp > 1 ? job.microBatches.value_or(1) : 1;
  if (options.pp > 1)
    addDegree("pipeline_parallel_microbatch_size", options.microBatch);
  flags.add("--training.local_batch_size", options.microBatch * local);
  if (auto batch = getGlobalBatch(job))
    flags.add("--training.global_batch_size", *batch);
  flags.add("--training.seq_len", options.seqLen);
  if (hasScaleOfTensor) {
    flags.add("--model.converters",
              "quantize.linear.float8,quantize.grouped_mm.float8");
    // Without a recipe, each tensor has one scale. torchtitan rejects a recipe
    // with the gather.
    if (job.keepsQuantizedWeights)
      flags.add("--quantize.linear.float8.enable_fsdp_float8_all_gather");
    else
      flags.add("--quantize.linear.float8.recipe_name", "tensorwise");
    flags.add("--quantize.grouped_mm.float8.fqns", "experts");
  } else if (job.precision == cost::Precision::MXFP8) {
    flags.add("--model.converters",
              "quantize.linear.mx,quantize.grouped_mm.mx");
    flags.add("--quantize.grouped_mm.mx.fqns", "experts");
  }
  if (job.recomputes) {
    flags.add("--activation_checkpoint.mode", "full");
  } else if (!job.recomputedModules.empty()) {
    if (!is_contained(job.recomputedModules, "op"))
      return cost::Failure{"torchtitan recomputes by ops and not by modules; "
                           "use --recompute-modules=op"};
    flags.add("--activation_checkpoint.mode", "selective");
    flags.add("--activation_checkpoint.selective_ac_option", "op");
  }
  return flags.take();
}

cost::Result<std::string> moe::writeFrameworkFlags(ParallelismPreset framework,
                                                   const FrameworkJob &job) {
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
