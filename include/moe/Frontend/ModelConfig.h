// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An MoE model as its config states it.
//
// The first step of the import: the text of a Hugging Face `config.json` to
// plain data. Nothing here knows MLIR. docs/reference/model-configs.md maps
// the keys of each model.

#ifndef MOE_FRONTEND_MODELCONFIG_H
#define MOE_FRONTEND_MODELCONFIG_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace moe {

/// Largest size (hidden, experts, tokens, ranks) a config or an option may
/// state. Products of sizes are checked for overflow where they are formed.
constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1;

/// Most layers a model may state; published models have about a hundred.
constexpr int64_t kMaxLayers = 10000;

/// What turns router logits into scores.
enum class ScoreFunction { Softmax, Sigmoid, SqrtSoftplus };

/// The gates a layer can have (SPEC FS-12).
enum class GateModule {
  Softmax,
  Sigmoid,
  SqrtSoftplus,
  Switch,
  GShard, ///< with noise
  XMoE,
  ExpertChoice,           ///< scores over the experts
  ExpertChoiceOverTokens, ///< scores over the tokens that an expert took
  SoftMoE
};

/// The word that `--gate` has for it.
llvm::StringRef getGateName(GateModule gate);

/// Choice limited to the best groups of experts (DeepSeek-V2 and -V3).
struct ExpertGroups {
  /// Number of consecutive groups of equal size the experts form; 1 limits
  /// nothing.
  int64_t count = 1;
  /// Number of best groups to choose experts from, 1 to `count`.
  int64_t chosen = 1;
};

/// Where a value stands in a config: line and column from 1. No file for a
/// value that stands in none.
struct ConfigPlace {
  std::string file, key;
  unsigned line = 0, column = 0;
};

/// What the experts of a model compute.
enum class ExpertNetwork {
  SwiGLU,        ///< three GEMMs around a SiLU
  GeGLU,         ///< three GEMMs around a GELU (tanh form)
  ClampedSwiGLU, ///< three GEMMs around a clamped quick GELU (gpt_oss)
  GPTGelu,       ///< two GEMMs around a GELU (tanh form)
  GPTRelu,       ///< two GEMMs around a ReLU
  GPTRelu2,      ///< two GEMMs around the square of a ReLU
};

/// The numbers an attention is made of, of all heads together.
struct AttentionWidths {
  /// Width of queries; of keys and values, as cached (grouped queries have
  /// fewer heads of them); of what enters the output projection.
  int64_t query = 0, keyValue = 0, output = 0;
  /// Latent widths of DeepSeek's attention: of queries (0 when they have
  /// none), of keys and values, and of a key's shared rotary part; all 0 for
  /// plain attention.
  int64_t queryLatent = 0, latent = 0, rotary = 0;
  /// Heads of queries, and of keys and values, as many where none are shared.
  int64_t heads = 0, keyValueHeads = 0;
  /// Width of values if it differs from the width of keys, which `keyValue`
  /// then states; otherwise 0.
  int64_t value = 0;

  /// The width of values in plain attention.
  int64_t getValue() const { return value > 0 ? value : keyValue; }
};

/// The dense parts of a model's layer.
struct LayerParts {
  /// Attentions and dense feed-forward networks. They alternate, beginning with
  /// an attention, and precede the experts.
  int attentions = 1, denseFFNs = 0;
  /// Its attention is one of a sliding window.
  bool isSliding = false;

  bool operator==(const LayerParts &) const = default;

  /// The parts in their order: true for an attention, false for a network.
  std::vector<bool> listInOrder() const {
    std::vector<bool> areAttentions;
    for (int i = 0; i < attentions || i < denseFFNs; ++i) {
      if (i < attentions)
        areAttentions.push_back(true);
      if (i < denseFFNs)
        areAttentions.push_back(false);
    }
    return areAttentions;
  }
};

/// Something about a config that a person should hear of: at its place.
struct ConfigWarning {
  ConfigPlace place;
  std::string message;
};

