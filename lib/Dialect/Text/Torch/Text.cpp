// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, types and arguments in the text of PyTorch programs.

#include "moe/Dialect/Text/Torch/Text.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace moe;

StringRef moe::getTorchName(Operation *op) {
  if (op->getName().getStringRef() == "torch.operator")
    if (auto name = dyn_cast_or_null<StringAttr>(op->getAttr("name")))
      return name.getValue();
  return op->getName().getStringRef();
}

/// Parses, for example, `f32`, `si64` or `i1`. Returns null for element types
/// that are not supported.
static Type parseElementType(StringRef text, MLIRContext *context) {
  unsigned width = 0;
  if (StringRef digits = text;
      (digits.consume_front("si") || digits.consume_front("ui")) &&
      !digits.getAsInteger(10, width) && width > 0 && width <= 64)
    return IntegerType::get(context, width);
  if (text == "i1")
    return IntegerType::get(context, 1);
  return llvm::StringSwitch<Type>(text)
      .Case("f16", Float16Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Case("f32", Float32Type::get(context))
      .Case("f64", Float64Type::get(context))
      .Case("f8E4M3FN", Float8E4M3FNType::get(context))
      .Case("f8E5M2", Float8E5M2Type::get(context))
      .Default(Type());
}

RankedTensorType moe::parseVTensor(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  if (!opaque || opaque.getDialectNamespace() != "torch")
    return nullptr;
  StringRef text = opaque.getTypeData();
  if (!text.consume_front("vtensor<[") || !text.consume_back(">"))
    return nullptr;
  auto [dims, element] = text.split(']');
  element = element.ltrim();
  if (!element.consume_front(","))
    return nullptr;
  SmallVector<int64_t> shape;
  SmallVector<StringRef> sizes;
  dims.split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef size : sizes) {
    int64_t number = ShapedType::kDynamic;
    size = size.trim();
    if (size != "?" && (size.getAsInteger(10, number) || number < 0))
      return nullptr;
    shape.push_back(number);
  }
  Type of = parseElementType(element.trim(), type.getContext());
  return of ? RankedTensorType::get(shape, of) : nullptr;
}

Attribute moe::getTorchConstant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return nullptr;
  StringRef name = op->getName().getStringRef();
  if (name == "torch.constant.none")
    return UnitAttr::get(op->getContext());
  if (name.starts_with("torch.constant."))
    return op->getAttr("value");
  if (name != "torch.prim.ListConstruct")
    return nullptr;
  SmallVector<Attribute> items;
  for (Value item : op->getOperands()) {
    items.push_back(getTorchConstant(item));
    if (!items.back())
      return nullptr;
  }
  return ArrayAttr::get(op->getContext(), items);
}

std::optional<int64_t> moe::getTorchInt(Attribute attr) {
  auto number = dyn_cast_or_null<IntegerAttr>(attr);
  if (!number || !number.getType().isInteger(64))
    return std::nullopt;
  return number.getInt();
}

std::optional<SmallVector<int64_t>> moe::getTorchInts(Attribute attr) {
  auto list = dyn_cast_or_null<ArrayAttr>(attr);
  if (!list)
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (Attribute item : list) {
    std::optional<int64_t> number = getTorchInt(item);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

TorchArguments::TorchArguments(Operation *op) : op(op) {
  auto constants = op->getAttrOfType<DictionaryAttr>(kTorchConstantsAttr);
  unsigned next = 0;
  for (unsigned place = 0;; ++place) {
    Attribute constant =
        constants ? constants.get(std::to_string(place)) : Attribute();
    if (constant)
      arguments.emplace_back(-1, constant);
    else if (next < op->getNumOperands())
      arguments.emplace_back(next++, Attribute());
    else
      return;
  }
}

std::optional<unsigned> TorchArguments::getOperand(unsigned argument) const {
  if (argument >= size() || arguments[argument].first < 0)
    return std::nullopt;
  return arguments[argument].first;
}

Attribute TorchArguments::getConstant(unsigned argument) const {
  if (argument >= size())
    return nullptr;
  if (Attribute constant = arguments[argument].second)
    return constant;
  return getTorchConstant(op->getOperand(arguments[argument].first));
}
