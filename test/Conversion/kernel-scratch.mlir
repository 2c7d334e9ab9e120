// The workspace of a program for GPUs has room for the scratch memory of the
// runtime's kernels: the most that a kernel of each stream takes, as
// moert_scratch.h states it. CPU backends need none.
// RUN: moe-opt %s --convert-moert-to-llvm=target=nccl-stand-ins | FileCheck %s
// RUN: moe-opt %s --convert-moert-to-llvm | FileCheck %s --check-prefix=HOST

// 100 bytes of the arena are aligned to 128. On the first stream the source of
// each of 40 rows takes 320 bytes, as a multiple of 256; 10 rows take less. On
// the second one the 16-bit integers of 2 ranks are gathered: 2 * 2 * 200 bytes.
// CHECK-LABEL: llvm.func @moe_main_enqueue
// CHECK-COUNT-2: llvm.call @moert_stream_set_scratch
// CHECK-NOT: llvm.call @moert_stream_set_scratch
// CHECK: llvm.call @moert_scatter
// CHECK-COUNT-2: llvm.call @moert_stream_set_scratch
// CHECK-NOT: llvm.call @moert_stream_set_scratch
// CHECK: llvm.call @moert_event_record
// A run that fails withdraws the memory of the streams that it has made by then,
// and returns the first failure.
// CHECK: ^{{.*}}(%[[STATUS:.*]]: i32):
// CHECK-NEXT: %[[SLOT:.*]] = llvm.getelementptr
// CHECK-NEXT: %[[STREAM:.*]] = llvm.load %[[SLOT]]
// CHECK: llvm.icmp "ne" %[[STREAM]]
// CHECK-NEXT: llvm.cond_br
// CHECK: llvm.call @moert_stream_set_scratch(%[[STREAM]],
// CHECK: llvm.call @moert_stream_set_scratch(
// CHECK: llvm.return %[[STATUS]] : i32
// CHECK-LABEL: llvm.func @moe_main_workspace_bytes
// CHECK: llvm.mlir.constant(1664 : i64)
// HOST-NOT: moert_stream_set_scratch
// HOST-LABEL: llvm.func @moe_main_workspace_bytes
// HOST: llvm.mlir.constant(100 : i64)
// HOST-NOT: moert_stream_set_scratch
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%ctx: !moert.context, %x: memref<3x4xf32>, %slots: memref<3x2xi32>, %n: memref<200xi16>,
    %large: memref<40x4xf32>, %small: memref<10x4xf32>, %sum: memref<200xi16>) attributes {moert.inputs = 3 : i64} {
  %s = moert.stream %ctx "compute" compute priority 0
  %t = moert.stream %ctx "inter" inter priority 0
  %none = moert.stream %ctx "copy" copy priority 0
  %c = moert.communicator #moe.group<@mesh, ["ep"]> on %t : !moert.comm<2>
  %m = moert.arena %ctx : memref<100xi8>
  moert.scatter %s ins(%x, %slots : memref<3x4xf32>, memref<3x2xi32>) outs(%large : memref<40x4xf32>)
  moert.scatter %s ins(%x, %slots : memref<3x4xf32>, memref<3x2xi32>) outs(%small : memref<10x4xf32>)
  moert.all_reduce %c sum %n to %sum : !moert.comm<2>, memref<200xi16> to memref<200xi16>
  return
}
