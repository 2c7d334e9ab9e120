// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%ids: tensor<6xi32>) {
  // expected-error@+1 {{expected ids [..., tokens, choices] of rank at least 2, got 'tensor<6xi32>'}}
  %0 = moe.expert_counts %ids : tensor<6xi32> -> tensor<i32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected counts to have rank 1, got 'tensor<1x4xi32>'}}
  %0 = moe.expert_counts %ids : tensor<6x2xi32> -> tensor<1x4xi32>
  return
}

// -----

func.func @f(%ids: tensor<3x6x2xi32>) {
  // expected-error@+1 {{expected counts to have size 3 in dim 0, got 2}}
  %0 = moe.expert_counts %ids : tensor<3x6x2xi32> -> tensor<2x4xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected a static number of experts, got 'tensor<?xi32>'}}
  %0 = moe.expert_counts %ids : tensor<6x2xi32> -> tensor<?xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi8>) {
  // expected-error@+1 {{expected ids of integers that hold 255, got 'i8'}}
  %0 = moe.expert_counts %ids : tensor<6x2xi8> -> tensor<256xi32>
  return
}

// -----

func.func @f(%ids: tensor<64x2xi32>) {
  // expected-error@+1 {{expected counts of integers that hold 128, got 'i8'}}
  %0 = moe.expert_counts %ids : tensor<64x2xi32> -> tensor<4xi8>
  return
}

// -----

func.func @f(%ids: tensor<4611686018427387904x2xi32>) {
  // expected-error@+1 {{number of copies overflows}}
  %0 = moe.expert_counts %ids : tensor<4611686018427387904x2xi32> -> tensor<4xi64>
  return
}

// -----

func.func @f(%x: tensor<6x8xf32>, %ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected at least one expert, got 0}}
  %0:2 = moe.permute_rows choice %x by %ids experts 0 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x8xf32>, tensor<6x2xi32>
  return
}

// -----

func.func @f(%x: tensor<6x8xf32>, %ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected rows to have size 12 in dim 0, got 13}}
  %0:2 = moe.permute_rows choice %x by %ids experts 4 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<13x8xf32>, tensor<6x2xi32>
  return
}

// -----

func.func @f(%x: tensor<6x8xf32>, %ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected rows to have rank 2, got 'tensor<2x6x8xf32>'}}
  %0:2 = moe.permute_rows choice %x by %ids experts 4 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<2x6x8xf32>, tensor<6x2xi32>
  return
}

// -----

func.func @f(%x: tensor<6x8xf32>, %ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected rows to have size 8 in dim 1, got 9}}
  %0:2 = moe.permute_rows choice %x by %ids experts 4 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x9xf32>, tensor<6x2xi32>
  return
}

// -----

func.func @f(%x: tensor<6x8xf32>, %ids: tensor<5x2xi32>) {
  // expected-error@+1 {{expected ids to have size 6 in dim 0, got 5}}
  %0:2 = moe.permute_rows choice %x by %ids experts 4 : tensor<6x8xf32>, tensor<5x2xi32> -> tensor<10x8xf32>, tensor<5x2xi32>
  return
}

// -----

func.func @f(%x: tensor<6x8xf32>, %ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected slots of the type of ids, 'tensor<6x2xi32>', got 'tensor<6x2xi64>'}}
  %0:2 = moe.permute_rows choice %x by %ids experts 4 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x8xf32>, tensor<6x2xi64>
  return
}

// -----

func.func @f(%x: tensor<6x8xf32>, %ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected rows to have elements 'f32', got 'f16'}}
  %0:2 = moe.permute_rows choice %x by %ids experts 4 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x8xf16>, tensor<6x2xi32>
  return
}

// -----

