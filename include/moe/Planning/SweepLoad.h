// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Token loads of experts in a swept job.

#ifndef MOE_PLANNING_SWEEPLOAD_H
#define MOE_PLANNING_SWEEPLOAD_H

#include "moe/Options/RoutingOptions.h"
#include "moe/Planning/Planner.h"
#include "moe/Schedule/ExpertSkew.h"
#include "llvm/Support/FileUtilities.h"

namespace moe::planning {

/// The tokens per expert, equal in all MoE layers.
struct ExpertLoad {
  schedule::ExpertCounts counts;

  /// Returns the rows of the busiest of `ep` expert-parallel ranks over an even
  /// share (`schedule::ExpertSkew`). `ep` must divide the number of experts.
  double getBusiest(int64_t ep) const;
};

/// Options for the load: `--routing` with its factors, and `--traffic` or
/// `--imbalance` for uneven ragged exchanges.
class SweepLoadOptions {
public:
  explicit SweepLoadOptions(OptionTable &table);

  /// Reads the routing into `options`.
  std::optional<Failure> read(ImportOptions &options) const {
    return routing.read(options);
  }

  /// Returns the load of a job's experts, or nothing if it is even. Fails if a
  /// load is given but exchanges are not ragged, or if a trace has several
  /// layers or other experts.
  Result<std::optional<ExpertLoad>> readLoad(const ModelConfig &config,
                                             const ImportOptions &options);

  /// Returns the load file for the compiler; empty if loads are even.
  const std::string &getFile() const { return file; }
  /// Return the load file under the name that users see, and the command that
  /// creates it. The command is empty if the user provided the file.
  std::string getShownFile() const;
  const std::string &getCommand() const { return command; }
  /// Returns the given routing options as command-line text.
  std::string getWords() const { return routing.getWords(); }
  /// Returns "--imbalance=1.5" or "--traffic=FILE"; empty if loads are even.
  std::string getGiven() const;

private:
  std::optional<Failure> makeTrace(const ModelConfig &config);

  RoutingOptions routing;
  TextOption traffic;
  NumberOption imbalance;
  std::string file, command;
  /// Removes the temporary file that --imbalance creates.
  llvm::FileRemover remover;
};

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEPLOAD_H
