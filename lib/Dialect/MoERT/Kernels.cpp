// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of kernels.

#include "Buffers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe::rt;

#include "moe/Dialect/MoERT/MoERTInterfaces.cpp.inc"

size_t KernelInfo::getStructBytes() const {
  size_t bytes = 0;
  for (KernelMember member : members)
    bytes = llvm::alignTo(bytes, getKernelMemberBytes(member)) +
            getKernelMemberBytes(member);
  size_t alignment = 4;
  for (KernelMember member : members)
    alignment = std::max(alignment, getKernelMemberBytes(member));
  return llvm::alignTo(bytes, alignment);
}

//===----------------------------------------------------------------------===//
// Buffers and dims
//===----------------------------------------------------------------------===//

/// Returns the product of sizes, saturated on overflow.
static int64_t multiply(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    if (llvm::MulOverflow(product, size, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

int64_t KernelBuffers::getDim(StringRef name) const {
  auto it = dims.find(name);
  return it == dims.end() ? 0 : multiply(it->second.sizes);
}

LogicalResult KernelBuffers::find(KernelOpInterface op) {
  ArrayRef<KernelBuffer> table = op.getKernelInfo().buffers;
  auto assign = [&](StringRef what, ValueRange values,
                    bool isOutput) -> LogicalResult {
    auto count = [&](KernelBuffer::Presence presence) -> size_t {
      return llvm::count_if(table, [&](const KernelBuffer &buffer) {
        return buffer.isOutput == isOutput && buffer.presence == presence;
      });
    };
    size_t least = count(KernelBuffer::Always);
    size_t most = least + count(KernelBuffer::Together);
    if (values.size() != least && values.size() != most) {
      InFlightDiagnostic diag = op->emitOpError() << "expected the number of "
                                                  << what << " to be " << least;
      if (most != least)
        diag << " or " << most;
      return diag << ", got " << values.size();
    }
    auto next = values.begin();
    for (const KernelBuffer &buffer : table)
      if (buffer.isOutput == isOutput &&
          (buffer.presence == KernelBuffer::Always ||
           (buffer.presence == KernelBuffer::Together &&
            values.size() != least)))
        byName[buffer.name] = *next++;
    return success();
  };
  if (failed(assign("inputs", op.getInputs(), false)) ||
      failed(assign("outputs", op.getOutputs(), true)))
    return failure();
  SmallVector<Value> named = op.getNamedInputs();
  auto next = named.begin();
  for (const KernelBuffer &buffer : table)
    if (buffer.isNamed()) {
      if (*next)
        byName[buffer.name] = *next;
      ++next;
    }
  return success();
}

LogicalResult KernelBuffers::bind(Operation *op, const KernelBuffer &buffer) {
  Value value = get(buffer.name);
  ArrayRef<int64_t> shape = shapeOf(value);
  SmallVector<StringRef> names;
  buffer.dims.split(names, ' ');
  // A single name may represent no dim, like a name with `?`.
  bool mayBeNone = buffer.dims.contains('?');
  bool isOpen = mayBeNone || buffer.dims.contains('*');
  size_t least = names.size();
  if (mayBeNone || (isOpen && names.size() == 1))
    --least;
  if (isOpen ? shape.size() < least : shape.size() != least)
    return op->emitOpError()
           << "expected " << buffer.name << " of rank " << least
           << (isOpen ? " or more" : "") << ", got " << value.getType();
  size_t rest = shape.size() + 1 - names.size();
  for (StringRef name : names) {
    bool takesRest = name.consume_back("*") || name.consume_back("?");
    size_t count = takesRest ? rest : 1;
    ArrayRef<int64_t> sizes = shape.take_front(count);
    shape = shape.drop_front(count);
    auto [it, isNew] = dims.try_emplace(name, Dim{{}, takesRest, buffer.name});
    Dim &known = it->second;
    if (isNew) {
      known.sizes.assign(sizes.begin(), sizes.end());
      continue;
    }
    // Several dims of one buffer may be one dim of another.
    bool agrees = known.isOpen && takesRest
                      ? ArrayRef<int64_t>(known.sizes) == sizes
                      : multiply(known.sizes) == multiply(sizes);
    if (agrees)
      continue;
    InFlightDiagnostic diag = op->emitOpError();
    diag << "expected " << name << " of " << buffer.name << " to be ";
    llvm::interleave(known.sizes, diag, "x");
    diag << ", as of " << known.buffer << ", got ";
    llvm::interleave(sizes, diag, "x");
    return diag;
  }
  return success();
}

KernelBuffers::KernelBuffers(KernelOpInterface op) {
  [[maybe_unused]] LogicalResult found = find(op);
  assert(succeeded(found) && "expected an op that has been verified");
  for (const KernelBuffer &buffer : op.getKernelInfo().buffers)
    if (get(buffer.name)) {
      [[maybe_unused]] LogicalResult bound = bind(op, buffer);
      assert(succeeded(bound) && "expected an op that has been verified");
    }
}

/// Verifies integers that the host can read.
static LogicalResult verifyHostBuffer(Operation *op, StringRef name,
                                      Value value) {
  if (value.getDefiningOp<HostBufferOp>() &&
      getElementTypeOrSelf(value.getType()).isIntOrIndex())
    return success();
  return op->emitOpError() << "expected " << name
                           << " to be integers where the host reads them, made "
                              "by moert.host_buffer in this function";
}

LogicalResult moe::rt::verifyKernel(Operation *op) {
  auto kernel = cast<KernelOpInterface>(op);
  KernelBuffers buffers;
  if (failed(buffers.find(kernel)))
    return failure();
  llvm::StringMap<Type> types;
  for (const KernelBuffer &buffer : kernel.getKernelInfo().buffers) {
    Value value = buffers.get(buffer.name);
    if (!value)
      continue;
    if (failed(buffers.bind(op, buffer)))
      return failure();
    if (buffer.isOnHost() && failed(verifyHostBuffer(op, buffer.name, value)))
      return failure();
    if (buffer.type.empty())
      continue;
    Type type = getElementTypeOrSelf(value.getType());
    Type known = types.try_emplace(buffer.type, type).first->second;
    if (type != known)
      return op->emitOpError()
             << "expected one element type, got " << known << " and " << type;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

KernelArguments::KernelArguments(KernelOpInterface op)
    : buffers(op), table(op.getKernelInfo().buffers) {
  op.addKernelMembers(*this);
}

void KernelArguments::addFloat64(FloatAttr value) {
  CallArgument argument{CallArgument::Float64};
  argument.attribute = value;
  arguments.push_back(std::move(argument));
}

void KernelArguments::addPointer(StringRef buffer) {
  arguments.push_back({CallArgument::Pointer, 0, buffers.get(buffer)});
}

void KernelArguments::addCounts(StringRef buffer) {
  Value value = buffers.get(buffer);
  arguments.push_back(
      {value ? CallArgument::Counts : CallArgument::Pointer, 0, value});
}

void KernelArguments::addType(StringRef member, CallArgument::Kind kind) {
  // If no present buffer has this type, any other buffer's type is passed,
  // because the runtime ignores the types of absent buffers.
  Value typed;
  for (const KernelBuffer &buffer : table) {
    Value value = buffers.get(buffer.name);
    if (!value)
      continue;
    if (buffer.type == member) {
      typed = value;
      break;
    }
    if (!typed)
      typed = value;
  }
  arguments.push_back(
      {kind, 0, Value(), getElementTypeOrSelf(typed.getType())});
}
