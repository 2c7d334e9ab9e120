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
// HOST: error: 'llvm.func' op was compiled for another backend: expected its bodies as functions for the CUDA stand-ins (target=nccl-stand-ins), got functions of the processor (target=host); give moe-run the program as it was before the phase llvm, which it compiles by itself, or one that was compiled for this target
// RUN: moe-opt %t.runtime.mlir --moe-compile="from=llvm to=llvm target=nccl chip=sm_90" -o %t.ptx.mlir
// RUN: FileCheck %s --check-prefix=CHIP --input-file=%t.ptx.mlir
// CHIP: .target sm_90
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %{run} %t.ptx.mlir 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run --backend=host %t.ptx.mlir 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: error: 'llvm.func' op was compiled for another backend: expected its bodies as functions {{.*}}, got PTX for GPUs (target=nccl)
// RUN: not moe-opt %t.runtime.mlir --moe-compile="from=llvm to=llvm target=nccl chip=sm_76" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: cannot be compiled for chip 'sm_76': expected one of {{.*}}sm_100, {{.*}}sm_75, {{.*}}sm_90
// RUN: not moe-opt %t.runtime.mlir --moe-compile="from=llvm to=llvm chip=sm_90" 2>&1 | FileCheck %s --check-prefix=HOSTCHIP
// HOSTCHIP: moe-compile: chip requires target=nccl, got 'sm_90'
// RUN: moe-opt %t.runtime.mlir --moe-compile="from=llvm to=llvm target=nccl-stand-ins" -o %t.llvm.mlir
// RUN: %{run} %t.llvm.mlir --against=%s --against-backend=interp | FileCheck %s
// CHECK: equal: 4 ranks, 3072 bytes

moe.mesh @mesh axes ["ep"] shape [4]
func.func @main(%x: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %y = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x6x8xf32> -> tensor<4x6x8xf32>
  %z = arith.addf %y, %x : tensor<4x6x8xf32>
  return %z : tensor<4x6x8xf32>
}
