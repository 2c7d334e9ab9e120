// An exchange of one rank sends nothing, so slices and gathers of its rows would only
// add communication.
// RUN: moe-opt %s --moe-decompose-all-to-all --remarks-filter=.* 2>&1 | FileCheck %s
// CHECK: remark: [Missed] decompose{{.*}}the group has one rank, which sends nothing
moe.mesh @mesh axes ["ep", "tp"] shape [1, 2]
// CHECK-LABEL: func.func @main
// CHECK-NOT: moe.drop
// CHECK: moe.ragged_all_to_all
// CHECK-NOT: moe.all_gather
func.func @main(%x: tensor<3x4xf32> {moe.varying = []}, %o: tensor<1xi64> {moe.varying = []},
                %s: tensor<1xi64> {moe.varying = []}) -> tensor<5x4xf32> {
  %init = tensor.empty() : tensor<5x4xf32>
  %y = moe.ragged_all_to_all %x into %init on <@mesh, ["ep"]> send(%o, %s) recv(%o, %s) : tensor<3x4xf32>, tensor<1xi64> -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}
