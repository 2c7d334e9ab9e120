// Forms whose predicted times differ by no more than the platform says that
// they may be wrong are as good as each other: the simplest is chosen.
// RUN: sed 's/"origin": "made up for tests.*/"origin": "made up", "uncertainty": 0.03, "uncertainty_origin": "made up",/' %S/../tools/moe-sim/Inputs/toy.json > %t.3.json
// RUN: sed 's/"origin": "made up for tests.*/"origin": "made up", "uncertainty": 0.2, "uncertainty_origin": "made up",/' %S/../tools/moe-sim/Inputs/toy.json > %t.20.json
// RUN: sed 's/"origin": "made up for tests.*/"origin": "made up", "uncertainty": 0.9, "uncertainty_origin": "made up",/' %S/../tools/moe-sim/Inputs/toy.json > %t.90.json
// RUN: moe-opt %s -moe-select-strategy=platform=%S/../tools/moe-sim/Inputs/toy.json --remarks-filter=moe-select-strategy -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: moe-opt %s -moe-select-strategy=platform=%t.3.json --remarks-filter=moe-select-strategy -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEWER
// RUN: moe-opt %s -moe-select-strategy=platform=%t.20.json --remarks-filter=moe-select-strategy -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHOLE
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

// EXACT: Remark="layer large: o2, communication in 6 chunks, drop along dim 2 takes 94.4 us and 0.0 MB of values at most; next best
// FEWER: Remark="layer large: o2, communication in 4 chunks, drop along dim 2 takes 96.2 us and 0.0 MB of values at most, as good as the fastest with 94.4 us within the platform's uncertainty; next best
// WHOLE: Remark="layer large: o2, communication in 2 chunks, {{.*}} takes 104.4 us {{.*}} as good as the fastest with 94.4 us
// EQUAL: equal: 4 ranks
// NOTHING: Remark="layer large: baseline takes 164.8 us {{.*}} as good as the fastest with 94.4 us

// PLAN: on toy: o2 with 6 chunks, 93.4 us
// PLAN-FEWER: on toy: o2 with 3 chunks, 95.8 us
// PLAN-WHOLE: on toy: o1, 99.3 us
// PLAN-WHOLE: o1 1 99.3 {{.*}} <- chosen
// PLAN-WHOLE-NEXT: o2 6 93.4 {{.*}} runner-up, 5.9 us shorter, within the uncertainty
// PLAN-WHOLE: the fastest is o2 with 6 chunks, 93.4 us; o1 is as good within the platform's uncertainty of 20.0 %
