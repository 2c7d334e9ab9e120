// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [3, 2]

// CHECK-LABEL: func.func @example
// GENERIC: "moe.layer"() <{name = "3", phase = #moe<phase fwd>}> ({
// GENERIC: "moe.yield"(%{{.*}}) : (tensor<16x64xbf16>) -> ()
// GENERIC: }) : () -> tensor<16x64xbf16>
func.func @example(%x: tensor<16x64xbf16>) -> tensor<16x64xbf16> {
  // CHECK: %[[Y:.*]] = moe.layer "3" phase "fwd" {
  // CHECK:   %[[Z:.*]] = moe.all_reduce
  // CHECK:   moe.yield %[[Z]] : tensor<16x64xbf16>
  // CHECK: } : tensor<16x64xbf16>
  // CHECK: return %[[Y]]
  %y = moe.layer "3" phase "fwd" {
    %z = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<16x64xbf16>
    moe.yield %z : tensor<16x64xbf16>
  } : tensor<16x64xbf16>
  return %y : tensor<16x64xbf16>
}

// CHECK-LABEL: func.func @several_results
func.func @several_results(%x: tensor<?xf32>, %i: index)
    -> (tensor<?xf32>, index) {
  // CHECK: moe.layer "a \22quoted\22 name" phase "bwd" {
  // CHECK:   moe.yield %{{.*}}, %{{.*}} : tensor<?xf32>, index
  // CHECK: } : tensor<?xf32>, index
  %y:2 = moe.layer "a \"quoted\" name" phase "bwd" {
    moe.yield %x, %i : tensor<?xf32>, index
  } : tensor<?xf32>, index
  return %y#0, %y#1 : tensor<?xf32>, index
}

// CHECK-LABEL: func.func @nothing_and_nested
func.func @nothing_and_nested() {
  // CHECK:      moe.layer "outer" phase "fwd" attributes {hooks = ["a"]} {
  // CHECK-NEXT:   moe.layer "inner" phase "bwd" {
  // CHECK-NEXT:     moe.yield
  // CHECK-NEXT:   }
  // CHECK-NEXT:   moe.yield {last}
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  moe.layer "outer" phase "fwd" attributes {hooks = ["a"]} {
    moe.layer "inner" phase "bwd" {
      moe.yield
    }
    moe.yield {last}
  }
  return
}
