// Layers that drop nothing: exchanges and experts take what tokens make of them,
// whatever room their buffers have; so do gradients.
// RUN: split-file %s %t
// RUN: moe-sim %t/layer.mlir --platform=%t/mini.json --trace=%t/even.trace
// RUN: FileCheck %s --check-prefix=EVEN --input-file=%t/even.trace
// RUN: moe-sim %t/layer.mlir --platform=%t/mini.json --traffic=%t/hot.json --trace=%t/hot.trace | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --check-prefix=HOT --input-file=%t/hot.trace
// RUN: moe-sim %t/wide.mlir --platform=%t/mini.json --trace=%t/wide.trace | FileCheck %s --check-prefix=ROOM
// ROOM:      peak memory
// ROOM-NEXT: with headroom for {{[0-9.]+}} times the rows of an even gate (moe-translate --receive-factor)
// RUN: FileCheck %s --check-prefix=EVEN --input-file=%t/wide.trace

// 8 rows of 1000 bytes a rank, of which 4 leave it, at 1 GB/s; experts of 8 rows
// of 250 * 10 * 2 multiply-accumulates, a nanosecond each.
// EVEN: "name":"ragged_all_to_all"{{[^{]*}}"dur":4,
// EVEN: "name":"experts"{{[^{]*}}"dur":40,
// EVEN: "name":"ragged_all_to_all.2"{{[^{]*}}"dur":4,

// Rank 0 has the two hot experts: 16 rows.
// TABLE: traffic      {{.*}}hot.json: layers 0
// HOT: "name":"ragged_all_to_all"{{[^{]*}}"dur":8,
// HOT: "name":"experts"{{[^{]*}}"dur":80,
// HOT: "name":"ragged_all_to_all.2"{{[^{]*}}"dur":8,

// Gradients are of the same rows; what no forward pass kept is multiplied again.
// RUN: moe-sim %t/grad.mlir --platform=%t/mini.json --traffic=%t/hot.json --trace=%t/grad.trace
// RUN: FileCheck %s --check-prefix=GRAD --input-file=%t/grad.trace
// GRAD: "name":"experts_dgrad"{{[^{]*}}"dur":120{{[.,]}}
// GRAD: "name":"experts_wgrad"{{[^{]*}}"dur":80{{[.,]}}

// RUN: not moe-sim %t/layer.mlir --platform=%t/mini.json --traffic=%t/two.json 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: 'moe.experts' op {{.*}}two.json: counts: expected those of the 4 experts of layer "0", got 2

// The traffic that a module is compiled for.
// RUN: moe-opt %t/layer.mlir --moe-load-traffic=file=%t/hot.json -o %t/for.mlir
// RUN: moe-sim %t/for.mlir --platform=%t/mini.json | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --check-prefix=ATTR --input-file=%t/for.mlir
// ATTR: module attributes {moe.traffic = {file = "{{.*}}hot.json", hash = "{{[0-9a-f]+}}"}}
// RUN: echo '{"counts": [1, 1, 1, 1]}' > %t/hot.json
// RUN: not moe-sim %t/for.mlir --platform=%t/mini.json 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: expected 'moe.traffic' to name the file that the module is compiled for, with hash "{{[0-9a-f]+}}", got '{{.*}}hot.json' with hash

//--- hot.json
{"counts": [[4, 4, 0, 0], [4, 4, 0, 0]]}
//--- two.json
{"counts": [1, 1]}
//--- mini.json
{
  "name": "mini",
  "levels": [
    {"name": "link", "ranks": 2, "bandwidth_GBps": 1, "ranks_per_nic": 1, "latency_us": 0}
  ],
  "copy_bandwidth_GBps": 1000,
  "gemm_alpha_us": 0,
  "gemm_beta_us_per_mac": 1e-3
}
//--- layer.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<8x250xf32>, %all: tensor<2x4xi32> {moe.varying = []},
                %w1: tensor<2x250x10xf32>, %w2: tensor<2x10x250xf32>) -> tensor<8x250xf32> {
  %y = moe.layer "0" phase "fwd" {
    %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]>
        limit 16 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
    %room = tensor.empty() : tensor<16x250xf32>
    %back = tensor.empty() : tensor<8x250xf32>
    %a = moe.ragged_all_to_all %x into %room on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<8x250xf32>, tensor<2xi32> -> tensor<16x250xf32>
    %e = moe.experts gpt %a runs(%po, %ps : tensor<2x2xi32>), %w1, %w2 : tensor<16x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32> -> tensor<16x250xf32>
    %b = moe.ragged_all_to_all %e into %back on <@mesh, ["ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<16x250xf32>, tensor<2xi32> -> tensor<8x250xf32>
    moe.yield %b : tensor<8x250xf32>
  } : tensor<8x250xf32>
  return %y : tensor<8x250xf32>
}
//--- wide.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<8x250xf32>, %all: tensor<2x4xi32> {moe.varying = []},
                %w1: tensor<2x250x10xf32>, %w2: tensor<2x10x250xf32>) -> tensor<8x250xf32> {
  %y = moe.layer "0" phase "fwd" {
    %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]>
        limit 64 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
    %room = tensor.empty() : tensor<64x250xf32>
    %back = tensor.empty() : tensor<8x250xf32>
    %a = moe.ragged_all_to_all %x into %room on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<8x250xf32>, tensor<2xi32> -> tensor<64x250xf32>
    %e = moe.experts gpt %a runs(%po, %ps : tensor<2x2xi32>), %w1, %w2 : tensor<64x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32> -> tensor<64x250xf32>
    %b = moe.ragged_all_to_all %e into %back on <@mesh, ["ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<64x250xf32>, tensor<2xi32> -> tensor<8x250xf32>
    moe.yield %b : tensor<8x250xf32>
  } : tensor<8x250xf32>
  return %y : tensor<8x250xf32>
}
//--- grad.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%g: tensor<8x250xf32>, %x: tensor<64x250xf32>, %all: tensor<2x4xi32> {moe.varying = []},
                %w1: tensor<2x250x10xf32>, %w2: tensor<2x10x250xf32>)
    -> (tensor<8x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32>) {
  %b, %dw1, %dw2 = moe.layer "0" phase "bwd" {
    %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]>
        limit 64 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
    %room = tensor.empty() : tensor<64x250xf32>
    %back = tensor.empty() : tensor<8x250xf32>
    %dy = moe.ragged_all_to_all %g into %room on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<8x250xf32>, tensor<2xi32> -> tensor<64x250xf32>
    %dx = moe.experts_dgrad gpt %dy at %x runs(%po, %ps : tensor<2x2xi32>), %w1, %w2 : tensor<64x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32>
    %d1, %d2 = moe.experts_wgrad gpt %dy at %x runs(%po, %ps : tensor<2x2xi32>), %w1, %w2 : tensor<64x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32> -> tensor<2x250x10xf32>, tensor<2x10x250xf32>
    %d = moe.ragged_all_to_all %dx into %back on <@mesh, ["ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<64x250xf32>, tensor<2xi32> -> tensor<8x250xf32>
    moe.yield %d, %d1, %d2 : tensor<8x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32>
  } : tensor<8x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32>
  return %b, %dw1, %dw2 : tensor<8x250xf32>, tensor<2x250x10xf32>, tensor<2x10x250xf32>
}
