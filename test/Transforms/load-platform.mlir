// RUN: split-file %s %t && cd %t

// The platform is attached under the name or path it was given by.
// RUN: moe-opt in.mlir --moe-load-platform=file=two.json --remarks-filter=moe-load-platform -o two.mlir 2>remarks
// RUN: FileCheck %s --check-prefix=TWO < two.mlir
// RUN: FileCheck %s --check-prefix=REMARK < remarks
// TWO: module attributes {moe.platform = #moe.platform<"two-levels", levels ["node": 2, "pod": 4], file "two.json", hash "{{[0-9a-f]+}}">} {
// REMARK: [Passed] platform | Category:moe-load-platform {{.*}}two-levels from 'two.json' (hash {{[0-9a-f]+}})
// REMARK-NOT: replaces
// RUN: moe-opt in.mlir --moe-load-platform=file=dgx-h100 | FileCheck %s --check-prefix=NAME
// NAME: #moe.platform<"dgx-h100", levels [{{.*}}], file "dgx-h100", hash

// Another one replaces it, and a remark says so; the same one does not.
// RUN: moe-opt two.mlir --moe-load-platform=file=fast.json --remarks-filter=moe-load-platform 2>&1 | FileCheck %s --check-prefix=REPLACE
// REPLACE: [Passed] platform {{.*}}fast from 'fast.json' (hash {{[0-9a-f]+}}) replaces two-levels from 'two.json' (hash {{[0-9a-f]+}})
// REPLACE: #moe.platform<"fast", levels ["node": 2, "pod": 4], file "fast.json", hash
// RUN: moe-opt two.mlir --moe-load-platform=file=two.json --remarks-filter=moe-load-platform 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-NOT: replaces
// SAME: #moe.platform<"two-levels"

// RUN: not moe-opt in.mlir --moe-load-platform 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: in.mlir:1:1: error: moe-load-platform: expected file=FILE
// RUN: not moe-opt in.mlir --moe-load-platform=file=nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: moe-load-platform: platform: expected a path or one of a800-2x8, {{.*}}, got 'nowhere'

// What follows uses it: the links between nodes are slow, so half is sent.
// RUN: moe-opt two.mlir --moe-select-strategy=max-chunks=1 | FileCheck %s --check-prefix=SELECT
// SELECT: file "two.json"
// SELECT: moe.drop
// RUN: moe-sim two.mlir > sim && moe-sim in.mlir --platform=two.json | diff sim -
// RUN: FileCheck %s --check-prefix=SIM < sim
// SIM: platform     two-levels

// A platform of its own comes before the module's.
// RUN: moe-opt two.mlir --moe-select-strategy="max-chunks=1 platform=fast.json" | FileCheck %s --check-prefix=OWN
// OWN: file "two.json"
// OWN-NOT: moe.drop
// RUN: moe-sim two.mlir --platform=fast.json | FileCheck %s --check-prefix=SIMOWN
// SIMOWN: platform     fast

// Fitted parameters are in effect unless they are to be left out.
// RUN: moe-opt in.mlir --moe-load-platform=file=fitted.json -o fitted.mlir
// RUN: moe-sim fitted.mlir | FileCheck %s --check-prefix=FITTED
// RUN: moe-sim fitted.mlir --ignore-fitted | FileCheck %s --check-prefix=STATED
// FITTED: makespan     170.840 us
// STATED: makespan     164.840 us

// Both programs are timed on the platform of the first.
// RUN: moe-opt in.mlir --moe-load-platform=file=fast.json | moe-sim - --baseline=two.mlir | FileCheck %s --check-prefix=BASELINE
// BASELINE: platform     fast
// BASELINE: speedup      1.000

