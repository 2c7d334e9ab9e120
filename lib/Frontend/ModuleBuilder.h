// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builder of the module for a model.

#ifndef MOE_LIB_FRONTEND_MODULEBUILDER_H
#define MOE_LIB_FRONTEND_MODULEBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/NameAttr.h"
#include "moe/Frontend/BuildModule.h"

namespace moe {

inline constexpr llvm::StringLiteral kMeshName = "mesh";

/// Builds one module. The arguments of all layers are collected first; then the
/// function with all of them is created, and its body is filled layer by layer.
class ModuleBuilder {
public:
  ModuleBuilder(mlir::MLIRContext &context, const ModelConfig &config,
                const ImportOptions &options, const Layout &layout);

  mlir::OwningOpRef<mlir::ModuleOp> build();

private:
  using Value = mlir::Value;
  template <typename T, unsigned N = 4>
  using SmallVector = llvm::SmallVector<T, N>;

  /// Positions of the layer's weights among the arguments of `main`.
  struct LayerArguments {
    /// Without a router, the arguments have the expert ids and the weights.
    std::optional<unsigned> router, ids, weights;
    std::optional<unsigned> bias, noise, projection, seed;
    SmallVector<unsigned, 3> experts;
    std::optional<unsigned> sharedGate;
    SmallVector<unsigned, 3> shared;
  };

  /// Offsets and sizes of runs of rows.
  struct RowRange {
    Value offsets, sizes;
  };
  /// Values that the forward pass of an exchange with experts saves for the
  /// backward pass; null if there is no such value.
  struct Exchange {
    /// The routed tokens of a forward layer, as read by its backward layer.
    Value tokens;
    /// Choice, weights and slots [S, k]. If experts choose, weights and slots
    /// are [S, E]. If tokens and slots are mixes of each other, the weights of
    /// both are [S, E, C].
    Value ids, weights, slots, mix;
    /// The experts' input rows, and the results that returned to the slots.
    Value rows, buffer;
    /// For experts on latent vectors: the tokens after the first projection,
    /// and the operand of the second.
    Value projected, latent;
    /// For dropless layers: the rows sent to and received from each rank on the
    /// way to the experts, [ep], and the rows of each expert.
    RowRange sent, received, runs;
    /// The number of rows from each rank for each expert, which determines
    /// them.
    Value counts;
  };
  enum class Direction { ToExperts, Back };
  struct SavedLayer {
    /// The layer's operand.
    Value tokens;
    Exchange routed, shared;
  };
  /// A dense part in the forward pass.
  struct SavedDense {
    std::string name;
    DenseCost cost;
    int64_t layer = 0;
    /// The rows that it read: under sequence parallelism, the rows of all tp
    /// ranks.
    Value rows;
    /// Under context parallelism: an attention with separate projections, which
    /// other ranks read before the rest of it, and the rows that the
    /// projections read.
    const AttentionCost *split = nullptr;
    Value rowsBefore;
  };
  /// An MoE layer and the preceding dense parts.
  struct Step {
    SmallVector<SavedDense> dense;
    std::optional<SavedLayer> layer;
    int64_t index = 0;
    const LayerArguments *args = nullptr;
  };
  /// The gradient of an argument of the function. There is no argument if it is
  /// not part of the module.
  struct Gradient {
    Value value;
    std::optional<unsigned> argument;
  };
  /// Gradients in the order of the forward pass.
  using Gradients = SmallVector<Gradient, 8>;

  //===--------------------------------------------------------------------===//
  // Arguments: BuildModule.cpp
  //===--------------------------------------------------------------------===//

  /// Adds an argument with data that varies over the given axes.
  unsigned addArgument(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape,
                       mlir::Type element,
                       llvm::ArrayRef<llvm::StringRef> varying);
  unsigned addArgument(const llvm::Twine &name, mlir::Type type,
                       llvm::ArrayRef<llvm::StringRef> varying);
  /// Adds the weights of experts [experts, hidden, ffn]: two inner matrices if
  /// gated, otherwise one, and the outer one; with biases, one more row.
  SmallVector<unsigned, 3> addExperts(const llvm::Twine &name, int64_t experts,
                                      int64_t hidden, int64_t ffn, bool biased,
                                      llvm::ArrayRef<llvm::StringRef> varying);
  LayerArguments addLayerArguments(int64_t layer);

