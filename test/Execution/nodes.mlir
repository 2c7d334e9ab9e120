// Tokens that cross the links between nodes once: every sum is regrouped, so
// that results agree with those of the layer that sends each copy by itself as
// multisets of terms, and in numbers within a tolerance; compiled code agrees
// with the interpreter bit for bit. The host plans once, and waits once.

// RUN: moe-opt %s --moe-schedule --convert-moe-to-moert -o %t.runtime.mlir
// RUN: FileCheck %s < %t.runtime.mlir
// RUN: moe-opt %t.runtime.mlir --moert-verify-streams -o /dev/null
// RUN: moe-run %s --against=%S/Inputs/nodes-flat.mlir --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --against=%S/Inputs/nodes-flat.mlir --tolerance=1e-6 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --backend=host --against=%s --against-backend=interp --seed=2 | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/permute_rows token/permute_rows choice/' %s > %t.choice.mlir
// RUN: moe-run %t.choice.mlir --backend=host --against=%s --against-backend=interp --seed=3 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --backend=nccl --stand-ins --against=%s --against-backend=interp --tolerance=1e-5 --seed=4 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal{{.*}}: 4 ranks

// Too many rows inside of a node, then between nodes: all in the same words.
// RUN: sed 's/limits 12, 72/limits 12, 5/' %s > %t.few.mlir
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t.few.mlir --backend=host 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: node_plan: expected at most 5 rows for a rank, got {{[0-9]+}} for rank [[RANK:[0-3]]], position [[RANK]] of its group: a greater limit (--receive-factor) takes them
// RUN: sed 's/limits 12, 72/limits 5, 72/' %s > %t.few.mlir
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t.few.mlir --backend=host 2>&1 | FileCheck %s --check-prefix=BETWEEN
// BETWEEN: node_plan: between nodes, at place {{[01]}}: expected at most 5 rows for a rank, got {{[0-9]+}} for rank {{[0-3]}}, position {{[01]}} of its group

// CHECK-LABEL: func.func @main(
// CHECK:       moert.distinct_nodes {{.*}} experts 8 nodes 2
// CHECK:       moert.all_gather
// CHECK:       moert.await
// CHECK-NOT:   moert.await
// CHECK:       moert.node_plan {{.*}} of #moe.group<@mesh, ["node", "place"]> at {{.*}} limits 12, 72 to {{.*}} : memref<4x10xi32> to memref<2xi64> inside memref<2xi64> runs memref<2x2xi64>
// CHECK-COUNT-6: moert.ragged_all_to_all
// CHECK-NOT:   moert.await
// CHECK:       return
moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @main(%x: tensor<6x8xf32>, %router: tensor<8x8xf32> {moe.varying = []}, %w1: tensor<2x8x5xf32>, %w2: tensor<2x8x5xf32>, %w3: tensor<2x5x8xf32>) -> tensor<6x8xf32> {
  %ids, %w = moe.gate softmax %x, %router top_k 3 : tensor<6x8xf32>, tensor<8x8xf32> -> tensor<6x3xi32>, tensor<6x3xf32>
  %nodes = moe.distinct_nodes %ids experts 8 nodes 2 : tensor<6x3xi32> -> tensor<6x2xi32>
  %c = moe.expert_counts %ids : tensor<6x3xi32> -> tensor<8xi32>
  %n = moe.expert_counts %nodes : tensor<6x2xi32> -> tensor<2xi32>
  %own = moe.assemble %c, %n dim 0 : tensor<8xi32>, tensor<2xi32> -> tensor<10xi32>
  %own1 = tensor.expand_shape %own [[0, 1]] output_shape [1, 10] : tensor<10xi32> into tensor<1x10xi32>
  %all = moe.all_gather %own1 on <@mesh, ["node", "place"]> dim 0 : tensor<1x10xi32> -> tensor<4x10xi32>
  %so, %ss, %ro, %rs, %io, %is, %jo, %js, %po, %ps = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 12, 72 : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
  %rows, %slots = moe.permute_rows token %x by %nodes experts 2 : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x8xf32>, tensor<6x2xi32>
  %idRows, %s2 = moe.permute_rows token %ids by %nodes experts 2 : tensor<6x3xi32>, tensor<6x2xi32> -> tensor<12x3xi32>, tensor<6x2xi32>
  %wRows, %s3 = moe.permute_rows token %w by %nodes experts 2 : tensor<6x3xf32>, tensor<6x2xi32> -> tensor<12x3xf32>, tensor<6x2xi32>
  %e1 = tensor.empty() : tensor<12x8xf32>
  %none = arith.constant dense<-1> : tensor<12x3xi32>
  %zero = arith.constant dense<0.0> : tensor<12x3xf32>
  %came = moe.ragged_all_to_all %rows into %e1 on <@mesh, ["node"]> send(%so, %ss) recv(%ro, %rs) : tensor<12x8xf32>, tensor<2xi32> -> tensor<12x8xf32>
  %cameIds = moe.ragged_all_to_all %idRows into %none on <@mesh, ["node"]> send(%so, %ss) recv(%ro, %rs) : tensor<12x3xi32>, tensor<2xi32> -> tensor<12x3xi32>
  %cameW = moe.ragged_all_to_all %wRows into %zero on <@mesh, ["node"]> send(%so, %ss) recv(%ro, %rs) : tensor<12x3xf32>, tensor<2xi32> -> tensor<12x3xf32>
  %node = moe.group_rank on <@mesh, ["node"]> : index
  %per = arith.constant 4 : index
  %first = arith.muli %node, %per : index
  %firstI = arith.index_cast %first : index to i32
  %firsts = tensor.splat %firstI : tensor<12x3xi32>
  %d = arith.subi %cameIds, %firsts : tensor<12x3xi32>
  %pers = arith.constant dense<4> : tensor<12x3xi32>
  %is4 = arith.cmpi ult, %d, %pers : tensor<12x3xi32>
  %mine = arith.select %is4, %d, %none : tensor<12x3xi1>, tensor<12x3xi32>
  %h, %places = moe.permute_rows token %came by %mine experts 4 : tensor<12x8xf32>, tensor<12x3xi32> -> tensor<36x8xf32>, tensor<12x3xi32>
  %space = tensor.empty() : tensor<72x8xf32>
  %room = tensor.empty() : tensor<36x8xf32>
  %in = moe.ragged_all_to_all %h into %space on <@mesh, ["place"]> send(%io, %is) recv(%jo, %js) : tensor<36x8xf32>, tensor<2xi32> -> tensor<72x8xf32>
  %y = moe.experts swiglu %in runs(%po, %ps : tensor<2x2xi32>), %w1, %w2, %w3 : tensor<72x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32> -> tensor<72x8xf32>
  %back = moe.ragged_all_to_all %y into %room on <@mesh, ["place"]> send(%jo, %js) recv(%io, %is) : tensor<72x8xf32>, tensor<2xi32> -> tensor<36x8xf32>
  %part = moe.unpermute %back by %places weights %cameW : tensor<36x8xf32>, tensor<12x3xi32>, tensor<12x3xf32> -> tensor<12x8xf32>
  %parts = moe.ragged_all_to_all %part into %e1 on <@mesh, ["node"]> send(%ro, %rs) recv(%so, %ss) : tensor<12x8xf32>, tensor<2xi32> -> tensor<12x8xf32>
  %ones = arith.constant dense<1.0> : tensor<6x2xf32>
  %out = moe.unpermute %parts by %slots weights %ones : tensor<12x8xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xf32>
  return %out : tensor<6x8xf32>
}
