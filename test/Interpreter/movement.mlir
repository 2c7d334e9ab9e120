// RUN: moe-run %s --entry=assemble --print-values | FileCheck %s --check-prefix=ASSEMBLE
// RUN: moe-run %s --entry=transpose --print-values | FileCheck %s --check-prefix=TRANSPOSE
// RUN: moe-run %s --entry=slices --print-values | FileCheck %s --check-prefix=SLICES
// RUN: moe-run %s --entry=insert --print-values | FileCheck %s --check-prefix=INSERT
// RUN: moe-run %s --entry=reshapes --print-values | FileCheck %s --check-prefix=RESHAPES
// RUN: moe-run %s --entry=elements --print-values | FileCheck %s --check-prefix=ELEMENTS

// Copies within a rank, on one rank.

func.func private @numbers() -> tensor<2x6xi32> {
  %x = arith.constant dense<[[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]]> : tensor<2x6xi32>
  return %x : tensor<2x6xi32>
}

// ASSEMBLE: result 0: tensor<2x7xi32>
// ASSEMBLE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ASSEMBLE-NEXT: {{\[\[}}5, 0, 1, 2, 3, 4, 5], [15, 10, 11, 12, 13, 14, 15]]{{$}}
// ASSEMBLE-NEXT: result 1: tensor<3x6xi32>
// ASSEMBLE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ASSEMBLE-NEXT: {{\[\[}}0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15], [10, 11, 12, 13, 14, 15]]{{$}}
func.func @assemble() -> (tensor<2x7xi32>, tensor<3x6xi32>) {
  %x = call @numbers() : () -> tensor<2x6xi32>
  %a = tensor.extract_slice %x[0, 5] [2, 1] [1, 1] : tensor<2x6xi32> to tensor<2x1xi32>
  %r = moe.assemble %a, %x dim 1 : tensor<2x1xi32>, tensor<2x6xi32> -> tensor<2x7xi32>
  %b = tensor.extract_slice %x[1, 0] [1, 6] [1, 1] : tensor<2x6xi32> to tensor<1x6xi32>
  %s = moe.assemble %x, %b dim 0 : tensor<2x6xi32>, tensor<1x6xi32> -> tensor<3x6xi32>
  return %r, %s : tensor<2x7xi32>, tensor<3x6xi32>
}

// TRANSPOSE: result 0: tensor<6x2xi32>
// TRANSPOSE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// TRANSPOSE-NEXT: {{\[\[}}0, 10], [1, 11], [2, 12], [3, 13], [4, 14], [5, 15]]{{$}}
// TRANSPOSE-NEXT: result 1: tensor<3x2x2xi32>
// TRANSPOSE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// TRANSPOSE-NEXT: {{\[\[}}[0, 1], [10, 11]], {{\[\[}}2, 3], [12, 13]], {{\[\[}}4, 5], [14, 15]]]{{$}}
func.func @transpose() -> (tensor<6x2xi32>, tensor<3x2x2xi32>) {
  %x = call @numbers() : () -> tensor<2x6xi32>
  %r = moe.transpose %x [1, 0] : tensor<2x6xi32> -> tensor<6x2xi32>
  %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 3, 2] : tensor<2x6xi32> into tensor<2x3x2xi32>
  %s = moe.transpose %e [1, 0, 2] : tensor<2x3x2xi32> -> tensor<3x2x2xi32>
  return %r, %s : tensor<6x2xi32>, tensor<3x2x2xi32>
}

// SLICES: result 0: tensor<2x2xi32>
// SLICES-NEXT: rank 0: checksum {{[0-9a-f]+}}
// SLICES-NEXT: {{\[\[}}1, 4], [11, 14]]{{$}}
// SLICES-NEXT: result 1: tensor<3xi32>
// SLICES-NEXT: rank 0: checksum {{[0-9a-f]+}}
// SLICES-NEXT: [10, 12, 14]{{$}}
// SLICES-NEXT: result 2: tensor<?x?xi32>
// SLICES-NEXT: rank 0: checksum {{[0-9a-f]+}}, shape 1x2
// SLICES-NEXT: {{\[\[}}12, 13]]{{$}}
// SLICES-NEXT: result 3: tensor<2x0xi32>
// SLICES-NEXT: rank 0: checksum {{[0-9a-f]+}}
// SLICES-NEXT: []{{$}}
func.func @slices() -> (tensor<2x2xi32>, tensor<3xi32>, tensor<?x?xi32>, tensor<2x0xi32>) {
  %x = call @numbers() : () -> tensor<2x6xi32>
  %a = tensor.extract_slice %x[0, 1] [2, 2] [1, 3] : tensor<2x6xi32> to tensor<2x2xi32>
  // The row dim is dropped.
  %b = tensor.extract_slice %x[1, 0] [1, 3] [1, 2] : tensor<2x6xi32> to tensor<3xi32>
  %i = arith.constant 1 : index
  %n = arith.constant 2 : index
  %c = tensor.extract_slice %x[%i, %n] [%i, %n] [1, 1] : tensor<2x6xi32> to tensor<?x?xi32>
  %e = tensor.extract_slice %x[0, 5] [2, 0] [1, 1] : tensor<2x6xi32> to tensor<2x0xi32>
  return %a, %b, %c, %e : tensor<2x2xi32>, tensor<3xi32>, tensor<?x?xi32>, tensor<2x0xi32>
}

