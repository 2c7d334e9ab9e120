// RUN: moe-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{unknown attribute 'moe.nothing': of operations outside it the moe dialect has only 'moe.platform', 'moe.divergent', 'moe.work', 'moe.sub_batch' and 'moe.time_us'}}
func.func @f() attributes {moe.nothing} {
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
func.func @f() {
  // expected-error@+1 {{unknown attribute 'moe.varying': of operations outside it the moe dialect has only 'moe.platform', 'moe.divergent', 'moe.work', 'moe.sub_batch' and 'moe.time_us'}}
  %i = moe.group_rank on <@mesh, ["ep"]> {moe.varying = ["ep"]} : index
  return
}

// -----

// expected-error@+1 {{unknown argument attribute 'moe.changing', expected 'moe.varying' or 'moe.name'}}
func.func @f(%x: index {moe.changing = []}) {
  return
}

// -----

// expected-error@+1 {{unknown attribute 'moe.varying' of result 1, expected 'moe.name'}}
func.func private @f() -> (index, index {moe.varying = []})

// -----

// expected-error@+1 {{expected 'moe.name' of argument 0 to have letters, digits, '_' and '.', got "a*/"}}
func.func @f(%x: index {moe.name = "a*/"}) {
  return
}

// -----

// expected-error@+1 {{expected 'moe.name' of result 0 to have letters, digits, '_' and '.', got 1 : i64}}
func.func private @f() -> (index {moe.name = 1})

// -----

// expected-error@+1 {{expected 'moe.varying' of argument 1 to be an array of axis names, got "ep"}}
func.func @f(%x: index, %y: index {moe.varying = "ep"}) {
  return
}

// -----

// expected-error@+1 {{expected 'moe.varying' of argument 0 to be an array of axis names, got [1]}}
func.func @f(%x: index {moe.varying = [1]}) {
  return
}

// -----

// expected-error@+1 {{expected 'moe.varying' of argument 0 to be an array of axis names, got unit}}
func.func private @f(index {moe.varying})

// -----

// expected-error@+1 {{'moe.varying' of argument 0 names axes, but the module has no moe.mesh}}
func.func @f(%x: index {moe.varying = ["ep"]}) {
  return
}

// -----

// expected-note@+1 {{the mesh has axes ["ep", "tp"]}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
// expected-error@+1 {{'moe.varying' of argument 0 names unknown axis "dp"}}
func.func @f(%x: index {moe.varying = ["ep", "dp"]}) {
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
// expected-error@+1 {{'moe.varying' of argument 0 names axis "ep" twice}}
func.func @f(%x: index {moe.varying = ["ep", "tp", "ep"]}) {
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected 'moe.time_us' to be an f64 of at least 0, got -1.000000e+00 : f64}}
  %y = arith.negf %x {moe.time_us = -1.0 : f64} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected 'moe.time_us' to be an f64 of at least 0, got 1 : i64}}
  %y = arith.negf %x {moe.time_us = 1 : i64} : tensor<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
// expected-error@+1 {{expected 'moe.divergent' to be an array of axis names, got "ep"}}
func.func @f() attributes {moe.divergent = "ep"} {
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
// expected-error@+1 {{'moe.divergent' names unknown axis "tp"}}
func.func @f() attributes {moe.divergent = ["tp"]} {
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
func.func @f() {
  // expected-error@+1 {{expected 'moe.divergent' on a function, got it on moe.group_rank}}
  %i = moe.group_rank on <@mesh, ["ep"]> {moe.divergent = ["ep"]} : index
  return
}

// -----

// expected-error@+1 {{expected 'moe.work' on a function, got it on builtin.module}}
module attributes {moe.work = {flops = 1.0 : f64, tokens = 8 : i64}} {
}

// -----

// expected-error@+1 {{expected 'moe.work' to be {flops = F : f64, tokens = N : i64}, both above 0, got {flops = 0.000000e+00 : f64, tokens = 8 : i64}}}
func.func @nothing_done() attributes {moe.work = {flops = 0.0 : f64, tokens = 8 : i64}} {
  return
}

// -----

// expected-error@+1 {{both above 0, got {tokens = 8 : i64}}}
func.func @no_flops() attributes {moe.work = {tokens = 8 : i64}} {
  return
}
