// RUN: moe-run %s --entry=floats --print-values | FileCheck %s --check-prefix=FLOATS
// RUN: moe-run %s --entry=nans --print-values | FileCheck %s --check-prefix=NANS
// RUN: moe-run %s --entry=integers --print-values | FileCheck %s --check-prefix=INTEGERS
// RUN: moe-run %s --entry=bits --print-values | FileCheck %s --check-prefix=BITS
// RUN: moe-run %s --entry=casts --print-values | FileCheck %s --check-prefix=CASTS
// RUN: moe-run %s --entry=tensors --print-values | FileCheck %s --check-prefix=TENSORS
// RUN: moe-run %s --entry=compare --print-values | FileCheck %s --check-prefix=COMPARE

// FLOATS: result 0: bf16
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: 1{{$}}
// FLOATS-NEXT: result 1: bf16
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: 0.333984375{{$}}
// FLOATS-NEXT: result 2: f16
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: inf{{$}}
// FLOATS-NEXT: result 3: f32
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: 1.5{{$}}
// FLOATS-NEXT: result 4: f64
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: 0.010000000000{{[0-9]+}}{{$}}
// FLOATS-NEXT: result 5: f32
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: 9.5{{$}}
// FLOATS-NEXT: result 6: f32
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: -7.5{{$}}
// FLOATS-NEXT: result 7: f32
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: 7.5{{$}}
// FLOATS-NEXT: result 8: f32
// FLOATS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// FLOATS-NEXT: -2{{$}}
func.func @floats() -> (bf16, bf16, f16, f32, f64, f32, f32, f32, f32) {
  %a = arith.constant 1.0 : bf16
  %b = arith.constant 0.00390625 : bf16
  // Half a unit in the last place goes to the even neighbour.
  %0 = arith.addf %a, %b : bf16
  %c = arith.constant 3.0 : bf16
  %1 = arith.divf %a, %c : bf16
  %d = arith.constant 65504.0 : f16
  %2 = arith.addf %d, %d : f16
  %e = arith.constant 7.5 : f32
  %f = arith.constant -2.0 : f32
  %3 = arith.remf %e, %f : f32
  %g = arith.constant 0.1 : f64
  %4 = arith.mulf %g, %g : f64
  %5 = arith.subf %e, %f : f32
  %6 = arith.negf %e : f32
  %7 = arith.maximumf %e, %f : f32
  %8 = arith.minimumf %e, %f : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : bf16, bf16, f16, f32, f64, f32, f32, f32, f32
}

// NANS: result 0: f32
// NANS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// NANS-NEXT: nan{{$}}
// NANS-NEXT: result 1: f32
// NANS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// NANS-NEXT: 1{{$}}
// NANS-NEXT: result 2: f32
// NANS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// NANS-NEXT: 1{{$}}
// NANS-NEXT: result 3: i1
// NANS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// NANS-NEXT: false{{$}}
// NANS-NEXT: result 4: i1
// NANS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// NANS-NEXT: true{{$}}
func.func @nans() -> (f32, f32, f32, i1, i1) {
  %n = arith.constant 0x7FC00000 : f32
  %x = arith.constant 1.0 : f32
  %0 = arith.maximumf %n, %x : f32
  %1 = arith.maxnumf %n, %x : f32
  %2 = arith.minnumf %x, %n : f32
  %3 = arith.cmpf olt, %n, %x : f32
  %4 = arith.cmpf ult, %n, %x : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, i1, i1
}

// INTEGERS: result 0: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: -56{{$}}
// INTEGERS-NEXT: result 1: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: 68{{$}}
// INTEGERS-NEXT: result 2: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: -3{{$}}
// INTEGERS-NEXT: result 3: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: -4{{$}}
// INTEGERS-NEXT: result 4: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: -3{{$}}
// INTEGERS-NEXT: result 5: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: -1{{$}}
// INTEGERS-NEXT: result 6: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: 124{{$}}
// INTEGERS-NEXT: result 7: i8
// INTEGERS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// INTEGERS-NEXT: 49{{$}}
func.func @integers() -> (i8, i8, i8, i8, i8, i8, i8, i8) {
  %a = arith.constant 100 : i8
  %b = arith.constant -7 : i8
  %c = arith.constant 2 : i8
  %0 = arith.addi %a, %a : i8
  %1 = arith.muli %a, %b : i8
  %2 = arith.divsi %b, %c : i8
  %3 = arith.floordivsi %b, %c : i8
  %4 = arith.ceildivsi %b, %c : i8
  %5 = arith.remsi %b, %c : i8
  // 249 / 2 and 249 % 100 when unsigned.
  %6 = arith.divui %b, %c : i8
  %7 = arith.remui %b, %a : i8
  return %0, %1, %2, %3, %4, %5, %6, %7 : i8, i8, i8, i8, i8, i8, i8, i8
}

