// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes platforms to files and describes their fitted parameters.

#include "moe/Cost/FormatNumber.h"
#include "moe/Platform/Load.h"
#include "moe/Support/Json.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

std::optional<Failure> moe::platform::savePlatform(const Platform &platform,
                                                   const std::string &path) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << formatPlatform(platform) << std::flush;
  if (stream)
    return std::nullopt;
  std::string reason = errno ? std::strerror(errno) : "an error";
  // Remove an incomplete file, but keep devices and pipes.
  bool wasOpen = stream.is_open();
  stream.close();
  std::error_code ignored;
  if (wasOpen && std::filesystem::is_regular_file(path, ignored))
    std::filesystem::remove(path, ignored);
  return Failure{path +
                 ": expected a file that can be written, got: " + reason};
}

std::vector<std::string> Platform::describeFitted() const {
  std::vector<std::string> lines;
  auto add = [&](const std::string &what, const std::string &value,
                 const std::string &origin) {
    lines.push_back(what + " = " + value + " (" + origin + ")");
  };
  if (fitted.pipelineStall)
    add("pipeline_stall_us", formatNumber(fitted.pipelineStall->value.value()),
        fitted.pipelineStall->origin);
  for (const ContentionFactor &factor : fitted.contention)
    add("contention of " + std::string(getName(factor.slowed)) + " by " +
            std::string(getName(factor.by)),
        formatNumber(factor.factor), factor.origin);
  for (const FittedParameters::LevelParameters &level : fitted.levels) {
    if (level.latency)
      add(level.level + ".latency_us",
          formatNumber(level.latency->value.value()), level.latency->origin);
    if (level.efficiency)
      add(level.level + ".efficiency",
          "a curve of " +
              std::to_string(level.efficiency->value.getPoints().size()) +
              " points",
          level.efficiency->origin);
  }
  return lines;
}
