//===- DispatchCommand.cpp - moe-plan dispatch ----------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "mlir/Support/FileUtilities.h"
#include "moe/Dispatch/Target.h"
#include "moe/Platform/MachineParameters.h"
#include "moe/Support/HeatMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::dispatch;

namespace {

class DispatchCommand : public Command {
public:
  DispatchCommand()
      : Command("dispatch", "what each device should send to each, so that the "
                            "slowest delivery of an all-to-all ends early") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  MachineOptions platform = makeMachineOptions();
  cl::opt<std::string> topology{
      "topology",
      cl::desc("how devices are connected: a nested list of switches such as "
               "[[2,2],[2]], its levels being the platform's from the "
               "innermost, or ring:N (required)"),
      cl::value_desc("TREE"), cl::sub(subCommand)};
  IntegerOption tokens{"tokens", "tokens of a device (required)", subCommand};
  IntegerOption topK{"top-k", "experts of a token (required)", subCommand};
  IntegerOption experts{"experts",
                        "experts of all devices, equally many on each "
                        "(required)",
                        subCommand};
  IntegerOption bytesPerToken{"bytes-per-token",
                              "bytes of a token that is sent (required)",
                              subCommand};
  cl::opt<std::string> local{
      "local",
      cl::desc("what a device keeps for its own experts: pinned, the even "
               "share (default), or bandwidth, in proportion to the bandwidth "
               "of its copies"),
      cl::value_desc("HOW"), cl::init("pinned"), cl::sub(subCommand)};
  cl::opt<std::string> planner{
      "planner",
      cl::desc("where the target comes from: proportional, to bandwidths, as "
               "TA-MoE has it (default), or exact, a dispatch that no other is "
               "faster than"),
      cl::value_desc("HOW"), cl::init("proportional"), cl::sub(subCommand)};
  NumberOption leastShare{"least-share",
                          "isolation guard: what a device gets from others at "
                          "least, as a share in [0, 1] of an even dispatch "
                          "(default: 0)",
                          subCommand,
                          {/*mayBeZero=*/true}};
  cl::opt<std::string> svg{
      "svg",
      cl::desc(
          "write the dispatch as a picture, devices by devices, to a file"),
      cl::value_desc("FILE"), cl::sub(subCommand)};
  cl::opt<bool> json{"json", cl::desc("answer in JSON"), cl::sub(subCommand)};
};

/// All that is printed, in either form.
struct Answer {
  explicit Answer(Topology topology) : topology(std::move(topology)) {}

  Topology topology;
  /// Of each level, the innermost first, and within a device.
  std::vector<std::pair<std::string, Link>> links;
  Demand demand;
  int64_t experts = 0;
  TargetOptions options;
  DispatchPlan plan;
  std::optional<double> optimalUs;
  /// What was taken for granted, in words.
  std::vector<std::string> notes;

  int64_t getExpertsPerDevice() const {
    return experts / topology.getNumDevices();
  }
};

} // namespace

/// A link that takes what the platform states for messages of an even dispatch:
/// a delivery shares the endpoint with those of the ranks that share it.
static Link makeLink(const cost::Level &level, cost::Bytes message) {
  cost::Microseconds us = level.getTime(message, level.ranksPerNic);
  return {level.getCountedLatency().value(), us.value() / message.value()};
}

static Link makeLocalLink(const cost::CopyEngine &copy, cost::Bytes message) {
  double alphaUs = copy.efficiency.isEmpty() ? copy.latency.value() : 0;
  double us = cost::getCopyTime(copy, message).value() - alphaUs;
  return {alphaUs, us / message.value()};
}

static std::optional<Failure> makeLinks(const cost::Machine &machine,
                                        Answer &answer,
                                        std::optional<Links> &links) {
  int64_t needed =
      answer.topology.isRing() ? 1 : answer.topology.getNumLevels();
  if (!machine.copy)
    return makeFailure("--platform: expected a platform that states "
                       "'copy_bandwidth_GBps', what a device takes for its "
                       "own share, got " +
                       machine.name);
  cost::Bytes message(double(answer.demand.getRows()) *
                      answer.demand.bytesPerToken /
                      double(answer.topology.getNumDevices()));
  std::vector<Link> levels;
  for (int64_t l = 0; l < needed; ++l) {
    const cost::Level &level =
        machine.levels[std::min(size_t(l), machine.levels.size() - 1)];
    levels.push_back(makeLink(level, message));
    answer.links.push_back({level.name, levels.back()});
  }
  if (size_t(needed) > machine.levels.size())
    answer.notes.push_back(formatv("levels above the {0} of platform {1} have "
                                   "the links of its outermost, {2}",
                                   machine.levels.size(), machine.name,
                                   machine.levels.back().name));
  Link own = makeLocalLink(*machine.copy, message);
  answer.links.push_back({"local", own});
  cost::Result<Links> made = Links::create(answer.topology, levels, own);
  if (!made)
    return made.getFailure();
  links = std::move(*made);
  return std::nullopt;
}

