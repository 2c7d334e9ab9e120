// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured rates of platforms from files.

#include "LoadParts.h"

#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

/// More than any device has.
static constexpr int64_t kMostSms = 4096, kMostSize = int64_t(1) << 24;

Microseconds HostCost::getLayer(int64_t tp) const {
  const OfLayer *below = nullptr, *above = nullptr;
  for (const OfLayer &entry : layers) {
    if (entry.tp <= tp)
      below = &entry;
    if (entry.tp >= tp && !above)
      above = &entry;
  }
  if (!below || !above || below == above)
    return (below ? below : above)->layer;
  double share = std::log(double(tp) / double(below->tp)) /
                 std::log(double(above->tp) / double(below->tp));
  return below->layer * (1 - share) + above->layer * share;
}

const Dispatcher *MeasuredRates::findDispatcher(std::string_view name) const {
  auto it = std::find_if(
      dispatchers.begin(), dispatchers.end(),
      [&](const Dispatcher &dispatcher) { return dispatcher.name == name; });
  return it == dispatchers.end() ? nullptr : &*it;
}

const HostCost *MeasuredRates::findHost(std::string_view framework,
                                        bool cudaGraphs) const {
  auto it = std::find_if(hosts.begin(), hosts.end(), [&](const HostCost &host) {
    return host.framework == framework && host.cudaGraphs == cudaGraphs;
  });
  return it == hosts.end() ? nullptr : &*it;
}

static ProductRates readProducts(ObjectReader &parent, std::string_view key) {
  ProductRates rates;
  const JsonValue *object = parent.findObject(key);
  if (!object) {
    parent.fail(key, "expected an object with the rates of products, got "
                     "nothing");
    return rates;
  }
  ObjectReader reader(parent.getContext(), *object, parent.getPath(key));
  rates.tflops = reader.getNumber("tflops", Range::Positive);
  rates.tileRows = reader.getInteger("tile_rows", 1, kMostSize);
  rates.tileColumns = reader.getInteger("tile_columns", 1, kMostSize);
  rates.fill = reader.getNumber("fill", Range::NotNegative);
  rates.partialWave = reader.getNumber("partial_wave", Range::NotNegative);
  if (rates.partialWave > 1)
    reader.fail("partial_wave", "expected a number from 0 to 1, got " +
                                    formatNumber(rates.partialWave));
  rates.start = Microseconds(reader.getNumber("start_us", Range::NotNegative));
  rates.origin = readOrigin(reader, "origin");
  reader.finish();
  return rates;
}

static Kernels readKernels(ObjectReader &reader) {
  Kernels kernels;
  kernels.sms = reader.getInteger("sms", 1, kMostSms);
  kernels.products = readProducts(reader, "products");
  kernels.groupedProducts = readProducts(reader, "grouped_products");
  reader.forEachObject("attention", [&](ObjectReader &item, size_t) {
    AttentionRate rate;
    rate.headWidth = item.getInteger("head_width", 1, kMostSize);
    rate.seqLen = item.getInteger("seq_len", 1, kMostSize);
    rate.forwardTflops = item.getNumber("forward_tflops", Range::Positive);
    rate.backwardTflops = item.getNumber("backward_tflops", Range::Positive);
    for (const AttentionRate &other : kernels.attention)
      if (other.headWidth == rate.headWidth && other.seqLen == rate.seqLen)
        item.fail("seq_len", "expected one entry of each head width and "
                             "length, got two");
    kernels.attention.push_back(rate);
  });
  if (kernels.attention.empty())
    reader.fail("attention", "expected at least one entry, got none");
  kernels.attentionOrigin = readOrigin(reader, "attention_origin");
  kernels.memory = GBps(reader.getNumber("memory_GBps", Range::Positive));
  kernels.memoryStart =
      Microseconds(reader.getNumber("memory_start_us", Range::NotNegative));
  kernels.memoryOrigin = readOrigin(reader, "memory_origin");
  for (auto [key, cost] :
       {std::pair("overlap_cost", &kernels.overlapCost),
        {"overlap_cost_one_wave", &kernels.overlapCostOfOneWave}}) {
    *cost = reader.getNumber(key, Range::NotNegative);
    if (*cost > 1)
      reader.fail(key,
                  "expected a share from 0 to 1, got " + formatNumber(*cost));
  }
  kernels.overlapOrigin = readOrigin(reader, "overlap_origin");
  return kernels;
}

