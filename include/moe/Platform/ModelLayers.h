// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the layers of a model and the sizes of their gradients.
//
// docs/how-to/overlap-a-layer.md lists the keys of the JSON.

#ifndef MOE_PLATFORM_MODELLAYERS_H
#define MOE_PLATFORM_MODELLAYERS_H

#include "moe/Cost/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

/// Sizes of an MoE layer, as `moe-plan degree` takes them. Integers are in
/// [1, 2^31 - 1].
struct MoESizes {
  int64_t microBatch = 1, seqLen = 1, hidden = 1, ffnHidden = 1, topK = 1;
  /// Above 0; not set for no limit.
  std::optional<double> capacityFactor;
  int64_t gemms = 2;
  std::optional<int64_t> tp, esp;
  std::string dtype = "f32";
};

/// A generalized layer: an MoE layer and the dense work before the next one
/// (SPEC FS-7).
struct ModelLayer {
  /// Elements of the gradient of its dense part, in [0, 2^53].
  int64_t gradientElements = 0;
  /// Time of its dense part that can overlap an all-reduce, in [0, 1e15] us.
  double overlappableDenseUs = 0;
  std::optional<MoESizes> moe;
};

/// A limit far above any real model that still keeps planning within seconds.
constexpr size_t kMaxModelLayers = 65536;

/// Layers in forward order, 1 to `kMaxModelLayers`. All gradients together have
/// at most 2^53 elements.
struct ModelLayers {
  std::vector<ModelLayer> layers;
};

/// Returns the bytes of an element of type f64, f32, bf16 or f16, or nothing
/// for any other type.
std::optional<int64_t> getElementBytes(std::string_view dtype);

/// Reads a model. A failure is one line with the file, line and column, the
/// key's path ("layers[1].moe.hidden"), the expected value, and the value
/// found.
cost::Result<ModelLayers> loadModelLayers(const std::string &path);

/// Reads a model from a text; messages use `name` as the file.
cost::Result<ModelLayers> parseModelLayers(std::string_view text,
                                           const std::string &name);

} // namespace moe::platform

#endif // MOE_PLATFORM_MODELLAYERS_H
