// Compiled code on the runtime and the interpreter agree in every element.

// RUN: split-file %s %t
// RUN: %python %S/Inputs/host.py %t/movement.mlir
// RUN: %python %S/Inputs/host.py %t/movement.mlir --seed=5
// RUN: %python %S/Inputs/host.py %t/collectives.mlir
// RUN: %python %S/Inputs/host.py %t/reductions.mlir
// RUN: %python %S/Inputs/host.py %t/types.mlir
// RUN: %python %S/Inputs/host.py %t/ragged.mlir
// RUN: %python %S/Inputs/host.py %t/modules.mlir
// RUN: %python %S/Inputs/host.py %t/bodies.mlir
// RUN: %python %S/Inputs/host.py %t/odd.mlir
// RUN: %python %S/Inputs/host.py %t/results.mlir --entry=main

//--- movement.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @main(%x: tensor<4x6x5xf32>, %y: tensor<4x6x5xf32> {moe.varying = ["ep"]}) -> (tensor<4x2x5xf32>, tensor<5x4x6xf32>, tensor<4x11x5xf32>, tensor<2x3x5xf32>, tensor<24x5xf32>, index) {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 1 : tensor<4x6x5xf32> -> tensor<4x2x5xf32>
  %t = moe.transpose %x [2, 0, 1] : tensor<4x6x5xf32> -> tensor<5x4x6xf32>
  %s = tensor.extract_slice %y[0, 1, 0] [4, 5, 5] [1, 1, 1] : tensor<4x6x5xf32> to tensor<4x5x5xf32>
  %a = moe.assemble %x, %s dim 1 : tensor<4x6x5xf32>, tensor<4x5x5xf32> -> tensor<4x11x5xf32>
  %u = tensor.extract_slice %y[1, 0, 0] [2, 3, 5] [2, 2, 1] : tensor<4x6x5xf32> to tensor<2x3x5xf32>
  %v = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x5xf32> -> tensor<2x3x5xf32>
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x6x5xf32> into tensor<24x5xf32>
  %w = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<24x5xf32> -> tensor<24x5xf32>
  %i = moe.group_rank on <@mesh, ["tp", "ep"]> : index
  return %d, %t, %a, %v, %w, %i : tensor<4x2x5xf32>, tensor<5x4x6xf32>, tensor<4x11x5xf32>, tensor<2x3x5xf32>, tensor<24x5xf32>, index
}

//--- collectives.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @main(%x: tensor<6x4x6xbf16>) -> (tensor<3x4x12xbf16>, tensor<3x8x6xbf16>, tensor<6x12x6xbf16>, tensor<6x4x1xbf16>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 2 : tensor<6x4x6xbf16> -> tensor<3x4x12xbf16>
  %b = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<6x4x6xbf16> -> tensor<3x8x6xbf16>
  %c = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<6x4x6xbf16> -> tensor<6x12x6xbf16>
  %d = moe.all_to_all %x on [[0, 5], [2, 1], [4, 3]] split 2 concat 0 : tensor<6x4x6xbf16> -> tensor<12x4x3xbf16>
  %e = moe.reduce_scatter %d on <@mesh, ["tp"]> dim 2 : tensor<12x4x3xbf16> -> tensor<12x4x1xbf16>
  %f = moe.drop %e on <@mesh, ["ep"]> dim 0 : tensor<12x4x1xbf16> -> tensor<6x4x1xbf16>
  return %a, %b, %c, %f : tensor<3x4x12xbf16>, tensor<3x8x6xbf16>, tensor<6x12x6xbf16>, tensor<6x4x1xbf16>
}

