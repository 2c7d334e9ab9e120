// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry function tells its streams.

#ifndef MOE_LIB_CONVERSION_STREAMS_STREAMACCESSES_H
#define MOE_LIB_CONVERSION_STREAMS_STREAMACCESSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Schedule/StreamRaces.h"

namespace moe {

/// A function of the moert dialect as its streams see it.
struct StreamFunction {
  schedule::StreamProgram program;
  /// The op of each step, and of each piece of work.
  llvm::SmallVector<mlir::Operation *> steps, works;
};

/// Reads an entry function. Buffers are ranges of what they are views of; the
/// caller's buffers do not overlap. A view at an offset known only at run time
/// counts as all of its source, written in part. Emits an error and fails for
/// control flow, for buffers of unknown origin, and for handles that no op of
/// the function makes.
mlir::FailureOr<StreamFunction> readStreams(mlir::func::FuncOp host);

} // namespace moe

#endif // MOE_LIB_CONVERSION_STREAMS_STREAMACCESSES_H
