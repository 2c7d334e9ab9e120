// Counts are of the experts that layers have, whether these can be cut or not.
// RUN: echo '{"counts": [1, 2, 3, 4]}' > %t.four
// RUN: echo '{"counts": [1, 2, 3]}' > %t.three
// RUN: moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json expert-counts=%t.four" --remarks-filter=moe-choose-degree -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not moe-opt %s -moe-choose-degree="platform=%S/Inputs/mini.json expert-counts=%t.three" 2>&1 | FileCheck %s --check-prefix=THREE
// FOUR: [Missed] degree | {{.*}}layer 0 fwd:
// THREE: choose-degree-counts.mlir:[[#@LINE+4]]:{{.*}}error: {{.*}}moe-choose-degree: expert-counts: {{.*}}three: counts: expected those of the 4 experts of layer 0, got 3

moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<8x4xf32>, %r: tensor<4x4xf32>) -> tensor<8x2xf32> {
  %y = moe.layer "0" phase "fwd" {
    %ids, %w = moe.gate softmax %x, %r top_k 2 : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x2xi32>, tensor<8x2xf32>
    moe.yield %w : tensor<8x2xf32>
  } : tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}
