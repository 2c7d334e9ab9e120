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
  // CHECK: %[[B:.*]] = moert.host_buffer : memref<4x2xi32>
  %b = moert.host_buffer : memref<4x2xi32>
  // CHECK: moert.ocs_configure %[[W]] from %[[B]] : memref<4x2xi32>
  %u = moert.ocs_configure %w from %b : memref<4x2xi32>
  moert.ocs_await %u
  return
}

// CHECK-LABEL: @regions
func.func @regions(%ctx: !moert.context, %i: index) {
  // CHECK: %[[R:.*]] = moert.ocs_region %{{.*}} "s" on #moe.replica_groups<dense<{{.*}}> : tensor<2x4xi64>> number %{{.*}} of 2 controller 1 servers 2 optical 3 eps 1 exclusive {bytes_per_us = 5.000000e+00 : f64, change_us = 7.000000e+00 : f64, circuit_us = 0.000000e+00 : f64, uncertainty = 1.000000e-01 : f64}
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 exclusive {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %d = moert.host_buffer : memref<2x2xi64>
  // CHECK: moert.ocs_plan %[[R]] for %{{.*}} exchanges 4.000000e+00 slack 2.000000e+03 : memref<2x2xi64>
  moert.ocs_plan %r for %d exchanges 4.0 slack 2000.0 : memref<2x2xi64>
  // CHECK: moert.ocs_settle %[[R]]
  moert.ocs_settle %r
  %c = moert.host_buffer : memref<2x2x2xi32>
  // CHECK: moert.ocs_set %[[R]] to %{{.*}} number %{{.*}} : memref<2x2x2xi32>
  moert.ocs_set %r to %c number %i : memref<2x2x2xi32>
  // CHECK: moert.ocs_note %[[R]] "0" %{{.*}} : memref<2x2xi64>
  moert.ocs_note %r "0" %d : memref<2x2xi64>
  // CHECK: moert.ocs_predict %[[R]] "0" else %{{.*}} number %{{.*}} exchanges 4.000000e+00 slack 2.000000e+03 : memref<2x2x2xi32>
  moert.ocs_predict %r "0" else %c number %i exchanges 4.0 slack 2000.0 : memref<2x2x2xi32>
  // CHECK: moert.ocs_recall %[[R]] "1+2" with %{{.*}} times 3 to %{{.*}} : memref<2x2xi64> to memref<2x2xi64>
  %s = moert.host_buffer : memref<2x2xi64>
  moert.ocs_recall %r "1+2" with %d times 3 to %s : memref<2x2xi64> to memref<2x2xi64>
  // CHECK: moert.ocs_settle %[[R]]
  moert.ocs_settle %r
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

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  // expected-error@+1 {{expected 3 groups of ranks of 2 servers, with the one at 1, got 2 of 4}}
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 3 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  // expected-error@+1 {{expected 2 groups of ranks of 3 servers, with the one at 1, got 2 of 4}}
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 3 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  // expected-error@+1 {{expected 2 groups of ranks of 2 servers, with the one at 4, got 2 of 4}}
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 4 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  // expected-error@+1 {{expected servers in [1, 1048576], got 0}}
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 0 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  // expected-error@+1 {{expected bytes_per_us above 0, got 0}}
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 0.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %d = moert.host_buffer : memref<2x2xi64>
  // expected-error@+1 {{expected a name, got ""}}
  moert.ocs_note %r "" %d : memref<2x2xi64>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %d = moert.host_buffer : memref<3x3xi32>
  // expected-error@+1 {{expected a buffer [2, 2] of the region's servers, or one for each region, got 'memref<3x3xi32>'}}
  moert.ocs_predict %r "0" else %d number %i exchanges 1.0 slack 0.0 : memref<3x3xi32>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %d = moert.host_buffer : memref<2x2xi64>
  // expected-error@+1 {{expected a demand at least once, got 0 times}}
  moert.ocs_recall %r "1" with %d times 0 to %d : memref<2x2xi64> to memref<2x2xi64>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %d = moert.host_buffer : memref<2x2xi64>
  %s = moert.host_buffer : memref<2x2xi32>
  // expected-error@+1 {{of 64 bits}}
  moert.ocs_recall %r "1" with %d times 1 to %s : memref<2x2xi64> to memref<2x2xi32>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  // expected-error@+1 {{expected integers that moert.host_buffer made, which the host can read}}
  moert.ocs_plan %r for %d exchanges 1.0 slack 0.0 : memref<2x2xi64>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %b = moert.host_buffer : memref<2x2xi64>
  // expected-error@+1 {{expected at least 0 exchanges and 0 us of slack}}
  moert.ocs_plan %r for %b exchanges -1.0 slack 0.0 : memref<2x2xi64>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %b = moert.host_buffer : memref<4x4xi64>
  // expected-error@+1 {{expected a buffer [2, 2] of the region's servers, got 'memref<4x4xi64>'}}
  moert.ocs_plan %r for %b exchanges 1.0 slack 0.0 : memref<4x4xi64>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %b = moert.host_buffer : memref<3x2x2xi32>
  // expected-error@+1 {{expected a buffer [2, 2] of the region's servers, or one for each region, got 'memref<3x2x2xi32>'}}
  moert.ocs_set %r to %b number %i : memref<3x2x2xi32>
  return
}

// -----

func.func @f(%ctx: !moert.context, %i: index, %d: memref<2x2xi64>) {
  %r = moert.ocs_region %ctx "s" on #moe.replica_groups<dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>> number %i of 2 controller 1 servers 2 optical 3 eps 1 {bytes_per_us = 5.0 : f64, change_us = 7.0 : f64, circuit_us = 0.0 : f64, uncertainty = 0.1 : f64}
  %b = moert.host_buffer : memref<2x2xi64>
  // expected-error@+1 {{expected integers of 32 bits, got 'i64'}}
  moert.ocs_set %r to %b number %i : memref<2x2xi64>
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  // expected-error@+1 {{expected circuits or a buffer of them, got neither}}
  %t = moert.ocs_configure %w
  moert.ocs_await %t
  return
}

// -----

func.func @f(%w: !moert.ocs_switch) {
  %b = moert.host_buffer : memref<4xi32>
  // expected-error@+1 {{expected two ports of each circuit as a tensor [circuits, 2], got 'memref<4xi32>'}}
  %t = moert.ocs_configure %w from %b : memref<4xi32>
  moert.ocs_await %t
  return
}

// -----

func.func @f(%ctx: !moert.context, %p: index) {
  %n = moert.host_buffer : memref<8x16xi32>
  %g = moert.host_buffer : memref<4x6x2xi64>
  %b = moert.host_buffer : memref<4x8xi64>
  %s = moert.host_buffer : memref<4x3x2xi64>
  %o = moert.host_buffer : memref<4x2xi64>
  // expected-error@+1 {{expected network cards in [1, 1048576], got 0}}
  moert.ocs_delegates %ctx %n at %p servers 4 optical 6 eps 0 numa 1 to %g, %b, %s, %o : memref<8x16xi32> to memref<4x6x2xi64>, memref<4x8xi64>, memref<4x3x2xi64>, memref<4x2xi64>
  return
}

// -----

func.func @f(%ctx: !moert.context, %p: index) {
  %n = moert.host_buffer : memref<6x16xi32>
  %g = moert.host_buffer : memref<4x6x2xi64>
  %b = moert.host_buffer : memref<4x8xi64>
  %s = moert.host_buffer : memref<4x3x2xi64>
  %o = moert.host_buffer : memref<4x2xi64>
  // expected-error@+1 {{expected counts [N * B, E] of 4 servers of B ranks, E a multiple of these, and at least 3 turns, got 'memref<6x16xi32>'}}
  moert.ocs_delegates %ctx %n at %p servers 4 optical 6 eps 1 numa 1 to %g, %b, %s, %o : memref<6x16xi32> to memref<4x6x2xi64>, memref<4x8xi64>, memref<4x3x2xi64>, memref<4x2xi64>
  return
}

// -----

func.func @f(%ctx: !moert.context, %p: index) {
  %n = moert.host_buffer : memref<8x16xi32>
  %g = moert.host_buffer : memref<4x6x2xi64>
  %b = moert.host_buffer : memref<4x7xi64>
  %s = moert.host_buffer : memref<4x3x2xi64>
  %o = moert.host_buffer : memref<4x2xi64>
  // expected-error@+1 {{expected a buffer 'memref<4x8xi64>', got 'memref<4x7xi64>'}}
  moert.ocs_delegates %ctx %n at %p servers 4 optical 6 eps 1 numa 1 to %g, %b, %s, %o : memref<8x16xi32> to memref<4x6x2xi64>, memref<4x7xi64>, memref<4x3x2xi64>, memref<4x2xi64>
  return
}