// INSERT: result 0: tensor<2x6xi32>
// INSERT-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INSERT-NEXT: {{\[\[}}70, 1, 2, 3, 4, 71], [80, 11, 12, 13, 14, 81]]{{$}}
// INSERT-NEXT: result 1: tensor<2x6xi32>
// INSERT-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INSERT-NEXT: {{\[\[}}0, 1, 2, 3, 4, 5], [10, 11, 90, 91, 14, 15]]{{$}}
// INSERT-NEXT: result 2: tensor<2x6xi32>
// INSERT-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INSERT-NEXT: {{\[\[}}0, 1, 2, 3, 4, 5], [10, 99, 12, 13, 14, 15]]{{$}}
func.func @insert() -> (tensor<2x6xi32>, tensor<2x6xi32>, tensor<2x6xi32>) {
  %x = call @numbers() : () -> tensor<2x6xi32>
  %s = arith.constant dense<[[70, 71], [80, 81]]> : tensor<2x2xi32>
  %a = tensor.insert_slice %s into %x[0, 0] [2, 2] [1, 5] : tensor<2x2xi32> into tensor<2x6xi32>
  %row = arith.constant dense<[90, 91]> : tensor<2xi32>
  %i = arith.constant 1 : index
  %b = tensor.insert_slice %row into %x[%i, 2] [1, 2] [1, 1] : tensor<2xi32> into tensor<2x6xi32>
  %v = arith.constant 99 : i32
  %c = tensor.insert %v into %x[%i, %i] : tensor<2x6xi32>
  return %a, %b, %c : tensor<2x6xi32>, tensor<2x6xi32>, tensor<2x6xi32>
}

// RESHAPES: result 0: tensor<12xi32>
// RESHAPES-NEXT: rank 0: checksum {{[0-9a-f]+}}
// RESHAPES-NEXT: [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15]{{$}}
// RESHAPES-NEXT: result 1: tensor<1x2x2x3xi32>
// RESHAPES-NEXT: rank 0: checksum {{[0-9a-f]+}}
// RESHAPES-NEXT: {{\[\[}}{{\[\[}}0, 1, 2], [3, 4, 5]], {{\[\[}}10, 11, 12], [13, 14, 15]]]]{{$}}
// RESHAPES-NEXT: result 2: tensor<?x3xi32>
// RESHAPES-NEXT: rank 0: checksum {{[0-9a-f]+}}, shape 4x3
// RESHAPES-NEXT: {{\[\[}}0, 1, 2], [3, 4, 5], [10, 11, 12], [13, 14, 15]]{{$}}
// RESHAPES-NEXT: result 3: tensor<1x1xi32>
// RESHAPES-NEXT: rank 0: checksum {{[0-9a-f]+}}
// RESHAPES-NEXT: {{\[\[}}4]]{{$}}
func.func @reshapes() -> (tensor<12xi32>, tensor<1x2x2x3xi32>, tensor<?x3xi32>, tensor<1x1xi32>) {
  %x = call @numbers() : () -> tensor<2x6xi32>
  %a = tensor.collapse_shape %x [[0, 1]] : tensor<2x6xi32> into tensor<12xi32>
  %b = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [1, 2, 2, 3] : tensor<2x6xi32> into tensor<1x2x2x3xi32>
  %y = tensor.cast %a : tensor<12xi32> to tensor<?xi32>
  %n = arith.constant 4 : index
  %c = tensor.expand_shape %y [[0, 1]] output_shape [%n, 3] : tensor<?xi32> into tensor<?x3xi32>
  %s = tensor.from_elements %n : tensor<index>
  %t = arith.index_cast %s : tensor<index> to tensor<i32>
  %d = tensor.expand_shape %t [] output_shape [1, 1] : tensor<i32> into tensor<1x1xi32>
  return %a, %b, %c, %d : tensor<12xi32>, tensor<1x2x2x3xi32>, tensor<?x3xi32>, tensor<1x1xi32>
}

// An element nobody wrote is a NaN, or the least integer.
// ELEMENTS: result 0: i32
// ELEMENTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ELEMENTS-NEXT: 14{{$}}
// ELEMENTS-NEXT: result 1: index
// ELEMENTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ELEMENTS-NEXT: 6{{$}}
// ELEMENTS-NEXT: result 2: tensor<2x2xi8>
// ELEMENTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ELEMENTS-NEXT: {{\[\[}}1, -2], [-2, 1]]{{$}}
// ELEMENTS-NEXT: result 3: tensor<3xf32>
// ELEMENTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ELEMENTS-NEXT: [0.5, 0.5, 0.5]{{$}}
// ELEMENTS-NEXT: result 4: tensor<?xbf16>
// ELEMENTS-NEXT: rank 0: checksum {{[0-9a-f]+}}, shape 1
// ELEMENTS-NEXT: [nan]{{$}}
// ELEMENTS-NEXT: result 5: tensor<2xi8>
// ELEMENTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// ELEMENTS-NEXT: [-128, -128]{{$}}
func.func @elements() -> (i32, index, tensor<2x2xi8>, tensor<3xf32>, tensor<?xbf16>, tensor<2xi8>) {
  %x = call @numbers() : () -> tensor<2x6xi32>
  %i = arith.constant 1 : index
  %j = arith.constant 4 : index
  %a = tensor.extract %x[%i, %j] : tensor<2x6xi32>
  %b = tensor.dim %x, %i : tensor<2x6xi32>
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant -2 : i8
  %c = tensor.from_elements %c1, %c2, %c2, %c1 : tensor<2x2xi8>
  %half = arith.constant 0.5 : f32
  %d = tensor.splat %half : tensor<3xf32>
  %e = tensor.empty(%i) : tensor<?xbf16>
  %f = tensor.empty() : tensor<2xi8>
  return %a, %b, %c, %d, %e, %f : i32, index, tensor<2x2xi8>, tensor<3xf32>, tensor<?xbf16>, tensor<2xi8>
}
