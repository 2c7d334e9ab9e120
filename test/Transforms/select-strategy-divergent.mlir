// RUN: moe-opt %s -moe-select-strategy=platform=%S/../tools/moe-sim/Inputs/toy.json --remarks-filter=.* 2>%t.remarks -o %t.chosen
// RUN: FileCheck %s < %t.chosen
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %t.chosen -moe-verify-collectives -o /dev/null
// RUN: moe-run %t.chosen --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: not moe-opt %s -moe-select-strategy="platform=%S/../tools/moe-sim/Inputs/toy.json strategy=o1" 2>&1 | FileCheck %s --check-prefix=FORCED

// A layer that only some ranks along "tp" run gets no collective over it, not
// even for what does not vary at all: it is judged alone, and still known to be
// where it is.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// REMARK-NOT: sends each datum once
// CHECK: moe.group_rank
// CHECK: scf.if
// CHECK-NOT: ["tp"]
// EQUAL: equal: 4 ranks
// FORCED: error: moe-select-strategy: layer own: no variant of strategy=o1 degree=auto is possible
// FORCED: expected the control flow around it to be the same on ranks that differ in ["tp"]
func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
  %zero = arith.constant 0 : index
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  %c = arith.cmpi eq, %i, %zero : index
  %r = scf.if %c -> tensor<2x1x64x64xf32> {
    %l = moe.layer "own" phase "fwd" {
      %k = arith.constant dense<1.0> : tensor<2x1x64x64xf32>
      %a = moe.all_to_all %k on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
      %b = arith.addf %a, %x : tensor<2x1x64x64xf32>
      moe.yield %b : tensor<2x1x64x64xf32>
    } : tensor<2x1x64x64xf32>
    scf.yield %l : tensor<2x1x64x64xf32>
  } else {
    scf.yield %x : tensor<2x1x64x64xf32>
  }
  return %r : tensor<2x1x64x64xf32>
}
