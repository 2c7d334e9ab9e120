// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mesh of an imported model.

#include "LayoutParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;

Error moe::checkDivides(StringRef option, int64_t divisor, const Twine &what,
                        int64_t size) {
  if (size % divisor == 0)
    return Error::success();
  return makeImportError("--" + option + ": expected a divisor of the " + what +
                         " " + Twine(size) + ", got " + Twine(divisor));
}

Error moe::addAxes(const ImportOptions &options, int64_t esp, Layout &layout) {
  int64_t apart = options.ep;
  layout.epAxes = {"ep"};
  if (options.foldEp) {
    if (options.esp && *options.esp != 1)
      return makeImportError("--esp: expected 1 with --fold-ep, which keeps an "
                             "expert whole on its rank, got " +
                             Twine(*options.esp));
    // Mesh order: tp, then ep, then cp.
    bool foldsContext =
        options.cp > 1 && options.ep % (options.tp * options.cp) == 0;
    int64_t folded = foldsContext ? options.tp * options.cp : options.tp;
    if (options.ep % folded != 0)
      return makeImportError(
          "--ep: expected a multiple of the " + Twine(options.tp) +
          " tensor-parallel ranks (--fold-ep), got " + Twine(options.ep));
    apart = options.ep / folded;
    layout.epAxes = {"ep", "tp"};
    if (foldsContext)
      layout.epAxes.insert(layout.epAxes.begin(), "cp");
  }
  auto add = [&](StringRef axis, int64_t size, bool isOptional) {
    if (isOptional && size == 1)
      return;
    layout.axes.push_back(axis);
    layout.shape.push_back(size);
    if (axis == "dp" || axis == "cp" || axis == "ep")
      layout.batchAxes.push_back(axis);
  };
  if (options.stagesOutermost.value_or(false))
    add("pp", options.pp, /*isOptional=*/true);
  add("dp", options.dp, /*isOptional=*/false);
  if (!options.stagesOutermost.value_or(false))
    add("pp", options.pp, /*isOptional=*/true);
  add("cp", options.cp, /*isOptional=*/true);
  add("ep", apart, /*isOptional=*/false);
  add("tp", options.tp, /*isOptional=*/false);
  layout.tpAxes = {"tp"};
  if (esp > 1)
    layout.espAxes = {"tp"};
  if (esp > 1 && esp < options.tp) {
    // The ranks that share one expert are neighbors, because they exchange
    // most.
    layout.axes.push_back("esp");
    layout.shape.back() = options.tp / esp;
    layout.shape.push_back(esp);
    layout.tpAxes.push_back("esp");
    layout.espAxes = {"esp"};
  }
  int64_t ranks = 1;
  for (int64_t size : layout.shape)
    if (MulOverflow(ranks, size, ranks) || ranks > kMaxSize)
      return makeImportError(
          "expected at most " + Twine(kMaxSize) + " ranks, got dp " +
          Twine(options.dp) +
          (options.pp > 1 ? " x pp " + Twine(options.pp) : Twine()) +
          (options.cp > 1 ? " x cp " + Twine(options.cp) : Twine()) + " x ep " +
          Twine(apart) + " x tp " + Twine(options.tp));
  return Error::success();
}

int64_t moe::countLayers(const ModelConfig &config, int64_t numMoELayers) {
  // A complete model ends with its last layer, a truncated one with an MoE
  // layer.
  bool isWhole = numMoELayers == static_cast<int64_t>(config.moeLayers.size());
  return isWhole ? config.numLayers : config.moeLayers[numMoELayers - 1] + 1;
}

