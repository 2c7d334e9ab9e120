// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Per-rank sizes of an imported model.

#include "LayoutParts.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;

//===----------------------------------------------------------------------===//
// Capacity
//===----------------------------------------------------------------------===//

Expected<CapacityFactor> CapacityFactor::parse(StringRef text,
                                               StringRef option) {
  auto fail = [&] {
    return makeImportError(
        "--" + option +
        ": expected a decimal number greater "
        "than 0 and below 2147483648 with at most 9 digits after "
        "the point, got '" +
        text + "'");
  };
  StringRef whole = text, decimals;
  if (size_t point = text.find('.'); point != StringRef::npos) {
    whole = text.take_front(point);
    decimals = text.drop_front(point + 1);
  }
  if ((whole.empty() && decimals.empty()) || whole.size() > 10 ||
      decimals.size() > 9 || !all_of(whole, isDigit) ||
      !all_of(decimals, isDigit))
    return fail();
  CapacityFactor factor;
  factor.numerator = 0;
  // At most 19 digits with a first part below 2^31 stay below 2^63.
  for (char digit : whole)
    factor.numerator = factor.numerator * 10 + (digit - '0');
  if (factor.numerator > kMaxSize)
    return fail();
  for (char digit : decimals) {
    factor.numerator = factor.numerator * 10 + (digit - '0');
    factor.denominator *= 10;
  }
  if (factor.numerator == 0)
    return fail();
  return factor;
}

Expected<int64_t> CapacityFactor::getCapacity(int64_t topK, int64_t tokens,
                                              int64_t experts) const {
  constexpr unsigned kBits = 256;
  APInt copies =
      APInt(kBits, topK) * APInt(kBits, tokens) * APInt(kBits, numerator);
  APInt divisor = APInt(kBits, experts) * APInt(kBits, denominator);
  APInt capacity = (copies + divisor - 1).udiv(divisor);
  if (capacity.ugt(kMaxSize))
    return makeImportError(
        "--capacity-factor: expected a capacity of at most " + Twine(kMaxSize) +
        " slots an expert, got " + toString(capacity, 10, /*Signed=*/false));
  return capacity.getSExtValue();
}

int64_t CapacityFactor::getRows(int64_t copies, int64_t most) const {
  constexpr unsigned kBits = 256;
  APInt divisor(kBits, denominator);
  APInt rows = APInt(kBits, copies) * APInt(kBits, numerator);
  rows = (rows + divisor - 1).udiv(divisor);
  return rows.ugt(most) ? most : rows.getSExtValue();
}

int64_t moe::getCapacityMultiple(int64_t capacity, bool wantsEqualChunks) {
  constexpr int64_t kMostAdded = 16;
  if (wantsEqualChunks)
    for (int64_t multiple : {8, 4, 2})
      if (int64_t(llvm::alignTo(capacity, multiple)) - capacity <=
          capacity / kMostAdded)
        return multiple;
  return 1;
}

