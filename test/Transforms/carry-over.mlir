// RUN: moe-opt %s -moe-rewrite-collectives=rules=deduplicate-all-to-all,merge-all-gathers,drop-of-all-reduce,split-all-to-all -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s
// RUN: moe-opt %s -moe-decompose-all-to-all="mode=hierarchical variant=1dh" -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=ONERANK
// RUN: moe-opt %s -canonicalize -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=CANON
// RUN: moe-opt %s -moe-pipeline=degree=2 -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=CHUNKS
// RUN: moe-opt %s -moe-pipeline=degree=2 -moe-schedule -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=TASKS

// What a user wrote on an op stays on the one that does its work, and where it
// came from: of two that became one, both.

moe.mesh @mesh axes ["ep", "tp", "dp"] shape [2, 2, 2]

// CHECK-LABEL: func.func @once
// CHECK: moe.drop
// CHECK: moe.all_to_all {{.*}} {user.note = 1 : i64}{{.*}} loc("exchange")
// CHECK: moe.all_gather {{.*}} loc("exchange")
func.func @once(%x: tensor<2x2x2xf32> {moe.varying = ["ep", "dp"]}) -> tensor<2x2x2xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 {user.note = 1} : tensor<2x2x2xf32> -> tensor<2x2x2xf32> loc("exchange")
  return %a : tensor<2x2x2xf32>
}

// Of two attributes of one name, that of the op that is replaced.
// CHECK-LABEL: func.func @merged
// CHECK: moe.all_gather {{.*}} {user.first, user.note = 2 : i64}{{.*}} loc(fused["second", "first"])
// CHECK: moe.reduce_scatter {{.*}} {user.drop, user.note = 3 : i64}{{.*}} loc(fused["drop", "reduce"])
func.func @merged(%x: tensor<2x2x2xf32>) -> (tensor<2x2x8xf32>, tensor<2x2x1xf32>) {
  %a = moe.all_gather %x on <@mesh, ["tp"]> dim 2 {user.first, user.note = 5} : tensor<2x2x2xf32> -> tensor<2x2x4xf32> loc("first")
  %b = moe.all_gather %a on <@mesh, ["dp"]> dim 2 {user.note = 2} : tensor<2x2x4xf32> -> tensor<2x2x8xf32> loc("second")
  %c = moe.all_reduce %x on <@mesh, ["tp"]> {user.note = 3} : tensor<2x2x2xf32> loc("reduce")
  %d = moe.drop %c on <@mesh, ["tp"]> dim 2 {user.drop} : tensor<2x2x2xf32> -> tensor<2x2x1xf32> loc("drop")
  return %b, %d : tensor<2x2x8xf32>, tensor<2x2x1xf32>
}

// Both steps, and all three through one rank of each node.
// CHECK-LABEL: func.func @split
// CHECK-COUNT-2: moe.all_to_all {{.*}} {user.note = 4 : i64}{{.*}} loc("exchange")
// ONERANK-LABEL: func.func @split
// ONERANK-COUNT-3: moe.ragged_all_to_all {{.*}} {user.note = 4 : i64}{{.*}} loc("exchange")
func.func @split(%x: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0 {user.note = 4} : tensor<4x2x3xf32> -> tensor<4x2x3xf32> loc("exchange")
  return %a : tensor<4x2x3xf32>
}

// CANON-LABEL: func.func @transposes
// CANON: moe.transpose {{.*}} {user.inner = 1 : i64, user.outer = 2 : i64}{{.*}} loc(fused["outer", "inner"])
func.func @transposes(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %a = moe.transpose %x [1, 0, 2] {user.inner = 1} : tensor<2x3x4xf32> -> tensor<3x2x4xf32> loc("inner")
  %b = moe.transpose %a [2, 1, 0] {user.outer = 2} : tensor<3x2x4xf32> -> tensor<4x2x3xf32> loc("outer")
  return %b : tensor<4x2x3xf32>
}

// In chunks, each is the op. A layer leaves nothing but tasks behind, and what
// is packed is another collective.
// CHUNKS-LABEL: func.func @chunks
// CHUNKS: moe.layer "0" phase "fwd" attributes {user.layer = 6 : i64}
// CHUNKS: moe.pipeline
// CHUNKS: moe.all_to_all {{.*}} {user.note = 7 : i64}{{.*}} loc("exchange")
// TASKS-LABEL: func.func @chunks
// TASKS: moe.task {{.*}} "exchange.all_to_all"[0 of 2] layer "0" phase "fwd" attributes {user.layer = 6 : i64}
// TASKS: moe.all_to_all {{.*}} split 0 concat 0 {user.note = 7 : i64}{{.*}} loc("exchange")
// TASKS: moe.task {{.*}} "exchange.all_to_all"[1 of 2] layer "0" phase "fwd" attributes {user.layer = 6 : i64}
// TASKS: moe.all_to_all {{.*}} {user.note = 7 : i64}{{.*}} loc("exchange")
func.func @chunks(%x: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %r = moe.layer "0" phase "fwd" attributes {user.layer = 6} {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 1 {user.note = 7} : tensor<3x4x6xf32> -> tensor<3x4x6xf32> loc("exchange")
    moe.yield %a : tensor<3x4x6xf32>
  } : tensor<3x4x6xf32> loc("layer")
  return %r : tensor<3x4x6xf32>
}
