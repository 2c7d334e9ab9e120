// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optical switches in moert.

#ifndef MOERT_OCS_OPS_TD
#define MOERT_OCS_OPS_TD

include "moert/MoERTGradientOps.td"

def OpGroupOpticalSwitches : OpDocGroup {
  let summary = "Optical switches";
  let description = [{
    Calls to optical circuit switches (SPEC MF-14), in the order of the host: a
    change starts when the host reaches it, concurrently with the work of
    streams. Traffic must have left the ports before, which the host knows by
    `moert.synchronize`, and of other ranks by a collective; it may return
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
    are no part of a program. On other ranks the result represents it: they send
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
    the present ones is touched. The host continues at once.

    ```mlir
    %t = moert.ocs_configure %w circuits dense<[[1, 9], [2, 10]]> : tensor<2x2xi32>
    %u = moert.ocs_configure %w from %ports : memref<4x2xi32>
    ```

    In a buffer, which `moert.host_buffer` made, a circuit of ports 0 and 0 is
    none.

    **Constraints:** one of the two; `[circuits, 2]` ports from 1 on, each in one
    circuit; one `moert.ocs_await` takes the result.
  }];
  let arguments = (ins MoERT_OcsSwitch:$device,
      OptionalAttr<I32ElementsAttr>:$circuits,
      Arg<Optional<MoERT_ContiguousBuffer>, "", [MemRead]>:$ports);
  let results = (outs MoERT_OcsChange:$change);
  let assemblyFormat = [{
    $device (`circuits` $circuits^)? (`from` $ports^ `:` type($ports))?
    attr-dict
  }];
  let hasVerifier = 1;
  // A moert_ocs_circuit is a pair of 32-bit integers.
  let calls = [
    MoERT_Makes<"ocs_configure", [
      MoERT_Pass<"getDevice()">, MoERT_PassNumbers<"*getCircuits()">,
      MoERT_PassInt32<"getCircuits()->getNumElements() / 2">
    ], "getChange()", "getCircuits()">,
    MoERT_Makes<"ocs_configure", [
      MoERT_Pass<"getDevice()">, MoERT_Pass<"getPorts()">,
      MoERT_PassInt32<"getPorts().getType().getNumElements() / 2">
    ], "getChange()", "getPorts()">
  ];
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
  // Waits until the change has ended by itself.
  let calls = [
    MoERT_Calls<"ocs_await", [MoERT_Pass<"getChange()">, MoERT_PassDeadline]>,
    MoERT_Calls<"ocs_change_destroy", [MoERT_Pass<"getChange()">]>
  ];
}

} // opDocGroup

def OpGroupCircuitsOfRegions : OpDocGroup {
  let summary = "Circuits of regions";
  let description = [{
    What `ocs.reconfigure` and `ocs.await` become. All ranks of the job reach
    them in one order, on the host. That a switch denies, is late or is not there
    is no error: exchanges take packets until a later change finds it well
    again. As for switches, streams know nothing of it.
  }];
}

