// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handles of the C API are.

#ifndef MOE_LIB_CAPI_HANDLES_H
#define MOE_LIB_CAPI_HANDLES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "moe-c/MoE.h"
#include <string>
#include <vector>

struct MoeContext {
  MoeContext();

  mlir::MLIRContext context;
  MoeDiagnosticHandler handler = nullptr;
  void *data = nullptr;
  /// The passes whose remarks are told; none when empty.
  std::string remarks;

  void tell(MoeSeverity severity, const std::string &message,
            mlir::Location loc) const;
  /// An error that belongs to no place.
  void fail(const llvm::Twine &message);
  /// Tells the remarks that were asked for, from here on.
  void restoreRemarks();
};

struct MoeModule {
  MoeContext &context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

namespace moe::capi {

/// A copy that `moeFreeString` frees; null when there is no memory.
char *makeString(llvm::StringRef text);

/// Registers what the whole process knows, once: passes, planners and functions
/// of the runtime. Contexts may be of several threads.
void registerOnce();

/// Remarks of all kinds of the passes whose names match.
mlir::remark::RemarkCategories makeCategories(const std::string &regex);

} // namespace moe::capi

#endif // MOE_LIB_CAPI_HANDLES_H
