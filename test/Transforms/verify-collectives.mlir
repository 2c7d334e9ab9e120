// RUN: moe-opt %s -split-input-file -moe-verify-collectives -verify-diagnostics | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// The condition is the same on all ranks of the group: they go together.
// CHECK-LABEL: func.func @uniform
func.func @uniform(%c: i1 {moe.varying = ["ep"]}, %n: index {moe.varying = []}, %x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> tensor<2xf32> {
    %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<2xf32> {
      %s = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<2xf32>
      scf.yield %s : tensor<2xf32>
    }
    scf.yield %l : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @divergent_if(%c: i1 {moe.varying = ["tp"]}, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-note @below {{scf.if may go different ways on ranks that differ in axis "tp"}}
  %r = scf.if %c -> tensor<2xf32> {
    // expected-error @below {{ranks of the group may not meet here}}
    %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @divergent_loop(%n: index, %x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{scf.for may go different ways on ranks that differ in axis "ep"}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<2xf32> {
    // expected-error @below {{ranks of the group may not meet here}}
    %s = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<2xf32> -> tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// The condition of a while is computed inside it.
func.func @divergent_while(%x: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  // expected-note @below {{scf.while may go different ways}}
  %r = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %v = tensor.extract %a[] : tensor<f32>
    %c = arith.cmpf olt, %v, %zero : f32
    scf.condition(%c) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    // expected-error @below {{ranks of the group may not meet here}}
    %s = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<f32>
    scf.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func private @inner(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2xf32>
  return %s : tensor<2xf32>
}
func.func private @outer(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = call @inner(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}
func.func @call(%c: i1 {moe.varying = ["ep"]}, %d: i1 {moe.varying = ["tp"]}, %x: tensor<2xf32>) {
  // expected-note @below {{scf.if may go different ways on ranks that differ in axis "ep"}}
  scf.if %c {
    // expected-error @below {{ranks of the groups in the called function may not meet there}}
    func.call @outer(%x) : (tensor<2xf32>) -> tensor<2xf32>
  }
  scf.if %d {
    func.call @outer(%x) : (tensor<2xf32>) -> tensor<2xf32>
  }
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @blocks(%c: i1, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-note @below {{cf.cond_br may go different ways on ranks that differ in axis "tp"}}
  cf.cond_br %c, ^a, ^b
^a:
  // expected-error @below {{ranks of the group may not meet here}}
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  return %s : tensor<2xf32>
^b:
  return %x : tensor<2xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @unknown_regions(%x: tensor<2xf32>) {
  %c2 = arith.constant 2 : index
  // expected-note @below {{expected the regions around it to be those of scf.if, scf.for, scf.while, scf.index_switch or of the moe dialect, got scf.forall}}
  scf.forall (%i) in (%c2) {
    // expected-error @below {{ranks of the group may not meet here}}
    %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  }
  return
}

// -----

// Without a mesh nothing tells ranks apart.
func.func @rank_lists(%c: i1, %x: tensor<2xf32>) {
  // expected-note @below {{scf.if may go different ways on ranks of one group}}
  scf.if %c {
    // expected-error @below {{ranks of the group may not meet here}}
    %s = moe.all_reduce %x on [[0, 1]] : tensor<2xf32>
  }
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @ragged(%x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %o = arith.constant dense<[0, 2]> : tensor<2xi32>
  %s = arith.constant dense<[2, 3]> : tensor<2xi32>
  %t = arith.constant dense<[2, 2]> : tensor<2xi32>
  %n = arith.constant dense<[-1, 0]> : tensor<2xi32>
  // expected-error @below {{expected the rows sent to peer 1 to lie in [0, 4), got 3 rows from row 2}}
  %a = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%o, %s) recv(%o, %t) : tensor<4xf32>, tensor<2xi32> -> tensor<4xf32>
  // expected-error @below {{expected the rows received from peer 0 to lie in [0, 4), got 2 rows from row -1}}
  %b = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%o, %t) recv(%n, %t) : tensor<4xf32>, tensor<2xi32> -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// What a plan lets a rank receive has to fit into the buffer.
moe.mesh @mesh axes ["ep"] shape [2]
func.func @f(%x: tensor<4x1xf32>, %small: tensor<5x1xf32>, %z: tensor<6x1xf32>, %mine: tensor<1x4xi32>) {
  %all = moe.all_gather %mine on <@mesh, ["ep"]> dim 0 : tensor<1x4xi32> -> tensor<2x4xi32>
  %p:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %a = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%p#0, %p#1) recv(%p#2, %p#3) : tensor<4x1xf32>, tensor<2xi32> -> tensor<6x1xf32>
  // expected-error @below {{expected room for the 6 rows that its plan lets a rank receive, got 'tensor<5x1xf32>'}}
  %b = moe.ragged_all_to_all %x into %small on <@mesh, ["ep"]> send(%p#0, %p#1) recv(%p#2, %p#3) : tensor<4x1xf32>, tensor<2xi32> -> tensor<5x1xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// Who calls it, calls it on some ranks along "tp" only.
// expected-note @below {{func.func may go different ways on ranks that differ in axis "tp"}}
func.func @apart(%x: tensor<2xf32>) -> tensor<2xf32> attributes {moe.divergent = ["tp"]} {
  %r = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2xf32>
  // expected-error @below {{ranks of the group may not meet here}}
  %s = moe.all_reduce %r on <@mesh, ["tp"]> : tensor<2xf32>
  return %s : tensor<2xf32>
}

// -----

// What is gathered over the group may be planned by; over a part of it not.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @plans(%mine: tensor<1x4xi32>, %own: tensor<2x4xi32> {moe.varying = ["tp"]}) {
  %all = moe.all_gather %mine on <@mesh, ["ep"]> dim 0 : tensor<1x4xi32> -> tensor<2x4xi32>
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %1:6 = moe.ragged_plan %own on <@mesh, ["ep"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %each = tensor.empty() : tensor<3x2x4xi32>
  %2:6 = moe.ragged_plan %each on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 6 : tensor<3x2x4xi32> -> tensor<2xi32>, tensor<3x2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @plans(%own: tensor<2x4xi32>, %mine: tensor<1x2x4xi32>) {
  // expected-error@+1 {{expected counts that are the same on all ranks of its groups, got counts that may vary over axis "ep"}}
  %1:6 = moe.ragged_plan %own on <@mesh, ["ep"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %all = moe.all_gather %mine on <@mesh, ["tp"]> dim 0 : tensor<1x2x4xi32> -> tensor<3x2x4xi32>
  // expected-error@+1 {{got counts that may vary over axis "ep"}}
  %2:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 6 : tensor<3x2x4xi32> -> tensor<2xi32>, tensor<3x2x2xi32>
  %ep = moe.all_gather %own on <@mesh, ["ep"]> dim 0 : tensor<2x4xi32> -> tensor<4x4xi32>
  %part = tensor.extract_slice %ep[0, 0] [2, 4] [1, 1] : tensor<4x4xi32> to tensor<2x4xi32>
  %wide = tensor.expand_shape %part [[0, 1], [2]] output_shape [1, 2, 4] : tensor<2x4xi32> into tensor<1x2x4xi32>
  %three = moe.assemble %wide, %wide, %wide dim 0 : tensor<1x2x4xi32>, tensor<1x2x4xi32>, tensor<1x2x4xi32> -> tensor<3x2x4xi32>
  // expected-error@+1 {{got counts that may vary over axis "tp"}}
  %3:6 = moe.ragged_plan %three on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 6 : tensor<3x2x4xi32> -> tensor<2xi32>, tensor<3x2x2xi32>
  return
}
