// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of layers, kernel by kernel.
//
// The bytes of kernels with little compute are counted for Megatron with
// Transformer Engine: one kernel for a norm, one for an activation with its
// gate, and one for a residual with its addend.

#include "Pricer.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::estimate;

namespace {

/// Sizes of a micro-batch on one rank.
struct Sizes {
  explicit Sizes(const Pricer &pricer) {
    const ImportOptions &options = pricer.job.options;
    tp = double(options.tp);
    hidden = double(pricer.job.model.config.hiddenSize);
    tokens = double(options.microBatch * options.seqLen) / double(options.cp);
    own = options.sequenceParallel ? tokens / tp : tokens;
    gradient = pricer.job.stateBytes.gradient;
  }

  double tp, hidden;
  /// Tokens in ops of the whole tensor-parallel group, and tokens in other ops,
  /// which sequence parallelism divides.
  double tokens, own;
  /// Bytes of the gradient per parameter.
  double gradient;
};

/// Products with the gradients of both operands, and the kernels that quantize
/// these if the job's precision requires it. The forward pass quantizes the
/// input, the backward pass the gradient of the output, each for two products;
/// weights are quantized once per step.
class ProductPart {
public:
  ProductPart(Pricer &pricer, StringRef name, StringRef quantization)
      : pricer(pricer), part{name, PartKind::Compute}, quantize{
                                                           quantization,
                                                           PartKind::Memory} {}

  void add(double m, double n, double k) {
    part.forwardUs += pricer.getLinearUs(m, n, k);
    part.backwardUs +=
        pricer.getLinearUs(m, k, n) + pricer.getLinearUs(k, n, m);
    addQuantized(m, n, k, 1);
    weights += n * k;
  }
  void addGrouped(double experts, double rows, double n, double k) {
    auto time = [&](double m, double columns, double depth) {
      return pricer.getExpertsUs(experts, m, columns, depth);
    };
    part.forwardUs += time(rows, n, k);
    part.backwardUs += time(rows, k, n) + time(n, k, rows);
    // Each expert has a separate tensor. One kernel can quantize several only
    // if the scale is known or belongs to a block.
    bool each = pricer.job.precision == cost::Precision::FP8Tensorwise;
    addQuantized(experts * rows, n, k, each ? experts : 1);
    weights += experts * n * k;
  }
  void addPlain(double m, double n, double k) {
    part.forwardUs += pricer.getProductUs(m, n, k);
    part.backwardUs +=
        pricer.getProductUs(m, k, n) + pricer.getProductUs(k, n, m);
    weights += n * k;
  }
  /// Gradients of weights are accumulated over micro-batches.
  void take(PartList &parts, double gradientBytes) {
    part.backwardUs +=
        (cost::Bytes(2 * gradientBytes * weights) / pricer.kernels.memory)
            .value();
    parts.push_back(part);
    if (quantize.forwardUs > 0)
      parts.push_back(quantize);
  }

private:
  void addQuantized(double m, double n, double k, double tensors) {
    quantize.forwardUs += pricer.getQuantizeUs(m * k, tensors);
    quantize.backwardUs += pricer.getQuantizeUs(m * n, tensors);
  }

  Pricer &pricer;
  LayerPart part, quantize;
  double weights = 0;
};

} // namespace

/// Prices the exchange of tensor-parallel ranks around products: rows are
/// gathered before them and their sums scattered afterwards, or all-reduced.
/// The backward pass does the reverse, and gathers the rows again for the
/// gradients of weights, concurrently with a product. Transformer Engine, which
/// Megatron uses, gathers quantized rows; torchtitan does so if they have a
/// single scale.
static LayerPart priceTensorExchange(Pricer &pricer, const Sizes &sizes,
                                     StringRef name) {
  LayerPart part{name, PartKind::Exchange};
  double bytes = sizes.tokens * sizes.hidden * kElement;
  cost::Precision precision = pricer.job.precision;
  const std::string &framework = pricer.job.framework;
  bool gathersQuantized =
      framework == "megatron" || (framework == "torchtitan" &&
                                  precision == cost::Precision::FP8Tensorwise);
  double gathered =
      gathersQuantized ? cost::getValueBytes(precision) / kElement : 1;
  double us =
      pricer.job.options.sequenceParallel
          ? pricer.getCollectiveUs(cost::CollectiveKind::AllGather,
                                   Group::Tensor, gathered * bytes) +
                pricer.getCollectiveUs(cost::CollectiveKind::ReduceScatter,
                                       Group::Tensor, bytes)
          : pricer.getCollectiveUs(cost::CollectiveKind::AllReduce,
                                   Group::Tensor, bytes);
  part.forwardUs = part.backwardUs = us;
  return part;
}

