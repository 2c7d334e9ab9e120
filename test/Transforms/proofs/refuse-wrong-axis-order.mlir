// Two gathers are not one over the axes the other way round.
// RUN: split-file %s %t
// RUN: not moe-run %t/forced.mlir --against=%t/before.mlir --symbolic | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: unequal: result 0, rank

// The same in 8 programs, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py refusal wrong-axis-order %t

//--- before.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<3x5xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x40xf32> {
  %y = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<3x5xf32> -> tensor<3x10xf32>
  %r = moe.all_gather %y on <@mesh, ["ep"]> dim 1 : tensor<3x10xf32> -> tensor<3x40xf32>
  return %r : tensor<3x40xf32>
}

// By force.
//--- forced.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<3x5xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x40xf32> {
  %r = moe.all_gather %x on <@mesh, ["tp", "ep"]> dim 1 : tensor<3x5xf32> -> tensor<3x40xf32>
  return %r : tensor<3x40xf32>
}
