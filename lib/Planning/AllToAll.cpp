// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fastest strategy for one all-to-all of a tensor-parallel MoE layer.

#include "moe/Planning/AllToAll.h"
#include "moe/Planning/Answers.h"
#include "moe/Schedule/MachineExchange.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

namespace {

/// One exchange to plan, with its limits.
struct AllToAllQuestion {
  int64_t bytes, ep, tp;
  ChunkLimits limits;
  /// The job, if one was given.
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

  /// Plans, and marks strategies with extrapolated times.
  StrategyChoice choose(const MachineExchange &exchange,
                        StrategyPlanner &planner) const {
    StrategyChoice choice{ask(exchange, planner)};
    for (size_t i = 0; i < kNumStrategies; ++i) {
      const StrategyTime &time = choice.plan.get(Strategy(i));
      choice.extrapolated[i] =
          time.possible && exchange.isExtrapolated(Strategy(i), time.chunks);
    }
    return choice;
  }

  /// Searches for the nearest other choice by doubling or halving the buffer up
  /// to twelve times, then bisects the last two sizes to one part in a
  /// thousand.
  ChoiceBound findBound(const MachineExchange &exchange, Strategy chosen,
                        bool up, StrategyPlanner &planner) const;
};

} // namespace

ChoiceBound AllToAllQuestion::findBound(const MachineExchange &exchange,
                                        Strategy chosen, bool up,
                                        StrategyPlanner &planner) const {
  auto isChosen = [&](int64_t size) {
    return ask(exchange.withBuffer(cost::Bytes(double(size))), planner)
               .chosen == chosen;
  };
  int64_t same = bytes;
  for (int step = 0; step < 12; ++step) {
    if (up ? same > AllToAllInput::kMostBytes / 2 : same < 2)
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

Report moe::planning::makeStrategyReport(const StrategyChoice &choice) {
  const StrategyPlan &plan = choice.plan;
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
    bool isExtrapolated = choice.extrapolated[i];
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

/// Prints rows of times; null for strategies that are not possible.
static void printSweep(json::OStream &out, StringRef key, const char *of,
                       ArrayRef<StrategySweepRow> rows) {
  using moe::support::Cell;
  using moe::support::Column;
  std::vector<Column> columns = {Column(of, "")};
  for (size_t i = 0; i < kNumStrategies; ++i)
    columns.emplace_back(std::string(getName(Strategy(i))) + "_us", "");
  Report report(std::move(columns));
  for (const StrategySweepRow &row : rows) {
    std::vector<Cell> cells = {row.size};
    for (size_t i = 0; i < kNumStrategies; ++i) {
      const StrategyTime &time = row.plan.get(Strategy(i));
      cells.push_back(time.possible ? Cell(time.timeUs)
                                    : moe::support::Unknown());
    }
    report.addRow(std::move(cells));
  }
  out.attributeArray(key, [&] { report.printItems(out); });
}

/// Returns the times for each possible number of chunks up to the limit.
static std::vector<StrategySweepRow>
sweepChunks(AllToAllQuestion question, const MachineExchange &exchange,
            StrategyPlanner &planner) {
  std::vector<StrategySweepRow> rows;
  int64_t most = std::min<int64_t>(question.limits.maxChunks, 64);
  for (int64_t chunks = 1; chunks <= most; ++chunks) {
    question.limits.chunks = chunks;
    StrategyPlan plan = question.ask(exchange, planner);
    // Smaller chunks are not possible either.
    if (chunks > 1 && !plan.get(Strategy::O2).possible &&
        !plan.get(Strategy::O3).possible)
      break;
    rows.push_back({chunks, std::move(plan)});
  }
  return rows;
}

/// Returns the times of buffers from 1/64 to 64 times the given one, four per
/// doubling.
static std::vector<StrategySweepRow>
sweepBytes(const AllToAllQuestion &question, const MachineExchange &exchange,
           StrategyPlanner &planner) {
  std::vector<StrategySweepRow> rows;
  int64_t last = 0;
  for (int step = -24; step <= 24; ++step) {
    double bytes = std::round(double(question.bytes) * std::exp2(step / 4.0));
    if (bytes < 1 || bytes > double(AllToAllInput::kMostBytes) ||
        int64_t(bytes) == last)
      continue;
    last = int64_t(bytes);
    rows.push_back(
        {last, question.ask(exchange.withBuffer(cost::Bytes(bytes)), planner)});
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// The planner
//===----------------------------------------------------------------------===//
static std::optional<Failure> readJob(AllToAllInput &in,
                                      AllToAllQuestion &question) {
  if (in.bytes.isSet())
    return makeFailure("--bytes is not supported with --config, which sets it");
  Result<PlannedJob> read = in.job.read();
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
        question.bytes > AllToAllInput::kMostBytes)
      return makeFailure("--seq-len: expected a buffer of at most " +
                         Twine(AllToAllInput::kMostBytes) +
                         " bytes, got a larger one");
  question.job = std::move(*read);
  return std::nullopt;
}
static std::optional<Failure> readBytes(AllToAllInput &in, int64_t &value) {
  const IntegerOption &seqLen = in.job.job.seqLen;
  const IntegerOption &microBatch = in.job.job.microBatch;
  const TextOption &dtype = in.job.job.dtype;
  const IntegerOption *shape[] = {&seqLen, &in.hidden, &in.topK, &microBatch};
  std::string given;
  for (const IntegerOption *option : shape)
    if (option->isSet() && given.empty())
      given = option->getName().str();
  if (given.empty() && dtype.isSet())
    given = "dtype";
  if (given.empty() || in.bytes.isSet()) {
    if (!given.empty())
      return makeFailure("--" + given + " is not supported with --bytes");
    Result<int64_t> read = in.bytes.read();
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
    if (MulOverflow(value, *read, value) || value > AllToAllInput::kMostBytes)
      return makeFailure("--seq-len: expected a buffer of at most " +
                         Twine(AllToAllInput::kMostBytes) +
                         " bytes, got a larger one");
  }
  return std::nullopt;
}

Result<AllToAllAnswer> moe::planning::planAllToAll(AllToAllInput &in) {
  if (!in.platform.isSet())
    return failMissing("platform");
  if (auto failure =
          in.job.checkBeside({&in.hidden, &in.topK},
                             {"ep", "tp", "seq-len", "micro-batch", "dtype"}))
    return *failure;
  AllToAllQuestion question;
  if (auto failure = in.job.isSet() ? readJob(in, question)
                                    : readBytes(in, question.bytes))
    return *failure;
  std::pair<const IntegerOption *, int64_t *> degrees[] = {
      {&in.job.job.ep, &question.ep}, {&in.job.job.tp, &question.tp}};
  for (auto &[option, value] : degrees) {
    Result<int64_t> read = option->read();
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  Result<int64_t> most = in.maxChunks.read(64);
  if (!most)
    return most.getFailure();
  question.limits.maxChunks = *most;
  if (in.chunks.isSet()) {
    Result<int64_t> read = in.chunks.read();
    if (!read)
      return read.getFailure();
    if (*read > question.limits.maxChunks)
      return makeFailure("--chunks: expected at most --max-chunks " +
                         Twine(question.limits.maxChunks) + ", got " +
                         Twine(*read));
    question.limits.chunks = *read;
  }

  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  if (question.job)
    if (auto failure = checkRanks(*loaded, *question.job))
      return *failure;

  StrategyPlanner planner;
  Result<MachineExchange> exchange = question.getExchange(machine);
  if (!exchange)
    return exchange.getFailure();
  AllToAllAnswer answer;
  answer.bytes = question.bytes;
  answer.ep = question.ep;
  answer.tp = question.tp;
  answer.isOfJob = question.job.has_value();
  answer.limits = question.limits;
  answer.parameters = {*loaded, platform::listParameters(machine)};
  answer.uncertainty = platform::describeUncertainty(machine);
  answer.choice = question.choose(*exchange, planner);
  if (!in.platform.ignoresFitted() && !loaded->fitted.isEmpty()) {
    Result<MachineExchange> other = question.getExchange(loaded->stated);
    if (!other)
      return other.getFailure();
    answer.withoutFitted = question.choose(*other, planner);
    answer.fitted = loaded->describeFitted();
  }
  answer.from = answer.to = {question.bytes, false};
  const StrategyPlan &plan = answer.choice.plan;
  if (plan.runnerUp) {
    answer.from =
        question.findBound(*exchange, plan.chosen, /*up=*/false, planner);
    answer.to =
        question.findBound(*exchange, plan.chosen, /*up=*/true, planner);
  }
  answer.byChunks = sweepChunks(question, *exchange, planner);
  answer.byBytes = sweepBytes(question, *exchange, planner);
  return answer;
}

std::string moe::planning::getTitle(const AllToAllAnswer &answer) {
  return "An all-to-all on " + answer.parameters.machine;
}

void moe::planning::printJSON(json::OStream &out,
                              const AllToAllAnswer &answer) {
  const StrategyPlan &plan = answer.choice.plan;
  const StrategyTime &chosen = plan.get(plan.chosen);
  out.attribute("chosen", schedule::getName(plan.chosen));
  out.attribute("chunks", chosen.chunks);
  out.attribute("time_us", chosen.timeUs);
  if (!answer.getReason().empty())
    out.attribute("reason", answer.getReason());
  out.attributeObject("strategies", [&] {
    makeStrategyReport(answer.choice).printMembers(out);
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
    attribute("chosen_from_bytes", answer.from);
    attribute("chosen_to_bytes", answer.to);
  }
  out.attributeObject("fastest", [&] {
    out.attribute("strategy", schedule::getName(plan.fastest));
    out.attribute("chunks", plan.fastestChunks);
    out.attribute("time_us", plan.leastUs);
  });
  if (const auto &stated = answer.withoutFitted) {
    printTexts(out, "fitted", answer.fitted);
    out.attributeObject("without_fitted", [&] {
      const StrategyPlan &other = stated->plan;
      out.attribute("chosen", schedule::getName(other.chosen));
      out.attribute("chunks", other.get(other.chosen).chunks);
      out.attribute("time_us", other.get(other.chosen).timeUs);
      out.attributeObject(
          "strategies", [&] { makeStrategyReport(*stated).printMembers(out); });
    });
  }
  out.attribute("bytes", answer.bytes);
  printSweep(out, "by_chunks", "chunks", answer.byChunks);
  printSweep(out, "by_bytes", "bytes", answer.byBytes);
  printParameters(out, answer.parameters);
}
