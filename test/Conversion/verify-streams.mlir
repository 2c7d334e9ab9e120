// RUN: moe-opt %s -split-input-file --moert-verify-streams -verify-diagnostics -o /dev/null
// RUN: not moe-opt %s -split-input-file --moert-check-orders -o /dev/null >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// RUN: FileCheck %s --check-prefix=ERR < %t.err

// OUT: {{^}}@ordered: 2 ops, 1 waits: all orders equal
func.func @ordered(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" copy priority 0
  %t = moert.stream %ctx "t" copy priority 0
  %e = moert.event %ctx
  %m = moert.arena %ctx : memref<64xi8>
  %zero = arith.constant 0 : index
  %b = memref.view %m[%zero][] : memref<64xi8> to memref<4xf32>
  moert.copy %s %x to %b : memref<4xf32> to memref<4xf32>
  moert.record %e on %s
  moert.wait %t for %e
  moert.copy %t %b to %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// ERR: error: 'moert.copy' op reads something else in another legal order, after 0 other ops have run
func.func @race(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" copy priority 0
  %t = moert.stream %ctx "t" copy priority 0
  %e = moert.event %ctx
  %m = moert.arena %ctx : memref<64xi8>
  %zero = arith.constant 0 : index
  %b = memref.view %m[%zero][] : memref<64xi8> to memref<4xf32>
  // Recorded before the work it should stand for.
  moert.record %e on %s
  // expected-note@+1 {{the other op is here}}
  moert.copy %s %x to %b : memref<4xf32> to memref<4xf32>
  moert.wait %t for %e
  // expected-error@+1 {{touches bytes 0 to 16 of a memory that another op touches, one of them writing, and no events order the two}}
  moert.copy %t %b to %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A buffer that begins where another one is still read. The reader may come
// late, and then what is left in memory differs too.
// ERR: error: 'moert.copy' op reads something else in another legal order
func.func @reuse(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" copy priority 0
  %t = moert.stream %ctx "t" copy priority 0
  %e = moert.event %ctx
  %m = moert.arena %ctx : memref<64xi8>
  %zero = arith.constant 0 : index
  %eight = arith.constant 8 : index
  %b = memref.view %m[%zero][] : memref<64xi8> to memref<4xf32>
  %c = memref.view %m[%eight][] : memref<64xi8> to memref<4xf32>
  moert.copy %s %x to %b : memref<4xf32> to memref<4xf32>
  moert.record %e on %s
  moert.wait %t for %e
  // expected-note@+1 {{the other op is here}}
  moert.copy %t %b to %y : memref<4xf32> to memref<4xf32>
  // expected-error@+1 {{touches bytes 8 to 16}}
  moert.copy %s %x to %c : memref<4xf32> to memref<4xf32>
  moert.copy %s %c to %z : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Two parts of a buffer that do not touch, and two of which one is anywhere.
// ERR: error: 'func.func' op leaves something else in memory in another legal order
func.func @parts(%ctx: !moert.context, %x: memref<2x4xf32>, %y: memref<4x4xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" copy priority 0
  %t = moert.stream %ctx "t" copy priority 0
  %a = memref.subview %y[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %b = memref.subview %y[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  moert.copy %s %x to %a : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  // expected-note@+1 {{the other op is here}}
  moert.copy %t %x to %b : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  %i = moert.group_rank %ctx on #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xi64>>
  %c = memref.subview %y[%i, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  // expected-error@+1 {{touches bytes 32 to 64}}
  moert.copy %s %x to %c : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  return
}

// -----

func.func @handles(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>, %m: memref<64xi8>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" copy priority 0
  %i = moert.group_rank %ctx on #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xi64>>
  // expected-error@+1 {{expected a view of static shape of an arena at a constant place}}
  %b = memref.view %m[%i][] : memref<64xi8> to memref<4xf32>
  return
}
