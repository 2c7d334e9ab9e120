// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a model is spread over ranks.

#ifndef MOE_FRONTEND_IMPORTOPTIONS_H
#define MOE_FRONTEND_IMPORTOPTIONS_H

#include "moe/Frontend/ModelConfig.h"
#include "llvm/ADT/SmallVector.h"

namespace moe {

/// Element type of tokens, routers and experts.
enum class ElementKind { BF16, F16, F32 };

/// What happens to the copies of tokens that an expert gets too many of.
enum class Routing {
  /// An expert has so many slots for the tokens of each rank; copies beyond
  /// them are dropped, and free slots travel along.
  Padded,
  /// Nothing is dropped: as many rows travel as the gate has chosen.
  Dropless
};

/// A capacity or receive factor as the exact fraction its decimal notation is,
/// so that a capacity is never one too large by rounding.
struct CapacityFactor {
  int64_t numerator = 1;
  int64_t denominator = 1;

  /// Reads "1", "1.25", ".5": digits with at most nine after the point, more
  /// than 0 and below 2^31. Errors name `option`.
  static llvm::Expected<CapacityFactor> parse(llvm::StringRef text,
                                              llvm::StringRef option);

  /// ceil(f * copies), or `most` where that is less.
  int64_t getRows(int64_t copies, int64_t most) const;

  /// Slots per expert C = ceil(k * f * S / E) for S tokens of one rank; fails
  /// when C exceeds kMaxSize.
  llvm::Expected<int64_t> getCapacity(int64_t topK, int64_t tokens,
                                      int64_t experts) const;
};

/// Degrees of parallelism and sizes of one import. Ranks are counted per axis.
struct ImportOptions {
  /// Data-parallel, expert-parallel and tensor-parallel ranks.
  int64_t dp = 1, ep = 1, tp = 1;
  /// Ranks that share a sequence, and stages that the layers are cut into.
  int64_t cp = 1, pp = 1;
  /// Experts are spread over the tensor-parallel ranks, too, and over the
  /// context-parallel ones where `ep` is a multiple of both together: `ep`
  /// counts all of these ranks, and an expert is whole on its rank (Megatron's
  /// folding).
  bool foldEp = false;
  /// Stages lie farthest apart, data-parallel ranks inside of each; when not set
  /// or false, stages lie inside of the data-parallel ranks.
  std::optional<bool> stagesOutermost;
  /// Ranks an expert is sharded over; `tp` when not set. 1 replicates experts
  /// over the tensor-parallel ranks.
  std::optional<int64_t> esp;
  /// Tokens of a layer's input are split over the tensor-parallel ranks.
  bool sequenceParallel = false;
  /// Whether the forward layers mark the points for a user's own ops (SPEC
  /// FS-12).
  bool hooks = false;
  /// Sequences per data-parallel and expert-parallel rank, and tokens in each.
  int64_t microBatch = 1, seqLen = 1;
  /// Take the first so many MoE layers; all when not set.
  std::optional<int64_t> numLayers;
  ElementKind elements = ElementKind::BF16;
  Routing routing = Routing::Padded;
  /// Of padded layers: slots of an expert over its even share.
  CapacityFactor capacityFactor;
  /// Slots are rounded up to a multiple of this; see `getCapacityMultiple` when
  /// not set.
  std::optional<int64_t> capacityMultiple;
  /// Of dropless layers: the most rows a rank may receive over the S * k rows
  /// it receives when all tokens are spread evenly. Without it, as many as
  /// there can be.
  std::optional<CapacityFactor> receiveFactor;
  /// Of a switch gate: the jitter of its tokens, in (0, 1); none when not set.
  std::optional<double> gateJitter;
  /// Of an xmoe gate: what cosines are divided by, finite and positive, and the
  /// size that tokens are projected to, max(1, E / 2) when not set.
  std::optional<double> gateTemperature;
  std::optional<int64_t> gateProjection;
  /// A whole training step: forward pass, dense parts and backward pass.
  bool train = false;
  /// The first MoE layer alone, without its residual: a function of its forward
  /// and one of its backward pass. Not together with `train`.
  bool layer = false;
  /// The function's name: a C identifier, as compiled code is called
  /// `moe_NAME`; not that of the mesh, `mesh`.
  std::string entry = "main";
};

/// Multiply-accumulates of one rank, and the GEMMs they are done in.
struct GemmCount {
  int64_t macs = 0, gemms = 1;
};

/// What a dense part costs a rank, forward and for its two gradients, and how
/// many of its parameters the rank has.
struct DenseCost {
  GemmCount forward, dgrad, wgrad;
  int64_t parameters = 0;
};

/// What an attention costs. Under context parallelism the projections in front
/// of its scores are a part of their own.
struct AttentionCost {
  DenseCost cost;
  std::optional<DenseCost> projections;
  /// Columns of keys and values that context-parallel ranks gather, in pieces
  /// no wider than the hidden size.
  llvm::SmallVector<int64_t> contextWidths;
};

/// The sizes and groups of the module that a model and options give, all per
/// rank. docs/how-to/import-a-model.md has the pictures.
struct Layout {
  /// Mesh axes and their sizes, slowest first.
  llvm::SmallVector<llvm::StringRef> axes;
  llvm::SmallVector<int64_t> shape;
  /// Axes of the tensor-parallel group, and of the group that shards an
  /// expert (empty when esp = 1).
  llvm::SmallVector<llvm::StringRef> tpAxes, espAxes;
  /// Axes of the group whose ranks exchange tokens with experts.
  llvm::SmallVector<llvm::StringRef> epAxes;
  /// Axes along which ranks hold other sequences or parts of them, and so other
  /// tokens of one model; sequence parallelism adds those of the
  /// tensor-parallel group.
  llvm::SmallVector<llvm::StringRef> batchAxes;