/// Adds the norm before a network, and the residual after it.
static void addNorm(PartList &parts, const Pricer &pricer, const Sizes &sizes) {
  double elements = sizes.own * sizes.hidden;
  parts.push_back({"norms", PartKind::Memory, pricer.getMemoryUs(4 * elements),
                   pricer.getMemoryUs(8 * elements, 2)});
  parts.push_back({"residuals", PartKind::Memory,
                   pricer.getMemoryUs(6 * elements),
                   pricer.getMemoryUs(6 * elements)});
}

PartList moe::estimate::priceAttention(Pricer &pricer) {
  PartList parts;
  Sizes sizes(pricer);
  const ImportOptions &options = pricer.job.options;
  AttentionWidths widths = pricer.job.model.config.getMeanAttention();
  double hidden = sizes.hidden, tokens = sizes.tokens, tp = sizes.tp;
  addNorm(parts, pricer, sizes);
  // Ranks that share a head of keys and values each hold it whole.
  double shared = std::max(1.0, tp / double(widths.keyValueHeads));
  double key = double(widths.keyValue) / tp * shared;
  double value = double(widths.getValue()) / tp * shared;
  double query = double(widths.query) / tp, output = double(widths.output) / tp;
  ProductPart products(pricer, "projections", "quantization of projections");
  if (widths.latent > 0) {
    ProductPart up(pricer, "latent up-projections",
                   "quantization of latent up-projections");
    if (widths.queryLatent > 0) {
      products.add(sizes.own, double(widths.queryLatent), hidden);
      up.add(tokens, query, double(widths.queryLatent));
    } else {
      products.add(tokens, query, hidden);
    }
    products.add(sizes.own, double(widths.latent + widths.rotary), hidden);
    up.add(tokens, key, double(widths.latent));
    up.take(parts, sizes.gradient);
    // Norms of both latents, and keys joined from their two parts.
    double elements =
        sizes.own * double(widths.queryLatent + widths.latent) + tokens * query;
    parts.push_back({"norms", PartKind::Memory,
                     pricer.getMemoryUs(4 * elements, 3),
                     pricer.getMemoryUs(8 * elements, 4)});
  } else {
    products.add(tokens, query + key + value, hidden);
  }
  products.add(tokens, hidden, output);
  products.take(parts, sizes.gradient);
  double rotated = widths.latent > 0 ? 2 * query : query + key;
  parts.push_back({"rotary embeddings", PartKind::Memory,
                   pricer.getMemoryUs(2 * kElement * tokens * rotated, 2),
                   pricer.getMemoryUs(2 * kElement * tokens * rotated, 2)});

  // Half of all pairs; widths of keys and of values may differ.
  double heads = double(widths.heads) / tp;
  double width = double(widths.query) / double(widths.heads);
  double valueWidth = double(widths.output) / double(widths.heads);
  auto length = double(options.seqLen);
  cost::AttentionRate rate = pricer.kernels.getAttention(width, length);
  double pairs = tokens * length / 2 * heads;
  double flop = 2 * pairs * (width + valueWidth);
  double backwardFlop = pairs * (6 * width + 4 * valueWidth);
  LayerPart attention{"attention", PartKind::Compute};
  attention.forwardUs = flop / (rate.forwardTflops * 1e6);
  attention.backwardUs = backwardFlop / (rate.backwardTflops * 1e6);
  parts.push_back(attention);
  if (options.cp > 1) {
    LayerPart context{"context-parallel exchange", PartKind::Exchange};
    double bytes = tokens * double(options.cp) * (key + value) * kElement;
    context.forwardUs = pricer.getCollectiveUs(cost::CollectiveKind::AllGather,
                                               Group::Context, bytes);
    context.backwardUs =
        context.forwardUs +
        pricer.getCollectiveUs(cost::CollectiveKind::ReduceScatter,
                               Group::Context, bytes);
    // Rings pass keys and values on during attention.
    context.forwardUs = std::max(0.0, context.forwardUs - attention.forwardUs);
    context.backwardUs =
        std::max(0.0, context.backwardUs - attention.backwardUs);
    parts.push_back(context);
  }
  parts.push_back(
      priceTensorExchange(pricer, sizes, "tensor-parallel exchange"));
  return parts;
}

