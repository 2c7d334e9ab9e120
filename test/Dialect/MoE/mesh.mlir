// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// The picture's mesh.
// CHECK: moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
// GENERIC: "moe.mesh"() <{axes = ["ep", "tp"], shape = array<i64: 2, 3>, sym_name = "mesh"}> : () -> ()
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// Arguments state the axes they vary over, in any order.
// CHECK: func.func @varying(%{{.*}}: tensor<2xf32> {moe.varying = ["tp", "ep"]}, %{{.*}}: tensor<2xf32> {moe.varying = []}, %{{.*}}: index)
func.func @varying(%x: tensor<2xf32> {moe.varying = ["tp", "ep"]},
                   %y: tensor<2xf32> {moe.varying = []}, %z: index) {
  return
}

// Declarations have arguments too.
// CHECK: func.func private @declared(tensor<2xf32> {moe.varying = ["ep"]})
func.func private @declared(tensor<2xf32> {moe.varying = ["ep"]})

// A module has its own mesh. The largest one has 2^31 - 1 ranks; a single
// rank is a mesh as well.
module @inner {
  // CHECK: moe.mesh @mesh axes ["x"] shape [2147483647] {sym_visibility = "private"}
  moe.mesh @mesh axes ["x"] shape [2147483647] {sym_visibility = "private"}
  // CHECK: func.func @f(%{{.*}}: index {moe.varying = ["x"]})
  func.func @f(%i: index {moe.varying = ["x"]}) -> index {
    // CHECK: moe.group_rank on <@mesh, ["x"]> : index
    %r = moe.group_rank on <@mesh, ["x"]> : index
    return %r : index
  }
}
module @one_rank {
  // CHECK: moe.mesh @"a mesh" axes ["a b", "\C3\A9", "c"] shape [1, 1, 1] {link = "nvlink"}
  moe.mesh @"a mesh" axes ["a b", "é", "c"] shape [1, 1, 1] {link = "nvlink"}
  func.func @f() -> index {
    // CHECK: moe.group_rank on <@"a mesh", ["a b"]> : index
    %r = moe.group_rank on <@"a mesh", ["a b"]> : index
    return %r : index
  }
}
// A module without one looks for the axes of its arguments further out.
module @borrows {
  // CHECK: func.func @f(%{{.*}}: index {moe.varying = ["ep"]})
  func.func @f(%i: index {moe.varying = ["ep"]}) {
    return
  }
}
