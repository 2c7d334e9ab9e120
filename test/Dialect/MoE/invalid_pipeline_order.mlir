// RUN: moe-opt %s -split-input-file -verify-diagnostics
moe.mesh @mesh axes ["ep"] shape [2]

func.func @letter(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected an order of the letters D, A, G, R and C, got 'X' at place 1}}
  %r = moe.pipeline degree 2 order "DXDCC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @count(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected 2 times C in an order, one a chunk, got 1}}
  %r = moe.pipeline degree 2 order "DDC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @gathers(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected a chunk's letters in the order D, A, R, C, got C of chunk 1 at place 4 before its A}}
  %r = moe.pipeline degree 2 order "DADCC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @gather_count(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected a chunk's letters in the order D, A, R, C, got C of chunk 0 at place 3 before its R}}
  %r = moe.pipeline degree 2 order "DADCRC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @circle(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected a chunk's letters in the order D, A, R, C, got C of chunk 1 at place 2 before its D}}
  %r = moe.pipeline degree 2 order "DCCD" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @gradients(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected at most one G in an order, got 2}}
  %r = moe.pipeline degree 2 order "DDGGCC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @too_many(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected 2 times D in an order, one a chunk, got 3}}
  %r = moe.pipeline degree 2 order "DDDCC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @experts(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected one moe.experts or moe.experts_dgrad in a region with an order, got 0}}
  %r = moe.pipeline degree 2 order "DDCC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}
