// A rewrite that places tokens in other rows is refused where an op combines
// rows of different tokens by their number, and made where the ranks that are
// combined have the same tokens.

// RUN: split-file %s %t
// RUN: moe-opt %t/sum.mlir --moe-unpad-exchanges --remarks-filter=moe-unpad-exchanges -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: FileCheck %s --check-prefix=PADDED < %t/out.mlir
// SUM: [Missed] rows {{.*}}expected ops that work on rows as on slots, got moe.all_reduce: ranks that differ in "ep" hold different tokens in the same row, because their gates choose different experts
// PADDED-NOT: moe.ragged_all_to_all

// The tokens vary over tp, then not.
// RUN: moe-opt %t/joined.mlir --moe-unpad-exchanges --remarks-filter=moe-unpad-exchanges -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=JOINED
// RUN: FileCheck %s --check-prefix=PADDED < %t/out.mlir
// JOINED: [Missed] rows {{.*}}got moe.all_reduce: ranks that differ in "tp" hold
// RUN: sed 's/"ep", "tp"\]}, %r/"ep"]}, %r/' %t/joined.mlir > %t/same.mlir
// RUN: moe-opt %t/same.mlir --moe-unpad-exchanges --remarks-filter=moe-unpad-exchanges -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: moe-run %t/out.mlir --against=%t/same.mlir --symbolic | FileCheck %s --check-prefix=EQUAL
// SAME: [Passed] rows
// EQUAL: equal: 4 ranks

// Columns of one row from ranks with different tokens.
// RUN: sed 's/moe.all_reduce %a on <@mesh, \["tp"\]>/moe.reduce_scatter %a on <@mesh, ["tp"]> dim 3/; s/-> tensor<2x1x2x4xf32> \/\/ columns/-> tensor<2x1x2x2xf32>/' %t/columns.mlir > %t/half.mlir
// RUN: moe-opt %t/half.mlir --moe-unpad-exchanges --remarks-filter=moe-unpad-exchanges -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: [Missed] rows {{.*}}got moe.reduce_scatter: ranks that differ in "tp" hold

// Received slots that are read without having been sent back.
// RUN: moe-opt %t/away.mlir --moe-split-batch=sub-batches=2 --remarks-filter=moe-split-batch -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=AWAY
// RUN: moe-opt %t/away.mlir -o %t/same.mlir && diff %t/out.mlir %t/same.mlir
// AWAY: [Missed] split-batch {{.*}}expected ops that treat sequences one by one, got moe.unpermute: its row numbers are of a buffer elsewhere: rows that were sent have to come back first

// Received slots that are added to a rank's own.
// RUN: moe-opt %t/mixed.mlir --moe-split-batch=sub-batches=2 --remarks-filter=moe-split-batch -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: [Missed] split-batch {{.*}}got arith.addf: its operands hold different tokens in the same row

// Dropless layers: sub-batches, chunks of tokens, one copy per node.
// RUN: moe-opt %t/ragged.mlir --moe-split-batch=sub-batches=2 --remarks-filter=moe-split-batch -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: [Missed] split-batch {{.*}}got moe.all_reduce: ranks that differ in "tp" hold
// RUN: moe-opt %t/ragged.mlir --moe-pipeline="scope=layer degree=2" --remarks-filter=moe-pipeline -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=CHUNKS
// CHUNKS: [Missed] pipeline {{.*}}expected ops that run in chunks of tokens, got moe.all_reduce: ranks that differ in "tp" hold
// RUN: moe-opt %t/ragged.mlir --moe-decompose-all-to-all=mode=node-dedup --remarks-filter=moe-decompose-all-to-all -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=NODES
// NODES: [Missed] decompose {{.*}}expected ops that treat rows one by one, got moe.all_reduce: ranks that differ in "tp" hold

// The default routings tell all of these from what a wrong rewrite would make:
// here sub-batches by hand.
// RUN: not moe-run %t/parts.mlir --against=%t/away.mlir --symbolic | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: unequal