//--- reductions.mlir
moe.mesh @mesh axes ["r"] shape [5]
func.func @main(%x: tensor<5x3xf32>, %h: tensor<10xf16>, %i: tensor<5xi16>, %b: tensor<7xbf16>) -> (tensor<5x3xf32>, tensor<1x3xf32>, tensor<10xf16>, tensor<2xf16>, tensor<5xi16>, tensor<1xi16>, tensor<7xbf16>) {
  %0 = moe.all_reduce %x on <@mesh, ["r"]> : tensor<5x3xf32>
  %1 = moe.reduce_scatter %x on <@mesh, ["r"]> dim 0 reduction prod : tensor<5x3xf32> -> tensor<1x3xf32>
  %2 = moe.all_reduce %h on <@mesh, ["r"]> reduction max : tensor<10xf16>
  %3 = moe.reduce_scatter %h on <@mesh, ["r"]> dim 0 : tensor<10xf16> -> tensor<2xf16>
  %4 = moe.all_reduce %i on <@mesh, ["r"]> : tensor<5xi16>
  %5 = moe.reduce_scatter %i on <@mesh, ["r"]> dim 0 reduction min : tensor<5xi16> -> tensor<1xi16>
  %6 = moe.all_reduce %b on <@mesh, ["r"]> reduction prod : tensor<7xbf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5x3xf32>, tensor<1x3xf32>, tensor<10xf16>, tensor<2xf16>, tensor<5xi16>, tensor<1xi16>, tensor<7xbf16>
}

//--- types.mlir
// Every element type that can be moved, odd ones too; scalars in and out.
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%a: tensor<4x3xi1>, %b: tensor<4x3xi5>, %c: tensor<4x3xf8E4M3FN>, %d: tensor<4x3xindex>, %e: tensor<4x3xf64>, %f: tensor<4x3xui16>, %g: i1, %h: index, %i: bf16, %z: tensor<0x3xf32>) -> (tensor<4x3xi1>, tensor<4x3xi5>, tensor<4x3xf8E4M3FN>, tensor<4x3xindex>, tensor<4x3xf64>, tensor<4x3xui16>, i1, index, bf16, tensor<0x3xf32>, tensor<4x3xindex>) {
  %0 = moe.all_to_all %a on <@mesh, ["r"]> split 0 concat 0 : tensor<4x3xi1> -> tensor<4x3xi1>
  %1 = moe.all_to_all %b on <@mesh, ["r"]> split 0 concat 0 : tensor<4x3xi5> -> tensor<4x3xi5>
  %2 = moe.all_to_all %c on <@mesh, ["r"]> split 0 concat 0 : tensor<4x3xf8E4M3FN> -> tensor<4x3xf8E4M3FN>
  %3 = moe.all_reduce %d on <@mesh, ["r"]> : tensor<4x3xindex>
  %4 = moe.all_to_all %e on <@mesh, ["r"]> split 0 concat 0 : tensor<4x3xf64> -> tensor<4x3xf64>
  %5 = moe.all_to_all %f on <@mesh, ["r"]> split 0 concat 0 : tensor<4x3xui16> -> tensor<4x3xui16>
  %6 = moe.all_to_all %z on <@mesh, ["r"]> split 0 concat 0 : tensor<0x3xf32> -> tensor<0x3xf32>
  %7 = arith.addi %3, %d : tensor<4x3xindex>
  return %0, %1, %2, %3, %4, %5, %g, %h, %i, %6, %7 : tensor<4x3xi1>, tensor<4x3xi5>, tensor<4x3xf8E4M3FN>, tensor<4x3xindex>, tensor<4x3xf64>, tensor<4x3xui16>, i1, index, bf16, tensor<0x3xf32>, tensor<4x3xindex>
}

