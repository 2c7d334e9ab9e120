// The own rank, asked for first in one way of a branch, is there for the other
// way and for what follows.
// RUN: moe-opt %s --convert-moert-to-llvm | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-LABEL: llvm.func @moe_places
// CHECK:       %[[RANK:.*]] = llvm.call @moert_rank
// CHECK-NEXT:  llvm.cond_br
// CHECK-NOT:   llvm.call @moert_rank
// CHECK-COUNT-3: llvm.getelementptr {{.*}}[%[[RANK]]]
func.func @places(%ctx: !moert.context, %x: memref<i1>) attributes {moert.inputs = 1 : i64} {
  %n = moert.host_buffer : memref<i1>
  %b = memref.load %n[] : memref<i1>
  scf.if %b {
    %i = moert.group_rank %ctx on #moe.group<@mesh, ["ep"]>
  } else {
    %j = moert.group_rank %ctx on #moe.group<@mesh, ["tp"]>
  }
  %k = moert.group_rank %ctx on #moe.group<@mesh, ["ep", "tp"]>
  return
}
