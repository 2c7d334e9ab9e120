// A program of any phase executes, and equals the one it was made of: beyond
// the phase `schedule` by what 'moert.program' keeps of values.

// RUN: split-file %s %t

// DEFINE: %{phase} =
// DEFINE: %{opt} = moe-opt %t/layer.mlir --moe-compile="platform=a800-2x8 to=%{phase}" -o %t/phase.mlir
// DEFINE: %{run} = moe-run --backend=host %t/phase.mlir --against=%t/layer.mlir
// DEFINE: %{back} = moe-run --backend=host %t/layer.mlir --against=%t/phase.mlir

// REDEFINE: %{phase} = import
// RUN: %{opt} && %{run} | FileCheck %s
// REDEFINE: %{phase} = choose
// RUN: %{opt} && %{run} | FileCheck %s
// REDEFINE: %{phase} = decompose
// RUN: %{opt} && %{run} | FileCheck %s
// REDEFINE: %{phase} = pipeline
// RUN: %{opt} && %{run} | FileCheck %s
// REDEFINE: %{phase} = schedule
// RUN: %{opt} && %{run} | FileCheck %s
// REDEFINE: %{phase} = runtime
// RUN: %{opt} && %{run} | FileCheck %s
// RUN: %{back} | FileCheck %s
// RUN: cp %t/phase.mlir %t/runtime.mlir
// REDEFINE: %{phase} = llvm
// RUN: %{opt} && %{run} | FileCheck %s
// RUN: %{back} | FileCheck %s
// RUN: moe-run --backend=host %t/phase.mlir --against=%t/runtime.mlir | FileCheck %s
// CHECK: equal: 8 ranks, 1184 bytes

// What it prints is the interpreter's, ranges of integers included.
// RUN: moe-run %t/layer.mlir | sed 1d >%t.expected
// RUN: moe-run --backend=host %t/runtime.mlir | sed 1d | diff %t.expected -
// RUN: moe-run --backend=host %t/phase.mlir | sed 1d | diff %t.expected -
// RUN: moe-run --backend=host %t/phase.mlir --repeat=2 | FileCheck %s --check-prefix=TIMES
// TIMES: makespan_us: median

// A program without a mesh keeps how many ranks its groups have.
// RUN: moe-opt %t/groups.mlir --moe-schedule --convert-moe-to-moert -o %t/groups.runtime.mlir
// RUN: moe-opt %t/groups.runtime.mlir --convert-moert-to-llvm -o %t/groups.llvm.mlir
// RUN: moe-run --backend=host %t/groups.runtime.mlir --against=%t/groups.mlir | FileCheck %s --check-prefix=GROUPS
// RUN: moe-run --backend=host %t/groups.llvm.mlir --against=%t/groups.mlir | FileCheck %s --check-prefix=GROUPS
// GROUPS: equal: 4 ranks
// And a wrong one is told apart.
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 1 moe-run --backend=host %t/groups.llvm.mlir --against=%t/other.mlir | FileCheck %s --check-prefix=OTHER
// OTHER: unequal

// It is code: it also becomes an object file, and the interpreter has no use
// for it.
// RUN: moe-translate %t/layer.mlir --emit=header -o %t/layer.h
// RUN: moe-translate %t/phase.mlir --emit=header -o - | diff %t/layer.h -
// RUN: moe-translate %t/phase.mlir --emit=object -o %t/phase.o
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t/phase.mlir 2>&1 | FileCheck %s --check-prefix=INTERP
// INTERP: moe-run: error: {{.*}}phase.mlir: expected a program on values, which the interpreter executes, got phase llvm: run it with --backend=host, mpi or nccl
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t/layer.mlir --symbolic --against=%t/runtime.mlir 2>&1 | FileCheck %s --check-prefix=SYMBOLIC
// SYMBOLIC: runtime.mlir: expected a program on values, which the interpreter executes, got phase runtime
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/phase.mlir --repeat=1 --emulate=a800-2x8 2>&1 | FileCheck %s --check-prefix=EMULATE
// EMULATE: error: the program @main has no tasks to take times of, which --emulate needs