/// The MoE layers of one model: sizes in elements, all layers alike.
struct ModelConfig {
  std::string modelType;
  /// The first name of the family that it was read as; empty of one that its
  /// user describes without a name.
  std::string family;
  /// Hidden size M.
  int64_t hiddenSize = 0;
  /// Hidden size H of one expert's feed-forward network.
  int64_t expertFFNSize = 0;
  /// Experts E of a layer, the shared ones not counted.
  int64_t numExperts = 0;
  /// Experts that give a token back as it is: the gate scores them behind the
  /// others, and a token that chooses one is not sent to any rank.
  int64_t identityExperts = 0;
  /// Width of the routed experts' rows, or 0 if it is M. Narrower rows are
  /// latent vectors: each rank projects its tokens to them before the dispatch,
  /// and back after the combine.
  int64_t expertWidth = 0;
  /// Experts k a token is sent to.
  int64_t topK = 0;
  /// Indices, in the model, of the layers that are MoE layers, ascending.
  /// Dense layers are left out.
  std::vector<int64_t> moeLayers;
  /// Layers of the model, dense ones included.
  int64_t numLayers = 0;
  ExpertNetwork network = ExpertNetwork::SwiGLU;
  /// Hidden size of a dense layer's feed-forward network; 0 when the model has
  /// no dense layer or its config does not state it.
  int64_t denseFFNSize = 0;
  /// Set when the config states the heads of its attention.
  std::optional<AttentionWidths> attention;
  /// The attention of layers with a sliding window, if its widths differ.
  std::optional<AttentionWidths> slidingAttention;
  /// The dense parts of each layer. Empty if every layer has one attention, and
  /// each layer without experts one dense network.
  std::vector<LayerParts> parts;
  /// Where the heads are stated, or would be.
  ConfigPlace headsPlace;
  /// The number of heads where it does not divide the hidden size that they
  /// share, so that no head has a width; 0 where all is well.
  int64_t unevenHeads = 0;

  ScoreFunction scores = ScoreFunction::Softmax;
  /// A gate in the place of the config's; see `applyGate`.
  std::optional<GateModule> gate;
  /// A bias per expert is added to the scores for the choice only.
  bool hasSelectionBias = false;
  /// A bias per expert is added to the logits.
  bool hasRouterBias = false;
  /// The experts' products have biases, not those of shared experts.
  bool hasExpertBiases = false;
  /// A token's weights multiply what enters its experts, not what comes out.
  bool weighsInputs = false;
  /// The config asks for weights that sum to 1.
  bool normalizesTopK = false;
  /// Normalising also applies when only one expert is chosen.
  bool normalizesSingle = true;
  /// Factor on the weights of the routed experts, finite and positive.
  double routedScale = 1.0;
  /// The factor applies to normalised weights too.
  bool scalesNormalized = true;
  /// Set when the model chooses experts by groups.
  std::optional<ExpertGroups> groups;
  /// Where the sizes of the router are from, for errors about how they fit.
  ConfigPlace topKPlace, groupCountPlace, chosenGroupsPlace;

  /// Hidden size of the shared expert that sees every token; 0 when the model
  /// has none.
  int64_t sharedFFNSize = 0;
  /// Experts of `expertFFNSize` the shared expert is made of; 0 when its size
  /// is stated on its own.
  int64_t numSharedExperts = 0;
  /// The shared expert's output is weighted by a sigmoid of the token.
  bool hasSharedGate = false;

  /// What a module does not say of the model, one phrase each.
  std::vector<std::string> leavesOut;
  /// Keys that the config has twice.
  std::vector<ConfigWarning> warnings;

  /// Matrices of a feed-forward network.
  int64_t getNumMatrices() const { return isGated() ? 3 : 2; }
  bool isGated() const { return network < ExpertNetwork::GPTGelu; }
  /// Experts that the gate scores.
  int64_t getScoredExperts() const { return numExperts + identityExperts; }
  /// Number of experts that a token is sent to if choices are spread evenly,
  /// rounded up. Identity experts do not count.
  int64_t getSentTopK() const {
    return identityExperts == 0
               ? topK
               : int64_t(std::ceil(double(topK) * double(numExperts) /
                                   double(getScoredExperts())));
  }
  int64_t getExpertWidth() const {
    return expertWidth > 0 ? expertWidth : hiddenSize;
  }
  /// The dense parts of a layer.
  LayerParts getParts(int64_t layer) const;
  /// The parts of the layers behind the MoE layer before `moeLayer`, the number
  /// of one among the MoE layers, up to it.
  std::vector<LayerParts> listPartsUpTo(int64_t moeLayer) const;
  /// The attention of a layer with these parts; `attention` must be set.
  const AttentionWidths &getAttention(const LayerParts &parts) const {
    return parts.isSliding && slidingAttention ? *slidingAttention : *attention;
  }
  /// The number of weights of an attention's projections. A float, because the
  /// product of two sizes may not fit 64 bits. Without an argument, the weights
  /// of `attention`, which must be set.
  double getAttentionWeights(const AttentionWidths &widths) const;
  double getAttentionWeights() const { return getAttentionWeights(*attention); }
  /// The GEMMs of these projections.
  static int64_t getAttentionGemms(const AttentionWidths &widths) {
    return widths.queryLatent > 0 ? 5 : 4;
  }
  int64_t getAttentionGemms() const { return getAttentionGemms(*attention); }
  /// The widths of the attentions of all layers together over the number of
  /// layers, rounded up, with the heads of `attention`, which must be set.
  AttentionWidths getMeanAttention() const;

