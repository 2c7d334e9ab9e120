//===- CircuitConversion.cpp - Circuits as calls to switches ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CircuitConversion.h"
#include "moe/Fabric/Nics.h"

using namespace mlir;
using namespace moe;

LogicalResult CircuitConverter::start(ocs::ReconfigureOp op) {
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  if (fabric.getNumRegions() != 1)
    return op.emitOpError()
           << "cannot be put on a stream: expected a fabric of one region, "
              "whose switch all ranks know, got "
           << fabric.getNumRegions();
  auto matrices = ocs::getConstantCircuits(op.getCircuits());
  if (!matrices)
    return op.emitOpError()
           << "cannot be put on a stream: expected circuits that are a "
              "constant, got such that are only known at run time";
  if (change)
    return op.emitOpError() << "cannot be put on a stream: expected a wait for "
                               "the change before it";
  fabric::NicLayout layout;
  layout.opticalDegree = fabric.getOptical();
  auto mapping = fabric::mapNics(matrices->front(), layout);
  if (!mapping)
    return op.emitOpError()
           << "cannot be put on a stream: " << mapping.getError();
  SmallVector<int32_t> ports;
  for (const fabric::Link &link : mapping->links)
    for (const fabric::Nic &nic : {link.first, link.second})
      ports.push_back(nic.server * fabric.getOptical() + nic.nic + 1);
  auto ranks = fabric.getRegionGroup().getRankLists(op);
  if (failed(ranks))
    return failure();
  OpBuilder &builder = host.getBuilder();
  auto type = RankedTensorType::get(
      {static_cast<int64_t>(mapping->links.size()), 2}, builder.getI32Type());
  Value device = host.getSwitch(op.getLoc(), fabric.getSwitchName(),
                                ranks->front()[fabric.getController()]);
  change = rt::OcsConfigureOp::create(
      builder, op.getLoc(), rt::OcsChangeType::get(builder.getContext()),
      device, DenseIntElementsAttr::get(type, ArrayRef(ports)));
  return success();
}

LogicalResult CircuitConverter::await(ocs::AwaitOp op) {
  if (!change)
    return op.emitOpError() << "cannot be put on a stream: expected a change "
                               "before it to wait for";
  rt::OcsAwaitOp::create(host.getBuilder(), op.getLoc(), change);
  change = {};
  return success();
}
