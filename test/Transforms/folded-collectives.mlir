// Layers whose collectives fold away when they are rewritten: groups of one
// rank, by an axis and by lists, and all-to-alls that undo each other. There is
// nothing to schedule then, and nothing to make faster.
//
// RUN: moe-opt %s --moe-select-strategy=platform=dgx-h100 --remarks-full --remarks-filter=.* -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: not moe-opt %s --moe-select-strategy="platform=dgx-h100 strategy=o1" 2>&1 | FileCheck %s --check-prefix=FORCED
// RUN: moe-opt %s --moe-load-platform=file=dgx-h100 --moe-choose-plan=schedule=best --remarks-full --remarks-filter=.* -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: moe-opt %s --moe-compile="platform=dgx-h100 to=schedule" | FileCheck %s --check-prefix=COMPILED
// RUN: moe-opt %s --moe-compile="platform=dgx-h100 to=schedule schedule=best" | FileCheck %s --check-prefix=COMPILED

// SELECT: layer one: baseline, {{[0-9.]+}} us
// SELECT-SAME: no slice along dim 2: the layer's all-to-alls fold away
// SELECT-SAME: no slice along dim 3: the layer's all-to-alls fold away
// SELECT-SAME: strategy=baseline
// SELECT: layer lists: baseline,
// SELECT-SAME: strategy=baseline
// SELECT: layer inverse: baseline,
// SELECT-SAME: no slice along dim 2: the layer's all-to-alls fold away
// SELECT-SAME: strategy=baseline
// CHECK-COUNT-6: moe.all_to_all
// FORCED: layer one: no variant of strategy=o1 degree=auto is possible
// FORCED: no slice along dim 2: the layer's all-to-alls fold away
// SCHEDULE: Missed{{.*}}moe-choose-schedule{{.*}}no function could be scheduled: @main: it has no collectives"
// COMPILED-LABEL: func.func @main
// COMPILED-NOT: moe.all_to_all
// COMPILED-NOT: moe.schedule

moe.mesh @mesh axes ["dp", "ep", "one"] shape [2, 8, 1]
func.func @main(%x: tensor<1x4x64x4096xbf16> {moe.varying = ["dp", "ep"]},
                %y: tensor<8x2x64x4096xbf16> {moe.varying = ["dp", "ep"]})
    -> (tensor<1x4x64x4096xbf16>, tensor<1x4x64x4096xbf16>, tensor<8x2x64x4096xbf16>) {
  %0 = moe.layer "one" phase "fwd" {
    %d = moe.all_to_all %x on <@mesh, ["one"]> split 0 concat 0 : tensor<1x4x64x4096xbf16> -> tensor<1x4x64x4096xbf16>
    %n = arith.negf %d : tensor<1x4x64x4096xbf16>
    %c = moe.all_to_all %n on <@mesh, ["one"]> split 0 concat 0 : tensor<1x4x64x4096xbf16> -> tensor<1x4x64x4096xbf16>
    moe.yield %c : tensor<1x4x64x4096xbf16>
  } : tensor<1x4x64x4096xbf16>
  %1 = moe.layer "lists" phase "fwd" {
    %d = moe.all_to_all %x on #moe.replica_groups<dense<[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15]]> : tensor<16x1xi64>> split 0 concat 0 : tensor<1x4x64x4096xbf16> -> tensor<1x4x64x4096xbf16>
    %n = arith.negf %d : tensor<1x4x64x4096xbf16>
    %c = moe.all_to_all %n on #moe.replica_groups<dense<[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15]]> : tensor<16x1xi64>> split 0 concat 0 : tensor<1x4x64x4096xbf16> -> tensor<1x4x64x4096xbf16>
    moe.yield %c : tensor<1x4x64x4096xbf16>
  } : tensor<1x4x64x4096xbf16>
  %2 = moe.layer "inverse" phase "fwd" {
    %d = moe.all_to_all %y on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x64x4096xbf16> -> tensor<8x2x64x4096xbf16>
    %c = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x2x64x4096xbf16> -> tensor<8x2x64x4096xbf16>
    moe.yield %c : tensor<8x2x64x4096xbf16>
  } : tensor<8x2x64x4096xbf16>
  return %0, %1, %2 : tensor<1x4x64x4096xbf16>, tensor<1x4x64x4096xbf16>, tensor<8x2x64x4096xbf16>
}
