// A chunk gets its slice of a stack, and gives one: rolled, in tasks and written
// out, on terms and on values.
// RUN: split-file %s %t
// RUN: moe-opt %t/rolled.mlir --moe-schedule --moe-verify-schedule -o %t/tasks.mlir
// RUN: FileCheck %s < %t/tasks.mlir
// RUN: moe-run %t/rolled.mlir --against=%t/written.mlir --symbolic | FileCheck %s --check-prefix=PROOF
// RUN: moe-run %t/rolled.mlir --against=%t/written.mlir | FileCheck %s --check-prefix=PROOF
// RUN: moe-run %t/tasks.mlir --against=%t/written.mlir --symbolic | FileCheck %s --check-prefix=PROOF
// RUN: moe-run %t/tasks.mlir --against=%t/written.mlir --backend=host --against-backend=interp | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 2 ranks

// CHECK: moe.task @copy "pack.all_reduce"[1 of 3]
// CHECK-NEXT: tensor.extract_slice %{{.*}}[0, 1] [4, 1] [1, 1] : tensor<4x3xf32>

//--- rolled.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<7x4xf32>, %n: tensor<4x3xf32>) -> (tensor<7x4xf32>, tensor<3x4xf32>) {
  %r:2 = moe.pipeline degree 3 (%s = %n split 1 : tensor<4x3xf32> as tensor<4x1xf32>,
      %c = %x split 0 : tensor<7x4xf32> as tensor<?x4xf32>) {
    %a = moe.all_reduce %s on <@mesh, ["ep"]> : tensor<4x1xf32>
    %t = moe.transpose %a [1, 0] : tensor<4x1xf32> -> tensor<1x4xf32>
    %b = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<?x4xf32>
    moe.yield %b, %t : tensor<?x4xf32>, tensor<1x4xf32>
  } -> concat 0 : tensor<7x4xf32>, concat 0 : tensor<3x4xf32>
  return %r#0, %r#1 : tensor<7x4xf32>, tensor<3x4xf32>
}

//--- written.mlir
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<7x4xf32>, %n: tensor<4x3xf32>) -> (tensor<7x4xf32>, tensor<3x4xf32>) {
  %b = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<7x4xf32>
  %a = moe.all_reduce %n on <@mesh, ["ep"]> : tensor<4x3xf32>
  %t = moe.transpose %a [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
  return %b, %t : tensor<7x4xf32>, tensor<3x4xf32>
}