Error moe::checkStages(const ModelConfig &config, const ImportOptions &options,
                       const Layout &layout) {
  if (layout.numLayers % options.pp != 0)
    return makeImportError("--pp: expected a divisor of the " +
                           Twine(layout.numLayers) + " MoE layers, got " +
                           Twine(options.pp) +
                           "; --stage-layers imports one of stages that differ");
  if (options.pp == 1 || !options.train)
    return Error::success();
  ArrayRef<int64_t> layers = config.moeLayers;
  auto countDense = [&](int64_t i) {
    return layers[i] - (i > 0 ? layers[i - 1] : -1) - 1;
  };
  for (int64_t i = layout.stageLayers; i < layout.numLayers; ++i)
    if (countDense(i) != countDense(i % layout.stageLayers))
      return makeImportError(
          "--pp: expected stages with as many dense layers each, which one "
          "program of all ranks can hold, got " +
          Twine(countDense(i % layout.stageLayers)) +
          " in front of MoE layer " + Twine(i % layout.stageLayers) +
          " of the first stage and " + Twine(countDense(i)) +
          " at that place of stage " + Twine(i / layout.stageLayers));
  for (int64_t i = layout.stageLayers; i < layout.numLayers; ++i)
    if (config.listPartsUpTo(i) != config.listPartsUpTo(i % layout.stageLayers))
      return makeImportError(
          "--pp: expected stages with the same attentions and dense networks "
          "each, which one program of all ranks can hold, got different ones "
          "before MoE layer " +
          Twine(i % layout.stageLayers) + " of the first stage and of stage " +
          Twine(i / layout.stageLayers));
  if (countLayers(config, layout.numLayers) > layers[layout.numLayers - 1] + 1)
    return makeImportError("--pp: expected a model that ends with an MoE "
                           "layer, got dense layers behind the last one");
  return Error::success();
}

namespace {
/// The dense parts of all MoE layers, and of all other layers.
struct StageParts {
  LayerParts ofMoE{1, 0}, ofDense{1, 1};
  /// `ModelConfig::getParts` returns the same if `parts` is empty.
  bool areUsual = true;
};
} // namespace

/// Gives all MoE layers of a model the same dense parts, and likewise all other
/// layers, and clears `config.parts`. If the layers differ in their attentions,
/// each gets one attention of the mean widths.
static StageParts makeAlike(ModelConfig &config) {
  StageParts alike;
  if (config.parts.empty())
    return alike;
  int attentions = config.parts.front().attentions;
  bool areSame = llvm::all_of(config.parts, [&](const LayerParts &parts) {
    return parts.attentions == attentions && !parts.isSliding;
  });
  if (areSame) {
    alike.ofMoE.attentions = alike.ofDense.attentions = attentions;
  } else if (config.attention) {
    config.attention = config.getMeanAttention();
    config.slidingAttention.reset();
  }
  int64_t beside = 0, own = 0;
  auto ofMoE = int64_t(config.moeLayers.size());
  for (auto [layer, parts] : llvm::enumerate(config.parts))
    (llvm::is_contained(config.moeLayers, int64_t(layer)) ? beside : own) +=
        parts.denseFFNs;
  alike.ofMoE.denseFFNs = int(llvm::divideNearest(beside, ofMoE));
  if (int64_t others = config.numLayers - ofMoE; others > 0)
    alike.ofDense.denseFFNs = int(llvm::divideNearest(own, others));
  config.parts.clear();
  alike.areUsual =
      alike.ofMoE == LayerParts{1, 0} && alike.ofDense == LayerParts{1, 1};
  return alike;
}

void moe::setStageLayers(ModelConfig &config, int64_t stages, int64_t moeLayers,
                         int64_t denseLayers) {
  StageParts parts = makeAlike(config);
  config.numLayers = stages * (moeLayers + denseLayers);
  config.moeLayers.clear();
  for (int64_t layer = 0; layer < config.numLayers; ++layer) {
    bool isMoE = layer % (moeLayers + denseLayers) >= denseLayers;
    if (isMoE)
      config.moeLayers.push_back(layer);
    if (!parts.areUsual)
      config.parts.push_back(isMoE ? parts.ofMoE : parts.ofDense);
  }
}
