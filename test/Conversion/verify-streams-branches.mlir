// RUN: moe-opt %s -split-input-file -verify-diagnostics --moert-verify-streams
// Branches of entry functions: what the host reads it has waited for, and no
// way of a branch holds what work elsewhere counts on.

func.func @early(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %n = moert.host_buffer : memref<i1>
  moert.copy %s %c to %n : memref<i1> to memref<i1>
  // expected-error@+1 {{reads memory that a stream may still write: expected a moert.synchronize before}}
  %b = memref.load %n[] : memref<i1>
  scf.if %b {
    moert.copy %s %x to %y : memref<4xf32> to memref<4xf32>
  }
  moert.synchronize %s
  return
}

// -----

func.func @device(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  // expected-error@+1 {{expected memory of the host}}
  %b = memref.load %c[] : memref<i1>
  return
}

// -----

func.func @event(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %e = moert.event %ctx
  %n = moert.host_buffer : memref<i1>
  moert.copy %s %c to %n : memref<i1> to memref<i1>
  moert.synchronize %s
  %b = memref.load %n[] : memref<i1>
  scf.if %b {
    // expected-error@+1 {{cannot stand in a branch: other ways would not have it}}
    moert.record %e on %s
  }
  return
}

// -----

// A wait of the host on one way orders nothing on the other.
func.func @race(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %t = moert.stream %ctx "copy" copy priority 0
  %n = moert.host_buffer : memref<i1>
  moert.copy %t %c to %n : memref<i1> to memref<i1>
  moert.synchronize %t
  // expected-note@+1 {{the other op is here}}
  moert.copy %s %x to %y : memref<4xf32> to memref<4xf32>
  %b = memref.load %n[] : memref<i1>
  scf.if %b {
    moert.synchronize %s
  }
  // expected-error@+1 {{no events order the two}}
  moert.copy %t %x to %y : memref<4xf32> to memref<4xf32>
  moert.synchronize %s
  moert.synchronize %t
  return
}
