// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan dispatch.

#include "Commands.h"
#include "ConfigJob.h"
#include "DispatchAnswer.h"
#include "moe/Dispatch/Target.h"
#include "moe/Platform/DispatchLinks.h"
#include "moe/Platform/MachineParameters.h"
#include "moe/Platform/Pairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::dispatch;

namespace {

class DispatchCommand : public Command {
public:
  DispatchCommand()
      : Command("dispatch",
                "Balance the dispatch of an all-to-all by the topology, so "
                "that its slowest delivery ends early") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  /// Reads what only `--traffic` uses and fills `answer.policies`.
  std::optional<Failure> compare(const Links &links, DispatchAnswer &answer);

  MachineOptions platform{table};
  TextOption topology{
      table, "topology",
      "Topology of the devices: a nested list of switches such as "
      "[[2,2],[2]], whose levels are the platform's from the "
      "innermost, or ring:N (required if neither --pairs nor the "
      "platform states a topology)",
      "TREE"};
  TextOption pairsFile{
      table, "pairs",
      "Links between all device pairs as moe-profile measured them, "
      "averaged per level, instead of the platform's",
      "FILE"};
  ConfigJob job{table};
  IntegerOption tokens{table, "tokens",
                       "Tokens per device (required unless --config is given)"};
  IntegerOption topK{table, "top-k",
                     "Experts per token (required unless --config is given)"};
  IntegerOption experts{table, "experts",
                        "Experts in total, spread evenly over the devices "
                        "(required unless --config is given)"};
  IntegerOption bytesPerToken{
      table, "bytes-per-token",
      "Bytes per sent token (required unless --config is given)"};
  TextOption local{
      table, "local",
      "Share that a device keeps for its own experts: pinned, an even "
      "share (default); bandwidth, proportional to its memory copy "
      "bandwidth",
      "HOW", "pinned"};
  TextOption planner{
      table, "planner",
      "Method that computes the target: proportional to link bandwidths, "
      "as in TA-MoE (default); exact, the fastest possible dispatch",
      "HOW", "proportional"};
  NumberOption leastShare{
      table,
      "least-share",
      "Isolation guard: least tokens that a device receives from other "
      "devices, as a share in [0, 1] of an even dispatch (default: 0)",
      {/*mayBeZero=*/true}};
  TextOption trafficFile{
      table, "traffic",
      "Compare policies on this routing trace, which has a row of "
      "counts per device",
      "FILE"};
  NumberOption capacityFactor{table, "capacity-factor",
                              "With --traffic: tokens that an expert accepts "
                              "over its even share (default: 1)"};
  NumberOption nodeShare{table,
                         "node-share",
                         "With --traffic: also compare a policy that sends "
                         "this fixed share in [0, 1] of tokens to the own node",
                         {/*mayBeZero=*/true}};
  OutputOption saveTraffic{
      "save-traffic",
      cl::desc("Also write the dispatch in whole tokens as a routing trace"),
      cl::value_desc("FILE"), cl::sub(subCommand)};
  OutputOption svg{
      "svg",
      cl::desc("Also write the dispatch as a picture, devices by devices"),
      cl::value_desc("FILE"), cl::sub(subCommand)};
  AnswerOptions answers{subCommand};
};

} // namespace

/// Says when a token would have to go to one expert twice, which the formula
/// does not know of.
static void noteRepeats(DispatchAnswer &answer) {
  const dispatch::Demand &demand = answer.demand;
  double most = double(demand.tokens) *
                double(std::min(demand.topK, answer.getExpertsPerDevice()));
  const std::vector<double> &target = answer.plan.target.values;
  double greatest = *std::max_element(target.begin(), target.end());
  if (greatest <= most * (1 + 1e-9))
    return;
  answer.notes.push_back(
      formatv("no routing reaches the target: it has {0:F1} rows from one "
              "device to one, whose {1} experts take a token once each, {2:F0} "
              "rows at most",
              greatest, answer.getExpertsPerDevice(), most));
}

/// Options of the pass that limits what a program's ranks send by this target.
static std::string describePass(StringRef platform,
                                const DispatchAnswer &answer) {
  std::string text =
      formatv("\"platform={0} topology={1}", platform, answer.topology.print());
  if (answer.options.local == LocalShare::Bandwidth)
    text += " local=bandwidth";
  if (answer.options.planner == Planner::Exact)
    text += " planner=exact";
  if (answer.plan.evenShare > 0)
    text += " least-share=" + std::to_string(answer.options.leastShare);
  return text + "\"";
}

