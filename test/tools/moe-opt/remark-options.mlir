// Options of remarks that would write nothing are errors.
// RUN: not moe-opt %s --remarks-output-file=%t.yaml 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not moe-opt %s --remark-format=yaml --remarks-output-file=%t.yaml 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: moe-opt: error: --remarks-output-file requires --remarks-filter, for example --remarks-filter=moe.*
// RUN: not moe-opt %s --remarks-filter=.* --remarks-output-file=%t.yaml 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: moe-opt: error: --remarks-output-file requires --remark-format=yaml
// RUN: not moe-opt %s --remarks-full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: moe-opt: error: --remarks-full requires --remarks-filter
// RUN: not moe-opt %s --remarks-records=%t.json 2>&1 | FileCheck %s --check-prefix=RECORDS
// RECORDS: moe-opt: error: --remarks-records requires --remarks-filter
// RUN: not moe-opt %s --remarks-filter=.* --remarks-records=%t.none/out 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: moe-opt: error: --remarks-records: {{.*}}: expected a file that can be written
// RUN: not moe-opt %s --remarks-filter=.* --remark-format=yaml --remarks-records=%t.json 2>&1 | FileCheck %s --check-prefix=YAML
// YAML: moe-opt: error: --remarks-records is not supported with --remark-format=yaml or --remark-policy
// RUN: not moe-opt %s --remarks-filter=[ 2>&1 | FileCheck %s --check-prefix=REGEX
// REGEX: moe-opt: error: --remarks-filter: expected a regular expression, got '[': brackets
// RUN: moe-opt %s --moe-schedule --remarks-filter=.* --remark-format=yaml --remarks-output-file=%t.yaml | FileCheck %s
// CHECK: func.func @main
func.func @main() {
  return
}
