// RUN: split-file %s %t
// RUN: moe-opt %t/valid.mlir | FileCheck %t/valid.mlir
// RUN: moe-opt %t/valid.mlir --mlir-print-op-generic | moe-opt | FileCheck %t/valid.mlir
// RUN: moe-opt %t/valid.mlir --emit-bytecode | moe-opt | FileCheck %t/valid.mlir
// RUN: moe-opt %t/invalid.mlir -split-input-file -verify-diagnostics
// RUN: not moe-opt %t/varies.mlir --moe-verify-collectives 2>&1 | FileCheck %t/varies.mlir
// RUN: moe-run %t/run.mlir --print-values | FileCheck %t/run.mlir

//--- valid.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 6 eps 2 split switch "s" controller 0
// CHECK-LABEL: @g
func.func @g(%n: tensor<8x16xi32> {moe.varying = []}) -> tensor<4x8xi64> {
  // CHECK: ocs.delegates @f %{{.*}} turns 6 : tensor<8x16xi32> -> tensor<4x6x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  %g, %b, %s, %o = ocs.delegates @f %n turns 6 : tensor<8x16xi32> -> tensor<4x6x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  // CHECK: ocs.delegates @f %{{.*}} turns 3 {numa = 2 : i64}
  %h:4 = ocs.delegates @f %n turns 3 {numa = 2} : tensor<8x16xi32> -> tensor<4x3x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  return %b : tensor<4x8xi64>
}

//--- run.mlir
// Rank 0 of server 0 sends rank 2 of server 1 one row, and rank 1 another; both
// go through the server's rank at its only card.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 0 eps 1 split switch "s" controller 0
func.func @main() -> tensor<4x2x2xi64> {
  %n = arith.constant dense<[[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xi32>
  %g, %b, %s, %o = ocs.delegates @f %n turns 2 : tensor<4x4xi32> -> tensor<4x2x2xi64>, tensor<4x4xi64>, tensor<4x1x2xi64>, tensor<4x2xi64>
  return %g : tensor<4x2x2xi64>
}
// CHECK: {{\[\[\[}}0, 0], [1, 0]], {{\[\[}}1, 0], [0, 0]], {{\[\[}}0, 1], [2, 2]], {{\[\[}}1, 1], [0, 0]]]

//--- varies.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "s" controller 0
func.func @g(%n: tensor<4x4xi32> {moe.varying = ["tp"]}) -> tensor<4x4xi64> {
  // CHECK: error: 'ocs.delegates' op expected counts that are the same on all ranks of its groups, got counts that may vary over axis "tp"
  %g, %b, %s, %o = ocs.delegates @f %n turns 2 : tensor<4x4xi32> -> tensor<4x2x2xi64>, tensor<4x4xi64>, tensor<4x1x2xi64>, tensor<4x2xi64>
  return %b : tensor<4x4xi64>
}

//--- invalid.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 6 eps 2 split switch "s" controller 0
func.func @g(%n: tensor<4x16xi32>) {
  // expected-error@+1 {{expected counts [8, E] of the ranks of a region, and E experts, a multiple of these, got 'tensor<4x16xi32>'}}
  %h:4 = ocs.delegates @f %n turns 6 : tensor<4x16xi32> -> tensor<4x6x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 6 eps 2 split switch "s" controller 0
func.func @g(%n: tensor<8x0xi32>) {
  // expected-error@+1 {{expected counts [8, E] of the ranks of a region}}
  %h:4 = ocs.delegates @f %n turns 6 : tensor<8x0xi32> -> tensor<4x6x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 6 eps 0 split switch "s" controller 0
func.func @g(%n: tensor<8x8xi32>) {
  // expected-error@+1 {{expected servers with network cards on EPS, got none}}
  %h:4 = ocs.delegates @f %n turns 6 : tensor<8x8xi32> -> tensor<4x6x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 6 eps 2 split switch "s" controller 0
func.func @g(%n: tensor<8x8xi32>) {
  // expected-error@+1 {{expected at least 3 turns, as many as there are other servers, got 2}}
  %h:4 = ocs.delegates @f %n turns 2 : tensor<8x8xi32> -> tensor<4x2x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 6 eps 2 split switch "s" controller 0
func.func @g(%n: tensor<8x8xi32>) {
  // expected-error@+1 {{expected 1 to 6 NUMA nodes, got 7}}
  %h:4 = ocs.delegates @f %n turns 3 {numa = 7} : tensor<8x8xi32> -> tensor<4x3x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
ocs.fabric @f on @mesh server ["tp"] region ["ep"] optical 6 eps 2 split switch "s" controller 0
func.func @g(%n: tensor<8x8xi32>) {
  // expected-error@+1 {{expected result 2 to be 'tensor<4x3x2xi64>', got 'tensor<4x4x2xi64>'}}
  %h:4 = ocs.delegates @f %n turns 3 : tensor<8x8xi32> -> tensor<4x3x2xi64>, tensor<4x8xi64>, tensor<4x4x2xi64>, tensor<4x2xi64>
  return
}

// -----

// expected-error@+3 {{expected @f to name an ocs.fabric}}
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @g(%n: tensor<8x8xi32>) {
  %h:4 = ocs.delegates @f %n turns 3 : tensor<8x8xi32> -> tensor<4x3x2xi64>, tensor<4x8xi64>, tensor<4x3x2xi64>, tensor<4x2xi64>
  return
}
