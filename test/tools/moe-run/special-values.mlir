// DEFINE: %{exits} = %python %S/Inputs/exit_code.py
// RUN: split-file %s %t
// RUN: moe-run %t/one.mlir --special-values --print-values | FileCheck %s --check-prefix=DRAWN
// RUN: moe-run %t/one.mlir --special-values --print-values --backend=host | tail -n +2 > %t/host
// RUN: moe-run %t/one.mlir --special-values --print-values | tail -n +2 | diff %t/host -
// RUN: moe-run %t/zero.mlir --against=%t/one.mlir | FileCheck %s --check-prefix=USUAL
// RUN: %{exits} 1 moe-run %t/zero.mlir --against=%t/one.mlir --special-values | FileCheck %s --check-prefix=ZERO
// RUN: %{exits} 1 moe-run %t/zero.mlir --against=%t/one.mlir --special-values --backend=host | FileCheck %s --check-prefix=ZERO
// RUN: moe-run %t/nan.mlir --against=%t/one.mlir --special-values | FileCheck %s --check-prefix=NAN
// RUN: moe-run %t/nan.mlir --against=%t/one.mlir --special-values --backend=host | FileCheck %s --check-prefix=NAN
// RUN: %{exits} 2 moe-run %t/one.mlir --special-values --symbolic 2>&1 | FileCheck %s --check-prefix=SYMBOLIC

// Every type has what it has: no infinity in f8E4M3FN, no -0.0 either in
// f8E4M3FNUZ.
// DRAWN: interp: 1 ranks, seed 0, special values
// DRAWN: result 0: tensor<64xf32>
// DRAWN: {{ (-inf|.* -inf)}}
// DRAWN: result 1: tensor<64xbf16>
// DRAWN-DAG: nan
// DRAWN: result 2: tensor<64xf8E4M3FN>
// DRAWN-NOT: inf
// DRAWN: nan
// DRAWN-NOT: inf
// DRAWN: result 3: tensor<64xf8E4M3FNUZ>
// DRAWN-NOT: {{inf|-0,|-0\]}}

// USUAL: values: seed 0, compared bit for bit
// ZERO: unequal: result 0, rank 0
// ZERO-NEXT: expected -0 as in
// ZERO-NEXT: got 0 in
// A NaN equals a NaN, whatever its sign.
// NAN: values: seed 0 with special values, any NaN equal to any, compared bit for bit
// NAN-NEXT: equal: 1 ranks, 512 bytes
// SYMBOLIC: --special-values is not supported with --symbolic, which covers all values

//--- one.mlir
func.func @main(%x: tensor<64xf32>, %b: tensor<64xbf16>, %e: tensor<64xf8E4M3FN>, %u: tensor<64xf8E4M3FNUZ>) -> (tensor<64xf32>, tensor<64xbf16>, tensor<64xf8E4M3FN>, tensor<64xf8E4M3FNUZ>) {
  return %x, %b, %e, %u : tensor<64xf32>, tensor<64xbf16>, tensor<64xf8E4M3FN>, tensor<64xf8E4M3FNUZ>
}
//--- zero.mlir
func.func @main(%x: tensor<64xf32>, %b: tensor<64xbf16>, %e: tensor<64xf8E4M3FN>, %u: tensor<64xf8E4M3FNUZ>) -> (tensor<64xf32>, tensor<64xbf16>, tensor<64xf8E4M3FN>, tensor<64xf8E4M3FNUZ>) {
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %y = arith.addf %x, %z : tensor<64xf32>
  return %y, %b, %e, %u : tensor<64xf32>, tensor<64xbf16>, tensor<64xf8E4M3FN>, tensor<64xf8E4M3FNUZ>
}
//--- nan.mlir
// Nothing but NaN has another sign.
func.func @main(%x: tensor<64xf32>, %b: tensor<64xbf16>, %e: tensor<64xf8E4M3FN>, %u: tensor<64xf8E4M3FNUZ>) -> (tensor<64xf32>, tensor<64xbf16>, tensor<64xf8E4M3FN>, tensor<64xf8E4M3FNUZ>) {
  %isnan = arith.cmpf uno, %x, %x : tensor<64xf32>
  %negative = arith.negf %x : tensor<64xf32>
  %y = arith.select %isnan, %negative, %x : tensor<64xi1>, tensor<64xf32>
  return %y, %b, %e, %u : tensor<64xf32>, tensor<64xbf16>, tensor<64xf8E4M3FN>, tensor<64xf8E4M3FNUZ>
}
