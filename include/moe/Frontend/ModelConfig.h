// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An MoE model as described by its config.
//
// This is the first step of the import: it converts the text of a Hugging Face
// `config.json` to plain data, independent of MLIR.
// docs/reference/model-configs.md maps the keys of each model.

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

/// Maximum size (hidden, experts, tokens, ranks) in a config or an option.
/// Products of sizes are checked for overflow where they are computed.
constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1;

/// Maximum number of layers; published models have about a hundred.
constexpr int64_t kMaxLayers = 10000;

/// The function that converts router logits to scores.
enum class ScoreFunction { Softmax, Sigmoid, SqrtSoftplus };

/// The supported gates of MoE layers (SPEC FS-12).
enum class GateModule {
  Softmax,
  Sigmoid,
  SqrtSoftplus,
  Switch,
  GShard, ///< with noise
  XMoE,
  Outside,                ///< none: ids and weights are arguments
  ExpertChoice,           ///< scores over the experts
  ExpertChoiceOverTokens, ///< scores over the tokens of an expert
  SoftMoE
};

/// Returns the value of `--gate` for a gate.
llvm::StringRef getGateName(GateModule gate);

/// Restriction of the choice to the best groups of experts (DeepSeek-V2 and
/// -V3).
struct ExpertGroups {
  /// Number of consecutive, equally large groups of experts; 1 means no
  /// restriction.
  int64_t count = 1;
  /// Number of best groups to choose experts from, 1 to `count`.
  int64_t chosen = 1;
};

/// The position of a value in a config: line and column, starting at 1. The
/// file is empty for a value without a position.
struct ConfigPlace {
  std::string file, key;
  unsigned line = 0, column = 0;
};

/// The networks of a model's experts.
enum class ExpertNetwork {
  SwiGLU,        ///< three GEMMs around a SiLU
  GeGLU,         ///< three GEMMs around a GELU (tanh form)
  ClampedSwiGLU, ///< three GEMMs around a clamped quick GELU (gpt_oss)
  GPTGelu,       ///< two GEMMs around a GELU (tanh form)
  GPTRelu,       ///< two GEMMs around a ReLU
  GPTRelu2,      ///< two GEMMs around the square of a ReLU
};

/// The widths of an attention, for all heads together.
struct AttentionWidths {
  /// Width of queries; of keys and values, as cached (grouped queries have
  /// fewer heads of them); and of the input of the output projection.
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

/// A warning about a config, with its position.
struct ConfigWarning {
  ConfigPlace place;
  std::string message;
};

/// The MoE layers of one model: sizes in elements, equal for all layers.
struct ModelConfig {
  std::string modelType;
  /// The first name of the family; empty for a user-defined family without a
  /// name.
  std::string family;
  /// Hidden size M.
  int64_t hiddenSize = 0;
  /// Hidden size H of one expert's feed-forward network.
  int64_t expertFFNSize = 0;
  /// Experts E per layer, without shared experts.
  int64_t numExperts = 0;
  /// Experts that return tokens unchanged. The gate scores them after the
  /// others, and copies for them are not sent to any rank.
  int64_t identityExperts = 0;
  /// Width of the routed experts' rows, or 0 if it is M. Narrower rows are
  /// latent vectors: each rank projects its tokens to them before the dispatch,
  /// and back after the combine.
  int64_t expertWidth = 0;
  /// Number k of experts that each token is sent to.
  int64_t topK = 0;
  /// Indices in the model of its MoE layers, ascending; without dense layers.
  std::vector<int64_t> moeLayers;
  /// Number of layers of the model, including dense ones.
  int64_t numLayers = 0;
  ExpertNetwork network = ExpertNetwork::SwiGLU;
  /// Hidden size of a dense layer's feed-forward network; 0 if the model has no
  /// dense layer or its config does not have the size.
  int64_t denseFFNSize = 0;
  /// Set if the config has the heads of its attention.
  std::optional<AttentionWidths> attention;
  /// The attention of layers with a sliding window, if its widths differ.
  std::optional<AttentionWidths> slidingAttention;
  /// The dense parts of each layer. Empty if every layer has one attention, and
  /// each layer without experts has one dense network.
  std::vector<LayerParts> parts;
  /// Position of the number of heads, or of its missing key.
  ConfigPlace headsPlace;
  /// The number of heads if it does not divide the hidden size, so that heads
  /// have no integral width; otherwise 0.
  int64_t unevenHeads = 0;

