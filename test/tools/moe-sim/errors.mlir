// RUN: not moe-sim %s --platform=%t.none.json 2>&1 | FileCheck %s --check-prefix=PLATFORM
// RUN: not moe-sim %t.none.mlir --platform=%S/Inputs/toy.json 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not moe-sim %s --platform=%S/Inputs/toy.json --entry=large 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not moe-sim %s --platform=%S/Inputs/toy.json --entry=nothing 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not moe-sim %s --platform=%S/Inputs/toy.json 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not moe-sim %s --platform=%S/Inputs/toy.json --entry=loop 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not moe-sim %s --platform=%S/Inputs/toy.json --entry=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moe-sim %s --platform=%S/Inputs/toy.json --entry=large --trace=%t.json 2>&1 | FileCheck %s --check-prefix=RANKS

// PLATFORM: moe-sim: {{.*}}none.json
// INPUT: moe-sim: {{.*}}none.mlir
// RANKS: cannot be timed on platform toy: {{.*}}expected at most 4 ranks
// ENTRY: error: expected a function @nothing, got none
// CHOICE: error: expected @main or one function with collectives, got 3
// CHOICE: note: choose it with --entry=large

// A program without any op of the dialect.
// RUN: echo "module {}" > %t.empty.mlir
// RUN: not moe-sim %t.empty.mlir --platform=%S/Inputs/toy.json 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: expected @main or one function with collectives, got 0

// A size beyond what bytes are counted in is static all the same.
// RUN: echo 'moe.mesh @mesh axes ["ep"] shape [2] func.func @main(%%x: tensor<576460752303423488x4xf32>) -> tensor<576460752303423488x4xf32> { %%r = moe.all_to_all %%x on <@mesh, ["ep"]> split 0 concat 0 : tensor<576460752303423488x4xf32> -> tensor<576460752303423488x4xf32> return %%r : tensor<576460752303423488x4xf32> }' > %t.long.mlir
// RUN: not moe-sim %t.long.mlir --platform=%S/Inputs/toy.json 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: expected less than 2^63 bytes to time, got 'tensor<576460752303423488x4xf32>'

// RUN: echo 'func.func @main(%%x: tensor<4xf32>) -> tensor<8xf32> { %%r = moe.all_gather %%x on [[0, 1]] dim 0 : tensor<4xf32> -> tensor<8xf32> return %%r : tensor<8xf32> }' > %t.two.mlir
// RUN: not moe-sim %S/simulate.mlir --platform=%S/Inputs/toy.json --baseline=%t.two.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: --baseline: expected a program of 4 ranks, as {{.*}}simulate.mlir, got 2

// RUN: not moe-sim - --platform=%S/Inputs/toy.json --baseline=- < %S/simulate.mlir 2>&1 | FileCheck %s --check-prefix=STDIN
// STDIN: moe-sim: --baseline and IN are both '-', but standard input can be read only once
// RUN: not moe-sim %S/simulate.mlir --platform=%S/Inputs/toy.json --trace=- 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: moe-sim: --trace: expected a file, got '-': the answer goes to standard output
// The reason is the scheduler's own.
// LOOP: error: cannot schedule @loop: a loop around collectives requires a constant number of iterations, got scf.for
// LOOP: note: --entry=NAME selects another function: @large, @unknown
// RUN: not moe-sim %S/Inputs/unscheduled.mlir --platform=%S/Inputs/toy.json --entry=nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: cannot schedule @nothing: it has no collectives{{$}}
// RUN: not moe-sim %S/Inputs/unscheduled.mlir --platform=%S/Inputs/toy.json --entry=dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: cannot schedule @dynamic: dynamic shapes are not supported outside pipelines, got one in moe.all_reduce
// RUN: not moe-sim %S/Inputs/unscheduled.mlir --platform=%S/Inputs/toy.json --entry=calls 2>&1 | FileCheck %s --check-prefix=CALLS
// CALLS: error: cannot schedule @calls: expected calls of functions with a body, got one of @elsewhere
// RUN: not moe-sim %S/Inputs/unscheduled.mlir --platform=%S/Inputs/toy.json --entry=blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: cannot schedule @blocks: expected a function of one block

// A program that is lowered already.
// RUN: moe-opt %S/simulate.mlir --moe-compile="from=runtime to=runtime" -o %t.runtime.mlir
// RUN: not moe-sim %t.runtime.mlir --platform=%S/Inputs/toy.json 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: error: expected a program of phase schedule or earlier, got one of phase runtime
// LOWERED: note: simulate the program that moe-opt --moe-compile=to=schedule makes
// RUN: moe-opt %S/simulate.mlir --moe-compile="from=runtime to=llvm" -o %t.llvm.mlir
// RUN: not moe-sim %t.llvm.mlir --platform=%S/Inputs/toy.json 2>&1 | FileCheck %s --check-prefix=LLVM
// LLVM: error: expected a program of phase schedule or earlier, got one of phase llvm
// UNKNOWN: error: 'moe.all_reduce' op cannot be timed on platform toy
moe.mesh @mesh axes ["ep"] shape [8]

func.func @large(%x: tensor<8xf32>) -> tensor<8xf32> {
  %v = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<8xf32> -> tensor<8xf32>
  return %v : tensor<8xf32>
}
func.func @loop(%n: index {moe.varying = []}, %x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %v = moe.all_reduce %a on <@mesh, ["ep"]> : tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  %v = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<8xf32>
  return %v : tensor<8xf32>
}
// RUN: not moe-sim %s --platform=nowhere 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: moe-sim: --platform: expected a path or one of a800-2x8, dgx-b200, {{.*}}dgx-h100, {{.*}}got 'nowhere'
