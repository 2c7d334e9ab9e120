// RUN: moe-opt %s -moe-schedule -o %t.mlir
// RUN: moe-opt %t.mlir -moe-pipeline="degree=2" --remarks-filter=.* -o %t.after.mlir 2>&1 | FileCheck %s --check-prefixes=MISSED
// RUN: diff %t.mlir %t.after.mlir
// RUN: moe-opt %t.mlir -moe-pipeline="degree=2 scope=layer" -moe-decompose-all-to-all -moe-decompose-all-to-all=mode=hierarchical --remarks-filter=.* -o %t.after.mlir 2>&1 | FileCheck %s --check-prefixes=MISSED
// RUN: diff %t.mlir %t.after.mlir
// RUN: moe-opt %t.mlir -moe-rewrite-collectives="rules=deduplicate-all-to-all,gather-after-all-to-all,scatter-before-all-to-all,transpose-before-all-reduce,scatter-before-transpose,gather-after-rowwise,gather-after-all-reduce,all-gather-of-drop,drop-before-all-reduce,drop-of-all-reduce,all-gather-of-reduce-scatter,merge-all-gathers,merge-drops,split-all-to-all" -o %t.after.mlir
// RUN: diff %t.mlir %t.after.mlir
// RUN: moe-opt %t.mlir -moe-choose-degree=platform=fsmoe-a -moe-select-strategy=platform=fsmoe-a -moe-partition-gradients=platform=fsmoe-a -moe-fill-weight-gradients=platform=fsmoe-a -moe-schedule -o %t.after.mlir
// RUN: diff %t.mlir %t.after.mlir

// What a task does, and for how long, is settled: no pass that rewrites or cuts
// up ops touches those of tasks, and says so.

// MISSED-COUNT-2: [Missed] {{.*}}expected an op that is not in a moe.task

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

func.func @main(%x: tensor<8x2x8x4xf32> {moe.varying = ["ep"]}) -> (tensor<8x2x8x4xf32>, tensor<8x2x8x4xf32>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x8x4xf32> -> tensor<8x2x8x4xf32>
  %s = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<8x2x8x4xf32>
  %b = moe.all_to_all %s on <@mesh, ["ep", "tp"]> split 0 concat 0 : tensor<8x2x8x4xf32> -> tensor<8x2x8x4xf32>
  return %a, %b : tensor<8x2x8x4xf32>, tensor<8x2x8x4xf32>
}
