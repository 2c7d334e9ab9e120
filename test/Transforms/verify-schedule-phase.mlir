// RUN: not moe-opt %s --moe-compile="from=schedule to=schedule" 2>&1 | FileCheck %s

// The phase `schedule` ends with moe-verify-schedule, before the stricter
// moe-verify-collectives, which names no second place.
// CHECK: [[#@LINE+10]]:14: error: some ranks launch this collective before, and others after, another one that ranks 0 and 2 take part in too
// CHECK: [[#@LINE+13]]:14: note: the other collective, where it is launched before
// CHECK: [[#@LINE+7]]:12: note: scf.if may go different ways on ranks that differ in axis "ep"
// CHECK-NOT: error:
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @s intra
func.func @order(%c: i1 {moe.varying = ["ep"]}, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.schedule {
    %v, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      %q = scf.if %c -> tensor<4xf32> {
        %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
        %f = moe.all_reduce %e on <@mesh, ["ep", "tp"]> : tensor<4xf32>
        scf.yield %f : tensor<4xf32>
      } else {
        %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
        %e = moe.all_reduce %f on <@mesh, ["ep"]> : tensor<4xf32>
        scf.yield %e : tensor<4xf32>
      }
      moe.yield %q : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
