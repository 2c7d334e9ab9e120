// What counts of tokens change of a program, and what they do not.
// RUN: split-file %s %t
// RUN: moe-sim %t/ragged.mlir --platform=%t/mini.json | FileCheck %s --check-prefix=EVEN
// RUN: moe-sim %t/ragged.mlir --platform=%t/mini.json --traffic=%t/hot.json | FileCheck %s --check-prefix=HOT
// RUN: moe-sim %t/ragged.mlir --platform=%t/mini.json --traffic=%t/trace.json --step=3 --json | FileCheck %s --check-prefix=JSON
// RUN: moe-sim %t/ragged.mlir --platform=%t/mini.json --over-trace=%t/trace.json --baseline=%t/ragged.mlir | FileCheck %s --check-prefix=OVER
// RUN: moe-sim %t/ragged.mlir --platform=%t/mini.json --over-trace=%t/trace.json --json | FileCheck %s --check-prefix=OVERJSON

// Each of 4 ranks sends 8 rows of 1000 bytes, 6000 to others, at 1 GB/s; there
// and back, whatever room the buffer between has.
// EVEN: step time    12.0 us
// Rank 0 receives all: 24 rows of others.
// HOT: step time    48.0 us
// HOT: peak memory  40000 bytes of values
// HOT: traffic      {{.*}}hot.json: layers 0

// JSON:      "makespan_us": 12,
// JSON:      "traffic": {
// JSON-NEXT:   "file": "{{.*}}trace.json",
// JSON-NEXT:   "steps": 2,
// JSON-NEXT:   "step": 3,
// JSON-NEXT:   "layers": [
// JSON-NEXT:     "0"
// JSON-NEXT:   ],
// JSON-NEXT:   "padded_layers": []

// OVER: traffic      {{.*}}trace.json, all 2 steps together: layers 0
// OVER: over trace   2 iterations: mean 30.0 us, p95 48.0 us, worst 48.0 us (iteration 5)
// OVER: its trace    2 iterations: mean 30.0 us

// OVERJSON:      "over_trace": {
// OVERJSON-NEXT:   "file": "{{.*}}trace.json",
// OVERJSON-NEXT:   "steps": 2,
// OVERJSON-NEXT:   "mean_us": 30,
// OVERJSON-NEXT:   "p95_us": 48,
// OVERJSON-NEXT:   "worst_us": 48,
// OVERJSON-NEXT:   "worst_step": 5

// Buffers of a fixed size take what they take.
// RUN: moe-sim %t/padded.mlir --platform=%t/mini.json --traffic=%t/hot.json | FileCheck %s --check-prefix=PADDED
// PADDED: traffic      {{.*}}hot.json: changes nothing, no exchange of the program depends on it

// RUN: not moe-sim %t/ragged.mlir --platform=%t/mini.json --traffic=%t/ranks.json 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: ragged.mlir:6:{{.*}}error: 'moe.ragged_all_to_all' op {{.*}}ranks.json: counts: expected one row for all ranks or one of each of the 4 ranks of layer "0", got 2 rows
// RUN: not moe-sim %t/ragged.mlir --platform=%t/mini.json --traffic=%t/layer.json 2>&1 | FileCheck %s --check-prefix=LAYER
// LAYER: error: {{.*}}layer.json: layer: expected counts of layer "0" of the program, got those of "7"
// RUN: not moe-sim %t/ragged.mlir --platform=%t/mini.json --traffic=%t/trace.json --step=4 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: moe-sim: --step: expected a step of {{.*}}trace.json, which has 2 from 3 to 5, got 4
// RUN: not moe-sim %t/ragged.mlir --platform=%t/mini.json --traffic=%t/hot.json --over-trace=%t/hot.json 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: moe-sim: --over-trace is not supported with --traffic
// RUN: not moe-sim %t/ragged.mlir --platform=%t/mini.json --step=1 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: moe-sim: --step requires --traffic
// RUN: not moe-sim %t/ragged.mlir --platform=%t/mini.json --traffic=%t/bad.json 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: moe-sim: --traffic: {{.*}}bad.json:1:16: counts[1]: expected a whole number in [0, 2^40 - 1], got -2

//--- hot.json
{"counts": [5, 0, 0, 0]}
//--- ranks.json
{"counts": [[5, 0, 0, 0], [1, 1, 1, 1]]}
//--- bad.json
{"counts": [1, -2]}
//--- layer.json
{"steps": [{"step": 0, "layers": [{"layer": "7", "counts": [1, 1, 1, 1]}]}]}
//--- trace.json
{"steps": [{"step": 3, "layers": [{"layer": "0", "counts": [1, 1, 1, 1]}]},
           {"step": 5, "layers": [{"layer": "0", "counts": [9, 0, 0, 0]}]}]}
//--- mini.json
{
  "name": "mini",
  "levels": [
    {"name": "link", "ranks": 4, "bandwidth_GBps": 1, "ranks_per_nic": 1, "latency_us": 0}
  ],
  "copy_bandwidth_GBps": 1000
}
//--- ragged.mlir
moe.mesh @mesh axes ["ep"] shape [4]
func.func @main(%x: tensor<8x250xf32>, %v: tensor<4xi32>) -> tensor<8x250xf32> {
  %y = moe.layer "0" phase "fwd" {
    %room = tensor.empty() : tensor<32x250xf32>
    %back = tensor.empty() : tensor<8x250xf32>
    %a = moe.ragged_all_to_all %x into %room on <@mesh, ["ep"]> send(%v, %v) recv(%v, %v) : tensor<8x250xf32>, tensor<4xi32> -> tensor<32x250xf32>
    %b = moe.ragged_all_to_all %a into %back on <@mesh, ["ep"]> send(%v, %v) recv(%v, %v) : tensor<32x250xf32>, tensor<4xi32> -> tensor<8x250xf32>
    moe.yield %b : tensor<8x250xf32>
  } : tensor<8x250xf32>
  return %y : tensor<8x250xf32>
}
//--- padded.mlir
moe.mesh @mesh axes ["ep"] shape [4]
func.func @main(%x: tensor<8x250xf32>) -> tensor<8x250xf32> {
  %y = moe.layer "0" phase "fwd" {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x250xf32> -> tensor<8x250xf32>
    moe.yield %a : tensor<8x250xf32>
  } : tensor<8x250xf32>
  return %y : tensor<8x250xf32>
}