  int64_t ep, tp, esp, cp, pp;
  /// Tokens S of a rank, and how many of them it routes: fewer where its
  /// tensor-parallel group holds the same and experts are folded over it.
  int64_t tokens, routedTokens;
  /// Of a padded layer slots C of an expert for the routed tokens, else the
  /// most rows R a rank receives.
  int64_t capacity = 0, receiveLimit = 0;
  /// Sequences that these are tokens of, of each as many.
  int64_t sequences;
  /// The slots of an expert before they were rounded up to a multiple.
  int64_t exactCapacity = 0;
  /// Experts of a rank, E / ep.
  int64_t localExperts;
  /// Size that an xmoe gate projects tokens to; 0 with other gates.
  int64_t projected = 0;
  /// A rank's part of the hidden size of an expert, H / esp, and of the shared
  /// expert, over tp; 0 when the model has none.
  int64_t localFFNSize, localSharedFFNSize;
  /// MoE layers taken, of all stages, and those of a stage.
  int64_t numLayers, stageLayers;
  /// Of a training step: an attention, an attention with a sliding window where
  /// it differs, and the feed-forward network of a dense layer when the model
  /// has such layers.
  std::optional<AttentionCost> attention, slidingAttention;
  std::optional<DenseCost> denseFFN;
  /// One projection of a layer's tokens to or from the latent vector that its
  /// experts work on. Every rank computes the whole projection.
  std::optional<DenseCost> latentProjection;
  /// Tokens of all ranks, and the operations that the model asks for on them:
  /// see `ModelWork`.
  int64_t batchTokens = 0;
  double modelFlops = 0;

  /// The attention of a layer with these parts; `attention` must be set.
  const AttentionCost &getAttention(const LayerParts &parts) const {
    return parts.isSliding && slidingAttention ? *slidingAttention : *attention;
  }
};

/// What slots are rounded up to a multiple of when nobody says it (SPEC FS-13):
/// 8 where chunks of one size are wanted, so that the layer can be cut in 2, 4
/// or 8; 4, 2 or 1 where 8 would add more than a sixteenth.
int64_t getCapacityMultiple(int64_t capacity, bool wantsEqualChunks);

/// Makes a model one whose stages all hold so many dense layers and, behind
/// them, so many MoE layers, 1 at least: the program of a stage of a model
/// whose stages differ. Where layers have other attentions each, they get their
/// mean.
void setStageLayers(ModelConfig &config, int64_t stages, int64_t moeLayers,
                    int64_t denseLayers);

/// Computes the layout; fails, naming the option, when a degree does not
/// divide what it splits, more layers are asked for than there are, or a
/// tensor or the number of ranks gets too large.
llvm::Expected<Layout> computeLayout(const ModelConfig &config,
                                     const ImportOptions &options);

} // namespace moe

#endif // MOE_FRONTEND_IMPORTOPTIONS_H
