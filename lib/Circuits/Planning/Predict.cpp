// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expert loads, predicted from the loads of the previous layer.

#include "moe/Circuits/Planning/Predict.h"
#include "MatrixFile.h"
#include "TraceLoads.h"
#include "moe/Planning/Answers.h"
#include "moe/Support/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;
using moe::support::JsonValue;
using moe::support::ObjectReader;
using moe::support::ReaderContext;

static constexpr const char *kMethods[] = {
    "copilot", "joint", "uniform", "previous", "last_sample", "average"};
static constexpr const char *kMeanings[] = {
    "least squares over the window",
    "counts of both layers, token by token",
    "all experts alike",
    "the layer before as it is",
    "this layer's last sample",
    "this layer's mean over the window"};
static_assert(std::size(kMethods) == kNumPredictionMethods &&
              std::size(kMeanings) == kNumPredictionMethods);

void PredictAnswer::add(PredictionMethod method, const Load &guess,
                        const Load &actual, int64_t k) {
  PredictionScore &score = scores[method];
  score.distance += getLoadDistance(guess, actual);
  score.found += getTopShare(guess, actual, k);
  ++score.count;
}

static Load average(const std::vector<const Load *> &loads) {
  Load mean(loads.front()->size());
  for (const Load *load : loads)
    for (size_t e = 0; e < mean.size(); ++e)
      mean[e] += (*load)[e] / double(loads.size());
  return mean;
}

/// Predicts each step except the first from the previous ones.
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

struct JointCounts {
  std::string name;
  cost::Matrix<double> counts;
};

} // namespace

/// Predicts each sample's second layer from its first, using the counts of all
/// other samples. For least squares, the others' loads are the window.
static std::optional<Failure>
predictJoint(const std::string &file, const std::vector<JointCounts> &samples,
             int64_t k, int64_t rounds, PredictAnswer &answer) {
  std::vector<std::pair<Load, Load>> loads;
  for (const JointCounts &own : samples) {
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
    cost::Matrix<double> joint(answer.experts);
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

/// Finds the best method and adds notes about limitations.
static void judge(PredictAnswer &answer) {
  size_t best = Uniform, known = Uniform;
  for (size_t m = 0; m < kNumPredictionMethods; ++m) {
    if (answer.scores[m].count == 0)
      continue;
    bool predicts = m == Copilot || m == Joint;
    if (answer.scores[m].distance < answer.scores[best].distance)
      best = m;
    if (!predicts && answer.scores[m].distance < answer.scores[known].distance)
      known = m;
  }
  if (answer.leastRank < answer.experts)
    answer.notes.push_back(
        formatv("not identifiable: the steps of a window tell apart {0} "
                "directions of loads of {1} experts, so that other matrices "
                "fit them as well",
                answer.leastRank, answer.experts)
            .str());
  if (answer.worstGap > 1e-6)
    answer.notes.push_back(
        formatv("a fit ended before the best: within {0:E1} of the "
                "sum of squares (--rounds)",
                answer.worstGap)
            .str());
  if (best == LastSample)
    answer.notes.push_back(
        "nothing is better than the same layer's last sample");
  else if (best == known)
    answer.notes.push_back(std::string("no prediction is better than '") +
                           kMethods[known] + "'");
  answer.best = PredictionMethod(best);
}

Result<PredictAnswer> moe::planning::planPredict(PredictInput &in) {
  bool isJoint = in.jointFile.isSet();
  if (isJoint == bool(in.trafficFile.isSet()))
    return makeFailure("--traffic or --joint: expected one of them, got " +
                       Twine(isJoint ? "both" : "none"));
  if (isJoint && (in.window.isSet() || in.decay.isSet()))
    return makeFailure("--" + Twine(in.window.isSet() ? "window" : "decay") +
                       " requires --traffic");
  Result<int64_t> steps = in.window.read(IntegerRange::kMaxSize),
                  k = in.topK.read(2), most = in.rounds.read(5000);
  for (Result<int64_t> *read : {&steps, &k, &most})
    if (!*read)
      return read->getFailure();
  Result<double> factor = in.decay.read(1.0);
  if (!factor)
    return factor.getFailure();
  if (*factor > 1)
    return makeFailure("--decay: expected a number in (0, 1], got " +
                       in.decay.getText());
  PredictAnswer answer;
  if (!isJoint) {
    Result<std::vector<StepLoads>> loads =
        readStepLoads(in.trafficFile, answer.experts);
    if (!loads)
      return makeFailure("--traffic: " + loads.getError());
    if (loads->size() < 2 || loads->front().size() < 2)
      return makeFailure("--traffic: " + in.trafficFile.get() +
                         ": expected at least two steps of at least two "
                         "layers, got " +
                         Twine(loads->size()) + " of " +
                         Twine(loads->front().size()));
    if (auto failure = predictTrace(*loads, *steps, *factor, *k, *most, answer))
      return *failure;
  } else {
    std::vector<JointCounts> samples;
    if (auto failure = readObjectFile(
            in.jointFile, "a file of joint counts",
            [&](ReaderContext &context, const JsonValue &root) {
              ObjectReader file(context, root, "");
              file.forEachObject("samples", [&](ObjectReader &own, size_t s) {
                samples.push_back(
                    {own.getText("name"), cost::Matrix<double>()});
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
    if (auto failure = predictJoint("--joint: " + in.jointFile.get(), samples,
                                    *k, *most, answer))
      return *failure;
  }
  answer.top = *k;
  judge(answer);
  return answer;
}

Report moe::planning::makePredictionReport(const PredictAnswer &answer) {
  using moe::support::Column;
  Report report(
      {Column("method", "method"), Column("mean_l1", "mean L1").fixed(3),
       Column("top_share", "top " + std::to_string(answer.top) + " found")
           .fixed(3),
       Column("predictions", "predictions").fixed(0), Column("meaning", "")});
  for (size_t m = 0; m < kNumPredictionMethods; ++m)
    if (const PredictionScore &score = answer.scores[m]; score.count)
      report.addRow({std::string(kMethods[m]),
                     score.distance / double(score.count),
                     score.found / double(score.count), score.count,
                     std::string(kMeanings[m])});
  return report;
}

std::string moe::planning::getTitle(const PredictAnswer &) {
  return "moe-fabric predict";
}

void moe::planning::printJSON(json::OStream &out, const PredictAnswer &answer) {
  out.attribute("best", kMethods[answer.best]);
  out.attribute("experts", answer.experts);
  out.attribute("top", answer.top);
  out.attribute("least_rank", answer.leastRank);
  out.attribute("identifiable", answer.leastRank == answer.experts);
  out.attribute("worst_gap", answer.worstGap);
  out.attributeObject("methods",
                      [&] { makePredictionReport(answer).printMembers(out); });
  printTexts(out, "notes", answer.notes);
}
