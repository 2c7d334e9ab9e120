// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading of a config by the keys of its family.

#include "FamilyConfigReader.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;
using moe::support::JsonValue;

/// The supported activations, under the names in configs; gelu is the tanh
/// form.
void FamilyConfigReader::readNetwork() {
  StringRef key = family.activation.getKey(in);
  std::string word = getText(family.activation);
  bool isGated = getFlag(family.gated);
  // MiniMax's name for a clamped activation.
  bool isSilu = word == "silu" || word == "swish" ||
                (word == "swigluoai" && family.activationLimit.isStated());
  bool isGelu = word == "gelu_new" || word == "gelu_pytorch_tanh";
  bool isRelu = word == "relu" || word == "relu2";
  if (isGated ? !isSilu && !isGelu : !isGelu && !isRelu)
    in.fail(key, "expected " +
                     Twine(isGated ? "'silu', 'gelu_new' or 'gelu_pytorch_tanh'"
                                   : "'gelu_new', 'gelu_pytorch_tanh', 'relu' "
                                     "or 'relu2'") +
                     ", got '" + word + "'");
  if (!isGated)
    config.network = isGelu           ? ExpertNetwork::GPTGelu
                     : word == "relu" ? ExpertNetwork::GPTRelu
                                      : ExpertNetwork::GPTRelu2;
  else
    config.network = isGelu ? ExpertNetwork::GeGLU : ExpertNetwork::SwiGLU;
  if (!family.activationLimit.isStated())
    return;
  // The limit of the dialect's activation; published models have no other
  // limit.
  constexpr double kLimit = 7.0;
  double limit = getPositive(family.activationLimit);
  if (limit != kLimit || config.network != ExpertNetwork::SwiGLU)
    in.fail(family.activationLimit.getKey(in),
            "expected a limit of 7 on a gated 'silu', got " +
                moe::cost::formatNumber(limit) + " on '" + word + "'");
  config.network = ExpertNetwork::ClampedSwiGLU;
}

void FamilyConfigReader::readSizes() {
  config.hiddenSize = getSize(family.hiddenSize);
  // 0 means that the pattern determines the number.
  config.numLayers = getInteger(
      family.numLayers, family.numLayers.constant == 0 ? 0 : 1, kMaxLayers);
  config.topK = getSize(family.topK, /*perLayer=*/true);
  config.topKPlace = in.getPlace(family.topK.getKey(in));
  readNetwork();
  std::optional<int64_t> byFactor;
  if (family.expertFFNFactor.isStated())
    byFactor = std::min(getInteger(family.expertFFNFactor, 1, kMaxSize) *
                            config.hiddenSize,
                        kMaxSize);
  if (hasKey(family.denseFFNSize))
    config.denseFFNSize = getSize(family.denseFFNSize);
  else if (family.denseFFNSize.isStated() && byFactor)
    config.denseFFNSize = *byFactor;
  config.numExperts = getSize(family.numExperts, /*perLayer=*/true);
  config.identityExperts = getInteger(family.identityExperts, 0, kMaxSize);
  if (config.getScoredExperts() > kMaxSize)
    in.fail(family.identityExperts.getKey(in),
            "expected at most " + Twine(kMaxSize) + " experts together, got " +
                Twine(config.getScoredExperts()));
  if (hasKey(family.expertWidth) || family.expertWidth.constant)
    config.expertWidth = getSize(family.expertWidth);
  if (config.expertWidth > config.hiddenSize)
    in.fail(family.expertWidth.getKey(in),
            "expected a width of at most the hidden size " +
                Twine(config.hiddenSize) + ", got " +
                Twine(config.expertWidth));
  config.expertFFNSize = byFactor && !hasKey(family.expertFFNSize)
                             ? *byFactor
                             : getSize(family.expertFFNSize, /*perLayer=*/true);
}

