// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads platform descriptions from files.
//
// DESIGN section 4 defines the JSON; docs/reference/platform-file.md lists the
// keys.

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
  /// Ignores the section `fitted`: parameters that were chosen to reproduce
  /// published results, and are neither measured nor stated.
  bool ignoreFitted = false;
};

/// Parameters chosen to reproduce published results, kept apart from stated and
/// measured ones.
struct FittedParameters {
  /// The latency or curve of the level with this name.
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

/// Returns the machine with stated parameters replaced by fitted ones.
cost::Machine applyFitted(cost::Machine machine,
                          const FittedParameters &fitted);

/// Settings to request from NCCL on a platform; NCCL chooses those that are not
/// set.
struct NcclSettings {
  /// Minimum and maximum thread blocks of a collective, and blocks per cluster.
  std::optional<int64_t> minCtas, maxCtas, cgaClusterSize;
  /// True if buffers are allocated by NCCL and registered with communicators.
  bool registerBuffers = false;
  std::string origin;

  bool isEmpty() const {
    return !minCtas && !maxCtas && !cgaClusterSize && !registerBuffers;
  }
};

/// A platform as described by its file.
struct Platform {
  /// The machine to compute with. It includes the fitted parameters unless they
  /// were ignored.
  cost::Machine machine;
  /// The machine without fitted parameters.
  cost::Machine stated;
  /// The file's fitted parameters, even if they are ignored.
  FittedParameters fitted;
  NcclSettings nccl;
  /// Measured rates of kernels, dispatchers and hosts.
  MeasuredRates rates;
  /// The peak rate of matrix products per rank, TFLOP/s (1e12 per second), for
  /// utilization. Not set if the file has none.
  std::optional<cost::Stated<double>> peakTflops;
  /// The device connections in the syntax of `dispatch::Topology::parse`; empty
  /// if the file has none.
  std::string topology;
  /// The origin of the description as a whole.
  std::string origin;
  /// The file's name, and `hashText` of its content.
  std::string file, hash;

  /// Returns the stated peak, or else the limit of the platform's GEMM line for
  /// large products, with an origin that explains this. Returns nothing without
  /// either.
  std::optional<cost::Stated<double>> getPeakTflops() const;

  /// Describes each fitted parameter for people as "key = value (origin)".
  std::vector<std::string> describeFitted() const;
};

/// Reads a platform. A failure is one line with the file, the line and column
/// if known, the key's path ("levels[1].bandwidth_GBps"), the expected value,
/// and the value found.
cost::Result<Platform> loadPlatform(const std::string &path,
                                    const LoadOptions &options = {});

/// Reads a platform from a text; messages use `name` as the file.
cost::Result<Platform> parsePlatform(std::string_view text,
                                     const std::string &name,
                                     const LoadOptions &options = {});

/// Formats a platform's stated and fitted parameters. Loading the text gives an
/// equal platform.
std::string formatPlatform(const Platform &platform);

/// Writes `formatPlatform` to a file. Returns a failure if it could not be
/// written.
std::optional<cost::Failure> savePlatform(const Platform &platform,
                                          const std::string &path);

/// Returns the FNV-1a hash as 16 hexadecimal digits.
std::string hashText(std::string_view text);

} // namespace moe::platform

#endif // MOE_PLATFORM_LOAD_H
