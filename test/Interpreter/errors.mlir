// What cannot be executed on values.
// RUN: %python %S/Inputs/errors.py %s --max-bytes=50000000

moe.mesh @mesh axes ["g", "m"] shape [2, 2]

func.func private @rank() -> index {
  %i = moe.group_rank on <@mesh, ["g", "m"]> : index
  return %i : index
}

// DIVERGENT_IF: {{.*}}:[[@LINE+8]]:12: error: 'moe.all_reduce' op is reached by rank 0 but not by rank 1 of the same group
// DIVERGENT_IF: {{.*}}:[[@LINE+6]]:10: note: they parted at this 'scf.if'
func.func @divergent_if(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = moe.group_rank on <@mesh, ["m"]> : index
  %zero = arith.constant 0 : index
  %c = arith.cmpi eq, %i, %zero : index
  %r = moe.layer "0" phase "fwd" {
    %s = scf.if %c -> tensor<2xf32> {
      %y = moe.all_reduce %x on <@mesh, ["m"]> : tensor<2xf32>
      scf.yield %y : tensor<2xf32>
    } else {
      scf.yield %x : tensor<2xf32>
    }
    moe.yield %s : tensor<2xf32>
  } : tensor<2xf32>
  return %r : tensor<2xf32>
}

// Ranks 0 and 1 leave the loop after one trip, rank 2 after two.
// DIVERGENT_FOR: {{.*}}:[[@LINE+14]]:8: error: 'moe.all_to_all' op is reached by rank 2 but not by rank 0 of the same group
// DIVERGENT_FOR: {{.*}}:[[@LINE+6]]:8: note: they parted at this 'scf.for'
func.func @divergent_for(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = call @rank() : () -> index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.maxui %i, %one : index
  %r = scf.for %j = %zero to %n step %one iter_args(%s = %x) -> tensor<2xf32> {
    %y = func.call @exchange(%s) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %y : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
func.func private @exchange(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = moe.all_to_all %x on <@mesh, ["g"]> split 0 concat 0 : tensor<2xf32> -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// SHAPES_DIFFER: {{.*}}:[[@LINE+5]]:8: error: 'moe.all_gather' op expected one shape on all ranks of a group, got 0x2 on rank 0 and 1x2 on rank 1
func.func @shapes_differ() -> tensor<?x2xf32> {
  %i = call @rank() : () -> index
  %one = arith.constant 1.0 : f32
  %x = tensor.splat %one[%i] : tensor<?x2xf32>
  %y = moe.all_gather %x on <@mesh, ["m"]> dim 1 : tensor<?x2xf32> -> tensor<?x4xf32>
  %z = moe.all_reduce %x on <@mesh, ["g"]> : tensor<?x2xf32>
  return %z : tensor<?x2xf32>
}

// INDIVISIBLE: {{.*}}:[[@LINE+5]]:8: error: 'moe.drop' op expected dim 0 to divide by the 2 ranks of the group, got 3 on rank 0
func.func @indivisible() -> tensor<?xf32> {
  %three = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %x = tensor.splat %one[%three] : tensor<?xf32>
  %y = moe.drop %x on <@mesh, ["m"]> dim 0 : tensor<?xf32> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// INDIVISIBLE_COLLECTIVE: {{.*}}:[[@LINE+5]]:8: error: 'moe.reduce_scatter' op expected dim 0 to divide by the 2 ranks of the group, got 3
func.func @indivisible_collective() -> tensor<?xf32> {
  %three = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %x = tensor.splat %one[%three] : tensor<?xf32>
  %y = moe.reduce_scatter %x on <@mesh, ["m"]> dim 0 : tensor<?xf32> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// RESULT_TYPE: {{.*}}:[[@LINE+5]]:8: error: 'moe.all_gather' op expected result 0 to be 'tensor<8xf32>', got 6 on rank 0
func.func @result_type() -> tensor<8xf32> {
  %three = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %x = tensor.splat %one[%three] : tensor<?xf32>
  %y = moe.all_gather %x on <@mesh, ["m"]> dim 0 : tensor<?xf32> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// ELEMENTWISE_SHAPES: {{.*}}:[[@LINE+7]]:8: error: 'arith.addf' op expected operands of one shape, got 3 and 2 on rank 0
func.func @elementwise_shapes() -> tensor<?xf32> {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %x = tensor.splat %one[%three] : tensor<?xf32>
  %y = tensor.splat %one[%two] : tensor<?xf32>
  %z = arith.addf %x, %y : tensor<?xf32>
  return %z : tensor<?xf32>
}

// EXPERT_NUMBER: {{.*}}:[[@LINE+3]]:12: error: 'moe.permute' op expected expert numbers in [0, 4), got 4 as choice 1 of token 1 on rank 0
func.func @expert_number(%x: tensor<2x3xf32>) -> tensor<4x1x3xf32> {
  %ids = arith.constant dense<[[3, 0], [1, 4]]> : tensor<2x2xi32>
  %b, %s = moe.permute token %x by %ids : tensor<2x3xf32>, tensor<2x2xi32> -> tensor<4x1x3xf32>, tensor<2x2xi32>
  return %b : tensor<4x1x3xf32>
}

// SLOT: {{.*}}:[[@LINE+3]]:8: error: 'moe.unpermute' op expected slots in [-1, 4), got -2 as copy 0 of token 1 on rank 0
func.func @slot(%b: tensor<4x1x3xf32>, %w: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %s = arith.constant dense<[[3, 0], [-2, 1]]> : tensor<2x2xi32>
  %y = moe.unpermute %b by %s weights %w : tensor<4x1x3xf32>, tensor<2x2xi32>, tensor<2x2xf32> -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// ZERO_STEP: {{.*}}:[[@LINE+4]]:3: error: 'scf.for' op expected a positive step, got 0 on rank 0
func.func @zero_step() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %j = %zero to %one step %zero {
  }
  return
}

// ENDLESS: {{.*}}:[[@LINE+7]]:10: error: 'arith.negf' op is where execution stopped after 16777216 steps (an op on a rank is a step): a loop or a tree of calls does not end
// ENDLESS: {{.*}}:[[@LINE+5]]:8: note: executing this op's region
func.func @endless(%x: tensor<1xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 9223372036854775807 : index
  %r = scf.for %j = %zero to %n step %one iter_args(%s = %x) -> tensor<1xf32> {
    %y = arith.negf %s : tensor<1xf32>
    scf.yield %y : tensor<1xf32>
  }
  return %r : tensor<1xf32>
}

// RECURSIVE: {{.*}}:[[@LINE+7]]:8: error: 'func.call' op calls @recursive recursively; recursion is not executed
// RECURSIVE: {{.*}}:[[@LINE+1]]:1: note: this function is being executed
func.func @recursive(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = call @recursive_too(%x) : (tensor<1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
func.func private @recursive_too(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = call @recursive(%x) : (tensor<1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

func.func private @declared(tensor<1xf32>) -> tensor<1xf32>
// DECLARATION: {{.*}}:[[@LINE+2]]:8: error: 'func.call' op expected @declared to have a body, got a declaration
func.func @declaration(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = call @declared(%x) : (tensor<1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// BLOCKS: {{.*}}:[[@LINE+1]]:1: error: 'func.func' op cannot be executed: expected one block (structured control flow), got 2
func.func @blocks(%x: tensor<1xf32>) -> tensor<1xf32> {
  cf.br ^next
^next:
  return %x : tensor<1xf32>
}

// DIVISION: {{.*}}:[[@LINE+4]]:8: error: 'arith.divsi' op is undefined: division by zero at element 1, operands 7, 0
func.func @division(%x: tensor<2xi32>) -> tensor<2xi32> {
  %a = arith.constant dense<[6, 7]> : tensor<2xi32>
  %b = arith.constant dense<[3, 0]> : tensor<2xi32>
  %y = arith.divsi %a, %b : tensor<2xi32>
  return %y : tensor<2xi32>
}

// QUOTIENT: {{.*}}:[[@LINE+4]]:8: error: 'arith.divsi' op is undefined: the quotient does not fit its type at element 0, operands -128, -1
func.func @quotient() -> i8 {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %y = arith.divsi %a, %b : i8
  return %y : i8
}

// SHIFT: {{.*}}:[[@LINE+3]]:8: error: 'arith.shli' op is undefined: a shift by the width or more at element 0, operands 8, 8
func.func @shift() -> i8 {
  %a = arith.constant 8 : i8
  %y = arith.shli %a, %a : i8
  return %y : i8
}

// TOO_LARGE: {{.*}}:[[@LINE+3]]:8: error: 'arith.fptosi' op is undefined: no integer of the type is as large at element 0, operands 200
func.func @too_large() -> i8 {
  %a = arith.constant 200.0 : f32
  %y = arith.fptosi %a : f32 to i8
  return %y : i8
}

// INDEX: {{.*}}:[[@LINE+4]]:8: error: 'tensor.extract' op expected an index in [0, 2) in dim 0, got 2 on rank 2
func.func @index() -> f32 {
  %x = arith.constant dense<1.0> : tensor<2xf32>
  %i = call @rank() : () -> index
  %y = tensor.extract %x[%i] : tensor<2xf32>
  return %y : f32
}

// SLICE: {{.*}}:[[@LINE+4]]:8: error: 'tensor.extract_slice' op expected a slice inside 4, got offset 3, size 3, stride 1 in dim 0 on rank 3
func.func @slice() -> tensor<?xf32> {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %i = call @rank() : () -> index
  %y = tensor.extract_slice %x[%i] [%i] [1] : tensor<4xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// HUGE_SLICE: {{.*}}:[[@LINE+4]]:8: error: 'tensor.extract_slice' op expected a slice inside 4, got offset 0, size 4611686018427387904, stride 4611686018427387904 in dim 0 on rank 0
func.func @huge_slice() -> tensor<?xf32> {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %n = arith.constant 4611686018427387904 : index
  %y = tensor.extract_slice %x[0] [%n] [%n] : tensor<4xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// NEGATIVE_SIZE: {{.*}}:[[@LINE+3]]:8: error: 'tensor.empty' op expected sizes that are not negative, got -1 on rank 0
func.func @negative_size() -> tensor<?xf32> {
  %n = arith.constant -1 : index
  %y = tensor.empty(%n) : tensor<?xf32>
  return %y : tensor<?xf32>
}

// RESHAPE: {{.*}}:[[@LINE+4]]:8: error: 'tensor.expand_shape' op expected as many elements as the operand 3 has, got 3x2 on rank 0
func.func @reshape() -> tensor<?x2xf32> {
  %n = arith.constant 3 : index
  %x = tensor.empty(%n) : tensor<?xf32>
  %y = tensor.expand_shape %x [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// CAST: {{.*}}:[[@LINE+4]]:8: error: 'tensor.cast' op expected result 0 to be 'tensor<2xf32>', got 3 on rank 0
func.func @cast() -> tensor<2xf32> {
  %n = arith.constant 3 : index
  %x = tensor.empty(%n) : tensor<?xf32>
  %y = tensor.cast %x : tensor<?xf32> to tensor<2xf32>
  return %y : tensor<2xf32>
}

// UNKNOWN: {{.*}}:[[@LINE+2]]:8: error: 'my.op' op has no reference semantics on values
func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "my.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// UNKNOWN_ELEMENTWISE: {{.*}}:[[@LINE+2]]:8: error: 'math.clampf' op has no reference semantics on values
func.func @unknown_elementwise(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = math.clampf %x to [%x, %x] : tensor<2xf32>
  return %y : tensor<2xf32>
}

// REGIONS: {{.*}}:[[@LINE+2]]:8: error: 'scf.execute_region' op has no reference semantics: it has regions, and only those of the moe dialect, scf.if, scf.index_switch, scf.for and scf.while are executed
func.func @regions(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = scf.execute_region -> tensor<2xf32> {
    scf.yield %x : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// VECTORS: {{.*}}:[[@LINE+2]]:8: error: 'arith.constant' op has no reference semantics: expected ranked tensors or scalars of integers, index or floats of up to 64 bits, got 'vector<2xi32>'
func.func @vectors() -> i32 {
  %v = arith.constant dense<1> : vector<2xi32>
  %y = arith.constant 0 : i32
  return %y : i32
}

// WIDE: {{.*}}:[[@LINE+2]]:8: error: 'arith.constant' op has no reference semantics: expected ranked tensors or scalars of integers, index or floats of up to 64 bits, got 'i128'
func.func @wide() -> i32 {
  %v = arith.constant 1 : i128
  %y = arith.constant 0 : i32
  return %y : i32
}

// MEMORY: {{.*}}:[[@LINE+2]]:8: error: 'arith.negf' op needs a tensor of 1000x1000 elements, 8000000 bytes, and 48000256 of the 50000000 bytes allowed (--max-bytes) are held
func.func @memory(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %y = arith.negf %x : tensor<1000x1000xf32>
  return %y : tensor<1000x1000xf32>
}

// OVERFLOW: {{.*}}:[[@LINE+3]]:8: error: 'tensor.empty' op needs a tensor of 4611686018427387904x4611686018427387904 elements, and 264 of the 50000000 bytes allowed (--max-bytes) are held
func.func @overflow() -> tensor<?x?xf32> {
  %n = arith.constant 4611686018427387904 : index
  %y = tensor.empty(%n, %n) : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// DYNAMIC_ARGUMENT: {{.*}}:[[@LINE+1]]:1: error: expected argument 0 to have a static shape, got 'tensor<?xf32>'
func.func @dynamic_argument(%x: tensor<?xf32>) {
  return
}

// TOKEN_ARGUMENT: {{.*}}:[[@LINE+1]]:1: error: expected argument 0 to be a ranked tensor or scalar of integers, index or floats of up to 64 bits, got 'memref<2xf32>'
func.func @token_argument(%x: memref<2xf32>) {
  return
}
