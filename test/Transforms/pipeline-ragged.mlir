// A ragged all-to-all is cut along any dim but that of its rows: every chunk
// has the same runs. What it writes into is cut with it.
// RUN: moe-opt %s --moe-pipeline=degree=3 -o %t.after && FileCheck %s < %t.after
// RUN: moe-opt %s --moe-pipeline="degree=2 sizes=5,2" --moe-schedule --moe-verify-schedule -o %t.uneven
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// RUN: moe-run %t.after --against=%s | FileCheck %s --check-prefix=PROOF
// RUN: moe-run %t.uneven --against=%s | FileCheck %s --check-prefix=PROOF
// RUN: moe-run %t.uneven --against=%s --backend=host --against-backend=interp | FileCheck %s --check-prefix=PROOF
// RUN: moe-opt %s --moe-pipeline="degree=3 dim=0" --remarks-filter=moe-pipeline 2>&1 | FileCheck %s --check-prefix=ROWS
// PROOF: equal: 2 ranks
// ROWS: [Missed] pipeline {{.*}}dim 0 does not pass moe.ragged_all_to_all one to one
moe.mesh @mesh axes ["ep"] shape [2]

// CHECK:       moe.pipeline degree 3 (%[[X:.*]] = %{{.*}} split 1 : tensor<3x7xf32> as tensor<3x?xf32>, %[[Z:.*]] = %{{.*}} split 1 : tensor<5x7xf32> as tensor<5x?xf32>, %[[O:.*]] = %{{.*}} shared : tensor<2xi32> as tensor<2xi32>, %[[S:.*]] = %{{.*}} shared
// CHECK-NEXT:    moe.ragged_all_to_all %[[X]] into %[[Z]] on <@mesh, ["ep"]> send(%[[O]], %[[S]]) recv(%[[O]], %[[S]])
// CHECK-NEXT:    moe.yield
// CHECK-NEXT:  } -> concat 1 : tensor<5x7xf32>
func.func @main(%x: tensor<3x7xf32>, %z: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %place = moe.group_rank on <@mesh, ["ep"]> : index
  %tss = arith.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi32>
  %tso = arith.constant dense<[[0, 1], [0, 2]]> : tensor<2x2xi32>
  %ss = tensor.extract_slice %tss[%place, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<2xi32>
  %so = tensor.extract_slice %tso[%place, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<2xi32>
  %d = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%so, %ss) recv(%so, %ss) : tensor<3x7xf32>, tensor<2xi32> -> tensor<5x7xf32>
  return %d : tensor<5x7xf32>
}