// BITS: result 0: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: 8{{$}}
// BITS-NEXT: result 1: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: -2{{$}}
// BITS-NEXT: result 2: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: -10{{$}}
// BITS-NEXT: result 3: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: -24{{$}}
// BITS-NEXT: result 4: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: -2{{$}}
// BITS-NEXT: result 5: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: 62{{$}}
// BITS-NEXT: result 6: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: 12{{$}}
// BITS-NEXT: result 7: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: -6{{$}}
// BITS-NEXT: result 8: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: -6{{$}}
// BITS-NEXT: result 9: i8
// BITS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BITS-NEXT: 12{{$}}
func.func @bits() -> (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8) {
  %a = arith.constant 12 : i8
  %b = arith.constant -6 : i8
  %c = arith.constant 2 : i8
  %0 = arith.andi %a, %b : i8
  %1 = arith.ori %a, %b : i8
  %2 = arith.xori %a, %b : i8
  %3 = arith.shli %b, %c : i8
  %4 = arith.shrsi %b, %c : i8
  %5 = arith.shrui %b, %c : i8
  %6 = arith.maxsi %a, %b : i8
  %7 = arith.maxui %a, %b : i8
  %8 = arith.minsi %a, %b : i8
  %9 = arith.minui %a, %b : i8
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i8, i8, i8, i8, i8, i8, i8, i8, i8, i8
}

// CASTS: result 0: f32
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: 0.333251953125{{$}}
// CASTS-NEXT: result 1: bf16
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: 0.333984375{{$}}
// CASTS-NEXT: result 2: i32
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: -3{{$}}
// CASTS-NEXT: result 3: i32
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: 253{{$}}
// CASTS-NEXT: result 4: i8
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: 3{{$}}
// CASTS-NEXT: result 5: f32
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: -3{{$}}
// CASTS-NEXT: result 6: f32
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: 253{{$}}
// CASTS-NEXT: result 7: i8
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: -2{{$}}
// CASTS-NEXT: result 8: i8
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: -56{{$}}
// CASTS-NEXT: result 9: index
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: -3{{$}}
// CASTS-NEXT: result 10: i32
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: 1065353216{{$}}
// CASTS-NEXT: result 11: i32
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: -1{{$}}
// CASTS-NEXT: result 12: f16
// CASTS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// CASTS-NEXT: 1{{$}}
func.func @casts() -> (f32, bf16, i32, i32, i8, f32, f32, i8, i8, index, i32, i32, f16) {
  %h = arith.constant 0.333251953125 : f16
  %0 = arith.extf %h : f16 to f32
  %1 = arith.truncf %0 : f32 to bf16
  %a = arith.constant -3 : i8
  %2 = arith.extsi %a : i8 to i32
  %3 = arith.extui %a : i8 to i32
  %w = arith.constant 515 : i32
  %4 = arith.trunci %w : i32 to i8
  %5 = arith.sitofp %a : i8 to f32
  %6 = arith.uitofp %a : i8 to f32
  %f = arith.constant -2.75 : f32
  %7 = arith.fptosi %f : f32 to i8
  %g = arith.constant 200.5 : f32
  %8 = arith.fptoui %g : f32 to i8
  %9 = arith.index_cast %a : i8 to index
  %one = arith.constant 1.0 : f32
  %10 = arith.bitcast %one : f32 to i32
  %t = arith.constant true
  %11 = arith.extsi %t : i1 to i32
  %b = arith.constant 15360 : i16
  %12 = arith.bitcast %b : i16 to f16
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : f32, bf16, i32, i32, i8, f32, f32, i8, i8, index, i32, i32, f16
}

// TENSORS: result 0: tensor<3xi1>
// TENSORS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// TENSORS-NEXT: [false, false, true]{{$}}
// TENSORS-NEXT: result 1: tensor<3xf32>
// TENSORS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// TENSORS-NEXT: [3, 2, 3]{{$}}
// TENSORS-NEXT: result 2: tensor<3xf32>
// TENSORS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// TENSORS-NEXT: [3, 2, 1]{{$}}
// TENSORS-NEXT: result 3: tensor<0xf32>
// TENSORS-NEXT: rank 0: checksum {{[0-9a-f]+}}
// TENSORS-NEXT: []{{$}}
func.func @tensors() -> (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<0xf32>) {
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = arith.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %0 = arith.cmpf ogt, %x, %y : tensor<3xf32>
  %1 = arith.select %0, %x, %y : tensor<3xi1>, tensor<3xf32>
  // A scalar chooses whole tensors.
  %f = arith.constant false
  %2 = arith.select %f, %x, %y : tensor<3xf32>
  %e = arith.constant dense<> : tensor<0xf32>
  %3 = arith.addf %e, %e : tensor<0xf32>
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<3xf32>, tensor<3xf32>, tensor<0xf32>
}

// COMPARE: result 0: i1
// COMPARE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// COMPARE-NEXT: true{{$}}
// COMPARE-NEXT: result 1: i1
// COMPARE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// COMPARE-NEXT: false{{$}}
// COMPARE-NEXT: result 2: i1
// COMPARE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// COMPARE-NEXT: true{{$}}
// COMPARE-NEXT: result 3: i1
// COMPARE-NEXT: rank 0: checksum {{[0-9a-f]+}}
// COMPARE-NEXT: true{{$}}
func.func @compare() -> (i1, i1, i1, i1) {
  %a = arith.constant -1 : i8
  %b = arith.constant 1 : i8
  %0 = arith.cmpi slt, %a, %b : i8
  %1 = arith.cmpi ult, %a, %b : i8
  %2 = arith.cmpi ne, %a, %b : i8
  %3 = arith.cmpi uge, %a, %b : i8
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
