// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The job that a planner plans for.

#ifndef MOE_PLANNING_CONFIGJOB_H
#define MOE_PLANNING_CONFIGJOB_H

#include "moe/Options/JobOptions.h"
#include "moe/Platform/Load.h"
#include "moe/Schedule/LayerPhase.h"
#include <array>

namespace moe::planning {

using cost::Failure;
using cost::Result;

/// A model on so many ranks.
struct PlannedJob {
  ModelConfig config;
  ImportOptions options;
  Layout layout;

  /// All of the mesh.
  int64_t getNumRanks() const;
  int64_t getElementBytes() const {
    return options.elements == ElementKind::F32 ? 4 : 2;
  }
};

/// The mesh [dp, pp, cp, ep, tp] of a job, or [pp, dp, ...] with stages
/// outermost, and the axes that exchanges of experts are over: ep, and where
/// experts are folded, tp and maybe cp.
struct MeshDegrees {
  std::array<int64_t, 5> shape;
  std::vector<unsigned> expertAxes = {3};
  bool stagesOutermost = false;

  unsigned getPlaceOfDp() const { return stagesOutermost ? 1 : 0; }
  unsigned getPlaceOfPp() const { return stagesOutermost ? 0 : 1; }
};

/// `--config` and the options of a job, the same of all planners. A planner
/// that can also be told the sizes that matter to it reads the options of
/// those on its own where there is no `--config`.
class ConfigJob {
public:
  explicit ConfigJob(OptionTable &table,
                     JobOptions::Needs needs = {JobOptions::Missing::Command,
                                                JobOptions::Missing::Command})
      : job(table, needs),
        config(table, "config", "Hugging Face config.json of the model",
               "FILE"),
        table(table) {}

  bool isSet() const { return config.isSet(); }
  const std::string &getFile() const { return config; }

  /// The job of `--config`, with what computeLayout checks. `train` asks for
  /// the dense parts, too. Where a sequence need not be given and is not, it is
  /// one that the degrees can split.
  Result<PlannedJob> read(bool train = false);

  /// The degrees of the job of `--config`; without one those that are given, of
  /// which `required` must be.
  Result<MeshDegrees> readDegrees(llvm::ArrayRef<llvm::StringRef> required);

  /// The model of `--config` with all its parameters.
  Result<ModelSize> readSize();

  /// With `--config`, a failure for the first of these sizes that is given,
  /// too; without it, for the first of the job's options that is given and not
  /// among `known`, the names of those that the planner reads on its own.
  std::optional<Failure>
  checkBeside(llvm::ArrayRef<const IntegerOption *> sizes,
              llvm::ArrayRef<llvm::StringRef> known) const;

  JobOptions job;

private:
  TextOption config;
  OptionTable &table;
};

/// An MoE layer of a job as planners have it (SPEC FS-2): what one of its
/// data-parallel groups does of it, without a capacity factor. Of folded
/// experts all ranks have tokens of their own and whole experts.
schedule::LayerShape getLayerShape(const PlannedJob &job);

/// A failure unless a machine has the ranks of a job.
std::optional<Failure> checkRanks(const platform::Platform &platform,
                                  const PlannedJob &job);

} // namespace moe::planning

#endif // MOE_PLANNING_CONFIGJOB_H