/// Adds a feed-forward network of the tensor-parallel ranks.
static void addNetwork(PartList &parts, Pricer &pricer, const Sizes &sizes,
                       StringRef name, StringRef quantization, double width) {
  double gates = pricer.job.model.config.isGated() ? 2 : 1;
  double local = width / sizes.tp;
  ProductPart products(pricer, name, quantization);
  products.add(sizes.tokens, gates * local, sizes.hidden);
  products.add(sizes.tokens, sizes.hidden, local);
  products.take(parts, sizes.gradient);
  double elements = sizes.tokens * local;
  parts.push_back({name, PartKind::Memory,
                   pricer.getMemoryUs(kElement * (gates + 1) * elements),
                   pricer.getMemoryUs(kElement * (2 * gates + 1) * elements)});
}

PartList moe::estimate::priceDenseNetwork(Pricer &pricer) {
  PartList parts;
  Sizes sizes(pricer);
  addNorm(parts, pricer, sizes);
  addNetwork(parts, pricer, sizes, "dense network",
             "quantization of the dense network",
             double(pricer.job.model.config.denseFFNSize));
  parts.push_back(priceTensorExchange(pricer, sizes,
                                      "tensor-parallel exchange of the "
                                      "network"));
  return parts;
}

/// Returns the load of the busiest rank relative to an even load.
static double getLoad(const Job &job) {
  const ImportOptions &options = job.options;
  if (options.routing == Routing::Padded)
    return double(options.capacityFactor.numerator) /
           double(options.capacityFactor.denominator);
  return job.expertLoad;
}

/// Prices the bias of the second product, which Megatron adds expert by expert
/// after it (TEGroupedMLP._apply_bias): the bias is multiplied by the tokens'
/// probabilities and added, and the experts' rows are concatenated. Dispatchers
/// return probabilities of 32 bits, so that these kernels have 32 bits, too.
/// The bias of the first product is a part of the product.
static LayerPart priceBiases(Pricer &pricer, double experts, double elements,
                             double wide) {
  const double converted = wide > kElement ? wide + kElement : 0;
  const bool converts = converted > 0;
  // The product is written, then added and concatenated. Backward, the sum over
  // rows gives the gradient of the bias, and the sum over columns the gradient
  // of the probabilities.
  double forward = wide + (kElement + 2 * wide) + 2 * wide + converted;
  double backward = 2 * converted + 2 * kElement + 2 * 3 * wide;
  auto each = int64_t(std::ceil(experts));
  return {"experts' biases", PartKind::Memory,
          pricer.getMemoryUs(elements * forward, 2 * each + 1 + converts),
          pricer.getMemoryUs(elements * backward,
                             (4 + converts) * each + 1 + converts)};
}

