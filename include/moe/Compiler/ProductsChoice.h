// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the forward pass keeps of experts' products.

#ifndef MOE_COMPILER_PRODUCTSCHOICE_H
#define MOE_COMPILER_PRODUCTSCHOICE_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// Whether the inner products of experts are kept for the backward pass
/// (`moe/Dialect/MoE/KeepProducts.h`).
enum class ProductsChoice {
  /// As the module says; where it says nothing, kept unless the step would not
  /// fit the platform's memory with them.
  Auto,
  Keep,
  Recompute
};

template <> struct EnumNames<ProductsChoice> {
  static constexpr EnumName<ProductsChoice> all[] = {
      {ProductsChoice::Auto, "auto", "keep them if the step fits the memory"},
      {ProductsChoice::Keep, "keep", "more memory, fewer products"},
      {ProductsChoice::Recompute, "recompute", "less memory, more products"}};
};

} // namespace moe

#endif // MOE_COMPILER_PRODUCTSCHOICE_H
