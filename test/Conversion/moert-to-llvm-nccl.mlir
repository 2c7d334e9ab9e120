// RUN: moe-opt %s -split-input-file --convert-moert-to-llvm=target=nccl --remarks-filter=convert-moert-to-llvm 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %s -split-input-file --convert-moert-to-llvm=target=nccl-stand-ins | FileCheck %s --check-prefix=CPU
// RUN: moe-opt %s -split-input-file --moe-compile="from=llvm to=llvm target=nccl" | FileCheck %s
// RUN: moe-opt %s -split-input-file --convert-moert-to-llvm="target=nccl chip=sm_90" | FileCheck %s --check-prefix=CHIP

// A loop over all elements, of both dims: 256 threads in each of 224 blocks, for
// 8 elements each, which are loaded and stored at once. Memory that is not
// aligned for this takes a loop. The bf16 sum is one of f32 that is rounded.
// CHECK-LABEL: llvm.func @moe_two_enqueue
// CHECK-NOT: llvm.call @moert_launch(
// CHECK: %[[IMAGE:.*]] = llvm.mlir.addressof @moert_kernels
// CHECK: llvm.mlir.constant(224 : i64)
// CHECK: llvm.call @moert_launch_kernel
// CHECK: llvm.call @moert_launch_kernel
// CHECK-NOT: llvm.call @moert_launch_kernel
// CHECK: llvm.mlir.global internal constant @moert_kernels("
// CHECK-NOT: .extern
// CHECK-SAME: .target sm_75
// CHECK-SAME: .entry sum(
// CHECK-SAME: .maxntid 256
// CHECK-SAME: ld.global.b16
// CHECK-SAME: st.global.b16
// CHECK-SAME: ld.global.v4.b32
// CHECK-SAME: ld.global.v4.b32
// CHECK-SAME: add.rn.f32
// CHECK-SAME: st.global.v4.b32
// CHECK-NOT: .entry
// CHIP: .target sm_90
// CPU: llvm.func internal @sum_thread(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CPU: llvm.func internal @sum_thread_run(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CPU: llvm.mlir.global internal constant @moert_kernel_name("sum\00")
// CPU: llvm.mlir.constant("MOECPU1\00")
func.func private @sum(%a: memref<64x7168xbf16>, %b: memref<64x7168xbf16>, %c: memref<64x7168xbf16>) {
  linalg.add ins(%a, %b : memref<64x7168xbf16>, memref<64x7168xbf16>) outs(%c : memref<64x7168xbf16>)
  return
}
// The same kernel serves.
func.func private @sum_0(%a: memref<64x7168xbf16>, %b: memref<64x7168xbf16>, %c: memref<64x7168xbf16>) {
  linalg.add ins(%a, %b : memref<64x7168xbf16>, memref<64x7168xbf16>) outs(%c : memref<64x7168xbf16>)
  return
}
func.func @two(%ctx: !moert.context, %a: memref<64x7168xbf16>, %b: memref<64x7168xbf16>, %c: memref<64x7168xbf16>, %d: memref<64x7168xbf16>) attributes {moert.inputs = 2 : i64} {
  %s = moert.stream %ctx "intra" intra priority 0
  moert.launch %s "sum" @sum ins(%a, %b : memref<64x7168xbf16>, memref<64x7168xbf16>) outs(%c : memref<64x7168xbf16>)
  moert.launch %s "sum" @sum_0 ins(%c, %b : memref<64x7168xbf16>, memref<64x7168xbf16>) outs(%d : memref<64x7168xbf16>)
  moert.synchronize %s
  return
}

// -----

// Loops one after another are kernels, which hand on what one thread has found
// and what the body allocates in memory of the stream. Places in groups are
// arguments. The second loop is too short for blocks of 256.
// REMARK: one-thread{{.*}}one thread of the device runs this loop or branch of @steps
// CHECK-LABEL: llvm.func @moe_some_enqueue
// CHECK-COUNT-3: llvm.call @moert_launch_kernel
// CHECK-NOT: llvm.call @moert_launch_kernel
// CHECK-LABEL: llvm.func @moe_some_workspace_bytes
// CHECK: llvm.mlir.constant(4352 : i64)
// CHECK: .entry steps(
// CHECK-SAME: .entry steps_0(
// CHECK-SAME: .entry steps_1(
// CHECK-SAME: .maxntid 128
func.func private @steps(%x: memref<1000xf32>, %i: index, %y: memref<100xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 1000 : index
  %start = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<1000xf32>
  linalg.map { math.exp } ins(%x : memref<1000xf32>) outs(%t : memref<1000xf32>)
  %sum = scf.for %k = %zero to %end step %one iter_args(%acc = %start) -> f32 {
    %v = memref.load %t[%k] : memref<1000xf32>
    %n = arith.addf %acc, %v : f32
    scf.yield %n : f32
  }
  %part = memref.subview %t[%i] [100] [1] : memref<1000xf32> to memref<100xf32, strided<[1], offset: ?>>
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%part : memref<100xf32, strided<[1], offset: ?>>) outs(%y : memref<100xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = arith.divf %v, %sum : f32
    linalg.yield %q : f32
  }
  memref.dealloc %t : memref<1000xf32>
  return
}
func.func @some(%ctx: !moert.context, %x: memref<1000xf32>, %y: memref<100xf32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "intra" intra priority 0
  %i = arith.constant 7 : index
  moert.launch %s "steps" @steps ins(%x, %i : memref<1000xf32>, index) outs(%y : memref<100xf32>)
  moert.synchronize %s
  return
}

// -----

// What the body writes into memory of its own, and copies with other dims,
// goes where it belongs at once, and needs no memory. Constants that are the same everywhere are
// numbers, others are in the image.
// CHECK-LABEL: llvm.func @moe_own_memory_enqueue
// CHECK-COUNT-2: llvm.call @moert_launch_kernel
// CHECK-NOT: llvm.call @moert_launch_kernel
// CHECK-LABEL: llvm.func @moe_own_memory_workspace_bytes
// CHECK: llvm.mlir.constant(0 : i64)
// CHECK: .global .align {{[0-9]+}} .b8 numbers[{{[0-9]+}}]
// CHECK-NOT: ones
memref.global "private" constant @ones : memref<4x8xf32> = dense<1.0>
memref.global "private" constant @numbers : memref<2xi32> = dense<[3, 4]>
func.func private @own(%a: memref<32xf32>, %b: memref<32xf32>) {
  %e = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  %t = memref.alloc() : memref<4x8xf32>
  %ones = memref.get_global @ones : memref<4x8xf32>
  linalg.add ins(%e, %ones : memref<4x8xf32>, memref<4x8xf32>) outs(%t : memref<4x8xf32>)
  %c = memref.collapse_shape %t [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  memref.copy %c, %b : memref<32xf32> to memref<32xf32>
  memref.dealloc %t : memref<4x8xf32>
  return
}
func.func private @constant(%c: memref<2xi32>) {
  %n = memref.get_global @numbers : memref<2xi32>
  memref.copy %n, %c : memref<2xi32> to memref<2xi32>
  return
}
func.func @own_memory(%ctx: !moert.context, %a: memref<32xf32>, %b: memref<32xf32>, %c: memref<2xi32>) attributes {moert.inputs = 1 : i64} {
  %s = moert.stream %ctx "intra" intra priority 0
  moert.launch %s "own" @own ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  moert.launch %s "constant" @constant outs(%c : memref<2xi32>)
  moert.synchronize %s
  return
}
