//===- MoERTOps.cpp - Verifiers of the moert dialect ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Dialect/MoERT/MoERTOps.h"
#include "Buffers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe::rt;

#define GET_OP_CLASSES
#include "moe/Dialect/MoERT/MoERTOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

FailureOr<int64_t> moe::rt::getElementBytes(Type elementType) {
  if (elementType.isIndex())
    return 8;
  if (!isa<IntegerType, FloatType>(elementType))
    return failure();
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (width == 0)
    return failure();
  if (width <= 8 && isa<IntegerType>(elementType))
    return 1;
  if (width == 8 || width == 16 || width == 32 || width == 64)
    return width / 8;
  return failure();
}

bool moe::rt::isBuffer(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() || failed(getElementBytes(type.getElementType())))
    return false;
  // Upstream knows no strides of a buffer without elements; it needs none.
  return type.getNumElements() == 0 ||
         (succeeded(type.getStridesAndOffset(strides, offset)) &&
          !llvm::is_contained(strides, ShapedType::kDynamic));
}

bool moe::rt::isContiguous(MemRefType type) {
  return (type.hasStaticShape() && type.getNumElements() == 0) ||
         type.areTrailingDimsContiguous(type.getRank());
}

//===----------------------------------------------------------------------===//
// Checks the ops share
//===----------------------------------------------------------------------===//

static int64_t countElements(Value value) {
  return cast<MemRefType>(value.getType()).getNumElements();
}

/// Checks that `large` holds `count` times the elements of `small`.
static LogicalResult verifyMultiple(Operation *op, StringRef largeName,
                                    Value large, StringRef smallName,
                                    Value small, int64_t count) {
  if (failed(verifyElementType(op, {large, small})))
    return failure();
  int64_t expected;
  if (llvm::MulOverflow(countElements(small), count, expected) ||
      countElements(large) != expected)
    return op->emitOpError()
           << "expected the " << largeName << " to hold " << count
           << " times the " << countElements(small) << " elements of the "
           << smallName << ", got " << countElements(large);
  return success();
}

static int64_t sizeOf(Value comm) {
  return cast<CommType>(comm.getType()).getSize();
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

LogicalResult StreamOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (getPriority() < 0)
    return emitOpError() << "expected a priority of at least 0, got "
                         << getPriority();
  return success();
}

LogicalResult
CommunicatorOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  return verifySize(*this, "the communicator's size",
                    getComm().getType().getSize(), *size);
}

LogicalResult
GroupRankOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return success(succeeded(verifyGroup(*this, getGroup())));
}

LogicalResult ArenaOp::verify() {
  MemRefType type = getMemory().getType();
  if (type.getRank() == 1 && type.getElementType().isInteger(8))
    return success();
  return emitOpError() << "expected a memref of rank 1 with elements of type "
                          "i8, got "
                       << type;
}

LogicalResult DestroyOp::verify() {
  if (isa_and_nonnull<EventOp, ArenaOp>(getObject().getDefiningOp()))
    return success();
  return emitOpError() << "expected an event or arena made by its op in this "
                          "function, got a value of type "
                       << getObject().getType();
}

//===----------------------------------------------------------------------===//
// Local work
//===----------------------------------------------------------------------===//

LogicalResult LaunchFuncOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  return success();
}

/// Checks a call of `body` against the function of that name.
static LogicalResult verifyCall(Operation *op,
                                SymbolTableCollection &symbolTable,
                                FlatSymbolRefAttr body, ValueRange inputs,
                                ValueRange outputs) {
  auto function =
      symbolTable.lookupNearestSymbolFrom<FunctionOpInterface>(op, body);
  if (!function)
    return op->emitOpError()
           << "expected " << body << " to be a function of this module";
  if (function.isExternal())
    return op->emitOpError() << "expected " << body << " to have a body";
  SmallVector<Type> types(inputs.getTypes());
  llvm::append_range(types, outputs.getTypes());
  if (function.getArgumentTypes() != ArrayRef<Type>(types))
    return op->emitOpError()
           << "expected buffers of the types that " << body
           << " takes: " << function.getArgumentTypes() << ", got " << types;
  if (!function.getResultTypes().empty())
    return op->emitOpError() << "expected " << body << " to have no result";
  return success();
}

LogicalResult
LaunchFuncOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyCall(*this, symbolTable, getBodyAttr(), getInputs(),
                    getOutputs());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyCall(*this, symbolTable, getBodyAttr(), getInputs(),
                    getOutputs());
}

LogicalResult CallOp::verify() {
  for (Value output : getOutputs())
    if (!output.getDefiningOp<HostBufferOp>())
      return emitOpError() << "expected outputs made by moert.host_buffer in "
                              "this function";
  return success();
}

