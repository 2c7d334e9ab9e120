// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing and printing of plan attribute parameters.

#ifndef MOE_LIB_DIALECT_MOE_PLANATTRS_H
#define MOE_LIB_DIALECT_MOE_PLANATTRS_H

#include "mlir/IR/DialectImplementation.h"
#include "moe/Dialect/MoE/MoEAttrs.h"

namespace moe {

/// Verifies that the attribute `moe.plan` has the right kind for `op`. Emits an
/// error and fails otherwise.
llvm::LogicalResult verifyPlanAttr(mlir::Operation *op,
                                   mlir::NamedAttribute attr);

/// Parses the keyword of a window. The planner below the dialect defines these
/// names.
inline std::optional<schedule::OverlapWindow>
parseOverlapWindow(llvm::StringRef word) {
  using schedule::OverlapWindow;
  for (auto window :
       {OverlapWindow::Dense, OverlapWindow::MoE, OverlapWindow::After})
    if (word == schedule::getName(window))
      return window;
  return std::nullopt;
}

/// Parses an enumeration value, as a keyword or a string.
template <typename EnumT>
mlir::FailureOr<EnumT> parseEnumWord(mlir::AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  std::string word, words;
  if (failed(parser.parseKeywordOrString(&word)))
    return mlir::failure();
  std::optional<EnumT> value;
  if constexpr (std::is_same_v<EnumT, schedule::OverlapWindow>) {
    value = parseOverlapWindow(word);
    words = "dense, moe, after";
  } else if constexpr (std::is_same_v<EnumT, CopyPlacement>) {
    value = symbolizeCopyPlacement(word);
    words = "own, intra";
  } else {
    value = parseEnumName<EnumT>(word);
    words = listEnumNames<EnumT>();
  }
  if (!value)
    return parser.emitError(loc)
           << "expected one of " << words << ", got '" << word << "'";
  return *value;
}

template <typename EnumT>
void printEnumWord(mlir::AsmPrinter &printer, EnumT value) {
  if constexpr (std::is_same_v<EnumT, schedule::OverlapWindow>)
    printer.printKeywordOrString(schedule::getName(value));
  else if constexpr (std::is_same_v<EnumT, CopyPlacement>)
    printer.printKeywordOrString(stringifyCopyPlacement(value));
  else
    printer.printKeywordOrString(getEnumName(value));
}

inline mlir::FailureOr<bool> parseFlag(mlir::AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef word;
  if (failed(parser.parseOptionalKeyword(&word, {"true", "false"})))
    return parser.emitError(loc) << "expected true or false";
  return word == "true";
}

inline void printFlag(mlir::AsmPrinter &printer, bool value) {
  printer << (value ? "true" : "false");
}

mlir::FailureOr<llvm::SmallVector<GradientBucketAttr>>
parseGradientBuckets(mlir::AsmParser &parser);

void printGradientBuckets(mlir::AsmPrinter &printer,
                          llvm::ArrayRef<GradientBucketAttr> buckets);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_PLANATTRS_H
