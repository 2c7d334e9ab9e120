// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that rewrites preserve.

#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/MoEDialect.h"

using namespace mlir;

void moe::carryOver(Operation *from, Operation *to) {
  carryOver(from->getDiscardableAttrDictionary(), to);
}

void moe::carryOver(DictionaryAttr written, Operation *to) {
  for (NamedAttribute attr : written)
    if (!isa_and_nonnull<MoEDialect>(attr.getNameDialect()) &&
        !to->getInherentAttr(attr.getName()) &&
        !to->getDiscardableAttr(attr.getName()))
      to->setDiscardableAttr(attr.getName(), attr.getValue());
}

Location moe::fuseLocs(Operation *replaced, Operation *other) {
  return FusedLoc::get(replaced->getContext(),
                       {replaced->getLoc(), other->getLoc()});
}