/// Says when a token would have to go to one expert twice, which the formula
/// does not know of.
static void noteRepeats(Answer &answer) {
  const Demand &demand = answer.demand;
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

static void printJSON(raw_ostream &os, const Answer &answer,
                      const Parameters &parameters) {
  const DispatchPlan &plan = answer.plan;
  int64_t perDevice = answer.getExpertsPerDevice();
  json::OStream out(os, /*IndentSize=*/0);
  auto rows = [&](StringRef key, auto printRow) {
    out.attributeArray(key, [&] {
      for (int64_t i = 0; i < plan.target.size; ++i)
        out.array([&] { printRow(i); });
    });
  };
  out.object([&] {
    out.attribute("topology", answer.topology.print());
    out.attribute("chosen", plan.isEven ? "even" : "target");
    rows("target", [&](int64_t i) {
      for (int64_t j = 0; j < plan.target.size; ++j)
        for (int64_t e = 0; e < perDevice; ++e)
          out.value(plan.target.at(i, j) / double(perDevice));
    });
    std::vector<std::vector<int64_t>> tokens =
        spreadOverExperts(plan.tokens, perDevice);
    rows("tokens", [&](int64_t i) {
      for (int64_t count : tokens[size_t(i)])
        out.value(count);
    });
    out.attribute("even_us", plan.evenUs);
    out.attribute("target_us", plan.targetUs);
    if (answer.optimalUs)
      out.attribute("optimal_us", *answer.optimalUs);
    else
      out.attribute("optimal_us", nullptr);
    out.attribute("even_tokens_us", plan.evenTokensUs);
    out.attribute("tokens_us", plan.tokensUs);
    out.attribute("imbalance", plan.imbalance);
    out.attribute("residual", plan.residual);
    out.attribute("even_share", plan.evenShare);
    out.attribute("least_from_others", plan.leastFromOthers);
    out.attributeArray("notes", [&] {
      for (const std::string &note : answer.notes)
        out.value(note);
    });
    out.attributeArray("links", [&] {
      for (const auto &[name, link] : answer.links)
        out.object([&, &name = name, &link = link] {
          out.attribute("name", name);
          out.attribute("alpha_us", link.alphaUs);
          out.attribute("gigabytes_per_second", 1e-3 / link.betaUsPerByte);
        });
    });
    printParameters(out, parameters);
  });
  os << "\n";
}

/// Devices that one table shows.
static constexpr int64_t kMostShown = 32;

static void printText(raw_ostream &os, const Answer &answer) {
  const DispatchPlan &plan = answer.plan;
  int64_t n = plan.target.size;
  double rows = double(answer.demand.getRows());
  os << formatv("dispatch of {0} tokens to {1} experts each over {2}: {3}, "
                "{4:F1} us; even {5:F1} us",
                answer.demand.tokens, answer.demand.topK,
                answer.topology.print(), plan.isEven ? "even" : "the target",
                plan.targetUs, plan.evenUs);
  if (answer.optimalUs)
    os << formatv("; no such shares take less than {0:F1} us",
                  *answer.optimalUs);
  os << formatv("\nin whole tokens: {0:F1} us; even {1:F1} us\n", plan.tokensUs,
                plan.evenTokensUs);
  for (const std::string &note : answer.notes)
    os << note << "\n";
  if (plan.imbalance > 1e-9)
    os << formatv("sums of rows and columns were balanced: shares changed by "
                  "up to {0:F4}, sums are off by {1:e1}\n",
                  plan.imbalance, plan.residual);
  if (!plan.isEven && plan.evenShare > 0)
    os << formatv("{0:F3} of the even dispatch mixed in\n", plan.evenShare);
  os << formatv("every device gets at least {0:F3} of its tokens from others\n",
                plan.leastFromOthers);
  os << "\nshares of what a device sends, by target device\n";
  if (n > kMostShown) {
    os << "  not printed for " << n << " devices: --json has them\n";
  } else {
    Report table = makeList(std::vector<bool>(size_t(n + 1), true));
    std::vector<moe::support::Cell> heading{std::string("  from")};
    for (int64_t j = 0; j < n; ++j)
      heading.push_back("to " + std::to_string(j));
    table.addRow(std::move(heading));
    for (int64_t i = 0; i < n; ++i) {
      std::vector<moe::support::Cell> row{"  " + std::to_string(i)};
      for (int64_t j = 0; j < n; ++j)
        row.push_back(formatFixed(plan.target.at(i, j) / rows, 4));
      table.addRow(std::move(row));
    }
    table.printTable(os, /*withHeading=*/false);
  }
  os << "\nlinks, by level from the innermost, at an even dispatch's message\n";
  Report links = makeList({false, true, true});
  for (const auto &[name, link] : answer.links)
    links.addRow({"  " + name,
                  formatFixed(1e-3 / link.betaUsPerByte, 2) + " GB/s",
                  formatFixed(link.alphaUs, 2) + " us"});
  links.printTable(os, /*withHeading=*/false);
}

/// Shares of what a device sends, in percent.
static void printPicture(raw_ostream &os, const Answer &answer) {
  const DispatchPlan &plan = answer.plan;
  double rows = double(answer.demand.getRows());
  auto percent = [&](int64_t i, int64_t j) {
    return 100 * plan.target.at(i, j) / rows;
  };
  moe::support::HeatMap map;
  map.title = formatv("dispatch over {0}, percent of what a device sends: "
                      "{1:F1} us, even {2:F1} us",
                      answer.topology.print(), plan.targetUs, plan.evenUs);
  map.rowTitle = "from device";
  map.columnTitle = "to device";
  map.rows = map.columns = plan.target.size;
  map.value = percent;
  map.describe = [&](int64_t i, int64_t j) -> std::string {
    return formatv("device {0} to {1}: {2:F2} %, {3} tokens", i, j,
                   percent(i, j), plan.tokens.at(i, j));
  };
  map.print(os);
}

std::optional<Failure> DispatchCommand::run(raw_ostream &os) {
  if (!platform.isSet())
    return failMissing("platform");
  if (topology.getNumOccurrences() == 0)
    return failMissing("topology");
  cost::Result<Topology> tree = Topology::parse(topology);
  if (!tree)
    return makeFailure("--" + tree.getError());
  Answer answer(std::move(*tree));
  int64_t bytes = 0;
  struct {
    const IntegerOption &option;
    int64_t *value;
  } integers[] = {{tokens, &answer.demand.tokens},
                  {topK, &answer.demand.topK},
                  {experts, &answer.experts},
                  {bytesPerToken, &bytes}};
  for (auto &[option, value] : integers) {
    Result<int64_t> read = option.read();
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  answer.demand.bytesPerToken = double(bytes);
  int64_t numDevices = answer.topology.getNumDevices();
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
    return makeFailure("--local: expected pinned or bandwidth, got '" + local +
                       "'");
  if (planner == "exact")
    answer.options.planner = Planner::Exact;
  else if (planner != "proportional")
    return makeFailure("--planner: expected proportional or exact, got '" +
                       planner + "'");
  Result<double> share = leastShare.read(0.0);
  if (!share)
    return share.getFailure();
  if (*share > 1)
    return makeFailure("--least-share: expected a number in [0, 1], got '" +
                       leastShare.getText() + "'");
  answer.options.leastShare = *share;

  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  std::optional<Links> links;
  if (auto failure = makeLinks(loaded->machine, answer, links))
    return failure;
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
  if (svg.getNumOccurrences()) {
    std::string error;
    std::unique_ptr<ToolOutputFile> file = mlir::openOutputFile(svg, &error);
    if (!file)
      return makeFailure("--svg: " + error);
    printPicture(file->os(), answer);
    file->os().flush();
    if (std::error_code code = file->os().error()) {
      file->os().clear_error();
      return makeFailure("--svg: cannot write " + svg + ": " + code.message());
    }
    file->keep();
  }
  if (json) {
    printJSON(os, answer, platform::listParameters(loaded->machine));
    return std::nullopt;
  }
  printText(os, answer);
  printParameters(os, *loaded, platform::listParameters(loaded->machine));
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createDispatchCommand() {
  return std::make_unique<DispatchCommand>();
}
