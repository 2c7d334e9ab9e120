// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of kernel ops beyond the table of kernels.
//
// They check single ops after `verifyKernel` has passed.

#include "Buffers.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe::rt;

/// Verifies the kinds of gates with noise, a projection and jitter.
template <typename OpT> static LogicalResult checkGateInputs(OpT op) {
  if (op.getKind() == moe::GateKind::Switch)
    return op.emitOpError() << "expected kind 'softmax', 'sigmoid', "
                               "'sqrtsoftplus', 'gshard' or 'xmoe', got "
                               "'switch'";
  moe::GateKind kind = op.getKind();
  if (op.getNoise() && kind != moe::GateKind::GShard)
    return op.emitOpError() << "expected noise with kind 'gshard' only";
  if ((kind == moe::GateKind::XMoE) != (op.getProjection() != nullptr) ||
      (kind == moe::GateKind::XMoE) != op.getTemperature().has_value())
    return op.emitOpError() << "expected a projection and a temperature with "
                               "kind 'xmoe', and with no other";
  if (op.getBiased() && kind != moe::GateKind::Softmax &&
      kind != moe::GateKind::Sigmoid && kind != moe::GateKind::SqrtSoftplus)
    return op.emitOpError() << "expected a biased router with kind 'softmax', "
                               "'sigmoid' or 'sqrtsoftplus' only";
  if (op.getJitter() && kind != moe::GateKind::Softmax)
    return op.emitOpError() << "expected jitter with kind 'softmax' only";
  if ((op.getSeed() != nullptr) !=
      (op.getNoise() || op.getJitter().has_value()))
    return op.emitOpError() << "expected a seed with noise or jitter, and "
                               "with nothing else";
  if (!op.getSeed())
    return success();
  auto seed = cast<MemRefType>(op.getSeed().getType());
  if (seed.getNumElements() != 1 || !seed.getElementType().isInteger(64))
    return op.emitOpError() << "expected a seed of one i64, got " << seed;
  return success();
}

/// The router is applied to the tokens, or with a projection to the projected
/// tokens.
template <typename OpT>
static LogicalResult checkRouter(OpT op, const KernelBuffers &buffers) {
  int64_t hidden = buffers.getDim(op.getProjection() ? "projected" : "hidden");
  return verifySize(op, "the router's hidden size", buffers.getDim("routed"),
                    moe::addBias(hidden, op.getBiased()));
}

LogicalResult GateOp::check() {
  if (failed(checkGateInputs(*this)))
    return failure();
  KernelBuffers buffers(*this);
  int64_t experts = buffers.getDim("experts");
  if (getTopK() < 1 || getTopK() > experts)
    return emitOpError() << "expected top_k in [1, " << experts << "], got "
                         << getTopK();
  if (getNumGroups() < 1 || experts % getNumGroups() != 0)
    return emitOpError() << "expected num_groups to divide the " << experts
                         << " experts, got " << getNumGroups();
  if (getTopGroups() < 1 || getTopGroups() > getNumGroups() ||
      getTopGroups() * (experts / getNumGroups()) < getTopK())
    return emitOpError() << "expected top_groups in [1, " << getNumGroups()
                         << "] that hold top_k experts, got " << getTopGroups();
  if (failed(checkRouter(*this, buffers)))
    return failure();
  return verifySize(*this, "dim 1 of a result", buffers.getDim("top_k"),
                    getTopK());
}

int64_t moe::rt::getExpertRows(const KernelArguments &args) {
  int64_t rows = args.getDim("rows"), experts = args.getDim("experts");
  if (args.has("run_offsets") || args.has("row_counts"))
    return rows;
  return experts ? rows / experts : 0;
}

/// Verifies a buffer [experts, rows..., M], or [rows, M] with runs or counts of
/// rows.
static LogicalResult checkRuns(KernelOpInterface op,
                               const KernelBuffers &buffers) {
  bool hasRuns = buffers.get("run_offsets") != nullptr;
  if (hasRuns != (buffers.get("run_sizes") != nullptr))
    return op->emitOpError() << "expected both offsets and sizes of runs, or "
                                "neither";
  Value counts = buffers.get("row_counts"), known = buffers.get("known_counts");
  if (counts && hasRuns)
    return op->emitOpError() << "expected runs or counts of rows, got both";
  if (known &&
      (!counts || !getElementTypeOrSelf(known.getType()).isInteger(64)))
    return op->emitOpError() << "expected known counts of i64 with counts of "
                                "rows only, got "
                             << known.getType();
  if (counts && (!getElementTypeOrSelf(counts.getType()).isIntOrIndex() ||
                 buffers.getDim("lists") != 1))
    return op->emitOpError() << "expected one list of integers as counts of "
                                "rows, got "
                             << counts.getType();
  hasRuns |= counts != nullptr;
  ArrayRef<int64_t> shape = shapeOf(buffers.get("x"));
  if (hasRuns ? shape.size() != 2 : shape.size() < 3)
    return op->emitOpError()
           << "expected x of rank " << (hasRuns ? "2 with runs" : "3 or more")
           << ", got " << buffers.get("x").getType();
  return hasRuns ? success()
                 : verifySize(op, "the experts of x", shape.front(),
                              buffers.getDim("experts"));
}

