// RUN: moe-opt %s -verify-roundtrip | FileCheck %s

moe.mesh @mesh axes ["tp", "ep", "place"] shape [3, 2, 2]

// CHECK-LABEL: func.func @rows
func.func @rows(%s: !moert.stream, %x: memref<6x4xbf16>, %ids: memref<6x2xi32>, %chunks: memref<2x3x2xi32>, %counts: memref<4xi16>, %parts: memref<2x4xi32>, %rows: memref<12x4xbf16>, %slots: memref<6x2xi32>) {
  // CHECK: moert.expert_counts %{{.*}} ins(%{{.*}} : memref<6x2xi32>) outs(%{{.*}} : memref<4xi16>)
  moert.expert_counts %s ins(%ids : memref<6x2xi32>) outs(%counts : memref<4xi16>)
  // CHECK: moert.expert_counts %{{.*}} ins(%{{.*}} : memref<2x3x2xi32>) outs(%{{.*}} : memref<2x4xi32>)
  moert.expert_counts %s ins(%chunks : memref<2x3x2xi32>) outs(%parts : memref<2x4xi32>)
  // CHECK: moert.permute_rows %{{.*}} choice ins(%{{.*}}) outs(%{{.*}} : memref<12x4xbf16>, memref<6x2xi32>) experts 4
  moert.permute_rows %s choice ins(%x, %ids : memref<6x4xbf16>, memref<6x2xi32>) outs(%rows, %slots : memref<12x4xbf16>, memref<6x2xi32>) experts 4
  // CHECK: moert.limit_choices %{{.*}} choice ins(%{{.*}}, %{{.*}} : memref<6x2xi32>, memref<4xi16>) outs(%{{.*}} : memref<6x2xi32>) experts 8
  moert.limit_choices %s choice ins(%ids, %counts : memref<6x2xi32>, memref<4xi16>) outs(%slots : memref<6x2xi32>) experts 8
  return
}

// CHECK-LABEL: func.func @plan
func.func @plan(%ctx: !moert.context, %s: !moert.stream, %p: index, %x: memref<9x4xf32>, %w1: memref<3x4x6xf32>, %w2: memref<3x6x4xf32>) {
  %all = moert.host_buffer : memref<2x6xi32>
  %n = moert.host_buffer : memref<2xi64>
  %r = moert.host_buffer : memref<2x3xi64>
  // CHECK: moert.ragged_plan %{{.*}} %{{.*}} of #moe.group<@mesh, ["ep"]> at %{{.*}}, %{{.*}} limit 9 to %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} runs %{{.*}}, %{{.*}} : memref<2x6xi32> to memref<2xi64> runs memref<2x3xi64>
  moert.ragged_plan %ctx %all of #moe.group<@mesh, ["ep"]> at %p, %p limit 9 to %n, %n, %n, %n runs %r, %r : memref<2x6xi32> to memref<2xi64> runs memref<2x3xi64>
  // CHECK: moert.experts %{{.*}} gpt ins({{.*}}) run_offsets(%{{.*}} : memref<2x3xi64>) run_sizes(%{{.*}} : memref<2x3xi64>) outs(%{{.*}} : memref<9x4xf32>)
  moert.experts %s gpt ins(%x, %w1, %w2 : memref<9x4xf32>, memref<3x4x6xf32>, memref<3x6x4xf32>) run_offsets(%r : memref<2x3xi64>) run_sizes(%r : memref<2x3xi64>) outs(%x : memref<9x4xf32>)
  // CHECK: moert.experts_dgrad %{{.*}} run_sizes(%{{.*}} : memref<2x3xi64>) outs(
  moert.experts_dgrad %s gpt ins(%x, %w1, %w2, %x : memref<9x4xf32>, memref<3x4x6xf32>, memref<3x6x4xf32>, memref<9x4xf32>) run_offsets(%r : memref<2x3xi64>) run_sizes(%r : memref<2x3xi64>) outs(%x : memref<9x4xf32>)
  // CHECK: moert.experts_wgrad %{{.*}} run_sizes(%{{.*}} : memref<2x3xi64>) outs(
  moert.experts_wgrad %s gpt ins(%x, %w1, %w2, %x : memref<9x4xf32>, memref<3x4x6xf32>, memref<3x6x4xf32>, memref<9x4xf32>) run_offsets(%r : memref<2x3xi64>) run_sizes(%r : memref<2x3xi64>) outs(%w1, %w2 : memref<3x4x6xf32>, memref<3x6x4xf32>)
  return
}

// CHECK-LABEL: func.func @joined
func.func @joined(%ctx: !moert.context, %p: index, %q: index) {
  %all = moert.host_buffer : memref<3x2x6xi32>
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<3x2x3xi32>
  // CHECK: moert.ragged_plan {{.*}} : memref<3x2x6xi32> to memref<2xi32> runs memref<3x2x3xi32>
  moert.ragged_plan %ctx %all of #moe.group<@mesh, ["tp", "ep"]> at %p, %q limit 9 to %n, %n, %n, %n runs %r, %r : memref<3x2x6xi32> to memref<2xi32> runs memref<3x2x3xi32>
  %both = moert.host_buffer : memref<3x4x10xi32>
  %s = moert.host_buffer : memref<3x2x2xi32>
  // CHECK: moert.node_plan %{{.*}} %{{.*}} of #moe.group<@mesh, ["tp", "ep", "place"]> at %{{.*}}, %{{.*}}, %{{.*}} limits 4, 9 to %{{.*}} inside %{{.*}} runs %{{.*}}, %{{.*}} : memref<3x4x10xi32> to memref<2xi32> inside memref<2xi32> runs memref<3x2x2xi32>
  moert.node_plan %ctx %both of #moe.group<@mesh, ["tp", "ep", "place"]> at %p, %q, %p limits 4, 9 to %n, %n, %n, %n inside %n, %n, %n, %n runs %s, %s : memref<3x4x10xi32> to memref<2xi32> inside memref<2xi32> runs memref<3x2x2xi32>
  return
}

// CHECK-LABEL: func.func @blocks
func.func @blocks(%s: !moert.stream, %x: memref<6x20xbf16>, %v: memref<6x20xf8E4M3FN>, %t: memref<6x3xf32>) {
  // CHECK: moert.quantize %{{.*}} ins(%{{.*}} : memref<6x20xbf16>) outs(%{{.*}}, %{{.*}} : memref<6x20xf8E4M3FN>, memref<6x3xf32>) block 8
  moert.quantize %s ins(%x : memref<6x20xbf16>) outs(%v, %t : memref<6x20xf8E4M3FN>, memref<6x3xf32>) block 8
  // CHECK: moert.dequantize %{{.*}} ins(%{{.*}}, %{{.*}} : memref<6x20xf8E4M3FN>, memref<6x3xf32>) outs(%{{.*}} : memref<6x20xbf16>) block 8
  moert.dequantize %s ins(%v, %t : memref<6x20xf8E4M3FN>, memref<6x3xf32>) outs(%x : memref<6x20xbf16>) block 8
  return
}
