// RUN: moe-opt %s -moe-schedule -moe-verify-collectives -o %t.mlir && FileCheck %s < %t.mlir
// RUN: moe-run %t.mlir --against=%s | FileCheck %s --check-prefix=EQUAL

moe.mesh @mesh axes ["ep"] shape [2]

// The compute stream finishes a chunk before it begins the next one, so the
// exchange back of the first chunk overlaps the products of the second one.
// Other streams keep the order of the ops.
// CHECK-LABEL: func.func @main
// CHECK:         moe.task @inter "all_to_all"[0 of 2]
// CHECK:         moe.task @inter "all_to_all"[1 of 2]
// CHECK:         moe.task @compute "mulf"[0 of 2]
// CHECK:         moe.task @compute "tanh"[0 of 2]
// CHECK:         moe.task @compute "addf"[0 of 2]
// CHECK:         moe.task @compute "mulf"[1 of 2]
// CHECK:         moe.task @compute "tanh"[1 of 2]
// CHECK:         moe.task @compute "addf"[1 of 2]
// CHECK:         moe.task @inter "all_to_all.2"[0 of 2]
// CHECK:         moe.task @inter "all_to_all.2"[1 of 2]
// CHECK:         moe.task @compute "negf"[0 of 2]
// CHECK:         moe.task @compute "negf"[1 of 2]
// EQUAL: equal: 2 ranks
func.func @main(%x: tensor<2x5xf32>, %w: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %p = moe.pipeline degree 2 (%c = %x split 1 : tensor<2x5xf32> as tensor<2x?xf32>,
                              %d = %w split 1 : tensor<2x5xf32> as tensor<2x?xf32>) {
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x?xf32> -> tensor<2x?xf32>
    %m = arith.mulf %a, %d : tensor<2x?xf32>
    %t = math.tanh %m : tensor<2x?xf32>
    %s = arith.addf %t, %d : tensor<2x?xf32>
    %b = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x?xf32> -> tensor<2x?xf32>
    %n = arith.negf %b : tensor<2x?xf32>
    moe.yield %n : tensor<2x?xf32>
  } -> concat 1 : tensor<2x5xf32>
  return %p : tensor<2x5xf32>
}

