// RUN: moe-opt %s -split-input-file -verify-diagnostics

// Parsing the short forms.

func.func @f() {
  // expected-error@+1 {{expected @mesh to name a moe.mesh}}
  %i = moe.group_rank on <@mesh, []> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{axis "ep" is listed twice in a group}}
  %i = moe.group_rank on <@mesh, ["ep", "tp", "ep"]> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{expected axis names, got 1 : i64}}
  %i = moe.group_rank on <@mesh, ["ep", 1]> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %i = moe.group_rank on <"mesh", ["ep"]> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %i = moe.group_rank on <@outer::@mesh, ["ep"]> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{expected ','}}
  %i = moe.group_rank on <@mesh> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{invalid kind of attribute specified}}
  %i = moe.group_rank on <@mesh, "ep"> : index
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{expected '>'}}
  %i = moe.group_rank on <@mesh, ["ep"] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a list of ranks, got 0 : i64}}
  %i = moe.group_rank on [0, 1] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected groups of one size, got 2 and 1 ranks}}
  %i = moe.group_rank on [[0, 1], [2]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a rank, got "0"}}
  %i = moe.group_rank on [["0"]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a rank, got 0 : i32}}
  %i = moe.group_rank on [[0 : i32]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a rank, got 0 : si64}}
  %i = moe.group_rank on [[0 : si64]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a rank, got true}}
  %i = moe.group_rank on [[true]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected ranks from 0 to 0 in the replica groups, got -9223372036854775808}}
  %i = moe.group_rank on [[9223372036854775808]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected at least one rank in the replica groups}}
  %i = moe.group_rank on [] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected at least one rank in the replica groups}}
  %i = moe.group_rank on [[], []] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected ranks from 0 to 1 in the replica groups, got -1}}
  %i = moe.group_rank on [[0, -1]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected ranks from 0 to 1 in the replica groups, got -9223372036854775808}}
  %i = moe.group_rank on [[0, -9223372036854775808]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected ranks from 0 to 3 in the replica groups, got 4}}
  %i = moe.group_rank on [[0, 1], [2, 4]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{rank 1 stands in the replica groups twice}}
  %i = moe.group_rank on [[0, 1], [1, 2]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{rank 0 stands in the replica groups twice}}
  %i = moe.group_rank on [[0, 0]] : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a group of ranks, got 5 : i64}}
  %i = moe.group_rank on 5 {a} : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a group of ranks, got "ep"}}
  %i = moe.group_rank on "ep" : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a group of ranks, got dense<0> : tensor<1x1xi64>}}
  %i = moe.group_rank on dense<0> : tensor<1x1xi64> : index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected attribute value}}
  %i = moe.group_rank on  : index
  return
}

// -----

// The attributes by themselves.

