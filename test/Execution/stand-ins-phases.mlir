// Programs on buffers, with bodies, become code of the backend that executes
// them: kernels for the stand-ins, functions for host, both of one file.
// REQUIRES: stand-ins

// DEFINE: %{run} = moe-run --backend=nccl --stand-ins
// RUN: moe-opt %s --moe-compile="platform=a800-2x8 to=runtime" -o %t.runtime.mlir
// RUN: %{run} %t.runtime.mlir --against=%s --against-backend=interp | FileCheck %s
// RUN: %{run} %t.runtime.mlir --against-backend=host | FileCheck %s
// RUN: moe-run %t.runtime.mlir --backend=host --against=%s --against-backend=interp | FileCheck %s
// RUN: %{run} %s --against=%t.runtime.mlir | FileCheck %s
// Code is of one backend, and that of host has bodies that no device runs.
// RUN: moe-opt %t.runtime.mlir --moe-compile="from=llvm to=llvm" -o %t.host.mlir
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %{run} %t.host.mlir 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: moert_launch_packed: functions of the processor do not run on streams of a device: 'addf' needs a device kernel
// RUN: moe-opt %t.runtime.mlir --moe-compile="from=llvm to=llvm target=nccl-stand-ins" -o %t.llvm.mlir
// RUN: %{run} %t.llvm.mlir --against=%s --against-backend=interp | FileCheck %s
// CHECK: equal: 4 ranks, 3072 bytes

moe.mesh @mesh axes ["ep"] shape [4]
func.func @main(%x: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %y = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x6x8xf32> -> tensor<4x6x8xf32>
  %z = arith.addf %y, %x : tensor<4x6x8xf32>
  return %z : tensor<4x6x8xf32>
}
