// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of pass pipelines.

#ifndef MOE_TOOLS_PASSPROGRESS_H
#define MOE_TOOLS_PASSPROGRESS_H

#include "llvm/Support/raw_ostream.h"

namespace mlir {
class MLIRContext;
class PassManager;
} // namespace mlir

namespace moe {

/// Shows on a terminal which pass is running if that takes long
/// (`support::Progress`).
void showPassProgress(mlir::PassManager &passes);

/// Erases the progress line before a diagnostic is printed.
void eraseProgressForDiagnostics(mlir::MLIRContext &context);

/// Erases the progress line and then writes to `to`.
class ErasingStream : public llvm::raw_ostream {
public:
  explicit ErasingStream(llvm::raw_ostream &to)
      : raw_ostream(/*unbuffered=*/true), to(to) {}

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return to.tell(); }

  llvm::raw_ostream &to;
};

} // namespace moe

#endif // MOE_TOOLS_PASSPROGRESS_H
