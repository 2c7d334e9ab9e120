// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and rules of model families.

#include "ModelFamily.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using moe::support::JsonValue;
using Kind = JsonValue::Kind;

namespace {

/// Reads the members of one family. The first error is kept.
class FamilyReader {
public:
  FamilyReader(StringRef file, ArrayRef<ModelFamily> known)
      : file(file), known(known) {}

  Expected<ModelFamily> read(const JsonValue &value);

private:
  void fail(const JsonValue &at, const Twine &message) {
    if (!error)
      error = ImportError(file.str(), unsigned(at.place.line),
                          unsigned(at.place.column), message.str());
  }
  void failExpected(const JsonValue &at, StringRef key, const Twine &what) {
    fail(at, "'" + key + "': expected " + what + ", got " + at.describe());
  }

  /// Reads a string or a list of strings.
  std::vector<std::string> readKeys(const JsonValue &value, StringRef key,
                                    const Twine &what);
  template <typename T>
  void readConstant(const JsonValue &value, StringRef key,
                    std::optional<T> &constant);
  template <typename T>
  void readTerm(const JsonValue &value, StringRef key, ConfigTerm<T> &term);
  void readLike(const JsonValue &value, ModelFamily &family);
  void readPattern(const JsonValue &value, LayerPattern &pattern);
  void readFixed(const JsonValue &value, std::vector<FixedKey> &fixed);
  void readConditions(const JsonValue &value,
                      std::vector<ModelFamily::ConditionalPhrase> &phrases);

  StringRef file;
  ArrayRef<ModelFamily> known;
  std::optional<ImportError> error;
};

template <typename T> struct TermRow {
  StringRef key;
  ConfigTerm<T> ModelFamily::*term;
};

} // namespace

static constexpr TermRow<int64_t> kIntegers[] = {
    {"hidden_size", &ModelFamily::hiddenSize},
    {"num_layers", &ModelFamily::numLayers},
    {"num_experts", &ModelFamily::numExperts},
    {"top_k", &ModelFamily::topK},
    {"expert_ffn_size", &ModelFamily::expertFFNSize},
    {"expert_ffn_factor", &ModelFamily::expertFFNFactor},
    {"dense_ffn_size", &ModelFamily::denseFFNSize},
    {"shared_ffn_size", &ModelFamily::sharedFFNSize},
    {"shared_experts", &ModelFamily::sharedExperts},
    {"shared_expert_size", &ModelFamily::sharedExpertSize},
    {"identity_experts", &ModelFamily::identityExperts},
    {"expert_width", &ModelFamily::expertWidth},
    {"first_moe_layer", &ModelFamily::firstMoELayer},
    {"last_moe_layer", &ModelFamily::lastMoELayer},
    {"moe_layer_step", &ModelFamily::moeLayerStep},
    {"moe_layer_offset", &ModelFamily::moeLayerOffset},
    {"groups", &ModelFamily::groups},
    {"top_groups", &ModelFamily::topGroups},
    {"normalize_power", &ModelFamily::normalizePower},
    {"heads", &ModelFamily::heads},
    {"kv_heads", &ModelFamily::kvHeads},
    {"head_dim", &ModelFamily::headDim},
    {"attention_value_head_dim", &ModelFamily::valueHeadDim},
    {"attentions", &ModelFamily::attentions},
    {"dense_networks", &ModelFamily::denseNetworks},
    {"latent_width", &ModelFamily::latent},
    {"latent_query_width", &ModelFamily::queryLatent},
    {"latent_head_dim", &ModelFamily::nopeHeadDim},
    {"latent_rotary_head_dim", &ModelFamily::rotaryHeadDim},
    {"latent_value_head_dim", &ModelFamily::latentValueHeadDim},
    {"sliding_heads", &ModelFamily::slidingHeads},
    {"sliding_kv_heads", &ModelFamily::slidingKVHeads},
    {"sliding_head_dim", &ModelFamily::slidingHeadDim},
    {"sliding_value_head_dim", &ModelFamily::slidingValueHeadDim}};
static constexpr TermRow<double> kNumbers[] = {
    {"scale", &ModelFamily::scale},
    {"activation_limit", &ModelFamily::activationLimit}};
static constexpr TermRow<bool> kFlags[] = {
    {"shared_gate", &ModelFamily::sharedGate},
    {"attention", &ModelFamily::hasAttention},
    {"latent_attention", &ModelFamily::isLatent},
    {"gated", &ModelFamily::gated},
    {"selection_bias", &ModelFamily::selectionBias},
    {"router_bias", &ModelFamily::routerBias},
    {"expert_biases", &ModelFamily::expertBiases},
    {"weighs_inputs", &ModelFamily::weighsInputs},
    {"normalize", &ModelFamily::normalize},
    {"normalize_single", &ModelFamily::normalizeSingle},
    {"scale_normalized", &ModelFamily::scaleNormalized}};
static constexpr TermRow<std::string> kWords[] = {
    {"activation", &ModelFamily::activation},
    {"scores", &ModelFamily::scores},
    {"method", &ModelFamily::method}};

