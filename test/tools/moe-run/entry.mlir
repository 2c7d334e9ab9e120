// Which function is executed.

// RUN: split-file %s %t
// DEFINE: %{wrong} = %python %S/Inputs/exit_code.py 2 moe-run

// RUN: moe-run %t/main.mlir --print-values | FileCheck %s --check-prefix=MAIN
// RUN: moe-run %t/main.mlir --print-values --entry=helper | FileCheck %s --check-prefix=HELPER
// RUN: moe-run %t/one.mlir --print-values | FileCheck %s --check-prefix=ONE
// MAIN: {{^ *}}1{{$}}
// HELPER: {{^ *}}2{{$}}
// ONE: {{^ *}}3{{$}}

// RUN: %{wrong} %t/main.mlir --entry=absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: expected a function @absent, to execute; got @main, @helper
// RUN: %{wrong} %t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: expected a function @main, or one public function, to execute; got @a, @b
// RUN: %{wrong} %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected a function @main, or one public function, to execute; got no function with a body

// The number of ranks of a module that does not say.
// RUN: moe-run %t/one.mlir | FileCheck %s --check-prefix=RANK
// RUN: moe-run %t/one.mlir --ranks=5 | FileCheck %s --check-prefix=RANKS
// RANK: interp: 1 ranks, seed 0, values
// RANKS: interp: 5 ranks
// RANKS: ranks 0-4: checksum
// RUN: moe-run %t/groups.mlir | FileCheck %s --check-prefix=GROUPS
// GROUPS: interp: 6 ranks
// RUN: %{wrong} %t/other-groups.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'moe.group_rank' op expected {{.*}}groups of all 6 ranks, got {{.*}}2
// RUN: %{wrong} %t/huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: executing 2147483647 ranks needs about 1024 bytes for each, and the limit is 8589934592 bytes (--max-bytes)
// RUN: %{wrong} %t/huge.mlir --against=%t/huge.mlir --symbolic 2>&1 | FileCheck %s --check-prefix=HUGE

//--- main.mlir
func.func @main() -> i32 {
  %c = arith.constant 1 : i32
  return %c : i32
}
func.func @helper() -> i32 {
  %c = arith.constant 2 : i32
  return %c : i32
}
//--- one.mlir
func.func private @hidden() -> i32 {
  %c = arith.constant 4 : i32
  return %c : i32
}
func.func private @declared() -> i32
func.func @visible() -> i32 {
  %c = arith.constant 3 : i32
  return %c : i32
}
//--- two.mlir
func.func @a() {
  return
}
func.func @b() {
  return
}
//--- none.mlir
func.func private @declared()
//--- groups.mlir
func.func @main() -> index {
  %i = moe.group_rank on [[0, 3], [1, 4], [2, 5]] : index
  return %i : index
}
//--- other-groups.mlir
func.func @main() -> (index, index) {
  %i = moe.group_rank on [[0, 3], [1, 4], [2, 5]] : index
  %j = moe.group_rank on [[0, 1]] : index
  return %i, %j : index, index
}
//--- huge.mlir
moe.mesh @mesh axes ["ep"] shape [2147483647]
func.func @main() {
  return
}
