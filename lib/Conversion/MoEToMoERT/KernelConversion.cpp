// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops as kernels of the runtime.

#include "TaskConverter.h"

using namespace mlir;
using namespace moe;

KernelTable::KernelTable(MLIRContext *context) {
  // Iterates over all ops, because upstream's list by dialect is searched with
  // the wrong sort order and may be empty.
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (auto *kernel = name.getInterface<rt::KernelOpInterface>()) {
      rt::KernelInfo info = kernel->getKernelInfo();
      for (const rt::KernelSource &source : info.sources)
        forms.try_emplace(source.op, Form{name, info, &source});
    }
}

/// Returns the operands of an op in the order of the kernel's inputs; null for
/// absent optional ones.
static SmallVector<Value> getInputs(Operation *op,
                                    const KernelTable::Form &form) {
  SmallVector<Value> operands(op->getOperands());
  if (!form.source->operands.empty()) {
    SmallVector<StringRef> numbers;
    form.source->operands.split(numbers, ' ');
    operands.clear();
    for (StringRef text : numbers) {
      unsigned number = 0;
      [[maybe_unused]] bool isWrong = text.getAsInteger(10, number);
      assert(!isWrong && "expected numbers of operands in the table");
      operands.push_back(op->getOperand(number));
    }
  }
  // If several operands are optional individually, the op's segment sizes show
  // which are present.
  auto segments = dyn_cast_or_null<DenseI32ArrayAttr>(
      op->getInherentAttr("operandSegmentSizes").value_or(Attribute()));
  if (!segments)
    return operands;
  SmallVector<Value> inputs;
  auto next = operands.begin();
  for (int32_t size : segments.asArrayRef()) {
    if (size == 0)
      inputs.push_back(Value());
    for (int32_t i = 0; i < size; ++i)
      inputs.push_back(*next++);
  }
  return inputs;
}

/// Returns the value of an attribute for the kernel.
static Attribute convertAttribute(Attribute value) {
  // A switch gate chooses the best expert by the softmax over all experts.
  if (auto kind = dyn_cast<GateKindAttr>(value);
      kind && kind.getValue() == GateKind::Switch)
    return GateKindAttr::get(kind.getContext(), GateKind::Softmax);
  return value;
}

LogicalResult TaskConverter::convertKernel(Operation *op,
                                           const KernelTable::Form &form) {
  SmallVector<Place> uses;
  SmallVector<Value> positional, named, outputs;
  SmallVector<int32_t> segments;
  // Named buffers are the last inputs; each is optional.
  SmallVector<Value> inputs = getInputs(op, form);
  SmallVector<const rt::KernelBuffer *> namedBuffers, addedBuffers;
  for (const rt::KernelBuffer &buffer : form.info.buffers)
    if (buffer.isNamed())
      (buffer.isAdded() ? addedBuffers : namedBuffers).push_back(&buffer);
  // Added buffers follow the others in the table.
  RaggedPlanOp counted = getCountedPlan(op);
  size_t numPositional = inputs.size() - namedBuffers.size();
  for (auto [i, input] : llvm::enumerate(inputs)) {
    bool isNamed = i >= numPositional;
    if (isNamed)
      segments.push_back(input ? 1 : 0);
    if (!input)
      continue;
    if (isNamed &&
        namedBuffers[i - numPositional]->presence == rt::KernelBuffer::Host) {
      if (counted) {
        segments.back() = 0;
        continue;
      }
      FailureOr<SmallVector<Value>> memory = readOnHost(input);
      if (failed(memory))
        return failure();
      named.push_back(memory->front());
      continue;
    }
    FailureOr<Place> place = getContiguous(input);
    if (failed(place))
      return failure();
    uses.push_back(*place);
    (isNamed ? named : positional).push_back(place->memref);
  }
  if (counted) {
    FailureOr<Place> place = getContiguous(getOrigin(counted.getCounts()));
    if (failed(place))
      return failure();
    uses.push_back(*place);
    named.push_back(place->memref);
    named.push_back(knownCounts.at(counted));
  }
  segments.append(addedBuffers.size(), counted ? 1 : 0);
  for (Value result : op->getResults()) {
    FailureOr<Place> place = createResult(result);
    if (failed(place))
      return failure();
    uses.push_back(*place);
    outputs.push_back(place->memref);
    places[result] = *place;
  }
  OperationState state(loc, form.name);
  state.addOperands(stream.value);
  state.addOperands(positional);
  state.addOperands(named);
  state.addOperands(outputs);
  segments.insert(segments.begin(), {1, int32_t(positional.size())});
  segments.push_back(outputs.size());
  state.addAttribute("operandSegmentSizes",
                     host.getBuilder().getDenseI32ArrayAttr(segments));
  // Attributes are passed on by name.
  for (StringAttr name : form.name.getAttributeNames())
    if (name != "operandSegmentSizes")
      if (Attribute value = op->getInherentAttr(name).value_or(Attribute()))
        state.addAttribute(name, convertAttribute(value));
  host.getBuilder().create(state);
  host.addWork(stream, uses);
  return success();
}
