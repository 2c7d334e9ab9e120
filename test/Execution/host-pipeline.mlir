// A pipeline is cut into its chunks on a function's streams, with collectives
// or without.
// RUN: moe-run %s --ranks=1 --backend=host --against=%s | FileCheck %s
// RUN: moe-run %s --ranks=1 > %t.interp
// RUN: moe-run %s --ranks=1 --backend=host > %t.host
// RUN: grep checksum %t.interp > %t.expected
// RUN: grep checksum %t.host | diff %t.expected -
// CHECK: equal: 1 ranks
func.func @main(%x: tensor<9x4xf32>) -> (tensor<9x4xf32>, tensor<4xf32>) {
  %r:2 = moe.pipeline degree 2 sizes [4, 5] (%c = %x split 0 : tensor<9x4xf32> as tensor<?x4xf32>) {
    %y = arith.addf %c, %c : tensor<?x4xf32>
    %s = tensor.extract_slice %y[0, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
    moe.yield %y, %s : tensor<?x4xf32>, tensor<4xf32>
  } -> concat 0 : tensor<9x4xf32>, sum : tensor<4xf32>
  return %r#0, %r#1 : tensor<9x4xf32>, tensor<4xf32>
}
