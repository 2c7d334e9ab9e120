// RUN: moe-run %s --backend=host --entry=switch --against=%s | FileCheck %s
// RUN: moe-run %s --entry=switch --print-values > %t.interp
// RUN: moe-run %s --backend=host --entry=switch --print-values > %t.host
// RUN: grep -A1 checksum %t.interp > %t.1
// RUN: grep -A1 checksum %t.host > %t.2
// RUN: diff %t.1 %t.2

// RUN: moe-run %s --backend=host --entry=sqrtsoftplus --against=%s | FileCheck %s
// RUN: moe-run %s --entry=sqrtsoftplus --print-values > %t.interp
// RUN: moe-run %s --backend=host --entry=sqrtsoftplus --print-values > %t.host
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

// So have scores of another function, in groups, with their gradient, and the
// square of a relu.
func.func @sqrtsoftplus(%x: tensor<5x4xf32>, %r: tensor<4x6xf32>, %c: tensor<6xf32>,
                        %a: tensor<6x4x3xf32>, %b: tensor<6x3x4xf32>)
    -> (tensor<5x2xi32>, tensor<5x2xf32>, tensor<6x5x4xf32>, tensor<5x4xf32>,
        tensor<4x6xf32>, tensor<6x5x4xf32>) {
  %i, %w = moe.gate sqrtsoftplus %x, %r bias %c : tensor<6xf32> top_k 2 groups 2 of 3 {normalize, scale = 1.5} : tensor<5x4xf32>, tensor<4x6xf32> -> tensor<5x2xi32>, tensor<5x2xf32>
  %p, %s = moe.permute choice %x by %i : tensor<5x4xf32>, tensor<5x2xi32> -> tensor<6x5x4xf32>, tensor<5x2xi32>
  %y = moe.experts gpt %p, %a, %b activation relu2 : tensor<6x5x4xf32>, tensor<6x4x3xf32>, tensor<6x3x4xf32> -> tensor<6x5x4xf32>
  %dx, %dr = moe.gate_grad sqrtsoftplus %x, %r by %i, %w {normalize, scale = 1.5} : tensor<5x4xf32>, tensor<4x6xf32>, tensor<5x2xi32>, tensor<5x2xf32>
  %d = moe.experts_dgrad gpt %y at %p, %a, %b activation relu2 : tensor<6x5x4xf32>, tensor<6x4x3xf32>, tensor<6x3x4xf32>
  return %i, %w, %y, %dx, %dr, %d : tensor<5x2xi32>, tensor<5x2xf32>, tensor<6x5x4xf32>, tensor<5x4xf32>, tensor<4x6xf32>, tensor<6x5x4xf32>
}
