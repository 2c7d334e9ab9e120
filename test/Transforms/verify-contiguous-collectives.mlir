// RUN: moe-opt %s --moe-verify-contiguous-collectives --verify-diagnostics \
// RUN:   --split-input-file -o /dev/null

moe.mesh @mesh axes ["ep"] shape [4]
func.func @f(%x: tensor<4x8xf32>) -> (tensor<4x32xf32>, tensor<4x2xf32>, tensor<4x8xf32>) {
  // expected-error @below {{expected a collective of contiguous blocks, along the outermost dim, got one that joins dim 1 of 'tensor<4x32xf32>'; moe-make-collectives-contiguous puts the copies around it}}
  %0 = moe.all_gather %x on <@mesh, ["ep"]> dim 1 : tensor<4x8xf32> -> tensor<4x32xf32>
  // expected-error @below {{got one that cuts dim 1 of 'tensor<4x8xf32>'}}
  %1 = moe.reduce_scatter %x on <@mesh, ["ep"]> dim 1 : tensor<4x8xf32> -> tensor<4x2xf32>
  // expected-error @below {{got one that cuts dim 1 of 'tensor<4x8xf32>'}}
  %2 = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x32xf32>, tensor<4x2xf32>, tensor<4x8xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [4]
func.func @f(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 1 : tensor<1x8xf32> -> tensor<1x8xf32>
  %1 = moe.all_reduce %0 on <@mesh, ["ep"]> : tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

// -----

// A dynamic shape cannot be packed.
moe.mesh @mesh axes ["ep"] shape [4]
func.func @f(%x: tensor<?x8xf32>) -> tensor<?x32xf32> {
  // expected-error @below {{got one that joins dim 1 of 'tensor<?x32xf32>'}}
  %0 = moe.all_gather %x on <@mesh, ["ep"]> dim 1 : tensor<?x8xf32> -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}
