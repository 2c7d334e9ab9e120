// Rows as floats of 8 bits with a scale for each block, and back: by hand, and
// on terms a function of each row.

// RUN: moe-run %s --entry=rows --print-values | FileCheck %s --check-prefix=ROWS
// RUN: moe-run %s --entry=special --print-values | FileCheck %s --check-prefix=SPECIAL
// RUN: sed 's/@whole/@rounded/' %s > %t.whole.mlir && sed 's/@halves/@rounded/' %s > %t.halves.mlir
// RUN: moe-run %t.halves.mlir --entry=rounded --against=%t.whole.mlir --symbolic | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.halves.mlir --entry=rounded --against=%t.whole.mlir | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: 1 rank

// 448 makes the scale 1; 17 and 19 are ties of 16, 18 and 20, and what is below
// half of 2^-9 is 0. The second block has the scale 7 / 448.
// ROWS: result 0: tensor<1x8xf32>
// ROWS: {{\[\[}}448, 16, 20, -0.001953125, 7, 3.5, -1, 0]]
// ROWS: result 1: tensor<1x2xf32>
// ROWS: {{\[\[}}1, 0.015625]]
func.func @rows() -> (tensor<1x8xf32>, tensor<1x2xf32>) {
  %x = arith.constant dense<[[448.0, 17.0, 19.0, -0.0013, 7.0, 3.5, -1.0, 0.00001]]> : tensor<1x8xf32>
  %v, %s = moe.quantize %x block 4 : tensor<1x8xf32> -> tensor<1x8xf8E4M3FN>, tensor<1x2xf32>
  %y = moe.dequantize %v scales %s block 4 : tensor<1x8xf8E4M3FN>, tensor<1x2xf32> -> tensor<1x8xf32>
  return %y, %s : tensor<1x8xf32>, tensor<1x2xf32>
}

// An infinity makes its block NaN, and no other; the last block is shorter, and
// nothing but zeros has the least scale.
// SPECIAL: {{\[\[}}nan, nan, 1, 2, 0]]
// SPECIAL: {{\[\[}}nan, 0.0044{{[0-9]+}}, 1.17{{[0-9]+}}e-38]]
func.func @special() -> (tensor<1x5xf32>, tensor<1x3xf32>) {
  %x = arith.constant dense<[[0x7F800000, 1.0, 1.0, 2.0, 0.0]]> : tensor<1x5xf32>
  %v, %s = moe.quantize %x block 2 : tensor<1x5xf32> -> tensor<1x5xf8E4M3FN>, tensor<1x3xf32>
  %y = moe.dequantize %v scales %s block 2 : tensor<1x5xf8E4M3FN>, tensor<1x3xf32> -> tensor<1x5xf32>
  return %y, %s : tensor<1x5xf32>, tensor<1x3xf32>
}

func.func @whole(%x: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %v, %s = moe.quantize %x block 4 : tensor<4x6xbf16> -> tensor<4x6xf8E4M3FN>, tensor<4x2xf32>
  %y = moe.dequantize %v scales %s block 4 : tensor<4x6xf8E4M3FN>, tensor<4x2xf32> -> tensor<4x6xbf16>
  return %y : tensor<4x6xbf16>
}

func.func @halves(%x: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %a = tensor.extract_slice %x[0, 0] [2, 6] [1, 1] : tensor<4x6xbf16> to tensor<2x6xbf16>
  %b = tensor.extract_slice %x[2, 0] [2, 6] [1, 1] : tensor<4x6xbf16> to tensor<2x6xbf16>
  %v, %s = moe.quantize %a block 4 : tensor<2x6xbf16> -> tensor<2x6xf8E4M3FN>, tensor<2x2xf32>
  %w, %t = moe.quantize %b block 4 : tensor<2x6xbf16> -> tensor<2x6xf8E4M3FN>, tensor<2x2xf32>
  %values = moe.assemble %v, %w dim 0 : tensor<2x6xf8E4M3FN>, tensor<2x6xf8E4M3FN> -> tensor<4x6xf8E4M3FN>
  %scales = moe.assemble %s, %t dim 0 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
  %y = moe.dequantize %values scales %scales block 4 : tensor<4x6xf8E4M3FN>, tensor<4x2xf32> -> tensor<4x6xbf16>
  return %y : tensor<4x6xbf16>
}
