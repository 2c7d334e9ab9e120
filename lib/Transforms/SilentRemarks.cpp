//===- SilentRemarks.cpp - Remarks that can be silenced ---------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Transforms/SilentRemarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Transforms/FunctionRemarks.h"

using namespace mlir;
using namespace moe;

/// How many `SilentRemarks` live on this thread.
static thread_local unsigned numSilent = 0;

SilentRemarks::SilentRemarks() { ++numSilent; }
SilentRemarks::~SilentRemarks() { --numSilent; }

remark::detail::InFlightRemark moe::passed(Location loc,
                                           remark::RemarkOpts options) {
  if (numSilent != 0)
    return {};
  return remark::passed(loc, options);
}

remark::detail::InFlightRemark moe::missed(Location loc,
                                           remark::RemarkOpts options) {
  if (numSilent != 0)
    return {};
  return remark::missed(loc, options);
}

remark::RemarkOpts moe::getRemarkOptions(Operation *op, StringRef name,
                                         StringRef pass) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name).category(pass).function(
      function ? function.getName() : StringRef());
}

bool moe::isRead(Location loc, StringRef category) {
  auto options = remark::RemarkOpts::name("").category(category);
  remark::detail::InFlightRemark one = moe::passed(loc, options);
  remark::detail::InFlightRemark other = moe::missed(loc, options);
  bool isRead = one || other;
  // What is replaced is not emitted.
  one = remark::detail::InFlightRemark();
  other = remark::detail::InFlightRemark();
  return isRead;
}
