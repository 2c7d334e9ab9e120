// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["dp", "ep", "tp"] shape [1, 2, 3]

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.all_to_all"(%{{.*}}) <{concatDim = 0 : i64, group = #moe.group<@mesh, ["ep"]>, splitDim = 0 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
func.func @picture(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: moe.all_to_all %{{.*}} on <@mesh, ["ep"]> split 0 concat 0 : tensor<2xf32> -> tensor<2xf32>
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @dispatch
func.func @dispatch(%x: tensor<2x4x16x64xbf16>) -> tensor<2x4x16x64xbf16> {
  // CHECK: moe.all_to_all %{{.*}} on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4x16x64xbf16> -> tensor<2x4x16x64xbf16>
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x4x16x64xbf16> -> tensor<2x4x16x64xbf16>
  return %r : tensor<2x4x16x64xbf16>
}

// CHECK-LABEL: func.func @split_and_concat
func.func @split_and_concat(%x: tensor<12x5xf32>) -> tensor<2x30xf32> {
  // CHECK: moe.all_to_all %{{.*}} on <@mesh, ["tp", "ep"]> split 0 concat 1 : tensor<12x5xf32> -> tensor<2x30xf32>
  %r = moe.all_to_all %x on <@mesh, ["tp", "ep"]> split 0 concat 1
     : tensor<12x5xf32> -> tensor<2x30xf32>
  return %r : tensor<2x30xf32>
}

// A dynamic dim is compatible with any size.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x?x7xf32>) -> tensor<?x8x7xf32> {
  // CHECK: split 0 concat 1 : tensor<?x?x7xf32> -> tensor<?x?x7xf32>
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1
     : tensor<?x?x7xf32> -> tensor<?x?x7xf32>
  // CHECK: split 0 concat 1 : tensor<?x?x7xf32> -> tensor<?x8x7xf32>
  %b = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 1
     : tensor<?x?x7xf32> -> tensor<?x8x7xf32>
  return %b : tensor<?x8x7xf32>
}

// CHECK-LABEL: func.func @rank_lists
// GENERIC-LABEL: sym_name = "rank_lists"
// GENERIC: group = #moe.replica_groups<dense<{{\[\[}}5, 4, 3], [2, 1, 0]]> : tensor<2x3xi64>>
func.func @rank_lists(%x: tensor<3x2xi4>) -> tensor<1x6xi4> {
  // CHECK: moe.all_to_all %{{.*}} on {{\[\[}}5, 4, 3], [2, 1, 0]] split 0 concat 1 : tensor<3x2xi4> -> tensor<1x6xi4>
  %r = moe.all_to_all %x on [[5, 4, 3], [2, 1, 0]] split 0 concat 1
     : tensor<3x2xi4> -> tensor<1x6xi4>
  return %r : tensor<1x6xi4>
}

// Empty buffers and attributes that are not the op's own.
// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<0x4xf8E4M3FN>) -> tensor<0x8xf8E4M3FN> {
  // CHECK: split 0 concat 1 {note = "x"} : tensor<0x4xf8E4M3FN> -> tensor<0x8xf8E4M3FN>
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 {note = "x"}
     : tensor<0x4xf8E4M3FN> -> tensor<0x8xf8E4M3FN>
  return %r : tensor<0x8xf8E4M3FN>
}