StringRef moe::findTermName(const ModelFamily &family,
                            const ConfigTerm<int64_t> &term) {
  for (const TermRow<int64_t> &row : kIntegers)
    if (&(family.*row.term) == &term)
      return row.key;
  llvm_unreachable("expected an integer term of the family");
}

namespace {
struct ListRow {
  StringRef key, what;
  std::vector<std::string> ModelFamily::*list;
};
} // namespace
static constexpr ListRow kLists[] = {
    {"model_type", "a model type or a list of them", &ModelFamily::names},
    {"moe_layers", "a key or a list of keys", &ModelFamily::moeLayers},
    {"moe_layer_flags", "a key or a list of keys", &ModelFamily::moeLayerFlags},
    {"dense_layers", "a key or a list of keys", &ModelFamily::denseLayers},
    {"sliding_layer_flags", "a key or a list of keys",
     &ModelFamily::slidingLayerFlags},
    {"ignores", "a key or a list of keys", &ModelFamily::ignored},
    {"leaves_out", "a phrase or a list of them", &ModelFamily::leavesOut}};

/// Lists all keys of a family, for the message about an unknown key.
static std::string listFamilyKeys() {
  std::vector<StringRef> keys = {"fixed", "layer_pattern", "leaves_out_if",
                                 "like"};
  auto add = [&](const auto &rows) {
    for (const auto &row : rows)
      keys.push_back(row.key);
  };
  add(kLists);
  add(kIntegers);
  add(kNumbers);
  add(kFlags);
  add(kWords);
  llvm::sort(keys);
  return llvm::join(keys, ", ");
}

std::vector<std::string> FamilyReader::readKeys(const JsonValue &value,
                                                StringRef key,
                                                const Twine &what) {
  std::vector<std::string> keys;
  auto add = [&](const JsonValue &item) {
    if (item.kind != Kind::String || item.text.empty())
      return failExpected(item, key, what);
    keys.push_back(item.text);
  };
  if (value.kind != Kind::Array) {
    add(value);
    return keys;
  }
  if (value.items.empty())
    failExpected(value, key, what);
  for (const JsonValue &item : value.items)
    add(item);
  return keys;
}

template <typename T>
void FamilyReader::readConstant(const JsonValue &value, StringRef key,
                                std::optional<T> &constant) {
  if constexpr (std::is_same_v<T, bool>) {
    if (value.kind != Kind::Boolean)
      return failExpected(value, key, "true or false");
    constant = value.boolean;
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (value.kind != Kind::String)
      return failExpected(value, key, "a word");
    constant = value.text;
  } else {
    bool isNumber = value.kind == Kind::Number && std::isfinite(value.number);
    if constexpr (std::is_same_v<T, int64_t>) {
      if (!isNumber || value.number != std::floor(value.number) ||
          value.number < -1 || value.number > double(kMaxSize))
        return failExpected(value, key,
                            "an integer in [-1, " + Twine(kMaxSize) + "]");
    } else if (!isNumber || value.number <= 0) {
      return failExpected(value, key, "a number greater than 0");
    }
    constant = T(value.number);
  }
}

template <typename T>
void FamilyReader::readTerm(const JsonValue &value, StringRef key,
                            ConfigTerm<T> &term) {
  term = {};
  bool isKeys = value.kind == Kind::String || value.kind == Kind::Array;
  if (isKeys) {
    term.keys = readKeys(value, key, "a key or a list of keys");
    return;
  }
  if (value.kind != Kind::Object)
    return readConstant(value, key, term.constant);
  for (const JsonValue::Member &member : value.members) {
    if (member.key == "keys")
      term.keys = readKeys(member.value, key, "a key or a list of keys");
    else if (member.key == "default")
      readConstant(member.value, key, term.constant);
    else if (member.key == "null")
      readConstant(member.value, key, term.ofNull);
    else
      fail(member.value,
           "'" + key + "': expected 'keys', 'default' and 'null' only, got '" +
               member.key + "'");
  }
  if (!term.isStated())
    failExpected(value, key, "'keys', 'default' or both");
}

void FamilyReader::readPattern(const JsonValue &value, LayerPattern &pattern) {
  constexpr StringLiteral kKey = "layer_pattern";
  pattern = {};
  if (value.kind != Kind::Object)
    return failExpected(value, kKey, "an object with 'keys' and 'moe'");
  struct {
    StringRef key, what;
    std::vector<std::string> &list;
  } lists[] = {{"keys", "a key or a list of keys", pattern.keys},
               {"moe", "a word or a list of words", pattern.moe},
               {"dense", "a word or a list of words", pattern.dense},
               {"attention", "a word or a list of words", pattern.attention},
               {"others", "a word or a list of words", pattern.others}};
  for (const JsonValue::Member &member : value.members) {
    bool isKnown = false;
    for (auto &[key, what, list] : lists)
      if (member.key == key) {
        list = readKeys(member.value, kKey, what);
        isKnown = true;
      }
    if (!isKnown)
      fail(member.value, "'" + kKey +
                             "': expected 'keys', 'moe', 'dense', 'attention' "
                             "and 'others' only, got '" +
                             member.key + "'");
  }
  if (pattern.keys.empty() || pattern.moe.empty())
    failExpected(value, kKey, "an object with 'keys' and 'moe'");
}

