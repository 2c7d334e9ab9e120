// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the ocs dialect.

#ifndef OCS_OPS_TD
#define OCS_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "moe/MoEModelInterfaces.td"
include "moe/MoELinkInterfaces.td"
include "moe/MoERunInterfaces.td"
include "ocs/OCSEnums.td"

/// The resource for the switches of the regions.
def OCS_Circuits : Resource<"::moe::ocs::CircuitsResource">;

class OCS_Op<string mnemonic, list<Trait> traits = []>
    : Op<OCS_Dialect, mnemonic, traits>;

def OCS_I64Attr : TypedSignlessIntegerAttrBase<
    I64, "int64_t", "64-bit signless integer attribute"> {
  let convertFromStorage = "$_self.getValue().getSExtValue()";
}

/// Numbers of circuits between servers.
def OCS_CircuitsTensor : StaticShapeTensorOf<[I32]>;
/// The demand between servers.
def OCS_DemandTensor : StaticShapeTensorOf<[I32, I64]>;

def OCS_WideDemandTensor : StaticShapeTensorOf<[I64]>;

def OpGroupFabric : OpDocGroup {
  let summary = "Servers and plans";
  let description = "The servers that circuits join, and the plans of circuits.";
}

let opDocGroup = OpGroupFabric in {

def OCS_FabricOp : OCS_Op<"fabric", [
    Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "servers whose optical ports are on one switch a region";
  let description = [{
    Ranks that differ in `server` axes only are one server, and servers that
    differ in `region` axes only one region. Servers are numbered inside of
    their region, along the region's axes with the last one fastest, and
    regions by the remaining axes in the same way.

    ```mlir
    moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 4, 8]
    ocs.fabric @fabric on @mesh server ["tp"] region ["ep"]
        optical 6 eps 2 split switch "region" controller 0
    //  rank           0..7   8..15  16..23  24..31   32..39  40..47  ...
    //  region, server 0,0    0,1    0,2     0,3      1,0     1,1     ...
    ```

    Each server has `optical` ports on the switch of its region and `eps`
    network cards on EPS. Pairs with circuits send over these and EPS at once
    (`split`), or over circuits only (`exclusive`; SPEC MF-4). The switch is
    known at run time by its name, and the rank that is `controller` in its
    region, by its place there, asks it for changes: there is one. Port `p`,
    from 0, of server `i` is port `i * optical + p + 1` of the switch. Where there
    are several regions, the switch of region `r` is known as its name, a dot and
    `r`.

    Figures that decide at run time if a change pays may be noted, too: bytes per
    microsecond of a network card, the time of a change, once and for each
    circuit, and the part by which predictions may be off. Without, whatever is
    faster pays.

    ```mlir
    ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 6 eps 2
        split switch "region" controller 0
        {bytes_per_us = 50000.0 : f64, change_us = 25000.0 : f64,
         circuit_us = 0.0 : f64, uncertainty = 0.05 : f64}
    ```

    **Constraints:** one fabric in a module; names are not empty; the mesh is
    declared; axes are the mesh's, each at most once and in its order; a server
    is ranks one after the other: no other axis of more than one rank follows
    a server's; at least 2 servers in a region; `optical` is in [0, 4096],
    `eps` too, and one of them is not 0; the controller is a rank of a region;
    `bytes_per_us` is above 0, times are at least 0, `uncertainty` is at least 0
    and below 1.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$mesh,
      StrArrayAttr:$server, StrArrayAttr:$region, OCS_I64Attr:$optical,
      OCS_I64Attr:$eps, OCS_RoutingAttr:$routing, StrAttr:$switch_name,
      OCS_I64Attr:$controller, OptionalAttr<F64Attr>:$bytes_per_us,
      OptionalAttr<F64Attr>:$change_us, OptionalAttr<F64Attr>:$circuit_us,
      OptionalAttr<F64Attr>:$uncertainty);
  let assemblyFormat = [{
    $sym_name `on` $mesh `server` $server `region` $region `optical` $optical
    `eps` $eps $routing `switch` $switch_name `controller` $controller attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Ranks of a server, servers of a region, and regions. The fabric must
    /// have been verified, as for all that follows.
    int64_t getServerRanks();
    int64_t getNumServers();
    int64_t getNumRegions();
    /// The mesh axes of a region, its servers' among them, as a bit set with
    /// bit i for axis i; those of size 1 are left out.
    uint64_t getRegionBits();
    /// All ranks of a region as a group.
    ::moe::GroupAttr getRegionGroup();
    /// The region and the server in it of a rank.
    struct Place {
      int64_t region, server;
    };
    Place getPlace(int64_t rank);
    ::moe::MeshOp lookupMesh();
    /// The fabric that a module around `from` declares, or null.
    static FabricOp lookup(::mlir::Operation *from);
    /// The one of that name, or null.
    static FabricOp lookup(::mlir::Operation *from,
                           ::mlir::FlatSymbolRefAttr name);
  }];
}

def OCS_DemandOp : OCS_Op<"demand", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "what servers send each other, by counts of rows";
  let description = [{
    Of a layer that drops nothing: counts `[G, E]` say how many rows each of G
    ranks has for each of E experts, of which each rank has `E / G` one after the
    other (`moe.expert_counts`, gathered). Of N servers each has `G / N` of the
    ranks, one after the other. Element `[i, j]` of the result is the sum of rows
    of the ranks of server `i` for experts at server `j`, times `bytes`, what a
    row takes on all ranks of the server that send it.

    ```mlir
    // Ranks 0 and 1 are server 0: 4 + 3 rows of 256 bytes for server 1.
    %d = ocs.demand @fabric %counts bytes 256 : tensor<4x4xi32> -> tensor<2x2xi64>
    ```

    The host computes it, where it reads counts for `moe.ragged_plan`, too.

    **Constraints:** counts `[G, E]` of at least one expert a rank, E a multiple
    of G, and G of N, the servers of a region; the result is `[N, N]`; `bytes` is
    at least 1. At run time counts are at least 0.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric, OCS_DemandTensor:$counts,
                       OCS_I64Attr:$bytes);
  let results = (outs OCS_WideDemandTensor:$demand);
  let assemblyFormat = [{
    $fabric $counts `bytes` $bytes attr-dict `:` type($counts) `->`
    type($demand)
  }];
}

def OCS_PlanOp : OCS_Op<"plan", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "circuits for a demand";
  let description = [{
    Element `[i, j]` of the demand is the amount that server `i` of this rank's
    region sends to server `j`, in any unit; the diagonal does not count. The result
    are circuits within the ports of the fabric, by the fast search of
    `lib/Fabric` (SPEC MF-5): equal demands give equal circuits.

    ```mlir
    %c = ocs.plan @fabric %demand : tensor<4x4xi64> -> tensor<4x4xi32>
    ```

    The compiler's expectation may be noted as `expected` circuits,
    `[N, N]` or `[R, N, N]` of R regions: changes to them and exchanges
    over them are timed as if they were these. Planning itself is not timed: it
    takes the host tens of microseconds.

    In a compiled program circuits of a plan can only be changed to and routed
    over: the rank that controls the switch plans where they are changed to, and
    keeps the current circuits if a change would not pay.

    **Constraints:** demand and circuits are `[N, N]` of N servers of a region;
    expected ones are as in `ocs.reconfigure`. At run time demand is at
    least 0.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric, OCS_DemandTensor:$demand,
                       OptionalAttr<I32ElementsAttr>:$expected);
  let results = (outs OCS_CircuitsTensor:$circuits);
  let assemblyFormat = [{
    $fabric $demand attr-dict `:` type($demand) `->` type($circuits)
  }];
}

def OCS_PredictOp : OCS_Op<"predict", [
    Pure, AllTypesMatch<["otherwise", "circuits"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "circuits for the demand that is expected";
  let description = [{
    In a compiled program, circuits for the demand that `ocs.note` has noted last
    under this name, in a run before or earlier in this one, or, where that has
    been nearer in the runs before, for what follows from the last demand of any
    name by a fit of what servers receive (SPEC MF-11); as in `ocs.plan`, they
    can only be changed to and routed over, and the current circuits stay if a
    change would not pay. Nothing noted yet, and in the interpreter, which
    remembers nothing, they are the others; so they are when they are timed.

    ```mlir
    %c = ocs.predict @fabric "0" else %other : tensor<4x4xi32>
    ```

    **Constraints:** the name is not empty; circuits as of `ocs.reconfigure`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric, StrAttr:$key,
                       OCS_CircuitsTensor:$otherwise);
  let results = (outs OCS_CircuitsTensor:$circuits);
  let assemblyFormat = [{
    $fabric $key `else` $otherwise attr-dict `:` type($circuits)
  }];
}

def OCS_DelegatesOp : OCS_Op<"delegates", [
    NoMemoryEffect, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_RunsOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "who sends how many rows where, through ranks at circuits' ends";
  let description = [{
    Of a layer that drops nothing: counts `[G, E]` of all ranks of a region as
    of `moe.ragged_plan`, on N servers of B ranks each. A rank sends its rows
    for another server through a delegate of its own server, a rank at whose
    network card a way to that server ends, and through one of the other's
    (SPEC MF-9). Circuits are found by the fast search for these counts, so that
    all ranks find the same delegates, and the sent rows do not depend on
    the switch. A pair without a circuit has the ranks at EPS cards.

    All rows that a delegate sends to one rank are contiguous, so ranks gather in
    turns: in turn `t` each rank hands each delegate the rows of the delegate's
    destination `t`. No delegate has more destinations than there are `turns`;
    further destinations are assigned to delegates with the fewest.

    | result | dims | an exchange of |
    |---|---|---|
    | gather | `[4, turns, B]` | a server, for each turn: to delegates |
    | between | `[4, G]` | a region: delegates of other servers |
    | scatter | `[4, N - 1, B]` | a server, for each other server: to ranks |
    | own | `[4, B]` | a server: rows that stay there |

    Along dim 0 are the offsets and sizes of the sent rows, then of the received
    rows. Rows that stay or are scattered are received where
    `moe.ragged_plan` has it; all are sent back with the two changed about.

    ```mlir
    %g, %b, %s, %o = ocs.delegates @fabric %counts turns 6
       : tensor<8x16xi32> -> tensor<4x6x2xi64>, tensor<4x8xi64>,
         tensor<4x3x2xi64>, tensor<4x2xi64>
    ```

    It is work for the host, as `moe.ragged_plan` is, whose counts may not vary
    over the region either. Exchanges by its results are timed by the rows that they
    send, of the traffic that is known or of even routing.

    **Constraints:** counts `[G, E]` of the ranks of a region, E a multiple of G,
    at least G; `turns` are at least the N - 1 other servers; at least one card on
    EPS; `numa`, the NUMA nodes of a server, 1 without, are at most its optical
    ports. At run time counts are at least 0.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric, OCS_DemandTensor:$counts,
      OCS_I64Attr:$turns, DefaultValuedAttr<OCS_I64Attr, "1">:$numa);
  let results = (outs OCS_WideDemandTensor:$gather,
      OCS_WideDemandTensor:$between, OCS_WideDemandTensor:$scatter,
      OCS_WideDemandTensor:$own);
  let assemblyFormat = [{
    $fabric $counts `turns` $turns attr-dict `:` type($counts) `->` type($gather)
    `,` type($between) `,` type($scatter) `,` type($own)
  }];
}

} // opDocGroup

def OpGroupChanges : OpDocGroup {
  let summary = "Changes and uses";
  let description = [{
    Circuits in tasks of a schedule: each op is in the body of a task.
  }];
}

let opDocGroup = OpGroupChanges in {

def OCS_ReconfigureOp : OCS_Op<"reconfigure", [
    HasParent<"::moe::TaskOp">, MemoryEffects<[MemWrite<OCS_Circuits>]>,
    DeclareOpInterfaceMethods<MoE_LinkOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "change the circuits of a region";
  let description = [{
    From the end of the change on, a region has these circuits and no others.
    The host starts the change and continues; the task of the op lasts until the
    switch and the links have completed it, and `ocs.await` waits for
    that. While it lasts none of the region's circuits may be used.

    ```mlir
    ocs.reconfigure @fabric to %circuits : tensor<4x4xi32>
    ```

    It takes the platform's time for as many pairs of ports as are joined that
    were not before (SPEC MF-8), known where both are constants; before the
    first change all ports are dark. Nothing to change takes no time.

    How many exchanges use the circuits, and the time that passes until
    `ocs.await` in any case, may be noted for `ocs.plan`'s decision at run time:
    `exchanges` (1 without) and `slack_us` (without, changes are free).

    **Constraints:** `exchanges` and `slack_us` are at least 0; circuits
    `[N, N]` or `[R, N, N]` of N servers in R regions; constant ones are symmetric, at least 0, 0 on the diagonal, and at
    most the fabric's `optical` in a row.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric,
                       OCS_CircuitsTensor:$circuits,
                       OptionalAttr<F64Attr>:$exchanges,
                       OptionalAttr<F64Attr>:$slack_us);
  let assemblyFormat = "$fabric `to` $circuits attr-dict `:` type($circuits)";
}

def OCS_AwaitOp : OCS_Op<"await", [
    HasParent<"::moe::TaskOp">, MemoryEffects<[MemWrite<OCS_Circuits>]>,
    DeclareOpInterfaceMethods<MoE_LinkOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "wait for the last change of the circuits of a region";
  let description = [{
    Ends when the change that `ocs.reconfigure` started last is done on this
    rank's region and links are up: tasks behind it may use the new circuits.
    The host waits here, so later tasks of the schedule are
    launched later: it is as late as the first use allows.

    ```mlir
    ocs.await @fabric
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric);
  let assemblyFormat = "$fabric attr-dict";
}

def OCS_RecallOp : OCS_Op<"recall", [
    Pure, AllTypesMatch<["demand", "sum"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "a demand, and with it the one that was noted last";
  let description = [{
    For circuits that stay up for other layers, too, whose demand is not known
    yet. In a compiled program the demand and the one that `ocs.note` has noted
    last under this name, in a run before or earlier in this one, added up. Nothing
    noted yet, and in the interpreter, which remembers nothing, the demand as often
    as `times` says: once for itself, and once for each layer that is taken to send
    the same.

    ```mlir
    %s = ocs.recall @fabric "1+2" with %d times 3 : tensor<4x4xi64>
    ```

    The host computes it, as it does `ocs.demand`.

    **Constraints:** the name is not empty; the demand is as in `ocs.plan`;
    `times` is at least 1.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric, StrAttr:$key,
                       OCS_WideDemandTensor:$demand, OCS_I64Attr:$times);
  let results = (outs OCS_WideDemandTensor:$sum);
  let assemblyFormat = [{
    $fabric $key `with` $demand `times` $times attr-dict `:` type($demand)
  }];
}

def OCS_NoteOp : OCS_Op<"note", [
    HasParent<"::moe::TaskOp">, MemoryEffects<[MemWrite<OCS_Circuits>]>,
    DeclareOpInterfaceMethods<MoE_LinkOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "remember what servers send each other";
  let description = [{
    Keeps a demand under a name, on all ranks of a region alike, for `ocs.predict`
    of later. The host does it, without waiting for other ranks.

    ```mlir
    ocs.note @fabric "0" sees %demand : tensor<4x4xi64>
    ```

    **Constraints:** the name is not empty; the demand is as in `ocs.plan`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric, StrAttr:$key,
                       OCS_DemandTensor:$demand);
  let assemblyFormat = "$fabric $key `sees` $demand attr-dict `:` type($demand)";
}

def OCS_RouteOp : OCS_Op<"route", [
    HasParent<"::moe::TaskOp">, MemoryEffects<[MemWrite<OCS_Circuits>]>,
    DeclareOpInterfaceMethods<MoE_LinkOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MoE_CostOpInterface, ["getTime"]>]> {
  let summary = "exchanges of this task are planned over circuits";
  let description = [{
    The exchanges in the task of this op use these circuits, and EPS according
    to the fabric's routing; their time is the time of both (SPEC MF-4).
    Without it, exchanges take EPS alone. The sent data are the same.

    ```mlir
    ocs.route @fabric over %circuits : tensor<4x4xi32>
    ```

    **Constraints:** one in a task; the task exchanges something between ranks;
    circuits as of `ocs.reconfigure`. They are those that are up when the task
    starts (`moe-verify-schedule`).
  }];
  let arguments = (ins FlatSymbolRefAttr:$fabric,
                       OCS_CircuitsTensor:$circuits);
  let assemblyFormat = "$fabric `over` $circuits attr-dict `:` type($circuits)";
}

} // opDocGroup

#endif // OCS_OPS_TD
