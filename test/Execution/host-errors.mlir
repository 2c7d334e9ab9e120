// What goes wrong on a rank ends all ranks with its number and the cause.

// RUN: split-file %s %t
// DEFINE: %{wrong} = %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host

// RUN: %{wrong} %t/experts.mlir 2>&1 | FileCheck %s --check-prefix=EXPERTS
// EXPERTS: experts.mlir:{{.*}} error: rank {{[01]}} failed: MOERT_INVALID_ARGUMENT: {{.*}}expert{{.*}}7
// RUN: %{wrong} %t/sizes.mlir 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: sizes.mlir:{{.*}} error: rank {{[01]}} failed: MOERT_MISMATCH
// RUN: %{wrong} %t/beyond.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: beyond.mlir:{{.*}} error: rank {{[01]}} failed: MOERT_INVALID_ARGUMENT
// RUN: %{wrong} %t/constant.mlir 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: constant.mlir:5:{{.*}} error: 'moe.ragged_all_to_all' op expected the rows sent to peer 1 to lie in [0, 4), got 3 rows from row 2
// RUN: %{wrong} %t/loop.mlir 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: loop.mlir:7:{{.*}} error: 'moe.all_reduce' op cannot be put on a stream: expected ops of the moe dialect outside of loops, unless moe-schedule unrolls them, and in branches only of scf.if and scf.index_switch, got one in scf.for
// RUN: %{wrong} %t/dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: has no buffer at run time: expected a static shape, got 'tensor<?xf32>'
// RUN: %{wrong} %t/reduce.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: reduce.mlir:3:{{.*}} error: 'moert.all_reduce' op has no kernel for elements of type 'i1'
// RUN: %{wrong} %t/large.mlir --max-bytes=2000 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: {{.*}} of the 2000 bytes allowed (--max-bytes)

// RUN: %{wrong} %t/ranks.mlir --deadline=0 2>&1 | FileCheck %s --check-prefix=DEADLINE
// DEADLINE: moe-run: error: --deadline: expected seconds in [1e-6, 3.2e7], got 0
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t/ranks.mlir --deadline=5 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: moe-run: error: --deadline requires
// RUN: %{wrong} %t/ranks.mlir --symbolic 2>&1 | FileCheck %s --check-prefix=SYMBOLIC
// SYMBOLIC: moe-run: error: --symbolic requires --backend=interp

// One rank of nothing that names ranks, and many.
// RUN: moe-run --backend=host %t/ranks.mlir --ranks=3 --deadline=30 | FileCheck %s --check-prefix=RANKS
// RANKS: host: 3 ranks, seed 0, values
// RUN: %python %S/Inputs/host.py %t/many.mlir

//--- experts.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %ids = arith.constant dense<[[0], [7], [1]]> : tensor<3x1xi32>
  %b, %s = moe.permute choice %x by %ids : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x3x4xf32>, tensor<3x1xi32>
  %r = moe.all_to_all %b on <@mesh, ["r"]> split 0 concat 0 : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

//--- sizes.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %o = arith.constant dense<[0, 2]> : tensor<2xindex>
  %n = arith.constant dense<[1, 1]> : tensor<2xindex>
  %i = moe.group_rank on <@mesh, ["r"]> : index
  %one = arith.constant 1 : index
  %m = arith.addi %i, %one : index
  %s = tensor.from_elements %m, %m : tensor<2xindex>
  %r = moe.ragged_all_to_all %x into %x on <@mesh, ["r"]> send(%o, %s) recv(%o, %n) : tensor<4xf32>, tensor<2xindex> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- beyond.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %o = arith.constant dense<[0, 2]> : tensor<2xindex>
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %i = moe.group_rank on <@mesh, ["r"]> : index
  %m = arith.addi %i, %two : index
  %n = tensor.from_elements %one, %m : tensor<2xindex>
  %r = moe.ragged_all_to_all %x into %x on <@mesh, ["r"]> send(%o, %n) recv(%o, %n) : tensor<4xf32>, tensor<2xindex> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- constant.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %o = arith.constant dense<[0, 2]> : tensor<2xindex>
  %n = arith.constant dense<[1, 3]> : tensor<2xindex>
  %r = moe.ragged_all_to_all %x into %x on <@mesh, ["r"]> send(%o, %n) recv(%o, %n) : tensor<4xf32>, tensor<2xindex> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- loop.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%n: index {moe.varying = []}, %x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<2xf32> {
    // The line of the error:
    %a = moe.all_reduce %v on <@mesh, ["r"]> : tensor<2xf32>
    scf.yield %a : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

//--- dynamic.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<?xf32> {
  %y = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

//--- reduce.mlir
moe.mesh @mesh axes ["r"] shape [2]
func.func @main(%x: tensor<2xi1>) -> tensor<2xi1> {
  %r = moe.all_reduce %x on <@mesh, ["r"]> reduction max : tensor<2xi1>
  return %r : tensor<2xi1>
}

//--- ranks.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- large.mlir
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %y = arith.addf %x, %x : tensor<1000xf32>
  return %y : tensor<1000xf32>
}

//--- many.mlir
moe.mesh @mesh axes ["a", "b"] shape [16, 8]
func.func @main(%x: tensor<128x3xf32>) -> (tensor<128x3xf32>, tensor<128x24xf32>) {
  %r = moe.all_to_all %x on <@mesh, ["a", "b"]> split 0 concat 0 : tensor<128x3xf32> -> tensor<128x3xf32>
  %g = moe.all_gather %r on <@mesh, ["b"]> dim 1 : tensor<128x3xf32> -> tensor<128x24xf32>
  %s = moe.all_reduce %g on <@mesh, ["a"]> reduction max : tensor<128x24xf32>
  return %r, %s : tensor<128x3xf32>, tensor<128x24xf32>
}