//--- ragged.mlir
// Counts that the host reads when they have been computed; i32 and index.
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4x3xf32>, %init: tensor<6x3xf32>, %k: tensor<2xi32> {moe.varying = []}) -> (tensor<6x3xf32>, tensor<4x3xf32>) {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %k0 = arith.subi %k, %k : tensor<2xi32>
  %one = arith.constant dense<[1, 2]> : tensor<2xi32>
  %size = arith.addi %k0, %one : tensor<2xi32>
  %offset = arith.constant dense<[0, 3]> : tensor<2xi32>
  %swap = moe.all_to_all %size on <@mesh, ["ep"]> split 0 concat 0 : tensor<2xi32> -> tensor<2xi32>
  %at = arith.constant dense<[3, 0]> : tensor<2xi32>
  %from = arith.constant dense<[0, 1]> : tensor<2xi32>
  %r = moe.ragged_all_to_all %x into %init on <@mesh, ["ep"]> send(%from, %size) recv(%at, %swap) : tensor<4x3xf32>, tensor<2xi32> -> tensor<6x3xf32>
  %i = arith.constant dense<[0, 2]> : tensor<2xindex>
  %n = arith.constant dense<[2, 2]> : tensor<2xindex>
  %s = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%i, %n) recv(%i, %n) : tensor<4x3xf32>, tensor<2xindex> -> tensor<4x3xf32>
  return %r, %s : tensor<6x3xf32>, tensor<4x3xf32>
}

//--- modules.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<7x6xbf16>, %router: tensor<6x8xf32> {moe.varying = []}, %bias: tensor<8xf32> {moe.varying = []}, %w1: tensor<4x6x10xbf16>, %w2: tensor<4x6x10xbf16>, %w3: tensor<4x10x6xbf16>) -> (tensor<7x2xi32>, tensor<7x2xf32>, tensor<7x6xbf16>, tensor<7x6xbf16>) {
  %ids, %w = moe.gate sigmoid %x, %router bias %bias : tensor<8xf32> top_k 2 groups 2 of 4 {normalize, scale = 2.5} : tensor<7x6xbf16>, tensor<6x8xf32> -> tensor<7x2xi32>, tensor<7x2xf32>
  %b, %slots = moe.permute token %x by %ids : tensor<7x6xbf16>, tensor<7x2xi32> -> tensor<2x4x2x6xbf16>, tensor<7x2xi32>
  %d = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4x2x6xbf16> -> tensor<2x4x2x6xbf16>
  %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x4x2x6xbf16> -> tensor<4x2x2x6xbf16>
  %e = moe.experts swiglu %t, %w1, %w2, %w3 : tensor<4x2x2x6xbf16>, tensor<4x6x10xbf16>, tensor<4x6x10xbf16>, tensor<4x10x6xbf16> -> tensor<4x2x2x6xbf16>
  %u = moe.transpose %e [1, 0, 2, 3] : tensor<4x2x2x6xbf16> -> tensor<2x4x2x6xbf16>
  %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4x2x6xbf16> -> tensor<2x4x2x6xbf16>
  %y = moe.unpermute %c by %slots weights %w : tensor<2x4x2x6xbf16>, tensor<7x2xi32>, tensor<7x2xf32> -> tensor<7x6xbf16>
  %ids2, %w4 = moe.gate softmax %x, %router top_k 1 : tensor<7x6xbf16>, tensor<6x8xf32> -> tensor<7x1xi64>, tensor<7x1xbf16>
  %b2, %slots2 = moe.permute choice %x by %ids2 : tensor<7x6xbf16>, tensor<7x1xi64> -> tensor<8x1x6xbf16>, tensor<7x1xi64>
  %f2 = moe.experts gpt %t, %w1, %w3 activation relu : tensor<4x2x2x6xbf16>, tensor<4x6x10xbf16>, tensor<4x10x6xbf16> -> tensor<4x2x2x6xbf16>
  %y2 = moe.unpermute %b2 by %slots2 weights %w4 : tensor<8x1x6xbf16>, tensor<7x1xi64>, tensor<7x1xbf16> -> tensor<7x6xbf16>
  return %ids, %w, %y, %y2 : tensor<7x2xi32>, tensor<7x2xf32>, tensor<7x6xbf16>, tensor<7x6xbf16>
}

