// Gradients and dense parts run as compiled code with the interpreter's numbers
// bit for bit, and what is wrong in their data ends the job.

// RUN: split-file %s %t
// RUN: %python %S/Inputs/host.py %t/experts.mlir
// RUN: %python %S/Inputs/host.py %t/slots.mlir
// RUN: %python %S/Inputs/host.py %t/gates.mlir
// RUN: %python %S/Inputs/host.py %t/kinds.mlir
// RUN: %python %S/Inputs/host.py %t/mixes.mlir
// RUN: %python %S/Inputs/host.py %t/dense.mlir
// RUN: %python %S/Inputs/host.py %t/values.mlir
// RUN: moe-run --backend=host %t/values.mlir --print-values | FileCheck %t/values.mlir

// Chunks of a gradient, and of the rows it is summed over.
// RUN: moe-opt %t/chunks.mlir --moe-schedule -o %t/chunks.schedule.mlir
// RUN: %python %S/Inputs/host.py %t/chunks.schedule.mlir
// RUN: moe-run --backend=host %t/chunks.schedule.mlir --against=%t/whole.mlir | FileCheck %s --check-prefix=SAME
// RUN: %python %S/Inputs/host.py %t/pieces.mlir
// RUN: moe-run --backend=host %t/pieces.mlir --against=%t/one.mlir | FileCheck %s --check-prefix=PIECES
// RUN: moe-opt %t/pieces.mlir --moe-schedule -o %t/pieces.schedule.mlir
// RUN: moe-run --backend=host %t/pieces.schedule.mlir --against=%t/one.mlir | FileCheck %s --check-prefix=PIECES
// SAME: equal: 2 ranks
// PIECES: equal: 4 ranks

// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: scatter: expected each slot at most once, got 2 again as copy 1 of token 1
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/far.mlir 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: unorder_wgrad: expected slots in [-1, 4), got 4 as copy 0 of token 1
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/ids.mlir 2>&1 | FileCheck %s --check-prefix=IDS
// IDS: gate_grad: expected expert numbers in [0, 3), distinct for a token, got 2 as choice 1 of token 0

//--- experts.mlir
// More rows than the kernel takes at once, and inner dims beyond a panel.
func.func @main(%x: tensor<2x2x35x5xbf16>, %dy: tensor<2x2x35x5xbf16>, %w1: tensor<2x5x300xbf16>, %w2: tensor<2x5x300xbf16>, %w3: tensor<2x300x5xbf16>, %y: tensor<1x3x4xf64>, %dz: tensor<1x3x4xf64>, %v1: tensor<1x4x6xf64>, %v2: tensor<1x6x4xf64>, %h: tensor<2x0x4xf32>, %u1: tensor<2x4x6xf32>, %u2: tensor<2x6x4xf32>) -> (tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<2x5x300xbf16>, tensor<2x300x5xbf16>, tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<1x3x4xf64>, tensor<1x6x4xf64>, tensor<1x3x4xf64>, tensor<1x4x6xf64>, tensor<2x4x6xf32>) {
  %0 = moe.experts_dgrad swiglu %dy at %x, %w1, %w2, %w3 : tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<2x5x300xbf16>, tensor<2x300x5xbf16>
  %1:3 = moe.experts_wgrad swiglu %dy at %x, %w1, %w2, %w3 : tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<2x5x300xbf16>, tensor<2x300x5xbf16> -> tensor<2x5x300xbf16>, tensor<2x5x300xbf16>, tensor<2x300x5xbf16>
  %2 = moe.experts_dgrad gpt %dy at %x, %w1, %w3 : tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<2x300x5xbf16>
  %3:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w3 activation gelu : tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<2x300x5xbf16> -> tensor<2x5x300xbf16>, tensor<2x300x5xbf16>
  %4 = moe.experts_dgrad gpt %dz at %y, %v1, %v2 activation relu : tensor<1x3x4xf64>, tensor<1x4x6xf64>, tensor<1x6x4xf64>
  %5:2 = moe.experts_wgrad gpt %dz at %y, %v1, %v2 activation relu : tensor<1x3x4xf64>, tensor<1x4x6xf64>, tensor<1x6x4xf64> -> tensor<1x4x6xf64>, tensor<1x6x4xf64>
  %6 = moe.experts_dgrad gpt %dz at %y, %v1, %v2 activation silu : tensor<1x3x4xf64>, tensor<1x4x6xf64>, tensor<1x6x4xf64>
  %7:2 = moe.experts_wgrad gpt %dz at %y, %v1, %v2 activation silu : tensor<1x3x4xf64>, tensor<1x4x6xf64>, tensor<1x6x4xf64> -> tensor<1x4x6xf64>, tensor<1x6x4xf64>
  %8:2 = moe.experts_wgrad gpt %h at %h, %u1, %u2 : tensor<2x0x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %0, %1#0, %1#1, %1#2, %2, %3#0, %4, %5#1, %6, %7#0, %8#0 : tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<2x5x300xbf16>, tensor<2x300x5xbf16>, tensor<2x2x35x5xbf16>, tensor<2x5x300xbf16>, tensor<1x3x4xf64>, tensor<1x6x4xf64>, tensor<1x3x4xf64>, tensor<1x4x6xf64>, tensor<2x4x6xf32>
}

