// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --verify-roundtrip -o /dev/null
// Nothing that was told to streams goes away or moves.
// RUN: moe-opt %s --canonicalize --cse | FileCheck %s --check-prefix=KEPT

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func private @body(%a: memref<2xf32>, %i: index, %b: memref<2xf32>) {
  return
}

func.func private @numbers(%i: index, %n: memref<2xi64>) {
  return
}

// CHECK-LABEL: func.func @main
// CHECK-SAME: attributes {moert.inputs = 1 : i64}
// KEPT-LABEL: func.func @main
func.func @main(%ctx: !moert.context, %x: memref<2x4xf32> {moe.varying = ["ep"]}, %y: memref<2x4xf32>) attributes {moert.inputs = 1 : i64} {
  // CHECK: %[[S:.*]] = moert.stream %{{.*}} "inter" inter priority 0{{$}}
  // CHECK: %[[T:.*]] = moert.stream %{{.*}} "copies" copy priority 3{{$}}
  // KEPT-COUNT-2: moert.stream
  %s = moert.stream %ctx "inter" inter priority 0
  %t = moert.stream %ctx "copies" copy priority 3
  // CHECK: moert.communicator #moe.group<@mesh, ["ep"]> on %[[S]] : <2>
  %c = moert.communicator #moe.group<@mesh, ["ep"]> on %s : !moert.comm<2>
  // CHECK: %[[E:.*]] = moert.event %{{.*}}
  %e = moert.event %ctx
  // CHECK: moert.arena %{{.*}} : memref<64xi8>
  %m = moert.arena %ctx : memref<64xi8>
  // CHECK: moert.group_rank %{{.*}} on #moe.group<@mesh, ["tp"]>{{$}}
  %i = moert.group_rank %ctx on #moe.group<@mesh, ["tp"]>
  %zero = arith.constant 0 : index
  %b = memref.view %m[%zero][] : memref<64xi8> to memref<2x4xf32>
  %v = memref.view %m[%zero][] : memref<64xi8> to memref<2xf32>

  // CHECK: moert.all_to_all %{{.*}} %{{.*}} to %{{.*}} : <2>, memref<2x4xf32> to memref<2x4xf32>
  // KEPT: moert.all_to_all
  moert.all_to_all %c %x to %b : !moert.comm<2>, memref<2x4xf32> to memref<2x4xf32>
  // CHECK: moert.record %[[E]] on %[[S]]
  // CHECK: moert.wait %[[T]] for %[[E]]
  // KEPT: moert.record
  // KEPT: moert.wait
  moert.record %e on %s
  moert.wait %t for %e
  // CHECK: moert.leave_sms %[[T]], 16
  // KEPT: moert.leave_sms
  moert.leave_sms %t, 16
  // CHECK: moert.copy %[[T]] %{{.*}} to %{{.*}} : memref<4x2xf32, strided<[1, 4]>> to memref<4x2xf32>
  %p = memref.transpose %b (i, j) -> (j, i) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  %w = memref.view %m[%zero][] : memref<64xi8> to memref<4x2xf32>
  moert.copy %t %p to %w : memref<4x2xf32, strided<[1, 4]>> to memref<4x2xf32>
  // CHECK: moert.launch %[[T]] "f" @body ins(%{{.*}}, %{{.*}} : memref<2xf32>, index) outs(%{{.*}} : memref<2xf32>)
  // CHECK: moert.launch %[[T]] "f" @body ins(%{{.*}}, %{{.*}} : memref<2xf32>, index) outs(%{{.*}} : memref<2xf32>)
  // KEPT-COUNT-2: moert.launch
  moert.launch %t "f" @body ins(%v, %i : memref<2xf32>, index) outs(%v : memref<2xf32>)
  moert.launch %t "f" @body ins(%v, %i : memref<2xf32>, index) outs(%v : memref<2xf32>)
  // CHECK: %[[H:.*]] = moert.host_buffer : memref<2xi64>
  // CHECK: moert.call @numbers ins(%{{.*}} : index) outs(%[[H]] : memref<2xi64>)
  // KEPT: moert.call
  %h = moert.host_buffer : memref<2xi64>
  moert.call @numbers ins(%i : index) outs(%h : memref<2xi64>)
  // CHECK: moert.await %[[E]]
  // CHECK: moert.synchronize %[[S]]
  // KEPT: moert.await
  moert.await %e
  moert.synchronize %s
  moert.synchronize %t
  return
}

