//===- Command.cpp - What the subcommands of moe-plan share ---------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

using namespace moe;
using namespace moe::plan;

std::string moe::plan::markExtrapolated(const std::string &note,
                                        bool isExtrapolated) {
  if (!isExtrapolated)
    return note;
  return note + (note.empty() ? "extrapolated" : ", extrapolated");
}

std::string moe::plan::describeGap(double us) {
  return us < 0 ? formatFixed(-us, 1) + " us shorter, within the uncertainty"
                : formatFixed(us, 1) + " us longer";
}
