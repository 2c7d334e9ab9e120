//===- CircuitPolicy.h - When demand for circuits is known ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_CIRCUITPOLICY_H
#define MOE_COMPILER_CIRCUITPOLICY_H

#include "moe/Support/ChoiceWords.h"

namespace moe {

/// What the first exchange of a layer's forward pass goes over, whose demand
/// only the gate right before it tells (SPEC MF-7, MF-21).
enum class CircuitPolicy {
  /// Others than those that are up, if waiting for the change pays.
  Block,
  /// What is up.
  Keep,
  /// Others, changed before the gate has run, as the traffic says that the
  /// module is compiled for.
  Predict
};

template <> struct ChoiceWords<CircuitPolicy> {
  static constexpr ChoiceWord<CircuitPolicy> all[] = {
      {CircuitPolicy::Block, "block", "a change behind the gate"},
      {CircuitPolicy::Keep, "keep", "the circuits that are up"},
      {CircuitPolicy::Predict, "predict", "a change at any time"}};
};

} // namespace moe

#endif // MOE_COMPILER_CIRCUITPOLICY_H
