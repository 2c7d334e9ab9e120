// RUN: split-file %s %t
// RUN: moe-opt %t/valid.mlir | FileCheck %t/valid.mlir
// RUN: moe-opt %t/valid.mlir | moe-opt | FileCheck %t/valid.mlir
// RUN: moe-opt %t/valid.mlir --mlir-print-op-generic | moe-opt | FileCheck %t/valid.mlir
// RUN: moe-opt %t/valid.mlir --emit-bytecode | moe-opt | FileCheck %t/valid.mlir
// RUN: moe-opt %t/valid.mlir --verify-roundtrip -o /dev/null
// Nothing that a switch was told goes away or moves.
// RUN: moe-opt %t/valid.mlir --canonicalize --cse | FileCheck %t/valid.mlir
// RUN: moe-opt %t/invalid.mlir -split-input-file -verify-diagnostics

//--- valid.mlir
// CHECK-LABEL: @main
func.func @main(%ctx: !moert.context) {
  // CHECK: %[[W:.*]] = moert.ocs_switch %{{.*}} "region0" controller 0
  %w = moert.ocs_switch %ctx "region0" controller 0
  // CHECK: %[[T:.*]] = moert.ocs_configure %[[W]] circuits dense<{{\[\[}}1, 9], [2, 10]]> : tensor<2x2xi32>
  %t = moert.ocs_configure %w circuits dense<[[1, 9], [2, 10]]> : tensor<2x2xi32>
  // CHECK: moert.ocs_await %[[T]]
  moert.ocs_await %t
  // CHECK: %[[T:.*]] = moert.ocs_configure %[[W]] circuits dense<{{\[\[}}1, 9], [2, 10]]> : tensor<2x2xi32>
  %again = moert.ocs_configure %w circuits dense<[[1, 9], [2, 10]]> : tensor<2x2xi32>
  // CHECK: moert.ocs_await %[[T]]
  moert.ocs_await %again
  // CHECK: moert.ocs_configure %[[W]] circuits dense<> : tensor<0x2xi32>
  %none = moert.ocs_configure %w circuits dense<> : tensor<0x2xi32>
  // CHECK: moert.ocs_await
  moert.ocs_await %none
  return
}

// CHECK-LABEL: @types(%{{.*}}: !moert.ocs_switch, %{{.*}}: !moert.ocs_change)
func.func private @types(%w: !moert.ocs_switch, %t: !moert.ocs_change) {
  return
}

//--- invalid.mlir
func.func @f(%ctx: !moert.context) {
  // expected-error@+1 {{expected a name that is not empty}}
  %w = moert.ocs_switch %ctx "" controller 0
  return
}

// -----

func.func @f(%ctx: !moert.context) {
  // expected-error@+1 {{expected a rank of at least 0, got -1}}
  %w = moert.ocs_switch %ctx "w" controller -1
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected two ports of each circuit as a tensor [circuits, 2], got 'tensor<2x3xi32>'}}
  %t = moert.ocs_configure %w circuits dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  moert.ocs_await %t
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected two ports of each circuit as a tensor [circuits, 2], got 'tensor<2xi32>'}}
  %t = moert.ocs_configure %w circuits dense<[1, 2]> : tensor<2xi32>
  moert.ocs_await %t
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected ports from 1 on, got 0}}
  %t = moert.ocs_configure %w circuits dense<[[0, 2]]> : tensor<1x2xi32>
  moert.ocs_await %t
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected each port in one circuit, got port 2 a second time}}
  %t = moert.ocs_configure %w circuits dense<[[1, 2], [2, 3]]> : tensor<2x2xi32>
  moert.ocs_await %t
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected each port in one circuit, got port 5 a second time}}
  %t = moert.ocs_configure %w circuits dense<5> : tensor<4x2xi32>
  moert.ocs_await %t
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{attribute 'circuits' failed to satisfy constraint}}
  %t = moert.ocs_configure %w circuits dense<[[1, 2]]> : tensor<1x2xi64>
  moert.ocs_await %t
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected one moert.ocs_await of the change, got 0}}
  %t = moert.ocs_configure %w circuits dense<[[1, 2]]> : tensor<1x2xi32>
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected one moert.ocs_await of the change, got 2}}
  %t = moert.ocs_configure %w circuits dense<[[1, 2]]> : tensor<1x2xi32>
  moert.ocs_await %t
  moert.ocs_await %t
  return
}
