// RUN: moe-opt %s -split-input-file -moe-verify-schedule -verify-diagnostics -o /dev/null

// What a schedule promises, and one test for every way to break it:
// collectives in different order on two ranks, a cyclic token, a missing chunk,
// a duplicated chunk. Each names two places.

//===----------------------------------------------------------------------===//
// One order of collectives on every rank
//===----------------------------------------------------------------------===//

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @s intra

func.func @order(%c: i1 {moe.varying = ["ep"]}, %x: tensor<4xf32>) {
  moe.schedule {
    moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-note @below {{scf.if may go different ways on ranks that differ in axis "ep"}}
      scf.if %c {
        // expected-error @below {{some ranks launch this collective before, and others after, another one that ranks 0 and 2 take part in too}}
        %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
        %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
      } else {
        // expected-note @below {{the other collective, where it is launched before}}
        %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
        %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
      }
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Explicit rank lists, and the same lists as mesh axes.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @lists(%c: i1, %x: tensor<4xf32>) {
  // expected-note @below {{scf.if may go different ways on ranks that differ in axis "ep" or "tp"}}
  scf.if %c {
    // expected-error @below {{another one that ranks 0 and 2 take part in too}}
    %e = moe.all_reduce %x on [[0, 2], [1, 3]] : tensor<4xf32>
    %f = moe.all_gather %x on [[0, 2], [1, 3]] dim 0 : tensor<4xf32> -> tensor<8xf32>
  } else {
    // expected-note @below {{the other collective}}
    %f = moe.all_gather %x on <@mesh, ["ep"]> dim 0 : tensor<4xf32> -> tensor<8xf32>
    %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  }
  return
}

// -----

// Without a mesh nothing tells ranks apart. Two streams do not help: tasks are
// launched in program order.
moe.stream @s inter
moe.stream @t intra

func.func @two_tasks(%c: i1, %x: tensor<4xf32>) {
  moe.schedule {
    moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-note @below {{scf.if may go different ways on ranks}}
      scf.if %c {
        // expected-error @below {{another one that ranks 0 and 1 take part in too}}
        %e = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
      }
      moe.yield
    }
    moe.task @t "b"[0 of 1] layer "" phase "fwd" {
      // expected-note @below {{the other collective}}
      %f = moe.reduce_scatter %x on [[0, 1]] dim 0 : tensor<4xf32> -> tensor<2xf32>
      moe.yield
    }
    moe.task @s "c"[0 of 1] layer "" phase "fwd" {
      %e = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Called functions count where they are called, and every case of a switch.
func.func private @reduce(%x: tensor<4xf32>) {
  // expected-note @below {{the other collective}}
  %e = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
  return
}
func.func private @outer(%x: tensor<4xf32>) {
  call @reduce(%x) : (tensor<4xf32>) -> ()
  return
}
func.func @calls(%i: index, %x: tensor<4xf32>) {
  // expected-note @below {{scf.index_switch may go different ways on ranks}}
  scf.index_switch %i
  case 2 {
    scf.yield
  }
  case 5 {
    func.call @outer(%x) : (tensor<4xf32>) -> ()
    %f = moe.all_gather %x on [[0, 1]] dim 0 : tensor<4xf32> -> tensor<8xf32>
    scf.yield
  }
  default {
    // expected-error @below {{another one that ranks 0 and 1 take part in too}}
    %f = moe.all_gather %x on [[0, 1]] dim 0 : tensor<4xf32> -> tensor<8xf32>
    func.call @outer(%x) : (tensor<4xf32>) -> ()
  }
  return
}

// -----

// Too many ranks to list them: the axes say that they share some.
moe.mesh @mesh axes ["ep", "tp"] shape [2097152, 2]

func.func @large(%c: i1 {moe.varying = ["tp"]}, %x: tensor<4xf32>) {
  // expected-note @below {{scf.if may go different ways on ranks that differ in axis "tp"}}
  scf.if %c {
    // expected-error @below {{after, another one with which it shares ranks}}
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
  } else {
    // expected-note @below {{the other collective}}
    %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  }
  return
}

// -----

// Orders that differ and harm nobody: all ranks of a group go the same way; the
// groups share one rank only; the condition is the same everywhere.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @harmless(%ep: i1 {moe.varying = ["ep"]}, %all: i1, %none: i1 {moe.varying = []}, %x: tensor<4xf32>) {
  scf.if %ep {
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    %f = moe.all_gather %x on <@mesh, ["tp"]> dim 0 : tensor<4xf32> -> tensor<8xf32>
  } else {
    %f = moe.all_gather %x on <@mesh, ["tp"]> dim 0 : tensor<4xf32> -> tensor<8xf32>
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  }
  scf.if %all {
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    %f = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  } else {
    %f = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  }
  scf.if %none {
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
  } else {
    %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  }
  return
}

// -----

// The same collectives in one order, apart in the program.
func.func @same_order(%c: i1, %x: tensor<4xf32>) {
  scf.if %c {
    %e = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
    %f = moe.all_gather %x on [[0, 1]] dim 0 : tensor<4xf32> -> tensor<8xf32>
    %g = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
  } else {
    %e = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
    scf.if %c {
      %f = moe.all_gather %x on [[0, 1]] dim 0 : tensor<4xf32> -> tensor<8xf32>
    }
    %g = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
  }
  return
}

// -----

// A function that calls itself is looked at once.
func.func private @again(%c: i1, %x: tensor<4xf32>) {
  scf.if %c {
    %e = moe.all_reduce %x on [[0, 1]] : tensor<4xf32>
    func.call @again(%c, %x) : (i1, tensor<4xf32>) -> ()
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Streams and tokens acyclic
//===----------------------------------------------------------------------===//

moe.stream @s inter
moe.stream @t intra

func.func @cyclic_tokens() {
  moe.schedule {
    // expected-error @below {{operand #0 does not dominate this use}}
    %a = moe.task @s "a"[0 of 1] layer "" phase "fwd" after(%b) {
      moe.yield
    }
    // expected-note @below {{operand defined here (op in the same block)}}
    %b = moe.task @t "b"[0 of 1] layer "" phase "fwd" after(%a) {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter

func.func @own_token() {
  moe.schedule {
    // expected-error @below {{operand #0 does not dominate this use}}
    // expected-note @below {{operand defined here (op in the same block)}}
    %a = moe.task @s "a"[0 of 1] layer "" phase "fwd" after(%a) {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// The stream says a before b, the token b before a.
moe.stream @s inter

func.func @token_against_stream() {
  moe.schedule {
    // expected-error @below {{operand #0 does not dominate this use}}
    moe.task @s "a"[0 of 1] layer "" phase "fwd" after(%b) {
      moe.yield
    }
    // expected-note @below {{operand defined here (op in the same block)}}
    %b = moe.task @s "b"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// The same by a value, inside a function nobody can reach the block of.
moe.stream @s inter

func.func @value_against_stream() {
  return
^unreachable:
  moe.schedule {
    moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-error @below {{operand #0 does not dominate this use}}
      %w = arith.negf %v : tensor<4xf32>
      moe.yield
    }
    // expected-note @below {{operand defined here}}
    %v, %b = moe.task @s "b"[0 of 1] layer "" phase "fwd" {
      %z = arith.constant dense<0.0> : tensor<4xf32>
      moe.yield %z : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Chunks complete
//===----------------------------------------------------------------------===//

moe.stream @s copy

func.func @missing_task(%x: tensor<4xf32>) {
  // expected-error @below {{expected a task for chunk 1 of the 2 chunks of "c", got none}}
  moe.schedule {
    // expected-note @below {{the first of its tasks is here}}
    %a, %t = moe.task @s "c"[0 of 2] layer "" phase "fwd" {
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield
  }
  return
}

// -----

moe.stream @s copy

func.func @two_tasks_of_a_chunk(%x: tensor<4xf32>) {
  moe.schedule {
    // expected-note @below {{the other task is here}}
    %a, %t = moe.task @s "c"[0 of 2] layer "" phase "fwd" {
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    // expected-error @below {{chunk 0 of "c" has two tasks}}
    %b, %u = moe.task @s "c"[0 of 2] layer "" phase "fwd" {
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield
  }
  return
}

// -----

// Every chunk has its task, but one is joined twice.
moe.stream @s copy

func.func @joined_twice(%x: tensor<4xf32>) -> tensor<8xf32> {
  %r = moe.schedule {
    // expected-note @below {{the chunk comes from here}}
    %a, %t = moe.task @s "c"[0 of 2] layer "" phase "fwd" {
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    %b, %u = moe.task @s "c"[1 of 2] layer "" phase "fwd" {
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    %j, %v = moe.task @s "join"[0 of 1] layer "" phase "fwd" {
      // expected-error @below {{expected each chunk once, got chunk 0 of "c" as operand 0 and as operand 1}}
      %k = moe.assemble %a, %a dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
      moe.yield %k : tensor<8xf32>
    } : tensor<8xf32>
    moe.yield %j : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Every chunk has its task, but one goes nowhere.
moe.stream @s copy

func.func @left_out(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %r, %q = moe.schedule {
    %a, %o, %t = moe.task @s "c"[0 of 3] layer "" phase "fwd" {
      moe.yield %x, %x : tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>
    // expected-error @below {{expected a use of value 0 of chunk 1 of "c", got none}}
    %b, %p, %u = moe.task @s "c"[1 of 3] layer "" phase "fwd" {
      moe.yield %x, %x : tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>
    %c, %s, %w = moe.task @s "c"[2 of 3] layer "" phase "fwd" {
      moe.yield %x, %x : tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>
    %j, %v = moe.task @s "join"[0 of 1] layer "" phase "fwd" {
      // expected-note @below {{that of chunk 2 is used here}}
      %k = moe.assemble %a, %c dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
      moe.yield %k : tensor<8xf32>
    } : tensor<8xf32>
    %i, %z = moe.task @s "sum"[0 of 1] layer "" phase "fwd" {
      %l = arith.addf %o, %p : tensor<4xf32>
      %m = arith.addf %l, %s : tensor<4xf32>
      moe.yield %m : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %j, %i : tensor<8xf32>, tensor<4xf32>
  } : tensor<8xf32>, tensor<4xf32>
  return %r, %q : tensor<8xf32>, tensor<4xf32>
}

// -----

// Complete: joined in two steps, handed out, or used by nobody at all. What is
// no chunk may be joined twice.
moe.stream @s copy

func.func @complete(%x: tensor<4xf32>) -> (tensor<12xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %r:5 = moe.schedule {
    %a:3, %t = moe.task @s "c"[0 of 3] layer "" phase "fwd" {
      moe.yield %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    %b:3, %u = moe.task @s "c"[1 of 3] layer "" phase "fwd" {
      moe.yield %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    %c:3, %w = moe.task @s "c"[2 of 3] layer "" phase "fwd" {
      moe.yield %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    %j, %v = moe.task @s "join"[0 of 1] layer "" phase "fwd" {
      %k = moe.assemble %a#0, %b#0 dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
      %l = moe.assemble %k, %c#0 dim 0 : tensor<8xf32>, tensor<4xf32> -> tensor<12xf32>
      moe.yield %l : tensor<12xf32>
    } : tensor<12xf32>
    %one, %y = moe.task @s "one"[0 of 1] layer "" phase "fwd" {
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    %two, %z = moe.task @s "two"[0 of 1] layer "" phase "fwd" {
      %k = moe.assemble %one, %one dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
      moe.yield %k : tensor<8xf32>
    } : tensor<8xf32>
    moe.yield %j, %two, %a#1, %b#1, %c#1 : tensor<12xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : tensor<12xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<12xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
