// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan all-to-all.

#include "Commands.h"
#include "ConfigJob.h"
#include "moe/Platform/MachineParameters.h"
#include "moe/Schedule/MachineExchange.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

namespace {

/// Enough chunks for any message there is, few enough to try them all.
constexpr int64_t kMostChunks = 65536;
/// Numbers of bytes up to this are exact in floating point.
constexpr int64_t kMostBytes = int64_t(1) << 53;

/// The buffers for which a choice stays the same, on one side of the one that
/// was asked about.
struct ChoiceBound {
  /// The last that was tried with the same choice.
  int64_t bytes;
  /// Beyond it the choice is another; else no other was found.
  bool changes;
};

/// One question to the planner, and all of its answer.
struct Question {
  int64_t bytes, ep, tp;
  ChunkLimits limits;
  /// What it is asked of, if that was stated.
  std::optional<PlannedJob> job = std::nullopt;

  Result<MachineExchange> getExchange(const cost::Machine &machine) const {
    auto exchange =
        MachineExchange::create(machine, cost::Bytes(double(bytes)), ep, tp);
    if (!exchange)
      return exchange.getFailure();
    return *exchange;
  }

  StrategyPlan ask(const MachineExchange &exchange,
                   StrategyPlanner &planner) const {
    ChunkLimits all = limits;
    all.minMessageBytes = exchange.getMinMessageBytes();
    return planner.plan(exchange, all);
  }

  /// Looks for the nearest other choice by doubling or halving the buffer up
  /// to twelve times, then between the last two sizes to a part in a thousand.
  ChoiceBound findBound(const MachineExchange &exchange, Strategy chosen,
                        bool up, StrategyPlanner &planner) const;
};

class AllToAllCommand : public Command {
public:
  AllToAllCommand()
      : Command("all-to-all", "Choose the fastest strategy for one all-to-all "
                              "of a tensor-parallel MoE layer") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  MachineOptions platform{table};
  /// The buffer (SPEC MO-1): in bytes, or by the shape of what is exchanged.
  std::optional<Failure> readBytes(int64_t &value) const;
  /// The same, and the degrees, of the job's copies of tokens.
  std::optional<Failure> readJob(Question &question);

  IntegerOption bytes{table,
                      "bytes",
                      "Buffer per rank in bytes (required unless --config, or "
                      "--seq-len, --hidden-size and --top-k are given)",
                      {1, kMostBytes}};
  IntegerOption hidden{table, "hidden-size", "With --seq-len: hidden size"};
  IntegerOption topK{
      table, "top-k",
      "With --seq-len: experts per token, each of which receives the token"};
  ConfigJob job{table};
  IntegerOption chunks{table,
                       "chunks",
                       "Try this number of chunks only (default: search)",
                       {1, kMostChunks}};
  IntegerOption maxChunks{table,
                          "max-chunks",
                          "Largest number of chunks to try (default: 64)",
                          {1, kMostChunks}};
  AnswerOptions answers{subCommand};
};

} // namespace

