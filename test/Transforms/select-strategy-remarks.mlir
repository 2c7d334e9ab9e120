// One remark says what was chosen, of layers alike once; the passes that were
// tried are silent, those that give the layer its form are not.
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json degree=2" --remarks-full --remarks-filter=.* -o /dev/null 2>&1 | grep -o "Category:[a-z-]*" | sort | uniq -c | FileCheck %s
// RUN: moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=baseline" --remarks-full --remarks-filter=.* -o /dev/null 2>&1 | grep -o "Category:[a-z-]*" | sort | uniq -c | FileCheck %s --check-prefix=BASELINE

// CHECK:      2 Category:moe-decompose-all-to-all
// CHECK-NEXT: 2 Category:moe-pipeline
// CHECK-NEXT: 1 Category:moe-select-strategy
// CHECK-NOT:  Category
// BASELINE:      1 Category:moe-select-strategy
// BASELINE-NOT:  Category
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  // The second layer reads the first one's result itself.
  %s = moe.layer "1" phase "fwd" {
    %a = moe.all_to_all %r on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %a : tensor<2x1x64x64xf32>
  } : tensor<2x1x64x64xf32>
  return %s : tensor<2x1x64x64xf32>
}
