// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads platform descriptions from files.

#include "moe/Platform/Load.h"
#include "PlatformKeys.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/TextFile.h"

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

Machine moe::platform::applyFitted(Machine machine,
                                   const FittedParameters &fitted) {
  if (fitted.pipelineStall)
    machine.pipelineStall = *fitted.pipelineStall;
  machine.contention.insert(machine.contention.end(), fitted.contention.begin(),
                            fitted.contention.end());
  for (const FittedParameters::LevelParameters &parameters : fitted.levels) {
    for (Level &level : machine.levels) {
      if (level.name != parameters.level)
        continue;
      if (parameters.latency) {
        level.latency = parameters.latency->value;
        level.latencyOrigin = parameters.latency->origin;
      }
      if (parameters.efficiency) {
        level.efficiency = parameters.efficiency->value;
        level.efficiencyOrigin = parameters.efficiency->origin;
      }
    }
  }
  return machine;
}

std::optional<Stated<double>> Platform::getPeakTflops() const {
  if (peakTflops)
    return peakTflops;
  if (!machine.gemm)
    return std::nullopt;
  // A multiply-accumulate is two operations; the line has microseconds.
  return Stated<double>{2e-6 / machine.gemm->beta.value(),
                        "what large GEMMs come close to, 2 / "
                        "gemm_beta_us_per_mac: no 'peak_tflops' is stated"};
}

/// Reports an inconsistency between levels at the key that causes it.
static void checkLevelsOf(const JsonValue &root, const Machine &machine,
                          ReaderContext &context) {
  auto problem = checkLevels(machine.levels);
  if (!problem)
    return;
  const JsonValue *levels = root.find("levels");
  if (!problem->level) {
    context.fail(levels->place, "levels", problem->reason);
    return;
  }
  const JsonValue &level = levels->items[*problem->level];
  const JsonValue *value = level.find(problem->key);
  context.fail(value ? value->place : level.place,
               "levels[" + std::to_string(*problem->level) + "]." +
                   problem->key,
               problem->reason);
}

Result<Platform> moe::platform::parsePlatform(std::string_view text,
                                              const std::string &name,
                                              const LoadOptions &options) {
  Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  ReaderContext context{name, ""};
  Platform platform;
  platform.file = name;
  platform.hash = hashText(text);
  ObjectReader reader(context, *root, "");
  if (!context.hasFailed())
    readKeys(reader, platform);
  reader.finish();
  if (!context.hasFailed())
    checkLevelsOf(*root, platform.stated, context);
  if (context.hasFailed())
    return Failure{context.problem};
  platform.machine = options.ignoreFitted
                         ? platform.stated
                         : applyFitted(platform.stated, platform.fitted);
  return platform;
}

Result<Platform> moe::platform::loadPlatform(const std::string &path,
                                             const LoadOptions &options) {
  Result<std::string> text = readTextFile(path, "a platform's file");
  if (!text)
    return text.getFailure();
  return parsePlatform(*text, path, options);
}

std::string moe::platform::hashText(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 1099511628211u;
  return formatHash(hash);
}
