// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hugging Face config.json to ModelConfig.
//
// One reader for all families: which key says what, and the rules that models
// differ in, are the family's (ModelFamilies.cpp; see docs/Frontend.md).

#include "ModelFamily.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;

/// Most heads a model may state: a width of as many elements each fits.
static constexpr int64_t kMaxHeads = 1 << 15;

namespace {

/// Reads one config by the keys and rules of its family.
class FamilyConfigReader {
public:
  FamilyConfigReader(ConfigReader &in, const ModelFamily &family,
                     ModelConfig &config)
      : in(in), family(family), config(config) {}

  void read();

private:
  int64_t getInteger(const ConfigTerm<int64_t> &term, int64_t min, int64_t max,
                     bool perLayer = false) {
    if (term.keys.empty())
      return term.constant.value_or(min);
    return in.getInteger(term.getKey(in), min, max, term.constant, perLayer);
  }
  int64_t getSize(const ConfigTerm<int64_t> &term, bool perLayer = false) {
    return getInteger(term, 1, kMaxSize, perLayer);
  }
  bool getFlag(const ConfigTerm<bool> &term) {
    if (term.keys.empty())
      return term.constant.value_or(false);
    return in.getBool(term.getKey(in), term.constant);
  }
  std::string getEnumName(const ConfigTerm<std::string> &term) {
    if (term.keys.empty())
      return term.constant.value_or("");
    return in.getString(term.getKey(in), term.constant);
  }
  double getPositive(const ConfigTerm<double> &term) {
    if (term.keys.empty())
      return term.constant.value_or(1.0);
    return in.getPositive(term.getKey(in), term.constant);
  }
  bool hasKey(const ConfigTerm<int64_t> &term) const {
    return !term.keys.empty() && in.has(term.getKey(in));
  }

  void readNetwork();
  void readAttention();
  bool readLatentAttention(int64_t heads);
  void readSizes();
  void readShared();
  void readLayers();
  void readRouter();

  ConfigReader &in;
  const ModelFamily &family;
  ModelConfig &config;
};

} // namespace

/// A width per head is a key of its own or the hidden size over the heads.
void FamilyConfigReader::readAttention() {
  config.headsPlace = in.getPlace(family.heads.getKey(in));
  if (!hasKey(family.heads))
    return;
  int64_t heads = getInteger(family.heads, 1, kMaxHeads);
  if (readLatentAttention(heads))
    return;
  AttentionWidths widths;
  int64_t kvHeads =
      hasKey(family.kvHeads) ? getInteger(family.kvHeads, 1, heads) : heads;
  widths.query = config.hiddenSize;
  if (hasKey(family.headDim))
    widths.query = heads * getInteger(family.headDim, 1, kMaxSize / kMaxHeads);
  else if (config.hiddenSize % heads != 0)
    config.unevenHeads = heads;
  widths.output = widths.query;
  widths.keyValue = llvm::divideCeil(widths.query * kvHeads, heads);
  widths.heads = heads;
  widths.keyValueHeads = kvHeads;
  config.attention = widths;
}

/// Reads DeepSeek's attention, whose queries, keys and values go through
/// narrower latent vectors, where the config states it.
bool FamilyConfigReader::readLatentAttention(int64_t heads) {
  if (!in.has("kv_lora_rank"))
    return false;
  constexpr int64_t kMaxWidth = kMaxSize / kMaxHeads / 2;
  int64_t nope = in.getInteger("qk_nope_head_dim", 1, kMaxWidth);
  int64_t value = in.getInteger("v_head_dim", 1, kMaxWidth);
  AttentionWidths widths;
  widths.rotary = in.getInteger("qk_rope_head_dim", 1, kMaxWidth);
  widths.latent = in.getSize("kv_lora_rank");
  if (in.has("q_lora_rank"))
    widths.queryLatent = in.getSize("q_lora_rank");
  widths.query = heads * (nope + widths.rotary);
  widths.keyValue = heads * (nope + value);
  widths.output = heads * value;
  widths.heads = widths.keyValueHeads = heads;
  config.attention = widths;
  return true;
}

double ModelConfig::getAttentionWeights() const {
  const AttentionWidths &w = *attention;
  double hidden = double(hiddenSize), query = double(w.query);
  double weights = w.queryLatent > 0 ? (hidden + query) * double(w.queryLatent)
                                     : hidden * query;
  if (w.latent > 0)
    weights += hidden * double(w.latent + w.rotary) +
               double(w.latent) * double(w.keyValue);
  else
    weights += 2 * hidden * double(w.keyValue);
  return weights + double(w.output) * hidden;
}

