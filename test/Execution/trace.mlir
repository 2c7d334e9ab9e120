// The measured timeline has the tasks of the predicted one on every rank.

// RUN: moe-opt %s --moe-decompose-all-to-all --moe-pipeline="degree=2" --moe-schedule -o %t.mlir
// RUN: moe-sim %t.mlir --platform=host --trace=%t.sim.json > %t.out
// RUN: moe-run %t.mlir --backend=host --trace=%t.host.json | FileCheck %s
// RUN: %python %S/Inputs/check_trace.py %t.host.json %t.sim.json 4 | FileCheck %s --check-prefix=TASKS
// CHECK: {{^}}host: 4 ranks, 1 execution after one to warm up
// CHECK-NEXT: {{^}}makespan_us: median {{[0-9.]+}} min {{[0-9.]+}} max {{[0-9.]+}}
// CHECK-NOT: {{.}}
// TASKS: {{[1-9][0-9]*}} tasks on 4 ranks

// RUN: moe-run %s --backend=host --repeat=5 | FileCheck %s --check-prefix=FIVE
// FIVE: host: 4 ranks, 5 executions after one to warm up

// A trace that cannot be written.
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t.mlir --backend=host --trace=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: /dev/full: expected a file that can be written, got: No space left on device
// RUN: %python %S/../tools/moe-run/Inputs/exit_code.py 2 moe-run %t.mlir --backend=host --trace=%t.none/t.json 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: --trace: {{.*}}.none/t.json: expected a file that can be written, got: No such file or directory

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x1x8x4xf32> {moe.varying = ["ep"]}) -> tensor<2x1x8x4xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x1x8x4xf32> -> tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}