let opDocGroup = OpGroupCircuitsOfRegions in {

def MoERT_OcsRegionOp : MoERT_RuntimeOp<"ocs_region"> {
  let summary = "the region of this rank";
  let description = [{
    Regions are groups of ranks, of which this rank's has this number: `servers`,
    each of as many ranks one after the other, with `optical` ports on the
    region's switch and `eps` network cards on packets. The switch is the one
    that was attached as `name` on the rank that is `controller` by its place; of
    several regions each has its own, attached as `name`, a dot, and the number.
    In a dictionary: bytes a microsecond of a network card, and what a change
    takes, once and for each circuit; and how far predicted times may be off.

    ```mlir
    %r = moert.ocs_region %ctx "region" on #moe.group<@mesh, ["ep", "tp"]>
      number %i of 2 controller 0 servers 4 optical 6 eps 2
      {bytes_per_us = 50000.0 : f64, change_us = 25000.0 : f64,
       circuit_us = 0.0 : f64, uncertainty = 0.0 : f64}
    ```

    **Constraints:** the group resolves to as many groups as there are regions,
    of as many ranks for each server; the name is not empty; numbers are at
    least 0, regions and servers at least 1, the controller is a place in the
    group; bytes a microsecond are above 0, uncertainty is below 1.
  }];
  let arguments = (ins MoERT_Context:$job, StrAttr:$name,
      MoE_GroupAttrInterface:$group, Index:$number, MoERT_I64Attr:$regions,
      MoERT_I64Attr:$controller, MoERT_I64Attr:$servers,
      MoERT_I64Attr:$optical, MoERT_I64Attr:$eps, UnitAttr:$exclusive,
      F64Attr:$bytes_per_us,
      F64Attr:$change_us,
      F64Attr:$circuit_us,
      F64Attr:$uncertainty);
  let results = (outs MoERT_OcsRegion:$region);
  let assemblyFormat = [{
    $job $name `on` $group `number` $number `of` $regions `controller`
    $controller `servers` $servers `optical` $optical `eps` $eps
    (`exclusive` $exclusive^)? attr-dict
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Makes<"ocs_region_find", [
    MoERT_Pass<"getJob()">, MoERT_PassText<"getNameAttr()">,
    MoERT_PassMembers<"getGroup()">, MoERT_PassInt32<"getNumMembers()">,
    MoERT_PassInt32<"getController()">, MoERT_PassInt32<"getServers()">,
    MoERT_PassInt32<"getRegions()">, MoERT_PassIndex<"getNumber()">,
    MoERT_PassInt32<"getOptical()">, MoERT_PassInt32<"getEps()">,
    MoERT_PassInt32<"getExclusive()">,
    MoERT_PassFloat64<"getBytesPerUsAttr()">,
    MoERT_PassFloat64<"getChangeUsAttr()">,
    MoERT_PassFloat64<"getCircuitUsAttr()">,
    MoERT_PassFloat64<"getUncertaintyAttr()">
  ], "getRegion()">];
  let extraClassDeclaration = declareCalls # [{
    /// The ranks of a region; 0 where the group does not resolve.
    int64_t getNumMembers();
  }];
}

