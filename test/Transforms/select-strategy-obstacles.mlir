// RUN: moe-opt %s -moe-select-strategy=platform=%S/../tools/moe-sim/Inputs/toy.json --remarks-filter=moe-select-strategy 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o1" 2>&1 | FileCheck %s --check-prefix=FORCED

// What cannot be scheduled is left alone, unless a form was asked for.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// REMARK: [Missed] strategy {{.*}}layer branch: a branch around collectives requires the same condition on all ranks, got scf.if
// FORCED: error: moe-select-strategy: layer branch: no variant of strategy=o1 degree=auto is possible
// FORCED: note: a branch around collectives requires the same condition on all ranks, got scf.if
// CHECK: moe.layer "branch"
// CHECK: scf.if
// REMARK: [Missed] strategy {{.*}}layer dynamic: dynamic shapes are not supported outside pipelines, got one in moe.all_to_all
// CHECK: moe.layer "dynamic"
// REMARK: [Passed] strategy {{.*}}layer plain: {{o[23]}}
// CHECK: moe.layer "plain"
// CHECK: moe.pipeline
func.func @main(%c: i1 {moe.varying = []}, %x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}, %y: tensor<2x?xf32>) -> (tensor<2x1x64x64xf32>, tensor<2x?xf32>) {
  %r = moe.layer "branch" phase "fwd" {
    %a = scf.if %c -> tensor<2x1x64x64xf32> {
      %b = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
      scf.yield %b : tensor<2x1x64x64xf32>
    } else {
      scf.yield %x : tensor<2x1x64x64xf32>
    }
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  %s = moe.layer "dynamic" phase "fwd" {
    %a = moe.all_to_all %y on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x?xf32> -> tensor<2x?xf32>
    moe.yield %a : tensor<2x?xf32>
  } : tensor<2x?xf32>
  %t = moe.layer "plain" phase "fwd" {
    %a = moe.all_to_all %r on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  return %t, %s : tensor<2x1x64x64xf32>, tensor<2x?xf32>
}
