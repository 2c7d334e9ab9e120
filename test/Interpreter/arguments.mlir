// What arguments hold: floats in [-1, 1) with few bits, integers 0 or 1, the
// same on ranks that differ only on axes the argument does not vary over.

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
// CHECK-NEXT: [{{[01], [01], [01], [01]}}]
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