//--- slots.mlir
func.func @main(%x: tensor<9x5xf16>, %r: tensor<5x4xf32>, %dy: tensor<9x5xf16>) -> (tensor<2x2x3x5xf16>, tensor<2x2x3x5xf16>, tensor<9x2xf32>, tensor<9x2xf16>) {
  // Six slots too few: some copies are lost.
  %ids, %w = moe.gate softmax %x, %r top_k 2 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x2xi64>, tensor<9x2xf32>
  %b, %slots = moe.permute choice %x by %ids : tensor<9x5xf16>, tensor<9x2xi64> -> tensor<2x2x3x5xf16>, tensor<9x2xi64>
  %0 = moe.scatter %dy by %slots weights %w : tensor<9x2xf32> : tensor<9x5xf16>, tensor<9x2xi64> -> tensor<2x2x3x5xf16>
  %1 = moe.scatter %dy by %slots : tensor<9x5xf16>, tensor<9x2xi64> -> tensor<2x2x3x5xf16>
  %2 = moe.unpermute_wgrad %dy, %b by %slots : tensor<9x5xf16>, tensor<2x2x3x5xf16>, tensor<9x2xi64> -> tensor<9x2xf32>
  %3 = moe.unpermute_wgrad %dy, %0 by %slots : tensor<9x5xf16>, tensor<2x2x3x5xf16>, tensor<9x2xi64> -> tensor<9x2xf16>
  return %0, %1, %2, %3 : tensor<2x2x3x5xf16>, tensor<2x2x3x5xf16>, tensor<9x2xf32>, tensor<9x2xf16>
}

//--- gates.mlir
func.func @main(%x: tensor<70x5xbf16>, %r: tensor<5x6xf32>, %dw: tensor<70x2xf32>) -> (tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>) {
  %ids, %w = moe.gate softmax %x, %r top_k 2 : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x2xi32>, tensor<70x2xf32>
  %0:2 = moe.gate_grad softmax %x, %r by %ids, %dw {normalize} : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x2xi32>, tensor<70x2xf32>
  %1:2 = moe.gate_grad softmax %x, %r by %ids, %dw {scale = 2.5} : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x2xi32>, tensor<70x2xf32>
  %2:2 = moe.gate_grad sigmoid %x, %r by %ids, %dw {normalize, scale = 2.5} : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x2xi32>, tensor<70x2xf32>
  %3:2 = moe.gate_grad sigmoid %x, %r by %ids, %dw : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x2xi32>, tensor<70x2xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0 : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>
}