/// Adds the slots per expert, or the maximum number of rows to receive.
static Error addRows(const ModelConfig &config, const ImportOptions &options,
                     Layout &layout) {
  if (options.routing == Routing::Padded) {
    Expected<int64_t> capacity = options.capacityFactor.getCapacity(
        config.topK, layout.routedTokens, config.getScoredExperts());
    if (!capacity)
      return capacity.takeError();
    // A gather over slots within nodes needs chunks of equal size.
    int64_t multiple = options.capacityMultiple.value_or(getCapacityMultiple(
        *capacity, options.sequenceParallel && layout.esp > 1));
    int64_t rounded = llvm::alignTo(*capacity, multiple);
    if (rounded > kMaxSize)
      return makeImportError("--capacity-multiple: expected a capacity of at "
                             "most " +
                             Twine(kMaxSize) + " slots an expert, got " +
                             Twine(rounded));
    layout.exactCapacity = *capacity;
    layout.capacity = rounded;
    return Error::success();
  }
  // The experts of the same token are distinct. Factors are below 2^31 each.
  int64_t copies = layout.routedTokens * config.topK;
  int64_t most;
  if (MulOverflow(layout.ep * std::min(config.topK, layout.localExperts),
                  layout.routedTokens, most))
    most = std::numeric_limits<int64_t>::max();
  layout.receiveLimit = options.receiveFactor
                            ? options.receiveFactor->getRows(copies, most)
                            : most;
  int64_t joined = options.sequenceParallel ? layout.esp : 1;
  if (copies > kMaxSize || layout.receiveLimit > kMaxSize / joined)
    return makeImportError(
        "--receive-factor: expected at most " + Twine(kMaxSize) +
        " rows, got " + Twine(layout.receiveLimit) + " to receive on each of " +
        Twine(joined) + " ranks that share an expert and " + Twine(copies) +
        " to send");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// Fails when a tensor has 2^63 bytes or more.
static Error checkBytes(StringRef what, ArrayRef<int64_t> shape,
                        int64_t bytesPerElement) {
  int64_t bytes = bytesPerElement;
  for (int64_t size : shape)
    if (MulOverflow(bytes, size, bytes))
      return makeImportError(
          "expected tensors of less than 2^63 bytes, got " + what + " of [" +
          join(map_range(shape,
                         [](int64_t size) { return std::to_string(size); }),
               ", ") +
          "] elements");
  return Error::success();
}

/// Checks the options against each other and the model.
static Error checkDegrees(const ModelConfig &config,
                          const ImportOptions &options, int64_t esp) {
  if (Error error = checkDivides("ep", options.ep, "number of experts",
                                 config.numExperts))
    return error;
  // The layers do not shard it, but the surrounding attention does.
  if (Error error =
          checkDivides("tp", options.tp, "hidden size", config.hiddenSize))
    return error;
  if (options.tp % esp != 0)
    return makeImportError("--esp: expected a divisor of the " +
                           Twine(options.tp) + " tensor-parallel ranks, got " +
                           Twine(esp));
  if (Error error = checkDivides(options.esp ? "esp" : "tp", esp,
                                 "expert FFN size", config.expertFFNSize))
    return error;
  if (Error error = checkDivides("tp", options.tp, "shared expert FFN size",
                                 config.sharedFFNSize))
    return error;
  if (Error error =
          checkDivides("cp", options.cp, "sequence length", options.seqLen))
    return error;
  if (options.sequenceParallel)
    if (Error error = checkDivides("tp", options.tp,
                                   "sequence length (--sequence-parallel)" +
                                       Twine(options.cp > 1 ? " over cp" : ""),
                                   options.seqLen / options.cp))
      return error;
  int64_t numLayers = config.moeLayers.size();
  if (options.numLayers && *options.numLayers > numLayers)
    return makeImportError("--layers: expected at most the " +
                           Twine(numLayers) + " MoE layers of the model, got " +
                           Twine(*options.numLayers));
  return Error::success();
}

/// Adds the settings of the gate, and rejects unsupported combinations.
static Error addGate(const ModelConfig &config, const ImportOptions &options,
                     Layout &layout) {
  GateModule gate = config.getGate();
  if (config.isGateOutside() && !options.layer)
    return makeImportError("--gate=outside requires --phase=layer: only a "
                           "layer alone has a caller "
                           "that gives it expert ids and weights");
  if (!config.tokensChoose() && config.identityExperts > 0)
    return makeImportError("--gate=" + getGateName(gate) +
                           ": expected a gate of which tokens "
                           "choose experts, because the model has " +
                           Twine(config.identityExperts) +
                           " that give a token back as it is");
  if (!config.tokensChoose() && options.routing == Routing::Dropless)
    return makeImportError(
        "--gate=" + getGateName(gate) +
        ": expected --routing=padded, got --routing=dropless: that sends as "
        "many rows as tokens have chosen, and with this gate " +
        (gate == GateModule::SoftMoE
             ? "every slot is a mix of all tokens"
             : "each expert takes as many tokens as it has slots") +
        ", so that nothing is dropped for lack of them");
  auto goesWith = [&](StringRef option, bool isGiven, GateModule with) {
    return isGiven && gate != with
               ? makeImportError("--" + option +
                                 ": expected with --gate=" + getGateName(with) +
                                 ", got the gate " + getGateName(gate))
               : Error::success();
  };
  if (Error error = goesWith("gate-jitter", options.gateJitter.has_value(),
                             GateModule::Switch))
    return error;
  if (Error error =
          goesWith("gate-temperature", options.gateTemperature.has_value(),
                   GateModule::XMoE))
    return error;
  if (Error error =
          goesWith("gate-projection", options.gateProjection.has_value(),
                   GateModule::XMoE))
    return error;
  if (options.gateJitter &&
      !(*options.gateJitter > 0 && *options.gateJitter < 1))
    return makeImportError("--gate-jitter: expected a number between 0 and 1, "
                           "got " +
                           llvm::formatv("{0:f}", *options.gateJitter).str());
  if (options.gateTemperature && !(*options.gateTemperature > 0 &&
                                   std::isfinite(*options.gateTemperature)))
    return makeImportError(
        "--gate-temperature: expected a finite positive "
        "number, got " +
        llvm::formatv("{0:f}", *options.gateTemperature).str());
  if (gate == GateModule::XMoE)
    layout.projected = options.gateProjection.value_or(
        std::max<int64_t>(1, config.numExperts / 2));
  return Error::success();
}

Expected<Layout> moe::computeLayout(const ModelConfig &config,
                                    const ImportOptions &options) {
  int64_t esp = options.esp.value_or(options.foldEp ? 1 : options.tp);
  if (Error error = checkDegrees(config, options, esp))
    return error;

  Layout layout;
  if (Error error = addAxes(options, esp, layout))
    return error;
  layout.ep = options.ep;
  layout.tp = options.tp;
  layout.esp = esp;
  layout.cp = options.cp;
  layout.pp = options.pp;

  int64_t seqLen = options.seqLen / options.cp;
  if (options.sequenceParallel)
    seqLen /= options.tp;
  if (MulOverflow(options.microBatch, seqLen, layout.tokens) ||
      layout.tokens > kMaxSize)
    return makeImportError("expected at most " + Twine(kMaxSize) +
                           " tokens a rank, got a micro-batch of " +
                           Twine(options.microBatch) + " sequences of " +
                           Twine(seqLen));
  layout.sequences = options.microBatch;
  layout.routedTokens = layout.tokens;
  if (options.foldEp && !options.sequenceParallel) {
    if (Error error = checkDivides(
            "tp", options.tp, "tokens of a rank (--fold-ep)", layout.tokens))
      return error;
    layout.routedTokens /= options.tp;
  }
  layout.localExperts = config.numExperts / options.ep;
  if (Error error = addRows(config, options, layout))
    return error;
  if (Error error = addGate(config, options, layout))
    return error;
  layout.localFFNSize = config.expertFFNSize / esp;
  layout.localSharedFFNSize = config.sharedFFNSize / options.tp;
  layout.numLayers = options.numLayers.value_or(config.moeLayers.size());
  layout.stageLayers = layout.numLayers / options.pp;
  if (Error error = checkStages(config, options, layout))
    return error;

  // The largest tensors; all others are a part of one of them.
  int64_t gathered = options.sequenceParallel ? options.tp : 1;
  int64_t bytes = options.elements == ElementKind::F32 ? 4 : 2;
  if (Error error = checkBytes(
          "tokens", {gathered, layout.tokens, config.hiddenSize}, bytes))
    return error;
  if (Error error = checkBytes("expert slots",
                               {gathered, config.getScoredExperts(),
                                layout.capacity, config.hiddenSize},
                               bytes))
    return error;
  if (Error error =
          checkBytes("rows to receive",
                     {gathered, layout.receiveLimit, config.hiddenSize}, bytes))
    return error;
  if (Error error =
          checkBytes("expert weights",
                     {layout.localExperts, config.hiddenSize,
                      std::max(layout.localFFNSize, layout.localSharedFFNSize)},
                     bytes))
    return error;
  if (Error error =
          checkBytes("router weights",
                     {config.hiddenSize, config.getScoredExperts()}, bytes))
    return error;
  if (Error error = checkBytes("the projection of a gate",
                               {config.hiddenSize, layout.projected}, bytes))
    return error;
  if (config.getGate() == GateModule::SoftMoE) {
    // Soft gates have a weight for every pair of token and slot.
    if (Error error = checkBytes(
            "router weights",
            {config.hiddenSize, config.numExperts, layout.capacity}, bytes))
      return error;
    if (Error error =
            checkBytes("weights of tokens and slots",
                       {layout.tokens, config.numExperts, layout.capacity}, 4))
      return error;
  } else if (!config.tokensChoose()) {
    if (Error error = checkBytes("weights of tokens and experts",
                                 {layout.tokens, config.numExperts}, 4))
      return error;
  }
  if (options.train)
    if (Error error = addDenseCosts(config, options, layout))
      return error;
  addLatentCost(config, layout);
  if (Error error = addWork(config, options, layout))
    return error;
  return layout;
}