void FamilyReader::readFixed(const JsonValue &value,
                             std::vector<FixedKey> &fixed) {
  fixed.clear();
  if (value.kind != Kind::Object)
    return failExpected(value, "fixed", "an object of keys and their values");
  for (const JsonValue::Member &member : value.members)
    fixed.push_back({member.key, member.value.kind == Kind::Array
                                     ? member.value.items
                                     : std::vector{member.value}});
}

void FamilyReader::readConditions(
    const JsonValue &value,
    std::vector<ModelFamily::ConditionalPhrase> &phrases) {
  constexpr StringLiteral kKey = "leaves_out_if";
  phrases.clear();
  if (value.kind != Kind::Object)
    return failExpected(value, kKey, "an object of phrases");
  for (const JsonValue::Member &member : value.members) {
    ModelFamily::ConditionalPhrase &phrase = phrases.emplace_back();
    phrase.phrase = member.key;
    const JsonValue *keys = member.value.find("keys");
    const JsonValue *is = member.value.find("is");
    const JsonValue *isDefault = member.value.find("default");
    bool isKnown = keys && is &&
                   member.value.members.size() == (isDefault ? 3u : 2u) &&
                   (!isDefault || isDefault->kind == Kind::Boolean);
    if (!isKnown)
      return failExpected(member.value, kKey,
                          "an object with 'keys', 'is' and perhaps 'default', "
                          "true or false");
    phrase.keys = readKeys(*keys, kKey, "a key or a list of keys");
    phrase.is = is->kind == Kind::Array ? is->items : std::vector{*is};
    phrase.isDefault = isDefault && isDefault->boolean;
  }
}

void FamilyReader::readLike(const JsonValue &value, ModelFamily &family) {
  if (value.kind != Kind::String)
    return failExpected(value, "like", "a model type");
  for (const ModelFamily &other : known)
    if (llvm::is_contained(other.names, value.text)) {
      family = other;
      family.names.clear();
      return;
    }
  SmallVector<StringRef> names;
  for (const ModelFamily &other : known)
    names.push_back(other.names.front());
  fail(value, "'like': expected one of " + llvm::join(names, ", ") + ", got '" +
                  value.text + "'");
}

Expected<ModelFamily> FamilyReader::read(const JsonValue &value) {
  ModelFamily family;
  if (value.kind != Kind::Object)
    fail(value, "expected a JSON object that describes a family, got " +
                    value.describe());
  // "like" is read first, regardless of its position, because the other members
  // override it.
  for (const JsonValue::Member &member : value.members)
    if (member.key == "like")
      readLike(member.value, family);
  for (const JsonValue::Member &member : value.members) {
    bool isKnown = true;
    if (member.key == "layer_pattern")
      readPattern(member.value, family.layerPattern);
    else if (member.key == "fixed")
      readFixed(member.value, family.fixed);
    else if (member.key == "leaves_out_if")
      readConditions(member.value, family.leavesOutIf);
    else
      isKnown = member.key == "like";
    auto visit = [&](const auto &rows) {
      for (const auto &row : rows)
        if (row.key == member.key) {
          readTerm(member.value, row.key, family.*row.term);
          isKnown = true;
        }
    };
    visit(kIntegers);
    visit(kNumbers);
    visit(kFlags);
    visit(kWords);
    for (const ListRow &row : kLists)
      if (row.key == member.key) {
        family.*row.list = readKeys(member.value, row.key, row.what);
        isKnown = true;
      }
    if (!isKnown)
      fail(member.value, "'" + member.key + "': expected one of " +
                             listFamilyKeys() + ", got another key");
  }
  for (auto [key, isStated] :
       {std::pair("num_experts", family.numExperts.isStated()),
        std::pair("expert_ffn_size", family.expertFFNSize.isStated())})
    if (!isStated)
      fail(value, Twine("'") + key +
                      "': expected the key of the config that says it, got "
                      "no such key");
  if (error)
    return make_error<ImportError>(*error);
  return family;
}

Expected<ModelFamily> moe::readModelFamily(const JsonValue &value,
                                           StringRef file,
                                           ArrayRef<ModelFamily> known) {
  return FamilyReader(file, known).read(value);
}

Expected<ModelFamily> moe::parseModelFamily(StringRef text, StringRef file) {
  JsonValue root;
  if (auto problem = moe::support::parseJson(text, root))
    return make_error<ImportError>(file.str(), unsigned(problem->place.line),
                                   unsigned(problem->place.column),
                                   problem->reason);
  return readModelFamily(root, file, getModelFamilies());
}

const ModelFamily *moe::findModelFamily(StringRef name) {
  for (const ModelFamily &family : getModelFamilies())
    if (llvm::is_contained(family.names, name))
      return &family;
  return nullptr;
}
