// Experts keep their inner products for their gradients, and `experts_dgrad`
// hands on what `experts_wgrad` multiplies.
// RUN: split-file %s %t
// RUN: moe-opt %t/step.mlir --moe-schedule --remarks-filter=moe-schedule 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT < %t.remarks
// RUN: sed '1i module attributes {moe.expert_products = "recompute"} {' %t/step.mlir | sed '$a }' | moe-opt --moe-schedule --remarks-filter=moe-schedule 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: moe-opt %t/chunks.mlir --moe-schedule | FileCheck %s --check-prefix=CHUNKS
// RUN: moe-opt %t/chunks.mlir --moe-schedule | moe-run --against=%t/chunks.mlir --symbolic - | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %t/gathered.mlir --moe-schedule | FileCheck %s --check-prefix=GATHERED
// RUN: moe-opt %t/gathered.mlir --moe-schedule | moe-run --against=%t/gathered.mlir - | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %t/other.mlir --moe-schedule --remarks-filter=moe-schedule 2>&1 | FileCheck %s --check-prefix=OTHER

//--- step.mlir
moe.mesh @mesh axes ["ep"] shape [2]

// CHECK-LABEL: func.func @main
// CHECK: moe.task @compute "experts"
// CHECK: %{{.*}}, %[[K:.*]] = moe.experts swiglu {{.*}} keeps tensor<2x2x2x6xf32>
// CHECK: "experts_dgrad"
// CHECK: moe.experts_dgrad swiglu {{.*}} kept %{{.*}} : tensor<2x2x2x6xf32> {{.*}} hands tensor<3x2x2x6xf32>
// CHECK: "experts_wgrad"
// CHECK: moe.experts_wgrad swiglu {{.*}} handed %{{.*}} : tensor<3x2x2x6xf32>
// KEPT: gradients of experts read what was multiplied before", alone=0, handed=1, kept=1, recomputed=0
// AGAIN: alone=0, handed=1, kept=0, recomputed=1
// AGAIN: moe.experts swiglu
// AGAIN-NOT: keeps
// AGAIN: moe.experts_dgrad swiglu
// AGAIN-NOT: kept
// AGAIN-SAME: hands tensor<3x2x2x6xf32>
func.func @main(%x: tensor<2x2x4xf32>, %dy: tensor<2x2x4xf32>, %w: tensor<2x4x6xf32>, %v: tensor<2x6x4xf32>)
    -> (tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %y:2 = moe.layer "0" phase "fwd" {
    %in = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x4xf32> -> tensor<2x2x4xf32>
    %e = moe.experts swiglu %in, %w, %w, %v : tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x2x4xf32>
    moe.yield %e, %in : tensor<2x2x4xf32>, tensor<2x2x4xf32>
  } : tensor<2x2x4xf32>, tensor<2x2x4xf32>
  %d:4 = moe.layer "0" phase "bwd" {
    %s = arith.addf %y#0, %dy : tensor<2x2x4xf32>
    %dx = moe.experts_dgrad swiglu %s at %y#1, %w, %w, %v : tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    %dw:3 = moe.experts_wgrad swiglu %s at %y#1, %w, %w, %v : tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    moe.yield %dx, %dw#0, %dw#1, %dw#2 : tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  } : tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %d#0, %d#1, %d#2, %d#3 : tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

//--- chunks.mlir
// `experts` is whole, `experts_dgrad` in two chunks, and `experts_wgrad` whole
// again: a piece of what was kept is packed for each chunk, and what they hand on
// is assembled.
moe.mesh @mesh axes ["ep"] shape [2]

// CHUNKS: moe.experts gpt {{.*}} keeps tensor<1x2x4x6xf32>
// CHUNKS: "pack.experts_dgrad"[0 of 2]
// CHUNKS: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 2, 2, 6] [1, 1, 1, 1]
// CHUNKS: "experts_dgrad"[0 of 2]
// CHUNKS: kept %{{.*}} : tensor<1x2x2x6xf32> {{.*}} hands tensor<2x2x2x6xf32>
// CHUNKS: "pack.experts_dgrad"[1 of 2]
// CHUNKS: tensor.extract_slice %{{.*}}[0, 0, 2, 0] [1, 2, 2, 6] [1, 1, 1, 1]
// CHUNKS: @copy "assemble.experts_wgrad"
// CHUNKS: moe.assemble {{.*}} tensor<2x2x4x6xf32>
// CHUNKS: moe.experts_wgrad gpt {{.*}} handed %{{.*}} : tensor<2x2x4x6xf32>
// EQUAL: {{^}}equal: 2 ranks
func.func @main(%x: tensor<2x4x4xf32>, %dy: tensor<2x4x4xf32>, %w: tensor<2x4x6xf32>, %v: tensor<2x6x4xf32>)
    -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %in = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4x4xf32> -> tensor<2x4x4xf32>
  %y = moe.experts gpt %in, %w, %v : tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x4xf32>
  %dx, %got = moe.pipeline degree 2 (%c = %dy split 1 : tensor<2x4x4xf32> as tensor<2x2x4xf32>, %t = %in split 1 : tensor<2x4x4xf32> as tensor<2x2x4xf32>) {
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x4xf32> -> tensor<2x2x4xf32>
    %d = moe.experts_dgrad gpt %a at %t, %w, %v : tensor<2x2x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    moe.yield %d, %a : tensor<2x2x4xf32>, tensor<2x2x4xf32>
  } -> concat 1 : tensor<2x4x4xf32>, concat 1 : tensor<2x4x4xf32>
  %dw:2 = moe.experts_wgrad gpt %got at %in, %w, %v : tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %y, %dx, %dw#0, %dw#1 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

//--- gathered.mlir
// Rows are cut in another shape than experts have them in.
moe.mesh @mesh axes ["ep"] shape [2]

// GATHERED: "assemble.experts_wgrad"
// GATHERED: tensor.expand_shape {{.*}} tensor<2x2x4x6xf32> into tensor<2x2x2x2x6xf32>
// GATHERED: moe.assemble {{.*}} dim 3 : {{.*}} -> tensor<2x2x2x4x6xf32>
// GATHERED: tensor.collapse_shape {{.*}} tensor<2x2x2x4x6xf32> into tensor<2x2x8x6xf32>
// GATHERED: moe.experts_wgrad gpt {{.*}} handed %{{.*}} : tensor<2x2x8x6xf32>
func.func @main(%x: tensor<2x2x4x4xf32>, %dy: tensor<2x2x4x4xf32>, %w: tensor<2x4x6xf32>, %v: tensor<2x6x4xf32>)
    -> (tensor<2x2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %in = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x4x4xf32> -> tensor<2x2x4x4xf32>
  %dx, %got = moe.pipeline degree 2 (%c = %dy split 2 : tensor<2x2x4x4xf32> as tensor<2x2x2x4xf32>, %t = %in split 2 : tensor<2x2x4x4xf32> as tensor<2x2x2x4xf32>) {
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2x4xf32> -> tensor<2x2x2x4xf32>
    %ac = tensor.collapse_shape %a [[0], [1, 2], [3]] : tensor<2x2x2x4xf32> into tensor<2x4x4xf32>
    %tc = tensor.collapse_shape %t [[0], [1, 2], [3]] : tensor<2x2x2x4xf32> into tensor<2x4x4xf32>
    %d = moe.experts_dgrad gpt %ac at %tc, %w, %v : tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    %e = tensor.expand_shape %d [[0], [1, 2], [3]] output_shape [2, 2, 2, 4] : tensor<2x4x4xf32> into tensor<2x2x2x4xf32>
    moe.yield %e, %a : tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>
  } -> concat 2 : tensor<2x2x4x4xf32>, concat 2 : tensor<2x2x4x4xf32>
  %gc = tensor.collapse_shape %got [[0], [1, 2], [3]] : tensor<2x2x4x4xf32> into tensor<2x8x4xf32>
  %ic = tensor.collapse_shape %in [[0], [1, 2], [3]] : tensor<2x2x4x4xf32> into tensor<2x8x4xf32>
  %dw:2 = moe.experts_wgrad gpt %gc at %ic, %w, %v : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %dx, %dw#0, %dw#1 : tensor<2x2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

//--- other.mlir
// Experts of other weights, another kind or other rows keep no products.
moe.mesh @mesh axes ["ep"] shape [2]

// OTHER: alone=1, handed=0, kept=0, recomputed=1
// OTHER-NOT: keeps
// OTHER-NOT: hands
func.func @main(%x: tensor<2x4x4xf32>, %dy: tensor<2x4x4xf32>, %w: tensor<2x4x6xf32>, %v: tensor<2x6x4xf32>, %u: tensor<2x4x6xf32>)
    -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %in = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4x4xf32> -> tensor<2x4x4xf32>
  %y = moe.experts gpt %in, %u, %v : tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x4xf32>
  %dx = moe.experts_dgrad gpt %y at %in, %w, %v activation relu : tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %dw:2 = moe.experts_wgrad gpt %dy at %in, %w, %v activation relu : tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %y, %dx, %dw#0, %dw#1 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
}
