// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a name that is not empty}}
  moe.layer "" phase "fwd" {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected phase "fwd" or "bwd", got "sideways"}}
  moe.layer "a" phase "sideways" {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected string}}
  moe.layer "a" phase fwd {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects a non-empty block}}
  moe.layer "a" phase "fwd" {
  }
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects a non-empty block}}
  "moe.layer"() <{name = "a", phase = #moe<phase fwd>}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{region with 1 blocks}}
  "moe.layer"() <{name = "a", phase = #moe<phase fwd>}> ({
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects region #0 to have 0 or 1 blocks}}
  "moe.layer"() <{name = "a", phase = #moe<phase fwd>}> ({
    "moe.yield"() : () -> ()
  ^next:
    "moe.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the region to end with moe.yield}}
  "moe.layer"() <{name = "a", phase = #moe<phase fwd>}> ({
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the region to end with moe.yield}}
  "moe.layer"() <{name = "a", phase = #moe<phase fwd>}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a region without arguments, got 1}}
  "moe.layer"() <{name = "a", phase = #moe<phase fwd>}> ({
  ^bb0(%i: index):
    "moe.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected moe.yield to yield 0 values, got 1}}
  moe.layer "a" phase "fwd" {
    // expected-note@+1 {{the region yields here}}
    moe.yield %x : tensor<2xf32>
  }
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected moe.yield to yield 1 values, got 0}}
  %y = moe.layer "a" phase "fwd" {
    // expected-note@+1 {{the region yields here}}
    moe.yield
  } : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected moe.yield to yield 'tensor<?xf32>' as value 1, got 'tensor<2xf32>'}}
  %y:2 = moe.layer "a" phase "fwd" {
    // expected-note@+1 {{the region yields here}}
    moe.yield %x, %x : tensor<2xf32>, tensor<2xf32>
  } : tensor<2xf32>, tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects parent op}}
  moe.yield
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  moe.layer "a" phase "fwd" {
    // expected-error@+1 {{must be the last operation in the parent block}}
    moe.yield
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{requires attribute 'name'}}
  "moe.layer"() <{phase = #moe<phase fwd>}> ({
    "moe.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{requires attribute 'phase'}}
  "moe.layer"() <{name = "a"}> ({
    "moe.yield"() : () -> ()
  }) : () -> ()
  return
}
