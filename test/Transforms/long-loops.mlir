// Loops whose bounds lie further apart than their type reaches run as often as
// they say.
// RUN: moe-opt %s --moe-schedule -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: moe-run %t.mlir --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s --moe-print-volumes=format=csv -o /dev/null | FileCheck %s --check-prefix=VOLUMES
// CHECK-LABEL: func.func @main
// CHECK-COUNT-10: moe.all_reduce
// CHECK-NOT: moe.all_reduce
// EQUAL: equal: 2 ranks
// VOLUMES: main,,,all_reduce,ep,4,10,exact
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %lower = arith.constant -5000000000000000000 : index
  %upper = arith.constant 5000000000000000000 : index
  %step = arith.constant 1000000000000000000 : index
  %r = scf.for %i = %lower to %upper step %step iter_args(%v = %x) -> tensor<1xf32> {
    %s = moe.all_reduce %v on <@mesh, ["ep"]> : tensor<1xf32>
    scf.yield %s : tensor<1xf32>
  }
  return %r : tensor<1xf32>
}
