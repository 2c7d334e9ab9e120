// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions on a model of the network.
//
// A program is timed by the levels of its platform. An optional component may
// model the network in more detail: it prices the exchanges of a prediction,
// and adds a section to the report.

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

/// The part of a report about the network of a program: the record `fabric` in
/// JSON.
class NetworkSection {
public:
  virtual ~NetworkSection() = default;

  virtual void write(support::FieldWriter &io) = 0;
  virtual void read(support::FieldReader &io) = 0;
  /// Prints the lines below the platform, and the tables at the end.
  virtual void printSummary(llvm::raw_ostream &os) const = 0;
  virtual void printTables(llvm::raw_ostream &os) const = 0;

  /// The step time before something failed, if something has.
  std::optional<double> beforeFailureUs;
};

/// Prices the exchanges of one program.
class NetworkModel {
public:
  virtual ~NetworkModel() = default;

  /// Lets a timer price the exchanges of a function's tasks. The model must
  /// outlive it. Emits an error and fails if the model does not fit the
  /// program.
  virtual llvm::LogicalResult use(mlir::func::FuncOp function,
                                  OpTimer &timer) = 0;
  /// What these exchanges of the program make of the network.
  virtual std::shared_ptr<NetworkSection>
  summarize(llvm::ArrayRef<TaskExchange> exchanges) const = 0;
  /// A model of the network before something failed; null if nothing has.
  virtual std::unique_ptr<NetworkModel> getWhole() const = 0;
};

/// Lets reports be read that have such a section: `make` makes an empty one.
void registerNetworkSection(std::shared_ptr<NetworkSection> (*make)());

/// An empty section to read; null if no component registered one.
std::shared_ptr<NetworkSection> makeNetworkSection();

} // namespace moe

#endif // MOE_COMPILER_NETWORKMODEL_H
