// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implementation of the handles of the C API.

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
  /// Regular expression for the passes that report remarks; none if empty.
  std::string remarks;

  void tell(MoeSeverity severity, const std::string &message,
            mlir::Location loc) const;
  /// Reports an error without a location.
  void fail(const llvm::Twine &message);
  /// Reports the requested remarks from now on.
  void restoreRemarks();
};

struct MoeModule {
  MoeContext &context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

namespace moe::capi {

/// Returns a copy that `moeFreeString` frees; null if out of memory.
char *makeString(llvm::StringRef text);

/// Performs the registration for the whole process once: passes, planners and
/// functions of the runtime. Contexts may belong to several threads.
void registerOnce();

/// Selects remarks of all kinds from the passes with matching names.
mlir::remark::RemarkCategories makeCategories(const std::string &regex);

} // namespace moe::capi

#endif // MOE_LIB_CAPI_HANDLES_H
