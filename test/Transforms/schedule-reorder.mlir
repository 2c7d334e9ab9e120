// A faster order of tasks is looked for where that is asked for: what nothing
// waits for goes behind what all the rest waits for. Values stay.
// RUN: moe-opt %s --moe-load-platform=file=%moe_src/test/tools/moe-sim/Inputs/four.json --moe-schedule -o %t.own
// RUN: moe-opt %s --moe-load-platform=file=%moe_src/test/tools/moe-sim/Inputs/four.json --moe-schedule=reorder -o %t.best
// RUN: FileCheck %s --check-prefix=OWN < %t.own
// RUN: FileCheck %s --check-prefix=BEST < %t.best
// RUN: %python -c "import json, subprocess, sys; own, best = [json.loads(subprocess.check_output(['moe-sim', f, '--json']))['makespan_us'] for f in sys.argv[1:]]; assert best < .8 * own, (own, best)" %t.own %t.best
// RUN: moe-run %t.best --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.best --backend=host --against=%s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 8 ranks

// Without a platform all tasks take as long; the order may be any.
// RUN: moe-opt %s --moe-schedule=reorder | moe-run - --against=%s | FileCheck %s --check-prefix=EQUAL

// What no search looks at stays.
// RUN: moe-opt %s --moe-load-platform=file=%moe_src/test/tools/moe-sim/Inputs/four.json --moe-schedule="reorder search-width=0" | diff - %t.own

// OWN: moe.task @inter "all_reduce"
// OWN: moe.task @inter "all_to_all"
// BEST: moe.task @inter "all_to_all"
// BEST: moe.task @inter "all_reduce"

moe.mesh @mesh axes ["ep"] shape [8]

func.func @main(%gradient: tensor<8192xf32>, %x: tensor<8x1x8x4xf32>,
                %w: tensor<1x4x16384xf32> {moe.varying = ["ep"]},
                %v: tensor<1x16384x4xf32> {moe.varying = ["ep"]})
    -> (tensor<8192xf32>, tensor<1x8x8x4xf32>) {
  %sum = moe.all_reduce %gradient on <@mesh, ["ep"]> : tensor<8192xf32>
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<8x1x8x4xf32> -> tensor<8x1x8x4xf32>
  %t = moe.transpose %a [1, 0, 2, 3]
     : tensor<8x1x8x4xf32> -> tensor<1x8x8x4xf32>
  %y = moe.experts gpt %t, %w, %v
     : tensor<1x8x8x4xf32>, tensor<1x4x16384xf32>, tensor<1x16384x4xf32>
     -> tensor<1x8x8x4xf32>
  return %sum, %y : tensor<8192xf32>, tensor<1x8x8x4xf32>
}
