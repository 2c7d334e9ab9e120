//===- SilentRemarks.h - Remarks that can be silenced -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TRANSFORMS_SILENTREMARKS_H
#define MOE_TRANSFORMS_SILENTREMARKS_H

#include "mlir/IR/Remarks.h"

namespace moe {

/// While one lives, passes that run on the same thread emit no remarks through
/// the functions below: a search runs them on copies of which most are thrown
/// away. The remarks of a context cannot be switched off otherwise, and a
/// second context would not share the module.
class SilentRemarks {
public:
  SilentRemarks();
  ~SilentRemarks();
  SilentRemarks(const SilentRemarks &) = delete;
  SilentRemarks &operator=(const SilentRemarks &) = delete;
};

/// As the functions of the same names in mlir::remark.
mlir::remark::detail::InFlightRemark passed(mlir::Location loc,
                                            mlir::remark::RemarkOpts options);
mlir::remark::detail::InFlightRemark missed(mlir::Location loc,
                                            mlir::remark::RemarkOpts options);

/// Whether somebody reads remarks of a category: only then is it worth finding
/// out what they say.
bool isRead(mlir::Location loc, llvm::StringRef category);

} // namespace moe

#endif // MOE_TRANSFORMS_SILENTREMARKS_H
