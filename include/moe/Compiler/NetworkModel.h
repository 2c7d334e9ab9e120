// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of network models for predictions.
//
// By default, a program is timed by the levels of its platform. An optional
// component may model the network in more detail: it times the exchanges of a
// prediction, and adds a section to the report.

#ifndef MOE_COMPILER_NETWORKMODEL_H
#define MOE_COMPILER_NETWORKMODEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/Timing.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace moe {

namespace support {
class FieldReader;
class FieldWriter;
} // namespace support

struct TaskExchange;

/// The section of a report about the network of a program: the record `fabric`
/// in JSON.
class NetworkSection {
public:
  virtual ~NetworkSection() = default;

  virtual void write(support::FieldWriter &io) = 0;
  virtual void read(support::FieldReader &io) = 0;
  /// Print the lines below the platform, and the tables at the end.
  virtual void printSummary(llvm::raw_ostream &os) const = 0;
  virtual void printTables(llvm::raw_ostream &os) const = 0;

  /// The step time before a failure in the network; nullopt without a failure.
  std::optional<double> beforeFailureUs;
};

/// Times the exchanges of one program.
class NetworkModel {
public:
  virtual ~NetworkModel() = default;

  /// Installs this model in a timer for the exchanges of a function's tasks.
  /// The model must outlive the timer. Emits an error and fails if the model
  /// does not fit the program.
  virtual llvm::LogicalResult use(mlir::func::FuncOp function,
                                  OpTimer &timer) = 0;
  /// Returns the report section for these exchanges of the program.
  virtual std::shared_ptr<NetworkSection>
  summarize(llvm::ArrayRef<TaskExchange> exchanges) const = 0;
  /// Returns a model of the network before the failure; null without a failure.
  virtual std::unique_ptr<NetworkModel> getWhole() const = 0;
};

/// Registers a section type so that reports with it can be read; `make` returns
/// an empty section.
void registerNetworkSection(std::shared_ptr<NetworkSection> (*make)());

/// Returns an empty section for reading; null if no component registered one.
std::shared_ptr<NetworkSection> makeNetworkSection();

} // namespace moe

#endif // MOE_COMPILER_NETWORKMODEL_H
