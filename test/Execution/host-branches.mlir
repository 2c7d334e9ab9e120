// Branches that all ranks take alike, with collectives in them, execute as
// compiled code: the host reads the condition and puts one way on its stream.
// RUN: moe-opt %s --moe-schedule -o %t.schedule.mlir
// RUN: moe-opt %t.schedule.mlir --convert-moe-to-moert -o %t.runtime.mlir
// RUN: FileCheck %s < %t.runtime.mlir
// RUN: moe-opt %t.runtime.mlir --moert-verify-streams --moert-check-orders -o /dev/null | FileCheck %s --check-prefix=ORDERS
// RUN: %python %S/Inputs/branches.py %s %t.schedule.mlir %t.runtime.mlir | FileCheck %s --check-prefix=HOST

// The ways are work on the stream of the first collective between nodes; the
// condition is read where no stream writes it any more.
// CHECK-LABEL: func.func @main
// CHECK: moert.copy %[[STREAM:[0-9]+]] %arg3 to %[[MEMORY:[0-9]+]] : memref<i1> to memref<i1>
// CHECK: moert.record %[[EVENT:.*]] on %[[STREAM]]
// CHECK: moert.await %[[EVENT]]
// CHECK: %[[CONDITION:.*]] = memref.load %[[MEMORY]][]
// CHECK: scf.if %[[CONDITION]] {
// CHECK: moert.all_to_all
// CHECK: } else {
// CHECK: moert.all_reduce
// ORDERS: @main: {{[0-9]+}} ops, {{[0-9]+}} waits: all orders equal
// The ways of the three branches that all ranks take alike: 2 times 4.
// HOST: 3 programs on host, as on interp: every one of 8 ways

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<4x6xf32>, %w: tensor<4x6xf32> {moe.varying = []}, %c: i1 {moe.varying = []}, %n: index {moe.varying = []}) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6x4xf32>, index, index, index) {
  // Another stream computes before and after.
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4x6xf32>
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %y, %same, %first = scf.if %c -> (tensor<4x6xf32>, tensor<4x6xf32>, index) {
    %a = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %b = arith.addf %a, %x : tensor<4x6xf32>
    // Yielded twice, and what is yielded as it came.
    scf.yield %b, %b, %1 : tensor<4x6xf32>, tensor<4x6xf32>, index
  } else {
    %a = arith.mulf %s, %x : tensor<4x6xf32>
    %b = moe.all_reduce %a on <@mesh, ["ep", "tp"]> : tensor<4x6xf32>
    scf.yield %b, %x, %2 : tensor<4x6xf32>, tensor<4x6xf32>, index
  }
  // A condition that a stream computes, of values that agree on all ranks.
  %i0 = arith.constant 0 : index
  %e = tensor.extract %w[%i0, %i0] : tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %positive = arith.cmpf ogt, %e, %zero : f32
  %z, %number = scf.if %positive -> (tensor<4x6xf32>, index) {
    // Ways in a way, and a number.
    %k, %l = scf.index_switch %n -> tensor<4x6xf32>, index
    case 0 {
      %a = moe.all_to_all %y on <@mesh, ["tp"]> split 1 concat 1 : tensor<4x6xf32> -> tensor<4x6xf32>
      scf.yield %a, %1 : tensor<4x6xf32>, index
    }
    case 1 {
      %p = arith.subf %y, %s : tensor<4x6xf32>
      scf.yield %p, %2 : tensor<4x6xf32>, index
    }
    default {
      %r = moe.reduce_scatter %y on <@mesh, ["ep"]> dim 0 : tensor<4x6xf32> -> tensor<2x6xf32>
      %g = moe.all_gather %r on <@mesh, ["ep"]> dim 0 : tensor<2x6xf32> -> tensor<4x6xf32>
      scf.yield %g, %3 : tensor<4x6xf32>, index
    }
    %v = arith.addf %k, %same : tensor<4x6xf32>
    scf.yield %v, %l : tensor<4x6xf32>, index
  } else {
    // Unrolled.
    %f = scf.for %i = %i0 to %3 step %1 iter_args(%u = %y) -> tensor<4x6xf32> {
      %a = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x6xf32> -> tensor<4x6xf32>
      %b = arith.addf %a, %same : tensor<4x6xf32>
      scf.yield %b : tensor<4x6xf32>
    }
    %q = arith.subi %i0, %1 : index
    scf.yield %f, %q : tensor<4x6xf32>, index
  }
  // Each rank goes its own way where nothing is exchanged.
  %h = tensor.extract %x[%i0, %i0] : tensor<4x6xf32>
  %own = arith.cmpf ogt, %h, %zero : f32
  %t = scf.if %own -> tensor<6x4xf32> {
    %a = moe.transpose %z [1, 0] : tensor<4x6xf32> -> tensor<6x4xf32>
    scf.yield %a : tensor<6x4xf32>
  } else {
    %a = moe.transpose %same [1, 0] : tensor<4x6xf32> -> tensor<6x4xf32>
    scf.yield %a : tensor<6x4xf32>
  }
  // A place in a group that is asked for on one way only.
  %place = scf.if %own -> index {
    %rank = moe.group_rank on <@mesh, ["ep"]> : index
    scf.yield %rank : index
  } else {
    scf.yield %3 : index
  }
  %last = moe.all_to_all %z on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x6xf32> -> tensor<4x6xf32>
  return %last, %same, %t, %place, %number, %first : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6x4xf32>, index, index, index
}
