//===- OcsLowering.cpp - Calls to optical switches --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

LogicalResult HostLowering::lowerOcs(Operation *op) {
  // MOERT_DEADLINE_DEFAULT: until the change has ended by itself.
  constexpr int64_t kDefaultDeadline = -1;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::OcsSwitchOp op) {
        values[op.getDevice()] =
            create("moert_ocs_find",
                   {context, getText(op.getName()), i32(op.getController())});
        return success();
      })
      .Case([&](rt::OcsConfigureOp op) {
        auto circuits = cast<DenseIntElementsAttr>(op.getCircuits());
        // Pairs of moert_ocs_circuit are pairs of 32-bit integers.
        int64_t count = circuits.getNumElements() / 2;
        auto ports = circuits.reshape(
            RankedTensorType::get({2 * count}, circuits.getElementType()));
        Value pairs = count == 0
                          ? null()
                          : getConstant(cast<DenseIntElementsAttr>(ports));
        values[op.getChange()] = create(
            "moert_ocs_configure", {get(op.getDevice()), pairs, i32(count)});
        return success();
      })
      .Case([&](rt::OcsAwaitOp op) {
        Value change = get(op.getChange());
        call("moert_ocs_await", {change, i64(kDefaultDeadline)});
        call("moert_ocs_change_destroy", change);
        return success();
      });
}
