// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan predict.

#include "Commands.h"
#include "MatrixFile.h"
#include "TraceLoads.h"
#include "moe/Support/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;
using moe::support::JsonValue;
using moe::support::ObjectReader;
using moe::support::ReaderContext;

namespace {

class PredictCommand : public Command {
public:
  PredictCommand()
      : Command("predict", "Predict the expert loads of a layer from the loads "
                           "of the previous layer") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  TextOption trafficFile{
      table, "traffic",
      "Routing trace with at least two layers and two iterations", "TRACE"};
  TextOption jointFile{
      table, "joint",
      "Joint counts of two layers instead of --traffic; each sample "
      "is predicted from all other samples",
      "FILE"};
  IntegerOption window{
      table, "window",
      "Iterations before the predicted iteration to fit (default: all)"};
  NumberOption decay{
      table, "decay",
      "Weight of an iteration relative to the next iteration (default: 1)"};
  IntegerOption topK{table, "top",
                     "Number of busiest experts to identify (default: 2)"};
  IntegerOption rounds{table, "rounds",
                       "Largest number of rounds per fit (default: 5000)"};
  AnswerOptions answers{subCommand};
};

/// How loads are guessed, in the order in which they are listed.
enum Method { Copilot, Joint, Uniform, Previous, LastSample, Average };
constexpr const char *kMethods[] = {"copilot",  "joint",       "uniform",
                                    "previous", "last_sample", "average"};
constexpr const char *kMeanings[] = {"least squares over the window",
                                     "counts of both layers, token by token",
                                     "all experts alike",
                                     "the layer before as it is",
                                     "this layer's last sample",
                                     "this layer's mean over the window"};
constexpr size_t kNumMethods = std::size(kMethods);

/// Distances of guesses from what came.
struct Score {
  double distance = 0, found = 0;
  int64_t count = 0;
};

struct PredictAnswer {
  std::array<Score, kNumMethods> scores;
  /// Of the fits: the least of ranks, and the most that the best could be
  /// better, as a share of the sum of squares.
  int64_t numFits = 0, leastRank = 0, experts = 0;
  double worstGap = 0;

  void add(Method method, const Load &guess, const Load &actual, int64_t k) {
    Score &score = scores[method];
    score.distance += getLoadDistance(guess, actual);
    score.found += getTopShare(guess, actual, k);
    ++score.count;
  }
};

} // namespace

static Load average(const std::vector<const Load *> &loads) {
  Load mean(loads.front()->size());
  for (const Load *load : loads)
    for (size_t e = 0; e < mean.size(); ++e)
      mean[e] += (*load)[e] / double(loads.size());
  return mean;
}

/// Predicts each step but the first from those before.
static std::optional<Failure> predictTrace(const std::vector<StepLoads> &steps,
                                           int64_t window, double decay,
                                           int64_t k, int64_t rounds,
                                           PredictAnswer &answer) {
  moe::support::Activity activity("step", int64_t(steps.size()) - 1);
  for (size_t t = 1; t < steps.size(); ++t) {
    activity.next();
    size_t from = t > size_t(window) ? t - size_t(window) : 0;
    for (size_t l = 0; l + 1 < steps[t].size(); ++l) {
      std::vector<LoadSample> samples;
      std::vector<const Load *> own;
      double squares = 0;
      for (size_t s = from; s < t; ++s) {
        double weight = std::pow(decay, double(t - 1 - s));
        samples.push_back({steps[s][l], steps[s][l + 1], weight});
        own.push_back(&steps[s][l + 1]);
        for (double share : steps[s][l + 1])
          squares += weight * share * share;
      }
      FitOptions how;
      how.gap = 1e-10;
      how.rounds = rounds;
      auto fit = fitTransition(samples, how);
      if (!fit)
        return makeFailure("--decay: " + fit.getError());
      answer.leastRank =
          answer.numFits++ ? std::min(answer.leastRank, fit->rank) : fit->rank;
      answer.worstGap = std::max(answer.worstGap, fit->gap / squares);
      const Load &before = steps[t][l], &actual = steps[t][l + 1];
      answer.add(Copilot, predictLoad(fit->matrix, before), actual, k);
      answer.add(Uniform, Load(before.size(), 1 / double(before.size())),
                 actual, k);
      answer.add(Previous, before, actual, k);
      answer.add(LastSample, *own.back(), actual, k);
      answer.add(Average, average(own), actual, k);
    }
  }
  return std::nullopt;
}

