// RUN: moe-opt %s --no-implicit-module --allow-unregistered-dialect -split-input-file -verify-diagnostics

// Dims are checked by the op itself, whatever is around it.

func.func @split(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected split in [0, 1), got 1}}
  %r = moe.all_to_all %x on [[0, 1]] split 1 concat 0
     : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @gather(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected dim in [0, 1), got -1}}
  %r = moe.all_gather %x on [[0, 1]] dim -1 : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @scatter(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected dim in [0, 1), got 7}}
  %r = moe.reduce_scatter %x on [[0, 1]] dim 7 : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @drop(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected dim in [0, 1), got 1}}
  %r = moe.drop %x on [[0, 1]] dim 1 : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @ragged(%x: tensor<f32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected an operand of rank at least 1, got 'tensor<f32>'}}
  %r = moe.ragged_all_to_all %x into %x on [[0, 1]] send(%n, %n) recv(%n, %n)
     : tensor<f32>, tensor<2xi32> -> tensor<f32>
  return
}

// -----

// A symbol table of an unknown kind may hold the mesh or not.
module {
  moe.mesh @mesh axes ["ep"] shape [2]
  "unknown.op"() ({
    // expected-error@+1 {{expected @mesh to name a moe.mesh}}
    %i = moe.group_rank on <@mesh, ["ep"]> : index
  }) : () -> ()
}
