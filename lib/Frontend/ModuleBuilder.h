// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the module of a model.

#ifndef MOE_LIB_FRONTEND_MODULEBUILDER_H
#define MOE_LIB_FRONTEND_MODULEBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Frontend/BuildModule.h"

namespace moe {

/// The symbol of a module's mesh.
inline constexpr llvm::StringLiteral kMeshName = "mesh";

/// Builds one module. The arguments of all layers are collected first, then
/// the function with all of them is made and its body filled layer by layer.
class ModuleBuilder {
public:
  ModuleBuilder(mlir::MLIRContext &context, const ModelConfig &config,
                const ImportOptions &options, const Layout &layout);

  mlir::OwningOpRef<mlir::ModuleOp> build();

private:
  using Value = mlir::Value;
  template <typename T, unsigned N = 4>
  using SmallVector = llvm::SmallVector<T, N>;

  /// Positions of a layer's weights among the arguments of `main`.
  struct LayerArguments {
    unsigned router = 0;
    std::optional<unsigned> bias, noise, projection, seed;
    SmallVector<unsigned, 3> experts;
    std::optional<unsigned> sharedGate;
    SmallVector<unsigned, 3> shared;
  };

  /// Offsets and sizes of runs of rows.
  struct RowRange {
    Value offsets, sizes;
  };
  /// What the forward pass of an exchange with experts hands to the backward
  /// pass; null where there is no such value.
  struct Exchange {
    /// What is routed; of a forward layer that its backward layer sees.
    Value tokens;
    /// Choice, weights and slots [S, k]; of experts that choose weights and
    /// slots [S, E]; where tokens and slots are mixes of each other the weights
    /// of both, [S, E, C].
    Value ids, weights, slots, mix;
    /// The rows the experts saw, and what came back into the slots.
    Value rows, buffer;
    /// For experts on latent vectors: the tokens after the first projection,
    /// and the operand of the second.
    Value projected, latent;
    /// Where nothing is dropped: the rows sent to and received from each rank
    /// on the way to the experts, [ep], and those of each expert.
    RowRange sent, received, runs;
    /// How many rows each rank has for each expert, which they follow from.
    Value counts;
  };
  enum class Direction { ToExperts, Back };
  struct SavedLayer {
    /// What entered the layer.
    Value tokens;
    Exchange routed, shared;
  };
  /// A dense part, as the forward pass ran it.
  struct SavedDense {
    std::string name;
    DenseCost cost;
    int64_t layer = 0;
    /// The rows it saw: under sequence parallelism those of all tp ranks.
    Value rows;
    /// An attention whose projections other ranks see in front of the rest of
    /// it, and the rows that these saw: under context parallelism.
    const AttentionCost *split = nullptr;
    Value rowsBefore;
  };
  /// An MoE layer and the dense parts before it.
  struct Step {
    SmallVector<SavedDense> dense;
    std::optional<SavedLayer> layer;
    int64_t index = 0;
    const LayerArguments *args = nullptr;
  };
  /// Gradients of the parameters, in the order of the forward pass.
  using Gradients = SmallVector<Value, 8>;

  //===--------------------------------------------------------------------===//
  // Arguments: BuildModule.cpp
  //===--------------------------------------------------------------------===//

  /// Adds an argument whose data varies over the given axes.
  unsigned addArgument(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape,
                       mlir::Type element,
                       llvm::ArrayRef<llvm::StringRef> varying);
  unsigned addArgument(const llvm::Twine &name, mlir::Type type,
                       llvm::ArrayRef<llvm::StringRef> varying);
  /// Adds the weights of experts [experts, hidden, ffn]: two inner ones where
  /// they are gated, else one, and the outer one; with biases a row more.
  SmallVector<unsigned, 3> addExperts(const llvm::Twine &name, int64_t experts,
                                      int64_t hidden, int64_t ffn, bool biased,
                                      llvm::ArrayRef<llvm::StringRef> varying);
  LayerArguments addLayerArguments(int64_t layer);

  //===--------------------------------------------------------------------===//
  // Forward: BuildModule.cpp
  //===--------------------------------------------------------------------===//

  /// One layer, residual included: tokens [S, M] to tokens [S, M]. In a
  /// training step the layer also hands out what its backward pass needs.
  Value buildLayer(Value tokens, Step &step);
  /// What the layer hands to its backward pass, in the order of its results.
  SmallVector<Value *> listSaved(SavedLayer &saved);
  /// Whether there is a backward pass.
  bool hasBackward() const { return options.train || options.layer; }
  /// The routed experts' share of a layer's result.
  Value buildRouted(Value tokens, const LayerArguments &args, Exchange &saved);
  //===--------------------------------------------------------------------===//
  // Gates and their gradients: BuildGate.cpp
  //===--------------------------------------------------------------------===//

