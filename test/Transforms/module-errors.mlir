// What is wrong with a module or with options is said without printing all of
// the module.
// DEFINE: %{pass} =
// DEFINE: %{check} = not moe-opt %s %{pass} 2>&1 | FileCheck %s --implicit-check-not="see current operation"
// REDEFINE: %{pass} = --moe-schedule=priorities=ep,ep
// RUN: %{check}
// REDEFINE: %{pass} = --moe-pipeline=degree=0
// RUN: %{check}
// REDEFINE: %{pass} = --moe-compile=to=pipeline
// RUN: %{check}
// REDEFINE: %{pass} = --moe-select-strategy="platform=host degree=0"
// RUN: %{check}
// REDEFINE: %{pass} = --moe-choose-degree="platform=host max-degree=0"
// RUN: %{check}
// REDEFINE: %{pass} = --moe-partition-gradients="platform=host max-degree=0"
// RUN: %{check}
// CHECK: module-errors.mlir:{{.*}}error: {{.*}}expected
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
