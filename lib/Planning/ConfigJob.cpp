// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training job that a planner plans for.

#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/MemoryFit.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

int64_t PlannedJob::getNumRanks() const {
  int64_t ranks = 1;
  for (int64_t size : layout.shape)
    ranks *= size;
  return ranks;
}

schedule::LayerShape moe::planning::getLayerShape(const PlannedJob &job) {
  const Layout &layout = job.layout;
  schedule::LayerShape shape;
  shape.microBatch = job.options.microBatch;
  shape.seqLen = job.options.seqLen / layout.cp;
  shape.hidden = job.config.getExpertWidth();
  shape.ffnHidden = job.config.expertFFNSize;
  shape.topK = job.config.getSentTopK();
  shape.gemms = job.config.getNumMatrices();
  shape.tp = layout.tp;
  shape.esp = layout.esp;
  if (job.options.foldEp) {
    shape.microBatch = 1;
    shape.seqLen = layout.routedTokens;
    shape.tp = shape.esp = 1;
  }
  return shape;
}

Result<PlannedJob> ConfigJob::read(bool train) {
  if (!isSet())
    return failMissing("config");
  PlannedJob read;
  if (auto failure = job.read(read.options))
    return *failure;
  read.options.train = train;
  if (!job.seqLen.isSet())
    read.options.seqLen = read.options.cp * read.options.tp;
  if (auto failure = job.configMap.read())
    return *failure;
  Result<ModelConfig> model = readModelConfig(config, job.configMap.get(),
                                              job.ignoredKeys.get(), table);
  if (!model)
    return model.getFailure();
  read.config = std::move(*model);
  Expected<Layout> layout = computeLayout(read.config, read.options);
  if (!layout)
    return Failure{toString(layout.takeError())};
  read.layout = std::move(*layout);
  return read;
}

Result<MeshDegrees> ConfigJob::readDegrees(ArrayRef<StringRef> required) {
  if (isSet()) {
    Result<PlannedJob> planned = read();
    if (!planned)
      return planned.getFailure();
    const ImportOptions &of = planned->options;
    MeshDegrees degrees{
        {of.dp, of.pp, of.cp, getDegrees(of).getAxisEp(), of.tp}};
    degrees.stagesOutermost = of.stagesOutermost.value_or(false);
    if (degrees.stagesOutermost)
      std::swap(degrees.shape[0], degrees.shape[1]);
    const auto &axes = planned->layout.epAxes;
    if (of.foldEp)
      degrees.expertAxes = axes.size() == 3 ? std::vector<unsigned>{2, 3, 4}
                                            : std::vector<unsigned>{3, 4};
    return degrees;
  }
  const IntegerOption *options[] = {&job.dp, &job.pp, &job.cp, &job.ep,
                                    &job.tp};
  if (auto failure = checkBeside(
          {}, {"dp", "pp", "cp", "ep", "tp", job.stagesOutermost.getName()}))
    return *failure;
  MeshDegrees degrees{};
  // Read the fastest axis first because errors name the first missing option.
  for (size_t i = std::size(options); i-- > 0;) {
    std::optional<int64_t> fallback;
    if (!llvm::is_contained(required, options[i]->getName()))
      fallback = 1;
    Result<int64_t> degree = options[i]->read(fallback);
    if (!degree)
      return degree.getFailure();
    degrees.shape[i] = *degree;
  }
  degrees.stagesOutermost = job.stagesOutermost;
  if (degrees.stagesOutermost)
    std::swap(degrees.shape[0], degrees.shape[1]);
  return degrees;
}

Result<ModelSize> ConfigJob::readSize() {
  if (!isSet())
    return failMissing("config");
  if (auto failure = job.configMap.read())
    return *failure;
  return readModelSizeFile(config, job.configMap.get(), job.ignoredKeys.get(),
                           table);
}

std::optional<Failure>
ConfigJob::checkBeside(ArrayRef<const IntegerOption *> sizes,
                       ArrayRef<StringRef> known) const {
  if (isSet()) {
    for (const IntegerOption *size : sizes)
      if (size->isSet())
        return makeFailure("--" + size->getName() +
                           " is not supported with --config, which sets it");
    return std::nullopt;
  }
  if (StringRef given = job.findGiven(known); !given.empty())
    return makeFailure("--" + given + " requires --config");
  return std::nullopt;
}

std::optional<Failure>
moe::planning::checkRanks(const platform::Platform &platform,
                          const PlannedJob &job) {
  int64_t has = platform.machine.getNumRanks();
  if (job.getNumRanks() <= has)
    return std::nullopt;
  return makeFailure("--platform: expected a machine of at least " +
                     Twine(job.getNumRanks()) +
                     " ranks, as many as the job has, got " +
                     platform.machine.name + " of " + Twine(has));
}