// Code of eight ranks that claims to be of four is found out by the code.
// RUN: sed 's/shape = array<i64: 4, 2>/shape = array<i64: 2, 2>/' %t/phase.mlir >%t/fewer.mlir
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/fewer.mlir 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: error: rank {{[0-3]}} failed: MOERT_INVALID_ARGUMENT: rank {{[0-3]}}: main: expected a job of 8 ranks, got 4

// What a module must have is said where it is missing.
// RUN: sed 's/moert.program = .* shape = array<i64: 4, 2>}//; s/ attributes {, / attributes {/' %t/phase.mlir >%t/lost.mlir
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/lost.mlir 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: lost.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'llvm.func' op lacks 'moert.program': expected the types of the program's arguments and results, which convert-moe-to-moert leaves
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/hand.mlir 2>&1 | FileCheck %s --check-prefix=HAND
// HAND: hand.mlir:1:1: error: 'func.func' op lacks 'moert.program'
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: type.mlir:1:1: error: 'llvm.func' op expected a function of type '!llvm.func<i32 (ptr, ptr, ptr)>', got '!llvm.func<i32 (ptr)>'
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t/symbol.mlir 2>&1 | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: Symbols not found: [ nowhere ]
// SYMBOL: symbol.mlir:2:1: error: cannot be linked:

//--- layer.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<6x8xbf16> {moe.varying = ["ep"]}, %ids: tensor<6x2xi32> {moe.varying = ["ep"]}, %w1: tensor<2x8x4xbf16>, %w2: tensor<2x4x8xbf16>, %s: f32 {moe.varying = []}) -> (tensor<6x8xbf16>, tensor<6x2xi32>, f32) {
  %b, %slots = moe.permute token %x by %ids : tensor<6x8xbf16>, tensor<6x2xi32> -> tensor<4x2x4x8xbf16>, tensor<6x2xi32>
  %d = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x4x8xbf16> -> tensor<4x2x4x8xbf16>
  %t = moe.transpose %d [1, 0, 2, 3] : tensor<4x2x4x8xbf16> -> tensor<2x4x4x8xbf16>
  %e = moe.experts gpt %t, %w1, %w2 activation relu : tensor<2x4x4x8xbf16>, tensor<2x8x4xbf16>, tensor<2x4x8xbf16> -> tensor<2x4x4x8xbf16>
  %f = moe.all_reduce %e on <@mesh, ["tp"]> : tensor<2x4x4x8xbf16>
  %u = moe.transpose %f [1, 0, 2, 3] : tensor<2x4x4x8xbf16> -> tensor<4x2x4x8xbf16>
  %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x4x8xbf16> -> tensor<4x2x4x8xbf16>
  %w = arith.constant dense<0.5> : tensor<6x2xf32>
  %y = moe.unpermute %c by %slots weights %w : tensor<4x2x4x8xbf16>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xbf16>
  %k = arith.addf %s, %s : f32
  return %y, %slots, %k : tensor<6x8xbf16>, tensor<6x2xi32>, f32
}

//--- groups.mlir
func.func @main(%x: tensor<4xi32>) -> tensor<8xi32> {
  %a = moe.all_gather %x on #moe.replica_groups<dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>> dim 0 : tensor<4xi32> -> tensor<8xi32>
  return %a : tensor<8xi32>
}

//--- other.mlir
func.func @main(%x: tensor<4xi32>) -> tensor<8xi32> {
  %a = moe.all_gather %x on #moe.replica_groups<dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>> dim 0 : tensor<4xi32> -> tensor<8xi32>
  return %a : tensor<8xi32>
}

//--- hand.mlir
func.func @main(%c: !moert.context, %x: memref<2xf32>) attributes {moert.inputs = 1 : i64} {
  return
}

//--- type.mlir
llvm.func @moe_main(%c: !llvm.ptr) -> i32 attributes {moert.program = {arguments = [], results = []}} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.return %zero : i32
}

//--- symbol.mlir
llvm.func @nowhere() -> i32
llvm.func @moe_main(%c: !llvm.ptr, %i: !llvm.ptr, %o: !llvm.ptr) -> i32 attributes {moert.program = {arguments = [], results = []}} {
  %status = llvm.call @nowhere() : () -> i32
  llvm.return %status : i32
}
