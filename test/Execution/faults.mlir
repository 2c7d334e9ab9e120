// What compiled code does not check ends in words and exit code 2, and so does
// code that does not end.

// RUN: split-file %s %t
// DEFINE: %{wrong} = %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run

// RUN: %{wrong} %t/zero.mlir --backend=host 2>%t.zero
// RUN: FileCheck %s --check-prefix=ZERO --implicit-check-not={{.}} < %t.zero
// ZERO: moe-run: error: the compiled program divided by zero or beyond what its integers hold (SIGFPE), as interp would say where (--backend=interp): compiled code does not check it
// RUN: %{wrong} %t/zero.mlir --backend=host --repeat=2 2>&1 | FileCheck %s --check-prefix=ZERO --implicit-check-not={{.}}
// RUN: %{wrong} %t/zero.mlir 2>&1 | FileCheck %s --check-prefix=INTERP
// INTERP: zero.mlir:6:{{.*}} error: {{.*}}zero

// RUN: %{wrong} %t/far.mlir --backend=host 2>&1 | FileCheck %s --check-prefix=FAR --implicit-check-not={{.}}
// FAR: moe-run: error: the compiled program accessed memory that is not its own (SIGSEGV), as interp would say where (--backend=interp): compiled code does not check it

// The stream's thread is inside of the code when the run ends.
// RUN: %{wrong} %t/endless.mlir --backend=host --deadline=1 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: %{wrong} %t/endless.mlir --backend=host --deadline=1 --repeat=2 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: endless.mlir:{{.*}} error: rank {{[01]}} failed: MOERT_DEADLINE_EXCEEDED
// ENDLESS-NOT: {{PLEASE|dump|fault}}

//--- zero.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %o = arith.constant dense<1> : tensor<4xi32>
  %g = moe.all_reduce %x on <@mesh, ["r"]> : tensor<4xi32>
  %z = arith.subi %g, %g : tensor<4xi32>
  %r = arith.divsi %x, %z : tensor<4xi32>
  return %r : tensor<4xi32>
}

//--- far.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %far = arith.constant 1000000000000 : index
  %i = moe.group_rank on <@mesh, ["r"]> : index
  %at = arith.addi %far, %i : index
  %e = tensor.extract %x[%at] : tensor<4xf32>
  %r = tensor.splat %e : tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- endless.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 9000000000000000000 : index
  %r = scf.for %i = %zero to %many step %one iter_args(%y = %x) -> tensor<4xf32> {
    %t = math.tanh %y : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
