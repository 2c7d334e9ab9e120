// RUN: split-file %s %t
// RUN: moe-opt %t/step.mlir --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s
// RUN: moe-opt %t/step.mlir --moe-split-batch=sub-batches=1 | FileCheck %s --check-prefix=WHOLE
// RUN: moe-opt %t/step.mlir --moe-split-batch=sub-batches=3 --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not moe-opt %t/step.mlir --moe-split-batch=sub-batches=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: moe-opt %t/step.mlir --moe-split-batch --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: moe-opt %t/slots.mlir --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=SLOTS
// RUN: moe-opt %t/slots.mlir --moe-split-batch=slots=share --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: moe-opt %t/noise.mlir --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=NOISE
// RUN: moe-opt %t/joins.mlir --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=JOINS
// RUN: moe-opt %t/one.mlir --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: moe-opt %t/none.mlir --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: moe-opt %t/shards.mlir --moe-split-batch -o %t/shards-parts.mlir
// RUN: moe-run %t/shards-parts.mlir --against %t/shards.mlir --symbolic | FileCheck %s --check-prefix=SHARDS
// RUN: moe-opt %t/rows.mlir --moe-split-batch --remarks-filter=moe-split-batch 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not moe-opt %t/attr.mlir 2>&1 | FileCheck %s --check-prefix=ATTR

// Each part has its layer and its dense parts; sums are added up behind both,
// and only then over ranks.
// CHECK: split-batch {{.*}}Remark="runs in parts of its batch", parts=2
// CHECK: func.func @main(%[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<4x2xf32>, %[[DY:.*]]: tensor<8x4xf32>)
// CHECK-DAG: %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0] [4, 4] [1, 1] {moe.sub_batch = 0 : i64}
// CHECK-DAG: %[[X1:.*]] = tensor.extract_slice %[[X]][4, 0] [4, 4] [1, 1] {moe.sub_batch = 1 : i64}
// CHECK: %[[D0:.*]] = moe.dense "a" %[[X0]] macs 32 gemms 3 {moe.sub_batch = 0 : i64} : tensor<4x4xf32>
// CHECK: %[[D1:.*]] = moe.dense "a" %[[X1]] macs 32 gemms 3 {moe.sub_batch = 1 : i64} : tensor<4x4xf32>
// CHECK: %[[G0:.*]]:2 = moe.layer "0" phase "bwd" attributes {moe.sub_batch = 0 : i64} {
// CHECK:   moe.gate softmax %[[D0]]
// CHECK-NOT: moe.all_reduce
// CHECK: %[[G1:.*]]:2 = moe.layer "0" phase "bwd" attributes {moe.sub_batch = 1 : i64} {
// CHECK:   moe.gate softmax %[[D1]]
// CHECK-NOT: moe.all_reduce
// CHECK: %[[S:.*]] = arith.addf %[[G0]]#1, %[[G1]]#1
// CHECK: %[[A:.*]] = moe.all_reduce %[[S]]
// CHECK: %[[R:.*]] = moe.assemble %[[G0]]#0, %[[G1]]#0 dim 0
// CHECK: return %[[R]], %[[A]]

// WHOLE-NOT: moe.sub_batch
// THREE: split-batch {{.*}}expected a number of sequences that is a multiple of the parts, 3, got 2
// THREE-NOT: moe.sub_batch
// ZERO: error: moe-split-batch: expected sub-batches of at least 1, got 0
// TWICE: parts=2
// TWICE: expected a program whose batch and layers are whole and not scheduled yet, got tasks, pipelines or parts
// SLOTS: expected ops that treat sequences one by one, got moe.permute: of 8 tokens 4 slots an expert keep some out, by all of them (slots=share of moe-split-batch shares them out)
// SLOTS-NOT: moe.sub_batch
// SHARE: changing: layer 0 may drop other tokens, each part has its share of the slots
// SHARE: moe.permute choice %{{.*}} : tensor<4x4xf32>, tensor<4x1xi32> -> tensor<2x2x4xf32>, tensor<4x1xi32>
// NOISE: got moe.gate: it goes by the numbers of tokens
// JOINS: got tensor.expand_shape: the tokens of operand 0 are not those of its result
// ONE: expected a number of sequences that is a multiple of the parts, 2, got 1
// NONE: expected a function with moe.layer, got none
// SHARDS: equal: 2 ranks
// ROWS: got tensor.extract_slice: 4 rows from 6 on are no whole shards of 8
// ATTR: error: expected 'moe.sub_batch' to be an i64 of at least 0, got -1

