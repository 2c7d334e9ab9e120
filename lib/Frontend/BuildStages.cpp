// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends between stages.
//
// Every rank runs the program of its stage. The stages have equal numbers of
// layers, each with its own weights. A stage sends its result to the next
// stage, and a gradient to the previous one: each rank sends rows to one other
// rank, by a ragged_all_to_all with sizes that are constants of the rank's
// position.

#include "ModuleBuilder.h"
#include "moe/Dialect/MoE/RaggedPermute.h"

using namespace mlir;
using namespace moe;

Value ModuleBuilder::sendToStage(Value rows, StageDirection direction,
                                 StringRef name) {
  int64_t distance = direction == StageDirection::Onwards ? 1 : -1;
  SmallVector<int64_t> from, to;
  for (int64_t stage = 0; stage < layout.pp; ++stage)
    if (int64_t other = stage + distance; other >= 0 && other < layout.pp) {
      from.push_back(stage);
      to.push_back(other);
    }
  return buildRaggedPermute(
             b, b, loc(name),
             [&](StringRef part) { return loc((name + "." + part).str()); },
             rows, group({"pp"}), layout.pp, from, to)
      .getResult();
}
