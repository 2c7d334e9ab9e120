// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The times of a dispatcher's kernels.

#include "moe/Planning/DispatchKernel.h"
#include "moe/Planning/Answers.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

std::string moe::planning::getTitle(const DispatchKernelAnswer &answer) {
  return answer.dispatcher + " on " + answer.machine;
}

void moe::planning::printJSON(json::OStream &out,
                              const DispatchKernelAnswer &answer) {
  out.attribute("platform", answer.machine);
  out.attribute("dispatcher", answer.dispatcher);
  out.attribute("dispatch_us", answer.time.dispatch.value());
  out.attribute("combine_us", answer.time.combine.value());
  out.attribute("dispatch_GBps", answer.dispatchGBps);
  out.attribute("combine_GBps", answer.combineGBps);
  out.attribute("bytes_inside_nodes", answer.time.inside.value());
  out.attribute("bytes_between_nodes", answer.time.between.value());
  out.attribute("measured_on_as_many_nodes", answer.time.isMeasured);
}

/// The sizes of an exchange and the SMs that it uses.
struct KernelSizes {
  cost::TokenExchange exchange;
  int64_t width = 0, element = 0, sms = 0;
};

static Result<KernelSizes> readSizes(const DispatchKernelInput &in,
                                     const cost::Machine &machine) {
  KernelSizes sizes;
  cost::TokenExchange &exchange = sizes.exchange;
  int64_t tokens = 0;
  struct {
    const IntegerOption &option;
    int64_t &value;
    std::optional<int64_t> fallback;
  } numbers[] = {{in.ranks, exchange.ranks, std::nullopt},
                 {in.tokens, tokens, std::nullopt},
                 {in.hidden, sizes.width, std::nullopt},
                 {in.experts, exchange.experts, std::nullopt},
                 {in.topK, exchange.topK, std::nullopt},
                 {in.groups, exchange.groups, 1},
                 {in.dispatchBytes, sizes.element, 2},
                 {in.sms, sizes.sms, 20}};
  for (auto &[option, value, fallback] : numbers) {
    Result<int64_t> read = option.read(fallback);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  Result<int64_t> chosen = in.topGroups.read(exchange.groups);
  if (!chosen)
    return chosen.getFailure();
  exchange.chosenGroups = *chosen;
  if (exchange.experts % exchange.ranks != 0)
    return makeFailure("--experts: expected a multiple of --ranks, " +
                       Twine(exchange.ranks) + ", got " +
                       Twine(exchange.experts));
  if (exchange.experts % exchange.groups != 0 ||
      exchange.chosenGroups > exchange.groups)
    return makeFailure("--groups: expected a divisor of --experts and at least "
                       "--top-groups, got " +
                       Twine(exchange.groups));
  if (exchange.topK >
      exchange.experts / exchange.groups * exchange.chosenGroups)
    return makeFailure("--top-k: expected at most the experts of the chosen "
                       "groups, got " +
                       Twine(exchange.topK));
  exchange.ranksPerNode =
      std::min<int64_t>(exchange.ranks, machine.levels.front().ranks);
  exchange.tokens = double(tokens);
  double scales =
      sizes.element == 1 ? 4 * double((sizes.width + 127) / 128) : 0;
  exchange.bytesPerToken = double(sizes.width * sizes.element) + scales;
  return sizes;
}

Result<DispatchKernelAnswer>
moe::planning::planDispatchKernel(DispatchKernelInput &in) {
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  if (!in.dispatcher.isSet())
    return failMissing("dispatcher");
  const cost::Dispatcher *found =
      loaded->rates.findDispatcher(in.dispatcher.get());
  if (!found) {
    std::string names;
    for (const cost::Dispatcher &one : loaded->rates.dispatchers)
      names += (names.empty() ? "" : ", ") + one.name;
    return makeFailure("--dispatcher: expected one that " + machine.name +
                       " states (" +
                       (names.empty() ? "it states none" : names) + "), got '" +
                       in.dispatcher.get() + "'");
  }
  Result<KernelSizes> sizes = readSizes(in, machine);
  if (!sizes)
    return sizes.getFailure();
  const cost::TokenExchange &exchange = sizes->exchange;
  auto time = cost::getDispatcherTime(*found, exchange,
                                      double(sizes->width) * 2, sizes->sms);
  if (!time)
    return makeFailure("--ranks: " + time.getError());
  DispatchKernelAnswer answer;
  answer.machine = machine.name;
  answer.dispatcher = found->name;
  answer.time = *time;
  answer.nodes = exchange.getNodes();
  double places = answer.nodes == 1 ? exchange.getRanksOfToken()
                                    : exchange.getNodesOfToken();
  auto getRate = [&](double bytes, cost::Microseconds us) {
    return exchange.tokens * double(sizes->width) * bytes * places /
           us.value() * 1e-3;
  };
  answer.dispatchGBps = getRate(double(sizes->element), time->dispatch);
  answer.combineGBps = getRate(2, time->combine);
  return answer;
}
