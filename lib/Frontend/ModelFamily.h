// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and rules of model families.
//
// Models differ in the names of their keys and in a few rules; a family has
// these names and rules as data. The known families and user-defined ones
// (`--config-map`) are written in the same language, JSON, and read by the same
// reader. docs/reference/model-configs.md describes it.

#ifndef MOE_LIB_FRONTEND_MODELFAMILY_H
#define MOE_LIB_FRONTEND_MODELFAMILY_H

#include "ConfigReader.h"
#include "llvm/ADT/ArrayRef.h"

namespace moe {

/// The keys of a value: the value is under the first of these keys that a
/// config has, otherwise it is the constant. Without a constant, the first key
/// is required.
template <typename T> struct ConfigTerm {
  std::vector<std::string> keys;
  std::optional<T> constant;
  /// Meaning of `null` if that differs from a missing key.
  std::optional<T> ofNull = std::nullopt;

  bool isStated() const { return !keys.empty() || constant; }
  /// Returns the value if no key has one.
  std::optional<T> getFallback(const ConfigReader &in) const {
    if (ofNull)
      for (const std::string &key : keys)
        if (in.isNull(key))
          return ofNull;
    return constant;
  }
  /// Returns the key to read, and to name in errors.
  llvm::StringRef getKey(const ConfigReader &in) const {
    for (const std::string &key : keys)
      if (in.has(key))
        return key;
    return keys.empty() ? llvm::StringRef() : llvm::StringRef(keys.front());
  }
};

/// A list of words, or a string of letters, one for each layer.
struct LayerPattern {
  std::vector<std::string> keys;
  /// The words for MoE layers, dense layers, attentions, and all other layers.
  /// If the pattern has words for attentions, each layer is one part: its MoE
  /// and dense layers have no attention of their own.
  std::vector<std::string> moe, dense, attention, others;
};

/// A key that must have one of these values, if it is present.
struct FixedKey {
  std::string key;
  std::vector<support::JsonValue> values;
};

/// One row of the table of families. Terms without keys and constant are
/// features that the family does not have.
struct ModelFamily {
  /// Values of `model_type`, or class names in `architectures`.
  std::vector<std::string> names;

  ConfigTerm<int64_t> hiddenSize{{"hidden_size"}, {}};
  ConfigTerm<int64_t> numLayers{{"num_hidden_layers"}, {}};
  ConfigTerm<int64_t> topK{{"num_experts_per_tok"}, {}};
  ConfigTerm<int64_t> numExperts, expertFFNSize, denseFFNSize;
  /// Hidden size of experts relative to the model's, if no key has it.
  ConfigTerm<int64_t> expertFFNFactor;
  /// The shared expert: its size, or the number of experts it is made of.
  ConfigTerm<int64_t> sharedFFNSize, sharedExperts;
  /// The size of each of these experts, if it differs from a routed expert's.
  ConfigTerm<int64_t> sharedExpertSize;
  /// Experts that return tokens unchanged.
  ConfigTerm<int64_t> identityExperts;
  /// The width of the experts' rows, if it differs from the model's.
  ConfigTerm<int64_t> expertWidth;
  ConfigTerm<bool> sharedGate{{}, false};

  ConfigTerm<std::string> activation{{"hidden_act"}, "silu"};
  /// True for three matrices with a gate, false for two.
  ConfigTerm<bool> gated{{}, true};
  /// Limit that clamps the gated product.
  ConfigTerm<double> activationLimit;

  /// MoE layers `i` of [first, last] satisfy i = offset modulo step. If
  /// present, `moeLayers` is a list of MoE layers that takes precedence,
  /// `moeLayerFlags` a list with a flag per layer, and `denseLayers` a list of
  /// other layers.
  ConfigTerm<int64_t> firstMoELayer{{}, 0}, lastMoELayer{{}, -1};
  ConfigTerm<int64_t> moeLayerStep{{}, 1}, moeLayerOffset{{}, 0};
  std::vector<std::string> moeLayers, moeLayerFlags, denseLayers;
  LayerPattern layerPattern;
  /// Attentions per layer, and dense networks per MoE layer.
  ConfigTerm<int64_t> attentions{{}, 1}, denseNetworks{{}, 0};

