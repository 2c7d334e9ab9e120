// REQUIRES: circuits
// Exchanges over circuits, counted by hand on fabric.json: servers of 2 ranks, 3
// optical NICs and one on EPS of 0.1 GB/s each, 1 us; a change takes 40 us and 2
// a pair, links 8 (SPEC MF-4, MF-8).
// RUN: moe-sim %s --platform=%S/Inputs/fabric.json | FileCheck %s
// RUN: moe-sim %s --platform=%S/Inputs/fabric.json --json | %python -c "import json,sys; d=json.load(sys.stdin); print(d['circuit_changes'], [s['busy_us'] for s in d['streams']])" | FileCheck %s --check-prefix=JSON
// RUN: moe-sim %s --platform=%S/Inputs/fabric.json --trace=%t.json && %python -c "import json,sys; [print(e['name'], e['ts'], e['dur']) for e in json.load(open(sys.argv[1]))['traceEvents'] if e['ph'] == 'X' and e['tid'] == 2]" %t.json | FileCheck %s --check-prefix=LANE
// RUN: sed 's/optical 3/optical 4/' %s > %t.mlir
// RUN: not moe-sim %t.mlir --platform=%S/Inputs/fabric.json 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/ split switch/ exclusive switch/' %s > %t.mlir
// RUN: moe-sim %t.mlir --platform=%S/Inputs/fabric.json --json | %python -c "import json,sys; d=json.load(sys.stdin); print([s['busy_us'] for s in d['streams']])" | FileCheck %s --check-prefix=EXCLUSIVE

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 3 eps 1 split switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter

// Each of two ranks of a server has 1000 bytes for each other server: 6000 over
// one NIC are 60 us and 1, before the change. Then each server has a circuit to
// each, and a fourth NIC on EPS: 15 us and 1. Exclusively, 20 us and 1. The
// synchronisation takes 1.06.
// CHECK: step time    138 us
// CHECK: circuits     1 reconfiguration of 40 us and 2 us per pair, links up 8 us later
// JSON: 1 [78.06, 60]
// EXCLUSIVE: [83.06, 60]
// LANE: dark 0 62.06{{[0-9]*}}
// LANE: change 62.06{{[0-9]*}} 60
// LANE: 0-1, 0-2, 0-3, 1-2, 1-3, 2-3 {{.*}} 16
// OTHER: expected platform fabric to have servers of 4 optical ports, as fabric @fabric says, got 3
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %one = arith.constant dense<1> : tensor<1xi32>
  %c = arith.constant dense<[[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]> : tensor<4x4xi32>
  %r = moe.schedule {
    %a, %ta = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<1000xf32> -> tensor<1000xf32>
      moe.yield %0 : tensor<1000xf32>
    } : tensor<1000xf32>
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" after(%ta) {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      ocs.reconfigure @fabric to %c : tensor<4x4xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %b, %tb = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw) {
      ocs.route @fabric over %c : tensor<4x4xi32>
      %0 = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<1000xf32> -> tensor<1000xf32>
      moe.yield %0 : tensor<1000xf32>
    } : tensor<1000xf32>
    moe.yield %b : tensor<1000xf32>
  } : tensor<1000xf32>
  return %r : tensor<1000xf32>
}
