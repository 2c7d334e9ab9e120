// RUN: moe-run %s --entry=softmax --print-values | FileCheck %s --check-prefix=SOFTMAX
// RUN: moe-run %s --entry=normalize --print-values | FileCheck %s --check-prefix=NORMALIZE
// RUN: moe-run %s --entry=sigmoid --print-values | FileCheck %s --check-prefix=SIGMOID
// RUN: moe-run %s --entry=groups --print-values | FileCheck %s --check-prefix=GROUPS
// RUN: moe-run %s --entry=order --print-values | FileCheck %s --check-prefix=ORDER
// RUN: moe-run %s --entry=overflow --print-values | FileCheck %s --check-prefix=OVERFLOW
// RUN: moe-run %s --entry=unpermute --print-values | FileCheck %s --check-prefix=UNORDER
// RUN: moe-run %s --entry=gpt --print-values | FileCheck %s --check-prefix=GPT
// RUN: moe-run %s --entry=activations --print-values | FileCheck %s --check-prefix=ACTIVATIONS
// RUN: moe-run %s --entry=rounded_once --print-values | FileCheck %s --check-prefix=ROUNDED_ONCE

// Gate, order, experts and unpermute on numbers small enough to check by hand.

// Logits are the tokens themselves: the router is the identity.
func.func private @logits() -> (tensor<3x4xf32>, tensor<4x4xf32>) {
  %x = arith.constant dense<[[0.0, 2.0, 1.0, -1.0], [3.0, 3.0, 0.0, 3.0], [-1.0, -2.0, -3.0, 0.5]]> : tensor<3x4xf32>
  %r = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf32>
  return %x, %r : tensor<3x4xf32>, tensor<4x4xf32>
}

// Softmax of token 0 is e^l / (1 + e^2 + e + e^-1) = 0.644, 0.237; token 1 has
// three equal scores, of which the lower numbers win.
// SOFTMAX: result 0: tensor<3x2xi32>
// SOFTMAX-NEXT: rank 0: checksum {{[0-9a-f]+}}
// SOFTMAX-NEXT: {{\[\[}}1, 2], [0, 1], [3, 0]]{{$}}
// SOFTMAX-NEXT: result 1: tensor<3x2xf16>
// SOFTMAX-NEXT: rank 0: checksum {{[0-9a-f]+}}
// SOFTMAX-NEXT: {{\[\[}}0.64404296875, 0.236938476562{{[0-9]+}}], [0.327880859375, 0.327880859375], [0.7490234375, 0.167114257812{{[0-9]+}}]]{{$}}
func.func @softmax() -> (tensor<3x2xi32>, tensor<3x2xf16>) {
  %x, %r = call @logits() : () -> (tensor<3x4xf32>, tensor<4x4xf32>)
  %ids, %w = moe.gate softmax %x, %r top_k 2 : tensor<3x4xf32>, tensor<4x4xf32> -> tensor<3x2xi32>, tensor<3x2xf16>
  return %ids, %w : tensor<3x2xi32>, tensor<3x2xf16>
}

// Normalised and scaled by 2: 2 e^2 / (e^2 + e) = 1.46, and so on.
// NORMALIZE: result 0: tensor<3x2xi32>
// NORMALIZE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// NORMALIZE-NEXT: {{\[\[}}1, 2], [0, 1], [3, 0]]{{$}}
// NORMALIZE-NEXT: result 1: tensor<3x2xf16>
// NORMALIZE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// NORMALIZE-NEXT: {{\[\[}}1.4619140625, 0.5380859375], [1, 1], [1.634765625, 0.36474609375]]{{$}}
func.func @normalize() -> (tensor<3x2xi32>, tensor<3x2xf16>) {
  %x, %r = call @logits() : () -> (tensor<3x4xf32>, tensor<4x4xf32>)
  %ids, %w = moe.gate softmax %x, %r top_k 2 {normalize, scale = 2.0 : f64} : tensor<3x4xf32>, tensor<4x4xf32> -> tensor<3x2xi32>, tensor<3x2xf16>
  return %ids, %w : tensor<3x2xi32>, tensor<3x2xf16>
}

// The bias makes expert 2 the first choice of every token, its weight stays
// the sigmoid of its logit: 1/(1+e^-1), 1/2, 1/(1+e^3).
// SIGMOID: result 0: tensor<3x2xi32>
// SIGMOID-NEXT: rank 0: checksum {{[0-9a-f]+}}
// SIGMOID-NEXT: {{\[\[}}2, 1], [2, 0], [2, 3]]{{$}}
// SIGMOID-NEXT: result 1: tensor<3x2xf16>
// SIGMOID-NEXT: rank 0: checksum {{[0-9a-f]+}}
// SIGMOID-NEXT: {{\[\[}}0.73095703125, 0.880859375], [0.5, 0.95263671875], [0.047424316406{{[0-9]+}}, 0.62255859375]]{{$}}
func.func @sigmoid() -> (tensor<3x2xi32>, tensor<3x2xf16>) {
  %x, %r = call @logits() : () -> (tensor<3x4xf32>, tensor<4x4xf32>)
  %b = arith.constant dense<[0.0, 0.0, 1.0, 0.0]> : tensor<4xf32>
  %ids, %w = moe.gate sigmoid %x, %r bias %b : tensor<4xf32> top_k 2 : tensor<3x4xf32>, tensor<4x4xf32> -> tensor<3x2xi32>, tensor<3x2xf16>
  return %ids, %w : tensor<3x2xi32>, tensor<3x2xf16>
}

