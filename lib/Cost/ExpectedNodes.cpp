//===- ExpectedNodes.cpp - Nodes that a token goes to -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Cost/ExpectedNodes.h"

double moe::cost::getExpectedNodes(int64_t experts, int64_t topK,
                                   int64_t nodes) {
  // The quotient of both binomials, choice by choice: none overflows.
  int64_t others = experts - experts / nodes;
  double none = 1;
  for (int64_t i = 0; i < topK; ++i)
    none *= i < others ? double(others - i) / double(experts - i) : 0;
  return double(nodes) * (1 - none);
}
