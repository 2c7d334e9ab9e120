// Floats of other magnitudes, the same draws times a number.
// DEFINE: %{exits} = %python %S/Inputs/exit_code.py
// RUN: moe-run %s --print-values | FileCheck %s --check-prefix=ONE
// RUN: moe-run %s --print-values --magnitude=0.5 | FileCheck %s --check-prefix=HALF
// RUN: moe-run %s --print-values --magnitude=0.5 --backend=host | FileCheck %s --check-prefix=HALF
// RUN: moe-run %s --print-values --magnitude=3e-1 | FileCheck %s --check-prefix=ROUNDED
// RUN: moe-run %s --magnitude=0.25 --backend=host --against=%s | FileCheck %s --check-prefix=EQUAL
// ONE: {{^}}interp: 1 ranks, seed 0, values{{$}}
// ONE: [0.8203125, 0.109375, -0.953125]
// ONE: [-0.6796875, -0.921875]
// ONE: {{^}}    2
// HALF: : 1 ranks, seed 0, values, magnitude 0.5{{$}}
// HALF: [0.41015625, 0.0546875, -0.4765625]
// HALF: [-0.33984375, -0.4609375]
// HALF: {{^}}    2
// ROUNDED: [0.24609375, 0.03281249850988388, -0.28593748807907104]
// ROUNDED: [-0.203857421875, -0.276611328125]
// EQUAL: values: seed 0, magnitude 0.25, compared bit for bit
// RUN: %{exits} 2 moe-run %s --magnitude=0 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: %{exits} 2 moe-run %s --magnitude=nan 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: --magnitude: expected a number in [2^-64, 2^64], got {{0.0+e[+]00|nan}}
// RUN: %{exits} 2 moe-run %s --magnitude=2 --symbolic 2>&1 | FileCheck %s --check-prefix=SYMBOLIC
// SYMBOLIC: error: --magnitude is not supported with --symbolic, which covers all values
func.func @main(%x: tensor<3xf32>, %h: tensor<2xf16>, %n: i32) -> (tensor<3xf32>, tensor<2xf16>, i32) {
  return %x, %h, %n : tensor<3xf32>, tensor<2xf16>, i32
}
