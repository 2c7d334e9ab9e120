// Noisy and cosine gates, gates that choose or mix tokens: compiled code gives
// the interpreter's bits, which test/Interpreter compares with NumPy.

// RUN: split-file %s %t
// RUN: %python %S/Inputs/host.py %t/gates.mlir
// RUN: %python %S/Inputs/host.py %t/choice.mlir
// RUN: %python %S/Inputs/host.py %t/soft.mlir
// RUN: %python %S/Inputs/host.py %t/special.mlir
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 1 moe-run --backend=host %t/gates.mlir --against=%t/seeds.mlir | FileCheck %s --check-prefix=SEEDS
// SEEDS: unequal: result

//--- gates.mlir
func.func @main(%x: tensor<70x5xbf16>, %r: tensor<5x6xf32>, %n: tensor<5x6xf32>, %p: tensor<5x3xbf16>, %q: tensor<3x6xf32>) -> (tensor<70x1xi32>, tensor<70x1xf32>, tensor<70x2xi32>, tensor<70x2xf32>, tensor<70x3xi64>, tensor<70x3xbf16>, tensor<70x2xi32>, tensor<70x2xf32>) {
  %s = arith.constant 7 : i64
  %z = arith.constant -3 : i64
  %0:2 = moe.gate switch %x, %r jitter 0.5 seed %s top_k 1 : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x1xi32>, tensor<70x1xf32>
  %1:2 = moe.gate gshard %x, %r noise %n : tensor<5x6xf32> seed %z top_k 2 : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x2xi32>, tensor<70x2xf32>
  %2:2 = moe.gate gshard %x, %r top_k 3 {scale = 2.5} : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x3xi64>, tensor<70x3xbf16>
  %3:2 = moe.gate xmoe %x, %q projection %p : tensor<5x3xbf16> temperature 0.07 top_k 2 {normalize} : tensor<70x5xbf16>, tensor<3x6xf32> -> tensor<70x2xi32>, tensor<70x2xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1 : tensor<70x1xi32>, tensor<70x1xf32>, tensor<70x2xi32>, tensor<70x2xf32>, tensor<70x3xi64>, tensor<70x3xbf16>, tensor<70x2xi32>, tensor<70x2xf32>
}

//--- seeds.mlir
func.func @main(%x: tensor<70x5xbf16>, %r: tensor<5x6xf32>, %n: tensor<5x6xf32>, %p: tensor<5x3xbf16>, %q: tensor<3x6xf32>) -> (tensor<70x1xi32>, tensor<70x1xf32>, tensor<70x2xi32>, tensor<70x2xf32>, tensor<70x3xi64>, tensor<70x3xbf16>, tensor<70x2xi32>, tensor<70x2xf32>) {
  %s = arith.constant 7 : i64
  %z = arith.constant -4 : i64
  %0:2 = moe.gate switch %x, %r jitter 0.5 seed %s top_k 1 : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x1xi32>, tensor<70x1xf32>
  %1:2 = moe.gate gshard %x, %r noise %n : tensor<5x6xf32> seed %z top_k 2 : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x2xi32>, tensor<70x2xf32>
  %2:2 = moe.gate gshard %x, %r top_k 3 {scale = 2.5} : tensor<70x5xbf16>, tensor<5x6xf32> -> tensor<70x3xi64>, tensor<70x3xbf16>
  %3:2 = moe.gate xmoe %x, %q projection %p : tensor<5x3xbf16> temperature 0.07 top_k 2 {normalize} : tensor<70x5xbf16>, tensor<3x6xf32> -> tensor<70x2xi32>, tensor<70x2xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1 : tensor<70x1xi32>, tensor<70x1xf32>, tensor<70x2xi32>, tensor<70x2xf32>, tensor<70x3xi64>, tensor<70x3xbf16>, tensor<70x2xi32>, tensor<70x2xf32>
}

