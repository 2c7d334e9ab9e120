// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error@+1 {{expected @mesh to name a moe.mesh}}
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{requires attribute 'group'}}
  "moe.group_rank"() : () -> index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{must be index}}
  "moe.group_rank"() <{group = #moe.group<@mesh, ["ep"]>}> : () -> i32
  return
}
