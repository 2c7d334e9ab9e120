// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prediction of expert loads from the previous layer.

#include "moe/Fabric/LoadPrediction.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace moe;
using namespace moe::fabric;

using Matrix = cost::Matrix<double>;

cost::Result<Load> moe::fabric::normalizeLoad(std::vector<double> tokens) {
  double sum = 0;
  for (double count : tokens) {
    if (!(count >= 0) || !std::isfinite(count))
      return cost::Failure{"expected finite numbers of tokens of at least 0, "
                           "got " +
                           cost::toText(count)};
    sum += count;
  }
  if (!(sum > 0))
    return cost::Failure{"expected tokens, got none"};
  for (double &count : tokens)
    count /= sum;
  return tokens;
}

/// Projects a column to the nearest one in [0, 1] with sum 1, by subtracting a
/// shift and clamping at 0. Values that are found to be below the shift are
/// left out until there are none (Michelot).
static void project(std::vector<double> &column, std::vector<double> &above) {
  above = column;
  double sum = 0, shift = 0;
  for (double value : above)
    sum += value;
  for (size_t count = above.size();;) {
    shift = (sum - 1) / static_cast<double>(count);
    size_t kept = 0;
    for (size_t k = 0; k < count; ++k)
      if (above[k] > shift)
        above[kept++] = above[k];
      else
        sum -= above[k];
    if (kept == count || kept == 0)
      break;
    count = kept;
  }
  for (double &value : column)
    value = std::max(0.0, value - shift);
}

/// Returns the rank of a matrix of products of samples, by elimination with
/// complete pivoting.
static int64_t findRank(Matrix products) {
  int64_t n = products.getSize(), rank = 0;
  double first = 0;
  std::vector<char> isUsed(static_cast<size_t>(n));
  for (; rank < n; ++rank) {
    int64_t pivot = -1;
    for (int64_t k = 0; k < n; ++k)
      if (!isUsed[size_t(k)] &&
          (pivot < 0 || products.at(k, k) > products.at(pivot, pivot)))
        pivot = k;
    double most = products.at(pivot, pivot);
    first = std::max(first, most);
    if (!(most > first * 1e-12))
      break;
    isUsed[size_t(pivot)] = true;
    for (int64_t i = 0; i < n; ++i)
      if (!isUsed[size_t(i)])
        for (int64_t j = 0; j < n; ++j)
          if (!isUsed[size_t(j)])
            products.at(i, j) -=
                products.at(i, pivot) * products.at(pivot, j) / most;
  }
  return rank;
}

namespace {

/// Least squares in terms of P: tr(P G P^T) - 2 tr(P B^T) + c, where G and B
/// are sums of products of loads. Column j is scaled by 1 / sqrt(G_jj), because
/// experts with few tokens have small gradients. The constraints apply to
/// columns separately, so the projection is unchanged.
class Fit {
public:
  explicit Fit(const std::vector<LoadSample> &samples)
      : samples(samples),
        n(static_cast<int64_t>(samples.front().before.size())), before(n),
        cross(n), mean(size_t(n)) {
    double weights = 0;
    for (const LoadSample &own : samples) {
      weights += own.weight;
      for (int64_t i = 0; i < n; ++i) {
        mean[size_t(i)] += own.weight * own.after[size_t(i)];
        squares += own.weight * own.after[size_t(i)] * own.after[size_t(i)];
        for (int64_t j = 0; j < n; ++j) {
          before.at(i, j) +=
              own.weight * own.before[size_t(i)] * own.before[size_t(j)];
          cross.at(i, j) +=
              own.weight * own.after[size_t(i)] * own.before[size_t(j)];
        }
      }
    }
    for (double &share : mean)
      share /= weights;
    for (int64_t j = 0; j < n; ++j)
      scale.push_back(before.at(j, j) > 0 ? before.at(j, j) : 1);
    step = 1 / findLargest();
  }