  /// From tokens to what is sent to the experts: slots [ep, E/ep, C, M] or,
  /// where nothing is dropped, rows [S * k, M].
  Value sendTokens(Value tokens, const LayerArguments &args, Exchange &saved);
  /// From what has come back, `saved.buffer`, to tokens.
  Value collectTokens(const Exchange &saved);
  /// The same backward: from the gradient of what `collectTokens` gives to that
  /// of the buffer, and from that of what `sendTokens` gives to that of the
  /// tokens as far as they were sent.
  Value sendGradient(Value cotangent, const Exchange &saved);
  Value collectGradient(Value sent, const Exchange &saved);
  /// The gradient of the tokens as far as the weights depend on them; those of
  /// the gate's own weights go to `gradients`. `cotangent` is that of what
  /// `collectTokens` gives, `sent` that of what `sendTokens` gives.
  Value buildRouterGradient(Value cotangent, Value sent,
                            const SavedLayer &saved, const LayerArguments &args,
                            Gradients &gradients);
  GateKind getGateKind() const;
  mlir::FloatAttr getJitter();
  mlir::FloatAttr getTemperature();
  /// Projects tokens [S, M] to the experts' width, [S, W], and rows [S, W]
  /// back, if the experts' width is not the model's. `given` becomes the
  /// operand of the second projection.
  Value projectToExperts(Value tokens);
  Value projectFromExperts(Value rows, Value &given);
  /// The backward passes of the second and of the first projection. Gradients
  /// of weights go to `gradients`.
  Value projectGradientToExperts(Value cotangent, Value given,
                                 Gradients &gradients);
  Value projectGradientFromExperts(Value cotangent, Value tokens,
                                   Gradients &gradients);
  Value buildLatentProjection(Value rows, llvm::StringRef name);
  Value buildLatentGradient(Value cotangent, Value rows, llvm::StringRef name,
                            Gradients &gradients);
  /// Copies of the tokens times their weights, where these multiply what enters
  /// the experts.
  Value weighCopies(Value tokens, Value copies, const Exchange &exchange);
  /// The gradient of the tokens that were copied to a buffer: the sum over the
  /// copies, each of weight 1.
  Value sumCopies(Value buffer, Value slots, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Forward: BuildModule.cpp
  //===--------------------------------------------------------------------===//

  /// The expert networks on the slots [ep, E/ep, C, M] or rows [R, M] a rank
  /// has received.
  Value buildExperts(Value slots, const LayerArguments &args, Exchange &saved);
  /// The shared expert's share: DeepSeek's without a gate, Qwen's with one.
  Value buildShared(Value tokens, const LayerArguments &args, Exchange &saved);
  Value buildGatedShared(Value tokens, const LayerArguments &args,
                         Exchange &saved);
  /// The shared expert on rows [1, R, M], its parts over tp summed up. Under
  /// sequence parallelism the rows of all tp ranks meet before.
  Value applyShared(Value rows, const LayerArguments &args, Exchange &saved);

  /// Expert networks on `exchange.rows`.
  Value applyExperts(const Exchange &exchange, llvm::ArrayRef<unsigned> weights,
                     llvm::StringRef name, bool biased);
  /// Marks a point of the layer, where hooks were asked for.
  Value hook(HookPoint point, Value value);
  /// Rows [S, M] as [1, S, M], and back.
  Value expandRows(Value rows, llvm::StringRef name);
  Value collapseRows(Value rows, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Tokens to their experts and back: BuildExchange.cpp
  //===--------------------------------------------------------------------===//

  /// Copies of the tokens for the experts `exchange.ids`, as slots [ep, E/ep,
  /// C, M] or, where nothing is dropped, rows [S * k, M].
  Value orderTokens(Value tokens, Exchange &exchange);
  /// What the ranks tell each other once, and what follows for the exchange.
  void planExchange(Exchange &exchange);
  /// What follows, once `exchange.counts` are there.
  void planRows(Exchange &exchange);
  /// What the other ranks have sent: on the way to the experts slots or rows
  /// [R, M], on the way back slots or rows [S * k, M]. In dropless layers, rows
  /// that come from no rank keep the values of `kept`, if it is set.
  Value exchangeRows(Value rows, const Exchange &exchange, Direction direction,
                     llvm::StringRef name, Value kept = Value());
  /// The type of the slots of all experts that the gate scores.
  mlir::RankedTensorType getSlotType();
  /// Separates the slots or rows that are sent from the slots of identity
  /// experts, `kept`, which stays null in a model without identity experts. The
  /// second function joins both again.
  Value splitKept(Value rows, Value &kept, llvm::StringRef name);
  Value joinKept(Value rows, Value kept, llvm::StringRef name);
  /// Some slices along dim 0.
  Value sliceLeading(Value value, int64_t from, int64_t count,
                     llvm::StringRef name);
  /// Slots [ep, E/ep, C, M] by expert, [E/ep, ep, C, M], and back; rows stay.
  Value swapLeading(Value value, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Dense parts: BuildDense.cpp
  //===--------------------------------------------------------------------===//

  /// The dense parts of the layers after the MoE layer `from` (-1 for none),
  /// including the layer `to`, if there is such a layer.
  Value buildDenseParts(Value tokens, int64_t from, int64_t to, Step &step);
  /// One dense part with its residual addition.
  /// `attention` is null for a part that is none.
  Value buildDense(Value tokens, llvm::StringRef name, const DenseCost &cost,
                   const AttentionCost *attention, Step &step);
  /// From the gradient of the result of a part and its residual to that of its
  /// operand; the gradient of its weights goes to `gradients`.
  Value buildDenseGradient(Value cotangent, const SavedDense &saved,
                           Gradients &gradients);

  //===--------------------------------------------------------------------===//
  // Context-parallel ranks and stages: BuildContext.cpp, BuildStages.cpp
  //===--------------------------------------------------------------------===//

  /// What an attention sees of rows [S, M] whose sequences lie on several
  /// ranks: keys and values of all of these stand in the first columns. And
  /// from the gradient of that to the gradient of the rows.
  Value gatherContext(Value rows, llvm::ArrayRef<int64_t> widths,
                      llvm::StringRef name);
  Value gatherContextGradient(Value cotangent, llvm::ArrayRef<int64_t> widths,
                              llvm::StringRef name);
  /// The rows [S, M] that come from the stage before, or behind, for those
  /// that are sent to the other side; nothing, zeros, at the end.
  enum class StageDirection { Onwards, Back };
  Value sendToStage(Value rows, StageDirection direction, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Backward: BuildBackward.cpp
  //===--------------------------------------------------------------------===//

  /// From the gradient of a layer's result, residual included, to that of its
  /// operand.
  Value buildLayerGradient(Value cotangent, const Step &step,
                           Gradients &gradients);
  Value buildRoutedGradient(Value cotangent, const SavedLayer &saved,
                            const LayerArguments &args, Gradients &gradients);
  Value buildSharedGradient(Value cotangent, const SavedLayer &saved,
                            const LayerArguments &args, Gradients &gradients);
  /// From the gradient of what `applyShared` gives to that of its rows.
  Value buildAppliedSharedGradient(Value cotangent, const Exchange &saved,
                                   const LayerArguments &args,
                                   Gradients &gradients);
  /// Of experts on `exchange.rows`.
  Value buildExpertsDgrad(Value cotangent, const Exchange &exchange,
                          llvm::ArrayRef<unsigned> weights,
                          llvm::StringRef name, bool biased);
  /// Appends the gradients of weights, summed over the ranks of `axes`.
  void addExpertsWgrad(Value cotangent, const Exchange &exchange,
                       llvm::ArrayRef<unsigned> weights,
                       llvm::ArrayRef<llvm::StringRef> axes,
                       llvm::StringRef name, bool biased, Gradients &gradients);
  /// The sum of `gradient` over the ranks of those axes that have several.
  Value sumOver(Value gradient, llvm::ArrayRef<llvm::StringRef> axes,
                const llvm::Twine &name);
  /// The axes along which ranks hold other tokens, and all of them the same
  /// parameter as far as it does not vary over `varying`.
  SmallVector<llvm::StringRef>
  getTokenAxes(llvm::ArrayRef<llvm::StringRef> varying = {});
  /// The same of tokens that are routed.
  SmallVector<llvm::StringRef>
  getRoutedAxes(llvm::ArrayRef<llvm::StringRef> varying = {});

  //===--------------------------------------------------------------------===//
  // A layer's two functions: BuildLayerPrograms.cpp
  //===--------------------------------------------------------------------===//

  /// Fills the module with the functions of the first layer.
  void buildLayerPrograms(mlir::ModuleOp module);
  /// A function of the arguments so far, whose block becomes `entry`.
  mlir::func::FuncOp openFunction(llvm::StringRef name);
  void closeFunction(mlir::func::FuncOp func, mlir::ValueRange results);

  //===--------------------------------------------------------------------===//
  // Small things
  //===--------------------------------------------------------------------===//

  /// A location that names the place: "layer.3.dispatch", and in the backward
  /// pass "layer.3.bwd.dispatch".
  mlir::Location loc(const llvm::Twine &name) {
    return mlir::NameLoc::get(
        b.getStringAttr("layer." + llvm::Twine(layerIndex) +
                        (isBackward ? ".bwd" : "") + name));
  }
  GroupAttr group(llvm::ArrayRef<llvm::StringRef> axes) {
    return GroupAttr::get(
        mlir::FlatSymbolRefAttr::get(b.getContext(), kMeshName), axes);
  }
  mlir::RankedTensorType tensor(llvm::ArrayRef<int64_t> shape) {
    return mlir::RankedTensorType::get(shape, elementType);
  }
  Value argument(unsigned position) { return entry->getArgument(position); }
  SmallVector<Value, 3> getArguments(llvm::ArrayRef<unsigned> positions) {
    return llvm::map_to_vector<3>(
        positions, [&](unsigned position) { return argument(position); });
  }
  /// True when the parts of a shared expert lie on several ranks.
  bool isSharedSplit() const { return layout.tp > 1; }
  /// True when the ranks of a tensor-parallel group hold other tokens each and
  /// have to meet where each must see all.
  bool gathersTokens() const {
    return layout.tp > 1 && options.sequenceParallel;
  }
  /// Ranks whose rows of a sequence meet at a dense part, each with a piece.
  int64_t getShards() const {
    return gathersTokens() && layout.sequences > 1 ? layout.tp : 1;
  }
  /// True when ranks of a tensor-parallel group hold the same tokens and each
  /// routes a part of them, to experts that are folded over the group.
  bool sharesRouting() const { return layout.routedTokens != layout.tokens; }
  /// Each rank's part of what all ranks of its tensor-parallel group hold, and
  /// back: where they share the routing, else the value as it is.
  Value takeOwn(Value rows);
  Value joinOwn(Value rows);
  bool isDropless() const { return options.routing == Routing::Dropless; }
  /// True when the ranks that share an expert hold other tokens each: every
  /// part of the expert must see all of them.
  bool gathersRows() const {
    return layout.esp > 1 && options.sequenceParallel;
  }
  /// The dim of what the experts see along which the rows of ranks meet.
  int64_t getRowDim() const { return isDropless() ? 0 : 2; }
  ExpertsKind getExpertsKind() const {
    switch (config.network) {
    case ExpertNetwork::SwiGLU:
      return ExpertsKind::SwiGLU;
    case ExpertNetwork::GeGLU:
      return ExpertsKind::GeGLU;
    case ExpertNetwork::ClampedSwiGLU:
      return ExpertsKind::ClampedSwiGLU;
    case ExpertNetwork::GPTGelu:
    case ExpertNetwork::GPTRelu:
    case ExpertNetwork::GPTRelu2:
      return ExpertsKind::GPT;
    }
    llvm_unreachable("unknown network");
  }
  /// The activation of GPT experts, null where it is the usual one.
  ActivationAttr getActivation() {
    switch (config.network) {
    case ExpertNetwork::GPTRelu:
      return ActivationAttr::get(b.getContext(), Activation::Relu);
    case ExpertNetwork::GPTRelu2:
      return ActivationAttr::get(b.getContext(), Activation::Relu2);
    default:
      return {};
    }
  }

  mlir::OpBuilder b;
  const ModelConfig &config;
  const ImportOptions &options;
  const Layout &layout;
  mlir::Type elementType;
  /// The axes along which ranks hold other tokens.
  SmallVector<llvm::StringRef> tokenAxes;

  SmallVector<mlir::Type> argumentTypes;
  SmallVector<mlir::DictionaryAttr> argumentAttrs;
  SmallVector<mlir::Location> argumentLocs;
  mlir::Block *entry = nullptr;
  /// The layer being built and its phase, for locations.
  int64_t layerIndex = 0;
  bool isBackward = false;
};

} // namespace moe

#endif // MOE_LIB_FRONTEND_MODULEBUILDER_H
