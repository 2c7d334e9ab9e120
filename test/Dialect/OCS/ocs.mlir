// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --verify-roundtrip -o /dev/null

// Nothing that a change does may go, though no value comes of it.
// RUN: moe-opt %s --canonicalize --cse --remove-dead-values \
// RUN:   | FileCheck %s --check-prefix=KEPT

moe.mesh @mesh axes ["dp", "ep", "tp"] shape [2, 2, 1]

// CHECK: ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split switch "region" controller 1
// GENERIC: "ocs.fabric"() <{controller = 1 : i64, eps = 1 : i64, mesh = @mesh, optical = 2 : i64, region = ["ep"], routing = #ocs<routing split>, server = ["tp"], switch_name = "region", sym_name = "fabric"}> : () -> ()
ocs.fabric @fabric on @mesh server ["tp"] region ["ep"] optical 2 eps 1 split
    switch "region" controller 1

moe.stream @inter inter
moe.stream @ocs inter

// CHECK-LABEL: func.func @example
// KEPT-LABEL: func.func @example
func.func @example(%x: tensor<4xf32>, %demand: tensor<2x2xi64>) -> tensor<4xf32> {
  %each = arith.constant dense<[[[0, 2], [2, 0]], [[0, 1], [1, 0]]]>
      : tensor<2x2x2xi32>
  %r = moe.schedule {
    %t0 = moe.task @ocs "reconfigure"[0 of 2] layer "0" phase "fwd" {
      // CHECK: ocs.reconfigure @fabric to %{{.*}} : tensor<2x2x2xi32>
      // KEPT: ocs.reconfigure
      // GENERIC: "ocs.reconfigure"(%{{.*}}) <{fabric = @fabric}> : (tensor<2x2x2xi32>) -> ()
      ocs.reconfigure @fabric to %each : tensor<2x2x2xi32>
      moe.yield
    }
    %t1 = moe.task @ocs "await"[0 of 2] layer "0" phase "fwd" {
      // CHECK: ocs.await @fabric
      // KEPT: ocs.await @fabric
      // GENERIC: "ocs.await"() <{fabric = @fabric}> : () -> ()
      ocs.await @fabric
      moe.yield
    }
    %a, %t2 = moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" after(%t1) {
      // CHECK: ocs.route @fabric over %{{.*}} : tensor<2x2x2xi32>
      // KEPT: ocs.route
      // GENERIC: "ocs.route"(%{{.*}}) <{fabric = @fabric}> : (tensor<2x2x2xi32>) -> ()
      ocs.route @fabric over %each : tensor<2x2x2xi32>
      %b = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
         : tensor<4xf32> -> tensor<4xf32>
      moe.yield %b : tensor<4xf32>
    } : tensor<4xf32>
    %t3 = moe.task @ocs "reconfigure"[1 of 2] layer "0" phase "fwd" after(%t2) {
      // CHECK: %[[PLAN:.*]] = ocs.plan @fabric %{{.*}} : tensor<2x2xi64> -> tensor<2x2xi32>
      // GENERIC: "ocs.plan"(%{{.*}}) <{fabric = @fabric}> : (tensor<2x2xi64>) -> tensor<2x2xi32>
      %circuits = ocs.plan @fabric %demand : tensor<2x2xi64> -> tensor<2x2xi32>
      // CHECK: ocs.predict @fabric "0" else %[[PLAN]] : tensor<2x2xi32>
      // GENERIC: "ocs.predict"(%{{.*}}) <{fabric = @fabric, key = "0"}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
      %predicted = ocs.predict @fabric "0" else %circuits : tensor<2x2xi32>
      // CHECK: ocs.note @fabric "0" sees %{{.*}} : tensor<2x2xi64>
      // KEPT: ocs.note @fabric
      // GENERIC: "ocs.note"(%{{.*}}) <{fabric = @fabric, key = "0"}> : (tensor<2x2xi64>) -> ()
      ocs.note @fabric "0" sees %demand : tensor<2x2xi64>
      // CHECK: ocs.recall @fabric "1+2" with %{{.*}} times 3 : tensor<2x2xi64>
      // GENERIC: "ocs.recall"(%{{.*}}) <{fabric = @fabric, key = "1+2", times = 3 : i64}> : (tensor<2x2xi64>) -> tensor<2x2xi64>
      %sum = ocs.recall @fabric "1+2" with %demand times 3 : tensor<2x2xi64>
      // CHECK: ocs.reconfigure @fabric to %[[PLAN]] : tensor<2x2xi32>
      // KEPT: ocs.reconfigure
      ocs.reconfigure @fabric to %circuits : tensor<2x2xi32>
      moe.yield
    }
    %t4 = moe.task @ocs "await"[1 of 2] layer "0" phase "fwd" {
      ocs.await @fabric
      moe.yield
    }
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
