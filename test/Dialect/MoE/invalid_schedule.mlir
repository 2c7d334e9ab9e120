// RUN: moe-opt %s -split-input-file -verify-diagnostics

// A chunk is missing.
moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expected a task for chunk 1 of the 3 chunks of "a", got none}}
  moe.schedule {
    // expected-note@+1 {{the first of its tasks is here}}
    moe.task @s "a"[2 of 3] layer "" phase "fwd" {
      moe.yield
    }
    moe.task @s "a"[0 of 3] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expected a task for chunk 0 of the 2 chunks of "a", got none}}
  moe.schedule {
    // expected-note@+1 {{the first of its tasks is here}}
    moe.task @s "a"[1 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// The chunk of another phase does not count, nor that of another layer or name.
moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expected a task for chunk 1 of the 2 chunks of "a", got none}}
  moe.schedule {
    // expected-note@+1 {{the first of its tasks is here}}
    moe.task @s "a"[0 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.task @s "a"[1 of 2] layer "" phase "bwd" {
      moe.yield
    }
    moe.task @s "a"[0 of 2] layer "" phase "bwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expected a task for chunk 1 of the 2 chunks of "a", got none}}
  moe.schedule {
    // expected-note@+1 {{the first of its tasks is here}}
    moe.task @s "a"[0 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.task @s "a"[1 of 2] layer "1" phase "fwd" {
      moe.yield
    }
    moe.task @s "a"[0 of 2] layer "1" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expected a task for chunk 1 of the 2 chunks of "a", got none}}
  moe.schedule {
    // expected-note@+1 {{the first of its tasks is here}}
    moe.task @s "a"[0 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.task @s "b"[1 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.task @s "b"[0 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expected a task for chunk 0 of the 9223372036854775807 chunks of "a", got none}}
  moe.schedule {
    // expected-note@+1 {{the first of its tasks is here}}
    moe.task @s "a"[9223372036854775806 of 9223372036854775807] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// A chunk is there twice.
moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-note@+1 {{the other task is here}}
    moe.task @s "a"[0 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.task @s "a"[1 of 2] layer "" phase "fwd" {
      moe.yield
    }
    // expected-error@+1 {{chunk 0 of "a" has two tasks}}
    moe.task @s "a"[0 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// As many tasks as chunks are not yet all chunks.
moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-note@+1 {{the other task is here}}
    moe.task @s "a"[1 of 2] layer "" phase "fwd" {
      moe.yield
    }
    // expected-error@+1 {{chunk 1 of "a" has two tasks}}
    moe.task @s "a"[1 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Tasks do not agree how many chunks there are.
moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-note@+1 {{the first of its tasks is here}}
    moe.task @s "a"[0 of 2] layer "" phase "fwd" {
      moe.yield
    }
    // expected-error@+1 {{expected 2 chunks of "a", got 3}}
    moe.task @s "a"[1 of 3] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected at least 1 chunk, got 0}}
    moe.task @s "a"[0 of 0] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected at least 1 chunk, got -9223372036854775808}}
    moe.task @s "a"[0 of -9223372036854775808] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected a chunk in [0, 2), got 2}}
    moe.task @s "a"[2 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected a chunk in [0, 2), got -1}}
    moe.task @s "a"[-1 of 2] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected a chunk in [0, 9223372036854775807), got 9223372036854775807}}
    moe.task @s "a"[9223372036854775807 of 9223372036854775807] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected a name that is not empty}}
    moe.task @s ""[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected phase "fwd" or "bwd", got "step"}}
    moe.task @s "a"[0 of 1] layer "" phase "step" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

func.func @f() {
  // expected-note@+1 {{the other schedule is here}}
  moe.schedule {
    moe.yield
  }
  // expected-error@+1 {{expected one schedule in a function}}
  moe.schedule {
    moe.yield
  }
  return
}

// -----