func.func @f(%x: tensor<100x8xf32>, %ids: tensor<100x2xi8>) {
  // expected-error@+1 {{expected slots of integers that hold 199, got 'i8'}}
  %0:2 = moe.permute_rows choice %x by %ids experts 4 : tensor<100x8xf32>, tensor<100x2xi8> -> tensor<200x8xf32>, tensor<100x2xi8>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<4xi32>) {
  // expected-error@+1 {{expected counts to have rank 2, got 'tensor<4xi32>'}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x4xi32>) {
  // expected-error@+1 {{expected counts to have rank 3, got 'tensor<2x4xi32>'}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<3x2x4xi32>) {
  // expected-error@+1 {{expected run offsets and sizes to have rank 3, got 'tensor<2x2xi32>'}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 6 : tensor<3x2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x2x4xi32>) {
  // expected-error@+1 {{expected counts to have size 3 in dim 0, got 2}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 6 : tensor<2x2x4xi32> -> tensor<2xi32>, tensor<3x2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<3x4xi32>) {
  // expected-error@+1 {{expected counts to have size 2 in dim 0, got 3}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<3x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x5xi32>) {
  // expected-error@+1 {{expected a number of experts that divides by the 2 ranks of the group, got 5}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<2x5xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x?xi32>) {
  // expected-error@+1 {{expected a static number of experts, got 'tensor<2x?xi32>'}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<2x?xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x4xi32>) {
  // expected-error@+1 {{expected offsets and sizes to have size 2 in dim 0, got 3}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<2x4xi32> -> tensor<3xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x4xi32>) {
  // expected-error@+1 {{expected run offsets and sizes to have size 2 in dim 1, got 4}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x4xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x4xi32>) {
  // expected-error@+1 {{expected a limit of at least 0 rows, got -1}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit -1 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x4xi32>) {
  // expected-error@+1 {{expected offsets and sizes of integers that hold 128, got 'i8'}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 128 : tensor<2x4xi32> -> tensor<2xi8>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<3x2x4xi32>) {
  // expected-error@+1 {{expected run offsets and sizes of integers that hold 180, got 'i8'}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 60 : tensor<3x2x4xi32> -> tensor<2xi8>, tensor<3x2x2xi8>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<3x2x4xi32>) {
  // expected-error@+1 {{number of rows overflows, got a limit of 9223372036854775807 on 3 ranks}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 9223372036854775807 : tensor<3x2x4xi32> -> tensor<2xi64>, tensor<3x2x2xi64>
  return
}

// -----

// expected-note@+1 {{the mesh has axes ["ep", "tp"]}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%all: tensor<2x4xi32>) {
  // expected-error@+1 {{group names unknown axis "pp"}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["pp"]> limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

func.func @f(%x: tensor<7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %o: tensor<3x2xi32>) {
  // expected-error@+1 {{expected both offsets and sizes of runs or neither}}
  %y = "moe.experts"(%x, %w1, %w2, %o) <{kind = #moe<experts_kind gpt>, operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>, tensor<3x2xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %o: tensor<3x2xi32>, %n: tensor<3x2xi64>) {
  // expected-error@+1 {{expected offsets and sizes of runs of one type, got 'tensor<3x2xi32>' and 'tensor<3x2xi64>'}}
  %y = "moe.experts"(%x, %w1, %w2, %o, %n) <{kind = #moe<experts_kind gpt>, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>, tensor<3x2xi32>, tensor<3x2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %o: tensor<3x2xi32>) {
  // expected-error@+1 {{expected tokens [rows, hidden] of rank 2 beside runs, got 'tensor<2x7x4xf32>'}}
  %y = moe.experts gpt %x runs(%o, %o : tensor<3x2xi32>), %w1, %w2 : tensor<2x7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %o: tensor<i32>) {
  // expected-error@+1 {{expected runs [..., experts] of rank at least 1, got 'tensor<i32>'}}
  %y = moe.experts gpt %x runs(%o, %o : tensor<i32>), %w1, %w2 : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %o: tensor<2x3xi32>) {
  // expected-error@+1 {{expected weight 0 to have size 3 in dim 0, got 2}}
  %y = moe.experts_dgrad gpt %x at %x runs(%o, %o : tensor<2x3xi32>), %w1, %w2 : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<128x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %o: tensor<2xi8>) {
  // expected-error@+1 {{expected runs of integers that hold 128, got 'i8'}}
  %y = moe.experts gpt %x runs(%o, %o : tensor<2xi8>), %w1, %w2 : tensor<128x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<128x4xf32>
  return
}

// -----

func.func @f(%x: tensor<7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %o: tensor<2xi32>) {
  // expected-error@+1 {{expected result type 'tensor<7x4xf32>', got 'tensor<8x4xf32>'}}
  %y = moe.experts gpt %x runs(%o, %o : tensor<2xi32>), %w1, %w2 : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<8x4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @f(%all: tensor<2x2x4xi32>) {
  // expected-error@+1 {{expected groups without a common axis, got "ep" in both}}
  %0:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["ep"]> limit 6 : tensor<2x2x4xi32> -> tensor<2xi32>, tensor<2x2x2xi32>
  return
}

// -----

// Ranks 1 and 2 would plan with those whom 0 and 3 plan with, in another order.
func.func @f(%all: tensor<2x2x4xi32>) {
  %0:6 = moe.ragged_plan %all on #moe.replica_groups<dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>> joined #moe.replica_groups<dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>> limit 6 : tensor<2x2x4xi32> -> tensor<2xi32>, tensor<2x2x2xi32>
  // expected-error@+1 {{expected groups that cross as axes of a mesh do, got}}
  %1:6 = moe.ragged_plan %all on #moe.replica_groups<dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>> joined #moe.replica_groups<dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>> limit 6 : tensor<2x2x4xi32> -> tensor<2xi32>, tensor<2x2x2xi32>
  return
}
