// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that choose what a trace says.

#ifndef MOE_EXECUTION_REPLAY_H
#define MOE_EXECUTION_REPLAY_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/Arguments.h"
#include "moe/Interpreter/Program.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// One step of a trace, whose experts the gates of programs choose.
///
/// A program is given an argument more for each layer, after its own: the
/// experts of the layer's tokens, in place of the gate's `ids` wherever these
/// are used. The gate runs as before, for the weights: the first weight of a
/// token is that of the gate's own first choice, now taken for the first one
/// that is replayed, and so on. Gradients of the gate are those of the replayed
/// choices.
class Replay {
public:
  /// Reads a trace. Fails when that does, when it has no step of the number
  /// `step`, or several where none is given.
  static cost::Result<Replay> load(const std::string &file,
                                   std::optional<int64_t> step);

  /// Gives a program its arguments. Emits an error and fails where gates and
  /// trace do not fit together.
  mlir::LogicalResult apply(const Program &program);

  /// Fills the arguments of a program that were added to it.
  std::optional<cost::Failure> give(const Program &program,
                                    ArgumentOptions &arguments) const;

  /// What ragged exchanges take their sizes from, as for predictions.
  const traffic::Routing &getRouting() const { return *routing; }
  /// "layers "0", "1" choose what trace.json, step 3, says".
  std::string describe() const;
  /// The hash of the file's bytes.
  const std::string &getHash() const { return hash; }

private:
  /// What is replayed of a layer.
  struct Layer {
    std::string name;
    /// By place in the group that shares the layer's experts.
    std::vector<std::vector<int32_t>> choices;
    /// By rank, its place there.
    std::vector<int64_t> places;
  };

  /// Looks at the gates of a layer and at the ops around them.
  mlir::FailureOr<Layer> makeLayer(const Program &program,
                                   llvm::ArrayRef<GateOp> gates) const;

  std::shared_ptr<const traffic::Routing> routing;
  std::string hash;
  /// In the order of the arguments.
  std::vector<Layer> layers;
};

} // namespace moe

#endif // MOE_EXECUTION_REPLAY_H
