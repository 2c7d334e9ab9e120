// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets gates replay the choices of a trace.

#ifndef MOE_EXECUTION_REPLAY_H
#define MOE_EXECUTION_REPLAY_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/Arguments.h"
#include "moe/Interpreter/Program.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// One step of a trace whose experts the gates of programs choose.
///
/// Each layer adds one argument to a program, after its own arguments: the
/// experts of the layer's tokens, which replace all uses of the gate's `ids`.
/// The gate still computes the weights. Each token's first weight, which
/// belongs to the gate's own first choice, is then used for the first replayed
/// choice, and so on. Gradients of the gate are computed for the replayed
/// choices.
class Replay {
public:
  /// Reads a trace. Fails if it cannot be read, if it has no step `step`, or if
  /// it has several steps and none is specified.
  static cost::Result<Replay> load(const std::string &file,
                                   std::optional<int64_t> step);

  /// Adds the arguments to a program. Emits an error and fails if gates and
  /// trace do not match.
  mlir::LogicalResult apply(const Program &program);

  /// Fills the arguments that were added to a program.
  std::optional<cost::Failure> give(const Program &program,
                                    ArgumentOptions &arguments) const;

  /// Returns the routing that determines the sizes of ragged exchanges, as for
  /// predictions.
  const traffic::Routing &getRouting() const { return *routing; }
  /// Returns a line for messages with the layers, the trace and its step.
  std::string describe() const;
  /// Returns the hash of the trace file's bytes.
  const std::string &getHash() const { return hash; }

private:
  struct Layer {
    std::string name;
    /// Choices by position in the group that shares the layer's experts.
    std::vector<std::vector<int32_t>> choices;
    /// The position of each rank in that group.
    std::vector<int64_t> places;
  };

  /// Checks the layer's gates and the ops around them.
  mlir::FailureOr<Layer> makeLayer(const Program &program,
                                   llvm::ArrayRef<GateOp> gates) const;

  std::shared_ptr<const traffic::Routing> routing;
  std::string hash;
  /// In the order of the added arguments.
  std::vector<Layer> layers;
};

} // namespace moe

#endif // MOE_EXECUTION_REPLAY_H