// Groups {0, 1} and {2, 3} of one token. Softmax takes the group of the best
// expert; sigmoid the one with the larger sum: .731 + .000 against .711 + .711.
// GROUPS: result 0: tensor<1x2xi32>
// GROUPS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// GROUPS-NEXT: {{\[\[}}0, 1]]{{$}}
// GROUPS-NEXT: result 1: tensor<1x2xi32>
// GROUPS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// GROUPS-NEXT: {{\[\[}}2, 3]]{{$}}
func.func @groups() -> (tensor<1x2xi32>, tensor<1x2xi32>) {
  %x = arith.constant dense<[[1.0, -9.0, 0.9, 0.9]]> : tensor<1x4xf32>
  %y, %r = call @logits() : () -> (tensor<3x4xf32>, tensor<4x4xf32>)
  %a, %v = moe.gate softmax %x, %r top_k 2 groups 1 of 2 : tensor<1x4xf32>, tensor<4x4xf32> -> tensor<1x2xi32>, tensor<1x2xf16>
  %b, %w = moe.gate sigmoid %x, %r top_k 2 groups 1 of 2 : tensor<1x4xf32>, tensor<4x4xf32> -> tensor<1x2xi32>, tensor<1x2xf16>
  return %a, %b : tensor<1x2xi32>, tensor<1x2xi32>
}

func.func private @tokens() -> tensor<3x2xf32> {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  return %x : tensor<3x2xf32>
}

// The picture of moe.permute.
// ORDER: result 0: tensor<2x2x2xf32>
// ORDER-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ORDER-NEXT: {{\[\[}}[3, 4], [0, 0]], {{\[\[}}1, 2], [5, 6]]]{{$}}
// ORDER-NEXT: result 1: tensor<3x1xi32>
// ORDER-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ORDER-NEXT: {{\[\[}}2], [0], [3]]{{$}}
func.func @order() -> (tensor<2x2x2xf32>, tensor<3x1xi32>) {
  %x = call @tokens() : () -> tensor<3x2xf32>
  %ids = arith.constant dense<[[1], [0], [1]]> : tensor<3x1xi32>
  %buf, %slots = moe.permute choice %x by %ids : tensor<3x2xf32>, tensor<3x1xi32> -> tensor<2x2x2xf32>, tensor<3x1xi32>
  return %buf, %slots : tensor<2x2x2xf32>, tensor<3x1xi32>
}

// Expert 0 is the second choice of tokens 0 and 1 and the first of token 2.
// By choice token 2 is first and token 1 lost, by token it is token 2.
// OVERFLOW: result 0: tensor<3x2xi32>
// OVERFLOW-NEXT: rank 0: checksum {{[0-9a-f]+}}
// OVERFLOW-NEXT: {{\[\[}}2, 1], [3, -1], [0, -1]]{{$}}
// OVERFLOW-NEXT: result 1: tensor<1x2x2x2xf32>
// OVERFLOW-NEXT: rank 0: checksum {{[0-9a-f]+}}
// OVERFLOW-NEXT: {{\[\[}}{{\[\[}}1, 2], [3, 4]], {{\[\[}}1, 2], [3, 4]]]]{{$}}
// OVERFLOW-NEXT: result 2: tensor<3x2xi32>
// OVERFLOW-NEXT: rank 0: checksum {{[0-9a-f]+}}
// OVERFLOW-NEXT: {{\[\[}}2, 0], [3, 1], [-1, -1]]{{$}}
func.func @overflow() -> (tensor<3x2xi32>, tensor<1x2x2x2xf32>, tensor<3x2xi32>) {
  %x = call @tokens() : () -> tensor<3x2xf32>
  %ids = arith.constant dense<[[1, 0], [1, 0], [0, 1]]> : tensor<3x2xi32>
  %a, %s = moe.permute choice %x by %ids : tensor<3x2xf32>, tensor<3x2xi32> -> tensor<1x2x2x2xf32>, tensor<3x2xi32>
  %b, %t = moe.permute token %x by %ids : tensor<3x2xf32>, tensor<3x2xi32> -> tensor<1x2x2x2xf32>, tensor<3x2xi32>
  return %s, %b, %t : tensor<3x2xi32>, tensor<1x2x2x2xf32>, tensor<3x2xi32>
}

