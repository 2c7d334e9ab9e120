// What nothing may be claimed about: values that pass through unstructured
// control flow, arguments of functions that the module itself calls, modules
// with meshes of their own.
// RUN: moe-opt %s -split-input-file -moe-print-replication -verify-diagnostics -o /dev/null

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// Ranks along tp may bring %a or %b to the block.
// expected-remark @below {{argument 0 varies over ["tp"]}}
func.func @blocks(%c: i1 {moe.varying = ["tp"]},
    // expected-remark @below {{argument 1 varies over []}}
    %a: f32 {moe.varying = []},
    // expected-remark @below {{argument 2 varies over []}}
    %b: f32 {moe.varying = []}) -> f32 {
  cf.cond_br %c, ^bb1(%a : f32), ^bb1(%b : f32)
// expected-remark @below {{argument 0 varies over ["ep", "tp"]}}
^bb1(%x: f32):
  // expected-remark @below {{varies over ["ep", "tp"]}}
  %y = arith.addf %x, %a : f32
  return %y : f32
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// expected-remark @below {{argument 0 varies over ["tp"]}}
func.func private @ways(%c: i1) -> f32 {
  // expected-remark @below {{varies over []}}
  %a = arith.constant 1.0 : f32
  // expected-remark @below {{varies over []}}
  %b = arith.constant 2.0 : f32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : f32
^bb2:
  return %b : f32
}
// expected-remark @below {{argument 0 varies over ["tp"]}}
func.func @caller(%c: i1 {moe.varying = ["tp"]}) -> f32 {
  // expected-remark @below {{varies over ["ep", "tp"]}}
  %r = call @ways(%c) : (i1) -> f32
  return %r : f32
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// The caller does not keep to what the callee declares.
// expected-remark @below {{argument 0 varies over ["ep", "tp"]}}
func.func @callee(%x: f32 {moe.varying = ["ep"]}) -> f32 {
  return %x : f32
}
// expected-remark @below {{argument 0 varies over ["ep", "tp"]}}
func.func @breaks_it(%x: f32) -> f32 {
  // expected-remark @below {{varies over ["ep", "tp"]}}
  %r = call @callee(%x) : (f32) -> f32
  return %r : f32
}

// -----

module @first {
  // expected-note @below {{the other mesh is declared here}}
  moe.mesh @mesh axes ["tp"] shape [1]
}
module @second {
  // expected-error @below {{expected one mesh in all modules to analyze}}
  moe.mesh @mesh axes ["tp"] shape [2]
}