//--- kinds.mlir
// More tokens than the kernel takes at once; a router column of zeros.
func.func @main(%x: tensor<70x5xbf16>, %r: tensor<5x6xf32>, %n: tensor<5x6xf16>, %p: tensor<5x3xbf16>, %q: tensor<3x6xf32>, %d: tensor<70x1xf64>, %dw: tensor<70x2xf32>) -> (tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<5x6xf16>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<3x6xf32>, tensor<5x3xbf16>, tensor<3x6xf32>) {
  %s = arith.constant 7 : i64
  %zero = arith.constant dense<0.0> : tensor<3x6xf32>
  %i, %w = moe.gate switch %x, %r jitter 0.5 seed %s top_k 1 : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x1xi64>, tensor<70x1xf32>
  %0:2 = moe.gate_grad switch %x, %r by %i, %d jitter 0.5 seed %s : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x1xi64>, tensor<70x1xf64>
  %i1, %w1 = moe.gate gshard %x, %r noise %n : tensor<5x6xf16> seed %s top_k 2 : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x2xi32>, tensor<70x2xf32>
  %1:3 = moe.gate_grad gshard %x, %r by %i1, %dw noise %n : tensor<5x6xf16> seed %s : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x2xi32>, tensor<70x2xf32> -> tensor<5x6xf16>
  %2:2 = moe.gate_grad gshard %x, %r by %i1, %dw {scale = 2.5} : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x2xi32>, tensor<70x2xf32>
  %i3, %w3 = moe.gate xmoe %x, %q projection %p : tensor<5x3xbf16> temperature 0.07 top_k 2 : tensor<70x5xbf16>, tensor<3x6xf32> -> tensor<70x2xi32>, tensor<70x2xf32>
  %3:3 = moe.gate_grad xmoe %x, %q by %i3, %dw projection %p : tensor<5x3xbf16> temperature 0.07 {normalize} : tensor<70x5xbf16>, tensor<3x6xf32>, tensor<70x2xi32>, tensor<70x2xf32> -> tensor<5x3xbf16>
  %4:3 = moe.gate_grad xmoe %x, %zero by %i3, %dw projection %p : tensor<5x3xbf16> temperature 0.07 : tensor<70x5xbf16>, tensor<3x6xf32>, tensor<70x2xi32>, tensor<70x2xf32> -> tensor<5x3xbf16>
  return %0#0, %0#1, %1#0, %1#1, %1#2, %2#0, %2#1, %3#0, %3#1, %3#2, %4#1 : tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<5x6xf16>, tensor<70x5xbf16>, tensor<5x6xf32>, tensor<70x5xbf16>, tensor<3x6xf32>, tensor<5x3xbf16>, tensor<3x6xf32>
}

//--- mixes.mlir
// An expert choice with room for some and for more than there are.
func.func @main(%x: tensor<9x5xf16>, %r: tensor<5x4xf32>, %dw: tensor<9x4xf32>, %sr: tensor<5x4x3xbf16>, %dd: tensor<9x4x3xf32>, %dc: tensor<9x4x3xf64>) -> (tensor<9x5xf16>, tensor<5x4xf32>, tensor<9x5xf16>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<9x5xf16>, tensor<5x4x3xbf16>, tensor<9x4x3xf32>) {
  %s, %w = moe.expert_choice over experts %x, %r capacity 4 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x4xi32>, tensor<9x4xf32>
  %0:2 = moe.expert_choice_grad over experts %x, %r by %s, %dw : tensor<9x5xf16>, tensor<5x4xf32>, tensor<9x4xi32>, tensor<9x4xf32>
  %s1, %w1 = moe.expert_choice over tokens %x, %r capacity 3 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x4xi64>, tensor<9x4xf32>
  %1:2 = moe.expert_choice_grad over tokens %x, %r by %s1, %dw : tensor<9x5xf16>, tensor<5x4xf32>, tensor<9x4xi64>, tensor<9x4xf32>
  %s2, %w2 = moe.expert_choice over tokens %x, %r capacity 12 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x4xi32>, tensor<9x4xf32>
  %2:2 = moe.expert_choice_grad over tokens %x, %r by %s2, %dw : tensor<9x5xf16>, tensor<5x4xf32>, tensor<9x4xi32>, tensor<9x4xf32>
  %3:2 = moe.soft_gate_grad %x, %sr by %dd, %dc : tensor<9x5xf16>, tensor<5x4x3xbf16>, tensor<9x4x3xf32>, tensor<9x4x3xf64>
  %b = moe.soft_permute %x by %dd : tensor<9x5xf16>, tensor<9x4x3xf32> -> tensor<2x2x3x5xf16>
  %4 = moe.soft_wgrad %x, %b : tensor<9x5xf16>, tensor<2x2x3x5xf16> -> tensor<9x4x3xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#1, %3#0, %3#1, %4 : tensor<9x5xf16>, tensor<5x4xf32>, tensor<9x5xf16>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<9x5xf16>, tensor<5x4x3xbf16>, tensor<9x4x3xf32>
}