/// The dispatch as what one layer sends at one step.
static traffic::Trace makeTraffic(const DispatchAnswer &answer) {
  traffic::Trace trace;
  trace.numRanks = answer.topology.getNumDevices();
  trace.numExperts = answer.experts;
  schedule::ExpertCounts counts{trace.numRanks, trace.numExperts, {}};
  for (const std::vector<int64_t> &row :
       spreadOverExperts(answer.plan.tokens, answer.getExpertsPerDevice()))
    counts.tokens.insert(counts.tokens.end(), row.begin(), row.end());
  trace.steps.push_back({0, {{"0", std::move(counts)}}});
  return trace;
}

std::optional<Failure> DispatchCommand::compare(const Links &links,
                                                DispatchAnswer &answer) {
  if (!trafficFile.isSet()) {
    for (const NumberOption *option : {&capacityFactor, &nodeShare})
      if (option->isSet())
        return makeFailure("--" + option->getName() + " requires --traffic");
    return std::nullopt;
  }
  Result<double> factor = capacityFactor.read(1.0);
  if (!factor)
    return factor.getFailure();
  std::optional<double> share;
  if (nodeShare.isSet()) {
    Result<double> read = nodeShare.read(0.0);
    if (!read)
      return read.getFailure();
    if (*read > 1)
      return makeFailure("--node-share: expected a number in [0, 1], got '" +
                         nodeShare.getText() + "'");
    share = *read;
  }
  Result<traffic::Trace> trace = traffic::loadTrace(trafficFile);
  if (!trace)
    return trace.getFailure();
  if (trace->numRanks != answer.topology.getNumDevices() ||
      trace->numExperts != answer.experts)
    return makeFailure(
        "--traffic: " + trafficFile.get() + ": expected rows of " +
        Twine(answer.topology.getNumDevices()) + " devices for " +
        Twine(answer.experts) + " experts, got " + Twine(trace->numRanks) +
        " for " + Twine(trace->numExperts));
  Result<std::vector<PolicySummary>> policies =
      comparePolicies(*trace, answer.demand, answer.topology, links,
                      answer.plan, *factor, share);
  if (!policies)
    return makeFailure("--traffic: " + trafficFile.get() + ": " +
                       policies.getError());
  answer.policies = std::move(*policies);
  answer.trace = std::move(*trace);
  return std::nullopt;
}

