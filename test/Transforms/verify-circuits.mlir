// REQUIRES: circuits
// RUN: moe-opt %s -split-input-file --moe-verify-schedule -o /dev/null

// Equal constants are the same circuits; EPS goes on during the change.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split
    switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter
moe.stream @compute compute
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1> : tensor<1xi32>
  %c = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %d = arith.constant dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>
  %same = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %dark = arith.constant dense<0> : tensor<2x2xi32>
  %r = moe.schedule {
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %b, %tb = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw) {
      ocs.route @fabric over %same : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Two changes, each quiet before.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split
    switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter
moe.stream @compute compute
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1> : tensor<1xi32>
  %c = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %d = arith.constant dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>
  %same = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %dark = arith.constant dense<0> : tensor<2x2xi32>
  %r = moe.schedule {
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr = moe.task @ocs "reconfigure"[0 of 2] layer "0" phase "fwd" after(%tq) {
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 2] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %b, %tb = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" after(%tw) {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %tq2 = moe.task @inter "quiet2"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr2 = moe.task @ocs "reconfigure"[1 of 2] layer "0" phase "fwd" after(%tq2) {
      ocs.reconfigure @fabric to %d : tensor<2x2xi32>
      moe.yield
    }
    %tw2 = moe.task @ocs "await"[1 of 2] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw2) {
      ocs.route @fabric over %d : tensor<2x2xi32>
      %0 = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Dark ports may be planned over at any time before the first change.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split
    switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter
moe.stream @compute compute
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1> : tensor<1xi32>
  %c = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %d = arith.constant dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>
  %same = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %dark = arith.constant dense<0> : tensor<2x2xi32>
  %r = moe.schedule {
    %b, %tb = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" {
      ocs.route @fabric over %dark : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw) {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Any collective of the region will do, on any axes besides.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split
    switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter
moe.stream @compute compute
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1> : tensor<1xi32>
  %c = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %d = arith.constant dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>
  %same = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  %dark = arith.constant dense<0> : tensor<2x2xi32>
  %r = moe.schedule {
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["dp", "ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw) {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