//--- dense.mlir
func.func @main(%x: tensor<9x5xbf16>, %dy: tensor<9x5xbf16>, %e: tensor<0x5xf32>) -> (tensor<9x5xbf16>, tensor<9x5xbf16>, tensor<62xbf16>, tensor<3xbf16>, tensor<7xf32>) {
  %0 = moe.dense "d" %x macs 7 parts 3 : tensor<9x5xbf16>
  %1 = moe.dense_dgrad "d" %dy at %x macs 7 gemms 2 parts 7 : tensor<9x5xbf16>
  %2 = moe.dense_wgrad "d" %dy at %x macs 7 : tensor<9x5xbf16> -> tensor<62xbf16>
  %3 = moe.dense_wgrad "d" %0 at %1 macs 7 us 3.0 : tensor<9x5xbf16> -> tensor<3xbf16>
  %4 = moe.dense_wgrad "d" %e at %e macs 7 : tensor<0x5xf32> -> tensor<7xf32>
  return %0, %1, %2, %3, %4 : tensor<9x5xbf16>, tensor<9x5xbf16>, tensor<62xbf16>, tensor<3xbf16>, tensor<7xf32>
}

//--- values.mlir
// By hand: test/Interpreter/gradients.mlir has the sums.
func.func @main() -> (tensor<2x2x2xf32>, tensor<3x1xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x2xf32>, tensor<5xf32>) {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %slots = arith.constant dense<[[2], [-1], [1]]> : tensor<3x1xi32>
  %w = arith.constant dense<[[2.0], [8.0], [0.5]]> : tensor<3x1xf32>
  // CHECK: result 0:
  // CHECK: {{\[\[\[}}0, 0], [2.5, 3]], {{\[\[}}2, 4], [0, 0]]]
  %0 = moe.scatter %x by %slots weights %w : tensor<3x1xf32> : tensor<3x2xf32>, tensor<3x1xi32> -> tensor<2x2x2xf32>
  // CHECK: result 1:
  // CHECK: {{\[\[}}10], [0], [30.5]]
  %1 = moe.unpermute_wgrad %x, %0 by %slots : tensor<3x2xf32>, tensor<2x2x2xf32>, tensor<3x1xi32> -> tensor<3x1xf32>
  %rows = arith.constant dense<[[[1.0, 2.0], [6.0, 3.0]]]> : tensor<1x2x2xf32>
  %dy = arith.constant dense<[[[1.0, 1.0], [2.0, -1.0]]]> : tensor<1x2x2xf32>
  %w1 = arith.constant dense<[[[1.0], [-1.0]]]> : tensor<1x2x1xf32>
  %w2 = arith.constant dense<[[[1.0, 1.0]]]> : tensor<1x1x2xf32>
  // CHECK: result 2:
  // CHECK: {{\[\[\[}}{{-?}}0, {{-?}}0], [1, -1]]]
  %2 = moe.experts_dgrad gpt %dy at %rows, %w1, %w2 activation relu : tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2xf32>
  // CHECK: result 3:
  // CHECK: {{\[\[\[}}6], [3]]]
  %3:2 = moe.experts_wgrad gpt %dy at %rows, %w1, %w2 activation relu : tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2xf32> -> tensor<1x2x1xf32>, tensor<1x1x2xf32>
  %token = arith.constant dense<[[1.0, 1.0]]> : tensor<1x2xf32>
  %router = arith.constant dense<[[1.0, 2.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %ids = arith.constant dense<1> : tensor<1x1xi32>
  %dw = arith.constant dense<2.0> : tensor<1x1xf32>
  // CHECK: result 4:
  // CHECK: {{\[\[}}1, -1]]
  %5:2 = moe.gate_grad softmax %token, %router by %ids, %dw {scale = 2.0} : tensor<1x2xf32>, tensor<2x2xf32>, tensor<1x1xi32>, tensor<1x1xf32>
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[1.0, -1.0], [0.5, 2.0]]> : tensor<2x2xf32>
  // CHECK: result 5:
  // CHECK: [2.5, 4, 5, 6, 2.5]
  %8 = moe.dense_wgrad "d" %b at %a macs 1 : tensor<2x2xf32> -> tensor<5xf32>
  return %0, %1, %2, %3#0, %5#0, %8 : tensor<2x2x2xf32>, tensor<3x1xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x2xf32>, tensor<5xf32>
}

//--- whole.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<2x7x4xf32>, %dy: tensor<2x7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) -> (tensor<2x7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %e = moe.all_to_all %dy on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x7x4xf32> -> tensor<2x7x4xf32>
  %0 = moe.experts_dgrad gpt %e at %x, %w1, %w2 activation relu : tensor<2x7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %1:2 = moe.experts_wgrad gpt %e at %x, %w1, %w2 activation relu : tensor<2x7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %0, %1#0, %1#1 : tensor<2x7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

//--- chunks.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<2x7x4xf32>, %dy: tensor<2x7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) -> (tensor<2x7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %r:3 = moe.pipeline degree 3 (%a = %x split 1 : tensor<2x7x4xf32> as tensor<2x?x4xf32>, %b = %dy split 1 : tensor<2x7x4xf32> as tensor<2x?x4xf32>, %c = %w1 shared : tensor<2x4x6xf32> as tensor<2x4x6xf32>, %d = %w2 shared : tensor<2x6x4xf32> as tensor<2x6x4xf32>) {
    %e = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x?x4xf32> -> tensor<2x?x4xf32>
    %0 = moe.experts_dgrad gpt %e at %a, %c, %d activation relu : tensor<2x?x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    %1:2 = moe.experts_wgrad gpt %e at %a, %c, %d activation relu : tensor<2x?x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
    moe.yield %0, %1#0, %1#1 : tensor<2x?x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  } -> concat 1 : tensor<2x7x4xf32>, sum : tensor<2x4x6xf32>, sum : tensor<2x6x4xf32>
  return %r#0, %r#1, %r#2 : tensor<2x7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

//--- one.mlir
moe.mesh @mesh axes ["dp", "ep"] shape [2, 2]
func.func @main(%x: tensor<1x7x4xbf16>, %dy: tensor<1x7x4xbf16>, %w1: tensor<1x4x6xbf16>, %w2: tensor<1x6x4xbf16>, %t: tensor<5x3xf32>) -> (tensor<1x6x4xbf16>, tensor<12xf32>) {
  %1:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2 activation relu : tensor<1x7x4xbf16>, tensor<1x4x6xbf16>, tensor<1x6x4xbf16> -> tensor<1x4x6xbf16>, tensor<1x6x4xbf16>
  %g = moe.all_reduce %1#1 on <@mesh, ["dp"]> : tensor<1x6x4xbf16>
  %d = moe.dense_wgrad "d" %t at %t macs 7 : tensor<5x3xf32> -> tensor<12xf32>
  %h = moe.all_reduce %d on <@mesh, ["dp", "ep"]> : tensor<12xf32>
  return %g, %h : tensor<1x6x4xbf16>, tensor<12xf32>
}

//--- pieces.mlir
// Parts of gradients are summed on their own.
moe.mesh @mesh axes ["dp", "ep"] shape [2, 2]
func.func @main(%x: tensor<1x7x4xbf16>, %dy: tensor<1x7x4xbf16>, %w1: tensor<1x4x6xbf16>, %w2: tensor<1x6x4xbf16>, %t: tensor<5x3xf32>) -> (tensor<1x6x4xbf16>, tensor<12xf32>) {
  %1:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2 activation relu : tensor<1x7x4xbf16>, tensor<1x4x6xbf16>, tensor<1x6x4xbf16> -> tensor<1x4x6xbf16>, tensor<1x6x4xbf16>
  %flat = tensor.collapse_shape %1#1 [[0, 1, 2]] : tensor<1x6x4xbf16> into tensor<24xbf16>
  %p0 = tensor.extract_slice %flat[0] [11] [1] : tensor<24xbf16> to tensor<11xbf16>
  %p1 = tensor.extract_slice %flat[11] [13] [1] : tensor<24xbf16> to tensor<13xbf16>
  %s0 = moe.all_reduce %p0 on <@mesh, ["dp"]> : tensor<11xbf16>
  %d = moe.dense_wgrad "d" %t at %t macs 7 : tensor<5x3xf32> -> tensor<12xf32>
  %q0 = tensor.extract_slice %d[0] [1] [1] : tensor<12xf32> to tensor<1xf32>
  %q1 = tensor.extract_slice %d[1] [11] [1] : tensor<12xf32> to tensor<11xf32>
  %t0 = moe.all_reduce %q0 on <@mesh, ["dp", "ep"]> : tensor<1xf32>
  %s1 = moe.all_reduce %p1 on <@mesh, ["dp"]> : tensor<13xbf16>
  %t1 = moe.all_reduce %q1 on <@mesh, ["dp", "ep"]> : tensor<11xf32>
  %both = moe.assemble %s0, %s1 dim 0 : tensor<11xbf16>, tensor<13xbf16> -> tensor<24xbf16>
  %g = tensor.expand_shape %both [[0, 1, 2]] output_shape [1, 6, 4] : tensor<24xbf16> into tensor<1x6x4xbf16>
  %h = moe.assemble %t0, %t1 dim 0 : tensor<1xf32>, tensor<11xf32> -> tensor<12xf32>
  return %g, %h : tensor<1x6x4xbf16>, tensor<12xf32>
}

//--- twice.mlir
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %slots = arith.constant dense<[[2, -1], [-1, 2]]> : tensor<2x2xi32>
  %0 = moe.scatter %x by %slots : tensor<2x2xf32>, tensor<2x2xi32> -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

//--- far.mlir
func.func @main(%x: tensor<2x2xf32>, %b: tensor<2x2x2xf32>) -> tensor<2x1xf32> {
  %slots = arith.constant dense<[[2], [4]]> : tensor<2x1xi32>
  %0 = moe.unpermute_wgrad %x, %b by %slots : tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x1xi32> -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

//--- ids.mlir
func.func @main(%x: tensor<1x2xf32>, %r: tensor<2x3xf32>, %d: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %ids = arith.constant dense<[[2, 2]]> : tensor<1x2xi32>
  %0:2 = moe.gate_grad softmax %x, %r by %ids, %d : tensor<1x2xf32>, tensor<2x3xf32>, tensor<1x2xi32>, tensor<1x2xf32>
  return %0#0 : tensor<1x2xf32>
}