// Copies back, weighted 1, 0.5, 2 and 4; slot -1 adds nothing.
// UNORDER: result 0: tensor<3x2xf32>
// UNORDER-NEXT: rank 0: checksum {{[0-9a-f]+}}
// UNORDER-NEXT: {{\[\[}}4.5, 6], [12, 16], [0, 0]]{{$}}
func.func @unpermute() -> tensor<3x2xf32> {
  %b = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %s = arith.constant dense<[[0, 3], [-1, 1], [-1, -1]]> : tensor<3x2xi32>
  %w = arith.constant dense<[[1.0, 0.5], [2.0, 4.0], [1.0, 1.0]]> : tensor<3x2xf32>
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x2xf32>, tensor<3x2xi32>, tensor<3x2xf32> -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// Expert 0 doubles and sums, expert 1 swaps; relu cuts what is negative.
// GPT: result 0: tensor<2x2x2xf32>
// GPT-NEXT: rank 0: checksum {{[0-9a-f]+}}
// GPT-NEXT: {{\[\[}}[2, 3], [6, 0]], {{\[\[}}0, 5], [8, 7]]]{{$}}
func.func @gpt() -> tensor<2x2x2xf32> {
  %x = arith.constant dense<[[[1.0, 2.0], [3.0, -4.0]], [[5.0, -6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %w1 = arith.constant dense<[[[2.0, 1.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>
  %w2 = arith.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>
  %y = moe.experts gpt %x, %w1, %w2 activation relu : tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32> -> tensor<2x2x2xf32>
  return %y : tensor<2x2x2xf32>
}

// One hidden and one FFN element: gelu(1) = 0.8412, silu(1) = 0.7311;
// swiglu of x = 1 with up = 3 and down = 2: silu(1) * 3 * 2.
// ACTIVATIONS: result 0: tensor<1x1x1xf64>
// ACTIVATIONS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ACTIVATIONS-NEXT: {{\[\[}}[0.841191990608{{[0-9]+}}]]]{{$}}
// ACTIVATIONS-NEXT: result 1: tensor<1x1x1xf64>
// ACTIVATIONS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ACTIVATIONS-NEXT: {{\[\[}}[0.731058578630{{[0-9]+}}]]]{{$}}
// ACTIVATIONS-NEXT: result 2: tensor<1x1x1xf64>
// ACTIVATIONS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ACTIVATIONS-NEXT: {{\[\[}}[4.386351471780{{[0-9]+}}]]]{{$}}
func.func @activations() -> (tensor<1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1xf64>) {
  %x = arith.constant dense<1.0> : tensor<1x1x1xf64>
  %up = arith.constant dense<3.0> : tensor<1x1x1xf64>
  %down = arith.constant dense<2.0> : tensor<1x1x1xf64>
  %g = moe.experts gpt %x, %x, %x : tensor<1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1xf64> -> tensor<1x1x1xf64>
  %s = moe.experts gpt %x, %x, %x activation silu : tensor<1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1xf64> -> tensor<1x1x1xf64>
  %w = moe.experts swiglu %x, %x, %up, %down : tensor<1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1xf64> -> tensor<1x1x1xf64>
  return %g, %s, %w : tensor<1x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1xf64>
}

// 256 + 1 is 256 in bf16; summed as doubles and rounded once, 256 + 1 + 1 is
// 258.
// ROUNDED_ONCE: result 0: tensor<1x1x1xbf16>
// ROUNDED_ONCE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ROUNDED_ONCE-NEXT: {{\[\[}}[258]]]{{$}}
// ROUNDED_ONCE-NEXT: result 1: tensor<1x1xbf16>
// ROUNDED_ONCE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ROUNDED_ONCE-NEXT: {{\[\[}}258]]{{$}}
func.func @rounded_once() -> (tensor<1x1x1xbf16>, tensor<1x1xbf16>) {
  %x = arith.constant dense<[[[256.0, 1.0, 1.0]]]> : tensor<1x1x3xbf16>
  %i = arith.constant dense<[[[1.0], [1.0], [1.0]]]> : tensor<1x3x1xbf16>
  %o = arith.constant dense<[[[1.0, 0.0, 0.0]]]> : tensor<1x1x3xbf16>
  %y = moe.experts gpt %x, %i, %o activation relu : tensor<1x1x3xbf16>, tensor<1x3x1xbf16>, tensor<1x1x3xbf16> -> tensor<1x1x3xbf16>
  %z = tensor.extract_slice %y[0, 0, 0] [1, 1, 1] [1, 1, 1] : tensor<1x1x3xbf16> to tensor<1x1x1xbf16>
  %b = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x1x3xbf16> into tensor<1x3xbf16>
  %c = moe.transpose %b [1, 0] : tensor<1x3xbf16> -> tensor<3x1xbf16>
  %s = arith.constant dense<[[0, 1, 2]]> : tensor<1x3xi32>
  %w = arith.constant dense<1.0> : tensor<1x3xbf16>
  %u = moe.unpermute %c by %s weights %w : tensor<3x1xbf16>, tensor<1x3xi32>, tensor<1x3xbf16> -> tensor<1x1xbf16>
  return %z, %u : tensor<1x1x1xbf16>, tensor<1x1xbf16>
}