  GateModule getGate() const {
    if (gate)
      return *gate;
    switch (scores) {
    case ScoreFunction::Softmax:
      return GateModule::Softmax;
    case ScoreFunction::Sigmoid:
      return GateModule::Sigmoid;
    case ScoreFunction::SqrtSoftplus:
      return GateModule::SqrtSoftplus;
    }
    return GateModule::Softmax;
  }
  /// True when tokens choose experts, so that how many go to each is not known
  /// before.
  bool tokensChoose() const { return getGate() < GateModule::ExpertChoice; }

  /// True when a token's weights are divided by their sum.
  bool normalizesWeights() const {
    return normalizesTopK && (topK > 1 || normalizesSingle);
  }
  /// The factor on a token's weights after that.
  double weightScale() const {
    return normalizesWeights() && !scalesNormalized ? 1.0 : routedScale;
  }
};

/// Sizes that replace those of a config, to make small copies of a model.
struct SizeOverrides {
  std::optional<int64_t> hiddenSize, expertFFNSize, sharedFFNSize, numExperts,
      topK, numGroups, topGroups;
};

/// Why a model cannot be read or built. At a place of the config,
/// `file:line:column: key: expected ..., got ...`; without one about an option,
/// which it names, or about the whole.
class ImportError : public llvm::ErrorInfo<ImportError> {
public:
  static char ID;
  explicit ImportError(std::string message) : message(std::move(message)) {}
  ImportError(std::string file, unsigned line, unsigned column,
              std::string message)
      : file(std::move(file)), line(line), column(column),
        message(std::move(message)) {}
  /// `'key': message` at the key's place.
  ImportError(const ConfigPlace &place, const llvm::Twine &message);

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  bool hasPlace() const { return line > 0; }
  llvm::StringRef getFile() const { return file; }
  /// Line and column, both from 1; those of the key the message is about, of
  /// the object's start when a key is missing.
  unsigned getLine() const { return line; }
  unsigned getColumn() const { return column; }
  llvm::StringRef getMessage() const { return message; }

private:
  std::string file;
  unsigned line = 0, column = 0;
  std::string message;
};

/// One that is about no place of the config.
llvm::Error makeImportError(const llvm::Twine &message);

/// The values of `model_type` that can be imported, in alphabetical order.
llvm::ArrayRef<llvm::StringRef> getSupportedModelTypes();

/// The text of a file that describes a family of models, and its name.
struct ConfigMap {
  llvm::StringRef text, file;
};

/// Reads the text of a `config.json`; `file` only names it in errors. Fails
/// with an ImportError at a place on text that is not one JSON object as Python
/// reads it, on an unknown model type, on a key that is missing, of a wrong
/// type or out of range, on a router or activation the dialect cannot state,
/// and on a key about routing or experts that the family does not read, unless
/// it is one of `ignoredKeys`; on one of these that is no such key. `map`, when
/// given, says which key is what in the place of the known families
/// (docs/reference/model-configs.md, "Other families"); errors in it are at
/// places of it.
llvm::Expected<ModelConfig>
parseHFConfig(llvm::StringRef text, llvm::StringRef file,
              const ConfigMap *map = nullptr,
              llvm::ArrayRef<std::string> ignoredKeys = {});

/// Puts another gate in the place of the config's, before `applyOverrides`.
/// Softmax and sigmoid keep what the config says of groups, normalisation and
/// scale, and of the bias where the scores stay what they are; all other gates
/// have weights of their own.
void applyGate(ModelConfig &config, GateModule gate);

/// Replaces sizes and checks that those of `config` then fit each other: top-k
/// and expert groups against the number of experts. To be called without
/// overrides too. Errors name the option that helps, or are at the place of the
/// key when sizes do not fit that are all the config's own. A shared expert
/// made of whole experts follows the size of an expert unless stated; widths of
/// attention and dense layers follow the hidden size in proportion, rounded up.
llvm::Error applyOverrides(ModelConfig &config, const SizeOverrides &overrides);

} // namespace moe

#endif // MOE_FRONTEND_MODELCONFIG_H
