// RUN: %python %S/Inputs/errors.py %s --symbolic --max-bytes=3000000

// What cannot be done on terms.

moe.mesh @mesh axes ["ep"] shape [2]

// BRANCH_ON_DATA: {{.*}}:[[@LINE+6]]:8: error: 'scf.if' op expected the condition to be a known integer, got arith.cmpf{predicate = 2 : i64}:i1(arg0[0]@{ep=0}, 0.0) on rank 0
func.func @branch_on_data(%x: tensor<1xf32>) -> tensor<1xf32> {
  %i = arith.constant 0 : index
  %f = tensor.extract %x[%i] : tensor<1xf32>
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %f, %zero : f32
  %y = scf.if %c -> tensor<1xf32> {
    scf.yield %x : tensor<1xf32>
  } else {
    %n = arith.negf %x : tensor<1xf32>
    scf.yield %n : tensor<1xf32>
  }
  return %y : tensor<1xf32>
}

// EXPERT_OF_UNKNOWN: {{.*}}:[[@LINE+3]]:12: error: 'moe.permute' op expected an expert number to be a known integer, got my.route:i32 -> tensor<2x1xi32>, tensor<2x3xf32>((arg0[0,0]@{ep=0}, arg0[0,1]@{ep=0}, arg0[0,2]@{ep=0}, arg0[1,0]@{ep=0}, ... 2 more))#0 on rank 0
func.func @expert_of_unknown(%x: tensor<2x3xf32>) -> tensor<2x1x3xf32> {
  %ids = "my.route"(%x) : (tensor<2x3xf32>) -> tensor<2x1xi32>
  %b, %s = moe.permute token %x by %ids : tensor<2x3xf32>, tensor<2x1xi32> -> tensor<2x1x3xf32>, tensor<2x1xi32>
  return %b : tensor<2x1x3xf32>
}

// UNKNOWN_REGION: {{.*}}:[[@LINE+2]]:8: error: 'my.loop' op has no reference semantics: it has regions, and only those of the moe dialect, scf.if, scf.index_switch, scf.for and scf.while are executed
func.func @unknown_region(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "my.loop"(%x) ({
    "my.yield"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// UNKNOWN_SHAPE: {{.*}}:[[@LINE+2]]:8: error: 'my.filter' op has no reference semantics: expected a static shape of result 0, got 'tensor<?xf32>'
func.func @unknown_shape(%x: tensor<2xf32>) -> tensor<?xf32> {
  %y = "my.filter"(%x) : (tensor<2xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// UNKNOWN_TYPE: {{.*}}:[[@LINE+2]]:8: error: 'my.start' op has no reference semantics: expected ranked tensors or scalars of integers, index or floats of up to 64 bits, got '!my.token'
func.func @unknown_type(%x: tensor<2xf32>) {
  %y = "my.start"(%x) : (tensor<2xf32>) -> !my.token
  return
}

// UNDEFINED: {{.*}}:[[@LINE+3]]:8: error: 'arith.divsi' op is undefined: division by zero at element 0
func.func @undefined() -> i32 {
  %zero = arith.constant 0 : i32
  %y = arith.divsi %zero, %zero : i32
  return %y : i32
}

// DIVERGENT: {{.*}}:[[@LINE+6]]:10: error: 'moe.all_reduce' op is reached by rank 1 but not by rank 0 of the same group
// DIVERGENT: {{.*}}:[[@LINE+4]]:8: note: they parted at this 'scf.if'
func.func @divergent(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %c = arith.index_cast %i : index to i1
  %y = scf.if %c -> tensor<2xf32> {
    %s = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// Every element is a function of its own.
// TOO_MANY_TERMS: {{.*}}:[[@LINE+2]]:8: error: 'my.op' op needs more terms than fit: 32768 terms are held and the limit is 3000000 bytes (--max-bytes)
func.func @too_many_terms(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %y = "my.op"(%x) : (tensor<100x100xf32>) -> tensor<100x100xf32>
  %z = "my.op"(%y) : (tensor<100x100xf32>) -> tensor<100x100xf32>
  return %z : tensor<100x100xf32>
}
