// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a degree in [1, 1048576], got 0}}
  moe.pipeline degree 0 (%c = %x split 0 : tensor<6x4xf32> as tensor<6x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a degree in [1, 1048576], got -2}}
  moe.pipeline degree -2 (%c = %x split 0 : tensor<6x4xf32> as tensor<6x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a degree in [1, 1048576], got -9223372036854775808}}
  "moe.pipeline"(%x) <{degree = -9223372036854775808 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a degree in [1, 1048576], got 9223372036854775807}}
  "moe.pipeline"(%x) <{degree = 9223372036854775807 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

// However long the dim: a schedule has a task for each chunk.
func.func @f(%x: tensor<0x9223372036854775807xf32>) {
  // expected-error@+1 {{expected a degree in [1, 1048576], got 4611686018427387904}}
  moe.pipeline degree 4611686018427387904 (%c = %x split 1 : tensor<0x9223372036854775807xf32> as tensor<0x?xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<1048577xf32>) {
  // expected-error@+1 {{expected a degree in [1, 1048576], got 1048577}}
  moe.pipeline degree 1048577 (%c = %x split 0 : tensor<1048577xf32> as tensor<1xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a degree of at most 6, the size to cut, got 7}}
  moe.pipeline degree 7 (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<0x4xf32>) {
  // expected-error@+1 {{expected a degree of at most 0, the size to cut, got 1}}
  moe.pipeline degree 1 (%c = %x split 0 : tensor<0x4xf32> as tensor<0x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a rule for each of 1 operands and 0 results, got 2 and 0}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0, 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a rule for each of 1 operands and 0 results, got 0 and 0}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a rule for each of 1 operands and 0 results, got 1 and 1}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64: 0>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a rule for each of 1 operands and 1 results, got 1 and 0}}
  %r = "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"(%c) : (tensor<3x4xf32>) -> ()
  }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a region with 1 arguments, one per operand, got 0}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
      "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a region with 1 arguments, one per operand, got 2}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>, %d: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected split dims of at least -1, got -2}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: -2>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected split dims of at least -1, got -9223372036854775808}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: -9223372036854775808>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected concat dims of at least -1, got -2}}
  %r = "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64: -2>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"(%c) : (tensor<3x4xf32>) -> ()
  }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected concat dims of at least -1, got -9223372036854775808}}
  %r = "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64: -9223372036854775808>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"(%c) : (tensor<3x4xf32>) -> ()
  }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected operand 0 to have dim 2 to cut along, got 'tensor<6x4xf32>'}}
  moe.pipeline degree 2 (%c = %x split 2 : tensor<6x4xf32> as tensor<6x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{expected operand 0 to have dim 0 to cut along, got 'tensor<f32>'}}
  moe.pipeline degree 1 (%c = %x split 0 : tensor<f32> as tensor<f32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %i: index) {
  // expected-error@+1 {{expected operand 1 to have dim 0 to cut along, got 'index'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>, %j = %i split 0 : index as index) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<*xf32>) {
  // expected-error@+1 {{expected operand 0 to have dim 0 to cut along, got 'tensor<*xf32>'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<*xf32> as tensor<*xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: vector<6xf32>) {
  // expected-error@+1 {{expected operand 0 to have dim 0 to cut along, got 'vector<6xf32>'}}
  moe.pipeline degree 2 (%c = %x split 0 : vector<6xf32> as vector<3xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected operand 0 to have dim 9223372036854775807 to cut along, got 'tensor<6x4xf32>'}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 9223372036854775807>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected result 0 to have dim 2 to cut along, got 'tensor<6x4xf32>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield %c : tensor<3x4xf32>
  } -> concat 2 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected result 0 to have dim 9223372036854775807 to cut along, got 'tensor<6x4xf32>'}}
  %r = "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64: 9223372036854775807>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"(%c) : (tensor<3x4xf32>) -> ()
  }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<?x4xf32>) {
  // expected-error@+1 {{expected dim 0 of operand 0 to be static, got 'tensor<?x4xf32>'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<?x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected dim 0 of result 0 to be static, got 'tensor<?x4xf32>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield %c : tensor<3x4xf32>
  } -> concat 0 : tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected all chunk dims to have one size, 6, got 4 in operand 1}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>, %d = %x split 1 : tensor<6x4xf32> as tensor<6x2xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected all chunk dims to have one size, 6, got 4 in result 0}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield %c : tensor<3x4xf32>
  } -> concat 1 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x6xf32>) {
  // expected-error@+1 {{expected all chunk dims to have one size, 2, got 6 in result 0}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<2x6xf32> as tensor<1x6xf32>) {
    moe.yield %c : tensor<1x6xf32>
  } -> concat 1 : tensor<2x6xf32>
  return
}

