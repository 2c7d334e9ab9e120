// What a program is compared with, and how closely: options that do not go
// together, or are out of range.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: %{wrong} %s --backend=host --against-backend=nccl 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --against-backend: expected interp or host, got nccl
// RUN: %{wrong} %s --backend=host --against-backend=host 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %{wrong} %s --against-backend=interp 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: --against-backend={{host|interp}} is the backend of IN; choose another backend or another program (--against)
// RUN: %{wrong} %s --against-backend=host --symbolic 2>&1 | FileCheck %s --check-prefix=SYMBOLIC
// SYMBOLIC: error: --against-backend is not supported with --symbolic, which only interp executes
// RUN: %{wrong} %s --against-backend=host --print-values 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: error: --print-values is not supported with --against or --against-backend
// RUN: %{wrong} %s --against-backend=host --output=%t 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: --output is not supported with --against, --against-backend, --repeat or --trace
// RUN: %{wrong} %s --tolerance=1 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --tolerance requires --against or --against-backend
// RUN: %{wrong} %s --against=%s --symbolic --tolerance=1 2>&1 | FileCheck %s --check-prefix=TERMS
// TERMS: error: --tolerance is not supported with --symbolic, which covers all values

// DEFINE: %{number} =
// DEFINE: %{tolerance} = %{wrong} %s --against=%s --tolerance=%{number} 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --tolerance: expected REL or REL,ABS, numbers of at least 0, got '
// REDEFINE: %{number} = much
// RUN: %{tolerance}
// REDEFINE: %{number} = -1
// RUN: %{tolerance}
// REDEFINE: %{number} = 1e-5,
// RUN: %{tolerance}
// REDEFINE: %{number} = 1,2,3
// RUN: %{tolerance}
// REDEFINE: %{number} = inf
// RUN: %{tolerance}
// REDEFINE: %{number} = 0,nan
// RUN: %{tolerance}

// What has become buffers is not for the interpreter.
// RUN: moe-opt %s --moe-compile="platform=a800-2x8 to=runtime" -o %t.runtime.mlir
// RUN: %{wrong} %t.runtime.mlir --backend=host --against-backend=interp 2>&1 | FileCheck %s --check-prefix=BUFFERS
// BUFFERS: error: {{.*}}.runtime.mlir: expected a program on values, which the interpreter executes, got phase runtime: run it with --backend=host, mpi or nccl, and let the interpreter have the one on values that it was made from (--against)
// RUN: moe-run %t.runtime.mlir --backend=host --against-backend=interp --against=%s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 4 ranks, 32 bytes

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2xf32> {moe.varying = ["tp"]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
