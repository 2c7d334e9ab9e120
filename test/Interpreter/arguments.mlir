// What arguments hold: floats in [-1, 1) with few bits, integers small and
// large, the same on ranks that differ only on axes the argument does not vary
// over. Integers that steer stay where the program runs.

// RUN: moe-run %s --print-values | FileCheck %s
// RUN: moe-run %s --print-values > %t.1
// RUN: moe-run %s --print-values > %t.2
// RUN: cmp %t.1 %t.2
// RUN: moe-run %s --print-values --seed=1 | FileCheck %s --check-prefix=SEED
// RUN: moe-run %s --print-values --seed=1 > %t.seed
// RUN: not cmp %t.1 %t.seed

moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]

// CHECK: interp: 8 ranks, seed 0, values
// CHECK-NEXT: result 0: tensor<2xbf16>
// CHECK-NEXT: ranks 0,2,4,6:
// CHECK-NEXT: [{{-?0(\.[0-9]+)?}}, {{-?0(\.[0-9]+)?}}]
// CHECK-NEXT: ranks 1,3,5,7:
// CHECK: result 1: tensor<4xi32>
// CHECK-NEXT: ranks 0-7:
// CHECK-NEXT: [{{-?[0-9]+, -?[0-9]+, -?[0-9]+, -?[0-9]+}}]
// CHECK-NEXT: result 2: f8E4M3FN
// CHECK-NEXT: rank 0:
// CHECK-NEXT: {{-?(0|0\.[1-9][0-9]*|1)$}}
// CHECK-NEXT: rank 1:
// CHECK: result 3: tensor<3xi1>
// CHECK-NEXT: ranks 0-1,4-5:
// CHECK-NEXT: [{{(true|false), (true|false), (true|false)}}]
// CHECK-NEXT: ranks 2-3,6-7:
// SEED: interp: 8 ranks, seed 1, values
func.func @main(%a: tensor<2xbf16> {moe.varying = ["tp"]}, %b: tensor<4xi32> {moe.varying = []}, %c: f8E4M3FN, %d: tensor<3xi1> {moe.varying = ["ep"]}) -> (tensor<2xbf16>, tensor<4xi32>, f8E4M3FN, tensor<3xi1>) {
  return %a, %b, %c, %d : tensor<2xbf16>, tensor<4xi32>, f8E4M3FN, tensor<3xi1>
}

// Experts where an order reads them: 0 to 5 of six, and not just 0 and 1.
// RUN: moe-run %s --entry=routed --print-values --seed=3 | FileCheck %s --check-prefix=ROUTED
// ROUTED: result 0: tensor<12x1xi32>
// ROUTED-NEXT: ranks 0-7:
// ROUTED-NEXT: {{\[\[[0-5]\](, \[[0-5]\])*, \[[2-5]\](, \[[0-5]\])*\]$}}
func.func @routed(%x: tensor<12x2xf32> {moe.varying = []}, %ids: tensor<12x1xi32> {moe.varying = []}) -> (tensor<12x1xi32>, tensor<6x12x2xf32>) {
  %b, %s = moe.permute choice %x by %ids : tensor<12x2xf32>, tensor<12x1xi32> -> tensor<6x12x2xf32>, tensor<12x1xi32>
  return %ids, %b : tensor<12x1xi32>, tensor<6x12x2xf32>
}
