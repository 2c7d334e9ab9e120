// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits lines to measurements.

#include "moe/Cost/FormatNumber.h"
#include "moe/Platform/Fit.h"
#include "moe/Support/Json.h"

#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

namespace {

struct Line {
  double alpha, beta;
  double at(double size) const { return alpha + beta * size; }
};

} // namespace

/// Fits a line by weighted least squares, with `alpha` fixed at 0 if it would
/// be negative.
static Line fitWeighted(std::span<const Sample> samples,
                        const std::vector<double> &weights) {
  // Scale the sizes so that the determinant keeps its precision.
  double scale = 0;
  for (const Sample &sample : samples)
    scale = std::max(scale, sample.size.value());
  double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    double x = samples[i].size.value() / scale, y = samples[i].time.value();
    w += weights[i];
    wx += weights[i] * x;
    wxx += weights[i] * x * x;
    wy += weights[i] * y;
    wxy += weights[i] * x * y;
  }
  double beta = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  double alpha = (wy - beta * wx) / w;
  if (alpha < 0) {
    alpha = 0;
    beta = wxy / wxx;
  }
  return {alpha, beta / scale};
}

std::string SlowSize::describe() const {
  auto format = [](const Sample &sample) {
    return formatNumber(sample.size.value()) + " bytes took " +
           formatNumber(sample.time.value()) + " us";
  };
  return format(slow) + " and " + format(greater);
}

std::optional<SlowSize>
moe::platform::findSlowSize(std::span<const Sample> samples) {
  std::optional<SlowSize> worst;
  const Sample *fastest = nullptr;
  for (size_t i = samples.size(); i-- > 0;) {
    const Sample &sample = samples[i];
    if (fastest && sample.size < fastest->size && sample.time > fastest->time &&
        (!worst ||
         sample.time / fastest->time > worst->slow.time / worst->greater.time))
      worst = SlowSize{sample, *fastest};
    if (!fastest || sample.time < fastest->time)
      fastest = &sample;
  }
  return worst;
}

Result<LineFit> moe::platform::fitLine(std::span<const Sample> samples) {
  std::vector<double> sizes;
  for (const Sample &sample : samples) {
    if (!(sample.size > Bytes(0)) || !(sample.time > Microseconds(0)))
      return Failure{"expected sizes and times > 0, got " +
                     formatNumber(sample.size.value()) + " bytes in " +
                     formatNumber(sample.time.value()) + " us"};
    sizes.push_back(sample.size.value());
  }
  std::sort(sizes.begin(), sizes.end());
  size_t numSizes =
      size_t(std::unique(sizes.begin(), sizes.end()) - sizes.begin());
  if (numSizes < 3)
    return Failure{"expected at least 3 sizes to fit a line to, got " +
                   std::to_string(numSizes)};

  // Weight errors relative to the measurements first, then relative to the
  // line's predictions, because measurements that came out low must not weigh
  // more.
  std::vector<double> weights;
  for (const Sample &sample : samples)
    weights.push_back(1 / (sample.time.value() * sample.time.value()));
  Line line = fitWeighted(samples, weights);
  for (int round = 0; round < 4; ++round) {
    if (!(line.beta > 0))
      break;
    for (size_t i = 0; i < samples.size(); ++i) {
      double predicted = line.at(samples[i].size.value());
      weights[i] = 1 / (predicted * predicted);
    }
    line = fitWeighted(samples, weights);
  }
  if (!(line.beta > 0) || !std::isfinite(line.beta)) {
    std::vector<Sample> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const Sample &a, const Sample &b) { return a.size < b.size; });
    std::optional<SlowSize> slow = findSlowSize(sorted);
    return Failure{"expected times that grow with the size, got a slope of " +
                   formatNumber(line.beta) + " us a byte" +
                   (slow ? ": " + slow->describe() : "")};
  }

  LineFit fit;
  fit.alpha = Microseconds(line.alpha);
  fit.beta = MicrosecondsPerByte(line.beta);
  fit.minSize = Bytes(sizes.front());
  fit.maxSize = Bytes(sizes[numSizes - 1]);
  double sumWeights = 0, sumTimes = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    sumWeights += weights[i];
    sumTimes += weights[i] * samples[i].time.value();
  }
  double mean = sumTimes / sumWeights, left = 0, all = 0, squares = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    double time = samples[i].time.value();
    double predicted = line.at(samples[i].size.value());
    left += weights[i] * (time - predicted) * (time - predicted);
    all += weights[i] * (time - mean) * (time - mean);
    double error = std::abs(predicted / time - 1);
    squares += error * error;
    if (error >= fit.worstError) {
      fit.worstError = error;
      fit.worstSize = samples[i].size;
    }
  }
  fit.typicalError = std::sqrt(squares / double(samples.size()));
  fit.rSquared = all > 0 ? std::max(0.0, 1 - left / all) : 0;
  return fit;
}
