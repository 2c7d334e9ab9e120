//===- StateOptions.h - Bytes of gradients and optimizer --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOE_PLAN_STATEOPTIONS_H
#define MOE_TOOLS_MOE_PLAN_STATEOPTIONS_H

#include "Command.h"
#include "moe/Schedule/Memory.h"

namespace moe::plan {

/// `--optimizer-bytes` and `--gradient-bytes`, the same of all commands that
/// count what training holds.
struct StateOptions {
  explicit StateOptions(llvm::cl::SubCommand &subCommand)
      : optimizerBytes(
            "optimizer-bytes",
            "bytes of the optimizer's state for a parameter (default: 12, a "
            "32-bit weight and two 32-bit moments; 8 with 16-bit moments)",
            subCommand, {0, 64}),
        gradientBytes("gradient-bytes",
                      "bytes of a parameter's gradient (default: 2; 4 as "
                      "Megatron-LM's bf16 jobs have it, which is what "
                      "--parallelism=megatron takes)",
                      subCommand, {0, 8}) {}

  /// Leaves in `bytes` what is not given.
  std::optional<Failure> read(schedule::StateBytes &bytes) const {
    for (auto [option, value] :
         {std::pair(&optimizerBytes, &bytes.optimizer),
          std::pair(&gradientBytes, &bytes.gradient)}) {
      Result<int64_t> given = option->read(int64_t(*value));
      if (!given)
        return given.getFailure();
      *value = double(*given);
    }
    return std::nullopt;
  }

  IntegerOption optimizerBytes, gradientBytes;
};

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_STATEOPTIONS_H