/// The activations the dialect has: of gelu the tanh form, under the names that
/// configs have for it.
void FamilyConfigReader::readNetwork() {
  StringRef key = family.activation.getKey(in);
  std::string word = getEnumName(family.activation);
  bool isGated = getFlag(family.gated);
  bool isSilu = word == "silu" || word == "swish";
  bool isGelu = word == "gelu_new" || word == "gelu_pytorch_tanh";
  if (isGated ? !isSilu && !isGelu : !isGelu && word != "relu")
    in.fail(key, "expected " +
                     Twine(isGated ? "'silu', 'gelu_new' or 'gelu_pytorch_tanh'"
                                   : "'gelu_new', 'gelu_pytorch_tanh' or "
                                     "'relu'") +
                     ", got '" + word + "'");
  if (!isGated)
    config.network = isGelu ? ExpertNetwork::GPTGelu : ExpertNetwork::GPTRelu;
  else
    config.network = isGelu ? ExpertNetwork::GeGLU : ExpertNetwork::SwiGLU;
  if (!family.activationLimit.isStated())
    return;
  // Of the dialect's kind; published models have no other.
  constexpr double kLimit = 7.0;
  double limit = getPositive(family.activationLimit);
  if (limit != kLimit || config.network != ExpertNetwork::SwiGLU)
    in.fail(family.activationLimit.getKey(in),
            "expected a limit of 7 on a gated 'silu', got " +
                moe::support::formatNumber(limit) + " on '" + word + "'");
  config.network = ExpertNetwork::ClampedSwiGLU;
}

void FamilyConfigReader::readSizes() {
  config.hiddenSize = getSize(family.hiddenSize);
  config.topK = getSize(family.topK, /*perLayer=*/true);
  config.topKPlace = in.getPlace(family.topK.getKey(in));
  readNetwork();
  config.numLayers = getInteger(family.numLayers, 1, kMaxLayers);
  readAttention();
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
  config.expertFFNSize = byFactor && !hasKey(family.expertFFNSize)
                             ? *byFactor
                             : getSize(family.expertFFNSize, /*perLayer=*/true);
}

void FamilyConfigReader::readShared() {
  const ConfigTerm<int64_t> &size = family.sharedFFNSize;
  if (size.isStated()) {
    // A size without a default is one that every such model has.
    config.sharedFFNSize =
        getInteger(size, size.constant == 0 ? 0 : 1, kMaxSize);
  } else if (family.sharedExperts.isStated()) {
    config.numSharedExperts =
        getInteger(family.sharedExperts, 0, kMaxSize, /*perLayer=*/true);
    if (MulOverflow(config.numSharedExperts, config.expertFFNSize,
                    config.sharedFFNSize) ||
        config.sharedFFNSize > kMaxSize)
      in.fail(family.sharedExperts.getKey(in),
              "expected shared experts of at most " + Twine(kMaxSize) +
                  " hidden elements together, got " +
                  Twine(config.numSharedExperts) + " of " +
                  Twine(config.expertFFNSize));
  }
  config.hasSharedGate = config.sharedFFNSize > 0 && getFlag(family.sharedGate);
}

void FamilyConfigReader::readLayers() {
  int64_t numLayers = config.numLayers;
  for (const std::string &key : family.moeLayers)
    if (in.has(key)) {
      config.moeLayers = in.getIndices(key, numLayers);
      llvm::sort(config.moeLayers);
      config.moeLayers.erase(llvm::unique(config.moeLayers),
                             config.moeLayers.end());
      return;
    }
  for (const std::string &key : family.moeLayerFlags)
    if (in.has(key)) {
      config.moeLayers = in.getSetFlags(key, numLayers);
      return;
    }
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
  for (int64_t i = first; i < numLayers && i <= last; ++i)
    if ((i - offset) % step == 0 && !isDense[i])
      config.moeLayers.push_back(i);
}

