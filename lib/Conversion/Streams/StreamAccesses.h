// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the stream commands of an entry function.

#ifndef MOE_LIB_CONVERSION_STREAMS_STREAMACCESSES_H
#define MOE_LIB_CONVERSION_STREAMS_STREAMACCESSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Schedule/StreamRaces.h"

namespace moe {

/// An entry function of the moert dialect as commands on its streams.
struct StreamFunction {
  schedule::StreamProgram program;
  /// The op of each step, and of each piece of work.
  llvm::SmallVector<mlir::Operation *> steps, works;
};

/// Reads an entry function. Buffers become ranges of their root buffers; the
/// caller's buffers must not overlap. A view with an offset that is known only
/// at run time counts as its whole source, partially written. Emits an error
/// and fails for control flow other than branches, buffers of unknown origin,
/// and handles that no op of the function creates.
mlir::FailureOr<StreamFunction> readStreams(mlir::func::FuncOp host);

} // namespace moe

#endif // MOE_LIB_CONVERSION_STREAMS_STREAMACCESSES_H