ChoiceBound Question::findBound(const MachineExchange &exchange,
                                Strategy chosen, bool up,
                                StrategyPlanner &planner) const {
  auto isChosen = [&](int64_t size) {
    return ask(exchange.withBuffer(cost::Bytes(double(size))), planner)
               .chosen == chosen;
  };
  int64_t same = bytes;
  for (int step = 0; step < 12; ++step) {
    if (up ? same > kMostBytes / 2 : same < 2)
      break;
    int64_t other = up ? same * 2 : same / 2;
    if (isChosen(other)) {
      same = other;
      continue;
    }
    while (std::abs(same - other) > std::max<int64_t>(1, same / 1000)) {
      int64_t middle = same + (other - same) / 2;
      (isChosen(middle) ? same : other) = middle;
    }
    return {same, true};
  }
  return {same, false};
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// What each strategy takes.
static Report makeStrategies(const StrategyPlan &plan,
                             const MachineExchange &exchange) {
  using moe::support::Absent;
  using moe::support::Cell;
  using moe::support::Column;
  Report report(
      {Column("strategy", "").hidden(), Column("", ""),
       Column("chunks", "chunks").right().orElse("-"),
       Column("time_us", "time us").fixed(1).orElse("-"),
       Column("why_not", "").hidden(),
       Column("over_baseline", "/ baseline").fixed(3).orElse("-"),
       Column("extrapolated", "").hidden(),
       Column("stages.all_to_all_us", "all-to-all us").fixed(1).orElse("-"),
       Column("stages.all_gather_us", "all-gather us").fixed(1).orElse("-"),
       Column("stages.copy_us", "copy us").fixed(1).orElse("-"),
       Column("", "")});
  double baselineUs = plan.get(Strategy::Baseline).timeUs;
  for (size_t i = 0; i < kNumStrategies; ++i) {
    Strategy strategy = Strategy(i);
    const StrategyTime &time = plan.get(strategy);
    std::string name = getName(strategy);
    if (!time.possible) {
      report.addRow({name, "  " + name, Absent{}, moe::support::Unknown{},
                     time.whyNot, Absent{}, Absent{}, Absent{}, Absent{},
                     Absent{}, time.whyNot});
      continue;
    }
    bool isExtrapolated = exchange.isExtrapolated(strategy, time.chunks);
    auto stage = [&](double us, Strategy from) {
      return strategy < from ? Cell() : Cell(us);
    };
    report.addRow(
        {name, "  " + name, time.chunks, time.timeUs, Absent{},
         baselineUs > 0 ? Cell(time.timeUs / baselineUs) : Cell(),
         isExtrapolated ? Cell(true) : Cell(), time.stages.allToAllUs,
         stage(time.stages.allGatherUs, Strategy::O1),
         stage(time.stages.copyUs, Strategy::O2),
         markExtrapolated(plan.chosen == strategy ? "<- chosen"
                          : plan.runnerUp == strategy
                              ? "runner-up, " + describeGap(plan.gapUs)
                              : "",
                          isExtrapolated)});
  }
  return report;
}

/// A row of times, with what the row is of first: null for strategies that
/// cannot be.
static void addTimes(Report &report, int64_t of, const StrategyPlan &plan) {
  std::vector<moe::support::Cell> cells = {of};
  for (size_t i = 0; i < kNumStrategies; ++i) {
    const StrategyTime &time = plan.get(Strategy(i));
    cells.push_back(time.possible ? moe::support::Cell(time.timeUs)
                                  : moe::support::Unknown());
  }
  report.addRow(std::move(cells));
}

static Report makeTimes(const std::string &of) {
  using moe::support::Column;
  std::vector<Column> columns = {Column(of, "")};
  for (size_t i = 0; i < kNumStrategies; ++i)
    columns.emplace_back(std::string(getName(Strategy(i))) + "_us", "");
  return Report(std::move(columns));
}

/// Times in each number of chunks that can be, up to the most.
static Report sweepChunks(Question question, const MachineExchange &exchange,
                          StrategyPlanner &planner) {
  Report report = makeTimes("chunks");
  int64_t most = std::min<int64_t>(question.limits.maxChunks, 64);
  for (int64_t chunks = 1; chunks <= most; ++chunks) {
    question.limits.chunks = chunks;
    StrategyPlan plan = question.ask(exchange, planner);
    // Smaller chunks are no more possible than these.
    if (chunks > 1 && !plan.get(Strategy::O2).possible &&
        !plan.get(Strategy::O3).possible)
      break;
    addTimes(report, chunks, plan);
  }
  return report;
}

/// Times of buffers from a 64th of the one asked about to 64 times as much,
/// four a doubling.
static Report sweepBytes(const Question &question,
                         const MachineExchange &exchange,
                         StrategyPlanner &planner) {
  Report report = makeTimes("bytes");
  int64_t last = 0;
  for (int step = -24; step <= 24; ++step) {
    double bytes = std::round(double(question.bytes) * std::exp2(step / 4.0));
    if (bytes < 1 || bytes > double(kMostBytes) || int64_t(bytes) == last)
      continue;
    last = int64_t(bytes);
    addTimes(report, last,
             question.ask(exchange.withBuffer(cost::Bytes(bytes)), planner));
  }
  return report;
}

static std::string describe(const StrategyPlan &plan) {
  const StrategyTime &time = plan.get(plan.chosen);
  std::string text = getName(plan.chosen);
  if (plan.chosen >= Strategy::O2)
    text += " with " + std::to_string(time.chunks) +
            (time.chunks == 1 ? " chunk" : " chunks");
  return text + ", " + formatFixed(time.timeUs, 1) + " us";
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

std::optional<Failure> AllToAllCommand::readJob(Question &question) {
  if (bytes.isSet())
    return makeFailure("--bytes is not supported with --config, which sets it");
  Result<PlannedJob> read = job.read();
  if (!read)
    return read.getFailure();
  const ImportOptions &options = read->options;
  if (options.tp > 1 && (options.sequenceParallel || options.foldEp))
    return makeFailure(
        "--" +
        Twine(options.sequenceParallel ? "sequence-parallel" : "fold-ep") +
        " is not supported here, because these strategies need tensor-parallel "
        "ranks that hold the same tokens");
  question.ep = options.ep;
  question.tp = options.tp;
  question.bytes = read->getElementBytes();
  for (int64_t factor : {read->layout.tokens, read->config.getSentTopK(),
                         read->config.getExpertWidth()})
    if (MulOverflow(question.bytes, factor, question.bytes) ||
        question.bytes > kMostBytes)
      return makeFailure("--seq-len: expected a buffer of at most " +
                         Twine(kMostBytes) + " bytes, got a larger one");
  question.job = std::move(*read);
  return std::nullopt;
}

std::optional<Failure> AllToAllCommand::readBytes(int64_t &value) const {
  const IntegerOption &seqLen = job.job.seqLen;
  const IntegerOption &microBatch = job.job.microBatch;
  const TextOption &dtype = job.job.dtype;
  const IntegerOption *shape[] = {&seqLen, &hidden, &topK, &microBatch};
  std::string given;
  for (const IntegerOption *option : shape)
    if (option->isSet() && given.empty())
      given = option->getName().str();
  if (given.empty() && dtype.isSet())
    given = "dtype";
  if (given.empty() || bytes.isSet()) {
    if (!given.empty())
      return makeFailure("--" + given + " is not supported with --bytes");
    Result<int64_t> read = bytes.read();
    if (!read)
      return read.getFailure();
    value = *read;
    return std::nullopt;
  }
  std::optional<int64_t> size = getTypeBytes(dtype.get());
  if (!size)
    return makeFailure("--dtype: expected f64, f32, bf16 or f16, got '" +
                       dtype.get() + "'");
  value = *size;
  for (const IntegerOption *option : shape) {
    Result<int64_t> read =
        option == &microBatch ? option->read(1) : option->read();
    if (!read)
      return read.getFailure();
    if (MulOverflow(value, *read, value) || value > kMostBytes)
      return makeFailure("--seq-len: expected a buffer of at most " +
                         Twine(kMostBytes) + " bytes, got a larger one");
  }
  return std::nullopt;
}

std::optional<Failure> AllToAllCommand::run(raw_ostream &os) {
  if (!platform.isSet())
    return failMissing("platform");
  if (auto failure = job.checkBeside(
          {&hidden, &topK}, {"ep", "tp", "seq-len", "micro-batch", "dtype"}))
    return failure;
  Question question;
  if (auto failure =
          job.isSet() ? readJob(question) : readBytes(question.bytes))
    return failure;
  std::pair<const IntegerOption *, int64_t *> degrees[] = {
      {&job.job.ep, &question.ep}, {&job.job.tp, &question.tp}};
  for (auto &[option, value] : degrees) {
    Result<int64_t> read = option->read();
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  Result<int64_t> most = maxChunks.read(64);
  if (!most)
    return most.getFailure();
  question.limits.maxChunks = *most;
  if (chunks.isSet()) {
    Result<int64_t> read = chunks.read();
    if (!read)
      return read.getFailure();
    if (*read > question.limits.maxChunks)
      return makeFailure("--chunks: expected at most --max-chunks " +
                         Twine(question.limits.maxChunks) + ", got " +
                         Twine(*read));
    question.limits.chunks = *read;
  }

  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  if (question.job)
    if (auto failure = checkRanks(*loaded, *question.job))
      return failure;

  StrategyPlanner planner;
  Result<MachineExchange> exchange = question.getExchange(machine);
  if (!exchange)
    return exchange.getFailure();
  StrategyPlan plan = question.ask(*exchange, planner);
  // What the answer would be without parameters chosen to repeat results.
  std::optional<StrategyPlan> stated;
  std::optional<MachineExchange> statedExchange;
  if (!platform.ignoresFitted() && !loaded->fitted.isEmpty()) {
    Result<MachineExchange> other = question.getExchange(loaded->stated);
    if (!other)
      return other.getFailure();
    statedExchange = std::move(*other);
    stated = question.ask(*statedExchange, planner);
  }
  ChoiceBound from = {question.bytes, false}, to = from;
  if (plan.runnerUp) {
    from = question.findBound(*exchange, plan.chosen, /*up=*/false, planner);
    to = question.findBound(*exchange, plan.chosen, /*up=*/true, planner);
  }

  // When nothing but the baseline can be done, the reason is O1's.
  const std::string &reason = plan.get(Strategy::O1).whyNot;
  std::vector<std::string> fitted;
  if (stated)
    fitted = loaded->describeFitted();

  const StrategyTime &chosen = plan.get(plan.chosen);
  Result<bool> isAnswered = answers.answer(
      os, "An all-to-all on " + machine.name, [&](json::OStream &out) {
        out.attribute("chosen", schedule::getName(plan.chosen));
        out.attribute("chunks", chosen.chunks);
        out.attribute("time_us", chosen.timeUs);
        if (!reason.empty())
          out.attribute("reason", reason);
        out.attributeObject("strategies", [&] {
          makeStrategies(plan, *exchange).printMembers(out);
        });
        if (plan.runnerUp) {
          out.attribute("runner_up", schedule::getName(*plan.runnerUp));
          out.attribute("gap_us", plan.gapUs);
          auto attribute = [&](StringRef key, ChoiceBound bound) {
            if (bound.changes)
              out.attribute(key, bound.bytes);
            else
              out.attribute(key, nullptr);
          };
          attribute("chosen_from_bytes", from);
          attribute("chosen_to_bytes", to);
        }
        out.attributeObject("fastest", [&] {
          out.attribute("strategy", schedule::getName(plan.fastest));
          out.attribute("chunks", plan.fastestChunks);
          out.attribute("time_us", plan.leastUs);
        });
        if (stated) {
          out.attributeArray("fitted", [&] {
            for (const std::string &parameter : fitted)
              out.value(parameter);
          });
          out.attributeObject("without_fitted", [&] {
            out.attribute("chosen", schedule::getName(stated->chosen));
            out.attribute("chunks", stated->get(stated->chosen).chunks);
            out.attribute("time_us", stated->get(stated->chosen).timeUs);
            out.attributeObject("strategies", [&] {
              makeStrategies(*stated, *statedExchange).printMembers(out);
            });
          });
        }
        out.attribute("bytes", question.bytes);
        out.attributeArray("by_chunks", [&] {
          sweepChunks(question, *exchange, planner).printItems(out);
        });
        out.attributeArray("by_bytes", [&] {
          sweepBytes(question, *exchange, planner).printItems(out);
        });
        printParameters(out, platform::listParameters(machine));
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;

  os << "all-to-all of " << question.bytes << " bytes a rank over ep "
     << question.ep << " x tp " << question.tp << " on " << machine.name << ": "
     << describe(plan) << "\n";
  if (!reason.empty())
    os << reason << "\n";
  os << "\n";
  makeStrategies(plan, *exchange).printTable(os);
  if (chosen.timeUs > plan.leastUs)
    os << "\nthe fastest is " << schedule::getName(plan.fastest) << " with "
       << plan.fastestChunks
       << (plan.fastestChunks == 1 ? " chunk, " : " chunks, ")
       << formatFixed(plan.leastUs, 1) << " us; "
       << schedule::getName(plan.chosen)
       << " is as good within " << platform::describeUncertainty(machine)
       << "\n";
  if (plan.runnerUp) {
    os << "\n"
       << schedule::getName(plan.chosen) << " is the best for buffers from "
       << from.bytes << (from.changes ? " bytes to " : " bytes or fewer to ")
       << to.bytes << (to.changes ? " bytes\n" : " bytes or more\n");
  }
  if (stated) {
    os << "without the fitted parameters: " << describe(*stated) << "\n";
    for (const std::string &parameter : fitted)
      os << "  " << parameter << "\n";
  }

  os << "\nsettings\n";
  Report settings = makeList({false, true, false});
  if (bytes.isSet())
    addSetting(settings, bytes, question.bytes, "bytes");
  else
    settings.addRow(
        {"  bytes", question.bytes,
         question.job ? "bytes (--config)" : "bytes (of the shape)"});
  addSetting(settings, job.job.ep, question.ep, "ranks");
  addSetting(settings, job.job.tp, question.tp, "ranks");
  if (question.limits.chunks)
    addSetting(settings, chunks, *question.limits.chunks, "chunks, no others");
  else
    addSetting(settings, maxChunks, question.limits.maxChunks, "chunks");
  settings.printTable(os, /*withHeading=*/false);

  printParameters(os, *loaded, platform::listParameters(machine));
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createAllToAllCommand() {
  return std::make_unique<AllToAllCommand>();
}
