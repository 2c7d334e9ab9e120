// How tasks share the SMs of a GPU: text, and what is refused.
// RUN: moe-opt %s --split-input-file --verify-diagnostics | moe-opt --split-input-file --allow-unregistered-dialect -o /dev/null
// RUN: not moe-opt %S/Inputs/overlap-order.mlir --split-input-file --moe-verify-schedule 2>&1 | FileCheck %S/Inputs/overlap-order.mlir

moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @intra intra
moe.stream @compute compute
func.func @task(%g: tensor<4xf32>) {
  moe.schedule {
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {free_sms = 4096 : i64, slowdown = 1.0e+06 : f64}} {
      moe.yield
    }
    %b, %t = moe.task @intra "b"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "concurrent"}} {
      %s = moe.all_reduce %g on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %s : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield
  }
  return
}

// -----

// expected-error @below {{'moe.overlap': expected it on a moe.task}}
func.func private @function() attributes {moe.overlap = {slowdown = 2.0 : f64}}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected a dictionary, got 1 : i64}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = 1 : i64} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected start, free_sms or slowdown, got "sms"}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {sms = 4 : i64}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected free_sms to be an i64 in [1, 4096], got 0 : i64}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {free_sms = 0 : i64}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected free_sms to be an i64 in [1, 4096], got 4097 : i64}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {free_sms = 4097 : i64}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected free_sms to be an i64 in [1, 4096], got 4 : i32}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {free_sms = 4 : i32}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected slowdown to be an f64 in [1, 1e6], got 5.000000e-01 : f64}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {slowdown = 0.5 : f64}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected slowdown to be an f64 in [1, 1e6], got 0x7FF8000000000000 : f64}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {slowdown = 0x7FF8000000000000 : f64}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected start to be "before", "behind" or "concurrent", got "late"}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "late"}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.stream @compute compute
func.func @wrong() {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected start on a task with collectives}}
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "before"}} {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @intra intra
func.func @wrong(%g: tensor<4xf32>) {
  moe.schedule {
    // expected-error @below {{'moe.overlap': expected slowdown on a task without collectives}}
    %b, %t = moe.task @intra "b"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {slowdown = 2.0 : f64}} {
      %s = moe.all_reduce %g on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %s : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield
  }
  return
}
