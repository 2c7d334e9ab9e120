// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a family's configs say what.
//
// Models differ in the names of their keys and in a few rules; a family is
// these names and rules as data. The families that are known and the ones that
// users describe (`--config-map`) are written in one language, JSON, and read
// by one reader. docs/Frontend.md describes it.

#ifndef MOE_LIB_FRONTEND_MODELFAMILY_H
#define MOE_LIB_FRONTEND_MODELFAMILY_H

#include "ConfigReader.h"
#include "llvm/ADT/ArrayRef.h"

namespace moe {

/// Where a value is found: under the first of these keys that a config has,
/// else it is the constant. Without a constant the first key is required.
template <typename T> struct ConfigTerm {
  std::vector<std::string> keys;
  std::optional<T> constant;

  bool isStated() const { return !keys.empty() || constant; }
  /// The key to read, and to name in errors.
  llvm::StringRef getKey(const ConfigReader &in) const {
    for (const std::string &key : keys)
      if (in.has(key))
        return key;
    return keys.empty() ? llvm::StringRef() : llvm::StringRef(keys.front());
  }
};

/// A row of the table of families. Terms without keys and constant are what
/// the family has not got.
struct ModelFamily {
  /// Values of `model_type`, or class names in `architectures`.
  std::vector<std::string> names;

  ConfigTerm<int64_t> hiddenSize{{"hidden_size"}, {}};
  ConfigTerm<int64_t> numLayers{{"num_hidden_layers"}, {}};
  ConfigTerm<int64_t> topK{{"num_experts_per_tok"}, {}};
  ConfigTerm<int64_t> numExperts, expertFFNSize, denseFFNSize;
  /// Hidden size of an expert, over that of the model, where no key says it.
  ConfigTerm<int64_t> expertFFNFactor;
  /// The shared expert: its size, or how many experts it is made of.
  ConfigTerm<int64_t> sharedFFNSize, sharedExperts;
  ConfigTerm<bool> sharedGate{{}, false};

  ConfigTerm<std::string> activation{{"hidden_act"}, "silu"};
  /// Three matrices with a gate, and not two.
  ConfigTerm<bool> gated{{}, true};
  /// Where the gated product is clamped.
  ConfigTerm<double> activationLimit;

  /// MoE layers `i` of [first, last]: i = offset modulo step. `moeLayers` is a
  /// list of them that counts where it is there, `moeLayerFlags` one that says
  /// of each layer whether it is one, `denseLayers` one of others.
  ConfigTerm<int64_t> firstMoELayer{{}, 0}, lastMoELayer{{}, -1};
  ConfigTerm<int64_t> moeLayerStep{{}, 1}, moeLayerOffset{{}, 0};
  std::vector<std::string> moeLayers, moeLayerFlags, denseLayers;

  ConfigTerm<std::string> scores{{}, "softmax"};
  /// DeepSeek's name for groups and bias together; see docs/Frontend.md.
  ConfigTerm<std::string> method;
  ConfigTerm<int64_t> groups, topGroups;
  ConfigTerm<bool> selectionBias{{}, false};
  /// Added to the logits; of the experts' products; and whether the weight of a
  /// choice multiplies what enters the expert.
  ConfigTerm<bool> routerBias{{}, false}, expertBiases{{}, false};
  ConfigTerm<bool> weighsInputs{{}, false};
  ConfigTerm<bool> normalize{{}, false};
  /// The norm that weights are divided by: 1, their sum.
  ConfigTerm<int64_t> normalizePower{{}, 1};
  ConfigTerm<bool> normalizeSingle{{}, true}, scaleNormalized{{}, true};
  ConfigTerm<double> scale{{}, 1.0};

  ConfigTerm<int64_t> heads{{"num_attention_heads"}, {}};
  ConfigTerm<int64_t> kvHeads{{"num_key_value_heads"}, {}};
  ConfigTerm<int64_t> headDim{{"head_dim"}, {}};

  /// What the module does not say of these models, one phrase each.
  std::vector<std::string> leavesOut;
};

/// The table of the families that are known.
llvm::ArrayRef<ModelFamily> getModelFamilies();

/// The family of that name, null when there is none.
const ModelFamily *findModelFamily(llvm::StringRef name);

/// Reads a family in the language above. Errors are at their place in `file`.
llvm::Expected<ModelFamily> parseModelFamily(llvm::StringRef text,
                                             llvm::StringRef file);
/// The same of a parsed value; `known` are families that it may be `like`.
llvm::Expected<ModelFamily> readModelFamily(const support::JsonValue &value,
                                            llvm::StringRef file,
                                            llvm::ArrayRef<ModelFamily> known);

/// Reads what a config says of a model, and leaves the reader in the object
/// that says it. `map` takes the place of the table.
llvm::Expected<ModelConfig> readModel(ConfigReader &in, const ConfigMap *map);

} // namespace moe

#endif // MOE_LIB_FRONTEND_MODELFAMILY_H