  ConfigTerm<std::string> scores{{}, "softmax"};
  /// DeepSeek's name for groups and bias together; see
  /// docs/reference/model-configs.md.
  ConfigTerm<std::string> method;
  ConfigTerm<int64_t> groups, topGroups;
  ConfigTerm<bool> selectionBias{{}, false};
  /// A bias that is added to the logits; biases of the experts' products; and
  /// whether the weight of a choice multiplies the input of the expert.
  ConfigTerm<bool> routerBias{{}, false}, expertBiases{{}, false};
  ConfigTerm<bool> weighsInputs{{}, false};
  ConfigTerm<bool> normalize{{}, false};
  /// The norm that divides weights: 1 for their sum.
  ConfigTerm<int64_t> normalizePower{{}, 1};
  ConfigTerm<bool> normalizeSingle{{}, true}, scaleNormalized{{}, true};
  ConfigTerm<double> scale{{}, 1.0};

  ConfigTerm<int64_t> heads{{"num_attention_heads"}, {}};
  ConfigTerm<int64_t> kvHeads{{"num_key_value_heads"}, {}};
  ConfigTerm<int64_t> headDim{{"head_dim"}, {}};
  /// The width of values, if it differs from queries and keys.
  ConfigTerm<int64_t> valueHeadDim;
  /// False if the kind of the model's attention is unknown.
  ConfigTerm<bool> hasAttention{{}, true};
  /// DeepSeek's latent attention: whether a model has it, and its widths. If
  /// the latent width is missing or `null`, the model has plain attention.
  ConfigTerm<bool> isLatent{{"use_mla"}, true};
  ConfigTerm<int64_t> latent{{"kv_lora_rank"}, {}};
  ConfigTerm<int64_t> queryLatent{{"q_lora_rank"}, {}};
  ConfigTerm<int64_t> nopeHeadDim{{"qk_nope_head_dim"}, {}};
  ConfigTerm<int64_t> rotaryHeadDim{{"qk_rope_head_dim"}, {}};
  ConfigTerm<int64_t> latentValueHeadDim{{"v_head_dim"}, {}};
  /// Layers with separate attention heads (a sliding window): keys of a list of
  /// flags, and the heads.
  std::vector<std::string> slidingLayerFlags;
  ConfigTerm<int64_t> slidingHeads, slidingKVHeads, slidingHeadDim,
      slidingValueHeadDim;

  std::vector<FixedKey> fixed;
  /// Keys without an effect on the import.
  std::vector<std::string> ignored;

  /// Features that the module does not express, one phrase each. A phrase in
  /// the second list holds only for some configs: if the first of its keys that
  /// the config has is one of the values `is` or a list with one of them, or if
  /// the config has none of the keys and `isDefault` is set.
  std::vector<std::string> leavesOut;
  struct ConditionalPhrase {
    std::string phrase;
    std::vector<std::string> keys;
    std::vector<support::JsonValue> is;
    bool isDefault = false;
  };
  std::vector<ConditionalPhrase> leavesOutIf;
};

llvm::ArrayRef<ModelFamily> getModelFamilies();

/// Returns the family with this name; null if none.
const ModelFamily *findModelFamily(llvm::StringRef name);

/// Reads a family in the language above. Errors have their position in `file`.
llvm::Expected<ModelFamily> parseModelFamily(llvm::StringRef text,
                                             llvm::StringRef file);
/// The same for a parsed value; `known` are the families that it may be `like`.
llvm::Expected<ModelFamily> readModelFamily(const support::JsonValue &value,
                                            llvm::StringRef file,
                                            llvm::ArrayRef<ModelFamily> known);

struct ReadOptions {
  /// Replaces the table of families; unused if null.
  const ConfigMap *map = nullptr;
  /// Keys that may remain unread.
  llvm::ArrayRef<std::string> ignoredKeys;
};

/// Reads the model in a config, and leaves the reader in the object that
/// describes it. Also fails at the first unread key about routing or experts.
llvm::Expected<ModelConfig> readModel(ConfigReader &in,
                                      const ReadOptions &options);

/// The same without the failure for unread keys. After a failure, `config` has
/// the values read so far.
llvm::Error readModelOnly(ConfigReader &in, const ReadOptions &options,
                          ModelConfig &config);

/// Returns true if an import may ignore a key silently: its name is neither
/// about routing or experts nor close to a key that the config lacks.
bool isSilent(const ConfigReader &in, const ConfigKey &key);

/// Fails at the first key that an import may not ignore, and names all of them.
llvm::Error checkUnread(ConfigReader &in,
                        llvm::ArrayRef<std::string> ignoredKeys);

/// Returns the name that --config-map uses for one of the family's integer
/// terms.
llvm::StringRef findTermName(const ModelFamily &family,
                             const ConfigTerm<int64_t> &term);

} // namespace moe

#endif // MOE_LIB_FRONTEND_MODELFAMILY_H
