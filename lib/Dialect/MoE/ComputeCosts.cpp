// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution times of ops that compute.
//
// Experts, gates and their gradients count the multiply-accumulates of their
// GEMMs. Gradients of experts take one product per weight, and the inner
// products again if these were neither kept nor handed on. In a schedule, the
// operands show whether they were; before scheduling, the model predicts the
// result of `moe-schedule` (KeepProducts.h).

#include "ExpertRows.h"
#include "Models.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

namespace {

/// A number of GEMMs and their total multiply-accumulates.
struct Gemms {
  double macs;
  int64_t count = 1;
};

} // namespace

static double getSize(Value value) {
  return double(cast<RankedTensorType>(value.getType()).getNumElements());
}

static double getDim(Value value, unsigned dim) {
  return double(cast<RankedTensorType>(value.getType()).getDimSize(dim));
}

static Gemms countGemms(GateOp gate) {
  double logits = getSize(gate.getTokens()) * getDim(gate.getRouter(), 1);
  if (gate.getNoise())
    return {2 * logits, 2};
  if (!gate.getProjection())
    return {logits};
  double projected =
      getDim(gate.getTokens(), 0) * getSize(gate.getProjection());
  return {projected + getDim(gate.getTokens(), 0) * getSize(gate.getRouter()),
          2};
}

/// Each forward product has two gradient products, one per operand.
static Gemms countGemms(GateGradOp gate) {
  double logits = getSize(gate.getTokens()) * getDim(gate.getRouter(), 1);
  if (gate.getNoise())
    return {4 * logits, 4};
  if (!gate.getProjection())
    return {2 * logits, 2};
  double macs = getSize(gate.getProjection()) + getSize(gate.getRouter());
  return {2 * getDim(gate.getTokens(), 0) * macs, 4};
}
static Gemms countGemms(ExpertChoiceGradOp op) {
  return {2 * getDim(op.getTokens(), 0) * getSize(op.getRouter()), 2};
}
static Gemms countGemms(SoftGateGradOp op) {
  return {2 * getDim(op.getTokens(), 0) * getSize(op.getRouter()), 2};
}
static Gemms countGemms(SoftWgradOp mix) {
  return {getDim(mix.getRows(), 0) * getSize(mix.getBuffer())};
}

// Every token is multiplied with every element of the router, or with every
// slot.
static Gemms countGemms(ExpertChoiceOp op) {
  return {getDim(op->getOperand(0), 0) * getSize(op->getOperand(1))};
}
static Gemms countGemms(SoftGateOp op) {
  return {getDim(op->getOperand(0), 0) * getSize(op->getOperand(1))};
}
static Gemms countGemms(SoftPermuteOp mix) {
  return {getDim(mix.getTokens(), 0) * getSize(mix.getBuffer())};
}
static Gemms countGemms(SoftUnpermuteOp mix) {
  return {getDim(mix.getResult(), 0) * getSize(mix.getBuffer())};
}

// The one-hot tensor has one element for each pair of a token and a slot.
static Gemms countGemms(PermuteOp order) {
  return {getDim(order.getTokens(), 0) * getSize(order.getBuffer())};
}
static Gemms countGemms(UnpermuteOp unpermute) {
  return {getDim(unpermute.getResult(), 0) * getSize(unpermute.getBuffer())};
}

/// Every row is multiplied with every element of its expert's weights once.
template <typename OpT>
static Gemms countExpertGemms(OpT experts, double rows) {
  auto count = [&](ValueRange weights) {
    double perExpert = 0;
    for (Value weight : weights)
      perExpert += getDim(weight, 1) * getDim(weight, 2);
    return Gemms{rows * perExpert, static_cast<int64_t>(weights.size())};
  };
  ValueRange weights = experts.getExpertsWeights();
  Gemms gemms = count(weights);
  auto add = [&](Gemms more) {
    gemms.macs += more.macs;
    gemms.count += more.count;
  };
  if constexpr (std::is_same_v<OpT, ExpertsDgradOp>)
    if (multipliesAgain(experts))
      add(count(weights.drop_back()));
  // Weight gradients additionally recompute the products of `experts_dgrad`.
  if constexpr (std::is_same_v<OpT, ExpertsWgradOp>)
    if (multipliesAgain(experts))
      add(count(weights));
  return gemms;
}

/// Returns the operand that the preceding exchange brings.
static Value getExchanged(ExpertsOp op) { return op.getTokens(); }
static Value getExchanged(ExpertsDgradOp op) { return op.getCotangent(); }
static Value getExchanged(ExpertsWgradOp op) { return op.getCotangent(); }

