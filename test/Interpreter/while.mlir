// RUN: moe-run %s --entry=halve --print-values | FileCheck %s --check-prefix=HALVE
// RUN: moe-run %s --entry=halve --print-values --symbolic | FileCheck %s --check-prefix=HALVE
// RUN: moe-run %s --entry=shrunk --symbolic | FileCheck %s --check-prefix=SHRUNK
// RUN: not moe-run %s --entry=endless 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not moe-run %s --entry=unknown --symbolic 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moe-run %s --entry=parted 2>&1 | FileCheck %s --check-prefix=PARTED

moe.mesh @mesh axes ["r"] shape [3]

// Rank r halves 2^r + 1 until it is 0; what the condition hands out, the
// steps so far, is the result, and the region after it does not run again.
// HALVE: result 0: index
// HALVE-NEXT: ranks 0-1: checksum {{[0-9a-f]+}}
// HALVE-NEXT: 2{{$}}
// HALVE-NEXT: rank 2: checksum {{[0-9a-f]+}}
// HALVE-NEXT: 3{{$}}
// HALVE-NEXT: result 1: index
// HALVE-NEXT: ranks 0-2: checksum {{[0-9a-f]+}}
// HALVE-NEXT: 0{{$}}
func.func @halve() -> (index, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = moe.group_rank on <@mesh, ["r"]> : index
  %p = arith.shli %one, %r : index
  %n = arith.addi %p, %one : index
  %steps, %last = scf.while (%left = %n, %s = %zero) : (index, index) -> (index, index) {
    %more = arith.cmpi ne, %left, %zero : index
    scf.condition(%more) %s, %left : index, index
  } do {
  ^bb0(%s: index, %left: index):
    %half = arith.shrui %left, %one : index
    %t = arith.addi %s, %one : index
    scf.yield %half, %t : index, index
  }
  return %steps, %last : index, index
}

// Dims that pass through shrink.
// SHRUNK: result 0: tensor<6x100xf32>, shrunk to 1x1
func.func @shrunk(%x: tensor<6x100xf32>) -> tensor<6x100xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %y:2 = scf.while (%a = %x, %i = %zero) : (tensor<6x100xf32>, index) -> (tensor<6x100xf32>, index) {
    %more = arith.cmpi ult, %i, %two : index
    scf.condition(%more) %a, %i : tensor<6x100xf32>, index
  } do {
  ^bb0(%a: tensor<6x100xf32>, %i: index):
    %b = arith.mulf %a, %a : tensor<6x100xf32>
    %j = arith.addi %i, %one : index
    scf.yield %b, %j : tensor<6x100xf32>, index
  }
  return %y#0 : tensor<6x100xf32>
}

// ENDLESS: error: {{.*}} is where execution stopped after 16777216 steps (an op on a rank is a step): a loop or a tree of calls does not end
func.func @endless(%x: f32) -> f32 {
  %t = arith.constant true
  %y = scf.while (%a = %x) : (f32) -> f32 {
    scf.condition(%t) %a : f32
  } do {
  ^bb0(%b: f32):
    scf.yield %b : f32
  }
  return %y : f32
}

// UNKNOWN: {{.*}}:[[@LINE+5]]:5: error: 'scf.condition' op expected the condition to be a known integer, got arith.cmpf
func.func @unknown(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %y = scf.while (%a = %x) : (f32) -> f32 {
    %t = arith.cmpf olt, %a, %zero : f32
    scf.condition(%t) %a : f32
  } do {
  ^bb0(%b: f32):
    scf.yield %b : f32
  }
  return %y : f32
}

// PARTED: error: 'moe.all_reduce' op is reached by rank 2 but not by ranks 0-1 of the same group
// PARTED: note: they parted at this 'scf.while'
func.func @parted(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r = moe.group_rank on <@mesh, ["r"]> : index
  %y:2 = scf.while (%a = %x, %i = %r) : (tensor<2xf32>, index) -> (tensor<2xf32>, index) {
    %more = arith.cmpi eq, %i, %two : index
    scf.condition(%more) %a, %i : tensor<2xf32>, index
  } do {
  ^bb0(%a: tensor<2xf32>, %i: index):
    %b = moe.all_reduce %a on <@mesh, ["r"]> : tensor<2xf32>
    %j = arith.addi %i, %one : index
    scf.yield %b, %j : tensor<2xf32>, index
  }
  return %y#0 : tensor<2xf32>
}
