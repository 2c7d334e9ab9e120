// A file that changed since, changed to nonsense, or went away.
// RUN: split-file %S/Inputs/load-platform.txt %t && cd %t
// RUN: moe-opt in.mlir --moe-load-platform=file=two.json -o two.mlir

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
// SIM: platform     two-levels