  //===--------------------------------------------------------------------===//
  // Forward: BuildModule.cpp
  //===--------------------------------------------------------------------===//

  /// Builds one layer including its residual: tokens [S, M] to tokens [S, M].
  /// In a training step, the layer also returns the values for its backward
  /// pass.
  Value buildLayer(Value tokens, Step &step);
  /// Lists the values that the layer saves for its backward pass, in the order
  /// of its results.
  SmallVector<Value *> listSaved(SavedLayer &saved);
  bool hasBackward() const { return options.train || options.layer; }
  /// Builds the routed experts' share of the layer's result.
  Value buildRouted(Value tokens, const LayerArguments &args, Exchange &saved);
  //===--------------------------------------------------------------------===//
  // Gates and their gradients: BuildGate.cpp
  //===--------------------------------------------------------------------===//

  /// Builds the ops from tokens to the data sent to the experts: slots [ep,
  /// E/ep, C, M] or, for dropless layers, rows [S * k, M].
  Value sendTokens(Value tokens, const LayerArguments &args, Exchange &saved);
  /// Builds the ops from the returned data, `saved.buffer`, to tokens.
  Value collectTokens(const Exchange &saved);
  /// Backward counterparts: `sendGradient` maps the gradient of `collectTokens`
  /// to the gradient of the buffer, and `collectGradient` maps the gradient of
  /// `sendTokens` to the gradient of the tokens through the exchange.
  Value sendGradient(Value cotangent, const Exchange &saved);
  Value collectGradient(Value sent, const Exchange &saved);
  /// Builds the gradient of the tokens through the weights; null if the gate is
  /// outside. Appends the gradients of the gate's own weights, or of weights
  /// that are an argument, to `gradients`. `cotangent` is the gradient of
  /// `collectTokens`, `sent` the gradient of `sendTokens`.
  Value buildRouterGradient(Value cotangent, Value sent,
                            const SavedLayer &saved, const LayerArguments &args,
                            Gradients &gradients);
  GateKind getGateKind() const;
  mlir::FloatAttr getJitter();
  mlir::FloatAttr getTemperature();
  /// Project tokens [S, M] to the experts' width, [S, W], and rows [S, W] back,
  /// if the experts' width differs from the model's. `given` becomes the
  /// operand of the second projection.
  Value projectToExperts(Value tokens);
  Value projectFromExperts(Value rows, Value &given);
  /// Build the backward passes of the second and of the first projection.
  /// Gradients of weights are appended to `gradients`.
  Value projectGradientToExperts(Value cotangent, Value given,
                                 Gradients &gradients);
  Value projectGradientFromExperts(Value cotangent, Value tokens,
                                   Gradients &gradients);
  Value buildLatentProjection(Value rows, llvm::StringRef name);
  Value buildLatentGradient(Value cotangent, Value rows, llvm::StringRef name,
                            Gradients &gradients);
  /// Takes the caller's expert ids and weights for the tokens that this rank
  /// routes.
  void takeRouting(const LayerArguments &args, Exchange &exchange);
  /// Multiplies copies of the tokens by their weights, if these multiply the
  /// input of the experts.
  Value weighCopies(Value tokens, Value copies, const Exchange &exchange);
  /// Builds the gradient of the tokens that were copied to a buffer: the sum
  /// over the copies, each with weight 1.
  Value sumCopies(Value buffer, Value slots, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Forward: BuildModule.cpp
  //===--------------------------------------------------------------------===//

  /// Builds the expert networks on the received slots [ep, E/ep, C, M] or rows
  /// [R, M].
  Value buildExperts(Value slots, const LayerArguments &args, Exchange &saved);
  /// Builds the shared expert's share: DeepSeek's without a gate, Qwen's with
  /// one.
  Value buildShared(Value tokens, const LayerArguments &args, Exchange &saved);
  Value buildGatedShared(Value tokens, const LayerArguments &args,
                         Exchange &saved);
  /// Applies the shared expert to rows [1, R, M] and sums its parts over tp.
  /// Under sequence parallelism, this first gathers the rows of all tp ranks.
  Value applyShared(Value rows, const LayerArguments &args, Exchange &saved);

  /// Applies expert networks to `exchange.rows`.
  Value applyExperts(const Exchange &exchange, llvm::ArrayRef<unsigned> weights,
                     llvm::StringRef name, bool biased);
  /// Marks a point of the layer if hooks were requested.
  Value hook(HookPoint point, Value value);
  /// Convert rows [S, M] to [1, S, M], and back.
  Value expandRows(Value rows, llvm::StringRef name);
  Value collapseRows(Value rows, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Exchange of tokens with experts: BuildExchange.cpp
  //===--------------------------------------------------------------------===//

  /// Makes copies of the tokens for the experts `exchange.ids`, as slots [ep,
  /// E/ep, C, M] or, for dropless layers, rows [S * k, M].
  Value orderTokens(Value tokens, Exchange &exchange);
  /// Exchanges the counts between ranks once, and plans the exchange from them.
  void planExchange(Exchange &exchange);
  /// Plans the exchange from `exchange.counts`.
  void planRows(Exchange &exchange);
  /// Returns the data from the other ranks: slots or rows [R, M] on the way to
  /// the experts, slots or rows [S * k, M] on the way back. In dropless layers,
  /// rows that no rank sends keep the values of `kept`, if it is set.
  Value exchangeRows(Value rows, const Exchange &exchange, Direction direction,
                     llvm::StringRef name, Value kept = Value());
  /// Returns the type of the slots of all experts that the gate scores.
  mlir::RankedTensorType getSlotType();
  /// Separates the slots or rows that are sent from the slots of identity
  /// experts, `kept`, which stays null in a model without identity experts. The
  /// second function joins both again.
  Value splitKept(Value rows, Value &kept, llvm::StringRef name);
  Value joinKept(Value rows, Value kept, llvm::StringRef name);
  /// Returns `count` slices along dim 0.
  Value sliceLeading(Value value, int64_t from, int64_t count,
                     llvm::StringRef name);
  /// Transposes slots [ep, E/ep, C, M] to [E/ep, ep, C, M], and back; rows are
  /// unchanged.
  Value swapLeading(Value value, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Dense parts: BuildDense.cpp
  //===--------------------------------------------------------------------===//

  /// Builds the dense parts of the layers after the MoE layer `from` (-1 for
  /// none), including the layer `to` if it exists.
  Value buildDenseParts(Value tokens, int64_t from, int64_t to, Step &step);
  /// Builds one dense part with its residual addition. `attention` is null
  /// unless the part is an attention.
  Value buildDense(Value tokens, llvm::StringRef name, const DenseCost &cost,
                   const AttentionCost *attention, Step &step);
  /// Maps the gradient of a part's result, including the residual, to the
  /// gradient of its operand; appends the gradient of its weights to
  /// `gradients`.
  Value buildDenseGradient(Value cotangent, const SavedDense &saved,
                           Gradients &gradients);

  //===--------------------------------------------------------------------===//
  // Context-parallel ranks and stages: BuildContext.cpp, BuildStages.cpp
  //===--------------------------------------------------------------------===//

  /// Gathers keys and values of rows [S, M] with sequences on several ranks;
  /// they are represented by the first columns. The second function maps the
  /// gradient of the result to the gradient of the rows.
  Value gatherContext(Value rows, llvm::ArrayRef<int64_t> widths,
                      llvm::StringRef name);
  Value gatherContextGradient(Value cotangent, llvm::ArrayRef<int64_t> widths,
                              llvm::StringRef name);
  /// Sends rows [S, M] to the next or previous stage, and returns the rows from
  /// the stage on the other side; zeros at the end.
  enum class StageDirection { Onwards, Back };
  Value sendToStage(Value rows, StageDirection direction, llvm::StringRef name);

  //===--------------------------------------------------------------------===//
  // Backward: BuildBackward.cpp
  //===--------------------------------------------------------------------===//

  /// Maps the gradient of the layer's result, including the residual, to the
  /// gradient of its operand.
  Value buildLayerGradient(Value cotangent, const Step &step,
                           Gradients &gradients);
  Value buildRoutedGradient(Value cotangent, const SavedLayer &saved,
                            const LayerArguments &args, Gradients &gradients);
  Value buildSharedGradient(Value cotangent, const SavedLayer &saved,
                            const LayerArguments &args, Gradients &gradients);
  /// Maps the gradient of the result of `applyShared` to the gradient of its
  /// rows.
  Value buildAppliedSharedGradient(Value cotangent, const Exchange &saved,
                                   const LayerArguments &args,
                                   Gradients &gradients);
  /// Builds the dgrad of experts on `exchange.rows`.
  Value buildExpertsDgrad(Value cotangent, const Exchange &exchange,
                          llvm::ArrayRef<unsigned> weights,
                          llvm::StringRef name, bool biased);
  /// Appends the gradients of weights, summed over the ranks of `axes`.
  void addExpertsWgrad(Value cotangent, const Exchange &exchange,
                       llvm::ArrayRef<unsigned> weights,
                       llvm::ArrayRef<llvm::StringRef> axes,
                       llvm::StringRef name, bool biased, Gradients &gradients);
  /// Sums `gradient` over the ranks of the axes that have several.
  Value sumOver(Value gradient, llvm::ArrayRef<llvm::StringRef> axes,
                const llvm::Twine &name);
  /// Returns the axes along which ranks hold different tokens but the same
  /// parameter, which varies over `varying`.
  SmallVector<llvm::StringRef>
  getTokenAxes(llvm::ArrayRef<llvm::StringRef> varying = {});
  /// The same for routed tokens.
  SmallVector<llvm::StringRef>
  getRoutedAxes(llvm::ArrayRef<llvm::StringRef> varying = {});

  //===--------------------------------------------------------------------===//
  // A layer's two functions: BuildLayerPrograms.cpp
  //===--------------------------------------------------------------------===//

  /// Fills the module with the functions of the first layer.
  void buildLayerPrograms(mlir::ModuleOp module);
  /// Opens a function with the current arguments; its block becomes `entry`.
  mlir::func::FuncOp openFunction(llvm::StringRef name);
  /// `names` has a name per result; an empty one is left out.
  void closeFunction(mlir::func::FuncOp func, mlir::ValueRange results,
                     llvm::ArrayRef<std::string> names);

  //===--------------------------------------------------------------------===//
  // Helpers
  //===--------------------------------------------------------------------===//

  /// Returns a location with the name of the place: "layer.3.dispatch", or
  /// "layer.3.bwd.dispatch" in the backward pass.
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
  /// Returns true if the shared expert is split over several ranks.
  bool isSharedSplit() const { return layout.tp > 1; }
  /// Returns true if the ranks of a tensor-parallel group hold different
  /// tokens, so that ops on all tokens need a gather.
  bool gathersTokens() const {
    return layout.tp > 1 && options.sequenceParallel;
  }
  /// Returns the number of ranks that each contribute a piece of every sequence
  /// to a dense part.
  int64_t getShards() const {
    return gathersTokens() && layout.sequences > 1 ? layout.tp : 1;
  }
  /// Returns true if ranks of a tensor-parallel group hold the same tokens and
  /// each routes a part of them, to experts that are folded over the group.
  bool sharesRouting() const { return layout.routedTokens != layout.tokens; }
  /// Take each rank's part of the data that all ranks of its tensor-parallel
  /// group hold, and join the parts again. The value is unchanged unless
  /// routing is shared.
  Value takeOwn(Value rows);
  Value joinOwn(Value rows);
  bool isDropless() const { return options.routing == Routing::Dropless; }
  /// Returns true if the ranks that share one expert hold different tokens, so
  /// that every part of the expert must see all of them.
  bool gathersRows() const {
    return layout.esp > 1 && options.sequenceParallel;
  }
  /// Returns the dim of the experts' input along which the rows of ranks are
  /// gathered.
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
  /// Returns the activation of GPT experts; null for the default.
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
  /// The axes along which ranks hold different tokens.
  SmallVector<llvm::StringRef> tokenAxes;

  SmallVector<mlir::Type> argumentTypes;
  SmallVector<mlir::DictionaryAttr> argumentAttrs;
  SmallVector<mlir::Location> argumentLocs;
  SmallVector<std::string> argumentNames;
  mlir::Block *entry = nullptr;
  /// The current layer and its phase, for locations.
  int64_t layerIndex = 0;
  bool isBackward = false;
};

} // namespace moe

#endif // MOE_LIB_FRONTEND_MODULEBUILDER_H
