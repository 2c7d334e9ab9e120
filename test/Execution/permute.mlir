// Compiled permutes agree with the interpreter: for tensors of any rank and type,
// with ranks that receive nothing, in chunks, and in loops.
// RUN: moe-run %s --backend=host --against-backend=interp | FileCheck %s
// RUN: moe-run %s --backend=nccl --stand-ins --against-backend=interp | FileCheck %s
// RUN: moe-opt %s --moe-compile="platform=dgx-h100 to=schedule" -o %t.tasks.mlir
// RUN: FileCheck %s --check-prefix=TASKS < %t.tasks.mlir
// RUN: moe-run %t.tasks.mlir --backend=host --against=%s --against-backend=interp | FileCheck %s
// RUN: moe-run %t.tasks.mlir --symbolic --against=%s | FileCheck %s
// CHECK: equal: 6 ranks
// TASKS: moe.task @intra "collective_permute"[0 of 1]

// The prediction counts one message, and one for each iteration of the loop.
// RUN: moe-sim %s --platform=dgx-h100 --json | FileCheck %s --check-prefix=TIMES
// TIMES: "kind": "collective_permute"
// TIMES: "bytes": 48
// TIMES: "bound": "exact"

// Behind an exchange it runs in the exchange's chunks.
// RUN: moe-opt %s --moe-pipeline="degree=2 scope=layer" -o %t.chunks.mlir
// RUN: FileCheck %s --check-prefix=CHUNKS < %t.chunks.mlir
// RUN: moe-run %t.chunks.mlir --backend=host --against=%s --against-backend=interp --entry=exchange | FileCheck %s
// CHUNKS: moe.pipeline degree 2
// CHUNKS: moe.all_to_all
// CHUNKS-NEXT: moe.collective_permute %{{.*}} on <@mesh, ["dp"]> from [0, 1] to [1, 0] : tensor<3x4xf32>

moe.mesh @mesh axes ["dp", "ep"] shape [2, 3]
func.func @main(%x: tensor<4x3xf32> {moe.varying = ["dp", "ep"]}, %s: tensor<f32> {moe.varying = ["ep"]}) -> (tensor<4x3xf32>, tensor<f32>, tensor<2xi32>, tensor<4x3xf32>) {
  %0 = moe.collective_permute %x on <@mesh, ["ep"]> from [0, 1] to [1, 2] : tensor<4x3xf32>
  %1 = moe.collective_permute %s on <@mesh, ["ep"]> from [0, 1, 2] to [1, 2, 0] : tensor<f32>
  %c = arith.constant dense<7> : tensor<2xi32>
  %2 = moe.collective_permute %c on <@mesh, ["dp", "ep"]> from [0, 5] to [5, 0] : tensor<2xi32>
  %low = arith.constant 0 : index
  %high = arith.constant 2 : index
  %step = arith.constant 1 : index
  %3 = scf.for %i = %low to %high step %step iter_args(%a = %x) -> tensor<4x3xf32> {
    %n = moe.collective_permute %a on <@mesh, ["ep"]> from [0, 1, 2] to [1, 2, 0] : tensor<4x3xf32>
    %m = arith.addf %n, %x : tensor<4x3xf32>
    scf.yield %m : tensor<4x3xf32>
  }
  return %0, %1, %2, %3 : tensor<4x3xf32>, tensor<f32>, tensor<2xi32>, tensor<4x3xf32>
}

func.func @exchange(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<3x8xf32> -> tensor<3x8xf32>
  %1 = moe.collective_permute %0 on <@mesh, ["dp"]> from [0, 1] to [1, 0] : tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}
