// RUN: moe-opt %s -moe-select-strategy=platform=%S/../tools/moe-sim/Inputs/toy.json --remarks-full --remarks-filter=moe-select-strategy 2>%t.remarks -o %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: moe-run %t.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json max-chunks=1" | FileCheck %s --check-prefix=UNCHUNKED
// RUN: not moe-opt %s -moe-select-strategy 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json max-chunks=0" 2>&1 | FileCheck %s --check-prefix=ZERO

// NONE: error: moe-select-strategy: expected platform=FILE
// ZERO: error: moe-select-strategy: expected max-chunks of at least 1, got 0

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// The links across nodes are ten times slower: sending half and gathering
// inside the node pays at once, and chunks hide the gather.
// REMARK: [Passed] strategy {{.*}}layer large: o{{[23]}}, {{[a-z ]+ in [0-9]+}} chunks, slice along dim {{[23]}}, {{[^;]*}} us, {{[^;]*}} MB
// REMARK-SAME: baseline: {{[^;]*}} us, {{[^;]*}} MB;
// REMARK-SAME: o1, slice along dim 2, {{[^;]*}} us, {{[^;]*}} MB;
// REMARK-SAME: no 2dh and 1dh: {{[^;]*}} node of 2 ranks;
// REMARK-SAME: cluster at {{.*}} GB/s instead of 0.1 {{.*}}; {{[0-9]+}} candidates simulated
// REMARK-SAME: baseline_us={{.*}}, chunks={{[0-9]+}}, peak_bytes={{[0-9]+}}, runner_up_us={{.*}}, simulated={{[0-9]+}}, strategy=o{{[23]}}, time_us={{.*}}
// CHECK-LABEL: moe.layer "large"
// CHECK:       moe.pipeline degree
// CHECK:         moe.drop
// CHECK:         moe.all_to_all
// UNCHUNKED-LABEL: moe.layer "large"
// UNCHUNKED-NOT: moe.pipeline
// UNCHUNKED:   moe.drop

// On little data latency is all there is: the baseline stays.
// REMARK: [Passed] strategy {{.*}}layer small: baseline, {{[^;]*}} us
// REMARK-SAME: no slice along dim 2: already deduplicated: {{[^;]*}}["tp"];
// REMARK-SAME: no slice along dim 3: already deduplicated: {{[^;]*}}["tp"];
// REMARK-SAME: the choice is the same from cluster at 0.00625 GB/s instead of 0.1 to cluster at 1.6 GB/s instead of 0.1 (tried in doublings, compiled anew)
// REMARK-SAME: chunks=1, {{.*}}strategy=baseline,
// CHECK-LABEL: moe.layer "small"
// CHECK-NEXT:  moe.all_to_all %{{.*}} : tensor<2x1x2x2xf32>
// CHECK-NEXT:  moe.yield
// EQUAL: equal: 4 ranks
func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}, %y: tensor<2x1x2x2xf32>) -> (tensor<2x1x64x64xf32>, tensor<2x1x2x2xf32>) {
  %r = moe.layer "large" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  %s = moe.layer "small" phase "fwd" {
    %a = moe.all_to_all %y on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x2x2xf32> -> tensor<2x1x2x2xf32>
    moe.yield %a : tensor<2x1x2x2xf32>
  } : tensor<2x1x2x2xf32>
  return %r, %s : tensor<2x1x64x64xf32>, tensor<2x1x2x2xf32>
}
