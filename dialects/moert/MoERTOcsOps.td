//===- MoERTOcsOps.td - Optical switches in moert ----------*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_OCS_OPS_TD
#define MOERT_OCS_OPS_TD

include "moert/MoERTGradientOps.td"

def OpGroupOpticalSwitches : OpDocGroup {
  let summary = "Optical switches";
  let description = [{
    Calls to optical circuit switches (SPEC MF-14), in the order of the host: a
    change starts when the host comes to it, and goes on beside the work of
    streams. Traffic must have left the ports before, which the host knows by
    `moert.synchronize`, and of other ranks by a collective; it may come back
    after `moert.ocs_await`. These ops touch no buffer and put nothing on a
    stream: `moert-verify-streams` and `moert-check-orders` pass over them, and
    prove nothing of ports.
  }];
}

let opDocGroup = OpGroupOpticalSwitches in {

def MoERT_OcsSwitchOp : MoERT_RuntimeOp<"ocs_switch"> {
  let summary = "a switch that was given a name";
  let description = [{
    The switch that the program's caller has attached to the context as `name`
    (`moert_ocs_attach`) on the rank that controls it: addresses and passwords
    are no part of a program. On other ranks the result stands for it: they send
    it nothing, and await its changes with the rank that does.

    ```mlir
    %w = moert.ocs_switch %ctx "region0" controller 0
    ```

    **Constraints:** the name is not empty; the controller is a rank, at least
    0.
  }];
  let arguments = (ins MoERT_Context:$context, StrAttr:$name,
                       MoERT_I64Attr:$controller);
  let results = (outs MoERT_OcsSwitch:$device);
  let assemblyFormat = "$context $name `controller` $controller attr-dict";
  let hasVerifier = 1;
  let calls = [MoERT_Makes<"ocs_find", [
    MoERT_Pass<"getContext()">, MoERT_PassText<"getNameAttr()">,
    MoERT_PassInt32<"getController()">
  ], "getDevice()">];
}

def MoERT_OcsConfigureOp : MoERT_RuntimeOp<"ocs_configure"> {
  let summary = "start a change of circuits";
  let description = [{
    After the change the switch has these circuits, given by the two ports that
    each joins, and no others at the ports it may use. Only what differs from
    the present ones is touched. The host goes on at once.

    ```mlir
    %t = moert.ocs_configure %w circuits dense<[[1, 9], [2, 10]]> : tensor<2x2xi32>
    ```

    **Constraints:** `[circuits, 2]` ports from 1 on, each in one circuit; one
    `moert.ocs_await` takes the result.
  }];
  let arguments = (ins MoERT_OcsSwitch:$device, I32ElementsAttr:$circuits);
  let results = (outs MoERT_OcsChange:$change);
  let assemblyFormat = "$device `circuits` $circuits attr-dict";
  let hasVerifier = 1;
  // A moert_ocs_circuit is a pair of 32-bit integers.
  let calls = [MoERT_Makes<"ocs_configure", [
    MoERT_Pass<"getDevice()">, MoERT_PassNumbers<"getCircuits()">,
    MoERT_PassInt32<"getCircuits().getNumElements() / 2">
  ], "getChange()">];
}

def MoERT_OcsAwaitOp : MoERT_RuntimeOp<"ocs_await"> {
  let summary = "let the host wait for a change of circuits";
  let description = [{
    Returns when the circuits, and their links, are up; work that the host puts
    on streams afterwards may use them.

    ```mlir
    moert.ocs_await %t
    ```
  }];
  let arguments = (ins MoERT_OcsChange:$change);
  let assemblyFormat = "$change attr-dict";
  // Until the change has ended by itself.
  let calls = [
    MoERT_Calls<"ocs_await", [MoERT_Pass<"getChange()">, MoERT_PassDeadline]>,
    MoERT_Calls<"ocs_change_destroy", [MoERT_Pass<"getChange()">]>
  ];
}

} // opDocGroup

#endif // MOERT_OCS_OPS_TD
