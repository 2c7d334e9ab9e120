// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models from measurements.

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
  /// Of the weighted fit: 1 is exactly, 0 as good as a constant.
  double rSquared = 0;
  /// The largest |predicted / measured - 1|, and the size it is at.
  double worstError = 0;
  cost::Bytes worstSize;
  /// The root mean square of these.
  double typicalError = 0;
  cost::Bytes minSize, maxSize;
};

/// Fits a line by least squares of RELATIVE errors: measurements span six
/// orders of magnitude and their noise is in proportion to them, so that plain
/// least squares would know alpha only by the noise of the largest. alpha is
/// not below 0. Fails with fewer than three sizes or a slope that is not
/// positive; the failure names the size that is slow.
cost::Result<LineFit> fitLine(std::span<const Sample> samples);

/// A size that took longer than a greater one.
struct SlowSize {
  Sample slow, greater;

  /// "2097152 bytes took 3000 us and 4194304 bytes took 800 us".
  std::string describe() const;
};

/// The slowest size, compared with a greater one; none if times grow with
/// sizes. `samples` are sorted by size.
std::optional<SlowSize> findSlowSize(std::span<const Sample> samples);

/// The greatest `uncertainty` that is written: a greater one would let nothing
/// but the baseline be chosen.
constexpr double kMostUncertain = 0.5;

/// A line that is off by more than this somewhere is warned of.
constexpr double kFarOff = 0.25;

/// What the measurements become part of.
enum class FitModel {
  /// alpha and beta of the collective at the level.
  AlphaBeta,
  /// The level's efficiency curve.
  Efficiency
};

struct FitOptions {
  FitModel model = FitModel::AlphaBeta;
  /// The kind of logs that do not name theirs.
  std::optional<cost::CollectiveKind> kind;
  /// The level that all logs belong to; by hosts and ranks when not given.
  std::optional<std::string> level;
  /// The platform's new name; that of the base with "-measured" behind, else
  /// "measured".
  std::optional<std::string> name;
};

/// What was found in the logs of one collective at one level, on groups of one
/// size.
struct FitReport {
  std::string level;
  cost::CollectiveKind kind;
  int64_t numRanks = 0;
  /// How many of them lay in an instance of the level before, where they did
  /// not fill it.
  std::optional<int64_t> ranksTogether;
  /// None if the fit is of a curve and no line describes the samples.
  std::optional<LineFit> line;
  /// Sorted by size, one per size: the mean where it was measured repeatedly.
  std::vector<Sample> samples;
  /// The efficiency of the level's bandwidth at each sample.
  cost::EfficiencyCurve efficiency;
  std::vector<std::string> files;
};

/// A size that takes so many times as long as a greater one is warned of where
/// a curve is fitted; below that it is noise.
constexpr double kSlower = 1.1;

/// The warning that names such a size; none if there is none.
std::optional<std::string> warnOfSlowSize(const FitReport &report);

struct FitResult {
  Platform platform;
  std::vector<FitReport> reports;
  /// What the user should know.
  std::vector<std::string> warnings;
};

/// Puts what logs say into a platform: that of `base`, or without one a new
/// platform of the levels the logs were measured on. An efficiency curve needs
/// no line; a size that is slower than a greater one is warned of. A collective
/// that was measured on groups of several sizes gets a line of each. The
/// platform's `uncertainty` becomes the typical error of the worst line, unless
/// the base states more. One measurement given twice is refused. The bandwidth
/// of a level of the base is raised where more was measured, but not by an
/// all-reduce: switches may do a part of it (NVLS).
cost::Result<FitResult> fitPlatform(std::span<const NcclLog> logs,
                                    const Platform *base,
                                    const FitOptions &options);

/// Says that a platform is now another one, by `how`: its origin as a whole is
/// that of the figures which have none of their own.
void handDownOrigin(Platform &platform, const std::string &how);

} // namespace moe::platform

#endif // MOE_PLATFORM_FIT_H
