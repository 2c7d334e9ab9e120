// Rank 0 writes the timelines of all processes.

// REQUIRES: moert-mpi
// RUN: moe-opt %s --moe-decompose-all-to-all --moe-pipeline="degree=2" --moe-schedule -o %t.mlir
// RUN: moe-sim %t.mlir --platform=host --trace=%t.sim.json > %t.out
// RUN: %mpirun 4 moe-run %t.mlir --backend=mpi --deadline=600 --repeat=3 --trace=%t.mpi.json | FileCheck %s
// RUN: %python %S/Inputs/check_trace.py %t.mpi.json %t.sim.json 4
// CHECK: {{^}}mpi: 4 ranks, 3 executions after one to warm up
// CHECK-NEXT: makespan_us: median {{[0-9.]+}} min {{[0-9.]+}} max {{[0-9.]+}}
// CHECK-NOT: {{.}}

// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 4 moe-run %t.mlir --backend=mpi --trace=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: /dev/full: expected a file that can be written, got: No space left on device
// Rank 0, which writes, sees before it runs that it cannot.
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 %mpirun 4 moe-run %t.mlir --backend=mpi --trace=%t.none/t.json 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER-COUNT-1: error: --trace: {{.*}}.none/t.json: expected a file that can be written, got: No such file or directory

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x1x8x4xf32> {moe.varying = ["ep"]}) -> tensor<2x1x8x4xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x1x8x4xf32> -> tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}
