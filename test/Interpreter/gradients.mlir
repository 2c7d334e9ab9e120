// Values of gradients, by hand; test/Frontend/train-gradients.test
// compares them with differences.
// RUN: split-file %s %t
// RUN: moe-run %t/values.mlir --print-values | FileCheck %s
// RUN: not moe-run %t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not moe-run %t/far.mlir 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not moe-run %t/ids.mlir 2>&1 | FileCheck %s --check-prefix=IDS
// RUN: not moe-run %t/open.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: moe-run %t/values.mlir --symbolic --against %t/values.mlir | FileCheck %s --check-prefix=SAME
// RUN: not moe-run %t/dense.mlir --symbolic --against %t/dense2.mlir | FileCheck %s --check-prefix=NAMES
// RUN: moe-run %t/dense.mlir --against %t/dense2.mlir | FileCheck %s --check-prefix=SAME

//--- values.mlir
func.func @main() -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<3x1xf32>,
                      tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2xf32>,
                      tensor<1x2xf32>, tensor<2x2xf32>,
                      tensor<2x2xf32>, tensor<2x2xf32>, tensor<5xf32>) {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %slots = arith.constant dense<[[2], [-1], [1]]> : tensor<3x1xi32>
  %w = arith.constant dense<[[2.0], [8.0], [0.5]]> : tensor<3x1xf32>
  // Slot 2 holds row 0, slot 1 row 2.
  // CHECK: result 0:
  // CHECK: {{\[\[\[}}0, 0], [5, 6]], {{\[\[}}1, 2], [0, 0]]]
  %0 = moe.scatter %x by %slots : tensor<3x2xf32>, tensor<3x1xi32> -> tensor<2x2x2xf32>
  // CHECK: result 1:
  // CHECK: {{\[\[\[}}0, 0], [2.5, 3]], {{\[\[}}2, 4], [0, 0]]]
  %1 = moe.scatter %x by %slots weights %w : tensor<3x1xf32>
     : tensor<3x2xf32>, tensor<3x1xi32> -> tensor<2x2x2xf32>
  // 1*1 + 2*2; lost; 5*5 + 6*6.
  // CHECK: result 2:
  // CHECK: {{\[\[}}5], [0], [61]]
  %2 = moe.unpermute_wgrad %x, %0 by %slots
     : tensor<3x2xf32>, tensor<2x2x2xf32>, tensor<3x1xi32> -> tensor<3x1xf32>

  // One expert of one inner element: a = 1 - 2 = -1 and 3, so relu keeps the
  // second row; dh = 1 + 1 and 1 - 1, of which the first does not count.
  %rows = arith.constant dense<[[[1.0, 2.0], [6.0, 3.0]]]> : tensor<1x2x2xf32>
  %dy = arith.constant dense<[[[1.0, 1.0], [2.0, -1.0]]]> : tensor<1x2x2xf32>
  %w1 = arith.constant dense<[[[1.0], [-1.0]]]> : tensor<1x2x1xf32>
  %w2 = arith.constant dense<[[[1.0, 1.0]]]> : tensor<1x1x2xf32>
  // CHECK: result 3:
  // CHECK: {{\[\[\[}}{{-?}}0, {{-?}}0], [1, -1]]]
  %3 = moe.experts_dgrad gpt %dy at %rows, %w1, %w2 activation relu
     : tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2xf32>
  // dW1 = x * dh of row 1; dW2 = a * dy of row 1.
  // CHECK: result 4:
  // CHECK: {{\[\[\[}}6], [3]]]
  // CHECK: result 5:
  // CHECK: {{\[\[\[}}6, -3]]]
  %4:2 = moe.experts_wgrad gpt %dy at %rows, %w1, %w2 activation relu
     : tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2xf32>
    -> tensor<1x2x1xf32>, tensor<1x1x2xf32>

  // Both scores 1/2; the chosen one's gradient 4 becomes logits' 4/4 and -4/4.
  %token = arith.constant dense<[[1.0, 1.0]]> : tensor<1x2xf32>
  %router = arith.constant dense<[[1.0, 2.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %ids = arith.constant dense<1> : tensor<1x1xi32>
  %dw = arith.constant dense<2.0> : tensor<1x1xf32>
  // CHECK: result 6:
  // CHECK: {{\[\[}}1, -1]]
  // CHECK: result 7:
  // CHECK: {{\[\[}}-1, 1], [-1, 1]]
  %5:2 = moe.gate_grad softmax %token, %router by %ids, %dw {scale = 2.0}
     : tensor<1x2xf32>, tensor<2x2xf32>, tensor<1x1xi32>, tensor<1x1xf32>

  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[1.0, -1.0], [0.5, 2.0]]> : tensor<2x2xf32>
  // CHECK: result 8:
  // CHECK: {{\[\[}}0.5, 1], [1.5, 2]]
  %6 = moe.dense "d" %a macs 1 parts 2 : tensor<2x2xf32>
  // CHECK: result 9:
  // CHECK: {{\[\[}}1, -1], [0.5, 2]]
  %7 = moe.dense_dgrad "d" %b at %a macs 1 : tensor<2x2xf32>
  // 1*1 + 3*0.5, 2*1 + 4*0.5, 1*-1 + 3*2, 2*-1 + 4*2, and from the start.
  // CHECK: result 10:
  // CHECK: [2.5, 4, 5, 6, 2.5]
  %8 = moe.dense_wgrad "d" %b at %a macs 1 : tensor<2x2xf32> -> tensor<5xf32>
  return %0, %1, %2, %3, %4#0, %4#1, %5#0, %5#1, %6, %7, %8
    : tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<3x1xf32>, tensor<1x2x2xf32>,
      tensor<1x2x1xf32>, tensor<1x1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>,
      tensor<2x2xf32>, tensor<2x2xf32>, tensor<5xf32>
}

// SAME: equal: 1 ranks

//--- twice.mlir
// TWICE: error: 'moe.scatter' op expected slots in [-1, 4), each at most once, got 2 as copy 1 of token 1 on rank 0
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %slots = arith.constant dense<[[2, -1], [-1, 2]]> : tensor<2x2xi32>
  %0 = moe.scatter %x by %slots : tensor<2x2xf32>, tensor<2x2xi32> -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

//--- far.mlir
// FAR: error: 'moe.unpermute_wgrad' op expected slots in [-1, 4), got 4 as copy 0 of token 1 on rank 0
func.func @main(%x: tensor<2x2xf32>, %b: tensor<2x2x2xf32>) -> tensor<2x1xf32> {
  %slots = arith.constant dense<[[2], [4]]> : tensor<2x1xi32>
  %0 = moe.unpermute_wgrad %x, %b by %slots : tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x1xi32> -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

//--- ids.mlir
// IDS: error: 'moe.gate_grad' op expected expert numbers in [0, 3), distinct for a token, got 2 as choice 1 of token 0 on rank 0
func.func @main(%x: tensor<1x2xf32>, %r: tensor<2x3xf32>, %d: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %ids = arith.constant dense<[[2, 2]]> : tensor<1x2xi32>
  %0:2 = moe.gate_grad softmax %x, %r by %ids, %d : tensor<1x2xf32>, tensor<2x3xf32>, tensor<1x2xi32>, tensor<1x2xf32>
  return %0#0 : tensor<1x2xf32>
}

//--- open.mlir
// OPEN: error: 'moe.dense_wgrad' op has no reference semantics: expected a static number of parameters, got 'tensor<?xf32>'
func.func @main(%x: tensor<1x2xf32>) -> tensor<?xf32> {
  %0 = moe.dense_wgrad "d" %x at %x macs 1 : tensor<1x2xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Dense parts of other names have equal values, but are other functions.
// NAMES: unequal: result 0

//--- dense.mlir
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = moe.dense "a" %x macs 1 : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

//--- dense2.mlir
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = moe.dense "b" %x macs 1 : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
