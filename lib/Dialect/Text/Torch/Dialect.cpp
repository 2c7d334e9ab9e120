// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch, as text is read.

#include "moe/Dialect/Text/Torch/Dialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "moe/Dialect/Text/TextDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Pretty text, as torch-mlir's importer prints it
//===----------------------------------------------------------------------===//

static Type getTorchType(MLIRContext *context, StringRef name) {
  return OpaqueType::get(StringAttr::get(context, "torch"), name);
}

/// `torch.constant.int 4`, `torch.constant.str "0"`, `torch.constant.none`.
static ParseResult parseConstant(OpAsmParser &parser, OperationState &state,
                                 StringRef kind) {
  Builder &b = parser.getBuilder();
  Attribute value;
  StringRef type = kind;
  if (kind == "int") {
    int64_t number;
    if (parser.parseInteger(number))
      return failure();
    value = b.getI64IntegerAttr(number);
  } else if (kind == "float") {
    if (parser.parseAttribute(value, b.getF64Type()))
      return failure();
  } else if (kind == "bool") {
    bool isTrue = succeeded(parser.parseOptionalKeyword("true"));
    if (!isTrue && parser.parseKeyword("false"))
      return failure();
    value = b.getBoolAttr(isTrue);
  } else if (kind == "str" || kind == "device") {
    std::string text;
    if (parser.parseString(&text))
      return failure();
    value = b.getStringAttr(text);
    type = kind == "device" ? "Device" : kind;
  } else if (kind != "none") {
    return parser.emitError(parser.getNameLoc())
           << "expected a constant that is int, float, bool, str, device or "
              "none, got "
           << kind;
  }
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (value)
    state.propertiesAttr = b.getDictionaryAttr(b.getNamedAttr("value", value));
  state.addTypes(getTorchType(b.getContext(), type));
  return success();
}

/// Operands in brackets, then the type of a function of them.
static ParseResult parseCall(OpAsmParser &parser, OperationState &state,
                             OpAsmParser::Delimiter delimiter) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, delimiter) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, state.operands))
    return failure();
  state.addTypes(type.getResults());
  return success();
}

/// `torch.aten.mm %a, %b : type, type -> type`.
static ParseResult parsePlain(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> from, to;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      (succeeded(parser.parseOptionalColon()) && parser.parseTypeList(from)) ||
      (succeeded(parser.parseOptionalArrow()) && parser.parseTypeList(to)) ||
      parser.resolveOperands(operands, from, loc, state.operands))
    return failure();
  state.addTypes(to);
  return success();
}

/// `torch.vtensor.literal(dense<1.0> : tensor<4xf32>) :
/// !torch.vtensor<[4],f32>`.
static ParseResult parseLiteral(OpAsmParser &parser, OperationState &state) {
  Attribute value;
  Type type;
  if (parser.parseLParen() || parser.parseAttribute(value) ||
      parser.parseRParen() || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  Builder &b = parser.getBuilder();
  state.propertiesAttr = b.getDictionaryAttr(b.getNamedAttr("value", value));
  state.addTypes(type);
  return success();
}

/// Of an op that is not between quotes.
static ParseResult parsePretty(OpAsmParser &parser, OperationState &state) {
  StringRef name = state.name.getStringRef();
  if (StringRef kind = name; kind.consume_front("torch.constant."))
    return parseConstant(parser, state, kind);
  if (name == "torch.operator") {
    std::string called;
    if (parser.parseString(&called))
      return failure();
    Builder &b = parser.getBuilder();
    state.propertiesAttr =
        b.getDictionaryAttr(b.getNamedAttr("name", b.getStringAttr(called)));
    return parseCall(parser, state, OpAsmParser::Delimiter::Paren);
  }
  if (name == "torch.prim.ListConstruct" || name == "torch.prim.TupleConstruct")
    return parseCall(parser, state, OpAsmParser::Delimiter::None);
  if (name == "torch.vtensor.literal")
    return parseLiteral(parser, state);
  if (name.starts_with("torch.aten.") || name.starts_with("torch.prims."))
    return parsePlain(parser, state);
  return parser.emitError(parser.getNameLoc())
         << "expected '" << name
         << "' in generic text, got its pretty form; torch-mlir gives generic "
            "text by module.operation.get_asm(print_generic_op_form=True)";
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

namespace {

struct TorchDialect : public TextDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TorchDialect)
  static constexpr StringLiteral getDialectNamespace() { return "torch"; }
  explicit TorchDialect(MLIRContext *context)
      : TextDialect("torch", context, TypeID::get<TorchDialect>()) {}

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return parsePretty;
  }
};

} // namespace

void moe::registerTorchDialect(DialectRegistry &registry) {
  registerIfFree<TorchDialect>(registry);
}