namespace {

struct JointSample {
  std::string name;
  ServerMatrix<double> counts;
};

} // namespace

/// Predicts each sample's second layer from its first, by the counts of all
/// others together. For least squares the others' loads are the window.
static std::optional<Failure>
predictJoint(const std::string &file, const std::vector<JointSample> &samples,
             int64_t k, int64_t rounds, PredictAnswer &answer) {
  std::vector<std::pair<Load, Load>> loads;
  for (const JointSample &own : samples) {
    int64_t n = own.counts.getSize();
    if (n != answer.experts)
      return makeFailure(file + ": expected " + Twine(answer.experts) +
                         " experts as in the first sample, got " + Twine(n) +
                         " in \"" + own.name + "\"");
    std::vector<double> before(static_cast<size_t>(n)), after(before.size());
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        before[size_t(i)] += own.counts.at(i, j);
        after[size_t(j)] += own.counts.at(i, j);
      }
    Result<Load> first = normalizeLoad(before), second = normalizeLoad(after);
    if (!first)
      return makeFailure(file + ": \"" + own.name + "\": " + first.getError());
    loads.push_back({*first, *second});
  }
  moe::support::Activity activity("sample", int64_t(samples.size()));
  for (size_t s = 0; s < samples.size(); ++s) {
    activity.next();
    ServerMatrix<double> joint(answer.experts);
    std::vector<LoadSample> window;
    std::vector<const Load *> others;
    double squares = 0;
    for (size_t o = 0; o < samples.size(); ++o) {
      if (o == s)
        continue;
      for (int64_t i = 0; i < answer.experts; ++i)
        for (int64_t j = 0; j < answer.experts; ++j)
          joint.at(i, j) += samples[o].counts.at(i, j);
      window.push_back({loads[o].first, loads[o].second});
      others.push_back(&loads[o].second);
      for (double share : loads[o].second)
        squares += share * share;
    }
    FitOptions how;
    how.gap = 1e-10;
    how.rounds = rounds;
    auto fit = fitTransition(window, how);
    if (!fit)
      return makeFailure(file + ": " + fit.getError());
    answer.leastRank =
        answer.numFits++ ? std::min(answer.leastRank, fit->rank) : fit->rank;
    answer.worstGap = std::max(answer.worstGap, fit->gap / squares);
    const auto &[before, actual] = loads[s];
    answer.add(Joint, predictLoad(countTransition(joint), before), actual, k);
    answer.add(Copilot, predictLoad(fit->matrix, before), actual, k);
    answer.add(Uniform, Load(before.size(), 1 / double(before.size())), actual,
               k);
    answer.add(Previous, before, actual, k);
    answer.add(LastSample, *others.back(), actual, k);
    answer.add(Average, average(others), actual, k);
  }
  return std::nullopt;
}