template <typename OpT>
static FailureOr<cost::Microseconds> getTimeOfGemms(OpT op,
                                                    CostContext &context) {
  for (Value operand : op->getOperands())
    if (failed(getStaticBytes(op, operand)))
      return failure();
  Gemms gemms = countGemms(op);
  return getGemmTime(op, context, cost::Macs(gemms.macs), gemms.count);
}

namespace {

template <typename OpT>
struct GemmModel : public CostOpInterface::ExternalModel<GemmModel<OpT>, OpT> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    if (failed(getResultBytes(op)))
      return failure();
    return getTimeOfGemms(cast<OpT>(op), context);
  }
};

/// Experts, or their gradients: all rows of their buffer, or with runs the rows
/// that a gate sends.
template <typename OpT>
struct ExpertsModel
    : public CostOpInterface::ExternalModel<ExpertsModel<OpT>, OpT> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    auto experts = cast<OpT>(op);
    if (failed(getResultBytes(op)))
      return failure();
    for (Value operand : op->getOperands())
      if (failed(getStaticBytes(op, operand)))
        return failure();
    auto tokens = cast<RankedTensorType>(experts.getTokens().getType());
    FailureOr<double> rows =
        experts.getRunSizes() ? countExpertRows(op, getExchanged(experts),
                                                experts.getRunSizes(), context)
                              : double(tokens.getNumElements()) /
                                    double(tokens.getShape().back());
    if (failed(rows))
      return failure();
    Gemms gemms = countExpertGemms(experts, *rows);
    return getGemmTime(op, context, cost::Macs(gemms.macs), gemms.count);
  }
};

/// Permute or unpermute: a GEMM with a one-hot tensor (GShard), or a copy
/// (Tutel).
template <typename OpT>
struct OrderModel
    : public CostOpInterface::ExternalModel<OrderModel<OpT>, OpT> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    FailureOr<cost::Bytes> moved = getResultBytes(op);
    if (failed(moved))
      return failure();
    if (cast<OpT>(op).getOrdering() == Ordering::Einsum)
      return getTimeOfGemms(cast<OpT>(op), context);
    FailureOr<double> share =
        getShareOfNode(op, op->getOperand(0), /*ofCopies=*/false, context);
    if (failed(share))
      return failure();
    return getCopyTime(op, context, cost::Bytes(moved->value() * *share));
  }
};

/// A dense part: its stated time, or GEMMs with its stated
/// multiply-accumulates.
template <typename OpT>
struct DenseModel
    : public CostOpInterface::ExternalModel<DenseModel<OpT>, OpT> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    if (failed(getResultBytes(op)))
      return failure();
    auto dense = cast<OpT>(op);
    if (std::optional<APFloat> us = dense.getUs())
      return cost::Microseconds(us->convertToDouble());
    for (Value operand : op->getOperands())
      if (failed(getStaticBytes(op, operand)))
        return failure();
    return getGemmTime(op, context, cost::Macs(double(dense.getMacs())),
                       dense.getGemms());
  }
};

/// Reads a row of dy and the rows of its copies, and writes little: half the
/// bytes of a copy of as many rows.
struct UnpermuteWgradModel
    : public CostOpInterface::ExternalModel<UnpermuteWgradModel,
                                            UnpermuteWgradOp> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    auto wgrad = cast<UnpermuteWgradOp>(op);
    if (failed(getResultBytes(op)))
      return failure();
    FailureOr<cost::Bytes> rows = getStaticBytes(op, wgrad.getCotangent());
    FailureOr<cost::Bytes> slots = getStaticBytes(op, wgrad.getSlots());
    if (failed(rows) || failed(slots))
      return failure();
    double copies = getDim(wgrad.getSlots(), 1);
    FailureOr<double> share =
        getShareOfNode(op, wgrad.getCotangent(), /*ofCopies=*/false, context);
    if (failed(share))
      return failure();
    return getCopyTime(op, context,
                       cost::Bytes(*share * rows->value() * (copies + 1) / 2));
  }
};

template <template <typename> class Model, typename... OpTs>
void attachComputeModel(MLIRContext &context) {
  (OpTs::template attachInterface<Model<OpTs>>(context), ...);
}

} // namespace

void moe::attachComputeCosts(MLIRContext &context) {
  attachComputeModel<GemmModel, GateOp, ExpertChoiceOp, SoftGateOp,
                     SoftPermuteOp, SoftUnpermuteOp, GateGradOp,
                     ExpertChoiceGradOp, SoftGateGradOp, SoftWgradOp>(context);
  attachComputeModel<ExpertsModel, ExpertsOp, ExpertsDgradOp, ExpertsWgradOp>(
      context);
  attachComputeModel<OrderModel, PermuteOp, UnpermuteOp>(context);
  attachComputeModel<DenseModel, DenseOp, DenseDgradOp, DenseWgradOp>(context);
  UnpermuteWgradOp::attachInterface<UnpermuteWgradModel>(context);
}