//--- choice.mlir
// Expert choice with room for some, for more than there are, and for none.
func.func @main(%x: tensor<9x5xf16>, %r: tensor<5x4xf32>) -> (tensor<9x5xf16>, tensor<9x4xi32>, tensor<9x4xf32>, tensor<9x4xi64>, tensor<9x4xf32>, tensor<9x4xi32>, tensor<9x4xf32>) {
  %s, %w = moe.expert_choice over experts %x, %r capacity 4 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x4xi32>, tensor<9x4xf32>
  %b = moe.scatter %x by %s : tensor<9x5xf16>, tensor<9x4xi32> -> tensor<2x2x4x5xf16>
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4x5xf16>, tensor<9x4xi32>, tensor<9x4xf32> -> tensor<9x5xf16>
  %1:2 = moe.expert_choice over tokens %x, %r capacity 3 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x4xi64>, tensor<9x4xf32>
  %2:2 = moe.expert_choice over tokens %x, %r capacity 12 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x4xi32>, tensor<9x4xf32>
  %3:2 = moe.expert_choice over experts %x, %r capacity 0 : tensor<9x5xf16>, tensor<5x4xf32> -> tensor<9x4xi32>, tensor<9x4xf32>
  return %y, %s, %w, %1#0, %1#1, %3#0, %2#1 : tensor<9x5xf16>, tensor<9x4xi32>, tensor<9x4xf32>, tensor<9x4xi64>, tensor<9x4xf32>, tensor<9x4xi32>, tensor<9x4xf32>
}

//--- soft.mlir
func.func @main(%x: tensor<9x5xbf16>, %r: tensor<5x4x3xf32>) -> (tensor<9x4x3xf32>, tensor<9x4x3xf64>, tensor<2x2x3x5xbf16>, tensor<9x5xbf16>) {
  %d, %c = moe.soft_gate %x, %r : tensor<9x5xbf16>, tensor<5x4x3xf32> -> tensor<9x4x3xf32>, tensor<9x4x3xf64>
  %b = moe.soft_permute %x by %d : tensor<9x5xbf16>, tensor<9x4x3xf32> -> tensor<2x2x3x5xbf16>
  %y = moe.soft_unpermute %b by %c : tensor<2x2x3x5xbf16>, tensor<9x4x3xf64> -> tensor<9x5xbf16>
  return %d, %c, %b, %y : tensor<9x4x3xf32>, tensor<9x4x3xf64>, tensor<2x2x3x5xbf16>, tensor<9x5xbf16>
}

//--- special.mlir
// Ties, NaN and infinities, a token of length 0.
func.func @main(%p: tensor<3x3xf32>) -> (tensor<5x2xi32>, tensor<5x2xf32>, tensor<5x2xi32>, tensor<5x2xf32>, tensor<5x3xi32>, tensor<5x3xf32>, tensor<5x3xi32>, tensor<5x3xf32>, tensor<5x3x1xf32>, tensor<5x3x1xf32>) {
  %x = arith.constant dense<[[1.0, 1.0, 1.0], [0x7FC00000, 1.0, 0.0], [0.0, 0.0, 0.0], [0x7F800000, 0.0, 0.0], [0xFF800000, 2.0, 1.0]]> : tensor<5x3xf32>
  %r = arith.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %q = arith.constant dense<[[[1.0], [1.0], [1.0]], [[0.0], [1.0], [0.0]], [[1.0], [0.0], [1.0]]]> : tensor<3x3x1xf32>
  %0:2 = moe.gate gshard %x, %r top_k 2 : tensor<5x3xf32>, tensor<3x3xf32> -> tensor<5x2xi32>, tensor<5x2xf32>
  %1:2 = moe.gate xmoe %x, %r projection %r : tensor<3x3xf32> temperature 1.0 top_k 2 : tensor<5x3xf32>, tensor<3x3xf32> -> tensor<5x2xi32>, tensor<5x2xf32>
  %2:2 = moe.expert_choice over experts %x, %r capacity 2 : tensor<5x3xf32>, tensor<3x3xf32> -> tensor<5x3xi32>, tensor<5x3xf32>
  %3:2 = moe.expert_choice over tokens %x, %r capacity 2 : tensor<5x3xf32>, tensor<3x3xf32> -> tensor<5x3xi32>, tensor<5x3xf32>
  %4:2 = moe.soft_gate %x, %q : tensor<5x3xf32>, tensor<3x3x1xf32> -> tensor<5x3x1xf32>, tensor<5x3x1xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1, %4#0, %4#1 : tensor<5x2xi32>, tensor<5x2xf32>, tensor<5x2xi32>, tensor<5x2xf32>, tensor<5x3xi32>, tensor<5x3xf32>, tensor<5x3xi32>, tensor<5x3xf32>, tensor<5x3x1xf32>, tensor<5x3x1xf32>
}
