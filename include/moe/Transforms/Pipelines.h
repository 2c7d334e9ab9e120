//===- Pipelines.h - The phases of a compilation ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TRANSFORMS_PIPELINES_H
#define MOE_TRANSFORMS_PIPELINES_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace moe {

/// The phases a program goes through, in order; each is a pass pipeline that
/// may be run alone and ends with a verification of what it promises.
enum class CompilePhase {
  /// The baseline as a frontend made it, checked and canonical.
  Import,
  /// All-to-alls rewritten into drop / all-to-all / all-gather.
  Decompose
};

/// Which phases to run: `from` to `to`, both included.
struct CompileOptions {
  CompilePhase from = CompilePhase::Import;
  CompilePhase to = CompilePhase::Decompose;
};

/// Appends the passes of the phases `from` to `to`, both included.
/// `from` must not come after `to`.
void buildCompilePipeline(mlir::OpPassManager &manager,
                          const CompileOptions &options);

/// Registers `--moe-compile="from=P to=P"`.
void registerCompilePipeline();

} // namespace moe

#endif // MOE_TRANSFORMS_PIPELINES_H
