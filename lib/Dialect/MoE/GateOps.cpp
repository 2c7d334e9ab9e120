// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates of all kinds.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// GateOp
//===----------------------------------------------------------------------===//

/// Emits an error if an operand or attribute is present with a kind of gate
/// that does not support it.
template <typename OpT>
static LogicalResult verifyGoesWith(OpT op, StringRef what, bool isThere,
                                    ArrayRef<GateKind> kinds) {
  if (!isThere || llvm::is_contained(kinds, op.getKind()))
    return success();
  InFlightDiagnostic diag = op.emitOpError()
                            << "expected no " << what << ": kind '"
                            << stringifyGateKind(op.getKind())
                            << "' has none, only ";
  for (auto [i, kind] : llvm::enumerate(kinds))
    diag << (i == 0                  ? ""
             : i + 1 == kinds.size() ? " and "
                                     : ", ")
         << "'" << stringifyGateKind(kind) << "'";
  return diag << (kinds.size() == 1 ? " has" : " have");
}

/// Gates that score each expert. A bias or expert groups may then affect the
/// choice.
static constexpr GateKind kScoreKinds[] = {GateKind::Softmax, GateKind::Sigmoid,
                                           GateKind::SqrtSoftplus};

/// Verifies the parts that only some kinds of gates have, for a gate and its
/// gradient.
template <typename OpT> static LogicalResult verifyKind(OpT op) {
  GateKind kind = op.getKind();
  StringRef name = stringifyGateKind(kind);
  if (failed(
          verifyGoesWith(op, "biased router", op.getBiased(), kScoreKinds)) ||
      failed(verifyGoesWith(op, "noise", op.getNoise() != nullptr,
                            {GateKind::GShard})) ||
      failed(verifyGoesWith(op, "jitter", op.getJitter().has_value(),
                            {GateKind::Switch})) ||
      failed(verifyGoesWith(op, "seed", op.getSeed() != nullptr,
                            {GateKind::Switch, GateKind::GShard})) ||
      failed(verifyGoesWith(op, "projection", op.getProjection() != nullptr,
                            {GateKind::XMoE})) ||
      failed(verifyGoesWith(op, "temperature", op.getTemperature().has_value(),
                            {GateKind::XMoE})))
    return failure();
  if (kind == GateKind::GShard && op.getNormalize())
    return op.emitOpError() << "expected no 'normalize': weights of kind "
                               "'gshard' add up to 1 without it";
  bool draws = op.getNoise() || op.getJitter();
  if (draws != (op.getSeed() != nullptr))
    return op.emitOpError()
           << (draws ? "expected a seed for the " : "expected no seed without ")
           << (kind == GateKind::Switch ? "jitter" : "noise");
  if (kind == GateKind::XMoE && (!op.getProjection() || !op.getTemperature()))
    return op.emitOpError()
           << "expected a "
           << (op.getProjection() ? "temperature" : "projection")
           << " for kind '" << name << "'";
  if (op.getJitter()) {
    double jitter = op.getJitter()->convertToDouble();
    if (!(jitter > 0 && jitter < 1))
      return op.emitOpError() << "expected a jitter in (0, 1), got " << jitter;
  }
  if (op.getTemperature()) {
    double temperature = op.getTemperature()->convertToDouble();
    if (!std::isfinite(temperature) || temperature <= 0)
      return op.emitOpError()
             << "expected a finite positive temperature, got " << temperature;
  }
  double scale = op.getScale().convertToDouble();
  if (!std::isfinite(scale) || scale <= 0)
    return op.emitOpError()
           << "expected a finite positive scale, got " << scale;
  return success();
}

/// Verifies the sizes of router, noise and projection against the tokens. The
/// router is applied to the tokens, or with a projection to the projected
/// tokens.
template <typename OpT>
static LogicalResult verifyRouter(OpT op, int64_t experts) {
  int64_t hidden = tensorOf(op.getTokens()).getDimSize(1);
  if (Value noise = op.getNoise();
      noise && (failed(verifyTensorRank(op, "the noise", noise, 2)) ||
                failed(verifyDimSize(op, "the noise", noise, 0, hidden)) ||
                failed(verifyDimSize(op, "the noise", noise, 1, experts))))
    return failure();
  if (Value projection = op.getProjection()) {
    if (failed(verifyTensorRank(op, "the projection", projection, 2)) ||
        failed(verifyDimSize(op, "the projection", projection, 0, hidden)))
      return failure();
    hidden = tensorOf(projection).getDimSize(1);
  }
  return verifyDimSize(op, "the router", op.getRouter(), 0,
                       addBias(hidden, op.getBiased()));
}

