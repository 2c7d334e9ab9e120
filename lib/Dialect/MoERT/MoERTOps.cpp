// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the moert dialect.

#include "moe/Dialect/MoERT/MoERTOps.h"
#include "Buffers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
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
  // Upstream computes no strides of a buffer without elements, and none are
  // needed.
  return type.getNumElements() == 0 ||
         (succeeded(type.getStridesAndOffset(strides, offset)) &&
          !llvm::is_contained(strides, ShapedType::kDynamic));
}

bool moe::rt::isContiguous(MemRefType type) {
  return (type.hasStaticShape() && type.getNumElements() == 0) ||
         type.areTrailingDimsContiguous(type.getRank());
}

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

static int64_t countElements(Value value) {
  return cast<MemRefType>(value.getType()).getNumElements();
}

/// Verifies that `large` holds `count` times the elements of `small`.
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

LogicalResult LeaveSmsOp::verify() {
  if (getSms() < 0 || getSms() > kMostFreeSms)
    return emitOpError() << "expected a number of SMs in [0, " << kMostFreeSms
                         << "], got " << getSms();
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

bool HostBufferOp::isWrittenByStream() {
  return llvm::any_of((*this)->getUsers(), llvm::IsaPred<CopyOp>);
}

//===----------------------------------------------------------------------===//
// Local work
//===----------------------------------------------------------------------===//

LogicalResult LaunchFuncOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  return success();
}

/// Verifies a call of `body` against the function of that name.
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
  for (Value input : getInputs())
    if (!input.getType().isIndex() && !input.getDefiningOp<HostBufferOp>())
      return emitOpError() << "expected buffers read to be made by "
                              "moert.host_buffer in this function";
  return success();
}

CopyBox CopyOp::getBox() {
  CopyBox box;
  MemRefType source = getSource().getType(), target = getTarget().getType();
  box.elementBytes = *getElementBytes(source.getElementType());
  box.isEmpty = source.getNumElements() == 0;
  if (box.isEmpty)
    return box;
  for (auto [size, from, to] :
       llvm::zip_equal(source.getShape(), source.getStridesAndOffset().first,
                       target.getStridesAndOffset().first)) {
    if (size == 1)
      continue;
    if (!box.sizes.empty() && box.sourceStrides.back() == from * size &&
        box.targetStrides.back() == to * size) {
      box.sizes.back() *= size;
      box.sourceStrides.back() = from;
      box.targetStrides.back() = to;
      continue;
    }
    box.sizes.push_back(size);
    box.sourceStrides.push_back(from);
    box.targetStrides.push_back(to);
  }
  return box;
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
  // Elements do not overlap if each stride exceeds the extent of all inner
  // dims.
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
  int64_t numDims = getBox().sizes.size();
  if (numDims > kMostCopyDims)
    return emitOpError() << "expected a copy of at most " << kMostCopyDims
                         << " dims that do not merge, got " << numDims;
  return success();
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

int64_t RaggedPlanOp::getNumRanks() { return shapeOf(getSendOffsets())[0]; }
int64_t RaggedPlanOp::getNumJoined() {
  ArrayRef<int64_t> shape = shapeOf(getCounts());
  return shape.size() == 3 ? shape.front() : 1;
}
int64_t RaggedPlanOp::getNumExperts() { return shapeOf(getCounts()).back(); }

/// Emits an error unless the buffers of a plan are integers in host memory.
static LogicalResult verifyHostBuffers(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()) &&
        !(operand.getDefiningOp<HostBufferOp>() &&
          getElementTypeOrSelf(operand.getType()).isIntOrIndex()))
      return op->emitOpError() << "expected integers where the host has them, "
                                  "made by moert.host_buffer in this function";
  return success();
}

