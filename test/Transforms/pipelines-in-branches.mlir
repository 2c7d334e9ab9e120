// A layer in a branch, or whose function is called in one, is given a form that
// can be scheduled there: none in chunks.
// RUN: moe-opt %s --moe-compile="to=schedule platform=%S/Inputs/mini.json" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: moe-opt %s --moe-compile="to=schedule platform=%S/Inputs/mini.json schedule=fsmoe" | FileCheck %s
// RUN: moe-run %t.mlir --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s --backend=host | FileCheck %s --check-prefix=EQUAL
// RUN: not moe-opt %s --moe-compile="to=schedule platform=%S/Inputs/mini.json strategy=o3 degree=2" 2>&1 | FileCheck %s --check-prefix=FORCED
// CHECK-NOT: moe.pipeline
// CHECK: moe.task
// CHECK-NOT: moe.pipeline
// EQUAL: equal: 4 ranks
// FORCED: error: moe-select-strategy: layer 0: no variant of strategy=o3 degree=2 is possible
// FORCED: pipelines are not supported in branches, nor in loops that are not unrolled; the layer is in scf.if

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func private @layer(%x: tensor<16x8xf32> {moe.varying = ["ep"]}, %w: tensor<8x4xf32> {moe.varying = []}, %w1: tensor<2x8x8xf32>, %w2: tensor<2x8x8xf32>) -> tensor<16x8xf32> {
  %0 = moe.layer "0" phase "fwd" {
    %ids, %p = moe.gate softmax %x, %w top_k 2 {normalize} : tensor<16x8xf32>, tensor<8x4xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
    %buffer, %slots = moe.permute choice %x by %ids : tensor<16x8xf32>, tensor<16x2xi32> -> tensor<2x2x8x8xf32>, tensor<16x2xi32>
    %1 = moe.all_to_all %buffer on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x8x8xf32> -> tensor<2x2x8x8xf32>
    %2 = moe.transpose %1 [1, 0, 2, 3] : tensor<2x2x8x8xf32> -> tensor<2x2x8x8xf32>
    %3 = moe.experts gpt %2, %w1, %w2 : tensor<2x2x8x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32> -> tensor<2x2x8x8xf32>
    %4 = moe.transpose %3 [1, 0, 2, 3] : tensor<2x2x8x8xf32> -> tensor<2x2x8x8xf32>
    %5 = moe.all_to_all %4 on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x8x8xf32> -> tensor<2x2x8x8xf32>
    %6 = moe.unpermute %5 by %slots weights %p : tensor<2x2x8x8xf32>, tensor<16x2xi32>, tensor<16x2xf32> -> tensor<16x8xf32>
    moe.yield %6 : tensor<16x8xf32>
  } : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

func.func @main(%x: tensor<16x8xf32> {moe.varying = ["ep"]}, %w: tensor<8x4xf32> {moe.varying = []}, %w1: tensor<2x8x8xf32>, %w2: tensor<2x8x8xf32>, %c: i1 {moe.varying = []}) -> tensor<16x8xf32> {
  %b = scf.if %c -> tensor<16x8xf32> {
    %0 = func.call @layer(%x, %w, %w1, %w2) : (tensor<16x8xf32>, tensor<8x4xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<16x8xf32>
    scf.yield %0 : tensor<16x8xf32>
  } else {
    scf.yield %x : tensor<16x8xf32>
  }
  return %b : tensor<16x8xf32>
}
