// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys of a platform's file for measured rates.

#include "KeyVisitors.h"

#include <algorithm>

using namespace moe;
using namespace moe::cost;
using namespace moe::support;

namespace moe::platform {

/// More than any device has.
static constexpr int64_t kMostSms = 4096, kMostSize = int64_t(1) << 24;

template <typename IO> static void visitKeys(IO &io, ProductRates &rates) {
  io.number("tflops", rates.tflops, Range::Positive);
  io.integer("tile_rows", rates.tileRows, 1, kMostSize);
  io.integer("tile_columns", rates.tileColumns, 1, kMostSize);
  io.number("fill", rates.fill, Range::NotNegative);
  io.number("partial_wave", rates.partialWave, Range::NotNegative);
  checkShare(io, "partial_wave", rates.partialWave);
  io.number("start_us", rates.start, Range::NotNegative);
  io.origin("origin", rates.origin);
}

template <typename IO> static void visitKeys(IO &io, AttentionRate &rate) {
  io.integer("head_width", rate.headWidth, 1, kMostSize);
  io.integer("seq_len", rate.seqLen, 1, kMostSize);
  io.number("forward_tflops", rate.forwardTflops, Range::Positive);
  io.number("backward_tflops", rate.backwardTflops, Range::Positive);
}

template <typename IO>
static void visitKeys(IO &io, QuantizedProducts &quantized) {
  std::string name(getName(quantized.precision));
  io.text("precision", name);
  std::optional<Precision> parsed = parsePrecision(name);
  bool isStated = parsed && *parsed != Precision::SixteenBit &&
                  getMeasuredPrecision(*parsed) == *parsed;
  io.check([&](ObjectReader &reader) {
    if (!isStated && reader.has("precision"))
      reader.fail("precision", "expected fp8-tensorwise, which delayed scaling "
                               "takes too, fp8-blockwise, mxfp8, or nvfp4, "
                               "got " +
                                   quote(name));
  });
  quantized.precision = isStated ? *parsed : quantized.precision;
  io.integer("copies", quantized.copies, 1, 2);
  io.record("products", quantized.products);
  io.record("grouped_products", quantized.groupedProducts);
  io.number("quantize_GBps", quantized.quantize, Range::Positive);
  io.origin("quantize_origin", quantized.quantizeOrigin);
}

template <typename IO> static void visitKeys(IO &io, Kernels &kernels) {
  io.integer("sms", kernels.sms, 1, kMostSms);
  io.record("products", kernels.products);
  io.record("grouped_products", kernels.groupedProducts);
  io.list("quantized", kernels.quantized,
          [&](ObjectReader &item, const QuantizedProducts &entry, size_t at) {
            for (size_t i = 0; i < at; ++i)
              if (kernels.quantized[i].precision == entry.precision)
                item.fail("precision", "expected one entry of each precision, "
                                       "got two of " +
                                           quote(getName(entry.precision)));
          });
  io.list("attention", kernels.attention,
          [&](ObjectReader &item, const AttentionRate &rate, size_t at) {
            for (size_t i = 0; i < at; ++i)
              if (kernels.attention[i].headWidth == rate.headWidth &&
                  kernels.attention[i].seqLen == rate.seqLen)
                item.fail("seq_len", "expected one entry of each head width "
                                     "and length, got two");
          });
  io.check([&](ObjectReader &reader) {
    if (kernels.attention.empty())
      reader.fail("attention", "expected at least one entry, got none");
  });
  io.origin("attention_origin", kernels.attentionOrigin);
  io.number("memory_GBps", kernels.memory, Range::Positive);
  io.number("memory_start_us", kernels.memoryStart, Range::NotNegative);
  io.origin("memory_origin", kernels.memoryOrigin);
  io.number("overlap_cost", kernels.overlapCost, Range::NotNegative);
  checkShare(io, "overlap_cost", kernels.overlapCost);
  io.number("overlap_cost_one_wave", kernels.overlapCostOfOneWave,
            Range::NotNegative);
  checkShare(io, "overlap_cost_one_wave", kernels.overlapCostOfOneWave);
  io.origin("overlap_origin", kernels.overlapOrigin);
}

template <typename IO> static void visitKeys(IO &io, DispatcherLine &line) {
  io.integer("nodes", line.nodes, 1, kMaxRanks);
  io.integer("sms", line.sms, 1, kMostSms);
  io.number("dispatch_start_us", line.dispatch.start, Range::NotNegative);
  io.number("dispatch_GBps", line.dispatch.rate, Range::Positive);
  io.number("combine_start_us", line.combine.start, Range::NotNegative);
  io.number("combine_GBps", line.combine.rate, Range::Positive);
}

template <typename IO> static void visitKeys(IO &io, Dispatcher &dispatcher) {
  io.text("name", dispatcher.name);
  io.flag("permutes", dispatcher.permutes);
  io.optional("max_ranks", dispatcher.maxRanks, 2, kMaxRanks);
  io.origin("origin", dispatcher.origin);
  io.list("lines", dispatcher.lines, kAnyItem);
  io.check([&](ObjectReader &reader) {
    if (dispatcher.name == "all-to-all")
      reader.fail("name", "expected another name than 'all-to-all', which is "
                          "the collective of the levels");
    if (std::none_of(
            dispatcher.lines.begin(), dispatcher.lines.end(),
            [](const DispatcherLine &line) { return line.nodes == 1; }))
      reader.fail("lines",
                  "expected at least one line of 1 node, whose rate larger "
                  "groups have inside of their nodes, got none");
  });
}

template <typename IO> static void visitKeys(IO &io, HostCost::OfLayer &entry) {
  io.integer("tp", entry.tp, 1, kMaxRanks);
  io.number("layer_us", entry.layer, Range::NotNegative);
}

template <typename IO> static void visitKeys(IO &io, HostCost &host) {
  io.text("framework", host.framework);
  io.flag("cuda_graphs", host.cudaGraphs);
  io.list("layers", host.layers,
          [&](ObjectReader &item, const HostCost::OfLayer &entry, size_t at) {
            if (at && entry.tp <= host.layers[at - 1].tp)
              item.fail("tp", "expected more ranks than the entry before, " +
                                  std::to_string(host.layers[at - 1].tp) +
                                  ", got " + std::to_string(entry.tp));
          });
  io.check([&](ObjectReader &reader) {
    if (host.layers.empty())
      reader.fail("layers", "expected at least one entry, got none");
  });
  io.orZero("step_us", host.step, Range::NotNegative);
  io.origin("origin", host.origin);
}

template <typename IO> void visitRates(IO &io, MeasuredRates &rates) {
  io.record("kernels", rates.kernels);
  io.list("dispatchers", rates.dispatchers,
          [&](ObjectReader &item, const Dispatcher &dispatcher, size_t) {
            if (rates.findDispatcher(dispatcher.name) != &dispatcher)
              item.fail("name", "expected a name of its own, got " +
                                    quote(dispatcher.name) + " twice");
          });
  io.list("hosts", rates.hosts,
          [&](ObjectReader &item, const HostCost &host, size_t) {
            if (rates.findHost(host.framework, host.cudaGraphs) != &host)
              item.fail("framework", "expected one entry of each framework "
                                     "with and without CUDA graphs, got two "
                                     "of " +
                                         quote(host.framework));
          });
  visitStated(io, "hidden_exchanges", "hidden_exchanges_origin",
              rates.hiddenExchanges, Range::NotNegative);
  checkShare(io, "hidden_exchanges",
             rates.hiddenExchanges ? rates.hiddenExchanges->value : 0);
}

template void visitRates(KeyReader &io, MeasuredRates &rates);
template void visitRates(KeyWriter &io, MeasuredRates &rates);

} // namespace moe::platform
