// RUN: moe-run %s --entry=loop --print-values | FileCheck %s --check-prefix=LOOP
// RUN: moe-run %s --entry=bounds --print-values | FileCheck %s --check-prefix=BOUNDS
// RUN: moe-run %s --entry=branch --print-values | FileCheck %s --check-prefix=BRANCH
// RUN: moe-run %s --entry=layers --print-values | FileCheck %s --check-prefix=LAYERS

moe.mesh @mesh axes ["g", "m"] shape [2, 2]

func.func private @rank() -> index {
  %i = moe.group_rank on <@mesh, ["g", "m"]> : index
  return %i : index
}

// Rank r adds 0 + 1 + ... + r; some ranks loop longer than others.
// LOOP: result 0: index
// LOOP-NEXT: rank 0: checksum {{[0-9a-f]+}}
// LOOP-NEXT: 0{{$}}
// LOOP-NEXT: rank 1: checksum {{[0-9a-f]+}}
// LOOP-NEXT: 1{{$}}
// LOOP-NEXT: rank 2: checksum {{[0-9a-f]+}}
// LOOP-NEXT: 3{{$}}
// LOOP-NEXT: rank 3: checksum {{[0-9a-f]+}}
// LOOP-NEXT: 6{{$}}
func.func @loop() -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %i = call @rank() : () -> index
  %n = arith.addi %i, %one : index
  %r = scf.for %j = %zero to %n step %one iter_args(%s = %zero) -> index {
    %t = arith.addi %s, %j : index
    scf.yield %t : index
  }
  return %r : index
}

// Downwards never enters; a step over the end stops; unsigned goes far.
// BOUNDS: result 0: i8
// BOUNDS-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// BOUNDS-NEXT: 0{{$}}
// BOUNDS-NEXT: result 1: i8
// BOUNDS-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// BOUNDS-NEXT: 106{{$}}
// BOUNDS-NEXT: result 2: i8
// BOUNDS-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// BOUNDS-NEXT: 3{{$}}
func.func @bounds() -> (i8, i8, i8) {
  %a = arith.constant 3 : i8
  %b = arith.constant 120 : i8
  %c = arith.constant 100 : i8
  %n = arith.constant -128 : i8
  %z = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %down = scf.for %j = %b to %a step %one iter_args(%s = %z) -> i8 : i8 {
    %t = arith.addi %s, %one : i8
    scf.yield %t : i8
  }
  %far = scf.for %j = %a to %b step %c iter_args(%s = %z) -> i8 : i8 {
    %t = arith.addi %s, %j : i8
    scf.yield %t : i8
  }
  %unsigned = scf.for unsigned %j = %b to %n step %a iter_args(%s = %z) -> i8 : i8 {
    %t = arith.addi %s, %one : i8
    scf.yield %t : i8
  }
  return %down, %far, %unsigned : i8, i8, i8
}

// Ranks of group 1 go one way, all meet again; within a way a whole group may
// communicate.
// BRANCH: result 0: index
// BRANCH-NEXT: rank 0: checksum {{[0-9a-f]+}}
// BRANCH-NEXT: 0{{$}}
// BRANCH-NEXT: rank 1: checksum {{[0-9a-f]+}}
// BRANCH-NEXT: 1{{$}}
// BRANCH-NEXT: ranks 2-3: checksum {{[0-9a-f]+}}
// BRANCH-NEXT: 100{{$}}
// BRANCH-NEXT: result 1: tensor<2xindex>
// BRANCH-NEXT: ranks 0,2: checksum {{[0-9a-f]+}}
// BRANCH-NEXT: [100, 3]{{$}}
// BRANCH-NEXT: ranks 1,3: checksum {{[0-9a-f]+}}
// BRANCH-NEXT: [100, 4]{{$}}
func.func @branch() -> (index, tensor<2xindex>) {
  %g = moe.group_rank on <@mesh, ["g"]> : index
  %i = call @rank() : () -> index
  %zero = arith.constant 0 : index
  %isZero = arith.cmpi eq, %g, %zero : index
  %t = tensor.from_elements %i : tensor<1xindex>
  %r:2 = scf.if %isZero -> (index, tensor<2xindex>) {
    %a = moe.all_gather %t on <@mesh, ["m"]> dim 0 : tensor<1xindex> -> tensor<2xindex>
    scf.yield %i, %a : index, tensor<2xindex>
  } else {
    %c = arith.constant 100 : index
    %d = tensor.from_elements %c, %i : tensor<2xindex>
    scf.yield %c, %d : index, tensor<2xindex>
  }
  %s = moe.all_reduce %r#1 on <@mesh, ["g"]> : tensor<2xindex>
  return %r#0, %s : index, tensor<2xindex>
}

// Layers and calls; a value of the layer's surroundings is seen inside.
func.func private @twice(%x: tensor<1xindex>) -> (tensor<1xindex>, index) {
  %y = arith.addi %x, %x : tensor<1xindex>
  %c = arith.constant 7 : index
  return %y, %c : tensor<1xindex>, index
}
// LAYERS: result 0: tensor<1xindex>
// LAYERS-NEXT: ranks 0-1: checksum {{[0-9a-f]+}}
// LAYERS-NEXT: [4]{{$}}
// LAYERS-NEXT: ranks 2-3: checksum {{[0-9a-f]+}}
// LAYERS-NEXT: [20]{{$}}
// LAYERS-NEXT: result 1: index
// LAYERS-NEXT: ranks 0-3: checksum {{[0-9a-f]+}}
// LAYERS-NEXT: 7{{$}}
func.func @layers() -> (tensor<1xindex>, index) {
  %i = call @rank() : () -> index
  %t = tensor.from_elements %i : tensor<1xindex>
  %r:2 = moe.layer "0" phase "fwd" {
    %a, %c = func.call @twice(%t) : (tensor<1xindex>) -> (tensor<1xindex>, index)
    %b, %d = func.call @twice(%a) : (tensor<1xindex>) -> (tensor<1xindex>, index)
    %s = moe.all_reduce %b on <@mesh, ["m"]> : tensor<1xindex>
    moe.yield %s, %d : tensor<1xindex>, index
  } : tensor<1xindex>, index
  return %r#0, %r#1 : tensor<1xindex>, index
}
