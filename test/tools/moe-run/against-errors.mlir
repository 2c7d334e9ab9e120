// Programs that cannot be compared.

// RUN: split-file %s %t
// DEFINE: %{exits} = %python %S/Inputs/exit_code.py

// Programs that do not take and give the same.
// RUN: %{exits} 2 moe-run %t/arguments.mlir --against=%t/base.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS: error: expected programs that take and give the same, got another number of arguments: 1 in {{.*}}arguments.mlir, 2 in {{.*}}base.mlir
// ARGUMENTS: base.mlir:2:1: note: the other program's entry
// RUN: %{exits} 2 moe-run %t/type.mlir --against=%t/base.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: {{.*}}got another type of argument 0: tensor<2x3xf16> in {{.*}}, tensor<2x3xbf16> in
// RUN: %{exits} 2 moe-run %t/varying.mlir --against=%t/base.mlir 2>&1 | FileCheck %s --check-prefix=VARYING
// VARYING: error: {{.*}}got argument 0 varying over other ranks: no moe.varying in {{.*}}, moe.varying = ["ep"] in
// RUN: %{exits} 2 moe-run %t/results.mlir --against=%t/base.mlir 2>&1 | FileCheck %s --check-prefix=RESULTS
// RESULTS: error: {{.*}}got another number of results: 1 in {{.*}}, 3 in
// RUN: %{exits} 2 moe-run %t/mesh.mlir --against=%t/base.mlir 2>&1 | FileCheck %s --check-prefix=MESH
// MESH: error: {{.*}}got another number of ranks: 8 in {{.*}}, 4 in

// The other program's error is an error, not an answer.
// RUN: %{exits} 2 moe-run %t/base.mlir --against=%t/fails.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: fails.mlir:4:10: error: 'arith.divsi' op is undefined: division by zero
// FAILS-NEXT: %d = arith.divsi

//--- base.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}, %c: i1) -> (tensor<2x3xbf16>, index, i1) {
  %y = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2x3xbf16>
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  return %y, %i, %c : tensor<2x3xbf16>, index, i1
}
//--- arguments.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}) {
  return
}
//--- type.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xf16> {moe.varying = ["ep"]}, %c: i1) {
  return
}
//--- varying.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16>, %c: i1) -> (tensor<2x3xbf16>, index, i1) {
  %i = arith.constant 0 : index
  return %x, %i, %c : tensor<2x3xbf16>, index, i1
}
//--- results.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}, %c: i1) -> tensor<2x3xbf16> {
  return %x : tensor<2x3xbf16>
}
//--- mesh.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}, %c: i1) {
  return
}
//--- fails.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x3xbf16> {moe.varying = ["ep"]}, %c: i1) -> (tensor<2x3xbf16>, index, i1) {
    %i = arith.constant 0 : index
    %d = arith.divsi %i, %i : index
    return %x, %d, %c : tensor<2x3xbf16>, index, i1
}
