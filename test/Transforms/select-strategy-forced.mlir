// One form of all, by strategy and degree.
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=baseline" | FileCheck %s --check-prefix=BASELINE
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o1" -o %t.o1.mlir && FileCheck %s --check-prefix=O1 < %t.o1.mlir
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o2 degree=3" -o %t.o2.mlir && FileCheck %s --check-prefix=O2 < %t.o2.mlir
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o3 degree=5" -o %t.o3.mlir && FileCheck %s --check-prefix=O3 < %t.o3.mlir
// RUN: moe-opt %t.o2.mlir -moe-schedule | FileCheck %s --check-prefix=O2STREAM
// RUN: moe-opt %t.o3.mlir -moe-schedule | FileCheck %s --check-prefix=O3STREAM
// RUN: moe-run %t.o1.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.o2.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.o3.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json degree=5" | FileCheck %s --check-prefix=FIVE
// RUN: moe-opt %s --moe-compile="platform=%S/../tools/moe-sim/Inputs/toy.json to=pipeline strategy=o2 degree=3" | FileCheck %s --check-prefix=O2

// BASELINE-NOT: moe.drop
// BASELINE-NOT: moe.pipeline
// O1:     moe.drop
// O1-NOT: moe.pipeline
// O2:     moe.pipeline degree 3 copies intra (
// O2:       moe.drop
// O3:     moe.pipeline degree 5 (
// O3:       moe.drop
// O2STREAM: moe.task @intra "unpack.all_gather"[0 of 3]
// O3STREAM: moe.task @copy "unpack.all_gather"[0 of 5]
// FIVE:   moe.pipeline degree 5
// EQUAL: equal: 4 ranks

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  return %r : tensor<2x1x64x64xf32>
}
