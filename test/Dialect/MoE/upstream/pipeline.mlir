// RUN: moe-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,DROPS
// RUN: moe-opt %s --cse | FileCheck %s --check-prefixes=CHECK,DROPS
// RUN: moe-opt %s --loop-invariant-code-motion | FileCheck %s
// RUN: moe-opt %s --control-flow-sink | FileCheck %s
// RUN: moe-opt %s --sccp | FileCheck %s
// RUN: moe-opt %s --inline | FileCheck %s --check-prefixes=CHECK,DROPS
// RUN: moe-opt %s --remove-dead-values | FileCheck %s
// RUN: moe-opt %s --int-range-optimizations | FileCheck %s
// RUN: moe-opt %s --canonicalize --cse --loop-invariant-code-motion --control-flow-sink --sccp --symbol-dce --inline --remove-dead-values --int-range-optimizations --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,DROPS

// To upstream passes a pipeline is an op whose region they know nothing about:
// a chunk is not its operand, and a result not what a chunk yields.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// The sum of three ones is not one.
// CHECK-LABEL: func.func @sum_of_constants
// CHECK: %[[R:.*]] = moe.pipeline degree 3
// CHECK: return %[[R]]
func.func @sum_of_constants(%x: tensor<3xf32>) -> tensor<2xi32> {
  %one = arith.constant dense<1> : tensor<2xi32>
  %r = moe.pipeline degree 3 (%c = %x split 0
      : tensor<3xf32> as tensor<1xf32>) {
    moe.yield %one : tensor<2xi32>
  } -> sum : tensor<2xi32>
  return %r : tensor<2xi32>
}

// Nor are the chunks of constants, joined, one of them.
// CHECK-LABEL: func.func @concat_of_constants
// CHECK: %[[R:.*]] = moe.pipeline degree 2
// CHECK: %[[E:.*]] = tensor.extract %[[R]]
// CHECK: return %[[E]]
func.func @concat_of_constants(%x: tensor<4xf32>) -> i32 {
  %three = arith.constant 3 : index
  %numbers = arith.constant dense<[1, 2]> : tensor<2xi32>
  %r = moe.pipeline degree 2 (%c = %x split 0
      : tensor<4xf32> as tensor<2xf32>) {
    moe.yield %numbers : tensor<2xi32>
  } -> concat 0 : tensor<4xi32>
  %e = tensor.extract %r[%three] : tensor<4xi32>
  return %e : i32
}

// Element 0 of a chunk is not element 0 of the whole.
// CHECK-LABEL: func.func @chunk_of_a_constant
// CHECK: moe.pipeline degree 2 (%[[C:.*]] = %{{.*}} split 0
// CHECK-NEXT: %[[E:.*]] = tensor.extract %[[C]]
// CHECK-NEXT: %[[S:.*]] = tensor.splat %[[E]]
// CHECK-NEXT: moe.yield %[[S]]
func.func @chunk_of_a_constant() -> tensor<1xi32> {
  %zero = arith.constant 0 : index
  %numbers = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = moe.pipeline degree 2 (%c = %numbers split 0
      : tensor<4xi32> as tensor<2xi32>) {
    %e = tensor.extract %c[%zero] : tensor<2xi32>
    %s = tensor.splat %e : tensor<1xi32>
    moe.yield %s : tensor<1xi32>
  } -> sum : tensor<1xi32>
  return %r : tensor<1xi32>
}

// Arguments and results that nobody uses keep their places.
// CHECK-LABEL: func.func @unused
// CHECK: moe.pipeline degree 2 (%{{.*}} = %{{.*}} split 0 : tensor<4xf32> as tensor<2xf32>, %{{.*}} = %{{.*}} shared : tensor<6xf32> as tensor<6xf32>, %{{.*}} = %{{.*}} split 0 : tensor<4xf32> as tensor<2xf32>) {
// CHECK: } -> concat 0 : tensor<4xf32>, sum : tensor<2xf32>, concat 0 : tensor<4xf32>
func.func @unused(%x: tensor<4xf32>, %w: tensor<6xf32>) -> tensor<4xf32> {
  %r:3 = moe.pipeline degree 2 (
      %c = %x split 0 : tensor<4xf32> as tensor<2xf32>,
      %v = %w shared : tensor<6xf32> as tensor<6xf32>,
      %d = %x split 0 : tensor<4xf32> as tensor<2xf32>) {
    %e = moe.all_reduce %d on <@mesh, ["ep"]> : tensor<2xf32>
    %f = arith.negf %d : tensor<2xf32>
    moe.yield %e, %f, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  } -> concat 0 : tensor<4xf32>, sum : tensor<2xf32>, concat 0 : tensor<4xf32>
  return %r#0 : tensor<4xf32>
}

