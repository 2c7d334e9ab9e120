// RUN: moe-opt %s -moe-schedule -o %t.mlir && FileCheck %s < %t.mlir
// RUN: moe-opt %s -moe-schedule="priorities=dp,ep" | FileCheck %s --check-prefix=TURNED
// RUN: moe-opt %s -moe-load-platform=file=%S/../tools/moe-sim/Inputs/toy.json -moe-schedule | FileCheck %s --check-prefix=NODES
// RUN: moe-sim %t.mlir --platform=%S/../tools/moe-sim/Inputs/toy.json --json | %python -c "import json,sys; d=json.load(sys.stdin); print(['%.3f' % s['busy_us'] for s in d['streams']], '%.3f' % d['makespan_us'])" | FileCheck %s --check-prefix=TIME
// RUN: moe-opt %s -moe-schedule=collectives=gradients-apart | FileCheck %s --check-prefix=APART
// RUN: not moe-opt %s -moe-schedule="collectives=gradients-apart priorities=ep,pp,cp,dp" 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not moe-opt %s -moe-schedule="priorities=a,b,c,d,e" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not moe-opt %s -moe-schedule="priorities=ep,dp,ep" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not moe-opt %s -moe-schedule="priorities=ep,nosuch" 2>&1 | FileCheck %s --check-prefix=NOSUCH

// NOSUCH: error: moe-schedule: expected priorities of axes of meshes ({{.*}}ep{{.*}}), got 'nosuch'
// MANY: error: moe-schedule: expected priorities of at most 4 axes, got 5
// FOUR: error: moe-schedule: expected priorities of at most 3 axes, got 4
// TWICE: error: moe-schedule: expected priorities of axes with a name each, got 'ep' twice

// Gradients of data-parallel ranks wait for expert-parallel traffic (SPEC
// MO-12), or the other way round. Nodes of two ranks hold those along ep.
moe.mesh @mesh axes ["dp", "ep"] shape [2, 2]

// CHECK-DAG: moe.stream @inter inter{{$}}
// CHECK-DAG: moe.stream @inter_dp inter priority 3
// CHECK: moe.task @inter_dp "all_reduce"
// CHECK: moe.task @inter "all_to_all"
// TURNED-DAG: moe.stream @intra intra{{$}}
// TURNED-DAG: moe.stream @inter_ep inter priority 1
// TURNED: moe.task @intra "all_reduce"
// TURNED: moe.task @inter_ep "all_to_all"
// NODES-DAG: moe.stream @intra intra{{$}}
// NODES-DAG: moe.stream @inter_dp inter priority 3
// NODES: moe.task @inter_dp "all_reduce"
// NODES: moe.task @intra "all_to_all"

// With gradients apart, their streams come after all axes in the list.
// APART-DAG: moe.stream @inter inter{{$}}
// APART-DAG: moe.stream @inter_gradients inter priority 3
// APART: moe.task @inter_gradients "all_reduce"
// APART: moe.task @inter "all_to_all"

// Two exchanges inside nodes: half of 4000 bytes at 1 GB/s, 2 us each. The
// all-reduce across nodes: twice half of 4000 bytes at 0.1 GB/s and 1 us, 41 us,
// for which both streams want one resource: it waits 4 us.
// TIME: ['45.000', '4.000'] 45.000
func.func @main(%x: tensor<1000xf32>, %g: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %s = moe.all_reduce %g on <@mesh, ["dp"]> : tensor<1000xf32>
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<1000xf32> -> tensor<1000xf32>
  %b = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<1000xf32> -> tensor<1000xf32>
  return %b, %s : tensor<1000xf32>, tensor<1000xf32>
}