def MoERT_OcsPlanOp : MoERT_RuntimeOp<"ocs_plan"> {
  let summary = "change circuits to such that are planned for a demand";
  let description = [{
    Element `[i, j]` is how many bytes server `i` sends server `j` in an exchange.
    The rank that controls the switch plans, and decides whether a change pays:
    whether so many exchanges gain more than the time of the change
    beyond `slack`. All ranks of the job meet here, and the host continues at once;
    `moert.ocs_settle` follows.

    ```mlir
    moert.ocs_plan %r for %demand exchanges 4.0 slack 2000.0 : memref<4x4xi64>
    ```

    **Constraints:** `[servers, servers]` integers of 32 or 64 bits, in memory of
    the host; at least 0 exchanges and microseconds.
  }];
  let arguments = (ins MoERT_OcsRegion:$region,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$demand, F64Attr:$exchanges,
      F64Attr:$slack_us);
  let assemblyFormat = [{
    $region `for` $demand `exchanges` $exchanges `slack` $slack_us attr-dict
    `:` type($demand)
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"ocs_region_plan", [
    MoERT_Pass<"getRegion()">, MoERT_Pass<"getDemand()">,
    MoERT_PassType<"getDemand()">, MoERT_PassFloat64<"getExchangesAttr()">,
    MoERT_PassFloat64<"getSlackUsAttr()">
  ]>];
}

def MoERT_OcsSetOp : MoERT_RuntimeOp<"ocs_set"> {
  let summary = "change circuits to given ones";
  let description = [{
    To matrix `number` of the buffer: element `[i, j]` is the number of circuits
    between servers `i` and `j`. Circuits of the plan that are up stay. All ranks of the job
    meet here, and the host continues at once; `moert.ocs_settle` follows.

    ```mlir
    moert.ocs_set %r to %circuits number %i : memref<2x4x4xi32>
    ```

    **Constraints:** `[servers, servers]` or `[regions, servers, servers]`
    integers of 32 bits, in memory of the host.
  }];
  let arguments = (ins MoERT_OcsRegion:$region,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$circuits, Index:$number);
  let assemblyFormat = [{
    $region `to` $circuits `number` $number attr-dict `:` type($circuits)
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"ocs_region_set", [
    MoERT_Pass<"getRegion()">, MoERT_Pass<"getCircuits()">,
    MoERT_PassIndex<"getNumber()">
  ]>];
}

def MoERT_OcsPredictOp : MoERT_RuntimeOp<"ocs_predict"> {
  let summary = "change circuits to such that are planned for a demand of before";
  let description = [{
    As `moert.ocs_plan` for the demand that `moert.ocs_note` has noted last under
    this name; nothing noted yet, as `moert.ocs_set` to matrix `number` of the
    buffer.

    ```mlir
    moert.ocs_predict %r "0" else %circuits number %i exchanges 4.0 slack 2000.0
      : memref<2x4x4xi32>
    ```

    **Constraints:** the name is not empty; the rest as of these two.
  }];
  let arguments = (ins MoERT_OcsRegion:$region, StrAttr:$key,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$circuits, Index:$number,
      F64Attr:$exchanges, F64Attr:$slack_us);
  let assemblyFormat = [{
    $region $key `else` $circuits `number` $number `exchanges` $exchanges
    `slack` $slack_us attr-dict `:` type($circuits)
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"ocs_region_predict", [
    MoERT_Pass<"getRegion()">, MoERT_PassText<"getKeyAttr()">,
    MoERT_Pass<"getCircuits()">, MoERT_PassIndex<"getNumber()">,
    MoERT_PassFloat64<"getExchangesAttr()">,
    MoERT_PassFloat64<"getSlackUsAttr()">
  ]>];
}

def MoERT_OcsNoteOp : MoERT_RuntimeOp<"ocs_note"> {
  let summary = "remember a demand";
  let description = [{
    Keeps what servers send each other with the region, under a name. The host
    waits for nobody.

    ```mlir
    moert.ocs_note %r "0" %demand : memref<4x4xi64>
    ```

    **Constraints:** the name is not empty; the demand as of `moert.ocs_plan`.
  }];
  let arguments = (ins MoERT_OcsRegion:$region, StrAttr:$key,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$demand);
  let assemblyFormat = "$region $key $demand attr-dict `:` type($demand)";
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"ocs_region_note", [
    MoERT_Pass<"getRegion()">, MoERT_PassText<"getKeyAttr()">,
    MoERT_Pass<"getDemand()">, MoERT_PassType<"getDemand()">
  ]>];
}

def MoERT_OcsRecallOp : MoERT_RuntimeOp<"ocs_recall"> {
  let summary = "add the demand that was noted last to another one";
  let description = [{
    Writes the demand and the one that `moert.ocs_note` has noted last under this
    name, added up; nothing noted yet, the demand times a number. The host waits for
    nobody.

    ```mlir
    moert.ocs_recall %r "1+2" with %demand times 3 to %sum
      : memref<4x4xi64> to memref<4x4xi64>
    ```

    **Constraints:** the name is not empty; the demand as of `moert.ocs_plan`, the
    sum as it, of 64 bits; at least once.
  }];
  let arguments = (ins MoERT_OcsRegion:$region, StrAttr:$key,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$demand,
      MoERT_I64Attr:$times,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$sum);
  let assemblyFormat = [{
    $region $key `with` $demand `times` $times `to` $sum attr-dict `:`
    type($demand) `to` type($sum)
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"ocs_region_recall", [
    MoERT_Pass<"getRegion()">, MoERT_PassText<"getKeyAttr()">,
    MoERT_Pass<"getDemand()">, MoERT_PassType<"getDemand()">,
    MoERT_PassInt64<"getTimes()">, MoERT_Pass<"getSum()">
  ]>];
}

def MoERT_OcsDelegatesOp : MoERT_RuntimeOp<"ocs_delegates"> {
  let summary = "who sends how many rows where, through ranks at circuits' ends";
  let description = [{
    What `ocs.delegates` means, computed by the host before it continues, for the
    rank at `position` of its region: offsets and sizes that are sent, then those
    that are received, of each exchange. It asks no switch and no other rank.

    ```mlir
    moert.ocs_delegates %ctx %counts at %p servers 4 optical 6 eps 2 numa 1
      to %g, %b, %s, %o : memref<8x16xi32> to memref<4x6x2xi64>,
      memref<4x8xi64>, memref<4x3x2xi64>, memref<4x2xi64>
    ```

    **Constraints:** with N servers of B ranks each, counts `[N * B, E]` of 32 or
    64 bits, E a multiple of the ranks; results `[4, turns, B]`, `[4, N * B]`,
    `[4, N - 1, B]` and `[4, B]` of 64 bits, at least N - 1 turns; all of them
    integers that `moert.host_buffer` made. At least two servers and one `eps`
    card, `optical` at least 0, `numa` at least 1.
  }];
  let arguments = (ins MoERT_Context:$job,
      Arg<MoERT_ContiguousBuffer, "", [MemRead]>:$counts, Index:$position,
      MoERT_I64Attr:$servers, MoERT_I64Attr:$optical, MoERT_I64Attr:$eps,
      UnitAttr:$exclusive, MoERT_I64Attr:$numa,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$gather,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$between,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$scatter,
      Arg<MoERT_ContiguousBuffer, "", [MemWrite]>:$own);
  let assemblyFormat = [{
    $job $counts `at` $position `servers` $servers `optical` $optical `eps`
    $eps (`exclusive` $exclusive^)? `numa` $numa `to` $gather `,` $between `,`
    $scatter `,` $own attr-dict `:` type($counts) `to` type($gather) `,`
    type($between) `,` type($scatter) `,` type($own)
  }];
  let hasVerifier = 1;
  let calls = [MoERT_Calls<"ocs_delegates", [
    MoERT_Pass<"getJob()">, MoERT_PassIndex<"getPosition()">,
    MoERT_PassInt32<"getServers()">, MoERT_PassInt32<"getNumPlaces()">,
    MoERT_PassInt64<"getNumExperts()">, MoERT_PassInt32<"getOptical()">,
    MoERT_PassInt32<"getEps()">, MoERT_PassInt32<"getExclusive()">,
    MoERT_PassInt32<"getNuma()">, MoERT_PassInt64<"getTurns()">,
    MoERT_Pass<"getCounts()">, MoERT_PassType<"getCounts()">,
    MoERT_Pass<"getGather()">, MoERT_Pass<"getBetween()">,
    MoERT_Pass<"getScatter()">, MoERT_Pass<"getOwn()">
  ]>];
  let extraClassDeclaration = declareCalls # [{
    /// Ranks of a server.
    int64_t getNumPlaces();
    int64_t getNumExperts();
    int64_t getTurns();
  }];
}

def MoERT_OcsSettleOp : MoERT_RuntimeOp<"ocs_settle"> {
  let summary = "let the host wait for the last change of a region's circuits";
  let description = [{
    Returns when links are up, or it is known that they will not be: then
    exchanges take packets.

    ```mlir
    moert.ocs_settle %r
    ```
  }];
  let arguments = (ins MoERT_OcsRegion:$region);
  let assemblyFormat = "$region attr-dict";
  let calls = [MoERT_Calls<"ocs_region_wait", [MoERT_Pass<"getRegion()">]>];
}

} // opDocGroup

#endif // MOERT_OCS_OPS_TD
