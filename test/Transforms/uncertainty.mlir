// Forms whose predicted times differ by no more than the platform says that
// they may be wrong are as good as each other: the simplest is chosen.
// RUN: sed 's/"origin": "made up for tests.*/"origin": "made up", "uncertainty": 0.03, "uncertainty_origin": "made up",/' %S/../tools/moe-sim/Inputs/toy.json > %t.3.json
// RUN: sed 's/"origin": "made up for tests.*/"origin": "made up", "uncertainty": 0.2, "uncertainty_origin": "made up",/' %S/../tools/moe-sim/Inputs/toy.json > %t.20.json
// RUN: sed 's/"origin": "made up for tests.*/"origin": "made up", "uncertainty": 0.9, "uncertainty_origin": "made up",/' %S/../tools/moe-sim/Inputs/toy.json > %t.90.json
// RUN: moe-opt %s -moe-select-strategy=platform=%S/../tools/moe-sim/Inputs/toy.json --remarks-filter=moe-select-strategy -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: moe-opt %s -moe-select-strategy=platform=%t.3.json --remarks-filter=moe-select-strategy -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEWER
// RUN: moe-opt %s -moe-select-strategy=platform=%t.20.json --remarks-filter=moe-select-strategy -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: FileCheck %s --check-prefix=CHUNKS < %t.mlir
// RUN: moe-run %t.mlir --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s -moe-select-strategy=platform=%t.90.json --remarks-filter=moe-select-strategy -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: moe-plan all-to-all --platform=%S/../tools/moe-sim/Inputs/toy.json --bytes=32768 --ep=2 --tp=2 | FileCheck %s --check-prefix=PLAN
// RUN: moe-plan all-to-all --platform=%t.3.json --bytes=32768 --ep=2 --tp=2 | FileCheck %s --check-prefix=PLAN-FEWER
// RUN: moe-plan all-to-all --platform=%t.20.json --bytes=32768 --ep=2 --tp=2 | FileCheck %s --check-prefix=PLAN-WHOLE
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
  %r = moe.layer "large" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  return %r : tensor<2x1x64x64xf32>
}

// EXACT: layer large: o2, communication in 6 chunks, slice along dim 2, 94.4 us, 0.0 MB
// EXACT-SAME: chunks=6, {{.*}}strategy=o2, time_us=9.44
// FEWER: layer large: o2, communication in 4 chunks, slice along dim 2, 96.2 us, 0.0 MB, {{[^;]*}} 94.4 us
// FEWER-SAME: chunks=4, {{.*}}strategy=o2, time_us=9.616
// WHOLE: layer large: o2, communication in 2 chunks, {{[^;]*}} 104.4 us, {{[^;]*}} 94.4 us
// WHOLE-SAME: chunks=2, {{.*}}strategy=o2, time_us=1.044
// CHUNKS: moe.pipeline degree 2 copies intra (
// CHUNKS: moe.drop {{.*}} on <@mesh, ["tp"]> dim 2
// CHUNKS: moe.all_to_all {{.*}} on <@mesh, ["ep"]> split 0 concat 0
// CHUNKS: moe.all_gather {{.*}} on <@mesh, ["tp"]> dim 2
// EQUAL: equal: 4 ranks
// NOTHING: layer large: baseline, 164.8 us, {{[^;]*}} 94.4 us
// NOTHING-SAME: chunks=1, {{.*}}strategy=baseline, time_us=1.648

// PLAN: on toy: o2 with 6 chunks, 93.4 us
// PLAN-FEWER: on toy: o2 with 3 chunks, 95.8 us
// PLAN-WHOLE: on toy: o1, 99.3 us
// PLAN-WHOLE: o1 1 99.3 {{.*}} <- chosen
// PLAN-WHOLE-NEXT: o2 6 93.4 {{.*}} runner-up, 5.9 us shorter
// PLAN-WHOLE: o2 with 6 chunks, 93.4 us; o1 {{.*}} 20.0 %