// -----

func.func @f(%x: tensor<6x2xf32>) {
  // expected-error@+1 {{expected region argument 1 of type 'tensor<6x1xf32>', got 'tensor<6x3xf32>'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x2xf32> as tensor<3x2xf32>, %d = %x split 1 : tensor<6x2xf32> as tensor<6x3xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected at least one split operand}}
  %r = moe.pipeline degree 2 (%c = %x shared : tensor<6x4xf32> as tensor<6x4xf32>) {
    moe.yield %c : tensor<6x4xf32>
  } -> sum : tensor<6x4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected at least one split operand}}
  moe.pipeline degree 2 () {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 2 sizes, got 1}}
  moe.pipeline degree 2 sizes [6] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 2 sizes, got 3}}
  moe.pipeline degree 2 sizes [2, 2, 2] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 2 sizes, got 0}}
  moe.pipeline degree 2 sizes [] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes of at least 1, got 0}}
  moe.pipeline degree 2 sizes [6, 0] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes of at least 1, got -1}}
  moe.pipeline degree 2 sizes [7, -1] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes of at least 1, got -9223372036854775808}}
  moe.pipeline degree 2 sizes [-9223372036854775808, 6] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes that add up to 6, got 5}}
  moe.pipeline degree 2 sizes [2, 3] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes that add up to 6, got 7}}
  moe.pipeline degree 2 sizes [4, 3] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes that add up to 6, got at least 2^63}}
  moe.pipeline degree 2 sizes [9223372036854775807, 1] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes that add up to 6, got at least 2^63}}
  moe.pipeline degree 2 sizes [9223372036854775807, 9223372036854775807] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

// Modulo 2^64 they do.
func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sizes that add up to 6, got at least 2^63}}
  moe.pipeline degree 3 sizes [9223372036854775807, 9223372036854775807, 8] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected region argument 0 of type 'tensor<3x4xf32>', got 'tensor<2x4xf32>'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<2x4xf32>) {
    moe.yield
  }
  return
}

// -----

// Chunks of one size are static, those of several dynamic.
func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected region argument 0 of type 'tensor<3x4xf32>', got 'tensor<?x4xf32>'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected region argument 0 of type 'tensor<3x4xf32>', got 'tensor<?x4xf32>'}}
  moe.pipeline degree 2 sizes [3, 3] (%c = %x split 0 : tensor<6x4xf32> as tensor<?x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected region argument 0 of type 'tensor<?x4xf32>', got 'tensor<2x4xf32>'}}
  moe.pipeline degree 2 sizes [2, 4] (%c = %x split 0 : tensor<6x4xf32> as tensor<2x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected region argument 0 of type 'tensor<?x4xf32>', got 'tensor<1x4xf32>'}}
  moe.pipeline degree 4 (%c = %x split 0 : tensor<6x4xf32> as tensor<1x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected region argument 0 of type 'tensor<3x4xf32>', got 'tensor<3x4xbf16>'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xbf16>) {
    moe.yield
  }
  return
}

// -----

// What is shared is whole.
func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected region argument 1 of type 'tensor<6x4xf32>', got 'tensor<3x4xf32>'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>, %w = %x shared : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %i: index) {
  // expected-error@+1 {{expected region argument 1 of type 'index', got 'i32'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>, %j = %i shared : index as i32) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expects a non-empty block}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{region with 1 blocks}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
    }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expects a non-empty block}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expects region #0 to have 0 or 1 blocks}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  ^next:
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected the region to end with moe.yield}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected the region to end with moe.yield}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "func.return"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected moe.yield to yield 1 values, got 0}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    // expected-note@+1 {{the region yields here}}
    moe.yield
  } -> concat 0 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected moe.yield to yield 0 values, got 1}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    // expected-note@+1 {{the region yields here}}
    moe.yield %c : tensor<3x4xf32>
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected moe.yield to yield 'tensor<3x4xf32>' as value 0, got 'tensor<6x4xf32>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    // expected-note@+1 {{the region yields here}}
    moe.yield %x : tensor<6x4xf32>
  } -> concat 0 : tensor<6x4xf32>
  return
}

// -----

