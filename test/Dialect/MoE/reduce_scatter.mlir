// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [3, 2]

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.reduce_scatter"(%{{.*}}) <{dim = 0 : i64, group = #moe.group<@mesh, ["tp"]>, reduction = #moe<reduction sum>}> : (tensor<2xf32>) -> tensor<1xf32>
func.func @picture(%x: tensor<2xf32>) -> tensor<1xf32> {
  // CHECK: moe.reduce_scatter %{{.*}} on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  %r = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
     : tensor<2xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// `sum` is not printed, the others are.
// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<36x?xf16>) -> tensor<1x?xf16> {
  // CHECK: dim 0 : tensor<36x?xf16>
  %a = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0 reduction sum
     : tensor<36x?xf16> -> tensor<18x?xf16>
  // CHECK: dim 0 reduction max : tensor<18x?xf16>
  %b = moe.reduce_scatter %a on <@mesh, ["tp"]> dim 0 reduction max
     : tensor<18x?xf16> -> tensor<9x?xf16>
  // CHECK: dim 0 reduction min : tensor<9x?xf16>
  %c = moe.reduce_scatter %b on <@mesh, ["ep"]> dim 0 reduction min
     : tensor<9x?xf16> -> tensor<3x?xf16>
  // CHECK: dim 0 reduction prod : tensor<3x?xf16>
  %d = moe.reduce_scatter %c on <@mesh, ["ep"]> dim 0 reduction prod
     : tensor<3x?xf16> -> tensor<1x?xf16>
  return %d : tensor<1x?xf16>
}

// CHECK-LABEL: func.func @rank_lists
func.func @rank_lists(%x: tensor<4x0xi128>) -> tensor<2x0xi128> {
  // CHECK: moe.reduce_scatter %{{.*}} on {{\[\[}}0, 5], [1, 4], [2, 3]] dim 0 : tensor<4x0xi128> -> tensor<2x0xi128>
  %r = moe.reduce_scatter %x on [[0, 5], [1, 4], [2, 3]] dim 0
     : tensor<4x0xi128> -> tensor<2x0xi128>
  return %r : tensor<2x0xi128>
}
