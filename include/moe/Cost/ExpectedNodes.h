//===- ExpectedNodes.h - Nodes that a token goes to -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COST_EXPECTEDNODES_H
#define MOE_COST_EXPECTEDNODES_H

#include <cstdint>

namespace moe::cost {

/// On how many nodes the experts of a token are, expected of a gate to which
/// any `topK` of the experts are equally likely. With E experts on N nodes,
/// which divide E, and k choices, each node has none of them with a chance of
/// C(E - E/N, k) / C(E, k): N (1 - that) nodes. 1 <= topK <= experts.
double getExpectedNodes(int64_t experts, int64_t topK, int64_t nodes);

} // namespace moe::cost

#endif // MOE_COST_EXPECTEDNODES_H