// CHECK-LABEL: func.func @collectives
func.func @collectives(%c: !moert.comm<2>, %a: memref<4xf32>, %b: memref<8xf32>, %d: memref<4xf32>, %i: memref<3x4xbf16>, %j: memref<5x4xbf16>) {
  // CHECK: moert.all_gather %{{.*}} %{{.*}} to %{{.*}} : <2>, memref<4xf32> to memref<8xf32>
  moert.all_gather %c %a to %b : !moert.comm<2>, memref<4xf32> to memref<8xf32>
  // CHECK: moert.reduce_scatter %{{.*}} sum %{{.*}} to %{{.*}} : <2>, memref<8xf32> to memref<4xf32>
  moert.reduce_scatter %c sum %b to %a : !moert.comm<2>, memref<8xf32> to memref<4xf32>
  // CHECK: moert.all_reduce %{{.*}} max %{{.*}} to %{{.*}} : <2>, memref<4xf32> to memref<4xf32>
  moert.all_reduce %c max %a to %d : !moert.comm<2>, memref<4xf32> to memref<4xf32>
  // CHECK: moert.ragged_all_to_all %{{.*}} %{{.*}} to %{{.*}} send(%{{.*}}, %{{.*}}) recv(%{{.*}}, %{{.*}}) : <2>, memref<3x4xbf16> to memref<5x4xbf16>, memref<2xi32>
  %n = moert.host_buffer : memref<2xi32>
  moert.ragged_all_to_all %c %i to %j send(%n, %n) recv(%n, %n) : !moert.comm<2>, memref<3x4xbf16> to memref<5x4xbf16>, memref<2xi32>
  return
}

// CHECK-LABEL: func.func @modules
func.func @modules(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %bias: memref<6xf32>, %ids: memref<3x2xi32>, %slots: memref<3x2xi32>, %w: memref<3x2xf32>, %b: memref<6x5x4xf32>, %w1: memref<6x4x7xf32>, %w2: memref<6x4x7xf32>, %w3: memref<6x7x4xf32>) {
  // CHECK: moert.gate %{{.*}} softmax ins(%{{.*}}, %{{.*}} : memref<3x4xf32>, memref<4x6xf32>) outs(%{{.*}}, %{{.*}} : memref<3x2xi32>, memref<3x2xf32>) top_k 2{{$}}
  moert.gate %s softmax ins(%x, %r : memref<3x4xf32>, memref<4x6xf32>) outs(%ids, %w : memref<3x2xi32>, memref<3x2xf32>) top_k 2
  // CHECK: moert.gate %{{.*}} sigmoid ins(%{{.*}}) bias(%{{.*}} : memref<6xf32>) outs(%{{.*}}) top_k 2 {normalize, num_groups = 3 : i64, scale = 2.500000e+00 : f64, top_groups = 2 : i64}
  moert.gate %s sigmoid ins(%x, %r : memref<3x4xf32>, memref<4x6xf32>) bias(%bias : memref<6xf32>) outs(%ids, %w : memref<3x2xi32>, memref<3x2xf32>) top_k 2 {normalize, num_groups = 3 : i64, top_groups = 2 : i64, scale = 2.5 : f64}
  // CHECK: moert.permute %{{.*}} token ins(
  moert.permute %s token ins(%x, %ids : memref<3x4xf32>, memref<3x2xi32>) outs(%b, %slots : memref<6x5x4xf32>, memref<3x2xi32>)
  // CHECK: moert.experts %{{.*}} gpt activation relu ins(
  moert.experts %s gpt activation relu ins(%b, %w1, %w3 : memref<6x5x4xf32>, memref<6x4x7xf32>, memref<6x7x4xf32>) outs(%b : memref<6x5x4xf32>)
  // CHECK: moert.experts %{{.*}} swiglu ins(
  moert.experts %s swiglu ins(%b, %w1, %w2, %w3 : memref<6x5x4xf32>, memref<6x4x7xf32>, memref<6x4x7xf32>, memref<6x7x4xf32>) outs(%b : memref<6x5x4xf32>)
  // CHECK: moert.unpermute %{{.*}} ins(
  moert.unpermute %s ins(%b, %slots, %w : memref<6x5x4xf32>, memref<3x2xi32>, memref<3x2xf32>) outs(%x : memref<3x4xf32>)
  return
}