// A pipeline nobody uses goes with its collectives, on every rank alike.
// CHECK-LABEL: func.func @dead
// DROPS-NEXT: return
func.func @dead(%x: tensor<4xf32>) {
  %r = moe.pipeline degree 2 (%c = %x split 0
      : tensor<4xf32> as tensor<2xf32>) {
    %e = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<2xf32>
    moe.yield %e : tensor<2xf32>
  } -> concat 0 : tensor<4xf32>
  return
}

// Unless it does more than communicate.
func.func private @unknown(%x: tensor<2xf32>)
// CHECK-LABEL: func.func @effects
// CHECK-NEXT: moe.pipeline
// CHECK-NEXT: call @unknown
func.func @effects(%x: tensor<4xf32>) {
  moe.pipeline degree 2 (%c = %x split 0 : tensor<4xf32> as tensor<2xf32>) {
    func.call @unknown(%c) : (tensor<2xf32>) -> ()
    moe.yield
  }
  return
}

// Chunks meet as often as they did: nothing leaves a loop or a pipeline, and
// nothing sinks into either or into a branch.
// CHECK-LABEL: func.func @stays
// CHECK: moe.transpose
// CHECK: moe.all_reduce
// CHECK: moe.pipeline
// CHECK-NEXT: moe.all_reduce
// CHECK: scf.for
// CHECK-NEXT: moe.pipeline
// CHECK-NEXT: moe.all_reduce
// CHECK-NEXT: %[[N:.*]] = arith.negf
// CHECK: scf.yield
// CHECK: moe.pipeline
// CHECK-NEXT: moe.all_reduce
// CHECK: scf.if
// CHECK-NOT: moe.
// CHECK: return
func.func @stays(%x: tensor<4x4xf32>, %n: index, %b: i1) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = moe.transpose %x [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %u = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4x4xf32>
  %p = moe.pipeline degree 2 (%c = %t split 0
      : tensor<4x4xf32> as tensor<2x4xf32>) {
    %e = moe.all_reduce %u on <@mesh, ["tp"]> : tensor<4x4xf32>
    moe.yield %e : tensor<4x4xf32>
  } -> sum : tensor<4x4xf32>
  %l = scf.for %i = %zero to %n step %one iter_args(%a = %p)
      -> tensor<4x4xf32> {
    %q = moe.pipeline degree 2 (%c = %x split 0
        : tensor<4x4xf32> as tensor<2x4xf32>) {
      %e = moe.all_reduce %c on <@mesh, ["tp"]> : tensor<2x4xf32>
      %f = arith.negf %e : tensor<2x4xf32>
      moe.yield %f : tensor<2x4xf32>
    } -> concat 0 : tensor<4x4xf32>
    %s = arith.addf %a, %q : tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  }
  %k = moe.pipeline degree 2 (%c = %l split 0
      : tensor<4x4xf32> as tensor<2x4xf32>) {
    %e = moe.all_reduce %c on <@mesh, ["tp"]> : tensor<2x4xf32>
    moe.yield %e : tensor<2x4xf32>
  } -> concat 0 : tensor<4x4xf32>
  %r = scf.if %b -> tensor<4x4xf32> {
    func.call @meet() : () -> ()
    scf.yield %k : tensor<4x4xf32>
  } else {
    scf.yield %x : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
func.func private @meet()

// Within the region ops merge, with those around it too where nothing meets.
// CHECK-LABEL: func.func @inside
// CHECK: arith.negf
// CHECK: moe.pipeline
// CHECK: moe.all_reduce
// DROPS-NOT: moe.all_reduce
// CHECK: return
func.func @inside(%x: tensor<4xf32>, %w: tensor<2xf32>)
    -> (tensor<4xf32>, tensor<2xf32>) {
  %n = arith.negf %w : tensor<2xf32>
  %r = moe.pipeline degree 2 (%c = %x split 0
      : tensor<4xf32> as tensor<2xf32>) {
    %dead = moe.all_reduce %w on <@mesh, ["tp"]> : tensor<2xf32>
    %e = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<2xf32>
    %f = arith.negf %w : tensor<2xf32>
    %g = arith.addf %e, %f : tensor<2xf32>
    moe.yield %g : tensor<2xf32>
  } -> concat 0 : tensor<4xf32>
  return %r, %n : tensor<4xf32>, tensor<2xf32>
}