void FamilyConfigReader::readShared() {
  const ConfigTerm<int64_t> &size = family.sharedFFNSize;
  if (size.isStated()) {
    // If there is no default, every model of the family has the expert.
    config.sharedFFNSize =
        getInteger(size, size.constant == 0 ? 0 : 1, kMaxSize);
  } else if (family.sharedExperts.isStated()) {
    config.numSharedExperts =
        getInteger(family.sharedExperts, 0, kMaxSize, /*perLayer=*/true);
    bool hasOwnSize = hasKey(family.sharedExpertSize);
    int64_t each =
        hasOwnSize ? getSize(family.sharedExpertSize) : config.expertFFNSize;
    if (MulOverflow(config.numSharedExperts, each, config.sharedFFNSize) ||
        config.sharedFFNSize > kMaxSize)
      in.fail(family.sharedExperts.getKey(in),
              "expected shared experts of at most " + Twine(kMaxSize) +
                  " hidden elements together, got " +
                  Twine(config.numSharedExperts) + " of " + Twine(each));
    if (hasOwnSize && each != config.expertFFNSize)
      config.numSharedExperts = 0;
  }
  config.hasSharedGate = config.sharedFFNSize > 0 && getFlag(family.sharedGate);
}

/// Returns the MoE layers by first layer, step and offset, without listed dense
/// layers.
std::vector<int64_t> FamilyConfigReader::readSteppedLayers() {
  int64_t numLayers = config.numLayers;
  int64_t first = getInteger(family.firstMoELayer, 0, kMaxLayers);
  int64_t last = getInteger(family.lastMoELayer, -1, kMaxLayers);
  int64_t step = getInteger(family.moeLayerStep, 1, kMaxLayers);
  int64_t offset = getInteger(family.moeLayerOffset, -1, kMaxLayers);
  if (last < 0)
    last = numLayers - 1;
  std::vector<bool> isDense(numLayers, false);
  for (const std::string &key : family.denseLayers)
    for (int64_t layer : in.getIndices(key, numLayers))
      isDense[layer] = true;
  std::vector<int64_t> layers;
  for (int64_t i = first; i < numLayers && i <= last; ++i)
    if ((i - offset) % step == 0 && !isDense[i])
      layers.push_back(i);
  return layers;
}

void FamilyConfigReader::readPattern(StringRef key) {
  const LayerPattern &pattern = family.layerPattern;
  std::vector<std::string> words = in.getWords(key);
  auto count = int64_t(words.size());
  if (config.numLayers == 0 && count <= kMaxLayers)
    config.numLayers = count;
  if (count == 0 || count != config.numLayers)
    return in.fail(key, "expected one word or letter for each of the " +
                            Twine(config.numLayers) + " layers, got " +
                            Twine(count));
  for (auto [i, word] : llvm::enumerate(words)) {
    LayerParts &parts = config.parts.emplace_back();
    // If the pattern lists parts, each layer is one part.
    parts.attentions = pattern.attention.empty() ? 1 : 0;
    if (is_contained(pattern.moe, word)) {
      config.moeLayers.push_back(int64_t(i));
    } else if (is_contained(pattern.dense, word)) {
      parts.denseFFNs = 1;
    } else if (is_contained(pattern.attention, word)) {
      parts.attentions = 1;
    } else if (is_contained(pattern.others, word)) {
      parts.attentions = 0;
    } else {
      std::vector<std::string> known;
      for (const auto *list :
           {&pattern.moe, &pattern.dense, &pattern.attention, &pattern.others})
        llvm::append_range(known, *list);
      return in.fail(key, "expected layer " + Twine(i) + " to be one of '" +
                              llvm::join(known, "', '") + "', got '" + word +
                              "'");
    }
  }
}

