// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the layers of a model.
//
// The JSON of a model whose gradients are to be sent;
// docs/how-to/overlap-a-layer.md lists the keys.

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
  /// Above 0; none means no limit.
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
  /// The time of its dense part beside which an all-reduce may run, in
  /// [0, 1e15] us.
  double overlappableDenseUs = 0;
  std::optional<MoESizes> moe;
};

/// Far more than any model has, few enough to be planned in seconds.
constexpr size_t kMaxModelLayers = 65536;

/// Layers in forward order, 1 to `kMaxModelLayers`; their gradients have at
/// most 2^53 elements together.
struct ModelLayers {
  std::vector<ModelLayer> layers;
};

/// Bytes of an element, none for a type that is not known: f64, f32, bf16, f16.
std::optional<int64_t> getElementBytes(std::string_view dtype);

/// Reads a model. The failure is one line: file, line and column, the path of
/// the key ("layers[1].moe.hidden"), what is allowed, and what was found.
cost::Result<ModelLayers> loadModelLayers(const std::string &path);

/// The same for a text; `name` stands for the file in messages.
cost::Result<ModelLayers> parseModelLayers(std::string_view text,
                                           const std::string &name);

} // namespace moe::platform

#endif // MOE_PLATFORM_MODELLAYERS_H
