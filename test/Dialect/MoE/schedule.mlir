// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --verify-roundtrip -o /dev/null

moe.stream @inter inter
moe.stream @copy copy

// CHECK-LABEL: func.func @example
// GENERIC: "moe.schedule"() ({
// GENERIC-NEXT: "moe.task"()
// GENERIC: "moe.yield"(%{{.*}}#0) : (tensor<4xf32>) -> ()
// GENERIC-NEXT: }) : () -> tensor<4xf32>
func.func @example(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK:      %[[R:.*]] = moe.schedule {
  // CHECK-NEXT:   %[[A:.*]], %{{.*}} = moe.task @inter "dispatch"[0 of 1]
  // CHECK:        moe.yield %[[A]] : tensor<4xf32>
  // CHECK-NEXT: } : tensor<4xf32>
  // CHECK-NEXT: return %[[R]]
  %r = moe.schedule {
    %a, %t = moe.task @inter "dispatch"[0 of 1] layer "3" phase "fwd" {
      moe.yield %x : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// Nothing to do, and nothing to hand out.
// CHECK-LABEL: func.func @empty
func.func @empty() {
  // CHECK:      moe.schedule {
  // CHECK-NEXT:   moe.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  moe.schedule {
    moe.yield
  }
  return
}

// Several results of any type, values from around among them.
// CHECK-LABEL: func.func @results
func.func @results(%x: tensor<?xf32>, %i: index) -> (tensor<?xf32>, index) {
  // CHECK: moe.schedule attributes {hooks = ["a"]} {
  // CHECK:   moe.yield %{{.*}}, %{{.*}} : tensor<?xf32>, index
  // CHECK: } : tensor<?xf32>, index
  %r:2 = moe.schedule attributes {hooks = ["a"]} {
    %a, %t = moe.task @copy "copy"[0 of 1] layer "" phase "bwd" {
      moe.yield %x : tensor<?xf32>
    } : tensor<?xf32>
    moe.yield %a, %i : tensor<?xf32>, index
  } : tensor<?xf32>, index
  return %r#0, %r#1 : tensor<?xf32>, index
}

// The chunks of a name are counted a layer and a phase; they may stand in any
// order and on several streams.
// CHECK-LABEL: func.func @chunks
func.func @chunks() {
  moe.schedule {
    // CHECK: moe.task @inter "dispatch"[2 of 3] layer "0" phase "fwd"
    moe.task @inter "dispatch"[2 of 3] layer "0" phase "fwd" {
      moe.yield
    }
    // CHECK: moe.task @copy "dispatch"[0 of 3] layer "0" phase "fwd"
    moe.task @copy "dispatch"[0 of 3] layer "0" phase "fwd" {
      moe.yield
    }
    // CHECK: moe.task @inter "dispatch"[0 of 1] layer "0" phase "bwd"
    moe.task @inter "dispatch"[0 of 1] layer "0" phase "bwd" {
      moe.yield
    }
    // CHECK: moe.task @inter "dispatch"[0 of 1] layer "1" phase "fwd"
    moe.task @inter "dispatch"[0 of 1] layer "1" phase "fwd" {
      moe.yield
    }
    // CHECK: moe.task @inter "combine"[0 of 1] layer "0" phase "fwd"
    moe.task @inter "combine"[0 of 1] layer "0" phase "fwd" {
      moe.yield
    }
    // CHECK: moe.task @inter "dispatch"[1 of 3] layer "0" phase "fwd"
    moe.task @inter "dispatch"[1 of 3] layer "0" phase "fwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// A function of an inner module has a schedule of its own.
// CHECK: module @inner
module @inner {
  // CHECK: moe.schedule
  moe.schedule {
    moe.yield
  }
  // CHECK: moe.schedule
  func.func @f() {
    moe.schedule {
      moe.yield
    }
    return
  }
}
