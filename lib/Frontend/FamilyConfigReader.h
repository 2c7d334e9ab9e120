// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading of a config by the keys of its family.

#ifndef MOE_LIB_FRONTEND_FAMILYCONFIGREADER_H
#define MOE_LIB_FRONTEND_FAMILYCONFIGREADER_H

#include "ModelFamily.h"

namespace moe {

/// Reads one config by the keys and rules of its family. The config's reader
/// keeps errors.
class FamilyConfigReader {
public:
  FamilyConfigReader(ConfigReader &in, const ModelFamily &family,
                     ModelConfig &config)
      : in(in), family(family), config(config) {}

  void read();

private:
  int64_t getInteger(const ConfigTerm<int64_t> &term, int64_t min, int64_t max,
                     bool perLayer = false) {
    int64_t value =
        term.keys.empty()
            ? term.constant.value_or(min)
            : in.getInteger(term.getKey(in), min, max, term.getFallback(in),
                            perLayer ? config.numLayers : 0);
    if (value >= min && value <= max)
      return value;
    // A family from --config-map may have any constant.
    std::string name = findTermName(family, term).str();
    in.fail(term.keys.empty() ? llvm::StringRef(name) : term.getKey(in),
            "expected an integer in [" + llvm::Twine(min) + ", " +
                llvm::Twine(max) + "], but the family states " +
                llvm::Twine(value) + " as " + name);
    return min;
  }
  int64_t getSize(const ConfigTerm<int64_t> &term, bool perLayer = false) {
    return getInteger(term, 1, kMaxSize, perLayer);
  }
  bool getFlag(const ConfigTerm<bool> &term) {
    if (term.keys.empty())
      return term.constant.value_or(false);
    return in.getBool(term.getKey(in), term.getFallback(in));
  }
  std::string getText(const ConfigTerm<std::string> &term) {
    if (term.keys.empty())
      return term.constant.value_or("");
    return in.getString(term.getKey(in), term.getFallback(in));
  }
  double getPositive(const ConfigTerm<double> &term) {
    if (term.keys.empty())
      return term.constant.value_or(1.0);
    return in.getPositive(term.getKey(in), term.getFallback(in));
  }
  bool hasKey(const ConfigTerm<int64_t> &term) const {
    return !term.keys.empty() && in.has(term.getKey(in));
  }
  /// Returns true if a key or its default gives a value.
  bool hasValue(const ConfigTerm<int64_t> &term) const {
    return hasKey(term) || term.getFallback(in).has_value();
  }

  void readNetwork();
  void readSizes();
  void readShared();
  void readLayers();
  void readRouter();
  /// Returns true if a phrase of `leavesOutIf` applies to the config.
  bool holds(const ModelFamily::ConditionalPhrase &phrase);
  /// Returns true if two values are equal for a config, for example 8 and 8.0.
  static bool areEqual(const support::JsonValue &a,
                       const support::JsonValue &b);
  /// Reads the list of words under `key`: which layers are MoE layers, and
  /// which dense parts each layer has.
  void readPattern(llvm::StringRef key);
  std::vector<int64_t> readSteppedLayers();

  // FamilyAttention.cpp.
  void readAttention();
  void readParts();
  bool readLatentAttention(int64_t heads);
  AttentionWidths readPlainAttention(const ConfigTerm<int64_t> &heads,
                                     const ConfigTerm<int64_t> &kvHeads,
                                     const ConfigTerm<int64_t> &headDim,
                                     const ConfigTerm<int64_t> &valueHeadDim);

  // FamilyKeys.cpp.
  /// Marks all keys of the family as read, including keys that other keys make
  /// irrelevant.
  void markKnown();
  /// Fails if two keys with the same meaning contradict each other.
  void checkSynonyms();
  void checkFixed();
  /// Calls `visit` with the keys of each term except latent attention.
  void forEachTerm(
      llvm::function_ref<void(llvm::ArrayRef<std::string> keys)> visit) const;

  ConfigReader &in;
  const ModelFamily &family;
  ModelConfig &config;
};

} // namespace moe

#endif // MOE_LIB_FRONTEND_FAMILYCONFIGREADER_H
