// RUN: moe-opt %s -split-input-file --convert-moert-to-llvm -verify-diagnostics --allow-unregistered-dialect | FileCheck %s

moe.mesh @mesh axes ["ep"] shape [2]

// A body takes buffers as upstream passes them; what a stream calls unpacks
// their pointers.
// CHECK: llvm.func internal @half(
func.func private @half(%a: memref<4xbf16>, %i: index, %b: memref<4xbf16>) {
  memref.copy %a, %b : memref<4xbf16> to memref<4xbf16>
  return
}

// A run is behind what the caller's stream has, and that stream behind it.
// CHECK-LABEL: llvm.func @moe_main_enqueue(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr, %arg4: !llvm.ptr) -> i32
// CHECK-SAME: moert.host_waits = 2 : i64, moert.part_of = "main"
// CHECK: llvm.call @moert_program_begin(%arg0, %{{.*}}, %arg1, %arg2, %arg3, %arg4,
// CHECK: llvm.call @moert_event_get(%arg0,
// CHECK: llvm.call @moert_event_record(%[[BEGUN:.*]], %arg1)
// CHECK: llvm.call @moert_stream_get(%arg0,
// CHECK: %[[OK:.*]] = llvm.icmp "eq"
// CHECK: llvm.cond_br %[[OK]], ^{{.*}}, ^[[FAIL:.*]](%{{.*}} : i32)
// CHECK: llvm.call @moert_stream_wait_event(%[[STREAM:.*]], %[[BEGUN]])
// CHECK: llvm.call @moert_comm_split
// CHECK: llvm.call @moert_rank(%arg0)
// CHECK: llvm.call @moert_all_to_all
// CHECK: llvm.call @moert_launch_packed
// CHECK: llvm.call @moert_event_record(%[[MADE:.*]], %[[STREAM]])
// CHECK: llvm.call @moert_event_synchronize(%[[MADE]], %{{.*}}) : (!llvm.ptr, i64) -> i32
// CHECK: llvm.call @moert_stream_synchronize
// CHECK: llvm.call @moert_event_record(%[[ENDED:.*]], %[[STREAM]])
// CHECK: llvm.call @moert_stream_wait_event(%arg1, %[[ENDED]])
// CHECK: llvm.return
// CHECK: ^[[FAIL]](%[[STATUS:.*]]: i32):
// CHECK: llvm.return %[[STATUS]] : i32
// The ranks of all groups, which are also the positions of the ranks.
// CHECK-DAG: llvm.mlir.global internal constant @moert_text{{[_0-9]*}}("inter\00")
// CHECK-DAG: llvm.mlir.global internal constant @moert_numbers{{[_0-9]*}}(dense<[0, 1]> : tensor<2xi32>)
// What the caller has to bring: the name of the program, two ranks, bytes of
// one input and one result.
// CHECK-DAG: llvm.mlir.global internal constant @moert_text{{[_0-9]*}}("main\00")
// CHECK-DAG: llvm.mlir.global internal constant @moert_numbers{{[_0-9]*}}(dense<8> : tensor<1xi64>)
// CHECK-DAG: llvm.func @moert_all_to_all(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32) -> i32
// CHECK-DAG: llvm.func internal @half_call(%arg0: !llvm.ptr) -> i32
// CHECK-DAG: llvm.call @half(%{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
// What the caller may make beforehand, and bring; and a run with what the
// context keeps.
// CHECK: llvm.func @moe_main_prepare(%arg0: !llvm.ptr) -> i32
// CHECK: llvm.call @moert_program_prepare(%arg0,
// CHECK: llvm.call @moert_stream_get(%arg0,
// CHECK: llvm.call @moert_comm_split
// CHECK-NOT: llvm.call @moert_all_to_all
// CHECK: llvm.func @moe_main_workspace_bytes() -> i64
// CHECK-NEXT: llvm.mlir.constant(64 : i64)
// CHECK: llvm.func @moe_main(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) -> i32
// CHECK: llvm.call @moert_program_run(%arg0, %{{.*}}, %arg1, %arg2)
// CHECK-NOT: moe.mesh
func.func @main(%ctx: !moert.context, %x: memref<4xbf16>, %y: memref<4xbf16>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "inter" inter priority 0
  %c = moert.communicator #moe.group<@mesh, ["ep"]> on %s : !moert.comm<2>
  %i = moert.group_rank %ctx on #moe.group<@mesh, ["ep"]>
  %m = moert.arena %ctx : memref<64xi8>
  %zero = arith.constant 0 : index
  %b = memref.view %m[%zero][] : memref<64xi8> to memref<4xbf16>
  moert.all_to_all %c %x to %b : !moert.comm<2>, memref<4xbf16> to memref<4xbf16>
  moert.launch %s "half" @half ins(%b, %i : memref<4xbf16>, index) outs(%y : memref<4xbf16>)
  %e = moert.event %ctx
  moert.record %e on %s
  moert.await %e
  moert.synchronize %s
  return
}

// -----