  TransitionFit run(const FitOptions &options) {
    TransitionFit fit;
    fit.rank = findRank(before);
    Matrix matrix(n), ahead, last;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        matrix.at(i, j) = mean[size_t(i)];
    ahead = last = matrix;
    double momentum = 1;
    // The best matrix is chosen by the gap, because differences of errors are
    // lost to rounding first.
    Matrix best = matrix;
    fit.gap = std::numeric_limits<double>::infinity();
    for (fit.rounds = 0;; ++fit.rounds) {
      // The gap is as expensive as one round, so it is not computed in every
      // round.
      if (fit.rounds % 20 == 0 || fit.rounds == options.rounds) {
        if (double gap = getGap(matrix); gap < fit.gap) {
          fit.gap = gap;
          best = matrix;
        }
        if (fit.gap <= options.gap * squares || fit.rounds == options.rounds)
          break;
      }
      last = matrix;
      matrix = move(ahead);
      // If the last step reverses direction, momentum restarts.
      double back = 0;
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
          back += (ahead.at(i, j) - matrix.at(i, j)) *
                  (matrix.at(i, j) - last.at(i, j)) * scale[size_t(j)];
      double next =
          back > 0 ? 1 : (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
      double beyond = back > 0 ? 0 : (momentum - 1) / next;
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
          ahead.at(i, j) =
              matrix.at(i, j) + beyond * (matrix.at(i, j) - last.at(i, j));
      momentum = next;
    }
    fit.matrix = best;
    fit.error = std::max(0.0, getError(best));
    return fit;
  }

private:
  /// Returns P G - B, half the gradient. Few samples are processed one by one.
  Matrix getGradient(const Matrix &at) const {
    Matrix gradient(n);
    if (static_cast<int64_t>(samples.size()) * 2 < n) {
      for (const LoadSample &own : samples)
        for (int64_t i = 0; i < n; ++i) {
          double rest = -own.after[size_t(i)];
          for (int64_t j = 0; j < n; ++j)
            rest += at.at(i, j) * own.before[size_t(j)];
          rest *= own.weight;
          for (int64_t j = 0; j < n; ++j)
            gradient.at(i, j) += rest * own.before[size_t(j)];
        }
      return gradient;
    }
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j)
        gradient.at(i, j) = -cross.at(i, j);
      for (int64_t k = 0; k < n; ++k)
        if (double value = at.at(i, k))
          for (int64_t j = 0; j < n; ++j)
            gradient.at(i, j) += value * before.at(k, j);
    }
    return gradient;
  }

  double getError(const Matrix &at) const {
    Matrix gradient = getGradient(at);
    double error = squares;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        error += at.at(i, j) * (gradient.at(i, j) - cross.at(i, j));
    return error;
  }

  /// Returns a bound on the improvement. Because the error is convex, no matrix
  /// improves it more than the best choice of all columns along the gradient.
  double getGap(const Matrix &at) const {
    Matrix gradient = getGradient(at);
    double gap = 0;
    for (int64_t j = 0; j < n; ++j) {
      double here = 0, least = gradient.at(0, j);
      for (int64_t i = 0; i < n; ++i) {
        here += at.at(i, j) * gradient.at(i, j);
        least = std::min(least, gradient.at(i, j));
      }
      gap += 2 * (here - least);
    }
    return std::max(0.0, gap);
  }