LogicalResult CopyOp::verify() {
  if (failed(verifyElementType(*this, {getSource(), getTarget()})))
    return failure();
  if (shapeOf(getSource()) != shapeOf(getTarget()))
    return emitOpError() << "expected one shape, got " << getSource().getType()
                         << " and " << getTarget().getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(getTarget().getType().getStridesAndOffset(strides, offset)))
    return emitOpError() << "expected a strided target";
  // Elements are apart when each stride reaches over all that is inside.
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : llvm::zip_equal(shapeOf(getTarget()), strides)) {
    if (size == 0)
      return success();
    if (size > 1)
      dims.emplace_back(stride, size);
  }
  llvm::sort(dims);
  int64_t reach = 1;
  for (auto [stride, size] : dims) {
    int64_t last;
    if (stride < reach || llvm::MulOverflow(stride, size - 1, last) ||
        llvm::AddOverflow(reach, last, reach))
      return emitOpError()
             << "expected a target whose elements do not overlap, got "
             << getTarget().getType();
  }
  return success();
}

/// What goes with noise, a projection and jitter.
static LogicalResult verifyGateInputs(GateOp op) {
  moe::GateKind kind = op.getKind();
  if (op.getNoise() && kind != moe::GateKind::GShard)
    return op.emitOpError() << "expected noise with kind 'gshard' only";
  if ((kind == moe::GateKind::XMoE) != (op.getProjection() != nullptr) ||
      (kind == moe::GateKind::XMoE) != op.getTemperature().has_value())
    return op.emitOpError() << "expected a projection and a temperature with "
                               "kind 'xmoe', and with no other";
  if (op.getJitter() && kind != moe::GateKind::Softmax)
    return op.emitOpError() << "expected jitter with kind 'softmax' only";
  if ((op.getSeed() != nullptr) !=
      (op.getNoise() || op.getJitter().has_value()))
    return op.emitOpError() << "expected a seed with noise or jitter, and "
                               "with nothing else";
  int64_t hidden = shapeOf(op.getTokens())[1];
  if (op.getNoise() &&
      failed(verifyShape(op, "noise", op.getNoise(),
                         {hidden, shapeOf(op.getRouter())[1]})))
    return failure();
  if (op.getProjection() &&
      (failed(verifyRank(op, "projection", op.getProjection(), 2)) ||
       failed(verifySize(op, "the projection's hidden size",
                         shapeOf(op.getProjection())[0], hidden))))
    return failure();
  if (op.getSeed() &&
      (countElements(op.getSeed()) != 1 ||
       !getElementTypeOrSelf(op.getSeed().getType()).isInteger(64)))
    return op.emitOpError()
           << "expected a seed of one i64, got " << op.getSeed().getType();
  return success();
}

LogicalResult GateOp::verify() {
  if (failed(verifyRank(*this, "tokens", getTokens(), 2)) ||
      failed(verifyRank(*this, "router", getRouter(), 2)) ||
      failed(verifyRank(*this, "ids", getIds(), 2)) ||
      failed(verifyRank(*this, "weights", getWeights(), 2)))
    return failure();
  if (getKind() == GateKind::Switch)
    return emitOpError() << "expected kind 'softmax', 'sigmoid', 'gshard' or "
                            "'xmoe', got 'switch'";
  if (failed(verifyGateInputs(*this)))
    return failure();
  int64_t experts = shapeOf(getRouter())[1];
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
  if (getBias() && (failed(verifyRank(*this, "bias", getBias(), 1)) ||
                    failed(verifySize(*this, "the bias's size",
                                      shapeOf(getBias())[0], experts))))
    return failure();
  int64_t tokens = shapeOf(getTokens())[0];
  Value routed = getProjection() ? getProjection() : getTokens();
  if (failed(verifySize(*this, "the router's hidden size",
                        shapeOf(getRouter())[0], shapeOf(routed)[1])))
    return failure();
  for (Value result : {getIds(), getWeights()})
    if (failed(verifySize(*this, "dim 0 of a result", shapeOf(result)[0],
                          tokens)) ||
        failed(verifySize(*this, "dim 1 of a result", shapeOf(result)[1],
                          getTopK())))
      return failure();
  return success();
}

LogicalResult OrderOp::verify() {
  if (failed(verifyRank(*this, "tokens", getTokens(), 2)) ||
      failed(verifyRank(*this, "ids", getIds(), 2)) ||
      failed(verifyElementType(*this, {getTokens(), getBuffer()})))
    return failure();
  if (getIds().getType() != getSlots().getType())
    return emitOpError() << "expected ids and slots of one type, got "
                         << getIds().getType() << " and "
                         << getSlots().getType();
  if (shapeOf(getBuffer()).size() < 3)
    return emitOpError() << "expected a buffer of rank 3 or more, got "
                         << getBuffer().getType();
  if (failed(verifySize(*this, "the number of tokens", shapeOf(getTokens())[0],
                        shapeOf(getIds())[0])))
    return failure();
  return verifySize(*this, "the buffer's hidden size",
                    shapeOf(getBuffer()).back(), shapeOf(getTokens())[1]);
}

