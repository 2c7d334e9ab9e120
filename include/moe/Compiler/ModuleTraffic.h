// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traffic a module is compiled for.

#ifndef MOE_COMPILER_MODULETRAFFIC_H
#define MOE_COMPILER_MODULETRAFFIC_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// The traffic a module is compiled for: its attribute `moe.traffic`, a
/// dictionary of the trace's `file`, the `hash` of its bytes, and `robust`
/// where that was asked for. Counts stay in the file, which is read again and
/// refused when it is not the one that the attribute was made from.
struct ModuleTraffic {
  std::shared_ptr<const traffic::Trace> trace;
  std::string file, hash;
  /// Programs are judged by the 95th percentile of their times over the trace's
  /// steps, not by the mean.
  bool isRobust = false;

  double judge(const traffic::Spread &spread) const {
    return isRobust ? spread.p95 : spread.mean;
  }
  /// "the mean over 20 steps of trace.json".
  std::string describe() const;
};

/// The attribute of a module; null without any.
mlir::Attribute getTrafficAttr(mlir::ModuleOp module);
void setTrafficAttr(mlir::ModuleOp module, const ModuleTraffic &traffic);

/// Reads a trace, or takes the one read last if that is the same.
cost::Result<ModuleTraffic> loadTraffic(const std::string &file);

/// The traffic of a module that has the attribute. Emits an error and fails
/// when it is not as above, or the file is another.
mlir::FailureOr<ModuleTraffic> loadTrafficOf(mlir::ModuleOp module);

/// Emits an error and fails where programs of a module are judged by the 95th
/// percentile: `pass` plans for all steps of a trace together.
llvm::LogicalResult refuseRobustTraffic(mlir::ModuleOp module,
                                        llvm::StringRef pass);

} // namespace moe

#endif // MOE_COMPILER_MODULETRAFFIC_H
