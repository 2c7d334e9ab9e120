//===- MoERTOcsOps.cpp - Verifiers of calls to optical switches -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Dialect/MoERT/MoERTOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace moe::rt;

LogicalResult OcsSwitchOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (getController() < 0 || getController() > INT32_MAX)
    return emitOpError() << "expected a rank of at least 0, got "
                         << getController();
  return success();
}

LogicalResult OcsConfigureOp::verify() {
  auto type = getCircuits().getShapedType();
  if (type.getRank() != 2 || type.getDimSize(1) != 2)
    return emitOpError() << "expected two ports of each circuit as a tensor "
                            "[circuits, 2], got "
                         << type;
  auto circuits = dyn_cast<DenseIntElementsAttr>(getCircuits());
  if (!circuits)
    return emitOpError() << "expected dense elements";
  // A splat of more than one element is one port twice; the first two tell.
  llvm::DenseSet<int64_t> seen;
  for (const APInt &value : circuits.getValues<APInt>()) {
    int64_t port = value.getSExtValue();
    if (port < 1)
      return emitOpError() << "expected ports from 1 on, got " << port;
    if (!seen.insert(port).second)
      return emitOpError() << "expected each port in one circuit, got port "
                           << port << " a second time";
  }
  if (!llvm::hasSingleElement(getChange().getUses()))
    return emitOpError() << "expected one moert.ocs_await of the change, got "
                         << getChange().getNumUses();
  return success();
}