// Dims that follow each other on both sides are one; what is contiguous is a
// plain copy; nothing is copied of nothing.
// CHECK-LABEL: llvm.func @moe_copies
// CHECK: llvm.call @moert_copy(%{{.*}}, %{{.*}}, %{{.*}}, %[[N:.*]]) :
// CHECK-NOT: llvm.call @moert_copy(
// CHECK: llvm.call @moert_copy_strided
// CHECK-NOT: llvm.call @moert_copy
func.func @copies(%ctx: !moert.context, %x: memref<2x3x4xf32>, %n: memref<0x3xf32>, %y: memref<2x3x4xf32>, %z: memref<3x2x4xf32>, %o: memref<0x3xf32>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "copy" copy priority 0
  moert.copy %s %x to %y : memref<2x3x4xf32> to memref<2x3x4xf32>
  %t = memref.transpose %x (i, j, k) -> (j, i, k) : memref<2x3x4xf32> to memref<3x2x4xf32, strided<[4, 12, 1]>>
  moert.copy %s %t to %z : memref<3x2x4xf32, strided<[4, 12, 1]>> to memref<3x2x4xf32>
  moert.copy %s %n to %o : memref<0x3xf32> to memref<0x3xf32>
  moert.synchronize %s
  return
}

// -----

// Errors about what is only moved name its type: bf16 is 3, and 32-bit integers
// are 5; types the runtime does not know are bytes, 7.
// CHECK-LABEL: llvm.func @moe_moved
// CHECK: llvm.call @moert_comm_split
// CHECK: %[[BF16:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK: llvm.call @moert_all_to_all({{.*}}, %[[BF16]])
// CHECK: %[[I32:.*]] = llvm.mlir.constant(5 : i32) : i32
// CHECK: llvm.call @moert_all_to_all({{.*}}, %[[I32]])
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK: llvm.call @moert_all_gather({{.*}}, %[[BYTES]])
func.func @moved(%ctx: !moert.context, %a: memref<4xbf16>, %b: memref<4xi32>, %c: memref<4xf8E4M3FN>, %x: memref<4xbf16>, %y: memref<4xi32>, %z: memref<8xf8E4M3FN>) attributes {moert.inputs = 3 : i64} {
  %s = moert.stream %ctx "s" inter priority 0
  %g = moert.communicator #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xi64>> on %s : !moert.comm<2>
  moert.all_to_all %g %a to %x : !moert.comm<2>, memref<4xbf16> to memref<4xbf16>
  moert.all_to_all %g %b to %y : !moert.comm<2>, memref<4xi32> to memref<4xi32>
  moert.all_gather %g %c to %z : !moert.comm<2>, memref<4xf8E4M3FN> to memref<8xf8E4M3FN>
  moert.synchronize %s
  return
}

// -----

// Ranks look themselves up in the groups: these must be groups of all.
func.func @sizes(%ctx: !moert.context, %x: memref<4xf32>, %y: memref<4xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" inter priority 0
  %a = moert.communicator #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xi64>> on %s : !moert.comm<2>
  // expected-error@+1 {{expected groups of all 2 ranks of the program, got #moe.replica_groups<dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>>}}
  %b = moert.communicator #moe.replica_groups<dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>> on %s : !moert.comm<2>
  return
}

// -----

func.func @type(%ctx: !moert.context, %x: memref<4xi5>, %y: memref<4xi5>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "s" intra priority 0
  %c = moert.communicator #moe.replica_groups<dense<[[0, 1]]> : tensor<1x2xi64>> on %s : !moert.comm<2>
  // expected-error@+1 {{has no kernel for elements of type 'i5': expected f64, f32, f16, bf16, index or integers of 8, 16, 32 or 64 bits}}
  moert.all_reduce %c sum %x to %y : !moert.comm<2>, memref<4xi5> to memref<4xi5>
  return
}

// -----

func.func private @left(%x: memref<4xf32>) {
  // expected-error@+1 {{has no form at run time: no lowering to LLVM knows it}}
  gpu.barrier
  return
}

// -----

// Nor is an op of no known dialect a way to end upstream's passes.
func.func private @unregistered(%x: memref<4xf32>) {
  // expected-error@+1 {{has no form at run time: no lowering to LLVM knows it}}
  "user.op"() : () -> ()
  return
}

// -----

func.func @flow(%ctx: !moert.context, %x: memref<4xf32>) attributes {moert.inputs = 1 : i64} {
  // expected-error@+1 {{cannot stand in an entry function: expected ops of the moert dialect, views of buffers, branches and arithmetic on index}}
  %m = memref.alloc() : memref<4xf32>
  return
}

// -----

// Floats of 8 bits may be moved and stand as constants; nothing computes them.
func.func private @eight(%x: memref<4xf8E4M3FN>) {
  %i = arith.constant 0 : index
  %c = arith.constant 1.0 : f8E4M3FN
  memref.store %c, %x[%i] : memref<4xf8E4M3FN>
  %a = memref.load %x[%i] : memref<4xf8E4M3FN>
  // expected-error@+1 {{has no compiled form for elements of type 'f8E4M3FN': expected f64, f32, f16 or bf16}}
  %b = arith.addf %a, %c : f8E4M3FN
  memref.store %b, %x[%i] : memref<4xf8E4M3FN>
  return
}
