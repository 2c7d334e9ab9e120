// RUN: moe-opt %s -split-input-file -moe-print-replication -verify-diagnostics -o /dev/null

moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]

// A chunk varies with its operand, a result with what is yielded for it, and
// neither with the other operands.
func.func @pipeline(
    // expected-remark @below {{argument 0 varies over ["ep"]}}
    %x: tensor<4xf32> {moe.varying = ["ep"]},
    // expected-remark @below {{argument 1 varies over ["tp"]}}
    %y: tensor<4xf32> {moe.varying = ["tp"]},
    // expected-remark @below {{argument 2 varies over []}}
    %w: tensor<2xf32> {moe.varying = []},
    // expected-remark @below {{argument 3 varies over ["dp", "ep", "tp"]}}
    %unused: index) {
  // expected-remark @below {{varies over ["ep"], [], ["ep", "tp"], ["dp"]}}
  %r:4 = moe.pipeline degree 2 (
      // expected-remark @below {{argument 0 varies over ["ep"]}}
      %a = %x split 0 : tensor<4xf32> as tensor<2xf32>,
      // expected-remark @below {{argument 1 varies over ["tp"]}}
      %b = %y split 0 : tensor<4xf32> as tensor<2xf32>,
      // expected-remark @below {{argument 2 varies over []}}
      %c = %w shared : tensor<2xf32> as tensor<2xf32>,
      // expected-remark @below {{argument 3 varies over ["dp", "ep", "tp"]}}
      %d = %unused shared : index as index) {
    // expected-remark @below {{varies over []}}
    %e = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<2xf32>
    // expected-remark @below {{varies over ["ep", "tp"]}}
    %f = arith.addf %a, %b : tensor<2xf32>
    // expected-remark @below {{varies over ["dp"]}}
    %g = moe.all_to_all %c on <@mesh, ["dp"]> split 0 concat 0
       : tensor<2xf32> -> tensor<2xf32>
    moe.yield %a, %e, %f, %g
      : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  } -> concat 0 : tensor<4xf32>, sum : tensor<2xf32>, concat 0 : tensor<4xf32>,
       sum : tensor<2xf32>
  // expected-remark @below {{varies over ["tp"]}}
  %s = moe.drop %r#1 on <@mesh, ["tp"]> dim 0
     : tensor<2xf32> -> tensor<1xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// In layers and loops, and around other pipelines; a loop that carries a
// result joins its iterations.
func.func @nested(
    // expected-remark @below {{argument 0 varies over []}}
    %x: tensor<8xf32> {moe.varying = []},
    // expected-remark @below {{argument 1 varies over []}}
    %n: index {moe.varying = []}) {
  // expected-remark @below {{varies over []}}
  %c0 = arith.constant 0 : index
  // expected-remark @below {{varies over []}}
  %c1 = arith.constant 1 : index
  // expected-remark @below {{varies over ["tp"]}}
  %l = moe.layer "0" phase "fwd" {
    // expected-remark @+3 {{argument 0 varies over []}}
    // expected-remark @+2 {{argument 1 varies over ["tp"]}}
    // expected-remark @+1 {{varies over ["tp"]}}
    %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x)
        -> tensor<8xf32> {
      // expected-remark @+2 {{argument 0 varies over ["tp"]}}
      // expected-remark @+1 {{varies over ["tp"]}}
      %p = moe.pipeline degree 2 (%a = %acc split 0 : tensor<8xf32> as tensor<4xf32>) {
        // expected-remark @+2 {{argument 0 varies over ["tp"]}}
        // expected-remark @+1 {{varies over ["tp"]}}
        %q = moe.pipeline degree 2 (%b = %a split 0 : tensor<4xf32> as tensor<2xf32>) {
          // expected-remark @below {{varies over ["tp"]}}
          %d = moe.all_to_all %b on <@mesh, ["tp"]> split 0 concat 0
             : tensor<2xf32> -> tensor<2xf32>
          moe.yield %d : tensor<2xf32>
        } -> concat 0 : tensor<4xf32>
        moe.yield %q : tensor<4xf32>
      } -> concat 0 : tensor<8xf32>
      scf.yield %p : tensor<8xf32>
    }
    moe.yield %f : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]
moe.stream @s inter

// Values pass tasks and schedules as they are, and do not vary with what a
// task waits for. A token holds nothing, but to
// say so would be of no use: it counts as varying over all.
func.func @schedule(
    // expected-remark @below {{argument 0 varies over ["ep"]}}
    %x: tensor<4xf32> {moe.varying = ["ep"]},
    // expected-remark @below {{argument 1 varies over []}}
    %y: tensor<4xf32> {moe.varying = []}) {
  // expected-remark @below {{varies over [], ["ep", "tp"], []}}
  %r:3 = moe.schedule {
    // expected-remark @below {{varies over [], ["ep"], ["dp", "ep", "tp"]}}
    %a:2, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-remark @below {{varies over []}}
      %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %e, %x : tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>
    // expected-remark @below {{varies over ["ep", "tp"], ["dp", "ep", "tp"]}}
    %b, %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" after(%t) {
      // expected-remark @below {{varies over ["ep", "tp"]}}
      %d = moe.all_to_all %a#1 on <@mesh, ["tp"]> split 0 concat 0
         : tensor<4xf32> -> tensor<4xf32>
      moe.yield %d : tensor<4xf32>
    } : tensor<4xf32>
    // expected-remark @below {{varies over ["dp", "ep", "tp"]}}
    %v = moe.task @s "c"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield %a#0, %b, %y : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}
