// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan dispatch-kernel.

#include "Commands.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

namespace {

class DispatchKernelCommand : public Command {
public:
  DispatchKernelCommand()
      : Command("dispatch-kernel",
                "Predict the times of a dispatcher's kernels, as DeepEP's") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  MachineOptions platform = makeMachineOptions();
  cl::opt<std::string> dispatcher{
      "dispatcher",
      cl::desc("A dispatcher that the platform states (required)"),
      cl::value_desc("NAME"), cl::sub(subCommand)};
  IntegerOption ranks{"ranks", "Ranks of the group (required)", subCommand};
  IntegerOption tokens{"tokens", "Tokens of a rank (required)", subCommand};
  IntegerOption hidden{"hidden-size", "Elements of a token (required)",
                       subCommand};
  IntegerOption experts{"experts", "Experts on all ranks (required)",
                        subCommand};
  IntegerOption topK{"top-k", "Experts of a token (required)", subCommand};
  IntegerOption groups{"groups",
                       "Groups of experts that a token chooses some of "
                       "(default: 1)",
                       subCommand};
  IntegerOption topGroups{"top-groups",
                          "How many groups a token chooses (default: all)",
                          subCommand};
  IntegerOption dispatchBytes{
      "dispatch-bytes",
      "Bytes of an element on its way to experts: 2 (default), or 1 with a "
      "32-bit scale for 128 elements",
      subCommand,
      {1, 2}};
  IntegerOption sms{"sms",
                    "Streaming multiprocessors that it takes (default: 20)",
                    subCommand};
  AnswerOptions answers{subCommand};
};

} // namespace

std::optional<Failure> DispatchKernelCommand::run(raw_ostream &os) {
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  if (dispatcher.getNumOccurrences() == 0)
    return failMissing("dispatcher");
  const cost::Dispatcher *found = loaded->rates.findDispatcher(dispatcher);
  if (!found) {
    std::string names;
    for (const cost::Dispatcher &one : loaded->rates.dispatchers)
      names += (names.empty() ? "" : ", ") + one.name;
    return makeFailure("--dispatcher: expected one that " +
                       loaded->machine.name + " states (" +
                       (names.empty() ? "it states none" : names) + "), got '" +
                       dispatcher + "'");
  }
  cost::TokenExchange exchange;
  int64_t tokensOfRank = 0, width = 0, element = 0, blocks = 0;
  struct {
    const IntegerOption &option;
    int64_t &value;
    std::optional<int64_t> fallback;
  } numbers[] = {{ranks, exchange.ranks, std::nullopt},
                 {tokens, tokensOfRank, std::nullopt},
                 {hidden, width, std::nullopt},
                 {experts, exchange.experts, std::nullopt},
                 {topK, exchange.topK, std::nullopt},
                 {groups, exchange.groups, 1},
                 {dispatchBytes, element, 2},
                 {sms, blocks, 20}};
  for (auto &[option, value, fallback] : numbers) {
    Result<int64_t> read = option.read(fallback);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  Result<int64_t> chosen = topGroups.read(exchange.groups);
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
      std::min<int64_t>(exchange.ranks, loaded->machine.levels.front().ranks);
  exchange.tokens = double(tokensOfRank);
  double scales = element == 1 ? 4 * double((width + 127) / 128) : 0;
  exchange.bytesPerToken = double(width * element) + scales;
  auto time =
      cost::getDispatcherTime(*found, exchange, double(width) * 2, blocks);
  if (!time)
    return makeFailure("--ranks: " + time.getError());
  // As DeepEP's tests count: of one node what ranks receive, of several what
  // nodes receive, the own one included; without scales.
  double places = exchange.getNodes() == 1 ? exchange.getRanksOfToken()
                                           : exchange.getNodesOfToken();
  auto getRate = [&](double bytes, cost::Microseconds us) {
    return exchange.tokens * double(width) * bytes * places / us.value() * 1e-3;
  };
  double dispatchRate = getRate(double(element), time->dispatch);
  double combineRate = getRate(2, time->combine);
  Result<bool> isAnswered =
      answers.answer(os, "moe-plan dispatch-kernel", [&](json::OStream &out) {
        out.attribute("platform", loaded->machine.name);
        out.attribute("dispatcher", found->name);
        out.attribute("dispatch_us", time->dispatch.value());
        out.attribute("combine_us", time->combine.value());
        out.attribute("dispatch_GBps", dispatchRate);
        out.attribute("combine_GBps", combineRate);
        out.attribute("bytes_inside_nodes", time->inside.value());
        out.attribute("bytes_between_nodes", time->between.value());
        out.attribute("measured_on_as_many_nodes", time->isMeasured);
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << "dispatch " << formatFixed(time->dispatch.value(), 1) << " us ("
     << formatFixed(dispatchRate, 1) << " GB/s), combine "
     << formatFixed(time->combine.value(), 1) << " us ("
     << formatFixed(combineRate, 1) << " GB/s)\n";
  if (!time->isMeasured)
    os << "not measured on " << exchange.getNodes()
       << " nodes: from the nearest number that was\n";
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createDispatchKernelCommand() {
  return std::make_unique<DispatchKernelCommand>();
}