/// The methods with scores, and what is to be said of them.
static std::optional<Failure> print(raw_ostream &os,
                                    const PredictAnswer &answer, int64_t k,
                                    const AnswerOptions &answers) {
  size_t best = Uniform, known = Uniform;
  for (size_t m = 0; m < kNumMethods; ++m) {
    if (answer.scores[m].count == 0)
      continue;
    bool predicts = m == Copilot || m == Joint;
    if (answer.scores[m].distance < answer.scores[best].distance)
      best = m;
    if (!predicts && answer.scores[m].distance < answer.scores[known].distance)
      known = m;
  }
  std::vector<std::string> notes;
  if (answer.leastRank < answer.experts)
    notes.push_back(
        formatv("not identifiable: the steps of a window tell apart {0} "
                "directions of loads of {1} experts, so that other matrices "
                "fit them as well",
                answer.leastRank, answer.experts)
            .str());
  if (answer.worstGap > 1e-6)
    notes.push_back(formatv("a fit ended before the best: within {0:E1} of the "
                            "sum of squares (--rounds)",
                            answer.worstGap)
                        .str());
  if (best == LastSample)
    notes.push_back("nothing is better than the same layer's last sample");
  else if (best == known)
    notes.push_back(std::string("no prediction is better than '") +
                    kMethods[known] + "'");
  using moe::support::Column;
  Report report(
      {Column("method", "method"), Column("mean_l1", "mean L1").fixed(3),
       Column("top_share", formatv("top {0} found", k).str()).fixed(3),
       Column("predictions", "predictions").fixed(0), Column("meaning", "")});
  for (size_t m = 0; m < kNumMethods; ++m)
    if (const Score &score = answer.scores[m]; score.count)
      report.addRow({std::string(kMethods[m]),
                     score.distance / double(score.count),
                     score.found / double(score.count), score.count,
                     std::string(kMeanings[m])});
  Result<bool> isDone =
      answers.answer(os, "moe-plan predict", [&](json::OStream &out) {
        out.attribute("best", kMethods[best]);
        out.attribute("experts", answer.experts);
        out.attribute("top", k);
        out.attribute("least_rank", answer.leastRank);
        out.attribute("identifiable", answer.leastRank == answer.experts);
        out.attribute("worst_gap", answer.worstGap);
        out.attributeObject("methods", [&] { report.printMembers(out); });
        out.attributeArray("notes", [&] {
          for (const std::string &note : notes)
            out.value(note);
        });
      });
  if (!isDone)
    return isDone.getFailure();
  if (*isDone)
    return std::nullopt;
  report.printTable(os);
  for (const std::string &note : notes)
    os << note << "\n";
  return std::nullopt;
}

std::optional<Failure> PredictCommand::run(raw_ostream &os) {
  bool isJoint = jointFile.isSet();
  if (isJoint == bool(trafficFile.isSet()))
    return makeFailure("--traffic or --joint: expected one of them, got " +
                       Twine(isJoint ? "both" : "none"));
  if (isJoint && (window.isSet() || decay.isSet()))
    return makeFailure("--" + Twine(window.isSet() ? "window" : "decay") +
                       " requires --traffic");
  Result<int64_t> steps = window.read(IntegerRange::kMaxSize), k = topK.read(2),
                  most = rounds.read(5000);
  for (Result<int64_t> *read : {&steps, &k, &most})
    if (!*read)
      return read->getFailure();
  Result<double> factor = decay.read(1.0);
  if (!factor)
    return factor.getFailure();
  if (*factor > 1)
    return makeFailure("--decay: expected a number in (0, 1], got " +
                       decay.getText());
  PredictAnswer answer;
  if (!isJoint) {
    Result<std::vector<StepLoads>> loads =
        readStepLoads(trafficFile, answer.experts);
    if (!loads)
      return makeFailure("--traffic: " + loads.getError());
    if (loads->size() < 2 || loads->front().size() < 2)
      return makeFailure("--traffic: " + trafficFile.get() +
                         ": expected at least two steps of at least two "
                         "layers, got " +
                         Twine(loads->size()) + " of " +
                         Twine(loads->front().size()));
    if (auto failure = predictTrace(*loads, *steps, *factor, *k, *most, answer))
      return failure;
  } else {
    std::vector<JointSample> samples;
    if (auto failure = readObjectFile(
            jointFile, "a file of joint counts",
            [&](ReaderContext &context, const JsonValue &root) {
              ObjectReader file(context, root, "");
              file.forEachObject("samples", [&](ObjectReader &own, size_t s) {
                samples.push_back(
                    {own.getText("name"), ServerMatrix<double>()});
                own.findArray("joint_counts");
                const JsonValue *counts =
                    root.find("samples")->items[s].find("joint_counts");
                if (!counts)
                  own.fail("joint_counts", "expected a square matrix");
                else
                  readMatrix(context, *counts, own.getPath("joint_counts"),
                             samples.back().counts);
              });
              if (samples.size() < 2)
                file.fail("samples", "expected at least two samples");
              file.finish();
            }))
      return makeFailure("--joint: " + failure->message);
    answer.experts = samples.front().counts.getSize();
    if (auto failure = predictJoint("--joint: " + jointFile.get(), samples, *k,
                                    *most, answer))
      return failure;
  }
  return print(os, answer, *k, answers);
}

std::unique_ptr<Command> moe::plan::createPredictCommand() {
  return std::make_unique<PredictCommand>();
}
