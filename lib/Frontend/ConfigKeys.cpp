// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys of configs that must be read.

#include "ConfigKeys.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <string>

using namespace llvm;
using namespace moe;
using moe::support::JsonValue;
using Kind = JsonValue::Kind;

/// Returns the lower-case words of a name, for example moe, top and k for
/// "moeTopK" and "moe_top_k".
static SmallVector<std::string> splitWords(StringRef name) {
  SmallVector<std::string> words(1);
  char before = '_';
  for (char c : name) {
    bool isBorder = !isAlnum(c) || (isUpper(c) && !isUpper(before));
    if (isBorder && !words.back().empty())
      words.emplace_back();
    if (isAlnum(c))
      words.back() += toLower(c);
    before = c;
  }
  if (words.back().empty())
    words.pop_back();
  return words;
}

/// Words that identify any name as about routing.
static constexpr StringRef kRoutingWords[] = {
    "expert", "experts", "moe", "router", "routers", "routed", "routing"};

/// Words of other subjects, where the words below have another meaning.
static constexpr StringRef kOtherWords[] = {
    "attention",   "attn",        "audio",      "beam",         "compression",
    "conv",        "draft",       "generation", "image",        "index",
    "indexer",     "linear",      "mamba",      "mtp",          "nextn",
    "plan",        "projector",   "quant",      "quantization", "rope",
    "speculative", "speculators", "ssm",        "talker",       "token",
    "tokens",      "video",       "vision"};

/// Words of routing in names that contain none of the words above.
static constexpr StringRef kUsualWords[] = {
    "act",       "activated", "activation", "balance",     "balanced",
    "balancing", "capacity",  "dense",      "dispatch",    "dispatcher",
    "dropless",  "ffn",       "gate",       "gated",       "gates",
    "gating",    "glu",       "group",      "groups",      "heads",
    "inner",     "latent",    "mlp",        "multigate",   "renormalize",
    "route",     "score",     "scores",     "scoring",     "sinkhorn",
    "sparse",    "swiglu",    "topk",       "intermediate"};

/// Words of routing that are next to each other, in any name.
static constexpr std::pair<StringRef, StringRef> kPairs[] = {
    {"drop", "token"},  {"drop", "tokens"},    {"token", "drop"},
    {"tokens", "drop"}, {"token", "dropping"}, {"pad", "expert"}};

/// Adjacent words of routing in names without a word of another subject.
static constexpr std::pair<StringRef, StringRef> kUsualPairs[] = {
    {"correction", "bias"}, {"drop", "policy"},  {"head", "dim"},
    {"head", "size"},       {"layer", "freq"},   {"layer", "frequency"},
    {"layer", "interval"},  {"layer", "period"}, {"layer", "step"},
    {"layers", "freq"},     {"top", "k"}};

/// Names that are about routing only as a whole.
static constexpr StringRef kRoutingNames[] = {"scale_factor", "scaling_factor"};

static bool hasPair(ArrayRef<std::string> words, StringRef first,
                    StringRef second) {
  for (size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == first && words[i + 1] == second)
      return true;
  return false;
}

static bool isRoutingName(StringRef name) {
  SmallVector<std::string> words = splitWords(name);
  auto hasOneOf = [&](ArrayRef<StringRef> of) {
    return any_of(words,
                  [&](StringRef word) { return is_contained(of, word); });
  };
  auto hasPairOf = [&](ArrayRef<std::pair<StringRef, StringRef>> of) {
    return any_of(of, [&](const auto &pair) {
      return hasPair(words, pair.first, pair.second);
    });
  };
  if (hasOneOf(kRoutingWords) || hasPairOf(kPairs))
    return true;
  if (hasOneOf(kOtherWords))
    return false;
  return hasOneOf(kUsualWords) || hasPairOf(kUsualPairs) ||
         is_contained(kRoutingNames, name);
}

/// Keys of the base class of all configs. An object such as `ffn_config` also
/// has them if it is saved as a separate config.
static constexpr StringRef kBaseKeys[] = {"_name_or_path",
                                          "architectures",
                                          "chunk_size_feed_forward",
                                          "dtype",
                                          "id2label",
                                          "is_encoder_decoder",
                                          "label2id",
                                          "model_type",
                                          "output_attentions",
                                          "output_hidden_states",
                                          "problem_type",
                                          "return_dict",
                                          "torch_dtype",
                                          "transformers_version"};

bool moe::looksLikeRouting(StringRef path) {
  SmallVector<StringRef> names;
  path.split(names, '.');
  return any_of(names, isRoutingName) && none_of(names, [](StringRef name) {
           return is_contained(kBaseKeys, name);
         });
}

bool moe::mayHoldRouting(StringRef key) {
  SmallVector<std::string> words = splitWords(key);
  return isRoutingName(key) || none_of(words, [](StringRef word) {
           return is_contained(kOtherWords, word);
         });
}

namespace {

/// A name that only seems to be about routing, with any value or only with the
/// stated kind of values.
struct HarmlessKey {
  StringRef name, why;
  enum Values { Any, Off } values = Any;
};

} // namespace

static constexpr HarmlessKey kHarmless[] = {
    {"aux_loss_alpha", "a training loss"},
    {"aux_loss_coef", "a training loss"},
    {"load_balance_coeff", "a training loss"},
    {"moe_aux_loss_coef", "a training loss"},
    {"moe_aux_loss_coeff", "a training loss"},
    {"moe_loss_weight", "a training loss"},
    {"moe_z_loss_coeff", "a training loss"},
    {"router_aux_loss_coef", "a training loss"},
    {"router_z_loss_coef", "a training loss"},
    {"seq_aux", "a training loss"},
    {"output_router_logits", "an output"},
    {"output_scores", "an output"},
    // Multiplies tokens by noise while a model is trained.
    {"input_jitter_noise", "noise of training"},
    {"moe_jitter_eps", "noise of training"},
    {"router_jitter_noise", "noise of training"},
    {"expert_dtype", "a precision"},
    {"moe_router_dtype", "a precision"},
    {"router_dtype", "a precision"},
    {"moe_gate_dtype", "a precision"},
    {"ep_size", "a way to run it"},
    {"experts_implementation", "a way to run it"},
    {"moe_layer_implementation", "a way to run it"},
    {"moe_shared_expert_overlap", "a way to run it"},
    {"use_grouped_mm", "a way to run it"},
    // Keys of text generation in the base classes of configs.
    {"num_beam_groups", "about text generation"},
    {"top_k", "about text generation"},
    {"mlp_bias", "no bias", HarmlessKey::Off},
    {"use_mlp_bias", "no bias", HarmlessKey::Off},
};

StringRef moe::whyHarmless(StringRef path, const JsonValue &value) {
  auto [parent, name] = path.rsplit('.');
  if (name.empty())
    std::swap(parent, name);
  // In an object about routing, top_k is not about text generation.
  if (name == "top_k" && !parent.empty() && looksLikeRouting(parent))
    return "";
  // Weights of losses change training, not what is communicated.
  if (is_contained(splitWords(name), "loss"))
    return "a training loss";
  bool isOff = (value.kind == Kind::Boolean && !value.boolean) ||
               (value.kind == Kind::Number && value.number == 0);
  for (const HarmlessKey &key : kHarmless)
    if (key.name == name && (key.values == HarmlessKey::Any || isOff))
      return key.why;
  return "";
}
