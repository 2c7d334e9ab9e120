// RUN: moe-opt %s -split-input-file -moe-verify-collectives -verify-diagnostics | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @s inter

// As many chunks and tasks on every rank, whatever their operands vary over.
// CHECK-LABEL: func.func @meet
func.func @meet(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %p = moe.pipeline degree 2 (
      %c = %x split 0 : tensor<4xf32> as tensor<2xf32>,
      %j = %i shared : index as index) {
    %q = moe.pipeline degree 2 (%d = %c split 0
        : tensor<2xf32> as tensor<1xf32>) {
      %e = moe.all_reduce %d on <@mesh, ["ep"]> : tensor<1xf32>
      moe.yield %e : tensor<1xf32>
    } -> concat 0 : tensor<2xf32>
    %f = moe.all_reduce %q on [[0, 1], [2, 3]] : tensor<2xf32>
    moe.yield %f : tensor<2xf32>
  } -> concat 0 : tensor<4xf32>
  %r = moe.schedule {
    %a, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      %e = moe.all_reduce %p on <@mesh, ["ep", "tp"]> : tensor<4xf32>
      moe.yield %e : tensor<4xf32>
    } : tensor<4xf32>
    %b, %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" after(%t) {
      %e = moe.all_to_all %p on <@mesh, ["tp"]> split 0 concat 0
         : tensor<4xf32> -> tensor<4xf32>
      moe.yield %e : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %b : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// A branch around a pipeline, and one in it, still count.
func.func @around(%c: i1 {moe.varying = ["tp"]}, %x: tensor<4xf32>) {
  // expected-note @below {{scf.if may go different ways on ranks that differ in axis "tp"}}
  scf.if %c {
    moe.pipeline degree 2 (%a = %x split 0 : tensor<4xf32> as tensor<2xf32>) {
      // expected-error @below {{ranks of the group may not meet here}}
      %e = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<2xf32>
      moe.yield
    }
  }
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// What steers a branch in a pipeline varies with the operand it comes from.
func.func @inside(%c: i1 {moe.varying = ["tp"]}, %d: i1 {moe.varying = ["ep"]},
                  %x: tensor<4xf32>) {
  moe.pipeline degree 2 (%a = %x split 0 : tensor<4xf32> as tensor<2xf32>,
                         %b = %c shared : i1 as i1,
                         %f = %d shared : i1 as i1) {
    scf.if %f {
      %e = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<2xf32>
    }
    // expected-note @below {{scf.if may go different ways on ranks that differ in axis "tp"}}
    scf.if %b {
      // expected-error @below {{ranks of the group may not meet here}}
      %e = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<2xf32>
    }
    moe.yield
  }
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @s inter

func.func @task(%c: i1 {moe.varying = ["tp"]}, %x: tensor<4xf32>) {
  moe.schedule {
    moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-note @below {{scf.if may go different ways on ranks that differ in axis "tp"}}
      scf.if %c {
        // expected-error @below {{ranks of the group may not meet here}}
        %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
      }
      moe.yield
    }
    moe.yield
  }
  return
}
