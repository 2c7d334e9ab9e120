// Options of times and traces, and what is wrong use of them.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: %{wrong} %s --repeat=2 2>&1 | FileCheck %s --check-prefix=COMPILED
// COMPILED: error: --repeat requires --backend=host, mpi or nccl
// RUN: %{wrong} %s --backend=host --repeat=0 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: error: --repeat: expected 1 to 1000000, got 0
// RUN: %{wrong} %s --backend=host --repeat=99999999999 2>&1 | FileCheck %s --check-prefix=REPEATS
// REPEATS: error: --repeat: expected 1 to 1000000, got 99999999999
// RUN: %{wrong} %s --backend=host --repeat=1 --against=%s 2>&1 | FileCheck %s --check-prefix=TIMES
// TIMES: error: --repeat and --trace print times, not results
// RUN: %{wrong} %s --backend=host --repeat=1 --against-backend=interp 2>&1 | FileCheck %s --check-prefix=TIMES
// RUN: %{wrong} %s --backend=host --trace= 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: error: --trace: expected a file, got ''
// RUN: %{wrong} %s --backend=host --trace=- 2>&1 | FileCheck %s --check-prefix=TRACE-STDOUT
// TRACE-STDOUT: error: --trace: expected a file, got '-': the answer goes to standard output
// RUN: %{wrong} %s --backend=host --emulate=host 2>&1 | FileCheck %s --check-prefix=EMULATE
// EMULATE: error: --emulate requires --repeat or --trace
// RUN: %{wrong} %s --backend=host --repeat=1 --emulate=no-such 2>&1 | FileCheck %s --check-prefix=PLATFORM
// PLATFORM: error: --emulate: expected {{.*}}no-such

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2xf32> {moe.varying = ["tp"]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
