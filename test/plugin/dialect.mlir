// The stock mlir-opt parses, verifies and folds the dialect.
// REQUIRES: plugin
// RUN: %llvm_tools/mlir-opt --load-dialect-plugin=%moe_obj/lib/libMoEPlugin.so \
// RUN:   --pass-pipeline='builtin.module(canonicalize)' %s | FileCheck %s
// RUN: not %llvm_tools/mlir-opt %s 2>&1 | FileCheck --check-prefix=WITHOUT %s

// WITHOUT: error: {{.*}}moe
// CHECK: moe.mesh @mesh axes ["ep", "tp"] shape [2, 1]
moe.mesh @mesh axes ["ep", "tp"] shape [2, 1]

// CHECK-LABEL: func.func @exchange
// CHECK:         moe.all_to_all
// CHECK-NOT:     moe.all_gather
func.func @exchange(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4x8xf32> -> tensor<4x8xf32>
  // One rank has nothing to gather.
  %r = moe.all_gather %a on <@mesh, ["tp"]> dim 0
     : tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