void FamilyConfigReader::readLayers() {
  for (const std::string &key : family.layerPattern.keys)
    if (in.has(key))
      return readPattern(key);
  if (config.numLayers == 0)
    return in.fail(family.numLayers.getKey(in),
                   "expected a number of layers or a pattern of them, got "
                   "neither");
  for (const std::string &key : family.moeLayers)
    if (in.has(key)) {
      config.moeLayers = in.getIndices(key, config.numLayers);
      llvm::sort(config.moeLayers);
      config.moeLayers.erase(llvm::unique(config.moeLayers),
                             config.moeLayers.end());
      return;
    }
  // A number instead of a list is the step for all layers.
  for (const std::string &key : family.moeLayerFlags)
    if (in.has(key) && in.find(key)->kind != JsonValue::Kind::Number) {
      config.moeLayers = in.getSetFlags(key, config.numLayers);
      return;
    }
  config.moeLayers = readSteppedLayers();
}

/// The dialect scores a group by its best expert under softmax and by the sum
/// of its two best under sigmoid, as in DeepSeek's two grouped methods; the
/// crossed pairs have no counterpart.
void FamilyConfigReader::readRouter() {
  std::string scores = getText(family.scores);
  StringRef scoresKey = family.scores.getKey(in);
  if (scores == "sigmoid")
    config.scores = ScoreFunction::Sigmoid;
  else if (scores == "sqrtsoftplus")
    config.scores = ScoreFunction::SqrtSoftplus;
  else if (scores != "softmax")
    in.fail(scoresKey,
            "expected 'softmax', 'sigmoid' or 'sqrtsoftplus', got '" + scores +
                "'");

  bool isSigmoid = config.scores != ScoreFunction::Softmax;
  bool hasGroups = family.groups.isStated();
  config.hasSelectionBias = getFlag(family.selectionBias);
  if (family.method.isStated()) {
    StringRef grouped = isSigmoid ? "noaux_tc" : "group_limited_greedy";
    std::string method = getText(family.method);
    if (method != "greedy" && method != grouped)
      in.fail(family.method.getKey(in), "expected 'greedy' or '" + grouped +
                                            "' with " + scoresKey + " '" +
                                            scores + "', got '" + method + "'");
    hasGroups = method == grouped;
    config.hasSelectionBias = hasGroups && isSigmoid;
  }
  if (hasGroups) {
    ExpertGroups groups;
    groups.count = getSize(family.groups);
    groups.chosen = getSize(family.topGroups);
    config.groups = groups;
    config.groupCountPlace = in.getPlace(family.groups.getKey(in));
    config.chosenGroupsPlace = in.getPlace(family.topGroups.getKey(in));
  }
  config.hasRouterBias = getFlag(family.routerBias);
  config.hasExpertBiases = getFlag(family.expertBiases);
  config.weighsInputs = getFlag(family.weighsInputs);
  config.normalizesTopK = getFlag(family.normalize);
  getInteger(family.normalizePower, 1, 1);
  config.normalizesSingle = getFlag(family.normalizeSingle);
  config.routedScale = getPositive(family.scale);
  config.scalesNormalized = getFlag(family.scaleNormalized);
}

bool FamilyConfigReader::holds(const ModelFamily::ConditionalPhrase &phrase) {
  auto isOne = [&](const JsonValue &value) {
    return llvm::any_of(
        phrase.is, [&](const JsonValue &is) { return areEqual(value, is); });
  };
  for (const std::string &key : phrase.keys)
    if (const JsonValue *value = in.find(key))
      return isOne(*value) || llvm::any_of(value->items, isOne);
  return phrase.isDefault;
}

void FamilyConfigReader::read() {
  markKnown();
  checkSynonyms();
  checkFixed();
  readSizes();
  readShared();
  readLayers();
  readAttention();
  readParts();
  readRouter();
  config.leavesOut = family.leavesOut;
  for (const ModelFamily::ConditionalPhrase &phrase : family.leavesOutIf)
    if (holds(phrase))
      config.leavesOut.push_back(phrase.phrase);
  if (config.moeLayers.empty())
    in.fail("model_type", "expected a model with an MoE layer, got one whose "
                          "layers are all dense");
}
