// RUN: moe-opt %s -split-input-file -verify-diagnostics
moe.mesh @mesh axes ["ep"] shape [2]

func.func @word(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected 'dispatch', 'gather', 'scatter', 'combine' or 'gradients'}}
  %r = moe.pipeline degree 2 order [dispatch, nowhere, dispatch, combine, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
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
  // expected-error @+1 {{expected 2 times combine in an order, one a chunk, got 1}}
  %r = moe.pipeline degree 2 order [dispatch, dispatch, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
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
  // expected-error @+1 {{expected a chunk's stages in the order dispatch, gather, scatter, combine, got combine of chunk 1 at place 4 before its gather}}
  %r = moe.pipeline degree 2 order [dispatch, gather, dispatch, combine, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
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
  // expected-error @+1 {{expected a chunk's stages in the order dispatch, gather, scatter, combine, got combine of chunk 0 at place 3 before its scatter}}
  %r = moe.pipeline degree 2 order [dispatch, gather, dispatch, combine, scatter, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
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
  // expected-error @+1 {{expected a chunk's stages in the order dispatch, gather, scatter, combine, got combine of chunk 1 at place 2 before its dispatch}}
  %r = moe.pipeline degree 2 order [dispatch, combine, combine, dispatch] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
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
  // expected-error @+1 {{expected gradients at most once in an order, got 2 times}}
  %r = moe.pipeline degree 2 order [dispatch, dispatch, gradients, gradients, combine, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
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
  // expected-error @+1 {{expected 2 times dispatch in an order, one a chunk, got 3}}
  %r = moe.pipeline degree 2 order [dispatch, dispatch, dispatch, combine, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
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
  %r = moe.pipeline degree 2 order [dispatch, dispatch, combine, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @letters(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected an order of stages, such as [dispatch, gather, dispatch, gather, gradients, scatter, scatter, combine, combine], got letters}}
  %r = moe.pipeline degree 2 order "DADAGRRCC" (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    moe.yield %d : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

func.func @other_letters(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{expected an order of stages, such as [dispatch, combine], got letters}}
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

func.func @generic(%x: tensor<2x1x8x4xf32>) -> tensor<2x1x8x4xf32> {
  // expected-error @+1 {{attribute 'order' failed to satisfy constraint: array of dispatch, gather, scatter, combine and gradients}}
  %r = "moe.pipeline"(%x) <{degree = 2 : i64, order = ["dispatch"], split_dims = array<i64: 2>, concat_dims = array<i64: 2>}> ({
  ^bb0(%c: tensor<2x1x4x4xf32>):
    moe.yield %c : tensor<2x1x4x4xf32>
  }) : (tensor<2x1x8x4xf32>) -> tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}
