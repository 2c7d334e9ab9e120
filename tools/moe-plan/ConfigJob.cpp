//===- ConfigJob.cpp - The job that a planner plans for -------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConfigJob.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

int64_t PlannedJob::getNumRanks() const {
  int64_t ranks = 1;
  for (int64_t size : layout.shape)
    ranks *= size;
  return ranks;
}

Result<PlannedJob> ConfigJob::read(bool train) const {
  if (!isSet())
    return failMissing("config");
  PlannedJob read;
  if (auto failure = job.read(read.options))
    return *failure;
  read.options.train = train;
  Result<ModelConfig> model = readModelConfig(config);
  if (!model)
    return model.getFailure();
  read.config = std::move(*model);
  Expected<Layout> layout = computeLayout(read.config, read.options);
  if (!layout)
    return Failure{toString(layout.takeError())};
  read.layout = std::move(*layout);
  return read;
}

std::optional<Failure>
ConfigJob::checkBeside(ArrayRef<const IntegerOption *> sizes,
                       ArrayRef<StringRef> known) const {
  if (isSet()) {
    for (const IntegerOption *size : sizes)
      if (size->isSet())
        return makeFailure("--" + size->getName() +
                           ": expected none with --config, which states it");
    return std::nullopt;
  }
  if (StringRef given = job.findGiven(known); !given.empty())
    return makeFailure("--" + given + ": expected it beside --config only");
  return std::nullopt;
}

std::optional<Failure> moe::plan::checkRanks(const platform::Platform &platform,
                                             const PlannedJob &job) {
  int64_t has = platform.machine.getNumRanks();
  if (job.getNumRanks() <= has)
    return std::nullopt;
  return makeFailure("--platform: expected a machine of at least " +
                     Twine(job.getNumRanks()) +
                     " ranks, as many as the job has, got " +
                     platform.machine.name + " of " + Twine(has));
}