// The whole way. A module that has a platform needs no other.
// RUN: moe-opt in.mlir --moe-compile="to=schedule platform=two.json" -o compiled.mlir
// RUN: FileCheck %s --check-prefix=COMPILED < compiled.mlir
// RUN: moe-opt two.mlir --moe-compile="to=schedule" | diff compiled.mlir -
// RUN: moe-opt in.mlir --moe-compile="to=import platform=two.json" | moe-opt --moe-compile="from=choose to=schedule" | diff compiled.mlir -
// COMPILED: #moe.platform<"two-levels"
// COMPILED: moe.schedule
// RUN: moe-sim compiled.mlir --baseline=in.mlir | FileCheck %s --check-prefix=SIM
// RUN: not moe-opt in.mlir --moe-compile="to=schedule" 2>&1 | FileCheck %s --check-prefix=NEITHER
// NEITHER: in.mlir:1:1: error: expected a plan ('moe.step', which the phase choose writes for a platform), got none
// RUN: not moe-sim in.mlir 2>&1 | FileCheck %s --check-prefix=SIMNEITHER
// SIMNEITHER: in.mlir:1:1: error: moe-sim: expected --platform=FILE or a module with 'moe.platform'

// A file that changed since, changed to nonsense, or went away.
// RUN: echo >> two.json
// RUN: not moe-opt two.mlir --moe-select-strategy 2>&1 | grep error: | FileCheck %s --check-prefix=CHANGED -DWHO=moe-select-strategy
// RUN: not moe-sim two.mlir 2>&1 | grep error: | FileCheck %s --check-prefix=CHANGED -DWHO=moe-sim
// CHANGED: error: [[WHO]]: two.json: expected the file that the module is compiled for, with hash [[HASH:[0-9a-f]+]], got a file with hash
// CHANGED-NOT: [[HASH]]
// RUN: moe-sim two.mlir --platform=two.json | FileCheck %s --check-prefix=SIM
// RUN: echo "}" >> two.json
// RUN: not moe-opt two.mlir --moe-select-strategy 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: moe-select-strategy: two.json:{{[0-9]+:[0-9]+}}: expected JSON
// BROKEN: note: the module is compiled for "two-levels" from 'two.json' with hash {{[0-9a-f]+}}
// RUN: rm two.json
// RUN: not moe-sim two.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: moe-sim: two.json: expected a platform's file, got no such file
// GONE: note: the module is compiled for "two-levels" from 'two.json' with hash {{[0-9a-f]+}}

//--- two.json
{"name": "two-levels",
 "levels": [
  {"name": "node", "ranks": 2, "bandwidth_GBps": 1, "ranks_per_nic": 1, "latency_us": 0},
  {"name": "pod", "ranks": 4, "bandwidth_GBps": 0.1, "ranks_per_nic": 1, "latency_us": 1}],
 "copy_bandwidth_GBps": 2}
//--- fast.json
{"name": "fast",
 "levels": [
  {"name": "node", "ranks": 2, "bandwidth_GBps": 1, "ranks_per_nic": 1, "latency_us": 1000},
  {"name": "pod", "ranks": 4, "bandwidth_GBps": 100, "ranks_per_nic": 1, "latency_us": 0}],
 "copy_bandwidth_GBps": 2}
//--- fitted.json
{"name": "fitted",
 "levels": [
  {"name": "node", "ranks": 2, "bandwidth_GBps": 1, "ranks_per_nic": 1, "latency_us": 0},
  {"name": "pod", "ranks": 4, "bandwidth_GBps": 0.1, "ranks_per_nic": 1, "latency_us": 1}],
 "fitted": {"levels": [{"name": "pod", "latency_us": 7, "latency_origin": "made up"}]}}
//--- in.mlir
module {
  moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
  func.func @main(%x: tensor<2x1x64x64xf32> {moe.varying = ["ep"]}) -> tensor<2x1x64x64xf32> {
    %r = moe.layer "0" phase "fwd" {
      %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
      moe.yield %a : tensor<2x1x64x64xf32>
    } : tensor<2x1x64x64xf32>
    return %r : tensor<2x1x64x64xf32>
  }
}
