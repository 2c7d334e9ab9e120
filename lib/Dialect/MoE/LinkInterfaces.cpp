// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that use or change the links of a network.

#include "moe/Dialect/MoE/LinkInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"

using namespace mlir;
using namespace moe;

#include "moe/Dialect/MoE/MoELinkInterfaces.cpp.inc"

LinkOpInterface moe::findLinkOp(TaskOp task, LinkAction action) {
  for (Operation &op : task.getBody().front())
    if (auto links = dyn_cast<LinkOpInterface>(op);
        links && links.getLinkAction() == action)
      return links;
  return {};
}