// In a region, too.
func.func @f() {
  // expected-note@+1 {{the other schedule is here}}
  moe.schedule {
    moe.yield
  }
  moe.layer "0" phase "fwd" {
    // expected-error@+1 {{expected one schedule in a function}}
    moe.schedule {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Or in a task.
moe.stream @s inter
func.func @f() {
  // expected-note@+1 {{the other schedule is here}}
  moe.schedule {
    moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-error@+1 {{expected one schedule in a function}}
      moe.schedule {
        moe.yield
      }
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// A branch may take either, but the function has one schedule.
func.func @f(%c: i1) {
  scf.if %c {
    // expected-note@+1 {{the other schedule is here}}
    moe.schedule {
      moe.yield
    }
  } else {
    // expected-error@+1 {{expected one schedule in a function}}
    moe.schedule {
      moe.yield
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a region of moe.task ops}}
  moe.schedule {
    // expected-note@+1 {{got arith.constant}}
    %c = arith.constant 1 : index
    moe.yield
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a region of moe.task ops}}
  moe.schedule {
    // expected-note@+1 {{got moe.schedule}}
    moe.schedule {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{expected moe.yield to yield 0 values, got 1}}
  moe.schedule {
    // expected-note@+1 {{the region yields here}}
    moe.yield %x : f32
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected moe.yield to yield 1 values, got 0}}
  %r = moe.schedule {
    // expected-note@+1 {{the region yields here}}
    moe.yield
  } : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{expected moe.yield to yield 'f64' as value 0, got 'f32'}}
  %r = moe.schedule {
    // expected-note@+1 {{the region yields here}}
    moe.yield %x : f32
  } : f64
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects a non-empty block}}
  moe.schedule {
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{region with 1 blocks}}
  "moe.schedule"() ({
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects a non-empty block}}
  "moe.schedule"() ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects region #0 to have 0 or 1 blocks}}
  "moe.schedule"() ({
    "moe.yield"() : () -> ()
  ^next:
    "moe.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a region without arguments, got 1}}
  "moe.schedule"() ({
  ^bb0(%i: index):
    "moe.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected the region to end with moe.yield}}
  "moe.schedule"() ({
    "func.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expected the region to end with moe.yield}}
  "moe.schedule"() ({
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
  }) : () -> ()
  return
}

// -----

moe.stream @s inter
func.func @f() {
  // expected-error@+1 {{expects parent op 'moe.schedule'}}
  %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-error@+1 {{expects parent op 'moe.schedule'}}
      %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" {
        moe.yield
      }
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected @t to name a moe.stream}}
    moe.task @t "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// expected-note@+1 {{it names this func.func}}
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected @f to name a moe.stream}}
    moe.task @f "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// expected-note@+1 {{it names this moe.mesh}}
moe.mesh @mesh axes ["ep"] shape [2]
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected @mesh to name a moe.stream}}
    moe.task @mesh "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Streams of an inner module are not seen from outside.
module @inner {
  moe.stream @s inter
}
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected @s to name a moe.stream}}
    moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expects a non-empty block}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
    ^bb0:
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{region with 1 blocks}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expects region #0 to have 0 or 1 blocks}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    ^next:
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected a region without arguments, got 1}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
    ^bb0(%i: index):
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected the region to end with moe.yield}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
      %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected 1 or more results}}
    "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    }) : () -> ()
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{result #0 must be the end of a task, but got 'f32'}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    }) : () -> f32
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{requires attribute 'stream'}}
    %t = "moe.task"() <{name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{requires attribute 'name'}}
    %t = "moe.task"() <{stream = @s, chunk = 0 : i64, chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{requires attribute 'chunk'}}
    %t = "moe.task"() <{stream = @s, name = "a", chunks = 1 : i64, layer = "", phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{requires attribute 'chunks'}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, layer = "", phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{requires attribute 'layer'}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, phase = #moe<phase fwd>}> ({
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{requires attribute 'phase'}}
    %t = "moe.task"() <{stream = @s, name = "a", chunk = 0 : i64, chunks = 1 : i64, layer = ""}> ({
      "moe.yield"() : () -> ()
    }) : () -> !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected moe.yield to yield 1 values, got 0}}
    %v, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-note@+1 {{the region yields here}}
      moe.yield
    } : f32
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f(%x: f32) {
  moe.schedule {
    // expected-error@+1 {{expected moe.yield to yield 'f64' as value 0, got 'f32'}}
    %v, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-note@+1 {{the region yields here}}
      moe.yield %x : f32
    } : f64
    moe.yield
  }
  return
}

// -----

