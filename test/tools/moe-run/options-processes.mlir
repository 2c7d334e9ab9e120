// Which ranks and processes there are: options that do not go together, or are out
// of range.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: %{wrong} %s --backend=smoke 2>&1 | FileCheck %s --check-prefix=BACKEND
// BACKEND: error: --backend: expected interp, host, mpi or nccl, got smoke
// RUN: %{wrong} %s --rank=0 --world-size=1 2>&1 | FileCheck %s --check-prefix=PROCESS
// PROCESS: error: --rank requires --backend=mpi or nccl
// RUN: %{wrong} %s --backend=mpi --rank=0 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --rank and --world-size require each other
// RUN: %{wrong} %s --backend=mpi --rank=4 --world-size=4 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: expected a rank in [0, world size), got rank 4 of 4
// RUN: %{wrong} %s --backend=mpi --address=127.0.0.1:1 2>&1 | FileCheck %s --check-prefix=ADDRESS
// ADDRESS: error: --address requires --backend=nccl
// RUN: %{wrong} %s --backend=mpi --ranks=4 2>&1 | FileCheck %s --check-prefix=PROCESSES
// PROCESSES: error: --ranks requires --backend=interp, --backend=host or --stand-ins
// RUN: %{wrong} %s --ranks=8 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: expected --ranks=4, which the module states, got --ranks=8
// RUN: %{wrong} %s --ranks=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: --ranks: expected at least 1, got 0

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2xf32> {moe.varying = ["tp"]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
