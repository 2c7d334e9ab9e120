// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training job that a planner plans for.

#ifndef MOE_PLANNING_CONFIGJOB_H
#define MOE_PLANNING_CONFIGJOB_H

#include "moe/Options/JobOptions.h"
#include "moe/Platform/Load.h"
#include "moe/Schedule/LayerPhase.h"
#include <array>

namespace moe::planning {

using cost::Failure;
using cost::Result;

/// A model with its layout on ranks.
struct PlannedJob {
  ModelConfig config;
  ImportOptions options;
  Layout layout;

  /// Returns all ranks of the mesh.
  int64_t getNumRanks() const;
  int64_t getElementBytes() const {
    return options.elements == ElementKind::F32 ? 4 : 2;
  }
};

/// The mesh [dp, pp, cp, ep, tp] of a job, or [pp, dp, ...] if stages are
/// outermost, and the axes of expert exchanges: ep, and with folded experts
/// also tp and maybe cp.
struct MeshDegrees {
  std::array<int64_t, 5> shape;
  std::vector<unsigned> expertAxes = {3};
  bool stagesOutermost = false;

  unsigned getPlaceOfDp() const { return stagesOutermost ? 1 : 0; }
  unsigned getPlaceOfPp() const { return stagesOutermost ? 0 : 1; }
};

/// `--config` and the job options, which all planners share. A planner that
/// also accepts sizes directly reads their options itself if `--config` is not
/// given.
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

  /// Reads the job of `--config` with the checks of computeLayout. `train` also
  /// computes the dense parts. If an optional sequence length is not given, a
  /// length that the degrees can split is used.
  Result<PlannedJob> read(bool train = false);

  /// Returns the degrees of the job of `--config`. Without `--config`, returns
  /// the given degrees; those in `required` must be given.
  Result<MeshDegrees> readDegrees(llvm::ArrayRef<llvm::StringRef> required);

  /// Reads the model of `--config` with all its parameters.
  Result<ModelSize> readSize();

  /// With `--config`, fails if any of these sizes is also given. Without it,
  /// fails if a job option is given that is not in `known`, the options that
  /// the planner reads itself.
  std::optional<Failure>
  checkBeside(llvm::ArrayRef<const IntegerOption *> sizes,
              llvm::ArrayRef<llvm::StringRef> known) const;

  JobOptions job;

private:
  TextOption config;
  OptionTable &table;
};

/// Returns the shape of a job's MoE layer (SPEC FS-2) for one of its
/// data-parallel groups, without a capacity factor. With folded experts, all
/// ranks have separate tokens and whole experts.
schedule::LayerShape getLayerShape(const PlannedJob &job);

/// Fails if the machine has fewer ranks than the job.
std::optional<Failure> checkRanks(const platform::Platform &platform,
                                  const PlannedJob &job);

} // namespace moe::planning

#endif // MOE_PLANNING_CONFIGJOB_H
