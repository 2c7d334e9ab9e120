// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The moert dialect and its types.

#include "moe/Dialect/MoERT/MoERTDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe::rt;

#include "moe/Dialect/MoERT/MoERTDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "moe/Dialect/MoERT/MoERTTypes.cpp.inc"

void MoERTDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "moe/Dialect/MoERT/MoERTOps.cpp.inc"
      >();
}

void MoERTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "moe/Dialect/MoERT/MoERTTypes.cpp.inc"
      >();
}

LogicalResult CommType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t size) {
  if (size >= 1)
    return success();
  return emitError() << "expected a communicator of at least 1 rank, got "
                     << size;
}

/// Verifies that a function's buffers match the program it was compiled from.
static LogicalResult verifyProgram(Operation *op, Attribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError() << "expected '" << MoERTDialect::getProgramAttrName()
                           << "' on a function, got it on " << op->getName();
  FailureOr<ProgramSignature> program = ProgramSignature::parse(op, attr);
  if (failed(program))
    return failure();
  auto inputs =
      op->getAttrOfType<IntegerAttr>(MoERTDialect::getInputsAttrName());
  // The LLVM dialect has only pointers, so there is nothing to compare.
  if (!inputs)
    return success();
  SmallVector<Type> types;
  for (const ProgramSignature::Argument &argument : program->arguments)
    types.push_back(argument.type);
  for (const ProgramSignature::Result &result : program->results)
    types.push_back(result.type);
  ArrayRef<Type> buffers = function.getArgumentTypes();
  if (inputs.getInt() != static_cast<int64_t>(program->arguments.size()) ||
      buffers.size() != types.size() + 1)
    return op->emitError() << "expected '" << MoERTDialect::getProgramAttrName()
                           << "' to have " << inputs.getInt()
                           << " arguments and a type for each buffer, got "
                           << program->arguments.size() << " and "
                           << types.size();
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type element = tensor ? tensor.getElementType() : type;
    auto buffer = dyn_cast<MemRefType>(buffers[i + 1]);
    if (!buffer || buffer.getElementType() != element ||
        buffer.getShape() != (tensor ? tensor.getShape() : ArrayRef<int64_t>()))
      return op->emitError() << "expected argument " << i + 1
                             << " to be a buffer for a value of type " << type
                             << ", as '" << MoERTDialect::getProgramAttrName()
                             << "' says, got " << buffers[i + 1];
  }
  return success();
}

/// Verifies attributes on the functions of a compiled program.
static LogicalResult verifyPart(Operation *op, NamedAttribute attr) {
  bool isPart = attr.getName() == MoERTDialect::getPartOfAttrName();
  auto count = dyn_cast<IntegerAttr>(attr.getValue());
  if (isa<FunctionOpInterface>(op) &&
      (isPart ? isa<StringAttr>(attr.getValue())
              : count && count.getType().isSignlessInteger(64) &&
                    count.getInt() >= 0))
    return success();
  return op->emitError() << "expected '" << attr.getName().getValue()
                         << "' on a function and to be "
                         << (isPart ? "the name of a program"
                                    : "a 64-bit integer of at least 0")
                         << ", got " << attr.getValue() << " on "
                         << op->getName();
}

LogicalResult MoERTDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  if (attr.getName() == getProgramAttrName())
    return verifyProgram(op, attr.getValue());
  if (attr.getName() == getPartOfAttrName() ||
      attr.getName() == getHostWaitsAttrName())
    return verifyPart(op, attr);
  if (attr.getName() != getInputsAttrName())
    return op->emitError() << "unknown attribute '" << attr.getName().getValue()
                           << "': of operations outside it the moert dialect "
                              "has only '"
                           << getInputsAttrName() << "', '"
                           << getProgramAttrName() << "', '"
                           << getPartOfAttrName() << "' and '"
                           << getHostWaitsAttrName() << "'";
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError() << "expected '" << getInputsAttrName()
                           << "' on a function, got it on " << op->getName();
  auto count = dyn_cast<IntegerAttr>(attr.getValue());
  if (!count || !count.getType().isSignlessInteger(64) || count.getInt() < 0)
    return op->emitError() << "expected '" << getInputsAttrName()
                           << "' to be a 64-bit integer of at least 0, got "
                           << attr.getValue();
  ArrayRef<Type> types = function.getArgumentTypes();
  if (types.empty() || !isa<ContextType>(types.front()))
    return op->emitError()
           << "expected an entry function to take a !moert.context first";
  auto isBufferType = [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && isBuffer(memref) && memref.getLayout().isIdentity();
  };
  for (auto [i, type] : llvm::enumerate(types.drop_front()))
    if (!isBufferType(type))
      return op->emitError()
             << "expected argument " << i + 1 << " of an entry function to be "
             << "a memref of static shape without layout, got " << type;
  if (!function.getResultTypes().empty())
    return op->emitError() << "expected an entry function without results, got "
                           << function.getResultTypes().size();
  if (static_cast<uint64_t>(count.getInt()) > types.size() - 1)
    return op->emitError() << "expected at most " << types.size() - 1
                           << " inputs, got '" << getInputsAttrName()
                           << "' = " << count.getInt();
  return success();
}
