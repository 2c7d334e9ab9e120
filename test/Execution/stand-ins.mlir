// Programs as nccl runs them, the ranks threads of one process on the stand-ins
// for the CUDA driver, NCCL and cuBLAS.
// REQUIRES: stand-ins

// DEFINE: %{run} = moe-run %s --backend=nccl --stand-ins
// DEFINE: %{wrong} = %python %S/../tools/moe-run/Inputs/exit_code.py

// As many ranks as the program has; it says what ran where, and on stderr that
// nothing ran on a GPU.
// RUN: %{run} > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=RUNS < %t.out
// RUNS: {{^}}nccl on stand-ins: 8 ranks, seed 0, values
// RUNS-NEXT: {{^}}result 0: tensor<4x1x4x8xf32>
// RUNS-NEXT: {{^}}  ranks 0-1: checksum
// RUN: FileCheck %s --check-prefix=SAYS < %t.err
// SAYS: {{^}}moe-run: nothing ran on a GPU; ranks were threads on the CPU emulation of CUDA and NCCL in {{.*}}stand-ins{{$}}
// SAYS-NOT: {{.}}

// The values are the interpreter's.
// RUN: %{run} --print-values 2> %t.err | sed 1d > %t.values
// RUN: moe-run %s --print-values | sed 1d | cmp - %t.values
// RUN: FileCheck %s --check-prefix=SAYS < %t.err
// RUN: %{run} --against-backend=interp --seed=5 --special-values | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} --against-backend=host | FileCheck %s --check-prefix=EQUAL
// RUN: %{run} --against=%s --ranks=8 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 8 ranks, 4096 bytes
// RUN: %{run} --output=%t.arrays && moe-run %s --output=%t.expected
// RUN: cmp %t.arrays/result0.npy %t.expected/result0.npy
// RUN: %{run} --input=x=%t.arrays/result0.npy --against-backend=interp | FileCheck %s --check-prefix=EQUAL

// Of every phase.
// RUN: moe-opt %s --moe-compile="platform=a800-2x8 to=runtime" -o %t.runtime.mlir
// RUN: moe-run %t.runtime.mlir --backend=nccl --stand-ins --against=%s --against-backend=interp | FileCheck %s --check-prefix=EQUAL

// Programs that state no ranks have as many as are wanted.
// RUN: echo 'func.func @main(%%x: f32) -> f32 { return %%x : f32 }' > %t.any.mlir
// RUN: moe-run %t.any.mlir --backend=nccl --stand-ins --ranks=3 --against-backend=interp | FileCheck %s --check-prefix=ANY
// ANY: equal: 3 ranks, 12 bytes
// RUN: %{wrong} 2 %{run} --ranks=4 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: expected --ranks=8, which the module states, got --ranks=4

// Differences are found, and what ran where is said all the same.
// RUN: sed 's/all_reduce %%r/all_reduce %%x/' %s > %t.other.mlir
// RUN: %{wrong} 1 %{run} --against=%t.other.mlir > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=SAYS < %t.err
// RUN: FileCheck %s --check-prefix=UNEQUAL < %t.out
// UNEQUAL: unequal: result 0, rank 0, index [1,0,0,0]

// Times are those of the stand-ins, and say so.
// RUN: %{run} --repeat=3 --trace=%t.json --emulate=a800-2x8 2> %t.err | FileCheck %s --check-prefix=TIMES
// TIMES: {{^}}nccl on stand-ins: 8 ranks, 3 executions after one to warm up, operations at least as long as on
// TIMES-NEXT: makespan_us: median
// RUN: FileCheck %s --check-prefix=SAYS < %t.err
// RUN: FileCheck %s --check-prefix=TRACE < %t.json
// TRACE: "backend":"nccl on stand-ins"

// Installed, they are found in another place beside the program.
// RUN: rm -rf %t.installed && mkdir -p %t.installed/bin %t.installed/lib/moe-mlir
// RUN: cp %moe_obj/bin/moe-run %t.installed/bin && cp -R %moe_obj/lib/stand-ins %t.installed/lib/moe-mlir
// RUN: %t.installed/bin/moe-run %s --backend=nccl --stand-ins 2>&1 | FileCheck %s --check-prefix=INSTALLED
// INSTALLED: nothing ran on a GPU; ranks were threads on the CPU emulation of CUDA and NCCL in {{.*}}.installed/lib/moe-mlir/stand-ins{{$}}
// Not where another library has come first.
// RUN: echo 'int cuInit(unsigned flags) { return (int)flags; }' > %t.c
// RUN: %cc -shared -fPIC -Wl,-soname,libcuda.so.1 %t.c -o %t.libcuda.so.1
// RUN: %{wrong} 2 env LD_PRELOAD=%t.libcuda.so.1 moe-run %s --backend=nccl --stand-ins 2>&1 | FileCheck %s --check-prefix=LOADED
// LOADED: error: --stand-ins: expected to load libcuda.so.1 from {{.*}}lib/stand-ins, got it loaded already from {{.*}}libcuda.so.1

// Memory is bounded as anywhere.
// RUN: %{wrong} 2 %{run} --max-bytes=16000 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: needs {{[0-9]+}} bytes for arguments and results, and {{[0-9]+}} of the 16000 bytes allowed (--max-bytes) are held

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<4x1x4x8xf32>) -> tensor<4x1x4x8xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4x1x4x8xf32> -> tensor<4x1x4x8xf32>
  %s = moe.all_reduce %r on <@mesh, ["tp"]> : tensor<4x1x4x8xf32>
  return %s : tensor<4x1x4x8xf32>
}
