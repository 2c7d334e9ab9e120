// Gradients that read what experts kept, or dgrad handed on, equal the gradients
// of the same ops alone; products of other rows make another gradient.
// RUN: split-file %s %t
// RUN: moe-run %t/joined.mlir --against=%t/alone.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t/joined.mlir --against=%t/alone.mlir --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: not moe-run %t/other.mlir --against=%t/alone.mlir | FileCheck %s --check-prefix=OTHER
// RUN: not moe-run %t/other.mlir --against=%t/alone.mlir --symbolic | FileCheck %s --check-prefix=OTHER
// EQUAL: {{^}}equal: 1 ranks
// OTHER: {{^}}unequal: result 0

//--- alone.mlir
func.func @main(%x: tensor<2x3x4xbf16>, %z: tensor<2x3x4xbf16>, %dy: tensor<2x3x4xbf16>, %w: tensor<2x4x6xbf16>, %u: tensor<2x4x6xbf16>, %v: tensor<2x6x4xbf16>)
    -> (tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>) {
  %dx = moe.experts_dgrad geglu %dy at %x, %w, %u, %v : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
  %dw:3 = moe.experts_wgrad geglu %dy at %x, %w, %u, %v : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
  return %dx, %dw#0, %dw#1, %dw#2 : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
}

//--- joined.mlir
func.func @main(%x: tensor<2x3x4xbf16>, %z: tensor<2x3x4xbf16>, %dy: tensor<2x3x4xbf16>, %w: tensor<2x4x6xbf16>, %u: tensor<2x4x6xbf16>, %v: tensor<2x6x4xbf16>)
    -> (tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>) {
  %y, %k = moe.experts geglu %x, %w, %u, %v : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x3x4xbf16> keeps tensor<2x2x3x6xbf16>
  %dx, %h = moe.experts_dgrad geglu %dy at %x, %w, %u, %v kept %k : tensor<2x2x3x6xbf16> : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> hands tensor<3x2x3x6xbf16>
  %dw:3 = moe.experts_wgrad geglu %dy at %x, %w, %u, %v handed %h : tensor<3x2x3x6xbf16> : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
  return %dx, %dw#0, %dw#1, %dw#2 : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
}

//--- other.mlir
func.func @main(%x: tensor<2x3x4xbf16>, %z: tensor<2x3x4xbf16>, %dy: tensor<2x3x4xbf16>, %w: tensor<2x4x6xbf16>, %u: tensor<2x4x6xbf16>, %v: tensor<2x6x4xbf16>)
    -> (tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>) {
  %y, %k = moe.experts geglu %z, %w, %u, %v : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x3x4xbf16> keeps tensor<2x2x3x6xbf16>
  %dx, %h = moe.experts_dgrad geglu %dy at %x, %w, %u, %v kept %k : tensor<2x2x3x6xbf16> : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> hands tensor<3x2x3x6xbf16>
  %dw:3 = moe.experts_wgrad geglu %dy at %x, %w, %u, %v handed %h : tensor<3x2x3x6xbf16> : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
  return %dx, %dw#0, %dw#1, %dw#2 : tensor<2x3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
}
