// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The routing trace of a module.

#ifndef MOE_COMPILER_MODULETRAFFIC_H
#define MOE_COMPILER_MODULETRAFFIC_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// The routing trace that a module is compiled for: its attribute
/// `moe.traffic`, a dictionary of the trace's `file`, the `hash` of its bytes,
/// and `robust` if requested. The counts stay in the file, which is read again
/// and rejected if its hash differs.
struct ModuleTraffic {
  std::shared_ptr<const traffic::Trace> trace;
  std::string file, hash;
  /// If true, programs are compared by the 95th percentile of their times over
  /// the trace's iterations, not by the mean.
  bool isRobust = false;

  double judge(const traffic::Spread &spread) const {
    return isRobust ? spread.p95 : spread.mean;
  }
  /// Returns, for example, "the mean over 20 steps of trace.json".
  std::string describe() const;
};

/// Returns the attribute of a module, or null.
mlir::Attribute getTrafficAttr(mlir::ModuleOp module);
void setTrafficAttr(mlir::ModuleOp module, const ModuleTraffic &traffic);

/// Reads a trace, or returns the one that was read last if it is the same.
cost::Result<ModuleTraffic> loadTraffic(const std::string &file);

/// Loads the trace of a module that has the attribute. Emits an error and fails
/// if the attribute is malformed or the file has changed.
mlir::FailureOr<ModuleTraffic> loadTrafficOf(mlir::ModuleOp module);

/// Emits an error and fails if the module's programs are compared by the 95th
/// percentile, because `pass` plans for all iterations of a trace together.
llvm::LogicalResult refuseRobustTraffic(mlir::ModuleOp module,
                                        llvm::StringRef pass);

} // namespace moe

#endif // MOE_COMPILER_MODULETRAFFIC_H
