// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading StableHLO and Shardy as text.

#include "moe/Dialect/Text/StableHLO/Dialects.h"
#include "mlir/IR/DialectImplementation.h"
#include "moe/Dialect/Text/TextDialect.h"

using namespace mlir;
using namespace moe;

namespace {

/// The parser calls this for ops that are not between quotes.
ParseResult refusePrettyText(OpAsmParser &parser, OperationState &state) {
  return parser.emitError(parser.getNameLoc())
         << "expected '" << state.name.getStringRef()
         << "' in generic text, got its pretty form; JAX gives generic text "
            "by lowered.compiler_ir(\"stablehlo\").operation.get_asm("
            "print_generic_op_form=True)";
}

/// A dialect that accepts only generic text.
class GenericTextDialect : public TextDialect {
public:
  using TextDialect::TextDialect;
  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return refusePrettyText;
  }
};

#define MOE_TEXT_DIALECT(CLASS, NAME)                                          \
  struct CLASS : public GenericTextDialect {                                   \
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CLASS)                        \
    static constexpr StringLiteral getDialectNamespace() { return NAME; }      \
    explicit CLASS(MLIRContext *context)                                       \
        : GenericTextDialect(NAME, context, TypeID::get<CLASS>()) {}           \
  }

MOE_TEXT_DIALECT(SdyDialect, "sdy");
MOE_TEXT_DIALECT(StableHLODialect, "stablehlo");
MOE_TEXT_DIALECT(CHLODialect, "chlo");
MOE_TEXT_DIALECT(MHLODialect, "mhlo");

} // namespace

void moe::registerStableHLODialects(DialectRegistry &registry) {
  registerIfFree<SdyDialect>(registry);
  registerIfFree<StableHLODialect>(registry);
  registerIfFree<CHLODialect>(registry);
  registerIfFree<MHLODialect>(registry);
}
