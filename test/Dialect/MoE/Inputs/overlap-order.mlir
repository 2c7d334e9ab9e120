// Starts of collectives that the order of tasks does not keep to, and two that it
// does.
// CHECK: 'moe.task' op 'moe.overlap': expected a task of products behind it that waits for what it waits for, got none
moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @intra intra
moe.stream @copy copy
moe.stream @compute compute
func.func @before(%g: tensor<4xf32>) {
  moe.schedule {
    %c, %tc = moe.task @copy "c"[0 of 1] layer "" phase "fwd" {
      %v = arith.negf %g : tensor<4xf32>
      moe.yield %v : tensor<4xf32>
    } : tensor<4xf32>
    %b, %tb = moe.task @intra "b"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "before"}} {
      %s = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %s : tensor<4xf32>
    } : tensor<4xf32>
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// CHECK: 'moe.task' op 'moe.overlap': expected the token of a task of products in 'after', got none
moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @intra intra
moe.stream @copy copy
moe.stream @compute compute
func.func @behind(%g: tensor<4xf32>) {
  moe.schedule {
    %c, %tc = moe.task @copy "c"[0 of 1] layer "" phase "fwd" {
      %v = arith.negf %g : tensor<4xf32>
      moe.yield %v : tensor<4xf32>
    } : tensor<4xf32>
    %b, %tb = moe.task @intra "b"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "behind"}} {
      %s = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %s : tensor<4xf32>
    } : tensor<4xf32>
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

// CHECK: 'moe.task' op 'moe.overlap': expected a task of the schedule that leaves SMs free, got none
// CHECK-NOT: error
moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @intra intra
moe.stream @copy copy
moe.stream @compute compute
func.func @concurrent(%g: tensor<4xf32>) {
  moe.schedule {
    %c, %tc = moe.task @copy "c"[0 of 1] layer "" phase "fwd" {
      %v = arith.negf %g : tensor<4xf32>
      moe.yield %v : tensor<4xf32>
    } : tensor<4xf32>
    %b, %tb = moe.task @intra "b"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "concurrent"}} {
      %s = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %s : tensor<4xf32>
    } : tensor<4xf32>
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @intra intra
moe.stream @copy copy
moe.stream @compute compute
func.func @right(%g: tensor<4xf32>) {
  moe.schedule {
    %c, %tc = moe.task @copy "c"[0 of 1] layer "" phase "fwd" {
      %v = arith.negf %g : tensor<4xf32>
      moe.yield %v : tensor<4xf32>
    } : tensor<4xf32>
    %b, %tb = moe.task @intra "b"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "before"}} {
      %s = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %s : tensor<4xf32>
    } : tensor<4xf32>
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" after(%tc) {
      moe.yield
    }
    moe.yield
  }
  return
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @intra intra
moe.stream @copy copy
moe.stream @compute compute
func.func @left(%g: tensor<4xf32>) {
  moe.schedule {
    %c, %tc = moe.task @copy "c"[0 of 1] layer "" phase "fwd" {
      %v = arith.negf %g : tensor<4xf32>
      moe.yield %v : tensor<4xf32>
    } : tensor<4xf32>
    %b, %tb = moe.task @intra "b"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {start = "concurrent"}} {
      %s = moe.all_reduce %c on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %s : tensor<4xf32>
    } : tensor<4xf32>
    %a = moe.task @compute "a"[0 of 1] layer "" phase "fwd" attributes {moe.overlap = {free_sms = 8 : i64}} {
      moe.yield
    }
    moe.yield
  }
  return
}
