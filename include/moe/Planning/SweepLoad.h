// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What experts of a swept job get.

#ifndef MOE_PLANNING_SWEEPLOAD_H
#define MOE_PLANNING_SWEEPLOAD_H

#include "moe/Options/RoutingOptions.h"
#include "moe/Planning/Planner.h"
#include "moe/Schedule/ExpertSkew.h"
#include "llvm/Support/FileUtilities.h"

namespace moe::planning {

/// What experts get of the tokens, the same in all MoE layers.
struct ExpertLoad {
  schedule::ExpertCounts counts;

  /// Rows of the busiest of so many expert-parallel ranks over an even share
  /// (`schedule::ExpertSkew`). Experts must divide by them.
  double getBusiest(int64_t ep) const;
};

/// `--routing` with its factors, and how uneven rows are that travel:
/// `--traffic` or `--imbalance`.
class SweepLoadOptions {
public:
  explicit SweepLoadOptions(OptionTable &table);

  /// How copies of tokens travel.
  std::optional<Failure> read(ImportOptions &options) const {
    return routing.read(options);
  }

  /// The load of a job's experts; nothing where it is even. Fails where one is
  /// given and no rows travel, and for a trace of several layers or of other
  /// experts.
  Result<std::optional<ExpertLoad>> readLoad(const ModelConfig &config,
                                             const ImportOptions &options);

  /// The file that programs are compiled for; empty where loads are even.
  const std::string &getFile() const { return file; }
  /// The same as users have it, and the command that makes it; empty where it
  /// is theirs.
  std::string getShownFile() const;
  const std::string &getCommand() const { return command; }
  /// What was given of `--routing` and its factors, as a command line has it.
  std::string getWords() const { return routing.getWords(); }
  /// "--imbalance=1.5", "--traffic=FILE"; empty where loads are even.
  std::string getGiven() const;

private:
  std::optional<Failure> makeTrace(const ModelConfig &config);

  RoutingOptions routing;
  TextOption traffic;
  NumberOption imbalance;
  std::string file, command;
  /// Of --imbalance the file is ours.
  llvm::FileRemover remover;
};

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEPLOAD_H