// expected-error@+1 {{axis "ep" is listed twice in a group}}
func.func private @f() attributes {g = #moe.group<@mesh, ["ep", "ep"]>}

// -----

// expected-error@+1 {{expected axis names, got unit}}
func.func private @f() attributes {g = #moe.group<@mesh, [unit]>}

// -----

// expected-error@+2 {{invalid kind of attribute specified}}
// expected-error@+1 {{failed to parse MoE_GroupAttr parameter 'mesh'}}
func.func private @f() attributes {g = #moe.group<1, []>}

// -----

// expected-error@+1 {{expected replica groups to be a matrix of 64-bit integers, one group a row}}
func.func private @f() attributes {g = #moe.replica_groups<dense<0> : tensor<1xi64>>}

// -----

// expected-error@+1 {{expected replica groups to be a matrix of 64-bit integers, one group a row}}
func.func private @f() attributes {g = #moe.replica_groups<dense<0> : tensor<i64>>}

// -----

// expected-error@+1 {{expected replica groups to be a matrix of 64-bit integers, one group a row}}
func.func private @f() attributes {g = #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xi32>>}

// -----

// expected-error@+1 {{expected replica groups to be a matrix of 64-bit integers, one group a row}}
func.func private @f() attributes {g = #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xui64>>}

// -----

// expected-error@+1 {{expected replica groups to be a matrix of 64-bit integers, one group a row}}
func.func private @f() attributes {g = #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xindex>>}

// -----

// expected-error@+2 {{invalid kind of attribute specified}}
// expected-error@+1 {{failed to parse MoE_ReplicaGroupsAttr parameter 'ranks'}}
func.func private @f() attributes {g = #moe.replica_groups<dense<0.0> : tensor<1x1xf64>>}

// -----

// expected-error@+1 {{expected at least one rank in the replica groups}}
func.func private @f() attributes {g = #moe.replica_groups<dense<> : tensor<0x2xi64>>}

// -----

// expected-error@+1 {{expected at least one rank in the replica groups}}
func.func private @f() attributes {g = #moe.replica_groups<dense<> : tensor<2x0xi64>>}

// -----

// A splat claims 2^60 ranks; nothing of that size is allocated.
// expected-error@+1 {{rank 3 stands in the replica groups twice}}
func.func private @f() attributes {g = #moe.replica_groups<dense<3> : tensor<1073741824x1073741824xi64>>}

// -----

// 7 * 7905747460161236407 = 1 modulo 2^64.
// expected-error@+1 {{rank 0 stands in the replica groups twice}}
func.func private @f() attributes {g = #moe.replica_groups<dense<0> : tensor<7x7905747460161236407xi64>>}

// -----

// The same twice: two elements are enough data for MLIR.
// expected-error@+1 {{number of ranks in the replica groups overflows}}
func.func private @f() attributes {g = #moe.replica_groups<dense<"0x00000000000000000100000000000000"> : tensor<14x7905747460161236407xi64>>}

// -----

// expected-error@+1 {{rank 1 stands in the replica groups twice}}
func.func private @f() attributes {g = #moe.replica_groups<dense<[[1, 1]]> : tensor<1x2xi64>>}

// -----

// expected-error@+1 {{expected ranks from 0 to 0 in the replica groups, got 1}}
func.func private @f() attributes {g = #moe.replica_groups<dense<1> : tensor<1x1xi64>>}

// -----

// expected-error@+1 {{unknown attribute `nothing` in dialect `moe`}}
func.func private @f() attributes {g = #moe.nothing}

// -----

// expected-error@+2 {{expected ::moe::Phase to be one of: fwd, bwd}}
// expected-error@+1 {{failed to parse MoE_PhaseAttr parameter}}
func.func private @f() attributes {g = #moe<phase sideways>}

// -----

// Groups in the module around them.

func.func @f() {
  // expected-error@+1 {{expected @mesh to name a moe.mesh}}
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  return
}

// -----

// Another kind of op has that name.
func.func private @mesh()
func.func @f() {
  // expected-error@+1 {{expected @mesh to name a moe.mesh}}
  %i = moe.group_rank on <@mesh, []> : index
  return
}

// -----

// expected-note@+1 {{the mesh has axes ["ep", "tp"]}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{group names unknown axis "dp"}}
  %i = moe.group_rank on <@mesh, ["ep", "dp"]> : index
  return
}

// -----

// expected-note@+1 {{the mesh is declared here}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f() {
  // expected-error@+1 {{expected replica groups of all 6 ranks of the mesh, got 4}}
  %i = moe.group_rank on [[0, 1], [2, 3]] : index
  return
}

// -----

// expected-note@+1 {{the mesh is declared here}}
moe.mesh @mesh axes ["x"] shape [2147483647]
func.func @f() {
  // expected-error@+1 {{expected replica groups of all 2147483647 ranks of the mesh, got 1}}
  %i = moe.group_rank on [[0]] : index
  return
}

// -----

// A mesh in an inner module is not seen from outside.
module @inner {
  moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
}
func.func @f() {
  // expected-error@+1 {{expected @mesh to name a moe.mesh}}
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  return
}

// -----

// Nor is one further out: symbols are looked up in one table.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
module @inner {
  func.func @f() {
    // expected-error@+1 {{expected @mesh to name a moe.mesh}}
    %i = moe.group_rank on <@mesh, ["ep"]> : index
    return
  }
}

// -----

// Without a mesh the lists agree on the number of ranks.
func.func @f() {
  // expected-note@+1 {{the first replica groups are here}}
  %i = moe.group_rank on [[0, 1], [2, 3]] : index
  return
}
func.func @g() {
  // expected-error@+1 {{expected replica groups of all 4 ranks, got 2}}
  %i = moe.group_rank on [[0, 1]] : index
  return
}

// -----

// A module with a mesh has ranks of its own.
module {
  moe.mesh @mesh axes ["ep"] shape [4]
  func.func @f() {
    %i = moe.group_rank on [[0, 1], [2, 3]] : index
    return
  }
}
func.func @g(%x: tensor<2xf32>) {
  // expected-note@+1 {{the first replica groups are here}}
  %r = moe.drop %x on [[0, 1]] dim 0 : tensor<2xf32> -> tensor<1xf32>
  return
}
module {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{expected replica groups of all 2 ranks, got 3}}
    %r = moe.all_reduce %x on [[0, 2, 1]] : tensor<2xf32>
    return
  }
}
