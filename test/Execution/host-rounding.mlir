// f64 to bf16 is rounded once, to the nearest even one, as the interpreter has
// it, though machines have no instruction for it and no library a function.
// RUN: moe-run %s --backend=host --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %s --print-values > %t.interp
// RUN: moe-run %s --backend=host --print-values > %t.host
// RUN: grep -v '^host' %t.host > %t.values
// RUN: grep -v '^interp' %t.interp | diff - %t.values
// RUN: FileCheck %s < %t.values
// RUN: moe-translate --emit=object %s -o %t.o
// RUN: llvm-nm-22 -u %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=__trunc
// EQUAL: equal: 1 ranks
// SYMBOLS: moert_stream_get

// Halfway between two bf16, and by less than f32 holds above and below it; the
// same next to the greatest and the least; what is greatest in f32 and f64;
// the halves of the least; infinities, a NaN, zeros.
// CHECK: [1, -1, 1.0078125, 1, 1.015625, 1.0078125, inf, 3.3895313892515355e+38, inf, inf, 0, 9.183549615799121e-41, 0, inf, -inf, nan, 0, -0]
func.func @main(%x: tensor<18xf64>) -> tensor<18xbf16> {
  %values = arith.constant dense<[
    0x3FF0100000000000, 0xBFF0100000000000, 0x3FF0100000000001,
    0x3FF00FFFFFFFFFFF, 0x3FF0300000000000, 0x3FF02FFFFFFFFFFF,
    0x47EFF00000000000, 0x47EFEFFFFFFFFFFF, 0x47EFFFFFE0000000,
    0x7FEFFFFFFFFFFFFF, 0x3790000000000000, 0x3790000000000001,
    0x0000000000000001, 0x7FF0000000000000, 0xFFF0000000000000,
    0x7FF8000000000000, 0x0000000000000000, 0x8000000000000000
  ]> : tensor<18xf64>
  // Unknown to the compiler, which would fold it.
  %limit = arith.constant dense<1.0e3> : tensor<18xf64>
  %small = arith.cmpf olt, %x, %limit : tensor<18xf64>
  %y = arith.select %small, %values, %x : tensor<18xi1>, tensor<18xf64>
  %0 = arith.truncf %y : tensor<18xf64> to tensor<18xbf16>
  return %0 : tensor<18xbf16>
}
