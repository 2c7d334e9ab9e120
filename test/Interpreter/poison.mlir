// RUN: moe-run %s --entry=poison --print-values | FileCheck %s --check-prefix=VALUES
// RUN: moe-run %s --entry=poison --print-values --symbolic | FileCheck %s --check-prefix=TERMS
// RUN: moe-run %s --entry=moved --against=%s --symbolic | FileCheck %s --check-prefix=MOVED
// RUN: not moe-run %s --entry=steers --symbolic 2>&1 | FileCheck %s --check-prefix=STEERS
// RUN: not moe-run %s --entry=open 2>&1 | FileCheck %s --check-prefix=OPEN

// Poison is one unknown value, the same wherever it stands; on values one that
// shows.
// VALUES: result 0: f32
// VALUES: nan
// VALUES: result 1: i8
// VALUES: -128
// VALUES: result 2: tensor<2xf32>
// VALUES: [nan, nan]
// VALUES: result 3: f32
// VALUES: nan
// TERMS: result 0: f32
// TERMS: undefined
// TERMS: result 1: i8
// TERMS: undefined
// TERMS: result 2: tensor<2xf32>
// TERMS: [undefined, undefined]
// TERMS: result 3: f32
// TERMS: arith.mulf:f32(undefined, arg0)
func.func @poison(%x: f32) -> (f32, i8, tensor<2xf32>, f32) {
  %f = ub.poison : f32
  %i = ub.poison : i8
  %t = ub.poison : tensor<2xf32>
  %y = arith.mulf %f, %x : f32
  return %f, %i, %t, %y : f32, i8, tensor<2xf32>, f32
}

// MOVED: equal: 1 ranks, 8 bytes
func.func @moved(%x: tensor<2xf32>) -> tensor<2xf32> {
  %t = ub.poison : tensor<2xf32>
  %zero = arith.constant 0 : index
  %f = tensor.extract %t[%zero] : tensor<2xf32>
  %y = tensor.insert %f into %x[%zero] : tensor<2xf32>
  return %y : tensor<2xf32>
}

// STEERS: error: 'scf.if' op expected the condition to be a known integer, got undefined
func.func @steers(%x: f32) -> f32 {
  %c = ub.poison : i1
  %y = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    %z = arith.negf %x : f32
    scf.yield %z : f32
  }
  return %y : f32
}

// OPEN: error: 'ub.poison' op has no reference semantics: expected a static shape, got 'tensor<?xf32>'
func.func @open() -> tensor<?xf32> {
  %t = ub.poison : tensor<?xf32>
  return %t : tensor<?xf32>
}
