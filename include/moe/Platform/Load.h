// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platform descriptions in files.
//
// The JSON of a platform, DESIGN section 4; docs/reference/platform-file.md
// lists the keys.

#ifndef MOE_PLATFORM_LOAD_H
#define MOE_PLATFORM_LOAD_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"
#include "moe/Platform/Rates.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

struct LoadOptions {
  /// Leaves out the section `fitted`: parameters that were chosen so that the
  /// model repeats somebody's results, not measured or stated.
  bool ignoreFitted = false;
};

/// Parameters chosen so that the model repeats published results, kept apart
/// from what is stated or measured.
struct FittedParameters {
  /// A level's latency or curve, by the level's name.
  struct LevelParameters {
    std::string level;
    std::optional<cost::Stated<cost::Microseconds>> latency;
    std::optional<cost::Stated<cost::EfficiencyCurve>> efficiency;
  };
  std::vector<LevelParameters> levels;
  std::optional<cost::Stated<cost::Microseconds>> pipelineStall;
  std::vector<cost::ContentionFactor> contention;

  bool isEmpty() const {
    return levels.empty() && !pipelineStall && contention.empty();
  }
};

/// The machine in which fitted parameters stand in the place of stated ones.
cost::Machine applyFitted(cost::Machine machine,
                          const FittedParameters &fitted);

/// What NCCL shall be asked for on a platform; nothing where it is NCCL's own
/// choice.
struct NcclSettings {
  /// Blocks of a collective at least and at most, and how many make a cluster.
  std::optional<int64_t> minCtas, maxCtas, cgaClusterSize;
  /// Whether memory is NCCL's and registered with communicators.
  bool registerBuffers = false;
  std::string origin;

  bool isEmpty() const {
    return !minCtas && !maxCtas && !cgaClusterSize && !registerBuffers;
  }
};

/// A platform as a file describes it.
struct Platform {
  /// The machine to compute with: the fitted parameters are in effect unless
  /// they were ignored.
  cost::Machine machine;
  /// The same without them.
  cost::Machine stated;
  /// What the file has of them, in effect or not.
  FittedParameters fitted;
  NcclSettings nccl;
  /// What of kernels, dispatchers and hosts was measured.
  MeasuredRates rates;
  /// The peak rate of a rank's matrix products, TFLOP/s (1e12 a second): what
  /// utilisation is measured against. None where the file does not state it.
  std::optional<cost::Stated<double>> peakTflops;
  /// How devices are connected, as `dispatch::Topology::parse` reads it; empty
  /// where the file does not say.
  std::string topology;
  /// Where the description as a whole is from.
  std::string origin;
  /// The file it is from, and `hashText` of its content.
  std::string file, hash;

  /// That peak; where none is stated, the rate that large GEMMs come close to
  /// by the platform's GEMM line, with an origin that says so. None without
  /// GEMM figures.
  std::optional<cost::Stated<double>> getPeakTflops() const;

  /// Each fitted parameter as "key = value (origin)", for people.
  std::vector<std::string> describeFitted() const;
};

/// Reads a platform. The failure is one line: the file, line and column where
/// they are known, the path of the key ("levels[1].bandwidth_GBps"), what is
/// allowed, and what was found.
cost::Result<Platform> loadPlatform(const std::string &path,
                                    const LoadOptions &options = {});

/// The same for a text; `name` stands for the file in messages.
cost::Result<Platform> parsePlatform(std::string_view text,
                                     const std::string &name,
                                     const LoadOptions &options = {});

/// The text of a platform: what is stated and what is fitted. Loads as equal.
std::string formatPlatform(const Platform &platform);

/// Writes that to a file. Returns why it could not be written, else nothing.
std::optional<cost::Failure> savePlatform(const Platform &platform,
                                          const std::string &path);

/// FNV-1a over bytes, as 16 hexadecimal digits.
std::string hashText(std::string_view text);

} // namespace moe::platform

#endif // MOE_PLATFORM_LOAD_H