  Matrix move(const Matrix &from) const {
    Matrix gradient = getGradient(from), to(n);
    std::vector<double> column(static_cast<size_t>(n)), above;
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < n; ++i)
        column[size_t(i)] =
            from.at(i, j) - step / scale[size_t(j)] * gradient.at(i, j);
      project(column, above);
      for (int64_t i = 0; i < n; ++i)
        to.at(i, j) = column[size_t(i)];
    }
    return to;
  }

  /// Returns the largest eigenvalue of the scaled products, increased slightly
  /// for safety.
  double findLargest() const {
    std::vector<double> vector(size_t(n), 1), next(size_t(n), 0);
    double largest = 1;
    for (int round = 0; round < 200; ++round) {
      for (int64_t i = 0; i < n; ++i) {
        next[size_t(i)] = 0;
        for (int64_t j = 0; j < n; ++j)
          next[size_t(i)] += before.at(i, j) /
                             std::sqrt(scale[size_t(i)] * scale[size_t(j)]) *
                             vector[size_t(j)];
      }
      double norm = std::sqrt(
          std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      if (!(norm > 0))
        return 1;
      largest = norm;
      for (size_t i = 0; i < next.size(); ++i)
        vector[i] = next[i] / norm;
    }
    return largest * 1.01;
  }

  const std::vector<LoadSample> &samples;
  int64_t n;
  Matrix before, cross;
  std::vector<double> mean, scale;
  double squares = 0, step = 0;
};

} // namespace

cost::Result<TransitionFit>
moe::fabric::fitTransition(const std::vector<LoadSample> &samples,
                           const FitOptions &options) {
  if (samples.empty())
    return cost::Failure{"expected at least one sample, got none"};
  size_t experts = samples.front().before.size();
  for (const LoadSample &own : samples) {
    if (own.before.size() != experts || own.after.size() != experts ||
        experts == 0)
      return cost::Failure{"expected loads of " + cost::toText(experts) +
                           " experts, at least one, got " +
                           cost::toText(own.before.size()) + " and " +
                           cost::toText(own.after.size())};
    if (!(own.weight > 0) || !std::isfinite(own.weight))
      return cost::Failure{"expected a finite weight above 0, got " +
                           cost::toText(own.weight)};
    for (const Load *load : {&own.before, &own.after}) {
      double sum = 0;
      for (double share : *load)
        sum += share >= 0 ? share : std::nan("");
      if (!(std::abs(sum - 1) < 1e-9))
        return cost::Failure{"expected shares of at least 0 that add up to 1, "
                             "got " +
                             cost::toText(sum)};
    }
  }
  return Fit(samples).run(options);
}

Transition moe::fabric::countTransition(const cost::Matrix<double> &joint) {
  int64_t n = joint.getSize();
  Transition matrix(n);
  for (int64_t j = 0; j < n; ++j) {
    double all = 0;
    for (int64_t i = 0; i < n; ++i)
      all += joint.at(j, i);
    for (int64_t i = 0; i < n; ++i)
      matrix.at(i, j) =
          all > 0 ? joint.at(j, i) / all : 1 / static_cast<double>(n);
  }
  return matrix;
}

Load moe::fabric::predictLoad(const Transition &matrix, const Load &before) {
  Load after(before.size());
  for (int64_t i = 0; i < matrix.getSize(); ++i)
    for (int64_t j = 0; j < matrix.getSize(); ++j)
      after[size_t(i)] += matrix.at(i, j) * before[size_t(j)];
  return after;
}

double moe::fabric::getLoadDistance(const Load &a, const Load &b) {
  double distance = 0;
  for (size_t k = 0; k < a.size(); ++k)
    distance += std::abs(a[k] - b[k]);
  return distance;
}

double moe::fabric::getTopShare(const Load &predicted, const Load &actual,
                                int64_t k) {
  auto findTop = [&](const Load &load) {
    std::vector<size_t> order(load.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return load[a] != load[b] ? load[a] > load[b] : a < b;
    });
    order.resize(std::min(order.size(), static_cast<size_t>(k)));
    std::sort(order.begin(), order.end());
    return order;
  };
  std::vector<size_t> of = findTop(actual), found = findTop(predicted), both;
  std::set_intersection(of.begin(), of.end(), found.begin(), found.end(),
                        std::back_inserter(both));
  return of.empty() ? 1 : double(both.size()) / double(of.size());
}
