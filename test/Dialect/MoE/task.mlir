// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --verify-roundtrip -o /dev/null

moe.mesh @mesh axes ["ep"] shape [2]

// Tasks may stand before the stream they name.
// CHECK-LABEL: func.func @example
// GENERIC: "moe.task"() <{chunk = 0 : i64, chunks = 4 : i64, layer = "3", name = "dispatch", phase = #moe<phase fwd>, stream = @inter}> ({
// GENERIC: "moe.yield"(%{{.*}}) : (tensor<4xf32>) -> ()
// GENERIC-NEXT: }) : () -> (tensor<4xf32>, !moe.token)
// GENERIC: %[[T:.*]] = "moe.task"(%{{.*}}#1) <{chunk = 1 : i64, chunks = 4 : i64, layer = "3", name = "dispatch", phase = #moe<phase fwd>, stream = @inter}> ({
// GENERIC: }) : (!moe.token) -> !moe.token
func.func @example(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %r = moe.schedule {
    // CHECK:      %[[A:.*]], %[[T0:.*]] = moe.task @inter "dispatch"[0 of 4] layer "3" phase "fwd" {
    // CHECK-NEXT:   %[[B:.*]] = moe.all_to_all
    // CHECK-NEXT:   moe.yield %[[B]] : tensor<4xf32>
    // CHECK-NEXT: } : tensor<4xf32>
    %a, %t0 = moe.task @inter "dispatch"[0 of 4] layer "3" phase "fwd" {
      %b = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
         : tensor<4xf32> -> tensor<4xf32>
      moe.yield %b : tensor<4xf32>
    } : tensor<4xf32>
    // No value: the token alone.
    // CHECK-NEXT: %[[T1:.*]] = moe.task @inter "dispatch"[1 of 4] layer "3" phase "fwd" after(%[[T0]]) {
    // CHECK-NEXT:   moe.yield
    // CHECK-NEXT: }
    %t1 = moe.task @inter "dispatch"[1 of 4] layer "3" phase "fwd" after(%t0) {
      moe.yield
    }
    // Several tokens, one of them twice; several values; attributes.
    // CHECK-NEXT: %[[V:.*]]:2, %{{.*}} = moe.task @compute "dispatch"[2 of 4] layer "3" phase "fwd" after(%[[T0]], %[[T1]], %[[T0]]) attributes {priority = 1 : i64} {
    // CHECK-NEXT:   moe.yield %[[A]], %{{.*}} : tensor<4xf32>, index
    // CHECK-NEXT: } : tensor<4xf32>, index
    %v:2, %t2 = moe.task @compute "dispatch"[2 of 4] layer "3" phase "fwd"
        after(%t0, %t1, %t0) attributes {priority = 1 : i64} {
      moe.yield %a, %i : tensor<4xf32>, index
    } : tensor<4xf32>, index
    // CHECK-NEXT: moe.task @inter "dispatch"[3 of 4] layer "3" phase "fwd" {
    %t3 = moe.task @inter "dispatch"[3 of 4] layer "3" phase "fwd" {
      moe.yield
    }
    // A layer without a name is none; names are any text.
    // CHECK: moe.task @inter "a \22quoted\22 name"[0 of 1] layer "" phase "bwd" {
    %t4 = moe.task @inter "a \"quoted\" name"[0 of 1] layer "" phase "bwd" {
      moe.yield
    }
    moe.yield %v#0 : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

moe.stream @inter inter
moe.stream @compute compute

// The type is one of its own.
// CHECK: func.func private @token(!moe.token)
func.func private @token(!moe.token)
