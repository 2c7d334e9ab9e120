// RUN: moe-opt %s -split-input-file -verify-diagnostics --convert-moe-to-moert --allow-unregistered-dialect

// expected-error@+1 {{has no buffer at run time: expected a static shape, got 'tensor<?xf32>'}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }

// -----

// expected-error@+1 {{has no buffer at run time: expected integers of 1 to 8, 16, 32 or 64 bits, floats of 8 to 64 bits or index, got 'tensor<2xi24>'}}
func.func @type(%x: tensor<2xi24>) -> tensor<2xi24> { return %x : tensor<2xi24> }

// -----

func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{cannot be put on a stream: no registered dialect says what it does}}
  %y = "my.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<2xf32>
func.func @call(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{cannot be put on a stream: expected calls to be inlined}}
  %y = func.call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
func.func @loop(%n: index {moe.varying = []}, %x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<2xf32> {
    // expected-error@+1 {{cannot be put on a stream: expected ops of the moe dialect outside of loops, unless moe-schedule unrolls them, and in branches only of scf.if and scf.index_switch, got one in scf.for}}
    %a = moe.all_reduce %v on <@mesh, ["ep"]> : tensor<2xf32>
    scf.yield %a : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
func.func @pipeline(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{cannot be put on a stream: expected a function that moe-schedule has scheduled}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<4xf32> as tensor<2xf32>) {
    %s = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<2xf32>
    moe.yield %s : tensor<2xf32>
  } -> concat 0 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @inter inter
func.func @scheduled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %q = moe.schedule {
    %a, %t = moe.task @inter "dispatch"[0 of 1] layer "3" phase "fwd" {
      // expected-error@+1 {{cannot be put on a stream: expected tasks of ops that compiled code has a form of, got one that only the interpreter executes}}
      %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<4xf32> as tensor<2xf32>) {
        %s = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<2xf32>
        moe.yield %s : tensor<2xf32>
      } -> concat 0 : tensor<4xf32>
      moe.yield %r : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %q : tensor<4xf32>
}

// -----

func.func @effect(%x: memref<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  return %y : tensor<2xf32>
}
// expected-error@-3 {{has no buffer at run time}}

// -----

// expected-error@+1 {{cannot be put on streams: expected one block, got 2}}
func.func @blocks(%x: tensor<2xf32>) -> tensor<2xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<2xf32>
}