LogicalResult moe::rt::verifyExpertInputs(Operation *op, ValueRange inputs,
                                          moe::ExpertsKind kind,
                                          bool hasActivation) {
  bool isGPT = kind == ExpertsKind::GPT;
  if (failed(
          verifySize(op, "the number of inputs", inputs.size(), isGPT ? 3 : 4)))
    return failure();
  if (hasActivation && !isGPT)
    return op->emitOpError() << "expected no activation with swiglu";
  ArrayRef<int64_t> shape = shapeOf(inputs.front());
  if (shape.size() < 3)
    return op->emitOpError() << "expected tokens of rank 3 or more, got "
                             << inputs.front().getType();
  if (failed(verifyRank(op, "a weight", inputs[1], 3)))
    return failure();
  int64_t ffn = shapeOf(inputs[1])[2];
  for (auto [i, weight] : llvm::enumerate(inputs.drop_front())) {
    bool last = i + 2 == inputs.size();
    SmallVector<int64_t> expected{shape.front(), last ? ffn : shape.back(),
                                  last ? shape.back() : ffn};
    if (shapeOf(weight) != ArrayRef<int64_t>(expected))
      return op->emitOpError()
             << "expected a weight of " << expected[0] << "x" << expected[1]
             << "x" << expected[2] << ", got " << weight.getType();
  }
  return success();
}

LogicalResult ExpertsOp::verify() {
  if (failed(verifyExpertInputs(*this, getInputs(), getKind(),
                                getActivation().has_value())) ||
      failed(verifyElementType(*this, getOperands().drop_front())))
    return failure();
  return verifyShape(*this, "the result", getResult(),
                     shapeOf(getInputs().front()));
}

LogicalResult UnorderOp::verify() {
  if (failed(verifyRank(*this, "slots", getSlots(), 2)) ||
      failed(verifyRank(*this, "result", getResult(), 2)) ||
      failed(verifyElementType(*this, {getBuffer(), getResult()})))
    return failure();
  if (shapeOf(getSlots()) != shapeOf(getWeights()))
    return emitOpError() << "expected slots and weights of one shape, got "
                         << getSlots().getType() << " and "
                         << getWeights().getType();
  if (shapeOf(getBuffer()).size() < 2)
    return emitOpError() << "expected a buffer of rank 2 or more, got "
                         << getBuffer().getType();
  if (failed(verifySize(*this, "the number of tokens", shapeOf(getResult())[0],
                        shapeOf(getSlots())[0])))
    return failure();
  return verifySize(*this, "the result's hidden size", shapeOf(getResult())[1],
                    shapeOf(getBuffer()).back());
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult AllToAllOp::verify() {
  if (failed(verifyMultiple(*this, "target", getTarget(), "source", getSource(),
                            1)))
    return failure();
  if (countElements(getSource()) % sizeOf(getComm()) == 0)
    return success();
  return emitOpError() << "expected elements that divide by the "
                       << sizeOf(getComm()) << " ranks, got "
                       << countElements(getSource());
}

LogicalResult AllGatherOp::verify() {
  return verifyMultiple(*this, "target", getTarget(), "source", getSource(),
                        sizeOf(getComm()));
}

LogicalResult ReduceScatterOp::verify() {
  return verifyMultiple(*this, "source", getSource(), "target", getTarget(),
                        sizeOf(getComm()));
}

LogicalResult AllReduceOp::verify() {
  return verifyMultiple(*this, "target", getTarget(), "source", getSource(), 1);
}

LogicalResult RaggedAllToAllOp::verify() {
  if (failed(verifyElementType(*this, {getSource(), getTarget()})))
    return failure();
  ArrayRef<int64_t> source = shapeOf(getSource()),
                    target = shapeOf(getTarget());
  if (source.empty() || target.empty() ||
      source.drop_front() != target.drop_front())
    return emitOpError() << "expected rows of one shape, got "
                         << getSource().getType() << " and "
                         << getTarget().getType();
  MemRefType counts = cast<MemRefType>(getSendOffsets().getType());
  if (counts.getRank() != 1 || counts.getDimSize(0) != sizeOf(getComm()) ||
      !counts.getElementType().isIntOrIndex())
    return emitOpError() << "expected offsets and sizes to be vectors of "
                         << sizeOf(getComm()) << " integers, got " << counts;
  for (Value buffer :
       {getSendOffsets(), getSendSizes(), getRecvOffsets(), getRecvSizes()})
    if (!buffer.getDefiningOp<HostBufferOp>())
      return emitOpError() << "expected offsets and sizes where the host reads "
                              "them, made by moert.host_buffer in this "
                              "function";
  return success();
}
