// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --verify-roundtrip -o /dev/null
// RUN: moe-opt %s --mlir-print-debuginfo | moe-opt --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-LABEL: func.func @example
// GENERIC: "moe.pipeline"(%{{.*}}) <{concat_dims = array<i64: 2>, degree = 2 : i64, split_dims = array<i64: 2>}> ({
// GENERIC-NEXT: ^bb0(%{{.*}}: tensor<2x1x4x4xf32>):
// GENERIC: "moe.yield"(%{{.*}}) : (tensor<2x1x4x4xf32>) -> ()
// GENERIC-NEXT: }) : (tensor<2x1x8x4xf32>) -> tensor<2x1x8x4xf32>
func.func @example(%x: tensor<2x1x8x4xf32>) -> tensor<2x1x8x4xf32> {
  // CHECK:      %[[R:.*]] = moe.pipeline degree 2 (%[[C:.*]] = %{{.*}} split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
  // CHECK-NEXT:   %[[A:.*]] = moe.all_to_all %[[C]]
  // CHECK-NEXT:   moe.yield %[[A]] : tensor<2x1x4x4xf32>
  // CHECK-NEXT: } -> concat 2 : tensor<2x1x8x4xf32>
  // CHECK-NEXT: return %[[R]]
  %r = moe.pipeline degree 2 (%c = %x split 2 : tensor<2x1x8x4xf32>
                              as tensor<2x1x4x4xf32>) {
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    moe.yield %a : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// Every rule at once; operands of any type are shared; the dims cut differ.
// CHECK-LABEL: func.func @rules
// GENERIC: "moe.pipeline"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{concat_dims = array<i64: 0, -1, -1>, degree = 3 : i64, split_dims = array<i64: 0, 1, -1, -1>}>
func.func @rules(%x: tensor<6x4xf32>, %y: tensor<5x6xi32>, %w: tensor<4xbf16>,
                 %i: index) -> (tensor<6xf32>, tensor<bf16>, tensor<2xi8>) {
  // CHECK: %[[R:.*]]:3 = moe.pipeline degree 3 (%{{.*}} = %{{.*}} split 0 : tensor<6x4xf32> as tensor<2x4xf32>, %{{.*}} = %{{.*}} split 1 : tensor<5x6xi32> as tensor<5x2xi32>, %{{.*}} = %{{.*}} shared : tensor<4xbf16> as tensor<4xbf16>, %{{.*}} = %{{.*}} shared : index as index) {
  // CHECK: } -> concat 0 : tensor<6xf32>, sum : tensor<bf16>, sum : tensor<2xi8>
  // CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#2
  %r:3 = moe.pipeline degree 3 (
      %a = %x split 0 : tensor<6x4xf32> as tensor<2x4xf32>,
      %b = %y split 1 : tensor<5x6xi32> as tensor<5x2xi32>,
      %c = %w shared : tensor<4xbf16> as tensor<4xbf16>,
      %j = %i shared : index as index) {
    %s = tensor.extract_slice %a[0, %j] [2, 1] [1, 1]
       : tensor<2x4xf32> to tensor<2xf32>
    %t = tensor.extract_slice %c[%j] [1] [1] : tensor<4xbf16> to tensor<bf16>
    %u = arith.constant dense<1> : tensor<2xi8>
    moe.yield %s, %t, %u : tensor<2xf32>, tensor<bf16>, tensor<2xi8>
  } -> concat 0 : tensor<6xf32>, sum : tensor<bf16>, sum : tensor<2xi8>
  return %r#0, %r#1, %r#2 : tensor<6xf32>, tensor<bf16>, tensor<2xi8>
}

// Chunks of several sizes have a dynamic dim, whether the sizes are stated or
// follow from a degree that does not divide.
// CHECK-LABEL: func.func @uneven
// GENERIC: "moe.pipeline"(%{{.*}}) <{concat_dims = array<i64: 0>, degree = 3 : i64, sizes = array<i64: 1, 5, 3>, split_dims = array<i64: 0>}>
// GENERIC: "moe.pipeline"(%{{.*}}) <{concat_dims = array<i64: 0>, degree = 4 : i64, split_dims = array<i64: 0>}>
func.func @uneven(%x: tensor<9xf32>) -> tensor<9xf32> {
  // CHECK: = moe.pipeline degree 3 sizes [1, 5, 3] (%{{.*}} = %{{.*}} split 0 : tensor<9xf32> as tensor<?xf32>) {
  %r = moe.pipeline degree 3 sizes [1, 5, 3] (%c = %x split 0
      : tensor<9xf32> as tensor<?xf32>) {
    moe.yield %c : tensor<?xf32>
  } -> concat 0 : tensor<9xf32>
  // CHECK: = moe.pipeline degree 4 (%{{.*}} = %{{.*}} split 0 : tensor<9xf32> as tensor<?xf32>) {
  %s = moe.pipeline degree 4 (%c = %r split 0
      : tensor<9xf32> as tensor<?xf32>) {
    moe.yield %c : tensor<?xf32>
  } -> concat 0 : tensor<9xf32>
  return %s : tensor<9xf32>
}

// Stated sizes that are all equal make static chunks.
// CHECK-LABEL: func.func @equal_sizes
func.func @equal_sizes(%x: tensor<9x?xf32>) -> tensor<9x?xf32> {
  // CHECK: = moe.pipeline degree 3 sizes [3, 3, 3] (%{{.*}} = %{{.*}} split 0 : tensor<9x?xf32> as tensor<3x?xf32>) {
  %r = moe.pipeline degree 3 sizes [3, 3, 3] (%c = %x split 0
      : tensor<9x?xf32> as tensor<3x?xf32>) {
    moe.yield %c : tensor<3x?xf32>
  } -> concat 0 : tensor<9x?xf32>
  return %r : tensor<9x?xf32>
}

// One chunk; as many chunks as elements; the largest degree; a dim of a size
// near 2^63.
// CHECK-LABEL: func.func @extremes
func.func @extremes(%x: tensor<9xf32>, %y: tensor<1048576xf32>,
                    %z: tensor<0x9223372036854775807xf32>) {
  // CHECK: moe.pipeline degree 1 (%{{.*}} = %{{.*}} split 0 : tensor<9xf32> as tensor<9xf32>) {
  moe.pipeline degree 1 (%c = %x split 0 : tensor<9xf32> as tensor<9xf32>) {
    moe.yield
  }
  // CHECK: moe.pipeline degree 9 (%{{.*}} = %{{.*}} split 0 : tensor<9xf32> as tensor<1xf32>) {
  moe.pipeline degree 9 (%c = %x split 0 : tensor<9xf32> as tensor<1xf32>) {
    moe.yield
  }
  // CHECK: moe.pipeline degree 1048576 (
  moe.pipeline degree 1048576 (%c = %y split 0
      : tensor<1048576xf32> as tensor<1xf32>) {
    moe.yield
  }
  // CHECK: moe.pipeline degree 2 sizes [9223372036854775806, 1] (
  moe.pipeline degree 2 sizes [9223372036854775806, 1] (%c = %z split 1
      : tensor<0x9223372036854775807xf32> as tensor<0x?xf32>) {
    moe.yield
  }
  return
}

// Values around the region are seen in it; attributes are kept; pipelines nest.
// CHECK-LABEL: func.func @around
func.func @around(%x: tensor<4xf32>, %w: tensor<2xf32>) -> tensor<4xf32> {
  // CHECK: moe.pipeline degree 2 (%[[C:.*]] = %{{.*}} split 0 : tensor<4xf32> as tensor<2xf32>) attributes {hooks = ["a"]} {
  // CHECK:   moe.pipeline degree 2 (%{{.*}} = %[[C]] split 0 : tensor<2xf32> as tensor<1xf32>) {
  %r = moe.pipeline degree 2 (%c = %x split 0
      : tensor<4xf32> as tensor<2xf32>) attributes {hooks = ["a"]} {
    %d = moe.pipeline degree 2 (%e = %c split 0
        : tensor<2xf32> as tensor<1xf32>) {
      moe.yield %e : tensor<1xf32>
    } -> concat 0 : tensor<2xf32>
    %s = arith.addf %d, %w : tensor<2xf32>
    moe.yield %s : tensor<2xf32>
  } -> concat 0 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// The region's arguments have locations.
// LOC: moe.pipeline degree 2 (%{{.*}} loc("chunk") = %{{.*}} split 0
func.func @locations(%x: tensor<4xf32>) {
  moe.pipeline degree 2 (%c loc("chunk") = %x split 0
      : tensor<4xf32> as tensor<2xf32>) {
    moe.yield
  }
  return
}

// CHECK-LABEL: func.func @placed
// GENERIC: "moe.pipeline"(%{{.*}}) <{concat_dims = array<i64: 0>, copies = #moe<copies intra>, degree = 2 : i64, split_dims = array<i64: 0>}>
func.func @placed(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  // CHECK: moe.pipeline degree 2 copies intra (%{{.*}} = %{{.*}} split 0 :
  %r = moe.pipeline degree 2 copies intra (%c = %x split 0
      : tensor<3xf32> as tensor<?xf32>) {
    moe.yield %c : tensor<?xf32>
  } -> concat 0 : tensor<3xf32>
  // CHECK: moe.pipeline degree 2 sizes [1, 2] copies own (%{{.*}} = %{{.*}} split 0 :
  %s = moe.pipeline degree 2 sizes [1, 2] copies own (%c = %x split 0
      : tensor<3xf32> as tensor<?xf32>) {
    moe.yield %c : tensor<?xf32>
  } -> concat 0 : tensor<3xf32>
  return %r, %s : tensor<3xf32>, tensor<3xf32>
}

// One slice of a stack for each chunk, whatever the chunks' sizes; none where
// the sizes are ones.
// CHECK-LABEL: func.func @stacks
func.func @stacks(%x: tensor<7xf32>, %n: tensor<4x3xf32>, %y: tensor<3xf32>) -> (tensor<7xf32>, tensor<3x4xf32>) {
  // CHECK: moe.pipeline degree 3 (%{{.*}} = %{{.*}} split 1 : tensor<4x3xf32> as tensor<4x1xf32>, %{{.*}} = %{{.*}} split 0 : tensor<7xf32> as tensor<?xf32>)
  %r:2 = moe.pipeline degree 3 (%s = %n split 1 : tensor<4x3xf32> as tensor<4x1xf32>,
      %c = %x split 0 : tensor<7xf32> as tensor<?xf32>) {
    %t = moe.transpose %s [1, 0] : tensor<4x1xf32> -> tensor<1x4xf32>
    moe.yield %c, %t : tensor<?xf32>, tensor<1x4xf32>
  // CHECK: } -> concat 0 : tensor<7xf32>, concat 0 : tensor<3x4xf32>
  } -> concat 0 : tensor<7xf32>, concat 0 : tensor<3x4xf32>
  // CHECK: moe.pipeline degree 3 (%{{.*}} = %{{.*}} split 1 : tensor<4x3xf32> as tensor<4x1xf32>, %{{.*}} = %{{.*}} split 0 : tensor<3xf32> as tensor<1xf32>)
  moe.pipeline degree 3 (%s = %n split 1 : tensor<4x3xf32> as tensor<4x1xf32>,
      %c = %y split 0 : tensor<3xf32> as tensor<1xf32>) {
    moe.yield
  }
  return %r#0, %r#1 : tensor<7xf32>, tensor<3x4xf32>
}
