// A layer that drops nothing is cut along its tokens: one exchange brings the
// counts of all chunks, and each chunk has a plan of its own.
// RUN: moe-opt %s --moe-pipeline="degree=2 scope=layer" --moe-verify-collectives --remarks-filter=moe-pipeline -o %t.after 2> %t.remarks
// RUN: FileCheck %s < %t.after
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %s --moe-pipeline="degree=4 scope=layer" | FileCheck %s --check-prefix=UNEVEN
// RUN: moe-opt %s --moe-pipeline="degree=7 scope=layer" --remarks-filter=moe-pipeline 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: moe-opt %s --moe-pipeline="degree=2 sizes=5,1 scope=layer" --remarks-filter=moe-pipeline 2>&1 | FileCheck %s --check-prefix=SIZES

// REMARK: [Passed] pipeline {{.*}}Remark="runs in chunks of its tokens", degree=2, dim=0, ops=6, size=6
// REMARK: [Missed] pipeline {{.*}}expected the backward pass of the layer beside it, which runs in the same chunks, got a function that hands out what it reads of chunks
// REMARK: [Missed] pipeline {{.*}}expected counts of moe.expert_counts, seen with one more dim and all-gathered along outer dims, got those of an argument
// SHORT: [Missed] pipeline {{.*}}6 tokens are fewer than the degree
// SIZES: [Missed] pipeline {{.*}}expected chunks of tokens as even as they go, without sizes

moe.mesh @mesh axes ["ep"] shape [2]

// CHECK-LABEL: func.func @forward
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<6x4xf32>, %[[IDS:[a-z0-9]+]]: tensor<6x2xi32>, %[[W:[a-z0-9]+]]: tensor<6x2xf32>
// CHECK:       %[[BY:.*]] = tensor.expand_shape %[[IDS]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 2]
// CHECK:       %[[N:.*]] = moe.expert_counts %[[BY]] : tensor<2x3x2xi32> -> tensor<2x4xi32>
// CHECK:       %[[N1:.*]] = tensor.expand_shape %[[N]]
// CHECK:       %[[ALL:.*]] = moe.all_gather %[[N1]] on <@mesh, ["ep"]> dim 0 : tensor<1x2x4xi32> -> tensor<2x2x4xi32>
// CHECK:       moe.pipeline degree 2 (
// CHECK-SAME:  %[[XC:[a-z0-9]+]] = %[[X]] split 0 : tensor<6x4xf32> as tensor<3x4xf32>, %[[IC:[a-z0-9]+]] = %[[IDS]] split 0 : tensor<6x2xi32> as tensor<3x2xi32>, %[[AC:[a-z0-9]+]] = %[[ALL]] split 1 : tensor<2x2x4xi32> as tensor<2x1x4xi32>, %[[WC:[a-z0-9]+]] = %[[W]] split 0
// CHECK:         %[[ROWS:.*]], %[[SLOTS:.*]] = moe.permute_rows choice %[[XC]] by %[[IC]] experts 4 : tensor<3x4xf32>, tensor<3x2xi32> -> tensor<6x4xf32>, tensor<3x2xi32>
// CHECK:         %[[A:.*]] = tensor.collapse_shape %[[AC]] {{\[\[}}0, 1], [2]]
// At most the 3 tokens of both ranks, each to both experts.
// CHECK:         moe.ragged_plan %[[A]] on <@mesh, ["ep"]> limit 12
// CHECK:         moe.ragged_all_to_all %[[ROWS]] into %{{.*}} -> tensor<12x4xf32>
// CHECK:         moe.experts gpt
// CHECK:         moe.ragged_all_to_all {{.*}} -> tensor<6x4xf32>
// CHECK:         moe.unpermute %{{.*}} by %[[SLOTS]] weights %[[WC]] : tensor<6x4xf32>, tensor<3x2xi32>, tensor<3x2xf32> -> tensor<3x4xf32>
// CHECK:       } -> concat 0 : tensor<6x4xf32>
// CHECK-NOT:   moe.permute_rows
// CHECK-LABEL: func.func @kept

