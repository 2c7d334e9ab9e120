// A loop that does not end is waited for until the deadline, and little longer:
// nobody can stop the thread that it runs on, but the process ends.
// REQUIRES: stand-ins

// RUN: %python %S/Inputs/ends_within.py 120 moe-run %s --backend=host --deadline=6 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: rank {{[01]}} failed: MOERT_DEADLINE_EXCEEDED: {{.*}} the function 'main' has not returned
// RUN: %python %S/Inputs/ends_within.py 120 moe-run %s --backend=nccl --stand-ins --deadline=6 2>&1 | FileCheck %s --check-prefix=NCCL
// NCCL: error: rank {{[01]}} failed: MOERT_DEADLINE_EXCEEDED: {{.*}} did not end before the deadline

moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4xf32> {moe.varying = ["ep"]}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %far = arith.constant 2.0e+30 : f32
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.extract %a[%zero] : tensor<4xf32>
    %c = arith.cmpf olt, %e, %far : f32
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %e = tensor.extract %b[%zero] : tensor<4xf32>
    %n = arith.addf %e, %one : f32
    %i = tensor.insert %n into %b[%zero] : tensor<4xf32>
    scf.yield %i : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
