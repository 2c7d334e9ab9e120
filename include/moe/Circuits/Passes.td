// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of optical circuits.

#ifndef MOE_CIRCUITS_PASSES_TD
#define MOE_CIRCUITS_PASSES_TD

include "moe/Support/PassBase.td"

def InsertCircuits : MoEPass<"moe-insert-circuits", "::mlir::ModuleOp"> {
  let summary = "Insert reconfigurations of optical circuits that save time";
  let description = [{
    *Preserving*. For each all-to-all between servers in a schedule decides
    between packets alone, the circuits that are up, and a change before it
    (SPEC MF-7), by simulating the step, all ports dark before. Circuits are
    planned by layer, whose exchanges have one demand (MF-1), or for
    `layers-a-plan` layers in turn, and for all; demand is the traffic's mean,
    even without. A layer that drops nothing plans anew in each run by its counts,
    if they come in time, and keeps the circuits that are up where no change pays; with
    `rule=counts` also as the mean says, before its first exchange. A change starts
    when all ranks have met (`quiet`) behind the last over circuits. With `rule=cost`
    none of `never`, `once`, `always` is faster beyond the uncertainty.

    The demand of a layer's first exchange forward is known by its gate alone:

    | policy | the exchange uses |
    |---|---|
    | `block` | circuits changed behind the gate, if waiting pays |
    | `keep` | circuits that are up |
    | `predict` | circuits changed at any time before, for what the layer sent in the run before or the layer before it tells, if it counts that; else for the module's traffic |
    | `auto` | the fastest of these as simulated, beyond the uncertainty |

    ```mlir
    // moe-opt in.mlir --moe-insert-circuits=platform=mfabric-sim-400g
    ... moe.task @inter "dispatch"[0 of 1] ...
    ... moe.task @inter "combine"[0 of 1] ...
    // becomes
    ... moe.task @inter "quiet.combine"[0 of 1] ...
    ... moe.task @inter "dispatch"[0 of 1] ...
    ... moe.task @ocs "reconfigure.combine"[0 of 1] ...
    ... moe.task @ocs "await.combine"[0 of 1] ...
    ... moe.task @inter "combine"[0 of 1] ...
    ```
  }];
  let options = [
    PlatformOption,
    Option<"policy", "policy", "::moe::CircuitPolicy",
           "::moe::CircuitPolicy::Keep",
           "Optical circuits that the first exchange of a layer uses",
           "::moe::EnumValues<::moe::CircuitPolicy>()">,
    Option<"rule", "rule", "::moe::CircuitRule", "::moe::CircuitRule::Cost",
           "When optical circuits are reconfigured",
           "::moe::EnumValues<::moe::CircuitRule>()">,
    Option<"planner", "planner", "::moe::CircuitPlanner",
           "::moe::CircuitPlanner::Best", "How optical circuits are planned",
           "::moe::EnumValues<::moe::CircuitPlanner>()">,
    Option<"layersAPlan", "layers-a-plan", "::moe::Integer", "1",
           "Consecutive layers that share one circuit configuration">,
    Option<"ifAny", "if-any", "bool", "false",
           "Skip functions without a schedule or with circuits, and "
           "platforms without circuits, instead of reporting an error">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::moe::ocs::OCSDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RouteCircuits : MoEPass<"moe-route-circuits", "::mlir::ModuleOp"> {
  let summary = "Route traffic between servers through the ranks at "
                "optical-circuit ends";
  let description = [{
    *Preserving*. On a platform with `circuits`, an all-to-all of all ranks of a
    region is sent through delegates, the ranks at whose NICs circuits end (mFabric;
    SPEC MF-9):

    1. each rank finds the delegates, in tables by its place;
    2. ranks of a server gather the data for other servers on its delegates;
    3. delegates exchange it, between servers;
    4. ranks of a server exchange the data that stay there, concurrently with 3;
    5. delegates scatter the received data to its ranks.

    Circuits are planned for the exchange, as `moe-insert-circuits` does for it.
    A pair of servers without any has ranks at EPS NICs. Runs are ragged, within
    buffers of the size that the busiest delegate needs. Where circuits cannot be
    had the messages stay the same and take EPS. Before `moe-schedule`.

    For a dropless layer, both passes find delegates at run time by the counts of
    its `moe.ragged_plan` (`ocs.delegates`), and gather rows in turns: one
    destination per delegate, which has at most twice its even share.

    A remark reports how many pairs have circuits, and the load of the busiest
    delegate over an even load; for rows, the turns. A missed remark reports the
    reason: one server, one rank per server, ranks outside of a region, split or
    concat dims other than 0, no static shape, rows without a plan or in chunks,
    servers without NICs on EPS, or a task of a schedule.

    ```mlir
    // moe-opt in.mlir --moe-route-circuits=platform=mfabric-sim-400g
    %r = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0
    // becomes
    %g = moe.ragged_all_to_all ... on <@mesh, ["tp"]>
    %b = moe.ragged_all_to_all ... on <@mesh, ["ep", "tp"]>
    %o = moe.all_to_all ... on <@mesh, ["tp"]> split 0 concat 0
    %s = moe.ragged_all_to_all ... on <@mesh, ["tp"]>
    ```
  }];
  let options = [
    PlatformOption,
    Option<"numaNodes", "numa-nodes", "::moe::Integer", "1",
           "NUMA nodes per server; the optical circuits of a server pair are "
           "spread over them">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::moe::ocs::OCSDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // MOE_CIRCUITS_PASSES_TD
