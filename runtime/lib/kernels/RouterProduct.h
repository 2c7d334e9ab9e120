// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of tokens and a router.

#ifndef MOERT_KERNELS_ROUTERPRODUCT_H
#define MOERT_KERNELS_ROUTERPRODUCT_H

#include "core/Types.h"
#include "kernels/Gemm.h"
#include "kernels/Verify.h"

namespace moert {

inline std::vector<double> loadValues(moert_type type, const void *source,
                                      int64_t count) {
  std::vector<double> values(count);
  loadRow(type, source, count, values.data());
  return values;
}

/// Checks the softmax dimension of expert choice.
inline Status verifyScores(moert_choice_scores scores) {
  if (scores == MOERT_CHOICE_EXPERTS || scores == MOERT_CHOICE_TOKENS)
    return {};
  return error(MOERT_INVALID_ARGUMENT, "expected known scores, got %d",
               static_cast<int>(scores));
}

/// The product of tokens [S, M] and a router [M, columns], and its gradients.
/// It has the scores of gates that mix or choose tokens.
struct RouterProduct {
  int64_t tokens, hidden, columns;
  moert_type type, routerType;
  const void *x, *router;

  /// Takes the operands from the arguments of such a gate.
  template <typename Args>
  RouterProduct(const Args &args, int64_t columns)
      : tokens(args.tokens), hidden(args.hidden), columns(columns),
        type(args.type), routerType(args.router_type), x(args.x),
        router(args.router) {}

  /// Checks the operands. `what` and `made` name the columns and the product in
  /// errors.
  Status verify(const char *what, const char *made) const {
    return firstError({verifyFloat("tokens", type),
                       verifyFloat("a router", routerType),
                       verifySizes({{"tokens", tokens, 0},
                                    {"a hidden size", hidden, 0},
                                    {what, columns, 0}}),
                       verifyVolume("the tokens", {tokens, hidden}),
                       verifyVolume("the router", {hidden, columns}),
                       verifyVolume(made, {tokens, columns}),
                       verifyPointer("the tokens", x, {tokens, hidden}),
                       verifyPointer("the router", router, {hidden, columns})});
  }

  std::vector<double> compute() const {
    std::vector<double> rows = loadValues(type, x, tokens * hidden);
    std::vector<double> products(tokens * columns);
    RowTimesMatrix().multiply(rows.data(), tokens, hidden, routerType, router,
                              columns, products.data());
    return products;
  }

  /// Computes the gradients of tokens and router from the gradient of the
  /// product.
  void differentiate(const std::vector<double> &dProduct, void *dx,
                     void *dRouter) const {
    std::vector<double> rows = loadValues(type, x, tokens * hidden);
    std::vector<double> sums(rows.size(), 0.0),
        routerSums(hidden * columns, 0.0);
    RowTimesMatrix().addTransposed(dProduct.data(), tokens, columns, routerType,
                                   router, hidden, sums.data());
    addOuterProducts(rows.data(), dProduct.data(), tokens, hidden, columns,
                     routerSums.data());
    storeRow(type, sums.data(), sums.size(), dx);
    storeRow(routerType, routerSums.data(), routerSums.size(), dRouter);
  }
};

} // namespace moert

#endif // MOERT_KERNELS_ROUTERPRODUCT_H
