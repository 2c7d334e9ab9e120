// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the moe dialect.

#ifndef MOE_TYPES_TD
#define MOE_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "moe/MoEDialect.td"

def MoE_Token : TypeDef<MoE_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "the end of a task";
  let description = [{
    Orders tasks that no data orders: a task that lists the token of another
    starts after the other has ended. Holds nothing.
  }];
}

#endif // MOE_TYPES_TD