//--- step.mlir
moe.mesh @mesh axes ["dp"] shape [2]
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>, %dy: tensor<8x4xf32>)
    -> (tensor<8x4xf32>, tensor<4x2xf32>) {
  %d = moe.dense "a" %x macs 64 gemms 3 sequences 2 : tensor<8x4xf32>
  %g:2 = moe.layer "0" phase "bwd" {
    %ids, %p = moe.gate softmax %d, %w top_k 1
      : tensor<8x4xf32>, tensor<4x2xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
    %dx, %dw = moe.gate_grad softmax %d, %w by %ids, %p
      : tensor<8x4xf32>, tensor<4x2xf32>, tensor<8x1xi32>, tensor<8x1xf32>
    %sum = moe.all_reduce %dw on <@mesh, ["dp"]> : tensor<4x2xf32>
    %r = arith.addf %dx, %dy : tensor<8x4xf32>
    moe.yield %r, %sum : tensor<8x4xf32>, tensor<4x2xf32>
  } : tensor<8x4xf32>, tensor<4x2xf32>
  return %g#0, %g#1 : tensor<8x4xf32>, tensor<4x2xf32>
}

//--- slots.mlir
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>) -> tensor<8x4xf32> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %p = moe.gate softmax %x, %w top_k 1
      : tensor<8x4xf32>, tensor<4x2xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
    %b, %slots = moe.permute choice %x by %ids
      : tensor<8x4xf32>, tensor<8x1xi32> -> tensor<2x4x4xf32>, tensor<8x1xi32>
    %r = moe.unpermute %b by %slots weights %p
      : tensor<2x4x4xf32>, tensor<8x1xi32>, tensor<8x1xf32> -> tensor<8x4xf32>
    moe.yield %r : tensor<8x4xf32>
  } : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

//--- noise.mlir
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>, %seed: i64)
    -> tensor<8x1xf32> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %p = moe.gate switch %x, %w jitter 0.5 seed %seed top_k 1
      : tensor<8x4xf32>, tensor<4x2xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
    moe.yield %p : tensor<8x1xf32>
  } : tensor<8x1xf32>
  return %y : tensor<8x1xf32>
}

//--- joins.mlir
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>) -> tensor<1x8xf32> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %p = moe.gate softmax %x, %w top_k 1
      : tensor<8x4xf32>, tensor<4x2xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
    %v = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 4, 1] : tensor<8x1xf32> into tensor<2x4x1xf32>
    %t = moe.transpose %v [1, 0, 2] : tensor<2x4x1xf32> -> tensor<4x2x1xf32>
    %c = tensor.collapse_shape %t [[0, 1, 2]] : tensor<4x2x1xf32> into tensor<8xf32>
    %r = tensor.expand_shape %c [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
    moe.yield %r : tensor<1x8xf32>
  } : tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}

//--- one.mlir
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %d = moe.dense "a" %x macs 64 : tensor<8x4xf32>
  %y = moe.layer "0" phase "fwd" {
    moe.yield %d : tensor<8x4xf32>
  } : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

//--- shards.mlir
moe.mesh @mesh axes ["cp"] shape [2]
func.func @main(%x: tensor<8x4xf32>) -> (tensor<16x4xf32>, tensor<8x4xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x1xf32>
  %d = moe.dense "a" %x macs 64 sequences 2 : tensor<8x4xf32>
  %y = moe.layer "0" phase "fwd" {
    moe.yield %d : tensor<8x4xf32>
  } : tensor<8x4xf32>
  %all = moe.all_gather %y on <@mesh, ["cp"]> dim 0 : tensor<8x4xf32> -> tensor<16x4xf32>
  %last = tensor.extract_slice %all[8, 1] [8, 3] [1, 1] : tensor<16x4xf32> to tensor<8x3xf32>
  %wide = moe.assemble %zeros, %last dim 1 : tensor<8x1xf32>, tensor<8x3xf32> -> tensor<8x4xf32>
  return %all, %wide : tensor<16x4xf32>, tensor<8x4xf32>
}

//--- rows.mlir
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %d = moe.dense "a" %x macs 64 sequences 2 : tensor<8x4xf32>
  %y = moe.layer "0" phase "fwd" {
    moe.yield %d : tensor<8x4xf32>
  } : tensor<8x4xf32>
  %two = moe.assemble %y, %y dim 0 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<16x4xf32>
  %some = tensor.extract_slice %two[6, 0] [4, 4] [1, 1] : tensor<16x4xf32> to tensor<4x4xf32>
  %first = tensor.extract_slice %two[0, 0] [4, 4] [1, 1] : tensor<16x4xf32> to tensor<4x4xf32>
  %r = moe.assemble %first, %some dim 0 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

//--- none.mlir
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  return %x : tensor<8x4xf32>
}

//--- attr.mlir
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %d = arith.addf %x, %x {moe.sub_batch = -1 : i64} : tensor<8x4xf32>
  return %d : tensor<8x4xf32>
}
