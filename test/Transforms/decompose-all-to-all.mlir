// RUN: moe-opt %s -split-input-file -moe-decompose-all-to-all \
// RUN:     --remarks-filter=moe-decompose-all-to-all 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

moe.mesh @mesh axes ["dp", "ep", "tp"] shape [1, 2, 4]

// Dispatch: the operand is replicated over tp, so each rank sends a quarter.
// CHECK-LABEL: func.func @dispatch
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x8x5xf32>
// CHECK:       %[[D:.*]] = moe.drop %[[X]] on <@mesh, ["tp"]> dim 2 : tensor<2x3x8x5xf32> -> tensor<2x3x2x5xf32>
// CHECK:       %[[A:.*]] = moe.all_to_all %[[D]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK:       %[[G:.*]] = moe.all_gather %[[A]] on <@mesh, ["tp"]> dim 2
// CHECK:       return %[[G]]
// REMARK: [Passed] decompose {{.*}} Function=dispatch {{.*}}axes=tp, bytes_after=120, bytes_before=480, dim=2
func.func @dispatch(%x: tensor<2x3x8x5xf32> {moe.varying = ["dp", "ep"]}) -> tensor<2x3x8x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
  return %r : tensor<2x3x8x5xf32>
}

// Combine: partial sums are scattered, exchanged and gathered; the transpose
// copies the scattered part only.
// CHECK-LABEL: func.func @combine
// CHECK:       moe.reduce_scatter %{{.*}} on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  moe.transpose %{{.*}} : tensor<3x2x2x5xf32> -> tensor<2x3x2x5xf32>
// CHECK-NEXT:  moe.all_to_all
// CHECK-NEXT:  moe.all_gather %{{.*}} on <@mesh, ["tp"]> dim 2
// CHECK-NOT:   moe.all_reduce
func.func @combine(%x: tensor<3x2x8x5xf32>) -> tensor<2x3x8x5xf32> {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<3x2x8x5xf32>
  %t = moe.transpose %s [1, 0, 2, 3] : tensor<3x2x8x5xf32> -> tensor<2x3x8x5xf32>
  %r = moe.all_to_all %t on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
  return %r : tensor<2x3x8x5xf32>
}

// Experts that are not sharded run on a quarter of the tokens: the gather goes
// behind the combine.
// CHECK-LABEL: func.func @unsharded_experts
// CHECK:       moe.drop
// CHECK-NEXT:  moe.all_to_all
// CHECK-NEXT:  moe.transpose
// CHECK-NEXT:  moe.experts gpt %{{.*}} : tensor<3x2x2x5xf32>
// CHECK-NEXT:  moe.transpose
// CHECK-NEXT:  moe.all_to_all
// CHECK-NEXT:  moe.all_gather
// CHECK-NEXT:  return
func.func @unsharded_experts(%x: tensor<2x3x8x5xf32> {moe.varying = ["ep"]},
                             %w1: tensor<3x5x6xf32> {moe.varying = ["ep"]},
                             %w2: tensor<3x6x5xf32> {moe.varying = ["ep"]}) -> tensor<2x3x8x5xf32> {
  %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
  %p = moe.transpose %d [1, 0, 2, 3] : tensor<2x3x8x5xf32> -> tensor<3x2x8x5xf32>
  %y = moe.experts gpt %p, %w1, %w2 : tensor<3x2x8x5xf32>, tensor<3x5x6xf32>, tensor<3x6x5xf32> -> tensor<3x2x8x5xf32>
  %q = moe.transpose %y [1, 0, 2, 3] : tensor<3x2x8x5xf32> -> tensor<2x3x8x5xf32>
  %r = moe.all_to_all %q on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
  return %r : tensor<2x3x8x5xf32>
}

// CHECK-LABEL: func.func @already
// CHECK-NOT:   moe.drop
// REMARK: [Missed] decompose {{.*}} Function=already {{.*}}already deduplicated: the operand varies over ["tp"]
func.func @already(%x: tensor<2x3x8x5xf32>) -> tensor<2x3x8x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
  return %r : tensor<2x3x8x5xf32>
}

