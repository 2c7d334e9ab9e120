// A gradient of experts takes one product per weight, and the inner ones again
// where these were not kept: 3 and 3 products of 1255 us here, 5 and 3, and for
// gradients that nothing hands anything on to 5 and 6. What is kept and handed
// on is memory: [2, 2, 4096, 1024] and [3, 2, 4096, 1024] floats.
// RUN: moe-opt %s --moe-schedule -o %t.kept.mlir
// RUN: moe-sim %t.kept.mlir --platform=fsmoe-b --trace=%t.json --json | FileCheck %s --check-prefix=KEPT
// RUN: FileCheck %s --check-prefix=THREE < %t.json
// RUN: sed 's/^module {/module attributes {moe.expert_products = "recompute"} {/' %s | moe-opt --moe-schedule -o %t.again.mlir
// RUN: moe-sim %t.again.mlir --platform=fsmoe-b --trace=%t.json --json | FileCheck %s --check-prefix=AGAIN
// RUN: FileCheck %s --check-prefix=FIVE < %t.json
// RUN: sed 's/experts swiglu %%in, %%w/experts swiglu %%in, %%u/' %s | sed 's/wgrad swiglu %%y/wgrad swiglu %%x/' | moe-opt --moe-schedule -o %t.alone.mlir
// RUN: moe-sim %t.alone.mlir --platform=fsmoe-b --trace=%t.json > /dev/null
// RUN: FileCheck %s --check-prefix=SIX < %t.json

// KEPT: "peak_bytes": 268435456
// AGAIN: "peak_bytes": 226492416
// THREE: "name":"experts_dgrad"{{.*}}"dur":3766.4{{.*}}"name":"experts_wgrad"{{.*}}"dur":3766.4
// FIVE: "name":"experts_dgrad"{{.*}}"dur":6277.3{{.*}}"name":"experts_wgrad"{{.*}}"dur":3766.4
// SIX: "name":"experts_dgrad"{{.*}}"dur":6277.3{{.*}}"name":"experts_wgrad"{{.*}}"dur":7532.8

module {
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<2x4096x1024xf32>, %w: tensor<2x1024x1024xf32>, %u: tensor<2x1024x1024xf32>)
    -> (tensor<2x4096x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>) {
  %in = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4096x1024xf32> -> tensor<2x4096x1024xf32>
  %y = moe.experts swiglu %in, %w, %w, %w : tensor<2x4096x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32> -> tensor<2x4096x1024xf32>
  %dx = moe.experts_dgrad swiglu %y at %in, %w, %w, %w : tensor<2x4096x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>
  %dw:3 = moe.experts_wgrad swiglu %y at %in, %w, %w, %w : tensor<2x4096x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32> -> tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>
  return %dx, %dw#0, %dw#1, %dw#2 : tensor<2x4096x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32>
}
}
