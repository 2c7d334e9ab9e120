// Numbers that may be near what is expected: of two programs, and of one
// program on two backends.

// RUN: split-file %s %t
// DEFINE: %{unequal} = %python %S/Inputs/exit_code.py 1 moe-run

// A third of a number, and a number of threes: one unit apart at most places.
// RUN: moe-run %t/times.mlir --against=%t/by.mlir --tolerance=1e-6 | FileCheck %s --check-prefix=WITHIN
// RUN: moe-run %t/times.mlir --against=%t/by.mlir --tolerance=0,1e-7 | FileCheck %s --check-prefix=ABSOLUTE
// WITHIN: {{^}}values: seed 0, compared within 1e-06 relative
// WITHIN-NEXT: {{^}}equal within 1e-06 relative: 4 ranks, 272 bytes, greatest difference [[D:[0-9.]+e-08]] ({{[0-9.]+e-08}} relative) at result 0, rank [[R:[0-3]]], index [[I:\[[01],[0-7]\]]]{{$}}
// WITHIN-NOT: {{.}}
// ABSOLUTE: equal within 1e-07 absolute: 4 ranks, 272 bytes, greatest difference {{[0-9.]+e-08 \([0-9.]+e-08 relative\)}} at

// RUN: %{unequal} %t/times.mlir --against=%t/by.mlir | FileCheck %s --check-prefix=BITS
// BITS: unequal: result 0, rank 0, index
// BITS-NOT: which is not
// BITS: all is within 1e-05 relative, greatest difference {{[0-9.]+e-08}} ({{[0-9.]+e-08}} relative) at result 0, rank
// BITS-NEXT: so it may be a sum taken in another order
// BITS-NEXT: of weights: --tolerance=1e-05 takes those for equal, --symbolic compares
// RUN: %{unequal} %t/times.mlir --against=%t/by.mlir --tolerance=0 | FileCheck %s --check-prefix=BITS
// RUN: %{unequal} %t/times.mlir --against=%t/by.mlir --tolerance=1e-9,1e-12 | FileCheck %s --check-prefix=BEYOND
// BEYOND: unequal: result 0, rank 0, index
// BEYOND-NEXT: expected {{-?[0-9.]+}} as in {{.*}}by.mlir{{$}}
// BEYOND-NEXT: got      {{-?[0-9.]+}} in {{.*}}times.mlir{{$}}
// BEYOND-NEXT: which is not within 1e-09 relative plus 1e-12 absolute

// Integers are no floats that are near.
// RUN: %{unequal} %t/integer.mlir --against=%t/by.mlir --tolerance=10,10 | FileCheck %s --check-prefix=INTEGER
// INTEGER: unequal: result 1, rank 0
// INTEGER-NEXT: expected 7 as in
// INTEGER-NEXT: got      8 in
// INTEGER-NOT: which is not
// RUN: %{unequal} %t/integer.mlir --against=%t/by.mlir | FileCheck %s --check-prefix=INTEGER --implicit-check-not="another order"

// RUN: moe-run %t/by.mlir --against=%t/by.mlir --tolerance=1e-6 | FileCheck %s --check-prefix=NONE
// NONE: equal within 1e-06 relative: 4 ranks, 272 bytes, no difference

// On two backends.
// RUN: moe-run %t/by.mlir --backend=host --against-backend=interp | FileCheck %s --check-prefix=BACKENDS
// RUN: moe-run %t/by.mlir --against-backend=host | FileCheck %s --check-prefix=BACKENDS
// BACKENDS: values: seed 0, compared bit for bit
// BACKENDS-NEXT: equal: 4 ranks, 272 bytes
// RUN: %{unequal} %t/times.mlir --backend=host --against-backend=interp --against=%t/by.mlir --seed=3 | FileCheck %s --check-prefix=OTHER
// OTHER: unequal: result 0, rank 0, index
// OTHER-NEXT: expected {{.*}} as in {{.*}}by.mlir on interp{{$}}
// OTHER-NEXT: got      {{.*}} in {{.*}}times.mlir on host{{$}}

//--- by.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, i32) {
  %three = arith.constant dense<3.0> : tensor<2x8xf32>
  %seven = arith.constant 7 : i32
  %y = arith.divf %x, %three : tensor<2x8xf32>
  return %y, %seven : tensor<2x8xf32>, i32
}

//--- times.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, i32) {
  %third = arith.constant dense<0.33333334> : tensor<2x8xf32>
  %seven = arith.constant 7 : i32
  %y = arith.mulf %x, %third : tensor<2x8xf32>
  return %y, %seven : tensor<2x8xf32>, i32
}

//--- integer.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, i32) {
  %three = arith.constant dense<3.0> : tensor<2x8xf32>
  %eight = arith.constant 8 : i32
  %y = arith.divf %x, %three : tensor<2x8xf32>
  return %y, %eight : tensor<2x8xf32>, i32
}