//--- sum.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4x2xf32> {moe.varying = ["ep"]}, %r: tensor<2x2xf32> {moe.varying = []}) -> tensor<4x2xf32> {
  %y = moe.layer "a" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %r top_k 1 : tensor<4x2xf32>, tensor<2x2xf32> -> tensor<4x1xi32>, tensor<4x1xf32>
    %b, %slots = moe.permute choice %x by %ids : tensor<4x2xf32>, tensor<4x1xi32> -> tensor<2x1x4x2xf32>, tensor<4x1xi32>
    %a = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x2xf32> -> tensor<2x1x4x2xf32>
    %s = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<2x1x4x2xf32>
    %z = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x2xf32> -> tensor<2x1x4x2xf32>
    %o = moe.unpermute %z by %slots weights %w : tensor<2x1x4x2xf32>, tensor<4x1xi32>, tensor<4x1xf32> -> tensor<4x2xf32>
    moe.yield %o : tensor<4x2xf32>
  } : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

//--- joined.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<4x2xf32> {moe.varying = ["ep", "tp"]}, %r: tensor<2x2xf32> {moe.varying = []}) -> tensor<4x2xf32> {
  %y = moe.layer "a" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %r top_k 1 : tensor<4x2xf32>, tensor<2x2xf32> -> tensor<4x1xi32>, tensor<4x1xf32>
    %b, %slots = moe.permute choice %x by %ids : tensor<4x2xf32>, tensor<4x1xi32> -> tensor<2x1x4x2xf32>, tensor<4x1xi32>
    %a = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x2xf32> -> tensor<2x1x4x2xf32>
    %s = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<2x1x4x2xf32>
    %z = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x2xf32> -> tensor<2x1x4x2xf32>
    %o = moe.unpermute %z by %slots weights %w : tensor<2x1x4x2xf32>, tensor<4x1xi32>, tensor<4x1xf32> -> tensor<4x2xf32>
    moe.yield %o : tensor<4x2xf32>
  } : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

//--- columns.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<4x4xf32> {moe.varying = ["ep", "tp"]}, %r: tensor<4x2xf32> {moe.varying = []}) -> tensor<4x2xf32> {
  %y = moe.layer "a" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %r top_k 1 : tensor<4x4xf32>, tensor<4x2xf32> -> tensor<4x1xi32>, tensor<4x1xf32>
    %b, %slots = moe.permute choice %x by %ids : tensor<4x4xf32>, tensor<4x1xi32> -> tensor<2x1x2x4xf32>, tensor<4x1xi32>
    %a = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x2x4xf32> -> tensor<2x1x2x4xf32>
    %s = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<2x1x2x4xf32> -> tensor<2x1x2x4xf32> // columns
    %z = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x2x2xf32> -> tensor<2x1x2x2xf32>
    %o = moe.unpermute %z by %slots weights %w : tensor<2x1x2x2xf32>, tensor<4x1xi32>, tensor<4x1xf32> -> tensor<4x2xf32>
    moe.yield %o : tensor<4x2xf32>
  } : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

//--- away.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<2x2xf32> {moe.varying = ["ep"]}, %r: tensor<2x2xf32> {moe.varying = []}) -> tensor<2x2xf32> {
  %d = moe.dense "a" %x macs 8 sequences 2 : tensor<2x2xf32>
  %y = moe.layer "a" phase "fwd" {
    %ids, %w = moe.gate softmax %d, %r top_k 1 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x1xi32>, tensor<2x1xf32>
    %b, %slots = moe.permute choice %d by %ids : tensor<2x2xf32>, tensor<2x1xi32> -> tensor<2x1x2x2xf32>, tensor<2x1xi32>
    %a = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x2x2xf32> -> tensor<2x1x2x2xf32>
    %o = moe.unpermute %a by %slots weights %w : tensor<2x1x2x2xf32>, tensor<2x1xi32>, tensor<2x1xf32> -> tensor<2x2xf32>
    moe.yield %o : tensor<2x2xf32>
  } : tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

