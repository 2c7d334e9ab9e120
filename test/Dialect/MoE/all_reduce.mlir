// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [3, 2]

// Before the colon of the type a full attribute needs an alias: MLIR takes
// that colon for the attribute's own.
#tp = #moe.group<@mesh, ["tp"]>
#pairs = #moe.replica_groups<dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi64>>

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.all_reduce"(%{{.*}}) <{group = #moe.group<@mesh, ["tp"]>, reduction = #moe<reduction sum>}> : (tensor<2xf32>) -> tensor<2xf32>
func.func @picture(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: moe.all_reduce %{{.*}} on <@mesh, ["tp"]> : tensor<2xf32>
  %r = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<f8E5M2>) -> tensor<f8E5M2> {
  // CHECK: on <@mesh, ["tp"]> : tensor<f8E5M2>
  %a = moe.all_reduce %x on <@mesh, ["tp"]> reduction sum : tensor<f8E5M2>
  // CHECK: on <@mesh, ["ep", "tp"]> reduction max : tensor<f8E5M2>
  %b = moe.all_reduce %a on <@mesh, ["ep", "tp"]> reduction max : tensor<f8E5M2>
  // CHECK: on <@mesh, ["ep"]> reduction min : tensor<f8E5M2>
  %c = moe.all_reduce %b on <@mesh, ["ep"]> reduction min : tensor<f8E5M2>
  // CHECK: on <@mesh, ["ep"]> reduction prod {deterministic} : tensor<f8E5M2>
  %d = moe.all_reduce %c on <@mesh, ["ep"]> reduction prod {deterministic}
     : tensor<f8E5M2>
  return %d : tensor<f8E5M2>
}

// CHECK-LABEL: func.func @groups
func.func @groups(%x: tensor<?x0xi7>) -> tensor<?x0xi7> {
  // CHECK: on <@mesh, ["tp"]> : tensor<?x0xi7>
  %a = moe.all_reduce %x on #tp : tensor<?x0xi7>
  // CHECK: on {{\[\[}}0, 3], [1, 4], [2, 5]] : tensor<?x0xi7>
  %b = moe.all_reduce %a on #pairs : tensor<?x0xi7>
  // CHECK: on {{\[\[}}0, 3], [1, 4], [2, 5]] : tensor<?x0xi7>
  %c = moe.all_reduce %b on [[0, 3], [1, 4], [2, 5]] : tensor<?x0xi7>
  return %c : tensor<?x0xi7>
}
