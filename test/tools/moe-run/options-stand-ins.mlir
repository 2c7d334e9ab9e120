// Where --stand-ins goes, and what is beside it.

// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: %{wrong} %s --stand-ins 2>&1 | FileCheck %s --check-prefix=NCCL
// RUN: %{wrong} %s --backend=host --stand-ins 2>&1 | FileCheck %s --check-prefix=NCCL
// RUN: %{wrong} %s --backend=mpi --stand-ins 2>&1 | FileCheck %s --check-prefix=NCCL
// NCCL: error: --stand-ins requires --backend=nccl
// RUN: %{wrong} %s --backend=nccl --stand-ins --rank=0 --world-size=4 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: --rank is not supported with --stand-ins, whose ranks are all threads of this process
// RUN: %{wrong} %s --backend=nccl --stand-ins --address=127.0.0.1:1 2>&1 | FileCheck %s --check-prefix=ADDRESS
// ADDRESS: error: --address is not supported with --stand-ins
// RUN: %{wrong} %s --backend=host --cuda-graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH: error: --cuda-graph requires --backend=nccl
// RUN: %{wrong} %s --backend=nccl --stand-ins --cuda-graph --repeat=2 2>&1 | FileCheck %s --check-prefix=TIMES
// TIMES: error: --repeat is not supported with --cuda-graph
// RUN: %{wrong} %s --backend=nccl --stand-ins --min-ctas=4 --max-ctas=2 2>&1 | FileCheck %s --check-prefix=CTAS
// CTAS: error: expected 0 <= --min-ctas <= --max-ctas, got 4 and 2
// RUN: %{wrong} %s --backend=nccl --stand-ins --symbolic 2>&1 | FileCheck %s --check-prefix=SYMBOLIC
// SYMBOLIC: error: --symbolic requires --backend=interp

// A device is one rank's.
// RUN: env MOERT_STAND_IN_DEVICES=3 %python %S/Inputs/exit_code.py 2 moe-run %s --backend=nccl --stand-ins 2>&1 | FileCheck %s --check-prefix=DEVICES
// DEVICES: error: MOERT_STAND_IN_DEVICES: expected at least 4 devices, one for each rank, got '3'

// What a variable may not be is an error in words, not a crash.
// RUN: env MOERT_STAND_IN_SEED=-1 %python %S/Inputs/exit_code.py 2 moe-run %s --backend=nccl --stand-ins > %t.err 2>&1
// RUN: FileCheck %s --check-prefix=SEED --input-file=%t.err
// SEED: {{^}}stand-in for CUDA: error: MOERT_STAND_IN_SEED: expected a whole number from 0 to 9223372036854775807, got '-1'{{$}}
// SEED-NOT: {{.}}

// The stand-ins are found beside the program: where there are none, some, or
// files that are no libraries, nothing starts.
// RUN: rm -rf %t && mkdir -p %t/bin %t/lib/stand-ins && cp %moe_obj/bin/moe-run %t/bin
// DEFINE: %{moved} = %python %S/Inputs/exit_code.py 2 %t/bin/moe-run %s --backend=nccl --stand-ins 2>&1 | FileCheck %s
// RUN: %{moved} --check-prefix=MISSING
// MISSING: moe-run: error: --stand-ins: expected the stand-ins for the CUDA driver, NCCL and cuBLAS beside this program, found no libcuda.so.1 in [[DIR:.*]]/lib/stand-ins, libcuda.so.1 in [[DIR]]/lib/moe-mlir/stand-ins
// MISSING-NOT: {{.}}
// RUN: %t/bin/moe-run --doctor | FileCheck %s --check-prefix=DOCTOR
// DOCTOR: {{^}}stand-ins   not ready
// DOCTOR-NEXT: missing: expected the stand-ins
// RUN: echo "not a library" > %t/lib/stand-ins/libcuda.so.1 && cp %t/lib/stand-ins/libcuda.so.1 %t/lib/stand-ins/libnccl.so.2
// RUN: %{moved} --check-prefix=SOME
// SOME: found no libcublas.so.12 in {{.*}}/lib/stand-ins, libcuda.so.1 in
// RUN: cp %t/lib/stand-ins/libcuda.so.1 %t/lib/stand-ins/libcublas.so.12
// RUN: cp %t/lib/stand-ins/libcuda.so.1 %t/lib/stand-ins/libcublas.so.13
// RUN: %{moved} --check-prefix=TEXT
// TEXT: moe-run: error: --stand-ins: cannot load the stand-in {{.*}}/lib/stand-ins/libcuda.so.1: {{.*}}

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2xf32> {moe.varying = ["tp"]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
