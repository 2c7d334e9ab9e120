// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which stream a task is on.

#include "StreamAssignment.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/GradientUses.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Transforms/ModulePlatform.h"

using namespace mlir;
using namespace moe;

StreamAssignment::StreamAssignment(SymbolTable &symbols,
                                   ArrayRef<std::string> priorities,
                                   CollectiveStreams collectives)
    : symbols(symbols), priorities(priorities), collectives(collectives) {}

FlatSymbolRefAttr StreamAssignment::getStream(Operation *op,
                                              Operation *before) {
  unsigned priority = 0;
  // Branches and loops that are one task go where their collectives would, of
  // several where the first between nodes would.
  if (op->getNumRegions() != 0) {
    Operation *first = nullptr;
    op->walk([&](CollectiveOpInterface nested) {
      bool isInter = getResource(nested) == ResourceKind::Inter;
      if (!first || isInter)
        first = nested;
      return isInter ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (first)
      op = first;
  }
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (isApart(op))
    priority = std::max<unsigned>(1, priorities.size());
  else if (collective && collectives != CollectiveStreams::One)
    priority = getPriority(collective.getGroup());
  return getStream(getResource(op), priority, before);
}

FlatSymbolRefAttr StreamAssignment::getCopyStream(Operation *before) {
  return getStream(ResourceKind::Copy, 0, before);
}

FlatSymbolRefAttr StreamAssignment::getComputeStream(Operation *before) {
  return getStream(ResourceKind::Compute, 0, before);
}

FlatSymbolRefAttr StreamAssignment::getStream(ResourceKind resource,
                                              unsigned priority,
                                              Operation *before) {
  FlatSymbolRefAttr &stream = streams[{resource, priority}];
  if (stream)
    return stream;
  // A stream declared for the same purpose serves.
  for (auto declared : cast<ModuleOp>(symbols.getOp()).getOps<StreamOp>())
    if (declared.getResource() == resource &&
        declared.getPriority().value_or(0) == priority)
      return stream = FlatSymbolRefAttr::get(declared.getSymNameAttr());
  OpBuilder builder(before);
  std::string name = stringifyResourceKind(resource).str();
  IntegerAttr priorityAttr;
  if (priority != 0) {
    name += "_" + (priority < priorities.size() ? priorities[priority]
                                                : std::string("gradients"));
    priorityAttr = builder.getI64IntegerAttr(priority);
  }
  auto declared = StreamOp::create(
      builder, before->getLoc(), builder.getStringAttr(name),
      ResourceKindAttr::get(builder.getContext(), resource), priorityAttr);
  return stream = FlatSymbolRefAttr::get(
             symbols.insert(declared, before->getIterator()));
}

ResourceKind StreamAssignment::getResource(Operation *op) {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
    if (collectives == CollectiveStreams::One)
      return ResourceKind::Inter;
    if (std::optional<bool> inside = staysInside(collective))
      return *inside ? ResourceKind::Intra : ResourceKind::Inter;
    // Nothing is known of the machine: as in MoNTA, all-to-alls cross nodes,
    // and so does what data-parallel and pipeline-parallel ranks exchange.
    return isAllToAll(op) || isApart(op) ||
                   getPriority(collective.getGroup()) != 0
               ? ResourceKind::Inter
               : ResourceKind::Intra;
  }
  switch (getLocalResource(op)) {
  case cost::Resource::Inter:
    return ResourceKind::Inter;
  case cost::Resource::Intra:
    return ResourceKind::Intra;
  case cost::Resource::Copy:
    return ResourceKind::Copy;
  case cost::Resource::Compute:
    return ResourceKind::Compute;
  }
  llvm_unreachable("unknown resource");
}

bool StreamAssignment::isApart(Operation *op) const {
  return collectives == CollectiveStreams::GradientsApart &&
         isGradientAllReduce(op);
}

unsigned StreamAssignment::getPriority(GroupAttrInterface group) const {
  std::optional<SmallVector<StringRef>> names = group.getAxisNames();
  if (!names)
    return 0;
  for (auto [i, axis] : llvm::enumerate(priorities))
    for (StringRef name : *names)
      if (name == axis || name == axis + "_outer" || name == axis + "_inner")
        return i;
  return 0;
}

std::optional<bool> StreamAssignment::staysInside(CollectiveOpInterface op) {
  PlatformAttr platform = getPlatformAttr(cast<ModuleOp>(symbols.getOp()));
  if (!platform)
    return std::nullopt;
  auto [it, isNew] = inside.try_emplace(Attribute(op.getGroup()), false);
  if (!isNew)
    return it->second;
  auto groups = getRankGroups(op, op.getGroup());
  return it->second = groups && groups->stayInside(platform.getRanks().front());
}
