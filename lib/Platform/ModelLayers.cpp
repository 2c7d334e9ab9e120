// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the layers of a model.

#include "moe/Platform/ModelLayers.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/ObjectReader.h"
#include "moe/Support/TextFile.h"

#include <cmath>

using namespace moe;
using namespace moe::platform;
using namespace moe::support;

static constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1;
static constexpr int64_t kMaxElements = int64_t(1) << 53;
static constexpr double kMaxUs = 1e15;

std::optional<int64_t> moe::platform::getElementBytes(std::string_view dtype) {
  if (dtype == "f64")
    return 8;
  if (dtype == "f32")
    return 4;
  if (dtype == "bf16" || dtype == "f16")
    return 2;
  return std::nullopt;
}

static MoESizes readSizes(ObjectReader &reader, const JsonValue &object) {
  MoESizes sizes;
  sizes.microBatch = reader.getInteger("micro_batch", 1, kMaxSize);
  sizes.seqLen = reader.getInteger("seq_len", 1, kMaxSize);
  sizes.hidden = reader.getInteger("hidden", 1, kMaxSize);
  sizes.ffnHidden = reader.getInteger("ffn_hidden", 1, kMaxSize);
  sizes.topK = reader.getInteger("top_k", 1, kMaxSize);
  // "none" means no limit, as on the command line.
  const JsonValue *factor = object.find("capacity_factor");
  bool isText = factor && factor->kind == JsonValue::Kind::String;
  if (isText && reader.getText("capacity_factor") != "none")
    reader.fail("capacity_factor",
                "expected a number > 0 or \"none\", got " + factor->describe());
  else if (!isText)
    sizes.capacityFactor = reader.getNumber("capacity_factor", Range::Positive);
  sizes.gemms = reader.getInteger("gemms", 2, 3);
  sizes.tp = reader.findInteger("tp", 1, kMaxSize);
  sizes.esp = reader.findInteger("esp", 1, kMaxSize);
  if (auto dtype = reader.findText("dtype")) {
    if (!getElementBytes(*dtype))
      reader.fail("dtype",
                  "expected one of f64, f32, bf16, f16; got '" + *dtype + "'");
    sizes.dtype = *dtype;
  }
  // The forward pass has no gradients.
  if (auto phase = reader.findText("phase"); phase && *phase != "bwd")
    reader.fail("phase", "expected bwd, the phase that gradients are sent in; "
                         "got '" +
                             *phase + "'");
  return sizes;
}

static ModelLayer readLayer(ObjectReader &reader, int64_t elementsLeft) {
  ModelLayer layer;
  // Accept 1024.0 because scripts that compute the number may write it so.
  double elements = reader.getNumber("gradient_elements", Range::NotNegative);
  if (elements != std::floor(elements) || elements > double(elementsLeft))
    reader.fail("gradient_elements",
                "expected a whole number in [0, 2^53], in all layers together, "
                "got the number " +
                    formatNumber(elements));
  else
    layer.gradientElements = int64_t(elements);
  layer.overlappableDenseUs =
      reader.getNumber("overlappable_dense_us", Range::NotNegative);
  if (layer.overlappableDenseUs > kMaxUs)
    reader.fail("overlappable_dense_us",
                "expected a number in [0, 1e15], got the number " +
                    formatNumber(layer.overlappableDenseUs));
  if (const JsonValue *object = reader.findObject("moe")) {
    ObjectReader moe(reader.getContext(), *object, reader.getPath("moe"));
    layer.moe = readSizes(moe, *object);
    moe.finish();
  }
  return layer;
}

cost::Result<ModelLayers>
moe::platform::parseModelLayers(std::string_view text,
                                const std::string &name) {
  cost::Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  ReaderContext context{name, ""};
  ObjectReader reader(context, *root, "");
  ModelLayers model;
  if (!context.hasFailed()) {
    int64_t elementsLeft = kMaxElements;
    reader.forEachObject("layers", [&](ObjectReader &item, size_t) {
      model.layers.push_back(readLayer(item, elementsLeft));
      elementsLeft -= model.layers.back().gradientElements;
    });
    if (model.layers.empty())
      reader.fail("layers",
                  std::string("expected an array of at least one "
                              "layer, got ") +
                      (reader.has("layers") ? "an empty array"
                                            : "nothing: the key is missing"));
    if (model.layers.size() > kMaxModelLayers)
      reader.fail("layers", "expected an array of at most " +
                                std::to_string(kMaxModelLayers) +
                                " layers, got " +
                                std::to_string(model.layers.size()));
    reader.finish();
  }
  if (context.hasFailed())
    return cost::Failure{context.problem};
  return model;
}

cost::Result<ModelLayers>
moe::platform::loadModelLayers(const std::string &path) {
  cost::Result<std::string> text = readTextFile(path, "a network's file");
  if (!text)
    return text.getFailure();
  return parseModelLayers(*text, path);
}