// Two chunks of two tokens, then two of one.
// UNEVEN-LABEL: func.func @forward
// UNEVEN:       moe.expert_counts %{{.*}} : tensor<2x2x2xi32> -> tensor<2x4xi32>
// UNEVEN:       moe.expert_counts %{{.*}} : tensor<2x1x2xi32> -> tensor<2x4xi32>
// UNEVEN:       moe.all_gather {{.*}} : tensor<1x4x4xi32> -> tensor<2x4x4xi32>
// UNEVEN:       moe.pipeline degree 2
// UNEVEN:       -> concat 0 : tensor<4x4xf32>
// UNEVEN:       moe.pipeline degree 2
// UNEVEN:       -> concat 0 : tensor<2x4xf32>
// UNEVEN:       moe.assemble {{.*}} dim 0 : tensor<4x4xf32>, tensor<2x4xf32> -> tensor<6x4xf32>
func.func @forward(%x: tensor<6x4xf32>, %ids: tensor<6x2xi32>, %w: tensor<6x2xf32>, %a: tensor<2x4x3xf32>, %b: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %n = moe.expert_counts %ids : tensor<6x2xi32> -> tensor<4xi32>
  %rows, %slots = moe.permute_rows choice %x by %ids experts 4 : tensor<6x4xf32>, tensor<6x2xi32> -> tensor<12x4xf32>, tensor<6x2xi32>
  %n1 = tensor.expand_shape %n [[0, 1]] output_shape [1, 4] : tensor<4xi32> into tensor<1x4xi32>
  %all = moe.all_gather %n1 on <@mesh, ["ep"]> dim 0 : tensor<1x4xi32> -> tensor<2x4xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> limit 24 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %e = tensor.empty() : tensor<24x4xf32>
  %d = moe.ragged_all_to_all %rows into %e on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<12x4xf32>, tensor<2xi32> -> tensor<24x4xf32>
  %y = moe.experts gpt %d runs(%po, %ps : tensor<2x2xi32>), %a, %b : tensor<24x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32> -> tensor<24x4xf32>
  %f = tensor.empty() : tensor<12x4xf32>
  %c = moe.ragged_all_to_all %y into %f on <@mesh, ["ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<24x4xf32>, tensor<2xi32> -> tensor<12x4xf32>
  %z = moe.unpermute %c by %slots weights %w : tensor<12x4xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x4xf32>
  return %z : tensor<6x4xf32>
}

// Whoever calls the function would have to know of chunks.
func.func @kept(%x: tensor<8x4xf32>, %ids: tensor<8x1xi32>) -> tensor<16x4xf32> {
  %n = moe.expert_counts %ids : tensor<8x1xi32> -> tensor<4xi32>
  %rows, %slots = moe.permute_rows token %x by %ids experts 4 : tensor<8x4xf32>, tensor<8x1xi32> -> tensor<8x4xf32>, tensor<8x1xi32>
  %n1 = tensor.expand_shape %n [[0, 1]] output_shape [1, 4] : tensor<4xi32> into tensor<1x4xi32>
  %all = moe.all_gather %n1 on <@mesh, ["ep"]> dim 0 : tensor<1x4xi32> -> tensor<2x4xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> limit 16 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %e = tensor.empty() : tensor<16x4xf32>
  %d = moe.ragged_all_to_all %rows into %e on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<8x4xf32>, tensor<2xi32> -> tensor<16x4xf32>
  return %d : tensor<16x4xf32>
}

// Counts from anywhere say nothing of chunks.
func.func @counted(%x: tensor<8x4xf32>, %all: tensor<2x4xi32> {moe.varying = []}) -> tensor<16x4xf32> {
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> limit 16 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %e = tensor.empty() : tensor<16x4xf32>
  %d = moe.ragged_all_to_all %x into %e on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<8x4xf32>, tensor<2xi32> -> tensor<16x4xf32>
  return %d : tensor<16x4xf32>
}