// A sum has the type of what is yielded.
func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected moe.yield to yield 'tensor<6x4xf32>' as value 0, got 'tensor<3x4xf32>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    // expected-note@+1 {{the region yields here}}
    moe.yield %c : tensor<3x4xf32>
  } -> sum : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xindex>) {
  // expected-error@+1 {{expected a summed result of floats or signless integers, got 'tensor<3x4xindex>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xindex> as tensor<3x4xindex>) {
    moe.yield %c : tensor<3x4xindex>
  } -> sum : tensor<3x4xindex>
  return
}

// -----

func.func @f(%x: tensor<6x4xsi32>) {
  // expected-error@+1 {{expected a summed result of floats or signless integers, got 'tensor<3x4xsi32>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xsi32> as tensor<3x4xsi32>) {
    moe.yield %c : tensor<3x4xsi32>
  } -> sum : tensor<3x4xsi32>
  return
}

// -----

func.func @f(%x: tensor<6x4xui8>) {
  // expected-error@+1 {{expected a summed result of floats or signless integers, got 'tensor<3x4xui8>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xui8> as tensor<3x4xui8>) {
    moe.yield %c : tensor<3x4xui8>
  } -> sum : tensor<3x4xui8>
  return
}

// -----

func.func @f(%x: tensor<6x4xcomplex<f32>>) {
  // expected-error@+1 {{result #0 must be variadic of ranked tensor of integer or floating-point or index values, but got 'tensor<3x4xcomplex<f32>>'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xcomplex<f32>> as tensor<3x4xcomplex<f32>>) {
    moe.yield %c : tensor<3x4xcomplex<f32>>
  } -> sum : tensor<3x4xcomplex<f32>>
  return
}

// -----

func.func @f(%x: tensor<6xf32>, %n: none) {
  // expected-error@+1 {{result #0 must be variadic of ranked tensor of integer or floating-point or index values, but got 'none'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6xf32> as tensor<3xf32>, %m = %n shared : none as none) {
    moe.yield %m : none
  } -> sum : none
  return
}

// -----

func.func @f(%x: tensor<6xf32>, %n: !moe.token) {
  // expected-error@+1 {{but got '!moe.token'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6xf32> as tensor<3xf32>, %m = %n shared : !moe.token as !moe.token) {
    moe.yield %m : !moe.token
  } -> sum : !moe.token
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 'degree'}}
  moe.pipeline (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{64-bit signless integer attribute}}
  moe.pipeline degree true (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{floating point value not valid for specified type}}
  moe.pipeline degree 2.5 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{integer constant out of range for attribute}}
  moe.pipeline degree 18446744073709551616 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected '['}}
  moe.pipeline degree 2 sizes 3, 3 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected integer value}}
  moe.pipeline degree 2 sizes [3, %x] (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{integer value too large}}
  moe.pipeline degree 2 sizes [3, 9223372036854775808] (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected '('}}
  moe.pipeline degree 2 {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 'split' or 'shared'}}
  moe.pipeline degree 2 (%c = %x concat 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected integer value}}
  moe.pipeline degree 2 (%c = %x split : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a dim of at least 0, got -1}}
  moe.pipeline degree 2 (%c = %x split -1 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 'as'}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+2 {{region entry argument '%c' is already in use}}
  // expected-note@+1 {{previously referenced here}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>, %c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{attribute 'split_dims' occurs more than once in the attribute list}}
  moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) attributes {split_dims = array<i64: 1>} {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a region that ends with moe.yield}}
  moe.pipeline degree 2 () {
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+3 {{expected 'concat' or 'sum'}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield %c : tensor<3x4xf32>
  } -> split 0 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+3 {{expected a dim of at least 0, got -2}}
  %r = moe.pipeline degree 2 (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield %c : tensor<3x4xf32>
  } -> concat -2 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{requires attribute 'degree'}}
  "moe.pipeline"(%x) <{split_dims = array<i64: 0>, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{requires attribute 'split_dims'}}
  "moe.pipeline"(%x) <{degree = 2 : i64, concat_dims = array<i64>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{requires attribute 'concat_dims'}}
  "moe.pipeline"(%x) <{degree = 2 : i64, split_dims = array<i64: 0>}> ({
  ^bb0(%c: tensor<3x4xf32>):
    "moe.yield"() : () -> ()
  }) : (tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 'own' or 'intra'}}
  moe.pipeline degree 2 copies inter (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 'own' or 'intra'}}
  moe.pipeline degree 2 copies (%c = %x split 0 : tensor<6x4xf32> as tensor<3x4xf32>) {
    moe.yield
  }
  return
}
