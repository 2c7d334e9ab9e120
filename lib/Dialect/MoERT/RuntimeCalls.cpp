// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime calls of ops.

#include "moe/Dialect/MoERT/RuntimeCalls.h"
#include "mlir/IR/Builders.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

using namespace mlir;
using namespace moe::rt;

void RuntimeCalls::add(CallArgument::Kind kind, Value buffer) {
  add({kind, 0, Value(), getElementTypeOrSelf(buffer.getType())});
}

void RuntimeCalls::addNumbers(ArrayRef<int64_t> numbers) {
  addNumbers(Builder(context).getI64TensorAttr(numbers));
}

void RuntimeCalls::addNumbers(ElementsAttr numbers) {
  // Flattens all dims.
  int64_t count = numbers.getNumElements();
  add(CallArgument::Numbers,
      count == 0
          ? Attribute()
          : cast<DenseIntElementsAttr>(numbers).reshape(
                RankedTensorType::get({count}, numbers.getElementType())));
}

void RuntimeCalls::addBody(FlatSymbolRefAttr body, ValueRange operands) {
  CallArgument argument{CallArgument::Body};
  argument.attribute = body;
  llvm::append_range(argument.operands, operands);
  add(std::move(argument));
}

void RuntimeCalls::addStruct(KernelOpInterface kernel) {
  CallArgument argument{CallArgument::Struct};
  argument.members = KernelArguments(kernel).take();
  argument.bytes = kernel.getKernelInfo().getStructBytes();
  add(std::move(argument));
}

