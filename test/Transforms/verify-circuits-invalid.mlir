// REQUIRES: circuits
// RUN: moe-opt %s -split-input-file -verify-diagnostics --moe-verify-schedule

// Used while it changes.
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
      // expected-note@+1 {{the change is here}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    // expected-error@+1 {{uses circuits that may be changing meanwhile: expected the change to have been waited for before, or to start behind}}
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The wait is behind, but nothing waits for it.
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
      // expected-note@+1 {{the change is here}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    // expected-error@+1 {{uses circuits that may be changing meanwhile}}
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The start of a change is not its end.
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
      // expected-note@+1 {{the change is here}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    // expected-error@+1 {{uses circuits that may be changing meanwhile}}
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tr) {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Other ranks may still be sending.
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
    // expected-note@+1 {{the exchange is here}}
    %a, %ta = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" after(%tw) {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %tr2 = moe.task @ocs "reconfigure"[1 of 2] layer "0" phase "fwd" after(%ta) {
      // expected-error@+1 {{expected a collective of all ranks of a region between the last exchange over its circuits and this change: other ranks may still be sending}}
      ocs.reconfigure @fabric to %d : tensor<2x2xi32>
      moe.yield
    }
    %tw2 = moe.task @ocs "await"[1 of 2] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Not the whole region meets.
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
    // expected-note@+1 {{the exchange is here}}
    %a, %ta = moe.task @inter "dispatch"[0 of 1] layer "0" phase "fwd" after(%tw) {
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %tq2 = moe.task @inter "quiet2"[0 of 1] layer "0" phase "fwd" after(%ta) {
      %0 = moe.all_reduce %one on <@mesh, ["ep"]> : tensor<1xi32>
      moe.yield
    }
    %tr2 = moe.task @ocs "reconfigure"[1 of 2] layer "0" phase "fwd" after(%tq2) {
      // expected-error@+1 {{expected a collective of all ranks of a region between the last exchange}}
      ocs.reconfigure @fabric to %d : tensor<2x2xi32>
      moe.yield
    }
    %tw2 = moe.task @ocs "await"[1 of 2] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// In the run before, too, somebody may have sent.
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
  // expected-note@+1 {{of this schedule}}
  %r = moe.schedule {
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected a collective of all ranks of a region before the first change: in the run before, other ranks may still be sending}}
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

// -----

// Never up.
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
  // expected-note@+1 {{there is none in this schedule}}
  %r = moe.schedule {
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{plans over circuits that are not up: expected a change that has been waited for before}}
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Not yet up.
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
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{plans over circuits that are not up: expected a change that has been waited for before}}
      ocs.route @fabric over %c : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      // expected-note@+1 {{the first change is here}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Others are up.
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
      // expected-note@+1 {{the last change before is here}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw) {
      // expected-error@+1 {{plans over other circuits than those that are up}}
      ocs.route @fabric over %d : tensor<2x2xi32>
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// One after the other.
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
      // expected-note@+1 {{the change before is here}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tr2 = moe.task @ocs "reconfigure"[1 of 2] layer "0" phase "fwd" {
      // expected-error@+1 {{expected a wait for the change before this one}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw) {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Nothing to wait for.
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
  // expected-note@+1 {{of this schedule all have been waited for}}
  %r = moe.schedule {
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected a change of circuits to wait for}}
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Never waited for.
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
  // expected-note@+1 {{in this schedule}}
  %r = moe.schedule {
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      // expected-error@+1 {{expected a wait for this change of circuits}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// One stream.
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
    // expected-note@+1 {{the first of them is on another}}
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @compute "await"[0 of 1] layer "0" phase "fwd" {
      // expected-error@+1 {{expected all changes of circuits, and waits for them, on one stream}}
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A stream of their own.
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
    // expected-error@+1 {{expected no other task on the stream on which circuits change}}
    %tq = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %one on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    // expected-note@+1 {{they are changed here}}
    %tr = moe.task @inter "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @inter "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A task of its own.
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
    // expected-note@+1 {{the task is here}}
    %tr = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%tq) {
      // expected-error@+1 {{expected a change of circuits, and the wait for it, in a task without other effects}}
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Equal on all ranks of a region.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split
    switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter
moe.stream @compute compute
func.func @main(%x: tensor<4xf32>,
    // expected-note@+1 {{the circuits come from here}}
    %v: tensor<2x2xi32> {moe.varying = ["dp", "ep"]}) -> tensor<4xf32> {
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
      // expected-error@+1 {{expected circuits that are the same on all ranks of a region, got such that may vary over axis "ep"}}
      ocs.reconfigure @fabric to %v : tensor<2x2xi32>
      moe.yield
    }
    %tw = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    %a, %ta = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%tw) {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
          : tensor<4xf32> -> tensor<4xf32>
      moe.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Not all ranks of a region come to it.
moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 2]
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split
    switch "region" controller 0
moe.stream @inter inter
moe.stream @ocs inter
moe.stream @compute compute
func.func @part(%x: tensor<1xi32>) {
  %c = arith.constant dense<[[0, 2], [2, 0]]> : tensor<2x2xi32>
  // expected-error@+1 {{expected all ranks of a region to come to the changes of its circuits, of this schedule some may not}}
  moe.schedule {
    %t0 = moe.task @inter "quiet"[0 of 1] layer "0" phase "fwd" {
      %0 = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<1xi32>
      moe.yield
    }
    %t1 = moe.task @ocs "reconfigure"[0 of 1] layer "0" phase "fwd" after(%t0) {
      ocs.reconfigure @fabric to %c : tensor<2x2xi32>
      moe.yield
    }
    %t2 = moe.task @ocs "await"[0 of 1] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    moe.yield
  }
  return
}
func.func @main(%x: tensor<1xi32>, %on: i1 {moe.varying = ["tp"]}) {
  // expected-note@+1 {{scf.if may go different ways on ranks of a region}}
  scf.if %on {
    func.call @part(%x) : (tensor<1xi32>) -> ()
  }
  return
}
