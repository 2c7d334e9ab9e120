// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that distribute a model over ranks.

#ifndef MOE_FRONTEND_IMPORTOPTIONS_H
#define MOE_FRONTEND_IMPORTOPTIONS_H

#include "moe/Frontend/ModelConfig.h"
#include "llvm/ADT/SmallVector.h"

namespace moe {

/// Element type of tokens, routers and experts.
enum class ElementKind { BF16, F16, F32 };

/// Treatment of token copies beyond an expert's capacity.
enum class Routing {
  /// Each expert has a fixed number of slots for the tokens of each rank;
  /// copies beyond them are dropped, and free slots are sent, too.
  Padded,
  /// Nothing is dropped: the exchange sends as many rows as the gate has
  /// chosen.
  Dropless
};

/// A capacity or receive factor, stored as the exact fraction of its decimal
/// notation so that rounding cannot make a capacity one too large.
struct CapacityFactor {
  int64_t numerator = 1;
  int64_t denominator = 1;

  /// Parses "1", "1.25", ".5": digits with at most nine after the point, more
  /// than 0 and below 2^31. Errors name `option`.
  static llvm::Expected<CapacityFactor> parse(llvm::StringRef text,
                                              llvm::StringRef option);

  /// Returns ceil(f * copies), but at most `most`.
  int64_t getRows(int64_t copies, int64_t most) const;

  /// Returns the slots per expert, C = ceil(k * f * S / E), for S tokens of one
  /// rank. Fails if C exceeds kMaxSize.
  llvm::Expected<int64_t> getCapacity(int64_t topK, int64_t tokens,
                                      int64_t experts) const;
};

/// Parallelism degrees and sizes of one import. Ranks are counted per axis.
struct ImportOptions {
  /// Data-parallel, expert-parallel and tensor-parallel ranks.
  int64_t dp = 1, ep = 1, tp = 1;
  /// Context-parallel ranks, which share the same sequences, and pipeline
  /// stages.
  int64_t cp = 1, pp = 1;
  /// If set, experts are also spread over the tensor-parallel ranks, and over
  /// the context-parallel ranks if `ep` is a multiple of both together. `ep`
  /// counts all of these ranks, and each expert is whole on its rank
  /// (Megatron's folding).
  bool foldEp = false;
  /// If true, stages are the outermost axis, with data-parallel ranks inside
  /// each; otherwise, stages are inside the data-parallel ranks.
  std::optional<bool> stagesOutermost;
  /// Number of ranks that share one expert; `tp` if not set. 1 replicates
  /// experts over the tensor-parallel ranks.
  std::optional<int64_t> esp;
  /// If set, the tokens of the layers' inputs are split over the
  /// tensor-parallel ranks.
  bool sequenceParallel = false;
  /// If set, the forward layers mark the points for the user's own ops (SPEC
  /// FS-12).
  bool hooks = false;
  /// Sequences per data-parallel and expert-parallel rank, and tokens per
  /// sequence.
  int64_t microBatch = 1, seqLen = 1;
  /// Number of leading MoE layers to import; all if not set.
  std::optional<int64_t> numLayers;
  ElementKind elements = ElementKind::BF16;
  Routing routing = Routing::Padded;
  /// For padded layers: the slots per expert relative to its even share.
  CapacityFactor capacityFactor;
  /// Slots are rounded up to a multiple of this; `getCapacityMultiple` if not
  /// set.
  std::optional<int64_t> capacityMultiple;
  /// For dropless layers: the maximum number of rows that each rank receives,
  /// relative to the S * k rows with evenly spread tokens. Unlimited if not
  /// set.
  std::optional<CapacityFactor> receiveFactor;
  /// For switch gates: the jitter of the tokens, in (0, 1); none if not set.
  std::optional<double> gateJitter;
  /// For xmoe gates: the divisor of cosines, finite and positive, and the size
  /// of the projected tokens, which is max(1, E / 2) if not set.
  std::optional<double> gateTemperature;
  std::optional<int64_t> gateProjection;
  /// Imports a whole training step: forward pass, dense parts and backward
  /// pass.
  bool train = false;
  /// Imports only the first MoE layer, without its residual, as one function
  /// for its forward and one for its backward pass. Excludes `train`.
  bool layer = false;
  /// The function's name. It must be a C identifier, because compiled code is
  /// called `moe_NAME`, and differ from the mesh's name, `mesh`.
  std::string entry = "main";
};

/// Multiply-accumulates per rank, and their number of GEMMs.
struct GemmCount {
  int64_t macs = 0, gemms = 1;
};

/// Cost of a dense part per rank, forward and for its two gradients, and the
/// number of its parameters on the rank.
struct DenseCost {
  GemmCount forward, dgrad, wgrad;
  int64_t parameters = 0;
};

/// Cost of an attention. Under context parallelism, the projections before its
/// scores are a separate part.
struct AttentionCost {
  DenseCost cost;
  std::optional<DenseCost> projections;
  /// Numbers of columns of keys and values that context-parallel ranks gather,
  /// in pieces that are at most as wide as the hidden size.
  llvm::SmallVector<int64_t> contextWidths;
};

/// Sizes and groups of the module for a model and options, all per rank.
/// docs/how-to/import-a-model.md has pictures.
struct Layout {
  /// Mesh axes and their sizes, slowest first.
  llvm::SmallVector<llvm::StringRef> axes;
  llvm::SmallVector<int64_t> shape;
  /// Axes of the tensor-parallel group, and of the group that shares one expert
  /// (empty if esp = 1).
  llvm::SmallVector<llvm::StringRef> tpAxes, espAxes;
  /// Axes of the group that exchanges tokens with experts.
  llvm::SmallVector<llvm::StringRef> epAxes;
  /// Axes along which ranks hold different sequences or different parts of
  /// them, and therefore different tokens for the same model. Sequence
  /// parallelism adds the axes of the tensor-parallel group.
  llvm::SmallVector<llvm::StringRef> batchAxes;

