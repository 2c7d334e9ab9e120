// RUN: moe-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected a communicator of at least 1 rank, got 0}}
func.func @comm(%c: !moert.comm<0>) { return }

// -----

func.func @f(%ctx: !moert.context) {
  // expected-error@+1 {{expected a name that is not empty}}
  %s = moert.stream %ctx "" inter priority 0
  return
}

// -----

func.func @f(%ctx: !moert.context) {
  // expected-error@+1 {{expected a priority of at least 0, got -1}}
  %s = moert.stream %ctx "s" inter priority -1
  return
}

// -----

func.func @f(%s: !moert.stream) {
  // expected-error@+1 {{expected a number of SMs in [0, 4096], got 4097}}
  moert.leave_sms %s, 4097
  return
}

// -----

func.func @f(%s: !moert.stream) {
  // expected-error@+1 {{expected a number of SMs in [0, 4096], got -1}}
  moert.leave_sms %s, -1
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
func.func @f(%s: !moert.stream) {
  // expected-error@+1 {{expected the communicator's size to be 2, got 3}}
  %c = moert.communicator #moe.group<@mesh, ["ep"]> on %s : !moert.comm<3>
  return
}

// -----

// expected-note@+1 {{the mesh has axes ["ep"]}}
moe.mesh @mesh axes ["ep"] shape [2]
func.func @f(%ctx: !moert.context) {
  // expected-error@+1 {{"tp"}}
  %i = moert.group_rank %ctx on #moe.group<@mesh, ["tp"]>
  return
}

// -----

func.func @f(%ctx: !moert.context) {
  // expected-error@+1 {{expected a memref of rank 1 with elements of type i8, got 'memref<4xi32>'}}
  %m = moert.arena %ctx : memref<4xi32>
  return
}

// -----

func.func @f(%s: !moert.stream, %a: memref<2xf32>) {
  // expected-error@+1 {{expected @g to be a function of this module}}
  moert.launch %s "g" @g ins(%a : memref<2xf32>)
  return
}

// -----

func.func private @g(memref<2xf32>)
func.func @f(%s: !moert.stream, %a: memref<2xf32>) {
  // expected-error@+1 {{expected @g to have a body}}
  moert.launch %s "g" @g ins(%a : memref<2xf32>)
  return
}

// -----

func.func private @g(%a: memref<2xf32>) { return }
func.func @f(%s: !moert.stream, %a: memref<2xf32>) {
  // expected-error@+1 {{expected buffers of the types that @g takes: 'memref<2xf32>', got 'memref<2xf32>', 'memref<2xf32>'}}
  moert.launch %s "g" @g ins(%a : memref<2xf32>) outs(%a : memref<2xf32>)
  return
}

// -----

func.func private @g(%a: memref<2xf32>) -> index { %i = arith.constant 0 : index return %i : index }
func.func @f(%s: !moert.stream, %a: memref<2xf32>) {
  // expected-error@+1 {{expected @g to have no result}}
  moert.launch %s "g" @g ins(%a : memref<2xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %a: memref<?xf32>) {
  // expected-error@+1 {{must be memref of static shape and strides, but got 'memref<?xf32>'}}
  moert.copy %s %a to %a : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%s: !moert.stream, %a: memref<2xi24>) {
  // expected-error@+1 {{must be memref of static shape and strides, but got 'memref<2xi24>'}}
  moert.copy %s %a to %a : memref<2xi24> to memref<2xi24>
  return
}

// -----

func.func @f(%s: !moert.stream, %a: memref<2x3xf32>, %b: memref<3x2xf32>) {
  // expected-error@+1 {{expected one shape, got 'memref<2x3xf32>' and 'memref<3x2xf32>'}}
  moert.copy %s %a to %b : memref<2x3xf32> to memref<3x2xf32>
  return
}

// -----

func.func @f(%s: !moert.stream, %a: memref<2xf32>, %b: memref<2xi32>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'i32'}}
  moert.copy %s %a to %b : memref<2xf32> to memref<2xi32>
  return
}

// -----

