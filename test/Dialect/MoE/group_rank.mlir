// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.group_rank"() <{group = #moe.group<@mesh, ["tp"]>}> : () -> index
func.func @picture() -> index {
  // CHECK: moe.group_rank on <@mesh, ["tp"]> : index
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  return %i : index
}

// CHECK-LABEL: func.func @groups
func.func @groups() -> (index, index, index) {
  // CHECK: moe.group_rank on <@mesh, ["tp", "ep"]> : index
  %i = moe.group_rank on <@mesh, ["tp", "ep"]> : index
  // CHECK: moe.group_rank on {{\[\[}}0, 2], [1, 3], [5, 4]] : index
  %j = moe.group_rank on [[0, 2], [1, 3], [5, 4]] : index
  // CHECK: moe.group_rank on <@mesh, []> {why = 1 : i64} : index
  %k = moe.group_rank on <@mesh, []> {why = 1} : index
  return %i, %j, %k : index, index, index
}