// A cycle of tokens is a use before the definition.
moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{operand #0 does not dominate this use}}
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" after(%u) {
      moe.yield
    }
    // expected-note@+1 {{operand defined here (op in the same block)}}
    %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" after(%t) {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Of one task, too.
moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+2 {{operand #0 does not dominate this use}}
    // expected-note@+1 {{operand defined here (op in the same block)}}
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" after(%t) {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// A cycle of values.
moe.stream @s inter
func.func @f() {
  moe.schedule {
    %a, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      // expected-error@+1 {{operand #0 does not dominate this use}}
      moe.yield %b : f32
    } : f32
    // expected-note@+1 {{operand defined here (op in a parent region)}}
    %b, %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" after(%t) {
      moe.yield %a : f32
    } : f32
    moe.yield
  }
  return
}

// -----

// A token is no value.
moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-error@+1 {{expected its token in the 'after' of tasks only}}
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    %u, %v = moe.task @s "b"[0 of 1] layer "" phase "fwd" {
      // expected-note@+1 {{moe.yield uses it as a value}}
      moe.yield %t : !moe.token
    } : !moe.token
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
func.func @f() {
  %r = moe.schedule {
    // expected-error@+1 {{expected its token in the 'after' of tasks only}}
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    // expected-note@+1 {{moe.yield uses it as a value}}
    moe.yield %t : !moe.token
  } : !moe.token
  return
}

// -----

moe.stream @s inter
func.func @f() {
  moe.schedule {
    // expected-note@+1 {{prior use here}}
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    %v, %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" {
      // expected-error@+1 {{use of value '%t' expects different type than prior uses: 'tensor<4xf32>' vs '!moe.token'}}
      %y = arith.negf %t : tensor<4xf32>
      moe.yield %y : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield
  }
  return
}

// -----

moe.stream @s inter
// expected-note@+1 {{it comes from here}}
func.func @f(%x: !moe.token) {
  moe.schedule {
    // expected-error@+1 {{expected tokens of tasks in the same schedule, got another one as token 0}}
    %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" after(%x) {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// Nor is a value a token, whatever its type.
moe.stream @s inter
func.func @f(%x: !moe.token) {
  %r = moe.schedule {
    // expected-note@+1 {{it comes from here}}
    %v, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      moe.yield %x : !moe.token
    } : !moe.token
    // expected-error@+1 {{expected tokens of tasks in the same schedule, got another one as token 1}}
    %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" after(%t, %v) {
      moe.yield
    }
    moe.yield %x : !moe.token
  } : !moe.token
  return
}

// -----

moe.stream @s inter
func.func @f(%x: f32) {
  moe.schedule {
    // expected-note@+1 {{prior use here}}
    %v, %t = moe.task @s "a"[0 of 1] layer "" phase "fwd" {
      moe.yield %x : f32
    } : f32
    // expected-error@+1 {{use of value '%v' expects different type than prior uses: '!moe.token' vs 'f32'}}
    %u = moe.task @s "b"[0 of 1] layer "" phase "fwd" after(%v) {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// expected-note@+1 {{see existing symbol definition here}}
moe.stream @s inter
// expected-error@+1 {{redefinition of symbol named 's'}}
moe.stream @s intra

// -----

// expected-error@+2 {{expected ::moe::ResourceKind to be one of: inter, intra, copy, compute}}
// expected-error@+1 {{failed to parse MoE_ResourceKindAttr}}
moe.stream @s network {priority = 1}

// -----

func.func @f() {
  // expected-error@+1 {{symbol's parent must have the SymbolTable trait}}
  moe.stream @s inter
  return
}

// -----

// expected-error@+1 {{requires attribute 'resource'}}
"moe.stream"() <{sym_name = "s"}> : () -> ()

// -----

// expected-error@+1 {{requires attribute 'sym_name'}}
"moe.stream"() <{resource = #moe<resource copy>}> : () -> ()

// -----

// expected-error@+1 {{expected a name that is not empty}}
moe.stream @"" inter

// -----

// expected-error@+1 {{expected a priority in [0, 3], got 4}}
moe.stream @s inter priority 4

// -----

// expected-error@+1 {{expected a priority in [0, 3], got -1}}
moe.stream @s inter priority -1
