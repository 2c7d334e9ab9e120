// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces for links that tasks use and change.

#ifndef MOE_LINK_INTERFACES_TD
#define MOE_LINK_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MoE_LinkOpInterface : OpInterface<"LinkOpInterface"> {
  let cppNamespace = "::moe";
  let description = [{
    An op in the body of a task that concerns links other than the machine's levels,
    such as optical circuits: the exchanges of the task use them, or the
    task changes them or waits for a change. The op computes no values. A task
    has at most one op of an action.
  }];
  let methods = [
    InterfaceMethod<"What the op does with its links.",
      "::moe::LinkAction", "getLinkAction">,
    InterfaceMethod<[{
        The links that the exchanges of the task use, on a machine; for the
        action `Use` only. Emits an error and fails if the machine has no such
        links, or nothing is known of them before the program runs.
      }],
      "::mlir::FailureOr<::std::unique_ptr<::moe::cost::Links>>", "getLinks",
      (ins "const ::moe::cost::Machine &":$machine)>,
    InterfaceMethod<[{
        The links after the change, for the action `Change` only; none if
        nothing is known of them before the program runs.
      }],
      "::std::optional<::moe::LinkChange>", "getLinkChange">
  ];
}

#endif // MOE_LINK_INTERFACES_TD
