// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ocs dialect.

#ifndef OCS_DIALECT_TD
#define OCS_DIALECT_TD

include "mlir/IR/DialectBase.td"

def OCS_Dialect : Dialect {
  let name = "ocs";
  let cppNamespace = "::moe::ocs";
  let summary = "Optical circuits between servers";
  let description = [{
    States which servers an optical circuit switch (OCS) joins while a schedule
    runs, and which of its exchanges are planned over these circuits (mFabric;
    SPEC section 4).

    **Servers, ports, circuits.** `ocs.fabric` says which ranks are a server
    and which servers a region, the servers whose optical ports hang on one
    switch. A server has `optical` ports on that switch and `eps` network
    cards on the electrical, packet-switched network (EPS), which joins all
    servers at any time. A circuit takes one optical port of each of two
    servers and is full duplex. Two servers may have several.

    ```
      server 0     server 1     server 2     server 3     ranks: axis "tp"
      +--------+   +--------+   +--------+   +--------+   servers: axis "ep"
      | 0 .. 7 |   | 8 ..15 |   |16 ..23 |   |24 ..31 |
      +-o-o--e-+   +-o-o--e-+   +-o-o--e-+   +-o-o--e-+   o: optical 2
        | |  |       | |  |       | |  |       | |  |     e: eps 1
        | +--|-------+ |  |       | +--|-------+ |  |
        +----|---------+  |       +----|---------+  |     circuits
             |            |            |            |
      =======+============+============+============+==== EPS

      circuits [4, 4]:   0 2 0 0      two between servers 0 and 1,
                         2 0 0 0      two between servers 2 and 3;
                         0 0 0 2      the rest of the demand takes EPS
                         0 0 2 0
    ```

    **Circuits are a value**: a tensor of integers, `[N, N]` of the N servers
    of a region, the same in all regions, or `[R, N, N]` of R regions. Element
    `[i, j]` is the number of circuits between servers `i` and `j`: symmetric,
    none on the diagonal, and at most `optical` in a row. A constant is one
    known to the compiler; `ocs.plan` makes one of a demand that is known at
    run time, and `ocs.demand` that of the counts of a layer. Neither may vary over the axes of a region
    (`moe-verify-schedule`).

    **In a schedule** circuits are changed by two tasks on a stream of their
    own: `ocs.reconfigure` starts a change and lasts until it is done;
    `ocs.await` follows it, and when it has ended the links are up.
    Between the two, compute and EPS traffic continue. An exchange that is planned
    over circuits has an `ocs.route` in its task.

    ```mlir
    %d, %td = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" { ... }
    %s, %ts = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" after(%td) {
      ... moe.all_reduce ... on <@mesh, ["ep", "tp"]>      // all of the region
    }
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%ts) {
      ocs.reconfigure @fabric to %circuits : tensor<4x4xi32>
      moe.yield
    }
    ... experts, on the compute stream ...
    %ta = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %c, %tc = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%ta) {
      ocs.route @fabric over %circuits : tensor<4x4xi32>
      ... moe.all_to_all ...
    }
    ```

    **Rendezvous.** Both are rendezvous of their region: every rank of it reaches
    all changes in one order, so their schedule may not be under
    control flow that varies over the region's axes. That a rank's own tasks
    have ended does not imply that other ranks' traffic has: a change follows a
    collective of the whole region, which itself follows the last
    exchange over circuits. `moe-verify-schedule` proves both from streams,
    values and tokens alone.

    These ops move no data: a program means the same with them and without.
  }];
  let dependentDialects = ["::moe::MoEDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif // OCS_DIALECT_TD
