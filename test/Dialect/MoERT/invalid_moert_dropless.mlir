// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%s: !moert.stream, %ids: memref<2x3x2xi32>, %counts: memref<4xi32>) {
  // expected-error@+1 {{expected parts of counts to be 2, as of ids, got }}
  moert.expert_counts %s ins(%ids : memref<2x3x2xi32>) outs(%counts : memref<4xi32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %ids: memref<3xi32>, %counts: memref<4xi32>) {
  // expected-error@+1 {{expected ids of rank 2 or more, got 'memref<3xi32>'}}
  moert.expert_counts %s ins(%ids : memref<3xi32>) outs(%counts : memref<4xi32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %ids: memref<3x2xi32>, %rows: memref<7x4xf32>) {
  // expected-error@+1 {{expected the number of rows to be 6, got 7}}
  moert.permute_rows %s token ins(%x, %ids : memref<3x4xf32>, memref<3x2xi32>) outs(%rows, %ids : memref<7x4xf32>, memref<3x2xi32>) experts 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %ids: memref<3x1xi32>) {
  // expected-error@+1 {{expected at least 1 expert, got 0}}
  moert.permute_rows %s token ins(%x, %ids : memref<3x4xf32>, memref<3x1xi32>) outs(%x, %ids : memref<3x4xf32>, memref<3x1xi32>) experts 0
  return
}

// -----

moe.mesh @mesh axes ["tp", "ep"] shape [3, 2]

func.func @f(%ctx: !moert.context, %p: index, %all: memref<2x6xi32>) {
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<2x3xi32>
  // expected-error@+1 {{expected integers where the host has them, made by moert.host_buffer in this function}}
  moert.ragged_plan %ctx %all of #moe.group<@mesh, ["ep"]> at %p, %p limit 9 to %n, %n, %n, %n runs %r, %r : memref<2x6xi32> to memref<2xi32> runs memref<2x3xi32>
  return
}

// -----

moe.mesh @mesh axes ["tp", "ep"] shape [3, 2]

func.func @f(%ctx: !moert.context, %p: index) {
  %all = moert.host_buffer : memref<2x5xi32>
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<2x3xi32>
  // expected-error@+1 {{expected counts [G, E] or [J, G, E] and offsets [G], with E a multiple of G, got 'memref<2x5xi32>' and 'memref<2xi32>'}}
  moert.ragged_plan %ctx %all of #moe.group<@mesh, ["ep"]> at %p, %p limit 9 to %n, %n, %n, %n runs %r, %r : memref<2x5xi32> to memref<2xi32> runs memref<2x3xi32>
  return
}

// -----

moe.mesh @mesh axes ["tp", "ep"] shape [3, 2]

func.func @f(%ctx: !moert.context, %p: index) {
  %all = moert.host_buffer : memref<3x2x4xi32>
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<2x2xi32>
  // expected-error@+1 {{expected offsets of runs of type 'memref<3x2x2xi32>', got 'memref<2x2xi32>'}}
  moert.ragged_plan %ctx %all of #moe.group<@mesh, ["tp", "ep"]> at %p, %p limit 9 to %n, %n, %n, %n runs %r, %r : memref<3x2x4xi32> to memref<2xi32> runs memref<2x2xi32>
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<9x4xf32>, %w1: memref<3x4x6xf32>, %w2: memref<3x6x4xf32>) {
  %r = moert.host_buffer : memref<2x3xi64>
  // expected-error@+1 {{expected both offsets and sizes of runs, or neither}}
  moert.experts %s gpt ins(%x, %w1, %w2 : memref<9x4xf32>, memref<3x4x6xf32>, memref<3x6x4xf32>) run_offsets(%r : memref<2x3xi64>) outs(%x : memref<9x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<9x4xf32>, %w1: memref<3x4x6xf32>, %w2: memref<3x6x4xf32>, %r: memref<2x3xi64>) {
  // expected-error@+1 {{expected run_offsets to be integers where the host reads them, made by moert.host_buffer in this function}}
  moert.experts %s gpt ins(%x, %w1, %w2 : memref<9x4xf32>, memref<3x4x6xf32>, memref<3x6x4xf32>) run_offsets(%r : memref<2x3xi64>) run_sizes(%r : memref<2x3xi64>) outs(%x : memref<9x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<9x4xf32>, %w1: memref<3x4x6xf32>, %w2: memref<3x6x4xf32>) {
  // expected-error@+1 {{expected x of rank 3 or more, got 'memref<9x4xf32>'}}
  moert.experts %s gpt ins(%x, %w1, %w2 : memref<9x4xf32>, memref<3x4x6xf32>, memref<3x6x4xf32>) outs(%x : memref<9x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x9x4xf32>, %w1: memref<3x4x6xf32>, %w2: memref<3x6x4xf32>) {
  // expected-error@+1 {{expected the experts of x to be 3, got 2}}
  moert.experts %s gpt ins(%x, %w1, %w2 : memref<2x9x4xf32>, memref<3x4x6xf32>, memref<3x6x4xf32>) outs(%x : memref<2x9x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %ids: memref<3x2xi32>, %limits: memref<4xi32>) {
  // expected-error@+1 {{expected a number of experts that divides by the limits, got 6 experts and 4 limits}}
  moert.limit_choices %s token ins(%ids, %limits : memref<3x2xi32>, memref<4xi32>) outs(%ids : memref<3x2xi32>) experts 6
  return
}

// -----

moe.mesh @mesh axes ["tp", "ep", "place"] shape [3, 2, 2]

func.func @f(%ctx: !moert.context, %p: index) {
  %all = moert.host_buffer : memref<3x4x10xi32>
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<2x2xi32>
  // expected-error@+1 {{expected offsets of runs of type 'memref<3x2x2xi32>', got 'memref<2x2xi32>'}}
  moert.node_plan %ctx %all of #moe.group<@mesh, ["tp", "ep", "place"]> at %p, %p, %p limits 4, 9 to %n, %n, %n, %n inside %n, %n, %n, %n runs %r, %r : memref<3x4x10xi32> to memref<2xi32> inside memref<2xi32> runs memref<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["tp", "ep", "place"] shape [3, 2, 2]

func.func @f(%ctx: !moert.context, %p: index) {
  %all = moert.host_buffer : memref<3x4x9xi32>
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<3x2x2xi32>
  // expected-error@+1 {{expected counts [N * L, E + N] or [J, N * L, E + N] and offsets [N] and [L], with E a multiple of N * L, got 'memref<3x4x9xi32>', 'memref<2xi32>' and 'memref<2xi32>'}}
  moert.node_plan %ctx %all of #moe.group<@mesh, ["tp", "ep", "place"]> at %p, %p, %p limits 4, 9 to %n, %n, %n, %n inside %n, %n, %n, %n runs %r, %r : memref<3x4x9xi32> to memref<2xi32> inside memref<2xi32> runs memref<3x2x2xi32>
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<6x20xf32>, %v: memref<6x20xi8>, %t: memref<6x3xf32>) {
  // expected-error@+1 {{expected rows of f32, f16 or bf16, values of f8E4M3FN and scales of f32, got 'f32', 'i8' and 'f32'}}
  moert.quantize %s ins(%x : memref<6x20xf32>) outs(%v, %t : memref<6x20xi8>, memref<6x3xf32>) block 8
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<6x20xf32>, %v: memref<6x20xf8E4M3FN>, %t: memref<6x3xf32>) {
  // expected-error@+1 {{expected blocks of at least one element, got 0}}
  moert.dequantize %s ins(%v, %t : memref<6x20xf8E4M3FN>, memref<6x3xf32>) outs(%x : memref<6x20xf32>) block 0
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<6x20xf32>, %v: memref<6x20xf8E4M3FN>, %t: memref<6x3xf32>) {
  // expected-error@+1 {{expected the scales of a row to be 2, got 3}}
  moert.dequantize %s ins(%v, %t : memref<6x20xf8E4M3FN>, memref<6x3xf32>) outs(%x : memref<6x20xf32>) block 10
  return
}

// -----

moe.mesh @mesh axes ["tp", "ep"] shape [3, 2]

func.func @f(%ctx: !moert.context, %p: index) {
  %all = moert.host_buffer : memref<2x4xi32>
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<2x2xi32>
  // expected-error@+1 {{expected the ranks of the group to be 2, got 3}}
  moert.ragged_plan %ctx %all of #moe.group<@mesh, ["tp"]> at %p, %p limit 9 to %n, %n, %n, %n runs %r, %r : memref<2x4xi32> to memref<2xi32> runs memref<2x2xi32>
  return
}

// -----

func.func @f(%ctx: !moert.context, %p: index) {
  %all = moert.host_buffer : memref<2x4xi32>
  %n = moert.host_buffer : memref<2xi32>
  %r = moert.host_buffer : memref<2x2xi32>
  // expected-error@+1 {{mesh}}
  moert.ragged_plan %ctx %all of #moe.group<@mesh, ["ep"]> at %p, %p limit 9 to %n, %n, %n, %n runs %r, %r : memref<2x4xi32> to memref<2xi32> runs memref<2x2xi32>
  return
}