std::optional<Failure> DispatchCommand::run(raw_ostream &os) {
  if (!platform.isSet())
    return failMissing("platform");
  std::optional<platform::MeasuredPairs> pairs;
  if (pairsFile.isSet()) {
    cost::Result<platform::MeasuredPairs> read = platform::loadPairs(pairsFile);
    if (!read)
      return makeFailure("--pairs: " + read.getError());
    pairs = std::move(*read);
  }
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  if (!pairs && !topology.isSet() && loaded->topology.empty())
    return failMissing("topology");
  cost::Result<Topology> tree = topology.isSet()
                                    ? Topology::parse(topology.get())
                                : pairs ? pairs->topology
                                        : Topology::parse(loaded->topology);
  if (!tree)
    return makeFailure("--" + tree.getError());
  if (pairs &&
      (tree->getNumDevices() != pairs->links.getNumDevices() || tree->isRing()))
    return makeFailure("--topology: expected a tree of the " +
                       Twine(pairs->links.getNumDevices()) +
                       " devices of --pairs, got " + tree->print());
  DispatchAnswer answer(std::move(*tree));
  int64_t bytes = 0;
  int64_t numDevices = answer.topology.getNumDevices();
  const IntegerOption *sizes[] = {&tokens, &topK, &experts, &bytesPerToken};
  int64_t *values[] = {&answer.demand.tokens, &answer.demand.topK,
                       &answer.experts, &bytes};
  if (auto failure = job.checkBeside(sizes, {}))
    return failure;
  if (job.isSet()) {
    Result<PlannedJob> read = job.read();
    if (!read)
      return read.getFailure();
    if (read->layout.ep != numDevices)
      return makeFailure("--ep: expected the " + Twine(numDevices) +
                         " devices of --topology, which exchange tokens, got " +
                         Twine(read->layout.ep));
    answer.demand.tokens = read->layout.routedTokens;
    answer.demand.topK = read->config.getSentTopK();
    answer.experts = read->config.numExperts;
    bytes = read->config.getExpertWidth() * read->getElementBytes();
  } else {
    for (auto [option, value] : zip_equal(sizes, values)) {
      Result<int64_t> read = option->read();
      if (!read)
        return read.getFailure();
      *value = *read;
    }
  }
  answer.demand.bytesPerToken = double(bytes);
  if (answer.experts % numDevices != 0)
    return makeFailure("--experts: expected a multiple of the " +
                       Twine(numDevices) + " devices of --topology, got " +
                       Twine(answer.experts));
  if (answer.demand.topK > answer.experts)
    return makeFailure("--top-k: expected at most the " +
                       Twine(answer.experts) + " experts, got " +
                       Twine(answer.demand.topK));
  if (local == "bandwidth")
    answer.options.local = LocalShare::Bandwidth;
  else if (local != "pinned")
    return makeFailure("--local: expected pinned or bandwidth, got '" +
                       local.get() + "'");
  if (planner == "exact")
    answer.options.planner = Planner::Exact;
  else if (planner != "proportional")
    return makeFailure("--planner: expected proportional or exact, got '" +
                       planner.get() + "'");
  Result<double> share = leastShare.read(0.0);
  if (!share)
    return share.getFailure();
  if (*share > 1)
    return makeFailure("--least-share: expected a number in [0, 1], got '" +
                       leastShare.getText() + "'");
  answer.options.leastShare = *share;

  std::optional<Links> links;
  if (pairs) {
    pairs->topology = answer.topology;
    links = pairs->links.smooth(answer.topology);
    for (auto [level, link] : platform::getLevelLinks(*pairs))
      answer.links.push_back(
          {level ? "level " + std::to_string(level) : "local", link});
    answer.notes.push_back("links are " + pairs->origin +
                           ", means over the pairs of a level");
  } else {
    cost::Result<platform::DispatchLinks> made = platform::makeDispatchLinks(
        loaded->machine, answer.topology,
        cost::Bytes(double(answer.demand.getRows()) *
                    answer.demand.bytesPerToken /
                    double(answer.topology.getNumDevices())));
    if (!made)
      return makeFailure("--platform: " + made.getError());
    links = std::move(made->links);
    for (auto &[name, link] : made->byLevel)
      answer.links.push_back({name, link});
    llvm::append_range(answer.notes, made->notes);
  }
  cost::Result<DispatchPlan> plan =
      planDispatch(answer.topology, *links, answer.demand, answer.options);
  if (!plan)
    return plan.getFailure();
  answer.plan = std::move(*plan);
  llvm::append_range(answer.notes, answer.plan.notes);
  noteRepeats(answer);
  if (std::optional<Optimum> best =
          getOptimum(answer.demand, *links, answer.options.local))
    answer.optimalUs = best->us;
  // Bisection ends a little above.
  if (answer.optimalUs)
    answer.optimalUs = std::min(*answer.optimalUs, answer.plan.targetUs);
  if (auto failure = compare(*links, answer))
    return failure;
  if (svg.isSet())
    if (auto failure = writeFile(svg, [&](raw_ostream &file) {
          printDispatchPicture(file, answer);
        }))
      return failure;
  if (saveTraffic.isSet())
    if (auto failure = writeFile(saveTraffic, [&](raw_ostream &file) {
          file << traffic::printTrace(makeTraffic(answer));
        }))
      return failure;
  Result<bool> isAnswered = answers.answer(
      os,
      "Dispatch over " + answer.topology.print() + " on " +
          loaded->machine.name,
      [&](json::OStream &out) {
        printDispatchJSON(out, answer,
                          platform::listParameters(loaded->machine));
      },
      /*indent=*/0);
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  printDispatchText(os, answer);
  printParameters(os, *loaded, platform::listParameters(loaded->machine));
  // Measured links are no option of the pass.
  if (!pairs)
    os << "\nin a program: moe-opt IN --moe-plan-dispatch="
       << describePass(loaded->file, answer) << "\n";
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createDispatchCommand() {
  return std::make_unique<DispatchCommand>();
}
