// RUN: moe-opt %s -split-input-file -verify-diagnostics --convert-moert-to-llvm
// What an entry function cannot read or hand out of a branch.

func.func @float(%ctx: !moert.context, %x: memref<f32>) attributes {moert.inputs = 1 : i64} {
  %n = moert.host_buffer : memref<f32>
  // expected-error@+1 {{cannot stand in an entry function: expected to read one i1 or index, got 'memref<f32>'}}
  %b = memref.load %n[] : memref<f32>
  return
}

// -----

func.func @results(%ctx: !moert.context, %x: memref<i1>) attributes {moert.inputs = 1 : i64} {
  %n = moert.host_buffer : memref<i1>
  %b = memref.load %n[] : memref<i1>
  // expected-error@+1 {{cannot stand in an entry function: expected branches without results}}
  %r = scf.if %b -> index {
    %0 = arith.constant 0 : index
    scf.yield %0 : index
  } else {
    %1 = arith.constant 1 : index
    scf.yield %1 : index
  }
  return
}