static Dispatcher readDispatcher(ObjectReader &reader) {
  Dispatcher dispatcher;
  dispatcher.name = reader.getText("name");
  if (dispatcher.name == "all-to-all")
    reader.fail("name", "expected another name than 'all-to-all', which is the "
                        "collective of the levels");
  dispatcher.permutes = reader.findFlag("permutes");
  dispatcher.maxRanks = reader.findInteger("max_ranks", 2, kMaxRanks);
  dispatcher.origin = readOrigin(reader, "origin");
  bool hasOneNode = false;
  reader.forEachObject("lines", [&](ObjectReader &item, size_t) {
    DispatcherLine line;
    line.nodes = item.getInteger("nodes", 1, kMaxRanks);
    line.sms = item.getInteger("sms", 1, kMostSms);
    auto read = [&](const char *start, const char *rate) {
      return DispatchRate{
          Microseconds(item.getNumber(start, Range::NotNegative)),
          GBps(item.getNumber(rate, Range::Positive))};
    };
    line.dispatch = read("dispatch_start_us", "dispatch_GBps");
    line.combine = read("combine_start_us", "combine_GBps");
    hasOneNode |= line.nodes == 1;
    dispatcher.lines.push_back(line);
  });
  if (!hasOneNode)
    reader.fail("lines", "expected at least one line of 1 node, whose rate "
                         "larger groups have inside of their nodes, got none");
  return dispatcher;
}

static HostCost readHost(ObjectReader &reader) {
  HostCost host;
  host.framework = reader.getText("framework");
  host.cudaGraphs = reader.findFlag("cuda_graphs");
  reader.forEachObject("layers", [&](ObjectReader &item, size_t) {
    HostCost::OfLayer entry;
    entry.tp = item.getInteger("tp", 1, kMaxRanks);
    entry.layer = Microseconds(item.getNumber("layer_us", Range::NotNegative));
    if (!host.layers.empty() && entry.tp <= host.layers.back().tp)
      item.fail("tp", "expected more ranks than the entry before, " +
                          std::to_string(host.layers.back().tp) + ", got " +
                          std::to_string(entry.tp));
    host.layers.push_back(entry);
  });
  if (host.layers.empty())
    reader.fail("layers", "expected at least one entry, got none");
  host.step = Microseconds(
      reader.findNumber("step_us", Range::NotNegative).value_or(0));
  host.origin = readOrigin(reader, "origin");
  return host;
}

MeasuredRates moe::platform::readRates(ObjectReader &reader) {
  MeasuredRates rates;
  if (const JsonValue *object = reader.findObject("kernels")) {
    ObjectReader kernels(reader.getContext(), *object, "kernels");
    rates.kernels = readKernels(kernels);
    kernels.finish();
  }
  reader.forEachObject("dispatchers", [&](ObjectReader &item, size_t) {
    Dispatcher dispatcher = readDispatcher(item);
    if (rates.findDispatcher(dispatcher.name))
      item.fail("name", "expected a name of its own, got " +
                            quote(dispatcher.name) + " twice");
    rates.dispatchers.push_back(std::move(dispatcher));
  });
  reader.forEachObject("hosts", [&](ObjectReader &item, size_t) {
    HostCost host = readHost(item);
    if (rates.findHost(host.framework, host.cudaGraphs))
      item.fail("framework", "expected one entry of each framework with and "
                             "without CUDA graphs, got two of " +
                                 quote(host.framework));
    rates.hosts.push_back(std::move(host));
  });
  auto hidden = reader.findNumber("hidden_exchanges", Range::NotNegative);
  std::string origin = readOrigin(reader, "hidden_exchanges_origin");
  if (hidden && *hidden > 1)
    reader.fail("hidden_exchanges",
                "expected a share from 0 to 1, got " + formatNumber(*hidden));
  if (hidden)
    rates.hiddenExchanges = Stated<double>{*hidden, origin};
  else if (!origin.empty())
    reader.fail("hidden_exchanges_origin",
                "expected this only together with 'hidden_exchanges'");
  return rates;
}