  ScoreFunction scores = ScoreFunction::Softmax;
  /// A gate that replaces the config's; see `applyGate`.
  std::optional<GateModule> gate;
  /// A bias per expert is added to the scores, but only for the choice.
  bool hasSelectionBias = false;
  /// A bias per expert is added to the logits.
  bool hasRouterBias = false;
  /// The experts' products have biases; this excludes shared experts.
  bool hasExpertBiases = false;
  /// A token's weights multiply the input of its experts instead of the output.
  bool weighsInputs = false;
  /// The config requests weights that sum to 1.
  bool normalizesTopK = false;
  /// Normalization also applies if only one expert is chosen.
  bool normalizesSingle = true;
  /// Factor for the weights of the routed experts, finite and positive.
  double routedScale = 1.0;
  /// The factor also applies to normalized weights.
  bool scalesNormalized = true;
  /// Set if the model chooses experts by groups.
  std::optional<ExpertGroups> groups;
  /// Positions of the router's sizes, for errors about inconsistent sizes.
  ConfigPlace topKPlace, groupCountPlace, chosenGroupsPlace;

  /// Hidden size of the shared expert, which processes every token; 0 if the
  /// model has none.
  int64_t sharedFFNSize = 0;
  /// Number of experts of `expertFFNSize` in the shared expert; 0 if its size
  /// is independent.
  int64_t numSharedExperts = 0;
  /// The shared expert's output is weighted by a sigmoid of the token.
  bool hasSharedGate = false;

  /// Features of the model that a module does not express, one phrase each.
  std::vector<std::string> leavesOut;
  /// Warnings about keys that occur twice.
  std::vector<ConfigWarning> warnings;

  int64_t getNumMatrices() const { return isGated() ? 3 : 2; }
  bool isGated() const { return network < ExpertNetwork::GPTGelu; }
  /// Number of experts that the gate scores.
  int64_t getScoredExperts() const { return numExperts + identityExperts; }
  /// Returns the number of experts that each token is sent to if choices are
  /// spread evenly, rounded up. Identity experts do not count.
  int64_t getSentTopK() const {
    return identityExperts == 0
               ? topK
               : int64_t(std::ceil(double(topK) * double(numExperts) /
                                   double(getScoredExperts())));
  }
  int64_t getExpertWidth() const {
    return expertWidth > 0 ? expertWidth : hiddenSize;
  }
  LayerParts getParts(int64_t layer) const;
  /// Returns the parts of the layers up to MoE layer `moeLayer`, an index into
  /// `moeLayers`, starting after the previous MoE layer.
  std::vector<LayerParts> listPartsUpTo(int64_t moeLayer) const;
  /// Returns the attention for these parts; `attention` must be set.
  const AttentionWidths &getAttention(const LayerParts &parts) const {
    return parts.isSliding && slidingAttention ? *slidingAttention : *attention;
  }
  /// Returns the number of weights of an attention's projections. A float,
  /// because the product of two sizes may not fit 64 bits. Without an argument,
  /// the weights of `attention`, which must be set.
  double getAttentionWeights(const AttentionWidths &widths) const;
  double getAttentionWeights() const { return getAttentionWeights(*attention); }
  /// Returns the number of GEMMs of these projections.
  static int64_t getAttentionGemms(const AttentionWidths &widths) {
    return widths.queryLatent > 0 ? 5 : 4;
  }
  int64_t getAttentionGemms() const { return getAttentionGemms(*attention); }
  /// Returns the mean widths of all attentions per layer, rounded up, with the
  /// heads of `attention`, which must be set.
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
  /// Returns true if tokens choose experts, so that the number of tokens per
  /// expert is not known in advance.
  bool tokensChoose() const { return getGate() < GateModule::ExpertChoice; }
  /// Returns true if the layer has no gate: its caller chooses the experts of
  /// each token.
  bool isGateOutside() const { return getGate() == GateModule::Outside; }

