// What comes behind moe-load-platform uses the platform of the module.
// RUN: split-file %S/Inputs/load-platform.txt %t && cd %t
// RUN: moe-opt in.mlir --moe-load-platform=file=two.json -o two.mlir

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
// FITTED: step time    171 us
// STATED: step time    165 us

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
// RUN: moe-opt in.mlir --moe-compile="to=llvm" 2>&1 | FileCheck %s --check-prefix=NEITHER
// NEITHER: in.mlir:{{[0-9]+:[0-9]+}}: warning: has no plan, which the phase choose makes for a platform (platform=F): no layer and no gradient is cut
// NEITHER: llvm.call @moert_
// RUN: not moe-sim in.mlir 2>&1 | FileCheck %s --check-prefix=SIMNEITHER
// SIMNEITHER: in.mlir:1:1: error: moe-sim: expected --platform=FILE or a module with 'moe.platform'