LogicalResult GateOp::verify() {
  if (failed(verifyTensorRank(*this, "tokens", getTokens(), 2)) ||
      failed(verifyTensorRank(*this, "the router", getRouter(), 2)) ||
      failed(verifyTensorRank(*this, "ids", getIds(), 2)) ||
      failed(verifyTensorRank(*this, "weights", getWeights(), 2)))
    return failure();
  RankedTensorType tokens = tensorOf(getTokens());
  int64_t experts = tensorOf(getRouter()).getDimSize(1);
  int64_t topK = getTopK();
  if (ShapedType::isDynamic(experts))
    return emitOpError() << "expected a static number of experts, got "
                         << getRouter().getType();
  if (topK < 1 || topK > experts)
    return emitOpError() << "expected top_k in [1, " << experts << "], got "
                         << topK;
  if (failed(
          verifyGoesWith(*this, "bias", getBias() != nullptr, kScoreKinds)) ||
      failed(verifyGoesWith(*this, "groups", getNumGroups().has_value(),
                            kScoreKinds)) ||
      failed(verifyKind(*this)))
    return failure();
  if (getKind() == GateKind::Switch && topK != 1)
    return emitOpError() << "expected top_k 1 for kind 'switch', got " << topK;
  if (failed(verifyRouter(*this, experts)) ||
      failed(verifyDimSize(*this, "ids", getIds(), 0, tokens.getDimSize(0))) ||
      failed(verifyDimSize(*this, "ids", getIds(), 1, topK)) ||
      failed(verifyDimSize(*this, "weights", getWeights(), 0,
                           tokens.getDimSize(0))) ||
      failed(verifyDimSize(*this, "weights", getWeights(), 1, topK)))
    return failure();
  if (failed(verifyHolds(*this, "ids", getIds(), experts)))
    return failure();
  if (getBias() &&
      (failed(verifyTensorRank(*this, "the bias", getBias(), 1)) ||
       failed(verifyDimSize(*this, "the bias", getBias(), 0, experts))))
    return failure();
  if (getNumGroups().has_value() != getTopGroups().has_value())
    return emitOpError() << "expected both group counts or neither";
  if (getNumGroups()) {
    int64_t all = *getNumGroups(), top = *getTopGroups();
    if (all < 1 || experts % all != 0)
      return emitOpError() << "expected the number of groups to divide the "
                           << experts << " experts, got " << all;
    if (top < 1 || top > all)
      return emitOpError() << "expected the groups to choose from in [1, "
                           << all << "], got " << top;
    if (top * (experts / all) < topK)
      return emitOpError() << "expected " << top << " groups of "
                           << experts / all
                           << " experts to hold top_k = " << topK << " experts";
  }
  return success();
}

DimMap GateOp::getDimMap() {
  // Tokens are scored independently unless a seed makes their positions matter.
  // The dim of the chosen experts is created here and its values are indices,
  // so it is touched.
  DimMap map;
  if (!getSeed())
    map.links = {{0, 0, 0, 0}, {0, 0, 1, 0}};
  map.opaqueOperandDims = {{0, 1}, {1, 0}};
  // The operands depend on the kind.
  unsigned next = getBias() ? 3 : 2;
  if (getNoise())
    map.opaqueOperandDims.push_back({next, 0});
  if (getProjection()) {
    map.opaqueOperandDims.push_back({next, 0});
    map.opaqueOperandDims.push_back({next, 1});
  }
  return map;
}

//===----------------------------------------------------------------------===//
// GateGradOp
//===----------------------------------------------------------------------===//

LogicalResult GateGradOp::verify() {
  if (failed(verifyTensorRank(*this, "tokens", getTokens(), 2)) ||
      failed(verifyTensorRank(*this, "the router", getRouter(), 2)) ||
      failed(verifyTensorRank(*this, "ids", getIds(), 2)) ||
      failed(verifyTensorRank(*this, "dw", getCotangent(), 2)))
    return failure();
  RankedTensorType tokens = tensorOf(getTokens());
  RankedTensorType ids = tensorOf(getIds());
  int64_t experts = tensorOf(getRouter()).getDimSize(1);
  if (ShapedType::isDynamic(experts))
    return emitOpError() << "expected a static number of experts, got "
                         << getRouter().getType();
  if (failed(verifyKind(*this)) || failed(verifyRouter(*this, experts)) ||
      failed(verifyDimSize(*this, "ids", getIds(), 0, tokens.getDimSize(0))) ||
      failed(
          verifyDimSize(*this, "dw", getCotangent(), 0, ids.getDimSize(0))) ||
      failed(verifyDimSize(*this, "dw", getCotangent(), 1, ids.getDimSize(1))))
    return failure();
  int64_t topK = ids.getDimSize(1);
  if (!ShapedType::isDynamic(topK) && (topK < 1 || topK > experts))
    return emitOpError() << "expected 1 to " << experts << " ids a token, got "
                         << topK;
  if (getKind() == GateKind::Switch && topK > 1)
    return emitOpError() << "expected 1 id a token for kind 'switch', got "
                         << topK;
  // The third result is the gradient of an operand that only some gates have.
  Value further = getNoise() ? getNoise() : getProjection();
  Value gradient = getFurtherGradient();
  if (!further != !gradient)
    return emitOpError() << (further
                                 ? "expected a third result, the gradient of "
                                   "the "
                                 : "expected no third result without noise or "
                                   "projection")
                         << (getNoise() ? "noise"
                             : further  ? "projection"
                                        : "");
  if (further && further.getType() != gradient.getType())
    return emitOpError() << "expected a third result of type "
                         << further.getType() << ", got " << gradient.getType();
  return success();
}

