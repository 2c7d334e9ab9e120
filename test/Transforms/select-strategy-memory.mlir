// Memory is a constraint of every choice.
// RUN: moe-opt %s -moe-select-strategy=platform=%S/../tools/moe-sim/Inputs/toy.json --remarks-full --remarks-filter=moe-select-strategy -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: moe-opt %s -moe-select-strategy=platform=%S/../tools/moe-sim/Inputs/tight.json --remarks-full --remarks-filter=moe-select-strategy -o /dev/null 2>&1 | FileCheck %s
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/tight.json strategy=o1" 2>&1 | FileCheck %s --check-prefix=NONE

// ROOM: layer 0: {{.*}}; o1, slice along dim 2, {{.*}} us, 0.1 MB; {{.*}} peak_bytes=[[#]]
// CHECK: layer 0: o{{[23]}}, {{.*}}; no o1: expected values to fit 50000 bytes per rank, got {{[0-9]+}}
// NONE: error: moe-select-strategy: layer 0: no variant of strategy=o1 degree=auto is possible
// NONE: note: no o1: expected values to fit 50000 bytes per rank, got {{[0-9]+}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  return %r : tensor<2x1x64x64xf32>
}
