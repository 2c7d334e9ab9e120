// Integers become bf16 rounded once, to the nearest even one, as the
// interpreter has it: not by way of f32, nor f64 where that drops bits.
// RUN: moe-run %s --print-values > %t.interp
// RUN: moe-run %s --backend=host --print-values > %t.host
// RUN: grep -v '^host' %t.host > %t.values
// RUN: grep -v '^interp' %t.interp | diff - %t.values
// RUN: FileCheck %s < %t.values

// Halfway between two bf16, and by less than f32 or f64 hold above and below
// it; where the rules of small and of large integers meet; the ends of the
// types.
// CHECK: result 0: tensor<15xbf16>
// CHECK: [16908288, 16777216, 16777216, -16908288, -16777216, 4328521728, 1161928703861587968, 1152921504606846976, -1161928703861587968, 9007199254740992, -9007199254740992, 9223372036854775808, -9223372036854775808, 0, -1]
// Unsigned, -1 and the like are large.
// CHECK: result 1: tensor<15xbf16>
// CHECK: [16908288, 16777216, 16777216, 18446744073709551616, 18446744073709551616, 4328521728, 1161928703861587968, 1152921504606846976, 17293822569102704640, 9007199254740992, 18446744073709551616, 9223372036854775808, 9223372036854775808, 0, 18446744073709551616]
// CHECK: result 2: tensor<5xbf16>
// CHECK: [16908288, 16777216, -16908288, 2147483648, -2147483648]
// CHECK: result 3: tensor<5xbf16>
// CHECK: [16908288, 16777216, 4278190080, 2147483648, 2147483648]
// f32 holds all of 16 bits, and what it rounds is infinite in f16.
// CHECK: result 4: tensor<4xbf16>
// CHECK: [258, 256, 260, -32768]
// CHECK: result 5: tensor<15xf16>
// CHECK: [inf, inf, inf, -inf, -inf, inf, inf, inf, -inf, inf, -inf, inf, -inf, 0, -1]
// CHECK: result 6: bf16
// CHECK: 16908288
func.func @main(%x: tensor<15xi64>, %y: tensor<5xi32>, %z: tensor<4xi16>) -> (tensor<15xbf16>, tensor<15xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<4xbf16>, tensor<15xf16>, bf16) {
  %longs = arith.constant dense<[
    16842753, 16842752, 16842751, -16842753, -16842752, 4311744513,
    1157425104234217473, 1157425104234217472, -1157425104234217473,
    9007199254740993, -9007199254740993,
    9223372036854775807, -9223372036854775808, 0, -1
  ]> : tensor<15xi64>
  %ints = arith.constant dense<[
    16842753, 16842752, -16842753, 2147483647, -2147483648
  ]> : tensor<5xi32>
  %shorts = arith.constant dense<[258, 257, 259, -32768]> : tensor<4xi16>
  // Unknown to the compiler, which would fold the conversions.
  %limit = arith.constant dense<30000> : tensor<15xi64>
  %small = arith.cmpi slt, %x, %limit : tensor<15xi64>
  %l = arith.select %small, %longs, %x : tensor<15xi1>, tensor<15xi64>
  %limit5 = arith.constant dense<30000> : tensor<5xi32>
  %small5 = arith.cmpi slt, %y, %limit5 : tensor<5xi32>
  %i = arith.select %small5, %ints, %y : tensor<5xi1>, tensor<5xi32>
  %limit4 = arith.constant dense<30000> : tensor<4xi16>
  %small4 = arith.cmpi slt, %z, %limit4 : tensor<4xi16>
  %h = arith.select %small4, %shorts, %z : tensor<4xi1>, tensor<4xi16>
  %r0 = arith.sitofp %l : tensor<15xi64> to tensor<15xbf16>
  %r1 = arith.uitofp %l : tensor<15xi64> to tensor<15xbf16>
  %r2 = arith.sitofp %i : tensor<5xi32> to tensor<5xbf16>
  %r3 = arith.uitofp %i : tensor<5xi32> to tensor<5xbf16>
  %r4 = arith.sitofp %h : tensor<4xi16> to tensor<4xbf16>
  %r5 = arith.sitofp %l : tensor<15xi64> to tensor<15xf16>
  %first = arith.constant 0 : index
  %e = tensor.extract %l[%first] : tensor<15xi64>
  %r6 = arith.sitofp %e : i64 to bf16
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<15xbf16>, tensor<15xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<4xbf16>, tensor<15xf16>, bf16
}
