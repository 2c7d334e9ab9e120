// Two of four expert-parallel ranks share a node of toy.json: the mesh axis is
// split at the nodes' boundary, for the whole module, where a layer asks for it.
// RUN: moe-opt %s -moe-load-platform=file=%S/../tools/moe-sim/Inputs/toy.json -moe-select-strategy="strategy=hierarchical" -o %t.mlir && FileCheck %s < %t.mlir
// RUN: moe-run %t.mlir --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %t.mlir -moe-schedule | FileCheck %s --check-prefix=STREAMS
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=hierarchical degree=4" -o %t.chunks.mlir && FileCheck %s --check-prefix=CHUNKS < %t.chunks.mlir
// RUN: moe-run %t.chunks.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=baseline" | FileCheck %s --check-prefix=WHOLE
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=hierarchical degree=5" --remarks-full --remarks-filter=moe-select-strategy -o %t.uneven.mlir 2>&1 | FileCheck %s --check-prefix=UNEVEN
// RUN: moe-run %t.uneven.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %t.uneven.mlir -moe-schedule -o %t.tasks.mlir
// RUN: moe-run %t.tasks.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL

// CHECK: moe.mesh @mesh axes ["ep_outer", "ep_inner"] shape [2, 2]
// CHECK: func.func @main(%{{.*}} {moe.varying = ["ep_outer", "ep_inner"]}
// CHECK: moe.all_to_all %{{.*}} on <@mesh, ["ep_inner"]>
// CHECK: moe.all_to_all %{{.*}} on <@mesh, ["ep_outer"]>
// EQUAL: equal: 4 ranks
// STREAMS: moe.task @intra "all_to_all"
// STREAMS: moe.task @inter "all_to_all.2"
// CHUNKS: moe.pipeline degree 4
// CHUNKS:   all_to_all %{{.*}} on <@mesh, ["ep_inner"]>
// WHOLE: moe.mesh @mesh axes ["ep"] shape [4]
// UNEVEN: layer 0: 2dh, communication in 5 chunks, {{.*}}no 1dh, communication: {{.*}}variant=1dh (chunks of one size)
moe.mesh @mesh axes ["ep"] shape [4]

func.func @main(%x: tensor<4x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<4x1x64x64xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x1x64x64xf32> -> tensor<4x1x64x64xf32>
    moe.yield %a : tensor<4x1x64x64xf32>
  } : tensor<4x1x64x64xf32>
  return %r : tensor<4x1x64x64xf32>
}