DimMap GateGradOp::getDimMap() {
  // The router's gradient sums over the tokens, so their dim is touched; the
  // experts' dim is indexed.
  DimMap map;
  map.opaqueOperandDims = {{0, 1}, {1, 0}};
  map.opaqueResultDims = {{0, 1}, {1, 0}};
  if (!getNoise() && !getProjection())
    return map;
  map.opaqueOperandDims.push_back({4, 0});
  map.opaqueResultDims.push_back({2, 0});
  if (getProjection()) {
    map.opaqueOperandDims.push_back({4, 1});
    map.opaqueResultDims.push_back({2, 1});
  }
  return map;
}

//===----------------------------------------------------------------------===//
// ExpertChoiceOp
//===----------------------------------------------------------------------===//

/// Verifies tokens, a router [M, experts] with a static number of experts,
/// slots [tokens, experts], and a value of the shape of slots that errors call
/// `what`.
template <typename OpT>
static LogicalResult verifyChoice(OpT op, StringRef what, Value value) {
  if (failed(verifyTensorRank(op, "tokens", op.getTokens(), 2)) ||
      failed(verifyTensorRank(op, "the router", op.getRouter(), 2)) ||
      failed(verifyTensorRank(op, "slots", op.getSlots(), 2)) ||
      failed(verifyTensorRank(op, what, value, 2)))
    return failure();
  RankedTensorType tokens = tensorOf(op.getTokens());
  int64_t experts = tensorOf(op.getRouter()).getDimSize(1);
  if (ShapedType::isDynamic(experts))
    return op.emitOpError() << "expected a static number of experts, got "
                            << op.getRouter().getType();
  if (failed(verifyDimSize(op, "the router", op.getRouter(), 0,
                           tokens.getDimSize(1))))
    return failure();
  for (auto [name, each] :
       {std::pair<StringRef, Value>("slots", op.getSlots()), {what, value}})
    if (failed(verifyDimSize(op, name, each, 0, tokens.getDimSize(0))) ||
        failed(verifyDimSize(op, name, each, 1, experts)))
      return failure();
  return success();
}

LogicalResult ExpertChoiceOp::verify() {
  if (failed(verifyChoice(*this, "weights", getWeights())))
    return failure();
  int64_t experts = tensorOf(getRouter()).getDimSize(1);
  int64_t capacity = getCapacity(), slots;
  if (capacity < 0)
    return emitOpError() << "expected a capacity of at least 0, got "
                         << capacity;
  if (llvm::MulOverflow(experts, capacity, slots))
    return emitOpError() << "number of slots overflows, got " << experts
                         << " experts of capacity " << capacity;
  return verifyHolds(*this, "slots", getSlots(), slots);
}

DimMap ExpertChoiceOp::getDimMap() {
  // Tokens compete with each other, and the numbers of experts matter, so both
  // dims are touched.
  DimMap map;
  map.opaqueOperandDims = {{0, 1}, {1, 0}};
  return map;
}

//===----------------------------------------------------------------------===//
// SoftGateOp
//===----------------------------------------------------------------------===//

/// Verifies tokens, a router [M, experts, slots], and values [tokens, experts,
/// slots] with their names in errors.
template <typename OpT>
static LogicalResult
verifySoftGate(OpT op, ArrayRef<std::pair<StringRef, Value>> values) {
  if (failed(verifyTensorRank(op, "tokens", op.getTokens(), 2)) ||
      failed(verifyTensorRank(op, "the router", op.getRouter(), 3)) ||
      failed(verifyDimSize(op, "the router", op.getRouter(), 0,
                           tensorOf(op.getTokens()).getDimSize(1))))
    return failure();
  RankedTensorType router = tensorOf(op.getRouter());
  for (auto [what, value] : values)
    if (failed(verifyTensorRank(op, what, value, 3)) ||
        failed(verifyDimSize(op, what, value, 0,
                             tensorOf(op.getTokens()).getDimSize(0))) ||
        failed(verifyDimSize(op, what, value, 1, router.getDimSize(1))) ||
        failed(verifyDimSize(op, what, value, 2, router.getDimSize(2))))
      return failure();
  return success();
}

