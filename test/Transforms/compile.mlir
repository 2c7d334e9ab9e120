// RUN: moe-opt %s --moe-compile="to=import" | FileCheck %s --check-prefix=IMPORT
// RUN: moe-opt %s --moe-compile="to=decompose" | FileCheck %s --check-prefix=DECOMPOSE
// RUN: moe-opt %s --moe-compile | FileCheck %s --check-prefix=DECOMPOSE
// RUN: moe-opt %s --moe-compile="to=import" | moe-opt --moe-compile="from=decompose to=decompose" | FileCheck %s --check-prefix=DECOMPOSE
// RUN: not moe-opt %s --moe-compile="from=decompose to=import" 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: moe-opt %s --moe-compile="to=schedule platform=%S/../tools/moe-sim/Inputs/toy.json" | FileCheck %s --check-prefix=SCHEDULE
// RUN: moe-opt %s --moe-compile="to=schedule platform=%moe_src/platforms/dgx-h100.json" | FileCheck %s --check-prefix=INSIDE
// RUN: moe-opt %s --moe-compile="from=schedule to=schedule" | FileCheck %s --check-prefix=SCHEDULE
// RUN: moe-opt %s --moe-compile="to=pipeline" 2>&1 | FileCheck %s --check-prefix=PLATFORM
// RUN: moe-opt %s --moe-compile="to=decompose platform=dgx-h100" | FileCheck %s --check-prefix=ATTACHED
// RUN: not moe-opt %s --moe-compile="to=pipeline platform=%t.none.json" 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not moe-opt %s --moe-compile="to=object" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moe-opt %s --moe-compile="speed=fast" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not moe-opt %s --moe-compile="to=import to=decompose" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not moe-opt %s --moe-compile="to=pipeline degree=many" 2>&1 | FileCheck %s --check-prefix=DEGREE

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// Explicit rank lists become mesh axes in the import phase.
// IMPORT: moe.all_to_all %{{.*}} on <@mesh, ["ep"]>
// IMPORT-NOT: moe.drop
// DECOMPOSE: moe.drop
// DECOMPOSE-NEXT: moe.all_to_all
// DECOMPOSE-NEXT: moe.all_gather
// SCHEDULE: moe.stream @inter inter
// SCHEDULE: moe.schedule
// Four ranks share a node of eight.
// INSIDE-NOT: moe.stream @inter
// INSIDE: moe.task @intra "all_to_all"
// PLATFORM: warning: has no plan, which the phase choose makes for a platform (platform=F): no layer and no gradient is cut
// ATTACHED: module attributes {moe.plan = {{.*}}moe.platform = #moe.platform<"dgx-h100"
// NOFILE: error: moe-load-platform: {{.*}}none.json
// ORDER: moe-compile: expected 'from' not to come after 'to', got
// UNKNOWN: expected one of {{.*}}, got 'object'
// OPTION: error: <Pass-Options-Parser>: no such option speed; moe-compile has chip, circuits, {{.*}}platform, priorities, robust, 
// TWICE: moe-compile: expected to once, got it more than once
// DEGREE: moe-compile: degree: expected auto or a number in [1, 1048576], got 'many'
func.func @main(%x: tensor<2x3x4xf32> {moe.varying = ["ep"]}) -> tensor<2x3x4xf32> {
  %r = moe.all_to_all %x on [[0, 2], [1, 3]] split 0 concat 0 : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