func.func @f(%s: !moert.stream, %a: memref<2x3xf32>, %b: memref<2x3xf32, strided<[2, 1]>>) {
  // expected-error@+1 {{expected a target whose elements do not overlap, got 'memref<2x3xf32, strided<[2, 1]>>'}}
  moert.copy %s %a to %b : memref<2x3xf32> to memref<2x3xf32, strided<[2, 1]>>
  return
}

// -----

func.func @f(%s: !moert.stream, %a: memref<2x2x2x2x2x2x2x2x2xf32>, %b: memref<2x2x2x2x2x2x2x2x2xf32, strided<[1, 2, 4, 8, 16, 32, 64, 128, 256]>>) {
  // expected-error@+1 {{expected a copy of at most 8 dims that do not merge, got 9}}
  moert.copy %s %a to %b : memref<2x2x2x2x2x2x2x2x2xf32> to memref<2x2x2x2x2x2x2x2x2xf32, strided<[1, 2, 4, 8, 16, 32, 64, 128, 256]>>
  return
}

// -----

// A source may be a broadcast.
func.func @f(%s: !moert.stream, %a: memref<2x3xf32, strided<[0, 1]>>, %b: memref<2x3xf32>) {
  moert.copy %s %a to %b : memref<2x3xf32, strided<[0, 1]>> to memref<2x3xf32>
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<3xf32>, %b: memref<3xf32>) {
  // expected-error@+1 {{expected elements that divide by the 2 ranks, got 3}}
  moert.all_to_all %c %a to %b : !moert.comm<2>, memref<3xf32> to memref<3xf32>
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<3xf32>, %b: memref<3xf32>) {
  // expected-error@+1 {{expected the target to hold 2 times the 3 elements of the source, got 3}}
  moert.all_gather %c %a to %b : !moert.comm<2>, memref<3xf32> to memref<3xf32>
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<3xf32>, %b: memref<3xf32>) {
  // expected-error@+1 {{expected the source to hold 2 times the 3 elements of the target, got 3}}
  moert.reduce_scatter %c sum %a to %b : !moert.comm<2>, memref<3xf32> to memref<3xf32>
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<3xf32>, %b: memref<4xf32>) {
  // expected-error@+1 {{expected the target to hold 1 times the 3 elements of the source, got 4}}
  moert.all_reduce %c sum %a to %b : !moert.comm<2>, memref<3xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  // expected-error@+1 {{must be contiguous memref of static shape}}
  moert.all_to_all %c %a to %b : !moert.comm<2>, memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<4x3xf32>, %b: memref<4x2xf32>, %n: memref<2xi32>) {
  // expected-error@+1 {{expected rows of one shape, got 'memref<4x3xf32>' and 'memref<4x2xf32>'}}
  moert.ragged_all_to_all %c %a to %b send(%n, %n) recv(%n, %n) : !moert.comm<2>, memref<4x3xf32> to memref<4x2xf32>, memref<2xi32>
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<4x3xf32>, %b: memref<4x3xf32>, %n: memref<3xi32>) {
  // expected-error@+1 {{expected offsets and sizes to be vectors of 2 integers, got 'memref<3xi32>'}}
  moert.ragged_all_to_all %c %a to %b send(%n, %n) recv(%n, %n) : !moert.comm<2>, memref<4x3xf32> to memref<4x3xf32>, memref<3xi32>
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %i: memref<3x2xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected kind 'softmax', 'sigmoid', 'sqrtsoftplus', 'gshard' or 'xmoe', got 'switch'}}
  moert.gate %s switch ins(%x, %r : memref<3x4xf32>, memref<4x6xf32>) outs(%i, %w : memref<3x2xi32>, memref<3x2xf32>) top_k 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %i: memref<3x2xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected top_k in [1, 6], got 7}}
  moert.gate %s softmax ins(%x, %r : memref<3x4xf32>, memref<4x6xf32>) outs(%i, %w : memref<3x2xi32>, memref<3x2xf32>) top_k 7
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %i: memref<3x2xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected num_groups to divide the 6 experts, got 4}}
  moert.gate %s softmax ins(%x, %r : memref<3x4xf32>, memref<4x6xf32>) outs(%i, %w : memref<3x2xi32>, memref<3x2xf32>) top_k 2 {num_groups = 4 : i64}
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %i: memref<3x2xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected top_groups in [1, 6] that hold top_k experts, got 1}}
  moert.gate %s softmax ins(%x, %r : memref<3x4xf32>, memref<4x6xf32>) outs(%i, %w : memref<3x2xi32>, memref<3x2xf32>) top_k 2 {num_groups = 6 : i64}
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<5x6xf32>, %i: memref<3x2xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected the router's hidden size to be 4, got 5}}
  moert.gate %s softmax ins(%x, %r : memref<3x4xf32>, memref<5x6xf32>) outs(%i, %w : memref<3x2xi32>, memref<3x2xf32>) top_k 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %i: memref<3x1xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected top_k of weights to be 1, as of ids, got 2}}
  moert.gate %s softmax ins(%x, %r : memref<3x4xf32>, memref<4x6xf32>) outs(%i, %w : memref<3x1xi32>, memref<3x2xf32>) top_k 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %i: memref<3x2xi32>, %b: memref<6x5x4xf32>, %l: memref<3x2xi64>) {
  // expected-error@+1 {{expected one element type, got 'i32' and 'i64'}}
  moert.permute %s choice ins(%x, %i : memref<3x4xf32>, memref<3x2xi32>) outs(%b, %l : memref<6x5x4xf32>, memref<3x2xi64>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %i: memref<3x2xi32>, %b: memref<6x5x3xf32>) {
  // expected-error@+1 {{expected hidden of buffer to be 4, as of x, got 3}}
  moert.permute %s choice ins(%x, %i : memref<3x4xf32>, memref<3x2xi32>) outs(%b, %i : memref<6x5x3xf32>, memref<3x2xi32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %a: memref<2x4x6xf32>) {
  // expected-error@+1 {{expected the number of inputs to be 3 or 4, got 2}}
  moert.experts %s swiglu ins(%x, %a : memref<2x8x4xf32>, memref<2x4x6xf32>) outs(%x : memref<2x8x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %a: memref<2x4x6xf32>) {
  // expected-error@+1 {{expected hidden of w3 to be 4, as of x, got 6}}
  moert.experts %s gpt ins(%x, %a, %a : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x4x6xf32>) outs(%x : memref<2x8x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %b: memref<6x4xf32>, %l: memref<3x2xi32>, %w: memref<3x1xf32>, %y: memref<3x4xf32>) {
  // expected-error@+1 {{expected top_k of weights to be 2, as of slots, got 1}}
  moert.unpermute %s ins(%b, %l, %w : memref<6x4xf32>, memref<3x2xi32>, memref<3x1xf32>) outs(%y : memref<3x4xf32>)
  return
}

// -----

// expected-error@+1 {{expected an entry function to take a !moert.context first}}
func.func @f() attributes {moert.inputs = 0 : i64} { return }

// -----

// expected-error@+1 {{expected at most 1 inputs, got 'moert.inputs' = 2}}
func.func @f(%c: !moert.context, %x: memref<2xf32>) attributes {moert.inputs = 2 : i64} { return }

// -----

// expected-error@+1 {{expected 'moert.inputs' to be a 64-bit integer of at least 0, got -1 : i64}}
func.func @f(%c: !moert.context) attributes {moert.inputs = -1 : i64} { return }

// -----

// expected-error@+1 {{expected argument 1 of an entry function to be a memref of static shape without layout, got 'memref<?xf32>'}}
func.func @f(%c: !moert.context, %x: memref<?xf32>) attributes {moert.inputs = 1 : i64} { return }

// -----

// expected-error@+1 {{expected an entry function without results, got 1}}
func.func @f(%c: !moert.context) -> i32 attributes {moert.inputs = 0 : i64} { %r = arith.constant 0 : i32 return %r : i32 }

// -----

// expected-error@+1 {{expected 'moert.inputs' on a function, got it on builtin.module}}
module attributes {moert.inputs = 0 : i64} {}

// -----

// expected-error@+1 {{unknown attribute 'moert.outputs': of operations outside it the moert dialect has only 'moert.inputs', 'moert.program', 'moert.part_of' and 'moert.host_waits'}}
func.func @f(%c: !moert.context) attributes {moert.outputs = 0 : i64} { return }

// -----

func.func private @g(%a: memref<2xi64>) { return }
func.func @f(%a: memref<2xi64>) {
  // expected-error@+1 {{expected outputs made by moert.host_buffer in this function}}
  moert.call @g outs(%a : memref<2xi64>)
  return
}

// -----

func.func private @g(%a: memref<2xi64>, %b: memref<2xi64>) { return }
func.func @f(%a: memref<2xi64>) {
  %b = moert.host_buffer : memref<2xi64>
  // expected-error@+1 {{expected buffers read to be made by moert.host_buffer in this function}}
  moert.call @g ins(%a : memref<2xi64>) outs(%b : memref<2xi64>)
  return
}

// -----

func.func @f() {
  %a = moert.host_buffer : memref<2xi64>
  // expected-error@+1 {{expected @g to be a function of this module}}
  moert.call @g outs(%a : memref<2xi64>)
  return
}

// -----

func.func @f(%c: !moert.comm<2>, %a: memref<4x3xf32>, %b: memref<4x3xf32>, %n: memref<2xi32>) {
  // expected-error@+1 {{expected offsets and sizes where the host reads them, made by moert.host_buffer in this function}}
  moert.ragged_all_to_all %c %a to %b send(%n, %n) recv(%n, %n) : !moert.comm<2>, memref<4x3xf32> to memref<4x3xf32>, memref<2xi32>
  return
}

// -----

// expected-error@+1 {{expected 'moert.program' on a function, got it on builtin.module}}
module attributes {moert.program = {arguments = [], results = []}} {}

// -----

// expected-error@+1 {{expected 'moert.program' to have a dictionary, got 3 : i64}}
func.func @f() attributes {moert.program = 3 : i64} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have the lists 'arguments' and 'results', got}}
func.func @f() attributes {moert.program = {arguments = []}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have the entries arguments, results, axes and shape only, got "more"}}
func.func @f() attributes {moert.program = {arguments = [], results = [], more = 1 : i64}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have types that are tensors of static shape or scalars, of elements that have a buffer, got tensor<?xf32>}}
func.func @f() attributes {moert.program = {arguments = [], results = [tensor<?xf32>]}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have 'range' as two numbers that ascend, got array<i64: 3, 1>}}
func.func @f() attributes {moert.program = {arguments = [{type = i32, range = array<i64: 3, 1>}], results = []}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have 'name' of letters, digits, '_' and '.', got "*/"}}
func.func @f() attributes {moert.program = {arguments = [{type = i32, name = "*/"}], results = []}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have the entries type and name only of a result, got "range"}}
func.func @f() attributes {moert.program = {arguments = [], results = [{type = i32, range = array<i64: 1, 3>}]}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have 'axes' and 'shape' of one length, names and sizes of at least 1, got}}
func.func @f() attributes {moert.program = {arguments = [], results = [], axes = ["ep"], shape = array<i64: 0>}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have 'varying' name axes of the mesh, got "tp"}}
func.func @f() attributes {moert.program = {arguments = [{type = i32, varying = ["tp"]}], results = [], axes = ["ep"], shape = array<i64: 2>}} { return }

// -----

// expected-error@+1 {{expected 'moert.program' to have 0 arguments and a type for each buffer, got 0 and 0}}
func.func @f(%c: !moert.context, %x: memref<2xf32>) attributes {moert.inputs = 0 : i64, moert.program = {arguments = [], results = []}} { return }

// -----

// expected-error@+1 {{expected argument 1 to be a buffer for a value of type 'f32', as 'moert.program' says, got 'memref<2xf32>'}}
func.func @f(%c: !moert.context, %x: memref<2xf32>) attributes {moert.inputs = 0 : i64, moert.program = {arguments = [], results = [f32]}} { return }

// -----

// expected-error@+1 {{expected 'moert.host_waits' on a function and to be a 64-bit integer of at least 0, got -1 : i64 on func.func}}
func.func @f() attributes {moert.host_waits = -1 : i64} {
  return
}

// -----

// expected-error@+1 {{expected 'moert.part_of' on a function and to be the name of a program, got 1 : i64 on func.func}}
func.func @f() attributes {moert.part_of = 1 : i64} {
  return
}
