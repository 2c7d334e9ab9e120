// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes for the way over circuits.

#ifndef MOE_COMPILER_CIRCUITPASSES_TD
#define MOE_COMPILER_CIRCUITPASSES_TD

include "moe/Support/PassBase.td"

def RouteCircuits : MoEPass<"moe-route-circuits", "::mlir::ModuleOp"> {
  let summary = "Route traffic between servers through the ranks at "
                "optical-circuit ends";
  let description = [{
    *Preserving*. On a platform with `circuits`, an all-to-all of all ranks of a
    region goes through delegates, the ranks at whose NICs circuits end (mFabric;
    SPEC MF-9):

    1. each rank finds the delegates, in tables by its place;
    2. ranks of a server gather on its delegates what goes to other servers;
    3. delegates exchange it, between servers;
    4. ranks of a server exchange what stays there, which is beside 3;
    5. delegates scatter what came to its ranks.

    Circuits are planned for the exchange, as `moe-insert-circuits` does for it.
    A pair of servers without any has ranks at EPS NICs. Runs are ragged, within
    buffers of the size that the busiest delegate needs. Where circuits cannot be
    had the messages stay the same and take EPS. Before `moe-schedule`.

    Of a layer that drops nothing, both passes find delegates at run time, by the
    counts of its `moe.ragged_plan` (`ocs.delegates`), and gather rows in turns:
    one destination of each delegate, which has at most twice its even share.

    A remark says how many pairs have circuits, and how many of even blocks the
    busiest delegate sends for one that a rank would; of rows, the turns. A missed
    one says why not: one server, one rank a server, other ranks than those of a
    region, split or concat dims other than 0, no static shape, rows without a
    plan or in chunks, servers without cards on EPS, or a task of a schedule.

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
    Option<"platform", "platform", "std::string", "\"\"",
           "Platform file (JSON) or name of a shipped platform (default: the "
           "module's platform)">,
    Option<"numaNodes", "numa-nodes", "::moe::Integer", "1",
           "NUMA nodes per server; the optical circuits of a server pair are "
           "spread over them">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::moe::ocs::OCSDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // MOE_COMPILER_CIRCUITPASSES_TD
