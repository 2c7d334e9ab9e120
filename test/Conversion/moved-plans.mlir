// RUN: moe-opt --convert-moe-to-moert --moert-verify-streams %s | FileCheck %s
// RUN: moe-run %s --backend=host --against=%s --against-backend=interp | FileCheck %s --check-prefix=EQUAL
// RUN: not moe-opt --convert-moe-to-moert %S/Inputs/plan-on-stream.mlir 2>&1 | FileCheck %s --check-prefix=STREAM

// What the host plans it also joins, slices and reshapes: a whole plan is read
// where it was written, however it came to its reader; elements of several
// values are brought together on the host, behind the wait for those of them
// that a stream makes.

// CHECK-LABEL: func.func private @main_numbers_
// CHECK-SAME:    memref<2xi64>)
// CHECK-LABEL: func.func @main(
// CHECK:       moert.await
// CHECK-NOT:   moert.await
// CHECK:       moert.ragged_plan %{{.*}} to %[[SO:[0-9]+]], %[[SS:[0-9]+]], %[[RO:[0-9]+]], %[[RS:[0-9]+]] runs
// CHECK:       moert.call @main_numbers{{.*}}(%{{.*}}, %[[SO]] : memref<1xi32>, memref<2xi64>) outs(%[[O:.*]] : memref<2xi64>)
// CHECK:       moert.call @main_numbers{{.*}}(%[[SS]], %{{.*}} : memref<2xi64>, memref<1xi32>) outs(%[[S:.*]] : memref<2xi64>)
// CHECK:       moert.ragged_all_to_all %{{.*}} send(%[[O]], %[[S]]) recv(%[[RO]], %[[RS]])
// EQUAL: equal: 2 ranks
// STREAM: plan-on-stream.mlir:3:1: error: cannot be put on a stream: expected values of streams, got one the host computes

moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4x3xf32>, %router: tensor<3x2xf32>) -> tensor<8x3xf32> {
  %ids, %w = moe.gate softmax %x, %router top_k 1 : tensor<4x3xf32>, tensor<3x2xf32> -> tensor<4x1xi32>, tensor<4x1xf32>
  %rows, %slots = moe.permute_rows token %x by %ids experts 2 : tensor<4x3xf32>, tensor<4x1xi32> -> tensor<4x3xf32>, tensor<4x1xi32>
  %counts = moe.expert_counts %ids : tensor<4x1xi32> -> tensor<2xi32>
  %view = tensor.expand_shape %counts [[0, 1]] output_shape [1, 2] : tensor<2xi32> into tensor<1x2xi32>
  %all = moe.all_gather %view on <@mesh, ["ep"]> dim 0 : tensor<1x2xi32> -> tensor<2x2xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> limit 8 : tensor<2x2xi32> -> tensor<2xi32>, tensor<2x1xi32>

  // The first offset is always 0, and with one expert a rank counts are sizes.
  %zero = arith.constant dense<0> : tensor<1xi32>
  %second = tensor.extract_slice %so[1] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %offsets = moe.assemble %zero, %second dim 0 : tensor<1xi32>, tensor<1xi32> -> tensor<2xi32>
  %first = tensor.extract_slice %ss[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %other = tensor.extract_slice %counts[1] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %sizes = moe.assemble %first, %other dim 0 : tensor<1xi32>, tensor<1xi32> -> tensor<2xi32>

  // A stack of two plans, as pipelines hand them on.
  %a = tensor.expand_shape %ro [[0, 1]] output_shape [1, 2] : tensor<2xi32> into tensor<1x2xi32>
  %b = tensor.expand_shape %rs [[0, 1]] output_shape [1, 2] : tensor<2xi32> into tensor<1x2xi32>
  %stack = moe.assemble %a, %b dim 0 : tensor<1x2xi32>, tensor<1x2xi32> -> tensor<2x2xi32>
  %c = tensor.extract_slice %stack[0, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<2xi32>
  %d = tensor.extract_slice %stack[1, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<1x2xi32>
  %e = tensor.collapse_shape %d [[0, 1]] : tensor<1x2xi32> into tensor<2xi32>

  %empty = arith.constant dense<0.0> : tensor<8x3xf32>
  %in = moe.ragged_all_to_all %rows into %empty on <@mesh, ["ep"]> send(%offsets, %sizes) recv(%c, %e) : tensor<4x3xf32>, tensor<2xi32> -> tensor<8x3xf32>
  return %in : tensor<8x3xf32>
}
