// RUN: moe-opt %s --no-implicit-module --canonicalize --cse --sccp --loop-invariant-code-motion | FileCheck %s

// A function need not stand in a module: rank lists resolve by themselves.

// CHECK-NOT: module
// CHECK: func.func @f(%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: moe.group_rank on {{\[\[}}1, 0]]
// CHECK-NEXT: moe.all_gather %[[X]] on {{\[\[}}1, 0]] dim 0
// CHECK-NEXT: return %[[X]]
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, index, tensor<8xf32>) {
  %r = moe.all_reduce %x on [[0], [1]] : tensor<4xf32>
  %i = moe.group_rank on [[1, 0]] : index
  %g = moe.all_gather %x on [[1, 0]] dim 0 : tensor<4xf32> -> tensor<8xf32>
  return %r, %i, %g : tensor<4xf32>, index, tensor<8xf32>
}
