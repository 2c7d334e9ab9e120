// RUN: moe-opt %s --moe-strip-hooks | FileCheck %s
// RUN: moe-opt %s --moe-strip-hooks -o %t && moe-run %t --against=%s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 2 ranks

moe.mesh @mesh axes ["ep"] shape [2]

// One hook after the other, one nobody reads, one inside of a layer; ops that
// stand at a hook stay.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<2x4xf32>
// CHECK-NOT: moe.hook
// CHECK: moe.layer "0" phase "fwd"
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[X]]
// CHECK-NEXT: %[[A:.*]] = moe.all_to_all %[[N]]
// CHECK-NEXT: moe.yield %[[A]]
// CHECK-NOT: moe.hook
// CHECK: return
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = moe.hook before_moe_start %x : tensor<2x4xf32>
  %unread = moe.hook before_moe_end %x : tensor<2x4xf32>
  %1 = moe.layer "0" phase "fwd" {
    %2 = moe.hook before_dispatch %0 : tensor<2x4xf32>
    %3 = arith.negf %2 : tensor<2x4xf32>
    %4 = moe.hook before_dispatch %3 : tensor<2x4xf32>
    %5 = moe.all_to_all %4 on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2x4xf32> -> tensor<2x4xf32>
    %6 = moe.hook after_dispatch %5 : tensor<2x4xf32>
    moe.yield %6 : tensor<2x4xf32>
  } : tensor<2x4xf32>
  %7 = moe.hook before_moe_end %1 : tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}