LogicalResult RaggedPlanOp::verify() {
  if (failed(verifyHostBuffers(*this)))
    return failure();
  ArrayRef<int64_t> counts = shapeOf(getCounts()),
                    sends = shapeOf(getSendOffsets());
  if (counts.size() < 2 || counts.size() > 3 || sends.size() != 1 ||
      sends[0] < 1 || counts[counts.size() - 2] != sends[0] ||
      counts.back() < 1 || counts.back() % sends[0] != 0 || counts.front() < 1)
    return emitOpError() << "expected counts [G, E] or [J, G, E] and offsets "
                            "[G], with E a multiple of G, got "
                         << getCounts().getType() << " and "
                         << getSendOffsets().getType();
  SmallVector<int64_t> runs(counts);
  runs.back() /= sends[0];
  Type element = getElementTypeOrSelf(getSendOffsets().getType());
  auto expected = MemRefType::get(runs, element);
  if (getRunOffsets().getType() != expected)
    return emitOpError() << "expected offsets of runs of type " << expected
                         << ", got " << getRunOffsets().getType();
  if (getLimit() < 0)
    return emitOpError() << "expected a limit of at least 0, got "
                         << getLimit();
  return success();
}

LogicalResult
RaggedPlanOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  return verifySize(*this, "the ranks of the group", *size,
                    getNumJoined() * getNumRanks());
}

int64_t NodePlanOp::getNumNodes() { return shapeOf(getNodeSendOffsets())[0]; }
int64_t NodePlanOp::getNumPlaces() { return shapeOf(getSendOffsets())[0]; }
int64_t NodePlanOp::getNumJoined() {
  ArrayRef<int64_t> shape = shapeOf(getCounts());
  return shape.size() == 3 ? shape.front() : 1;
}
int64_t NodePlanOp::getNumExperts() {
  return shapeOf(getCounts()).back() - getNumNodes();
}

LogicalResult NodePlanOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  return verifySize(*this, "the ranks of the group", *size,
                    getNumJoined() * getNumNodes() * getNumPlaces());
}

LogicalResult NodePlanOp::verify() {
  if (failed(verifyHostBuffers(*this)))
    return failure();
  ArrayRef<int64_t> counts = shapeOf(getCounts()),
                    between = shapeOf(getNodeSendOffsets()),
                    inside = shapeOf(getSendOffsets());
  bool hasRanks = counts.size() >= 2 && counts.size() <= 3 &&
                  between.size() == 1 && inside.size() == 1 &&
                  between[0] >= 1 && inside[0] >= 1 && counts.front() >= 1;
  int64_t ranks = hasRanks ? counts[counts.size() - 2] : 0;
  if (!hasRanks || ranks / between[0] != inside[0] || ranks % between[0] != 0 ||
      counts.back() - between[0] < ranks ||
      (counts.back() - between[0]) % ranks != 0)
    return emitOpError() << "expected counts [N * L, E + N] or [J, N * L, "
                            "E + N] and offsets [N] and [L], with E a "
                            "multiple of N * L, got "
                         << getCounts().getType() << ", "
                         << getNodeSendOffsets().getType() << " and "
                         << getSendOffsets().getType();
  Type element = getElementTypeOrSelf(getNodeSendOffsets().getType());
  SmallVector<int64_t> runs(counts);
  runs[runs.size() - 2] = inside[0];
  runs.back() = getNumExperts() / ranks;
  std::pair<StringRef, std::pair<Value, SmallVector<int64_t>>> expected[] = {
      {"inside", {getSendOffsets(), {inside[0]}}},
      {"of runs", {getRunOffsets(), runs}}};
  for (auto &[what, buffer] : expected)
    if (auto type = MemRefType::get(buffer.second, element);
        buffer.first.getType() != type)
      return emitOpError() << "expected offsets " << what << " of type " << type
                           << ", got " << buffer.first.getType();
  if (getNodeLimit() < 0 || getLimit() < 0)
    return emitOpError() << "expected limits of at least 0, got "
                         << getNodeLimit() << " and " << getLimit();
  return success();
}

int64_t RaggedAllToAllOp::getRowElements() {
  return ShapedType::getNumElements(shapeOf(getSource()).drop_front());
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
