// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From stage to stage.

//
// Every rank runs the program of its stage: as many layers, with weights of its
// own. What a stage makes goes to the next one, and a gradient to the one
// before: rows that one rank sends to one other, a ragged_all_to_all whose
// sizes are constants of the rank's place.
//
//===----------------------------------------------------------------------===//

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