//--- bodies.mlir
// Upstream ops with loops, branches, numbers of the host and of tasks, calls.
moe.mesh @mesh axes ["r"] shape [4]
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %h: tensor<4xbf16>, %n: index {moe.varying = []}) -> (tensor<4xf32>, tensor<4xbf16>, tensor<2xf32>, f32, tensor<4xi64>, tensor<2x2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r = moe.group_rank on <@mesh, ["r"]> : index
  %a = moe.all_to_all %x on <@mesh, ["r"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  %b = scf.for %i = %zero to %n step %one iter_args(%c = %a) -> tensor<4xf32> {
    %d = arith.addf %c, %x : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  %call = func.call @twice(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %p = arith.cmpi eq, %r, %two : index
  %q = scf.if %p -> tensor<4xf32> {
    %m = arith.mulf %call, %x : tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  } else {
    scf.yield %call : tensor<4xf32>
  }
  %s = tensor.extract %q[%r] : tensor<4xf32>
  %h2 = arith.mulf %h, %h : tensor<4xbf16>
  %h3 = arith.addf %h2, %h : tensor<4xbf16>
  %half = arith.divsi %r, %two : index
  %cut = tensor.extract_slice %q[%half] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %g = moe.all_reduce %cut on <@mesh, ["r"]> : tensor<2xf32>
  %sq = tensor.expand_shape %q [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %col = tensor.extract_slice %sq[0, %half] [2, 1] [1, 1] : tensor<2x2xf32> to tensor<2x1xf32>
  %row = tensor.insert_slice %col into %sq[0, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x2xf32>
  %k = arith.constant dense<[7, -3, 2, 9]> : tensor<4xi64>
  %k2 = arith.muli %k, %k : tensor<4xi64>
  return %q, %h3, %g, %s, %k2, %row : tensor<4xf32>, tensor<4xbf16>, tensor<2xf32>, f32, tensor<4xi64>, tensor<2x2xf32>
}

//--- odd.mlir
// Nothing to move, scalars to transpose, functions with collectives that are
// called, groups that coincide on some ranks only, modules inside.
moe.mesh @mesh axes ["a", "b"] shape [2, 2]
module @inside {
  func.func @main() { return }
}
func.func private @both(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = moe.all_reduce %x on [[0, 3], [1, 2]] reduction max : tensor<2xf32>
  %b = moe.all_to_all %a on [[0, 3], [2, 1]] split 0 concat 0 : tensor<2xf32> -> tensor<2xf32>
  return %b : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %e: tensor<4x0x2xbf16>, %s: tensor<f32>) -> (tensor<2xf32>, tensor<4x0x2xbf16>, tensor<2x0x2xbf16>, tensor<4x2x2xbf16>, tensor<f32>) {
  %one = func.call @both(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %two = func.call @both(%one) : (tensor<2xf32>) -> tensor<2xf32>
  %a = moe.all_to_all %e on <@mesh, ["a"]> split 2 concat 0 : tensor<4x0x2xbf16> -> tensor<8x0x1xbf16>
  %b = moe.all_to_all %a on <@mesh, ["a"]> split 0 concat 2 : tensor<8x0x1xbf16> -> tensor<4x0x2xbf16>
  %d = moe.drop %e on <@mesh, ["a"]> dim 0 : tensor<4x0x2xbf16> -> tensor<2x0x2xbf16>
  %k = arith.constant dense<3.0> : tensor<4x2x2xbf16>
  %j = moe.assemble %e, %k, %b dim 1 : tensor<4x0x2xbf16>, tensor<4x2x2xbf16>, tensor<4x0x2xbf16> -> tensor<4x2x2xbf16>
  %t = moe.transpose %s [] : tensor<f32> -> tensor<f32>
  return %two, %b, %d, %j, %t : tensor<2xf32>, tensor<4x0x2xbf16>, tensor<2x0x2xbf16>, tensor<4x2x2xbf16>, tensor<f32>
}

//--- results.mlir
// What a function hands on, hands out twice, or knows from the start.
moe.mesh @mesh axes ["r"] shape [2]
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = "not.known"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %a : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, i32) {
  %k = arith.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %c = arith.constant 7 : i32
  %a = moe.all_to_all %x on <@mesh, ["r"]> split 0 concat 0 : tensor<2xf32> -> tensor<2xf32>
  return %x, %a, %a, %k, %y, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, i32
}
