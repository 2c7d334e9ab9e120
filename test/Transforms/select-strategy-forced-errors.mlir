// Strategies and degrees that no variant of the layer has, and those that do not go
// together.
// RUN: not moe-opt %s --moe-compile="from=decompose to=decompose strategy=o2" 2>&1 | FileCheck %s --check-prefix=UNREAD
// RUN: not moe-opt %s --moe-compile="to=import degree=2" 2>&1 | FileCheck %s --check-prefix=UNREAD
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=hierarchical" 2>&1 | FileCheck %s --check-prefix=FLAT
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=node-dedup" 2>&1 | FileCheck %s --check-prefix=SLOTS
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o3 degree=65" 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o1 degree=2" 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o2 degree=1" 2>&1 | FileCheck %s --check-prefix=CHUNKED
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o2 max-chunks=1" 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json degree=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json degree=2 max-chunks=4" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o4" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNREAD: moe-compile: strategy, degree, ignore-fitted, schedule, sub-batches, padding, dispatch-type and expert-products require the phase 'choose'
// FLAT: error: moe-select-strategy: layer 0: no variant of strategy=hierarchical degree=auto is possible: no 2dh and 1dh, no two ranks of the all-to-all over ep share a node of 2 ranks
// FLAT: note: no 2dh and 1dh: no two ranks of the all-to-all over ep share a node of 2 ranks
// SLOTS: no variant of strategy=node-dedup degree=auto is possible: {{.*}}got buffers of slots (moe-translate --routing=dropless imports such rows)
// SHORT: error: moe-select-strategy: layer 0: no variant of strategy=o3 degree=65 is possible
// SHORT: note: no o3, communication: {{.*}} of size 64 is shorter than the degree
// WHOLE: expected degree=auto or degree=1 for strategy=o1, got 2
// CHUNKED: expected degree=auto or a degree of at least 2 for strategy=o2, got 1
// MOST: expected max-chunks of at least 2 for strategy=o2, got 1
// ZERO: degree: expected auto or a number in [1, 1048576], got '0'
// BOTH: expected max-chunks with degree=auto only
// UNKNOWN: expected one of {{.*}}, got 'o4'
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  return %r : tensor<2x1x64x64xf32>
}