PartList moe::estimate::priceExperts(Pricer &pricer) {
  PartList parts;
  Sizes sizes(pricer);
  const ImportOptions &options = pricer.job.options;
  const ModelConfig &config = pricer.job.model.config;
  addNorm(parts, pricer, sizes);
  size_t first = parts.size();
  double hidden = sizes.hidden, width = double(config.getExpertWidth());
  auto topK = double(config.getSentTopK());
  auto scored = double(config.getScoredExperts());
  auto ep = double(options.ep);
  auto shards = double(pricer.getSize(Group::ExpertShards));
  // Tokens that each rank routes. If there is neither sequence parallelism nor
  // folding, all tensor-parallel ranks route the same tokens, and share the
  // experts of the rows.
  double routed = options.foldEp && !options.sequenceParallel
                      ? sizes.own / sizes.tp
                      : sizes.own;
  double rows = routed * topK * getLoad(pricer.job);

  ProductPart router(pricer, "router", "");
  router.addPlain(routed, scored, hidden);
  router.take(parts, sizes.gradient);
  double scores = routed * scored * 4;
  parts.push_back({"router", PartKind::Memory,
                   pricer.getMemoryUs(6 * scores, 6),
                   pricer.getMemoryUs(4 * scores, 4)});

  // The exchanges to the experts and back.
  double experts = double(config.numExperts) / ep;
  LayerPart permute{"permutation", PartKind::Memory};
  LayerPart exchange{"dispatch and combine", PartKind::ExpertExchange};
  double rowBytes = width * kElement;
  // Bytes per row of the forward pass; the backward pass exchanges 16 bits.
  double sentBytes =
      pricer.job.dispatchBytes == 2
          ? rowBytes
          : width * cost::getValueBytes(cost::Precision::FP8Blockwise);
  const cost::Dispatcher *dispatcher =
      pricer.platform.rates.findDispatcher(pricer.job.dispatcher);
  if (dispatcher) {
    // Kernels send no padding. The busiest rank receives its share of rows over
    // the links that an even load would use.
    double sent =
        routed *
        (options.routing == Routing::Padded ? 1 : pricer.job.expertLoad);
    cost::DispatcherTime time =
        pricer.getDispatcherTime(sent, rowBytes, rowBytes);
    cost::DispatcherTime forward =
        pricer.getDispatcherTime(sent, sentBytes, rowBytes);
    exchange.forwardUs = (forward.dispatch + forward.combine).value();
    exchange.backwardUs = (time.dispatch + time.combine).value();
    if (!dispatcher->permutes) {
      // Each rank receives a token once, and makes one row for each of its
      // experts there.
      double received = time.inside.value();
      permute.forwardUs = permute.backwardUs =
          pricer.getMemoryUs(2 * (received + rows * rowBytes), 2);
    }
  } else {
    auto price = [&](double bytes) {
      return pricer.getCollectiveUs(cost::CollectiveKind::AllToAll,
                                    Group::Experts, rows * bytes);
    };
    exchange.forwardUs = price(sentBytes) + price(rowBytes);
    exchange.backwardUs = 2 * price(rowBytes);
    // Rows are sorted by rank before the exchange and by expert after it, and
    // in reverse on the way back.
    double once = 2 * rows * rowBytes;
    bool sorts = options.ep > 1 && experts > 1;
    permute.forwardUs = permute.backwardUs =
        pricer.getMemoryUs((sorts ? 4 : 2) * once, sorts ? 4 : 2);
  }
  parts.push_back(permute);
  parts.push_back(exchange);
  if (shards > 1) {
    double bytes = rows * shards * rowBytes;
    double us = pricer.getCollectiveUs(cost::CollectiveKind::AllGather,
                                       Group::ExpertShards, bytes) +
                pricer.getCollectiveUs(cost::CollectiveKind::ReduceScatter,
                                       Group::ExpertShards, bytes);
    parts.push_back(
        {"experts' tensor-parallel exchange", PartKind::Exchange, us, us});
    rows *= options.sequenceParallel ? shards : 1;
  }

  double gates = config.isGated() ? 2 : 1;
  double ffn = double(config.expertFFNSize) / shards;
  double rowsEach = std::max(1.0, rows / experts);
  ProductPart products(pricer, "experts", "quantization of experts");
  products.addGrouped(experts, rowsEach, gates * ffn, width);
  products.addGrouped(experts, rowsEach, width, ffn);
  products.take(parts, sizes.gradient);
  parts.push_back(
      {"experts' activation", PartKind::Memory,
       pricer.getMemoryUs(kElement * (gates + 1) * rows * ffn),
       pricer.getMemoryUs(kElement * (2 * gates + 1) * rows * ffn)});
  if (pricer.job.addsBiasesApart())
    parts.push_back(
        priceBiases(pricer, experts, rows * width, dispatcher ? 4 : kElement));
  if (config.sharedFFNSize > 0)
    addNetwork(parts, pricer, sizes, "shared experts",
               "quantization of shared experts", double(config.sharedFFNSize));
  for (size_t i = first; i < parts.size(); ++i)
    parts[i].isOfExperts = true;
  return parts;
}
