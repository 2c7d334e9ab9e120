// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences between results.

#include "moe/Interpreter/Differences.h"
#include "Scalars.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeRange.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace moe;

/// Returns the distance of two numbers; infinite if exactly one of them is NaN.
static double getDistance(double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return 0;
  double distance = std::abs(got - expected);
  return std::isnan(distance) ? std::numeric_limits<double>::infinity()
                              : distance;
}

bool Tolerance::allows(Type elementType, Cell got, Cell expected,
                       double magnitude) const {
  if (got == expected || isExact() || !isa<FloatType>(elementType))
    return got == expected;
  double distance = getDistance(toDouble(got), toDouble(expected));
  // A relative tolerance must not accept an infinity in place of another value.
  return distance == 0 || (std::isfinite(distance) &&
                           distance <= absolute + relative * magnitude);
}

std::string Tolerance::getText() const {
  if (isExact())
    return "bit for bit";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "within ";
  if (relative > 0)
    os << cost::toText(relative) << " relative";
  if (relative > 0 && absolute > 0)
    os << " plus ";
  if (absolute > 0)
    os << cost::toText(absolute) << " absolute";
  return text;
}

/// Calls `visit` with each pair of tensors, in order and once per distinct
/// pair, until it returns a difference.
template <typename Visit>
static std::optional<Difference>
findPlace(const std::vector<RankTensors> &got,
          const std::vector<RankTensors> &expected, Visit visit) {
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(got, expected))) {
    auto &[left, right] = pair;
    std::set<std::pair<const void *, const void *>> seen;
    for (auto [place, tensors] :
         llvm::enumerate(llvm::zip_equal(left, right))) {
      auto &[a, b] = tensors;
      unsigned result = i;
      if (a.getShape() != b.getShape())
        return Difference{result, place, std::nullopt};
      if (!seen.emplace(a.getIdentity(), b.getIdentity()).second)
        continue;
      if (std::optional<size_t> at =
              visit(result, place, a.getCells(), b.getCells()))
        return Difference{result, place, at};
    }
  }
  return std::nullopt;
}

std::optional<Difference>
moe::findFirstDifference(const std::vector<RankTensors> &got,
                         const std::vector<RankTensors> &expected) {
  return findPlace(got, expected,
                   [](unsigned, size_t, ArrayRef<Cell> a,
                      ArrayRef<Cell> b) -> std::optional<size_t> {
                     auto at = std::mismatch(a.begin(), a.end(), b.begin());
                     if (at.first == a.end())
                       return std::nullopt;
                     return at.first - a.begin();
                   });
}

std::vector<double>
moe::findMagnitudes(TypeRange types, const std::vector<RankTensors> &results) {
  std::vector<double> magnitudes(results.size(), 0.0);
  for (auto [type, tensors, magnitude] :
       llvm::zip_equal(types, results, magnitudes)) {
    if (!isa<FloatType>(getElementTypeOrSelf(type)))
      continue;
    std::set<const void *> seen;
    for (const LocalTensor &tensor : tensors) {
      if (!seen.insert(tensor.getIdentity()).second)
        continue;
      for (Cell cell : tensor.getCells())
        if (double value = toDouble(cell); std::isfinite(value))
          magnitude = std::max(magnitude, std::abs(value));
    }
  }
  return magnitudes;
}

std::optional<Difference>
moe::findFirstDifference(TypeRange types, const std::vector<RankTensors> &got,
                         const std::vector<RankTensors> &expected,
                         const Tolerance &tolerance,
                         ArrayRef<double> magnitudes) {
  return findPlace(
      got, expected,
      [&](unsigned result, size_t, ArrayRef<Cell> a,
          ArrayRef<Cell> b) -> std::optional<size_t> {
        Type elementType = getElementTypeOrSelf(types[result]);
        for (size_t i = 0; i < a.size(); ++i)
          if (!tolerance.allows(elementType, a[i], b[i], magnitudes[result]))
            return i;
        return std::nullopt;
      });
}

std::optional<GreatestDifference> moe::findGreatestDifference(
    TypeRange types, const std::vector<RankTensors> &got,
    const std::vector<RankTensors> &expected, ArrayRef<double> magnitudes) {
  std::optional<GreatestDifference> greatest;
  findPlace(got, expected,
            [&](unsigned result, size_t place, ArrayRef<Cell> a,
                ArrayRef<Cell> b) -> std::optional<size_t> {
              if (!isa<FloatType>(getElementTypeOrSelf(types[result])))
                return std::nullopt;
              for (size_t i = 0; i < a.size(); ++i) {
                double distance = getDistance(toDouble(a[i]), toDouble(b[i]));
                if (distance == 0)
                  continue;
                double share = distance / magnitudes[result];
                if (!greatest || share > greatest->share)
                  greatest = {{result, place, i}, distance, share};
              }
              return std::nullopt;
            });
  return greatest;
}
