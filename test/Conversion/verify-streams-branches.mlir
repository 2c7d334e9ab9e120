// RUN: moe-opt %s -split-input-file -verify-diagnostics --moert-verify-streams
// Branches of entry functions: what the host reads it has waited for, and no
// way of a branch holds what work elsewhere counts on.

func.func @early(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %n = moert.host_buffer : memref<i1>
  moert.copy %s %c to %n : memref<i1> to memref<i1>
  // expected-error@+1 {{reads memory that a stream may still write: expected a moert.await or moert.synchronize before}}
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
  moert.wait %s for %e
  return
}

// -----

// What is put on the stream behind a branch leaves SMs free on all ways.
func.func @sms(%ctx: !moert.context, %c: memref<i1>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %n = moert.host_buffer : memref<i1>
  moert.copy %s %c to %n : memref<i1> to memref<i1>
  moert.synchronize %s
  %b = memref.load %n[] : memref<i1>
  moert.leave_sms %s, 8
  scf.if %b {
    // expected-error@+1 {{cannot stand in a branch: other ways would not have it}}
    moert.leave_sms %s, 0
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

// -----

// What follows the event's record the host has not waited for.
func.func @behind(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %e = moert.event %ctx
  %n = moert.host_buffer : memref<i1>
  %m = moert.host_buffer : memref<i1>
  moert.copy %s %c to %n : memref<i1> to memref<i1>
  moert.record %e on %s
  moert.copy %s %c to %m : memref<i1> to memref<i1>
  moert.await %e
  %a = memref.load %n[] : memref<i1>
  // expected-error@+1 {{reads memory that a stream may still write: expected a moert.await or moert.synchronize before}}
  %b = memref.load %m[] : memref<i1>
  return
}

// -----

// Another stream that has waited for the copy tells the host, too.
func.func @through(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %t = moert.stream %ctx "copy" copy priority 0
  %e = moert.event %ctx
  %f = moert.event %ctx
  %n = moert.host_buffer : memref<i1>
  moert.copy %s %c to %n : memref<i1> to memref<i1>
  moert.record %e on %s
  moert.wait %t for %e
  moert.record %f on %t
  moert.await %f
  %b = memref.load %n[] : memref<i1>
  scf.if %b {
    moert.copy %s %x to %y : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

// On one way the host has waited, on the other it has not.
func.func @one_way(%ctx: !moert.context, %c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %e = moert.event %ctx
  %f = moert.event %ctx
  %n = moert.host_buffer : memref<i1>
  %m = moert.host_buffer : memref<i1>
  moert.copy %s %c to %n : memref<i1> to memref<i1>
  moert.record %e on %s
  moert.await %e
  moert.copy %s %c to %m : memref<i1> to memref<i1>
  moert.record %f on %s
  %b = memref.load %n[] : memref<i1>
  scf.if %b {
    moert.await %f
    %d = memref.load %m[] : memref<i1>
  }
  // expected-error@+1 {{reads memory that a stream may still write}}
  %d = memref.load %m[] : memref<i1>
  return
}

// -----

// The host reads sizes when it launches the exchange, whatever its stream.
moe.mesh @mesh axes ["ep"] shape [2]
func.func @sizes(%ctx: !moert.context, %n: memref<2xi32>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "main" compute priority 0
  %comm = moert.communicator #moe.group<@mesh, ["ep"]> on %s : <2>
  %m = moert.host_buffer : memref<2xi32>
  moert.copy %s %n to %m : memref<2xi32> to memref<2xi32>
  // expected-error@+1 {{reads memory that a stream may still write}}
  moert.ragged_all_to_all %comm %x to %y send(%m, %m) recv(%m, %m) : <2>, memref<4xf32> to memref<4xf32>, memref<2xi32>
  return
}
