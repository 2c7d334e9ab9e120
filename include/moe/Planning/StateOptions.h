// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of gradients and optimizer.

#ifndef MOE_PLANNING_STATEOPTIONS_H
#define MOE_PLANNING_STATEOPTIONS_H

#include "moe/Planning/Planner.h"
#include "moe/Schedule/Memory.h"

namespace moe::planning {

/// The stage of ZeRO that a framework has, `fallback` without any.
inline int64_t getZeroOf(ParallelismPreset preset, int64_t fallback) {
  switch (preset) {
  case ParallelismPreset::None:
    return fallback;
  case ParallelismPreset::Megatron:
    return 1;
  case ParallelismPreset::DeepSpeed:
    return 0;
  case ParallelismPreset::TorchTitan:
    return 3;
  }
  return fallback;
}

/// `--optimizer-bytes` and `--gradient-bytes`, which all commands that count
/// the memory of training share.
struct StateOptions {
  explicit StateOptions(OptionTable &table)
      : optimizerBytes(
            table, "optimizer-bytes",
            "Optimizer bytes per parameter (default: 12, a 32-bit weight and "
            "two 32-bit moments; use 8 for 16-bit moments)",
            {0, 64, "bytes"}),
        gradientBytes(table, "gradient-bytes",
                      "Gradient bytes per parameter (default: 2; with "
                      "--parallelism=megatron and bf16, 4)",
                      {0, 8, "bytes"}) {}

  /// Sets the given values in `bytes`, and a framework's defaults for values
  /// that are not given. Leaves the others unchanged.
  std::optional<Failure> read(schedule::StateBytes &bytes,
                              ParallelismPreset preset,
                              ElementKind elements) const {
    // Megatron's job of bf16 sums gradients in 32 bits; float16's does not.
    if (preset == ParallelismPreset::Megatron && elements == ElementKind::BF16)
      bytes.gradient = 4;
    for (auto [option, value] : {std::pair(&optimizerBytes, &bytes.optimizer),
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

/// `--flags`, which all commands that find a layout share.
struct FlagsOption {
  explicit FlagsOption(OptionTable &table)
      : isAsked(table, "flags",
                "Also print layouts as flags of the framework "
                "of --parallelism (default: Megatron-LM)") {}

  /// Returns the requested framework; `None` without --flags.
  ParallelismPreset get(ParallelismPreset preset) const {
    return !isAsked                            ? ParallelismPreset::None
           : preset == ParallelismPreset::None ? ParallelismPreset::Megatron
                                               : preset;
  }

private:
  FlagOption isAsked;
};

} // namespace moe::planning

#endif // MOE_PLANNING_STATEOPTIONS_H
