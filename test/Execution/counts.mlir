// Counts that streams compute reach the host by one copy each and one wait: for
// the dispatch of the first layer, which all later exchanges, of the combine and
// in the backward pass, read again. Numbers are equal to the interpreter's.
// RUN: moe-opt %s --moe-schedule --convert-moe-to-moert -o %t.runtime.mlir
// RUN: FileCheck %s < %t.runtime.mlir
// RUN: moe-opt %t.runtime.mlir --moert-verify-streams --moert-check-orders -o /dev/null | FileCheck %s --check-prefix=ORDERS
// RUN: moe-run %s --backend=host --against-backend=interp --seed=3 | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --backend=nccl --stand-ins --against-backend=interp --seed=3 | FileCheck %s --check-prefix=EQUAL
// ORDERS: @main: {{[0-9]+}} ops, {{[0-9]+}} waits: all orders equal
// EQUAL: equal: 4 ranks

// CHECK-LABEL: func.func @main(
// CHECK-COUNT-4: moert.host_buffer : memref<2xi32>
// CHECK-NOT:   moert.host_buffer
// CHECK-NOT:   moert.synchronize
// CHECK:       moert.await
// CHECK-NOT:   moert.await
// CHECK-COUNT-4: moert.ragged_all_to_all
// CHECK-NOT:   moert.await
// CHECK:       return
moe.mesh @mesh axes ["dp", "ep"] shape [2, 2]

func.func @main(%x: tensor<4x3xf32>, %g: tensor<4x3xf32>, %n: tensor<2xi32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %ones = arith.constant dense<1> : tensor<2xi32>
  %zeros = arith.constant dense<0> : tensor<2xi32>
  // One row or two to each.
  %odd = arith.andi %n, %ones : tensor<2xi32>
  %sizes = arith.addi %odd, %ones : tensor<2xi32>
  %got = moe.all_to_all %sizes on <@mesh, ["ep"]> split 0 concat 0 : tensor<2xi32> -> tensor<2xi32>
  %size = tensor.extract %sizes[%0] : tensor<2xi32>
  %at = tensor.insert %size into %zeros[%1] : tensor<2xi32>
  %other = tensor.extract %got[%0] : tensor<2xi32>
  %from = tensor.insert %other into %zeros[%1] : tensor<2xi32>
  %y = moe.layer "0" phase "fwd" {
    %in = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%at, %sizes) recv(%from, %got) : tensor<4x3xf32>, tensor<2xi32> -> tensor<4x3xf32>
    %a = arith.mulf %in, %in : tensor<4x3xf32>
    %out = moe.ragged_all_to_all %a into %x on <@mesh, ["ep"]> send(%from, %got) recv(%at, %sizes) : tensor<4x3xf32>, tensor<2xi32> -> tensor<4x3xf32>
    moe.yield %out : tensor<4x3xf32>
  } : tensor<4x3xf32>
  %dx = moe.layer "0" phase "bwd" {
    %in = moe.ragged_all_to_all %g into %y on <@mesh, ["ep"]> send(%at, %sizes) recv(%from, %got) : tensor<4x3xf32>, tensor<2xi32> -> tensor<4x3xf32>
    %a = arith.addf %in, %in : tensor<4x3xf32>
    %out = moe.ragged_all_to_all %a into %g on <@mesh, ["ep"]> send(%from, %got) recv(%at, %sizes) : tensor<4x3xf32>, tensor<2xi32> -> tensor<4x3xf32>
    moe.yield %out : tensor<4x3xf32>
  } : tensor<4x3xf32>
  return %y, %dx : tensor<4x3xf32>, tensor<4x3xf32>
}
