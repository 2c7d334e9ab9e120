// A platform is attached to a module, and replaced.
// RUN: split-file %S/Inputs/load-platform.txt %t && cd %t

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