  /// Returns true if each token's weights are divided by their sum.
  bool normalizesWeights() const {
    return normalizesTopK && (topK > 1 || normalizesSingle);
  }
  /// Returns the factor for the weights after normalization.
  double weightScale() const {
    return normalizesWeights() && !scalesNormalized ? 1.0 : routedScale;
  }
};

/// Sizes that replace the config's, for making small copies of a model.
struct SizeOverrides {
  std::optional<int64_t> hiddenSize, expertFFNSize, sharedFFNSize, numExperts,
      topK, numGroups, topGroups;
};

/// Why a model cannot be read or built. An error at a position of the config
/// has the form `file:line:column: key: expected ..., got ...`; other errors
/// are about an option, which they name, or about the whole model.
class ImportError : public llvm::ErrorInfo<ImportError> {
public:
  static char ID;
  explicit ImportError(std::string message) : message(std::move(message)) {}
  ImportError(std::string file, unsigned line, unsigned column,
              std::string message)
      : file(std::move(file)), line(line), column(column),
        message(std::move(message)) {}
  /// Creates an error `'key': message` at the key's position.
  ImportError(const ConfigPlace &place, const llvm::Twine &message);

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  bool hasPlace() const { return line > 0; }
  llvm::StringRef getFile() const { return file; }
  /// Line and column, starting at 1, of the key, or of the start of the
  /// enclosing object if the key is missing.
  unsigned getLine() const { return line; }
  unsigned getColumn() const { return column; }
  llvm::StringRef getMessage() const { return message; }

private:
  std::string file;
  unsigned line = 0, column = 0;
  std::string message;
};

/// Creates an error without a position in the config.
llvm::Error makeImportError(const llvm::Twine &message);

/// Returns the supported values of `model_type`, in alphabetical order.
llvm::ArrayRef<llvm::StringRef> getSupportedModelTypes();

/// The text and name of a file that describes a family of models.
struct ConfigMap {
  llvm::StringRef text, file;
};

/// Reads the text of a `config.json`; `file` only names it in errors. Fails
/// with an ImportError at a position if:
/// - the text is not one JSON object as accepted by Python,
/// - the model type is unknown,
/// - a key is missing, of a wrong type or out of range,
/// - the dialect does not support the router or activation,
/// - the family does not read a key about routing or experts that is not in
///   `ignoredKeys`,
/// - a key in `ignoredKeys` is not such a key.
///
/// If `map` is given, it defines the keys instead of the known families
/// (docs/reference/model-configs.md, "Other families"); errors in it have
/// positions in it.
llvm::Expected<ModelConfig>
parseHFConfig(llvm::StringRef text, llvm::StringRef file,
              const ConfigMap *map = nullptr,
              llvm::ArrayRef<std::string> ignoredKeys = {});

/// Replaces the config's gate, before `applyOverrides`. Softmax and sigmoid
/// keep the config's groups, normalization and scale, and its bias if the
/// scores are unchanged; all other gates have weights of their own.
void applyGate(ModelConfig &config, GateModule gate);

/// Replaces sizes and checks that the sizes of `config` are then consistent:
/// top-k and expert groups with the number of experts. Must also be called
/// without overrides. Errors name the option that helps, or have the key's
/// position if all inconsistent sizes are the config's own. The size of a
/// shared expert made of whole experts follows the expert size unless it is
/// overridden; widths of attention and dense layers scale with the hidden size,
/// rounded up.
llvm::Error applyOverrides(ModelConfig &config, const SizeOverrides &overrides);

} // namespace moe

#endif // MOE_FRONTEND_MODELCONFIG_H
