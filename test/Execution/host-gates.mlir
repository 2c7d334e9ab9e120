// RUN: moe-run %s --backend=host --entry=switch --against=%s | FileCheck %s
// RUN: moe-run %s --entry=switch --print-values > %t.interp
// RUN: moe-run %s --backend=host --entry=switch --print-values > %t.host
// RUN: grep -A1 checksum %t.interp > %t.1
// RUN: grep -A1 checksum %t.host > %t.2
// RUN: diff %t.1 %t.2

// A switch gate and both orderings have kernels: the same bits as interpreted.
// CHECK: equal: 1 ranks
func.func @switch(%x: tensor<5x4xf32>, %r: tensor<4x3xf32>)
    -> (tensor<5x1xi32>, tensor<5x1xf32>, tensor<5x4xf32>) {
  %i, %w = moe.gate switch %x, %r top_k 1 : tensor<5x4xf32>, tensor<4x3xf32> -> tensor<5x1xi32>, tensor<5x1xf32>
  %b, %s = moe.permute choice %x by %i ordering einsum : tensor<5x4xf32>, tensor<5x1xi32> -> tensor<3x2x4xf32>, tensor<5x1xi32>
  %h = moe.hook before_dispatch %b : tensor<3x2x4xf32>
  %y = moe.unpermute %h by %s weights %w ordering einsum : tensor<3x2x4xf32>, tensor<5x1xi32>, tensor<5x1xf32> -> tensor<5x4xf32>
  return %i, %w, %y : tensor<5x1xi32>, tensor<5x1xf32>, tensor<5x4xf32>
}
