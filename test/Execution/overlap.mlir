// Compiled schedules overlap as moe-sim predicts. On a quiet machine the ratio
// is below 1.1 (bench/cluster prints it); the bound is for machines where tests
// run at the same time.

// RUN: %python %S/Inputs/overlap.py %s %S/Inputs/slow.json 10 | FileCheck %s
// CHECK: o1
// CHECK: o2
// CHECK: o3

// Without a platform that states what the tasks take there is nothing to
// emulate.
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %s --backend=host --repeat=1 --emulate=mfabric-prototype 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: cannot be timed: expected platform mfabric-prototype to state

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}, %w1: tensor<1x64x8xf32> {moe.varying = ["ep"]}, %w2: tensor<1x8x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
  %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
  %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x64x64xf32> -> tensor<1x2x64x64xf32>
  %e = moe.experts gpt %t, %w1, %w2 activation relu : tensor<1x2x64x64xf32>, tensor<1x64x8xf32>, tensor<1x8x64xf32> -> tensor<1x2x64x64xf32>
  %u = moe.transpose %e [1, 0, 2, 3] : tensor<1x2x64x64xf32> -> tensor<2x1x64x64xf32>
  %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
  return %c : tensor<2x1x64x64xf32>
}