//--- parts.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func private @part(%x: tensor<1x2xf32>, %r: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %d = moe.dense "a" %x macs 4 : tensor<1x2xf32>
  %ids, %w = moe.gate softmax %d, %r top_k 1 : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<1x1xi32>, tensor<1x1xf32>
  %b, %slots = moe.permute choice %d by %ids : tensor<1x2xf32>, tensor<1x1xi32> -> tensor<2x1x1x2xf32>, tensor<1x1xi32>
  %a = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x1x2xf32> -> tensor<2x1x1x2xf32>
  %o = moe.unpermute %a by %slots weights %w : tensor<2x1x1x2xf32>, tensor<1x1xi32>, tensor<1x1xf32> -> tensor<1x2xf32>
  return %o : tensor<1x2xf32>
}
func.func @main(%x: tensor<2x2xf32> {moe.varying = ["ep"]}, %r: tensor<2x2xf32> {moe.varying = []}) -> tensor<2x2xf32> {
  %0 = tensor.extract_slice %x[0, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<1x2xf32>
  %1 = tensor.extract_slice %x[1, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<1x2xf32>
  %2 = func.call @part(%0, %r) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %3 = func.call @part(%1, %r) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %4 = moe.assemble %2, %3 dim 0 : tensor<1x2xf32>, tensor<1x2xf32> -> tensor<2x2xf32>
  return %4 : tensor<2x2xf32>
}

//--- mixed.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<2x2xf32> {moe.varying = ["ep"]}, %r: tensor<2x2xf32> {moe.varying = []}) -> tensor<2x2xf32> {
  %y = moe.layer "a" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %r top_k 1 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x1xi32>, tensor<2x1xf32>
    %b, %slots = moe.permute choice %x by %ids : tensor<2x2xf32>, tensor<2x1xi32> -> tensor<2x1x2x2xf32>, tensor<2x1xi32>
    %a = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x2x2xf32> -> tensor<2x1x2x2xf32>
    %s = arith.addf %a, %b : tensor<2x1x2x2xf32>
    %z = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x2x2xf32> -> tensor<2x1x2x2xf32>
    %o = moe.unpermute %z by %slots weights %w : tensor<2x1x2x2xf32>, tensor<2x1xi32>, tensor<2x1xf32> -> tensor<2x2xf32>
    moe.yield %o : tensor<2x2xf32>
  } : tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

//--- ragged.mlir
moe.mesh @mesh axes ["node", "ep", "tp"] shape [2, 2, 2]
func.func @main(%x: tensor<4x2xf32>, %r: tensor<2x4xf32> {moe.varying = []}) -> tensor<4x2xf32> {
  %y = moe.layer "a" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %r top_k 1 : tensor<4x2xf32>, tensor<2x4xf32> -> tensor<4x1xi32>, tensor<4x1xf32>
    %own = moe.expert_counts %ids : tensor<4x1xi32> -> tensor<4xi32>
    %row = tensor.expand_shape %own [[0, 1]] output_shape [1, 4] : tensor<4xi32> into tensor<1x4xi32>
    %all = moe.all_gather %row on <@mesh, ["node", "ep"]> dim 0 : tensor<1x4xi32> -> tensor<4x4xi32>
    %so, %ss, %ro, %rs, %runs, %sizes = moe.ragged_plan %all on <@mesh, ["node", "ep"]> limit 16 : tensor<4x4xi32> -> tensor<4xi32>, tensor<4x1xi32>
    %rows, %slots = moe.permute_rows choice %x by %ids experts 4 : tensor<4x2xf32>, tensor<4x1xi32> -> tensor<4x2xf32>, tensor<4x1xi32>
    %e0 = tensor.empty() : tensor<16x2xf32>
    %there = moe.ragged_all_to_all %rows into %e0 on <@mesh, ["node", "ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<4x2xf32>, tensor<4xi32> -> tensor<16x2xf32>
    %sum = moe.all_reduce %there on <@mesh, ["tp"]> : tensor<16x2xf32>
    %e1 = tensor.empty() : tensor<4x2xf32>
    %back = moe.ragged_all_to_all %sum into %e1 on <@mesh, ["node", "ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<16x2xf32>, tensor<4xi32> -> tensor<4x2xf32>
    %o = moe.unpermute %back by %slots weights %w : tensor<4x2xf32>, tensor<4x1xi32>, tensor<4x1xf32> -> tensor<4x2xf32>
    moe.yield %o : tensor<4x2xf32>
  } : tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
