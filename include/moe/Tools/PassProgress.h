// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that take long.

#ifndef MOE_TOOLS_PASSPROGRESS_H
#define MOE_TOOLS_PASSPROGRESS_H

#include "llvm/Support/raw_ostream.h"

namespace mlir {
class MLIRContext;
class PassManager;
} // namespace mlir

namespace moe {

/// Says on a terminal which pass is running, once that takes long
/// (`support::Progress`).
void showPassProgress(mlir::PassManager &passes);

/// Takes the line away before a diagnostic is printed.
void eraseProgressForDiagnostics(mlir::MLIRContext &context);

/// Writes to `to`, and takes the line away before.
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
