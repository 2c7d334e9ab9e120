// Layers that send tokens once a node: exchanges take what balanced gates make
// of tokens, and experts the rows of copies, whatever room buffers have. Of a
// trace its choices are counted; counts alone say how many tokens are expected.
// RUN: split-file %s %t
// RUN: moe-opt %t/layer.mlir --moe-decompose-all-to-all=mode=node-dedup -o %t/nodes.mlir
// RUN: moe-sim %t/layer.mlir --platform=%t/mini.json --trace=%t/flat.trace
// RUN: FileCheck %s --check-prefix=FLAT --input-file=%t/flat.trace
// RUN: moe-sim %t/nodes.mlir --platform=%t/mini.json --trace=%t/nodes.trace
// RUN: FileCheck %s --check-prefix=NODES --input-file=%t/nodes.trace
// RUN: moe-sim %t/nodes.mlir --platform=%t/mini.json --traffic=%t/hot.json --trace=%t/hot.trace
// RUN: FileCheck %s --check-prefix=HOT --input-file=%t/hot.trace
// RUN: moe-sim %t/nodes.mlir --platform=%t/mini.json --traffic=%t/even.json --trace=%t/even.trace
// RUN: FileCheck %s --check-prefix=NODES --input-file=%t/even.trace
// RUN: moe-sim %t/nodes.mlir --platform=%t/mini.json --traffic=%t/even.jsonl --trace=%t/apart.trace
// RUN: FileCheck %s --check-prefix=APART --input-file=%t/apart.trace
// RUN: moe-sim %t/nodes.mlir --platform=%t/mini.json --over-trace=%t/even.jsonl | FileCheck %s --check-prefix=OVER
// RUN: not moe-sim %t/nodes.mlir --platform=%t/mini.json --traffic=%t/few.json 2>&1 | FileCheck %s --check-prefix=FEW

// 8 tokens of 2 choices: 16 rows of 1000 bytes a rank, of which 12 leave it, at
// 1 GB/s; experts of 16 rows of 250 * 10 * 2 multiply-accumulates.
// FLAT: "name":"ragged_all_to_all"{{[^{]*}}"dur":12,
// FLAT: "name":"experts"{{[^{]*}}"dur":80,

// 8 * 2 (1 - C(2, 2) / C(4, 2)) = 13.33 tokens, half of them for the other node;
// their numbers and weights, 8 bytes each; 16 copies inside, half of which stay.
// NODES: "name":"ragged_all_to_all"{{[^{]*}}"dur":6.66
// NODES: "name":"ragged_all_to_all.2"{{[^{]*}}"dur":0.05
// NODES: "name":"experts"{{[^{]*}}"dur":80,

// All tokens choose the experts of node 0: 8 from a rank of node 1, once each.
// Of the 16 that a rank of node 0 holds then, 16 copies go to its neighbour, and
// 32 come to each.
// HOT: "name":"ragged_all_to_all"{{[^{]*}}"dur":8,
// HOT: "name":"ragged_all_to_all.4"{{[^{]*}}"dur":{{16|15.99}}
// HOT: "name":"experts"{{[^{]*}}"dur":160,

// Each expert is chosen as often, both of a token on one node: half of them
// leave it. All else is as before.
// APART: "name":"ragged_all_to_all"{{[^{]*}}"dur":{{4|3.99}}
// APART: "name":"ragged_all_to_all.2"{{[^{]*}}"dur":0.03
// APART: "name":"ragged_all_to_all.4"{{[^{]*}}"dur":{{8|7.99}}
// APART: "name":"experts"{{[^{]*}}"dur":80,
// OVER: over trace 1 iterations

// FEW: error: {{.*}}few.json: counts: expected those of the 4 experts of layer "0", got 2

//--- mini.json
{
  "name": "mini",
  "levels": [
    {"name": "link", "ranks": 4, "bandwidth_GBps": 1, "ranks_per_nic": 1, "latency_us": 0}
  ],
  "copy_bandwidth_GBps": 1000,
  "gemm_alpha_us": 0,
  "gemm_beta_us_per_mac": 1e-3
}
//--- hot.json
{"counts": [[8, 8, 0, 0], [8, 8, 0, 0], [8, 8, 0, 0], [8, 8, 0, 0]]}
//--- even.json
{"counts": [4, 4, 4, 4]}
//--- few.json
{"counts": [4, 4]}
//--- even.jsonl
{"experts": 4, "ranks": 4, "top_k": 2}
{"step": 0, "layer": "0", "rank": 0, "indices": [[0, 1], [0, 1], [0, 1], [0, 1], [2, 3], [2, 3], [2, 3], [2, 3]]}
{"step": 0, "layer": "0", "rank": 1, "indices": [[0, 1], [0, 1], [0, 1], [0, 1], [2, 3], [2, 3], [2, 3], [2, 3]]}
{"step": 0, "layer": "0", "rank": 2, "indices": [[0, 1], [0, 1], [0, 1], [0, 1], [2, 3], [2, 3], [2, 3], [2, 3]]}
{"step": 0, "layer": "0", "rank": 3, "indices": [[0, 1], [0, 1], [0, 1], [0, 1], [2, 3], [2, 3], [2, 3], [2, 3]]}
//--- layer.mlir
moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @main(%x: tensor<8x250xf32>, %ids: tensor<8x2xi32>, %w: tensor<8x2xf32>,
                %w1: tensor<1x250x10xf32>, %w2: tensor<1x10x250xf32>) -> tensor<8x250xf32> {
  %y = moe.layer "0" phase "fwd" {
    %n = moe.expert_counts %ids : tensor<8x2xi32> -> tensor<4xi32>
    %n1 = tensor.expand_shape %n [[0, 1]] output_shape [1, 4] : tensor<4xi32> into tensor<1x4xi32>
    %all = moe.all_gather %n1 on <@mesh, ["node", "place"]> dim 0 : tensor<1x4xi32> -> tensor<4x4xi32>
    %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["node", "place"]>
        limit 64 : tensor<4x4xi32> -> tensor<4xi32>, tensor<4x1xi32>
    %o, %l = moe.permute_rows choice %x by %ids experts 4 : tensor<8x250xf32>, tensor<8x2xi32> -> tensor<16x250xf32>, tensor<8x2xi32>
    %room = tensor.empty() : tensor<64x250xf32>
    %back = tensor.empty() : tensor<16x250xf32>
    %a = moe.ragged_all_to_all %o into %room on <@mesh, ["node", "place"]> send(%so, %ss) recv(%ro, %rs) : tensor<16x250xf32>, tensor<4xi32> -> tensor<64x250xf32>
    %e = moe.experts gpt %a runs(%po, %ps : tensor<4x1xi32>), %w1, %w2 : tensor<64x250xf32>, tensor<1x250x10xf32>, tensor<1x10x250xf32> -> tensor<64x250xf32>
    %b = moe.ragged_all_to_all %e into %back on <@mesh, ["node", "place"]> send(%ro, %rs) recv(%so, %ss) : tensor<64x250xf32>, tensor<4xi32> -> tensor<16x250xf32>
    %z = moe.unpermute %b by %l weights %w : tensor<16x250xf32>, tensor<8x2xi32>, tensor<8x2xf32> -> tensor<8x250xf32>
    moe.yield %z : tensor<8x250xf32>
  } : tensor<8x250xf32>
  return %y : tensor<8x250xf32>
}