  int64_t ep, tp, esp, cp, pp;
  /// Tokens S per rank, and the number of them that the rank routes, which is
  /// smaller if its tensor-parallel group holds the same tokens and experts are
  /// folded over it.
  int64_t tokens, routedTokens;
  /// For padded layers, slots C per expert for the routed tokens; otherwise,
  /// the maximum number of rows R that each rank receives.
  int64_t capacity = 0, receiveLimit = 0;
  /// Number of sequences that these tokens belong to, with equal length.
  int64_t sequences;
  /// Slots per expert before rounding up to a multiple.
  int64_t exactCapacity = 0;
  /// Experts per rank, E / ep.
  int64_t localExperts;
  /// Size of an xmoe gate's projected tokens; 0 for other gates.
  int64_t projected = 0;
  /// A rank's part of the hidden size of one expert, H / esp, and of the shared
  /// expert, over tp; 0 if the model has none.
  int64_t localFFNSize, localSharedFFNSize;
  /// Number of imported MoE layers, in total and per stage.
  int64_t numLayers, stageLayers;
  /// For training steps: an attention, an attention with a sliding window if it
  /// differs, and the feed-forward network of dense layers if the model has
  /// some.
  std::optional<AttentionCost> attention, slidingAttention;
  std::optional<DenseCost> denseFFN;
  /// One projection of tokens to or from the latent vector of the experts.
  /// Every rank computes the whole projection.
  std::optional<DenseCost> latentProjection;
  /// Tokens of all ranks, and the floating-point operations that the model
  /// requires for them; see `ModelWork`.
  int64_t batchTokens = 0;
  double modelFlops = 0;

  /// Returns the attention for these parts; `attention` must be set.
  const AttentionCost &getAttention(const LayerParts &parts) const {
    return parts.isSliding && slidingAttention ? *slidingAttention : *attention;
  }
};

/// Returns the default multiple for rounding up slots (SPEC FS-13): 8 if equal
/// chunks are required, so that the layer can be cut in 2, 4 or 8; or 4, 2 or 1
/// if 8 would add more than a sixteenth.
int64_t getCapacityMultiple(int64_t capacity, bool wantsEqualChunks);

/// Changes a model so that each stage holds `denseLayers` dense layers followed
/// by `moeLayers` >= 1 MoE layers. This gives the program of one stage of a
/// model with different stages. If layers have different attentions, all get
/// the mean.
void setStageLayers(ModelConfig &config, int64_t stages, int64_t moeLayers,
                    int64_t denseLayers);

/// Computes the layout. Fails if a degree does not divide the size that it
/// splits, if there are fewer layers than requested, or if a tensor or the
/// number of ranks is too large. The error names the option.
llvm::Expected<Layout> computeLayout(const ModelConfig &config,
                                     const ImportOptions &options);

} // namespace moe

#endif // MOE_FRONTEND_IMPORTOPTIONS_H