/// The dialect scores a group by its best expert under softmax and by the sum
/// of its two best under sigmoid, which is what DeepSeek's two grouped methods
/// do; the crossed pairs have no counterpart.
void FamilyConfigReader::readRouter() {
  std::string scores = getEnumName(family.scores);
  StringRef scoresKey = family.scores.getKey(in);
  if (scores == "sigmoid")
    config.scores = ScoreFunction::Sigmoid;
  else if (scores != "softmax")
    in.fail(scoresKey, "expected 'softmax' or 'sigmoid', got '" + scores + "'");

  bool isSigmoid = config.scores == ScoreFunction::Sigmoid;
  bool hasGroups = family.groups.isStated();
  config.hasSelectionBias = getFlag(family.selectionBias);
  if (family.method.isStated()) {
    StringRef grouped = isSigmoid ? "noaux_tc" : "group_limited_greedy";
    std::string method = getEnumName(family.method);
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

void FamilyConfigReader::read() {
  readSizes();
  readShared();
  readLayers();
  readRouter();
  config.leavesOut = family.leavesOut;
  if (config.moeLayers.empty())
    in.fail("model_type", "expected a model with an MoE layer, got one whose "
                          "layers are all dense");
}

//===----------------------------------------------------------------------===//
// Which family
//===----------------------------------------------------------------------===//

/// Where configs of models that see or hear keep the part that reads.
static constexpr StringRef kTextParts[] = {"text_config",
                                           "thinker_config.text_config",
                                           "language_config", "llm_config"};

/// The first of the config's names that a family has: its model type, that of
/// its text part, its classes.
static std::vector<std::string> getNames(ConfigReader &in) {
  std::vector<std::string> names = {in.getString("model_type")};
  for (StringRef part : kTextParts)
    if (in.hasObject(part) && in.has((part + ".model_type").str()))
      names.push_back(in.getString((part + ".model_type").str()));
  llvm::append_range(names, in.getStrings("architectures"));
  return names;
}

ArrayRef<StringRef> moe::getSupportedModelTypes() {
  static const std::vector<StringRef> types = [] {
    std::vector<StringRef> names;
    for (const ModelFamily &family : getModelFamilies())
      for (StringRef name : family.names)
        if (!llvm::isUpper(name.front()))
          names.push_back(name);
    llvm::sort(names);
    return names;
  }();
  return types;
}

Expected<ModelConfig> moe::readModel(ConfigReader &in, const ConfigMap *map) {
  ModelConfig config;
  std::vector<std::string> names = getNames(in);
  if (Error error = in.takeError())
    return std::move(error);
  config.modelType = names.front();
  ModelFamily described;
  const ModelFamily *family = nullptr;
  if (map) {
    Expected<ModelFamily> read = parseModelFamily(map->text, map->file);
    if (!read)
      return read.takeError();
    described = std::move(*read);
    family = &described;
    if (!described.names.empty() &&
        llvm::none_of(names, [&](const std::string &name) {
          return llvm::is_contained(described.names, name);
        }))
      in.fail("model_type", "expected " + llvm::join(described.names, " or ") +
                                ", which " + map->file + " describes, got '" +
                                config.modelType + "'");
  } else {
    for (const std::string &name : names)
      if (!family)
        family = findModelFamily(name);
    if (!family)
      in.fail("model_type", "expected one of " +
                                llvm::join(getSupportedModelTypes(), ", ") +
                                ", got '" + config.modelType +
                                "'; --config-map=F describes another family");
  }
  if (Error error = in.takeError())
    return std::move(error);
  if (!in.has(family->hiddenSize.getKey(in)))
    for (StringRef part : kTextParts)
      if (in.hasObject(part)) {
        in.enter(part);
        break;
      }
  FamilyConfigReader(in, *family, config).read();
  if (Error error = in.takeError())
    return std::move(error);
  return config;
}

Expected<ModelConfig> moe::parseHFConfig(StringRef text, StringRef file,
                                         const ConfigMap *map) {
  Expected<ConfigReader> in = ConfigReader::parse(text, file);
  if (!in)
    return in.takeError();
  return readModel(*in, map);
}

//===----------------------------------------------------------------------===//
// Overrides
//===----------------------------------------------------------------------===//

/// Checks what the router's verifier would. An error is the config's own when
/// nothing the router reads was replaced, and else names the option that helps.
static Error checkRouter(const ModelConfig &config,
                         const SizeOverrides &overrides) {
  bool isOwn = !overrides.numExperts && !overrides.topK &&
               !overrides.numGroups && !overrides.topGroups;
  auto fail = [&](const ConfigPlace &place, StringRef option,
                  const Twine &message) -> Error {
    if (isOwn && !place.file.empty())
      return make_error<ImportError>(place, message);
    return makeImportError(option + ": " + message);
  };
  auto failTopK = [&](const Twine &message) {
    return fail(config.topKPlace, "--top-k", message);
  };
  auto failCount = [&](const Twine &message) {
    return fail(config.groupCountPlace, "--num-groups", message);
  };
  auto failChosen = [&](const Twine &message) {
    return fail(config.chosenGroupsPlace, "--top-groups", message);
  };
  if (config.topK > config.numExperts)
    return failTopK("expected at most the " + Twine(config.numExperts) +
                    " experts, got " + Twine(config.topK));
  if (config.getGate() == GateModule::Switch && config.topK != 1)
    return makeImportError("--gate=switch: expected one expert for each token, "
                           "got " +
                           Twine(config.topK) + "; --top-k=1 makes it one");
  if (!config.groups)
    return Error::success();
  auto [count, chosen] = *config.groups;
  if (config.getGate() > GateModule::Sigmoid && count > 1)
    return makeImportError(
        "--gate=" + getGateName(config.getGate()) +
        ": expected experts that form no groups, got " + Twine(count) +
        " groups of which " + Twine(chosen) +
        " are chosen from, as only softmax and sigmoid gates do; "
        "--num-groups=1 --top-groups=1 makes it one");
  if (config.numExperts % count != 0)
    return failCount("expected a divisor of the " + Twine(config.numExperts) +
                     " experts, got " + Twine(count));
  if (chosen > count)
    return failChosen("expected at most the " + Twine(count) +
                      " groups of experts, got " + Twine(chosen));
  int64_t groupSize = config.numExperts / count;
  if (chosen * groupSize < config.topK)
    return failChosen("expected groups that hold the top-k of " +
                      Twine(config.topK) + " experts, got " + Twine(chosen) +
                      " groups of " + Twine(groupSize));
  if (config.scores == ScoreFunction::Sigmoid && count > 1 && groupSize < 2)
    return failCount("expected groups of at least 2 experts, which a group's "
                     "score is the sum of, got " +
                     Twine(count) + " groups of 1");
  return Error::success();
}

Error moe::applyOverrides(ModelConfig &config, const SizeOverrides &overrides) {
  if (overrides.sharedFFNSize && config.sharedFFNSize == 0)
    return makeImportError("--shared-ffn-size: expected a model with a shared "
                           "expert, got " +
                           config.modelType + " without one");
  if ((overrides.numGroups || overrides.topGroups) && !config.groups)
    return makeImportError(
        Twine(overrides.numGroups ? "--num-groups" : "--top-groups") +
        ": expected a model that chooses experts by groups, got " +
        config.modelType + " that does not");

  auto replace = [](int64_t &size, std::optional<int64_t> by) {
    if (by)
      size = *by;
  };
  if (overrides.hiddenSize) {
    int64_t before = config.hiddenSize;
    auto follow = [&](int64_t &width) {
      // Below 2^31 both, so that the product fits.
      width = std::min<int64_t>(
          llvm::divideCeil(width * *overrides.hiddenSize, before), kMaxSize);
    };
    if (AttentionWidths *widths =
            config.attention ? &*config.attention : nullptr)
      for (int64_t *width :
           {&widths->query, &widths->keyValue, &widths->output,
            &widths->queryLatent, &widths->latent, &widths->rotary})
        follow(*width);
    follow(config.denseFFNSize);
  }
  replace(config.hiddenSize, overrides.hiddenSize);
  replace(config.expertFFNSize, overrides.expertFFNSize);
  replace(config.numExperts, overrides.numExperts);
  replace(config.topK, overrides.topK);
  if (config.groups) {
    replace(config.groups->count, overrides.numGroups);
    replace(config.groups->chosen, overrides.topGroups);
  }
  if (overrides.sharedFFNSize) {
    config.sharedFFNSize = *overrides.sharedFFNSize;
  } else if (overrides.expertFFNSize && config.numSharedExperts > 0) {
    if (MulOverflow(config.numSharedExperts, config.expertFFNSize,
                    config.sharedFFNSize) ||
        config.sharedFFNSize > kMaxSize)
      return makeImportError(
          "--expert-ffn-size: expected shared experts of at most " +
          Twine(kMaxSize) + " hidden elements together, got " +
          Twine(config.numSharedExperts) + " of " +
          Twine(config.expertFFNSize));
  }
  return checkRouter(config, overrides);
}