/// Verifies that weights and activation fit the kind.
template <typename OpT> static LogicalResult checkExperts(OpT op) {
  bool isGPT = op.getKind() == moe::ExpertsKind::GPT;
  KernelBuffers buffers(op);
  int64_t others = buffers.get("dy") ? 2 : 1;
  if (failed(verifySize(op, "the number of inputs", op.getInputs().size(),
                        others + (isGPT ? 2 : 3))) ||
      (buffers.get("dw1") &&
       failed(verifySize(op, "the number of outputs", op.getOutputs().size(),
                         isGPT ? 2 : 3))))
    return failure();
  if (op.getActivation() && !isGPT)
    return op->emitOpError() << "expected no activation with "
                             << moe::stringifyExpertsKind(op.getKind());
  if (failed(
          verifySize(op, "the rows of w1", buffers.getDim("w1_rows"),
                     moe::addBias(buffers.getDim("hidden"), op.getBiased()))) ||
      failed(verifySize(op, "the rows of w3", buffers.getDim("w3_rows"),
                        moe::addBias(buffers.getDim("ffn"), op.getBiased()))))
    return failure();
  int64_t inner = isGPT ? 1 : 2;
  if ((buffers.get("kept") &&
       failed(verifySize(op, "the parts of kept", buffers.getDim("kept_parts"),
                         inner))) ||
      (buffers.get("handed") &&
       failed(verifySize(op, "the parts of handed",
                         buffers.getDim("handed_parts"), inner + 1))))
    return failure();
  return checkRuns(op, buffers);
}

LogicalResult ExpertsOp::check() { return checkExperts(*this); }
LogicalResult ExpertsDgradOp::check() { return checkExperts(*this); }

static Type getElementOf(Operation *op, StringRef buffer) {
  Value value = KernelBuffers(cast<KernelOpInterface>(op)).get(buffer);
  return cast<MemRefType>(value.getType()).getElementType();
}

bool moe::rt::hasWideGradients(Operation *wgrad) {
  return getElementOf(wgrad, "dw1") != getElementOf(wgrad, "w1");
}

LogicalResult ExpertsWgradOp::check() {
  Type weights = getElementOf(*this, "w1"),
       gradients = getElementOf(*this, "dw1");
  bool isWider = gradients.isF32() && weights.getIntOrFloatBitWidth() < 32;
  if (gradients != weights && !isWider)
    return emitOpError() << "expected gradients of " << weights
                         << ", or of f32 if this is wider, got " << gradients;
  return checkExperts(*this);
}

LogicalResult GateGradOp::check() {
  if (failed(checkGateInputs(*this)))
    return failure();
  KernelBuffers buffers(*this);
  int64_t topK = buffers.getDim("top_k"), experts = buffers.getDim("experts");
  if (topK < 1 || topK > experts)
    return emitOpError() << "expected 1 to " << experts
                         << " experts a token, got " << topK;
  bool hasFurther = getNoise() || getProjection();
  if (failed(checkRouter(*this, buffers)) ||
      failed(verifySize(*this, "the number of outputs", getOutputs().size(),
                        hasFurther ? 3 : 2)))
    return failure();
  return hasFurther ? verifySize(*this, "dim 1 of the third output",
                                 buffers.getDim("further"),
                                 buffers.getDim(getProjection() ? "projected"
                                                                : "experts"))
                    : success();
}

LogicalResult PermuteRowsOp::check() {
  if (getExperts() < 1)
    return emitOpError() << "expected at least 1 expert, got " << getExperts();
  KernelBuffers buffers(*this);
  return verifySize(*this, "the number of rows", buffers.getDim("rows"),
                    buffers.getDim("tokens") * buffers.getDim("top_k"));
}

LogicalResult DistinctNodesOp::check() {
  if (getNodes() < 1 || getExperts() < 1 || getExperts() % getNodes() != 0)
    return emitOpError() << "expected a number of experts that divides by the "
                            "nodes, got "
                         << getExperts() << " experts on " << getNodes();
  KernelBuffers buffers(*this);
  int64_t most = std::min(buffers.getDim("top_k"), getNodes());
  int64_t width = buffers.getDim("width");
  if (width < 1 || width > most)
    return emitOpError() << "expected 1 to " << most << " nodes a token, got "
                         << width;
  return success();
}

/// Verifies rows, and the same rows as e4m3 with a scale for each block.
template <typename OpT> static LogicalResult checkBlocks(OpT op, Value rows) {
  KernelBuffers buffers(op);
  auto getElement = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getElementType();
  };
  Type element = getElement(rows);
  Type values = getElement(buffers.get("values"));
  Type scales = getElement(buffers.get("scales"));
  bool isNarrow = element.isF32() || element.isF16() || element.isBF16();
  if (!isNarrow || !isa<Float8E4M3FNType>(values) || !scales.isF32())
    return op.emitOpError() << "expected rows of f32, f16 or bf16, values of "
                               "f8E4M3FN and scales of f32, got "
                            << element << ", " << values << " and " << scales;
  if (op.getBlock() < 1)
    return op.emitOpError()
           << "expected blocks of at least one element, got " << op.getBlock();
  int64_t blocks =
      llvm::divideCeilSigned(buffers.getDim("hidden"), op.getBlock());
  return verifySize(op, "the scales of a row", buffers.getDim("blocks"),
                    blocks);
}

LogicalResult QuantizeOp::check() {
  return checkBlocks(*this, KernelBuffers(*this).get("x"));
}

LogicalResult DequantizeOp::check() {
  return checkBlocks(*this, KernelBuffers(*this).get("result"));
}

LogicalResult LimitChoicesOp::check() {
  int64_t limits = KernelBuffers(*this).getDim("groups");
  if (limits < 1 || getExperts() < 1 || getExperts() % limits != 0)
    return emitOpError() << "expected a number of experts that divides by the "
                            "limits, got "
                         << getExperts() << " experts and " << limits
                         << " limits";
  return success();
}

LogicalResult DenseOp::check() {
  if (getParts() < 1)
    return emitOpError() << "expected at least 1 part, got " << getParts();
  return success();
}

LogicalResult ExpertChoiceOp::check() {
  if (getCapacity() < 0)
    return emitOpError() << "expected a capacity of at least 0, got "
                         << getCapacity();
  return success();
}
