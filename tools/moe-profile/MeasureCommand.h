// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-profile measure.

#ifndef MOE_TOOLS_MOE_PROFILE_MEASURECOMMAND_H
#define MOE_TOOLS_MOE_PROFILE_MEASURECOMMAND_H

#include "moe/Execution/MeasureMachine.h"
#include "moe/Options/PlatformOption.h"
#include "moe/Support/EnumNames.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/OutputOption.h"
#include "llvm/Support/CommandLine.h"

template <> struct moe::EnumNames<moe::MeasureProtocol> {
  static constexpr EnumName<MeasureProtocol> all[] = {
      {MeasureProtocol::Fastest, "fastest",
       "sizes from 4 KiB up, fastest call within the time limit (default)"},
      {MeasureProtocol::Means, "means",
       "sizes from 1 to 24 MiB in steps of 1 MiB, mean of five calls"}};
};

namespace moe::profile {

/// `moe-profile measure`.
class MeasureCommand {
public:
  llvm::cl::SubCommand command{
      "measure", "Measure collectives, copies and GEMMs on this machine"};

  /// Measures and writes; returns the error, empty on success.
  std::string run();
  /// Returns true if another rank reports the error.
  bool hasFailedElsewhere() const { return failedElsewhere; }

private:
  std::string write(const platform::Measurements &measured);
  std::string writeDevice(const platform::Measurements &measured);
  void printGemms(const std::vector<platform::Sample> &gemms,
                  const cost::Machine &machine);
  std::string writePairs(const platform::Measurements &measured,
                         const std::string &origin);

  bool failedElsewhere = false;
  std::optional<platform::Platform> base;
  OptionTable table;
  PlatformOption basePlatform{
      table, "platform",
      "Platform to start from; only copies and GEMMs are measured, for which "
      "one rank is enough, and all other parameters are kept"};
  BoundOptions bound{table, command};
  llvm::cl::opt<std::string> backend{
      "backend", llvm::cl::Required, llvm::cl::sub(command),
      llvm::cl::value_desc("name"),
      llvm::cl::desc("Backend: host, ranks are threads; mpi, mpirun starts the "
                     "ranks; nccl, each rank has a GPU")};
  llvm::cl::opt<int64_t> ranks{
      "ranks", llvm::cl::init(0), llvm::cl::sub(command),
      llvm::cl::value_desc("N"),
      llvm::cl::desc("With --backend=host: number of ranks (default: one per "
                     "core, at least 2)")};
  OutputOption output{"o", llvm::cl::Required, llvm::cl::sub(command),
                      llvm::cl::value_desc("file"),
                      llvm::cl::desc("Platform file to write")};
  llvm::cl::opt<std::string> name{
      "name", llvm::cl::sub(command), llvm::cl::value_desc("name"),
      llvm::cl::desc("Name of the written platform")};
  OutputOption pairs{
      "pairs", llvm::cl::sub(command), llvm::cl::value_desc("file"),
      llvm::cl::desc("Also measure messages between all pairs of ranks, and "
                     "write the measurements and the topology to this file "
                     "(for moe-plan dispatch --pairs)")};
  llvm::cl::opt<MeasureProtocol> protocol{
      "protocol", llvm::cl::init(MeasureProtocol::Fastest),
      llvm::cl::sub(command),
      llvm::cl::desc("Message sizes, and statistic over repeated calls"),
      EnumValues<MeasureProtocol>()};
  llvm::cl::opt<int64_t> maxBytes{
      "max-bytes", llvm::cl::init(int64_t(64) << 20), llvm::cl::sub(command),
      llvm::cl::value_desc("N"),
      llvm::cl::desc("Largest measured buffer in bytes, at least 65536 "
                     "(default: 64 MiB)")};
  llvm::cl::opt<double> seconds{
      "seconds-per-size", llvm::cl::init(0.3), llvm::cl::sub(command),
      llvm::cl::value_desc("S"),
      llvm::cl::desc(
          "Seconds to measure each size of each operation (default: 0.3)")};
};

} // namespace moe::profile

#endif // MOE_TOOLS_MOE_PROFILE_MEASURECOMMAND_H
