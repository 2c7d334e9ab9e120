// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations of the ocs dialect.

#ifndef OCS_ENUMS_TD
#define OCS_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "ocs/OCSDialect.td"

def OCS_Routing : I32EnumAttr<"Routing", "which way pairs with circuits send", [
  I32EnumAttrCase<"Split", 0, "split">,
  I32EnumAttrCase<"Exclusive", 1, "exclusive">
]> {
  let cppNamespace = "::moe::ocs";
  let genSpecializedAttr = 0;
}
def OCS_RoutingAttr : EnumAttr<OCS_Dialect, OCS_Routing, "routing"> {
  let assemblyFormat = "$value";
}

#endif // OCS_ENUMS_TD
