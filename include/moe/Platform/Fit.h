// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits models to measurements.

#ifndef MOE_PLATFORM_FIT_H
#define MOE_PLATFORM_FIT_H

#include "moe/Platform/Load.h"
#include "moe/Platform/NcclLog.h"

#include <span>

namespace moe::platform {

/// A line through measurements: time = alpha + beta * size (SPEC FS-1).
struct LineFit {
  cost::Microseconds alpha;
  cost::MicrosecondsPerByte beta;
  /// Of the weighted fit: 1 for an exact fit, 0 for a fit no better than a
  /// constant.
  double rSquared = 0;
  /// The largest |predicted / measured - 1|, and its size.
  double worstError = 0;
  cost::Bytes worstSize;
  /// The root mean square of the relative errors.
  double typicalError = 0;
  cost::Bytes minSize, maxSize;
};

/// Fits a line by least squares of RELATIVE errors. Measurements span six
/// orders of magnitude with proportional noise, so plain least squares would
/// bury alpha in the noise of the largest ones. alpha is at least 0. Fails with
/// fewer than three sizes or if the slope is not positive; the failure names
/// the slow size.
cost::Result<LineFit> fitLine(std::span<const Sample> samples);

/// A size that took longer than a larger one.
struct SlowSize {
  Sample slow, greater;

  /// "2097152 bytes took 3000 us and 4194304 bytes took 800 us".
  std::string describe() const;
};

/// Returns the slowest size compared with a larger one, or nothing if times
/// grow with sizes. `samples` must be sorted by size.
std::optional<SlowSize> findSlowSize(std::span<const Sample> samples);

/// The largest `uncertainty` that is written, because with a larger one only
/// the baseline could be chosen.
constexpr double kMostUncertain = 0.5;

/// The relative error of a line above which the fit warns.
constexpr double kFarOff = 0.25;

/// The model that measurements are fitted to.
enum class FitModel {
  /// alpha and beta of the collective at the level.
  AlphaBeta,
  /// The level's efficiency curve.
  Efficiency
};

struct FitOptions {
  FitModel model = FitModel::AlphaBeta;
  /// The collective of logs that do not name theirs.
  std::optional<cost::CollectiveKind> kind;
  /// The level of all logs; if not given, it is found from hosts and ranks.
  std::optional<std::string> level;
  /// The platform's new name; the default is the base's name with the suffix
  /// "-measured", or "measured".
  std::optional<std::string> name;
};

/// The measurements and fits of one collective at one level, on groups of one
/// size.
struct FitReport {
  std::string level;
  cost::CollectiveKind kind;
  int64_t numRanks = 0;
  /// Ranks per instance of the next inner level if they did not fill it.
  std::optional<int64_t> ranksTogether;
  /// Not set if a curve is fitted and no line describes the samples.
  std::optional<LineFit> line;
  /// Sorted by size, with the mean of repeated measurements of a size.
  std::vector<Sample> samples;
  /// The efficiency of the level's bandwidth at each sample.
  cost::EfficiencyCurve efficiency;
  std::vector<std::string> files;
};

/// When a curve is fitted, a warning names each size that takes this many times
/// as long as a larger one. Smaller factors are noise.
constexpr double kSlower = 1.1;

/// Returns the warning about a slow size, if there is one.
std::optional<std::string> warnOfSlowSize(const FitReport &report);

struct FitResult {
  Platform platform;
  std::vector<FitReport> reports;
  /// Messages for the user.
  std::vector<std::string> warnings;
};

/// Fits logs into the platform `base`, or into a new platform with the levels
/// that the logs were measured on. An efficiency curve needs no line; slow
/// sizes cause a warning. A collective measured on groups of several sizes gets
/// a line per size. The platform's `uncertainty` becomes the typical error of
/// the worst line, unless the base has a greater one. Fails if one measurement
/// is given twice. A measured bandwidth above the base's replaces it, except
/// from all-reduces because switches may perform a part of them (NVLS).
cost::Result<FitResult> fitPlatform(std::span<const NcclLog> logs,
                                    const Platform *base,
                                    const FitOptions &options);

/// Marks a platform as derived from another one in the way that `how`
/// describes. Figures without their own origin keep the platform's old one.
void handDownOrigin(Platform &platform, const std::string &how);

} // namespace moe::platform

#endif // MOE_PLATFORM_FIT_H