LogicalResult SoftGateOp::verify() {
  return verifySoftGate(*this, {{"dispatch weights", getDispatch()},
                                {"combine weights", getCombine()}});
}

DimMap SoftGateOp::getDimMap() {
  // Dispatch weights are normalized over the tokens, and combine weights over
  // the slots.
  DimMap map;
  map.opaqueOperandDims = {{0, 1}, {1, 0}};
  return map;
}

//===----------------------------------------------------------------------===//
// SoftPermuteOp, SoftUnpermuteOp and SoftWgradOp
//===----------------------------------------------------------------------===//

/// Verifies the buffer [experts..., C, M], the weights [S, E, C] and the rows
/// [S, M] of a mix.
static LogicalResult verifyMix(Operation *op, Value rows, StringRef what,
                               Value weights, Value buffer) {
  RankedTensorType type = tensorOf(buffer);
  if (failed(verifyTensorRank(op, what, rows, 2)) ||
      failed(verifyTensorRank(op, "weights", weights, 3)))
    return failure();
  if (type.getRank() < 3)
    return op->emitOpError()
           << "expected a buffer [experts..., capacity, hidden] of rank at "
              "least 3, got "
           << type;
  int64_t experts = 1;
  for (int64_t size : type.getShape().drop_back(2))
    if (ShapedType::isDynamic(size))
      return op->emitOpError() << "expected static expert dims, got " << type;
    else if (llvm::MulOverflow(experts, size, experts))
      return op->emitOpError() << "number of experts overflows, got " << type;
  if (failed(verifyDimSize(op, "weights", weights, 0,
                           tensorOf(rows).getDimSize(0))) ||
      failed(verifyDimSize(op, "weights", weights, 1, experts)) ||
      failed(verifyDimSize(op, "weights", weights, 2,
                           type.getShape()[type.getRank() - 2])) ||
      failed(verifyDimSize(op, what, rows, 1, type.getShape().back())))
    return failure();
  if (type.getElementType() != tensorOf(rows).getElementType())
    return op->emitOpError()
           << "expected a buffer and " << what << " of one element type, got "
           << type.getElementType() << " and "
           << tensorOf(rows).getElementType();
  return success();
}

LogicalResult SoftPermuteOp::verify() {
  return verifyMix(*this, getTokens(), "tokens", getWeights(), getBuffer());
}

DimMap SoftPermuteOp::getDimMap() {
  DimMap map;
  unsigned hidden = tensorOf(getBuffer()).getRank() - 1;
  map.links = {{0, 1, 0, hidden}, {1, 2, 0, hidden - 1}};
  if (hidden == 2)
    map.links.push_back({1, 1, 0, 0});
  return map;
}

LogicalResult SoftUnpermuteOp::verify() {
  return verifyMix(*this, getResult(), "the result", getWeights(), getBuffer());
}

DimMap SoftUnpermuteOp::getDimMap() {
  DimMap map;
  unsigned hidden = tensorOf(getBuffer()).getRank() - 1;
  map.links = {{0, hidden, 0, 1}, {1, 0, 0, 0}};
  return map;
}

LogicalResult SoftWgradOp::verify() {
  return verifyMix(*this, getRows(), "rows", getResult(), getBuffer());
}

DimMap SoftWgradOp::getDimMap() {
  // A dot product reads both of its rows as a whole.
  DimMap map;
  unsigned hidden = tensorOf(getBuffer()).getRank() - 1;
  map.links = {{0, 0, 0, 0}, {1, hidden - 1, 0, 2}};
  if (hidden == 2)
    map.links.push_back({1, 0, 0, 1});
  map.opaqueOperandDims = {{0, 1}, {1, hidden}};
  return map;
}

//===----------------------------------------------------------------------===//
// Gradients of gates that mix or choose tokens
//===----------------------------------------------------------------------===//

LogicalResult ExpertChoiceGradOp::verify() {
  return verifyChoice(*this, "dw", getCotangent());
}

/// Returns dims for tokens that compete or are summed over, and a hidden dim
/// that is read as a whole.
static DimMap getCompetingDims() {
  DimMap map;
  map.opaqueOperandDims = {{0, 1}, {1, 0}};
  map.opaqueResultDims = {{0, 1}, {1, 0}};
  return map;
}

DimMap ExpertChoiceGradOp::getDimMap() { return getCompetingDims(); }

LogicalResult SoftGateGradOp::verify() {
  return verifySoftGate(*this, {{"ddispatch", getDispatchCotangent()},
                                {"dcombine", getCombineCotangent()}});
}

DimMap SoftGateGradOp::getDimMap() { return getCompetingDims(); }