// CHECK-LABEL: func.func @indivisible
// CHECK-NOT:   moe.drop
// REMARK: [Missed] decompose {{.*}} Function=indivisible {{.*}}expected a free dim that divides by the 4 ranks along "tp", got dim 2 (7), dim 3 (dynamic), dim 1 (3)
func.func @indivisible(%x: tensor<2x3x7x?xf32> {moe.varying = ["ep"]}) -> tensor<2x3x7x?xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x7x?xf32> -> tensor<2x3x7x?xf32>
  return %r : tensor<2x3x7x?xf32>
}

// CHECK-LABEL: func.func @rank_lists
// CHECK-NOT:   moe.drop
// REMARK: [Missed] decompose {{.*}} Function=rank_lists {{.*}}expected a group of mesh axes, got explicit rank lists
func.func @rank_lists(%x: tensor<2x8xf32> {moe.varying = ["ep"]}) -> tensor<2x8xf32> {
  %r = moe.all_to_all %x on [[0, 5], [1, 4], [2, 6], [3, 7]] split 0 concat 0 : tensor<2x8xf32> -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// A collective stays in its branch or loop: only the all-to-all inside moves
// nothing across.
// CHECK-LABEL: func.func @in_a_loop
// CHECK:       moe.all_gather
// CHECK-NEXT:  scf.for
// CHECK:         moe.drop
// CHECK-NEXT:    moe.all_to_all
// CHECK-NEXT:    moe.all_gather
// CHECK:         scf.yield
func.func @in_a_loop(%x: tensor<2x3x2x5xf32>, %n: index {moe.varying = []}) -> tensor<2x3x8x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = moe.all_gather %x on <@mesh, ["tp"]> dim 2 : tensor<2x3x2x5xf32> -> tensor<2x3x8x5xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %g) -> tensor<2x3x8x5xf32> {
    %y = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
    scf.yield %y : tensor<2x3x8x5xf32>
  }
  return %r : tensor<2x3x8x5xf32>
}

// -----

// Several axes are dropped together when one dim divides by all of them; only
// the axis the experts do not vary over is gathered behind them.
moe.mesh @mesh axes ["ep", "tp", "esp"] shape [2, 2, 3]

// CHECK-LABEL: func.func @two_axes
// CHECK:       moe.drop %{{.*}} on <@mesh, ["tp", "esp"]> dim 2 : tensor<2x1x12x5xf32> -> tensor<2x1x2x5xf32>
// CHECK-NEXT:  moe.all_to_all
// CHECK-NEXT:  moe.transpose
// CHECK-NEXT:  moe.all_gather %{{.*}} on <@mesh, ["esp"]> dim 2
// CHECK-NEXT:  moe.experts gpt %{{.*}} : tensor<1x2x6x5xf32>
// CHECK-NEXT:  moe.reduce_scatter %{{.*}} on <@mesh, ["esp"]> dim 2
// CHECK-NEXT:  moe.transpose
// CHECK-NEXT:  moe.all_to_all
// CHECK-NEXT:  moe.all_gather %{{.*}} on <@mesh, ["tp", "esp"]> dim 2
// CHECK-NEXT:  return
func.func @two_axes(%x: tensor<2x1x12x5xf32> {moe.varying = ["ep"]},
                    %w1: tensor<1x5x6xf32> {moe.varying = ["ep", "esp"]},
                    %w2: tensor<1x6x5xf32> {moe.varying = ["ep", "esp"]}) -> tensor<2x1x12x5xf32> {
  %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x12x5xf32> -> tensor<2x1x12x5xf32>
  %p = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x12x5xf32> -> tensor<1x2x12x5xf32>
  %y = moe.experts gpt %p, %w1, %w2 : tensor<1x2x12x5xf32>, tensor<1x5x6xf32>, tensor<1x6x5xf32> -> tensor<1x2x12x5xf32>
  %s = moe.all_reduce %y on <@mesh, ["esp"]> : tensor<1x2x12x5xf32>
  %q = moe.transpose %s [1, 0, 2, 3] : tensor<1x2x12x5xf32> -> tensor<2x1x12x5xf32>
  %r = moe.all_to_all %q on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x12x5xf32> -> tensor<2x1x12x5xf32>
  return %r : tensor<2x1x12x5xf32>
}
