// A whole layer, experts sharded over tp: both all-to-alls send what is not
// replicated, and the all-reduce becomes a reduce-scatter.
// RUN: moe-opt %s --moe-decompose-all-to-all=mode=drop -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 8 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule decompose-drop %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:{{.*}}%[[W:[a-z0-9]+]]:{{.*}}%[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:
// CHECK:       %[[IDS:.*]], %[[WEIGHTS:.*]] = moe.gate softmax %[[X]], %[[W]] top_k 2
// CHECK-NEXT:  %[[BUFFER:.*]], %[[SLOTS:.*]] = moe.permute choice %[[X]] by %[[IDS]]
// CHECK-NEXT:  %[[DROP:.*]] = moe.drop %[[BUFFER]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[DROP]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  %[[TRANSPOSE:.*]] = moe.transpose %[[ALL_TO_ALL]] [1, 0, 2, 3]
// CHECK-NEXT:  %[[ALL_GATHER:.*]] = moe.all_gather %[[TRANSPOSE]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[EXPERTS:.*]] = moe.experts gpt %[[ALL_GATHER]], %[[A]], %[[B]]
// CHECK-NEXT:  %[[REDUCE_SCATTER:.*]] = moe.reduce_scatter %[[EXPERTS]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[TRANSPOSE_2:.*]] = moe.transpose %[[REDUCE_SCATTER]] [1, 0, 2, 3]
// CHECK-NEXT:  %[[ALL_TO_ALL_2:.*]] = moe.all_to_all %[[TRANSPOSE_2]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  %[[ALL_GATHER_2:.*]] = moe.all_gather %[[ALL_TO_ALL_2]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[UNORDER:.*]] = moe.unpermute %[[ALL_GATHER_2]] by %[[SLOTS]] weights %[[WEIGHTS]]
// CHECK-NEXT:  return %[[UNORDER]]
func.func @main(%x: tensor<16x14xf32> {moe.varying = ["ep"]},
                %w: tensor<14x8xf32> {moe.varying = []},
                %a: tensor<2x14x11xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<2x11x14xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<16x14xf32> {
  %i, %g = moe.gate softmax %x, %w top_k 2 : tensor<16x14xf32>, tensor<14x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  %o, %l = moe.permute choice %x by %i : tensor<16x14xf32>, tensor<16x2xi32> -> tensor<4x2x4x14xf32>, tensor<16x2xi32>
  %d = moe.all_to_all %o on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x4x14xf32> -> tensor<4x2x4x14xf32>
  %p = moe.transpose %d [1, 0, 2, 3] : tensor<4x2x4x14xf32> -> tensor<2x4x4x14xf32>
  %y = moe.experts gpt %p, %a, %b : tensor<2x4x4x14xf32>, tensor<2x14x11xf32>, tensor<2x11x14xf32> -> tensor<2x4x4x14xf32>
  %s = moe.all_reduce %y on <@mesh, ["tp"]> : tensor<2x4x4x14xf32>
  %q = moe.transpose %s [1, 0, 2, 3] : tensor<2x4x4x14xf32> -> tensor<4x2x4x14xf32>
  %c = moe.all_to_all %q on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x4x14xf32> -> tensor<4x2x4x14xf32>
  %r = moe.unpermute %c by %l weights %g : tensor<4x2x4x14xf32>, tensor<16x2xi32>, tensor<16x2xf32> -> tensor<16x14xf32>
  return %r : tensor<16x14xf32>
}
