// A ragged exchange whose number of rows is known at run time only: its columns are cut
// over the ranks that have the same rows. The checker runs it with the counts of the
// table: rank i sends table[i][j] rows to rank j.
// RUN: moe-opt %s --moe-decompose-all-to-all -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: moe-run %t.mlir --symbolic --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 4 ranks

// Counts that do not fit are an error, with the ranks.
// RUN: sed 's/dense<\[\[1, 2\], \[3, 0\]\]>/dense<[[1, 2], [2, 1]]>/' %s > %t.other.mlir
// RUN: not moe-run %t.other.mlir 2>&1 | FileCheck %s --check-prefix=FIT
// FIT: error: 'moe.ragged_all_to_all' op rank 2 sends 2 rows to rank 0, which expects 3

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<3x4xf32> {moe.varying = ["ep"]}) -> tensor<?x4xf32> {
  %sent = arith.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>
  %received = arith.constant dense<[[1, 3], [2, 0]]> : tensor<2x2xi64>
  %s = moe.drop %sent on <@mesh, ["ep"]> dim 0 : tensor<2x2xi64> -> tensor<1x2xi64>
  %r = moe.drop %received on <@mesh, ["ep"]> dim 0 : tensor<2x2xi64> -> tensor<1x2xi64>
  %ss = tensor.collapse_shape %s [[0, 1]] : tensor<1x2xi64> into tensor<2xi64>
  %rs = tensor.collapse_shape %r [[0, 1]] : tensor<1x2xi64> into tensor<2xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %s0 = tensor.extract %ss[%c0] : tensor<2xi64>
  %r0 = tensor.extract %rs[%c0] : tensor<2xi64>
  %r1 = tensor.extract %rs[%c1] : tensor<2xi64>
  %so = tensor.from_elements %zero, %s0 : tensor<2xi64>
  %ro = tensor.from_elements %zero, %r0 : tensor<2xi64>
  %sum = arith.addi %r0, %r1 : i64
  %rows = arith.index_cast %sum : i64 to index
  // CHECK: %[[X:.*]] = moe.drop %{{.*}} on <@mesh, ["tp"]> dim 1 : tensor<3x4xf32> -> tensor<3x2xf32>
  // CHECK: %[[INIT:.*]] = tensor.empty(%{{.*}}) : tensor<?x2xf32>
  // CHECK: %[[PART:.*]] = moe.ragged_all_to_all %[[X]] into %[[INIT]] {{.*}} -> tensor<?x2xf32>
  // CHECK: moe.all_gather %[[PART]] on <@mesh, ["tp"]> dim 1 : tensor<?x2xf32> -> tensor<?x4xf32>
  %init = tensor.empty(%rows) : tensor<?x4xf32>
  %y = moe.ragged_all_to_all %x into %init on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<3x4xf32>, tensor<2xi64> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
